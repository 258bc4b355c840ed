//! What flips in all sessions, in their order.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use lawbook_diag::Problem;
use lawbook_engine::{Compared, Ruled, Side, flips, tried};
use lawbook_trace::Session;

use super::Ready;
use super::edits::Edit;
use super::lines::Line;
use crate::masking;

/// Flips that are listed one by one; the rest is counted.
pub const FLIPS_MAX: usize = 10_000;
/// Groups of flips that are listed; the rest is counted.
pub const FLIP_GROUPS_MAX: usize = 1_000;
/// Flips of a group that are remembered to be shown first.
const EXAMPLES: usize = 10;

/// Problems that are listed; the rest is counted.
const PROBLEMS: usize = 1_000;

/// The rule of what the engine itself can't tell of a call.
const OF_THE_SESSION: &str = "session";

/// What became of the sessions of a piece.
#[derive(Default)]
pub struct Piece {
    sessions: Vec<Done>,
    /// What could not be read.
    pub problems: Vec<Problem>,
}

struct Done {
    compared: Compared,
    lines: Vec<Line>,
    tried: BTreeSet<Arc<str>>,
}

/// Flips of one sort by the same rules.
pub struct Group {
    /// How many there are.
    pub calls: u64,
    /// Where the first of them stand in the list.
    pub examples: Vec<usize>,
}

/// What flips have in common that stand together: first causes before the rest, the stricter
/// verdicts first, then the rules.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Sort {
    /// Whether they follow from others.
    pub knock_on: bool,
    /// The new verdict, strictest first.
    pub to: std::cmp::Reverse<Ruled>,
    /// The old verdict.
    pub from: Ruled,
    /// The rules.
    pub rules: Vec<Arc<str>>,
}

/// What flips in all sessions.
#[derive(Default)]
pub struct Gathered {
    /// The sessions.
    pub sessions: u64,
    /// Those in which something flips.
    pub flipped: u64,
    /// The calls.
    pub calls: u64,
    /// Those that only one of two readings has.
    pub unpaired: u64,
    /// All flips.
    pub flips: u64,
    /// Those that follow from others.
    pub knock_ons: u64,
    /// The first of the flips.
    pub lines: Vec<Line>,
    /// The flips in groups.
    pub groups: BTreeMap<Sort, Group>,
    /// The flips in groups that are not listed.
    pub ungrouped: u64,
    /// The flips by their rules.
    pub by_rule: BTreeMap<Arc<str>, u64>,
    /// How many flips end in each verdict.
    by_verdict: BTreeMap<Ruled, u64>,
    /// In how many calls a rule objects otherwise.
    pub objections: BTreeMap<Arc<str>, u64>,
    /// In how many calls that don't flip a rule can't be judged.
    pub untold: BTreeMap<Arc<str>, u64>,
    /// The rules that something was put to the test by.
    pub tried: BTreeSet<Arc<str>>,
    /// The first of what could not be read.
    pub problems: Vec<Problem>,
    /// How much could not be read.
    pub unread: usize,
}

impl Piece {
    /// Takes in a session.
    pub fn session(&mut self, session: &Session<'_>, old: &Ready, new: &Ready, tries: bool) {
        let before = Side { engine: &old.engine, events: old.events(session) };
        let after = Side { engine: &new.engine, events: new.events(session) };
        let mut compared = flips(before, after);
        let flips = std::mem::take(&mut compared.flips);
        let lines = flips.into_iter().map(|it| Line::new(session, it, before, after)).collect();
        let rules = |side: Side<'_>| tried(side.engine, side.events).into_iter().map(|it| it.1);
        let tried = match tries {
            true => rules(before).chain(rules(after)).collect(),
            false => BTreeSet::new(),
        };
        self.sessions.push(Done { compared, lines, tried });
    }
}

impl Gathered {
    /// Takes in the sessions of the next piece.
    pub fn add(&mut self, piece: Piece) {
        piece.problems.iter().for_each(|it| self.problem(masking::problem(it)));
        for done in piece.sessions {
            self.session(done);
        }
    }

