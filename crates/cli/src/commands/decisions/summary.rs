//! What a log of decisions adds up to.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use lawbook_diag::Verdict;
use lawbook_event::Time;

use super::entry::Entry;
use crate::print::counted;

/// Sessions, tools and rules that are told apart; those beyond are counted together.
pub const NAMES_MAX: usize = 10_000;

/// Rows of each list that a summary shows.
const ROWS_MAX: usize = 10;

/// What stands for names beyond [`NAMES_MAX`].
const OTHERS: &str = "(all others)";

/// What stands for a session without a name.
const UNNAMED: &str = "(no session)";

/// What a log adds up to.
#[derive(Debug)]
pub struct Summary {
    /// From when on.
    pub since: Time,
    /// All decisions.
    pub counts: Counts,
    /// The rules that stood in the way, with what each did.
    pub rules: BTreeMap<String, RuleTally>,
    /// The sessions in which anything was blocked.
    pub sessions: BTreeMap<String, SessionTally>,
    /// Why questions could not be decided, with how often.
    pub errors: BTreeMap<String, u64>,
}

/// How many decisions there were.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// All.
    pub decisions: u64,
    /// Calls that could run.
    pub allowed: u64,
    /// Calls that a person had to say yes to.
    pub asked: u64,
    /// Calls that could not run, and questions that could not be decided.
    pub denied: u64,
    /// Of those asked about and denied: for want of evidence alone.
    pub only_unknown: u64,
}

/// What one rule did.
#[derive(Clone, Debug)]
pub struct RuleTally {
    /// Calls that it stood against and that could not run.
    pub denied: u64,
    /// Calls that it stood against and that a person had to say yes to.
    pub asked: u64,
    /// Calls of which it could not tell.
    pub unknown: u64,
    /// The sessions of all these.
    pub sessions: BTreeSet<String>,
    /// How many of all these there were for each tool.
    pub tools: BTreeMap<String, u64>,
    /// When the first was.
    pub first: Time,
    /// When the last was.
    pub last: Time,
    /// The session of the last.
    pub newest: String,
}

/// What was blocked in one session.
#[derive(Clone, Debug, Default)]
pub struct SessionTally {
    /// Calls that were denied or waited.
    pub blocked: u64,
    /// The rules that stood in the way.
    pub rules: BTreeSet<String>,
}

impl Summary {
    /// Nothing is summed up yet.
    pub fn new(since: Time) -> Self {
        Summary {
            since,
            counts: Counts::default(),
            rules: BTreeMap::new(),
            sessions: BTreeMap::new(),
            errors: BTreeMap::new(),
        }
    }

    /// Adds a decision, unless it is too old.
    pub fn add(&mut self, entry: &Entry) {
        if entry.time < self.since {
            return;
        }
        self.count(entry);
        if entry.verdict == Verdict::Allow {
            return;
        }
        if let Some(error) = &entry.error {
            let name = place(&self.errors, error);
            return more(self.errors.entry(name).or_default());
        }
        let session = place(&self.sessions, entry.session.as_deref().unwrap_or(UNNAMED));
        let tally = self.sessions.entry(session.clone()).or_default();
        more(&mut tally.blocked);
        tally.rules.extend(entry.rules.iter().chain(&entry.unknown).cloned());
        for rule in &entry.rules {
            let tally = self.rule(rule, entry, &session);
            more(match entry.verdict {
                Verdict::Deny => &mut tally.denied,
                Verdict::Ask | Verdict::Allow => &mut tally.asked,
            });
        }
        for rule in &entry.unknown {
            more(&mut self.rule(rule, entry, &session).unknown);
        }
    }

    fn count(&mut self, entry: &Entry) {
        let counts = &mut self.counts;
        more(&mut counts.decisions);
        more(match entry.verdict {
            Verdict::Allow => &mut counts.allowed,
            Verdict::Ask => &mut counts.asked,
            Verdict::Deny => &mut counts.denied,
        });
        let blocked = entry.verdict != Verdict::Allow && entry.error.is_none();
        if blocked && entry.rules.is_empty() {
            more(&mut counts.only_unknown);
        }
    }

    fn rule(&mut self, rule: &str, entry: &Entry, session: &str) -> &mut RuleTally {
        let name = place(&self.rules, rule);
        let tally = self.rules.entry(name).or_insert_with(|| RuleTally::new(entry.time));
        tally.sessions.insert(session.to_owned());
        let tool = place(&tally.tools, entry.tool.as_deref().unwrap_or_default());
        more(tally.tools.entry(tool).or_default());
        tally.first = tally.first.min(entry.time);
        if entry.time >= tally.last {
            tally.last = entry.time;
            session.clone_into(&mut tally.newest);
        }
        tally
    }

    /// The rules, those first that stood in the way of most sessions.
    pub fn by_weight(&self) -> Vec<(&str, &RuleTally)> {
        let mut rules: Vec<_> = self.rules.iter().map(|it| (it.0.as_str(), it.1)).collect();
        rules.sort_by_key(|it| Reverse((it.1.sessions.len(), it.1.all())));
        rules
    }

    /// The sessions in which most was blocked.
    pub fn most_blocked(&self) -> Vec<(&str, &SessionTally)> {
        let mut sessions: Vec<_> = self.sessions.iter().map(|it| (it.0.as_str(), it.1)).collect();
        sessions.sort_by_key(|it| Reverse(it.1.blocked));
        sessions.truncate(ROWS_MAX);
        sessions
    }

    /// Sessions to read and why: the newest of each rule, the rules of most weight first.
    pub fn read_first(&self) -> Vec<(&str, String)> {
        let mut seen = BTreeSet::new();
        let rules = self.by_weight().into_iter().take(ROWS_MAX);
        let all = rules.map(|(rule, it)| (it.newest.as_str(), it.why(rule)));
        all.filter(|it| seen.insert(it.0)).collect()
    }
}

impl RuleTally {
    fn new(at: Time) -> Self {
        RuleTally {
            denied: 0,
            asked: 0,
            unknown: 0,
            sessions: BTreeSet::new(),
            tools: BTreeMap::new(),
            first: at,
            last: at,
            newest: String::new(),
        }
    }

    fn all(&self) -> u64 {
        self.denied.saturating_add(self.asked).saturating_add(self.unknown)
    }

    fn why(&self, rule: &str) -> String {
        let sessions = counted(self.sessions.len() as u64, "session");
        let told = self.denied.saturating_add(self.asked);
        let what = if self.unknown > told { "mostly lacked evidence" } else { "stood in the way" };
        format!("`{rule}` {what} in {sessions}")
    }
}

fn more(count: &mut u64) {
    *count = count.saturating_add(1);
}

/// The name that something is counted under.
fn place<T>(names: &BTreeMap<String, T>, name: &str) -> String {
    let room = names.len() < NAMES_MAX || names.contains_key(name);
    if room { name.to_owned() } else { OTHERS.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sessions_beyond_the_bound_are_counted_together() {
        let mut summary = Summary::new(Time { nanos: 0 });
        for number in 0..NAMES_MAX + 5 {
            summary.add(&Entry {
                time: Time { nanos: 1 },
                session: Some(format!("s{number}")),
                tool: Some("pay".to_owned()),
                verdict: Verdict::Deny,
                rules: vec!["cap".to_owned()],
                unknown: Vec::new(),
                error: None,
            });
        }
        assert_eq!(summary.sessions.len(), NAMES_MAX + 1);
        assert_eq!(summary.sessions[OTHERS].blocked, 5);
        assert_eq!(summary.rules["cap"].denied, (NAMES_MAX + 5) as u64);
    }
}