    /// Takes in what could not be read.
    pub fn problem(&mut self, problem: Problem) {
        self.unread = self.unread.saturating_add(1);
        if self.problems.len() < PROBLEMS {
            self.problems.push(problem);
        }
    }

    fn session(&mut self, done: Done) {
        let Done { compared, lines, tried } = done;
        bump(&mut self.sessions, 1);
        bump(&mut self.flipped, u64::from(!lines.is_empty()));
        bump(&mut self.calls, compared.calls);
        bump(&mut self.unpaired, compared.unpaired);
        merge(&mut self.objections, compared.objections);
        merge(&mut self.untold, compared.untold);
        self.tried.extend(tried);
        lines.into_iter().for_each(|it| self.line(it));
    }

    fn line(&mut self, line: Line) {
        bump(&mut self.flips, 1);
        bump(&mut self.knock_ons, u64::from(line.is_knock_on()));
        bump(self.by_verdict.entry(line.to).or_default(), 1);
        for rule in &line.rules {
            bump(self.by_rule.entry(rule.clone()).or_default(), 1);
        }
        let place = self.lines.len();
        let listed = place < FLIPS_MAX;
        let full = self.groups.len() >= FLIP_GROUPS_MAX;
        let sort = line.sort();
        if full && !self.groups.contains_key(&sort) {
            bump(&mut self.ungrouped, 1);
        } else {
            let new = || Group { calls: 0, examples: Vec::new() };
            let group = self.groups.entry(sort).or_insert_with(new);
            bump(&mut group.calls, 1);
            if listed && group.examples.len() < EXAMPLES {
                group.examples.push(place);
            }
        }
        if listed {
            self.lines.push(line);
        }
    }

    /// How many flips end in a verdict.
    pub fn to(&self, verdict: Ruled) -> u64 {
        self.by_verdict.get(&verdict).copied().unwrap_or_default()
    }

    /// In how many calls that don't flip the engine itself could not tell what is called, so that
    /// an edit may concern them all the same.
    pub fn untold_calls(&self, edits: &[Edit]) -> u64 {
        match edits {
            [] => 0,
            _ => self.untold.get(OF_THE_SESSION).copied().unwrap_or_default(),
        }
    }
}

fn bump(count: &mut u64, by: u64) {
    *count = count.saturating_add(by);
}

fn merge(into: &mut BTreeMap<Arc<str>, u64>, more: BTreeMap<Arc<str>, u64>) {
    for (rule, number) in more {
        bump(into.entry(rule).or_default(), number);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use lawbook_engine::{Cause, Ruled};

    use super::super::lines::{Line, Said};
    use super::{EXAMPLES, FLIP_GROUPS_MAX, FLIPS_MAX, Gathered};

    fn line(rule: &str) -> Line {
        let said = Said { verdict: None, rules: Vec::new() };
        Line {
            session: String::new(),
            source: String::new(),
            step: Some(1),
            step_id: String::new(),
            tool: String::new(),
            old: said.clone(),
            new: said,
            from: Ruled::Allow,
            to: Ruled::Deny,
            rules: vec![Arc::from(rule)],
            message: String::new(),
            cause: Cause::First { stands: true },
            caused_by: Vec::new(),
        }
    }

    #[test]
    fn flips_and_groups_past_their_bounds_are_counted() {
        let mut gathered = Gathered::default();
        let all = FLIPS_MAX + 5;
        (0..all).for_each(|it| gathered.line(line(&format!("r{it}"))));
        (0..20).for_each(|_| gathered.line(line("r0")));
        assert_eq!(gathered.flips, 10_025);
        assert_eq!(gathered.lines.len(), FLIPS_MAX);
        assert_eq!(gathered.groups.len(), FLIP_GROUPS_MAX);
        assert_eq!(gathered.ungrouped, 9_005);
        assert!(gathered.groups.values().all(|it| it.examples.len() <= EXAMPLES));
        assert_eq!(gathered.by_rule[&Arc::from("r0")], 21);
        assert_eq!(gathered.to(Ruled::Deny), 10_025);
    }
}
