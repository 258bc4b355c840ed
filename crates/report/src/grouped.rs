//! What many sessions have in common: their findings by rule, each with a bounded number of lines
//! and counts beyond, so that memory does not grow with the input.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use lawbook_diag::{Finding, Mode, Unknown, Verdict};

use crate::unseen::cut;

/// Lines that are kept of one group; those beyond are counted.
pub const GROUP_LINES_MAX: usize = 10;

/// Groups that are told apart; what belongs to others is counted together.
pub const RULE_GROUPS_MAX: usize = 1_000;

/// The groups, in the order in which they were first seen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Grouped {
    groups: Vec<RuleGroup>,
    places: BTreeMap<Key, usize>,
    /// What belongs to groups beyond [`RULE_GROUPS_MAX`].
    pub others: u64,
}

/// The policy, the rule, and the tool where a rule is told apart by tools.
type Key = (usize, Arc<str>, Option<String>);

/// What one rule says of many sessions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleGroup {
    /// The rule's id.
    pub rule: Arc<str>,
    /// The tool, for rules that a policy states for each of its tools.
    pub tool: Option<String>,
    /// The rule's kind.
    pub kind: &'static str,
    /// The policy, counted from 0 in the order given.
    pub layer: usize,
    /// Why the rule is there.
    pub why: Option<Arc<str>>,
    /// The strictest verdict of what counts.
    pub verdict: Verdict,
    /// What counts.
    pub counted: u64,
    /// What is listed and does not count.
    pub listed_only: u64,
    /// Sessions with something that counts.
    pub sessions: u64,
    /// The first lines.
    pub lines: Vec<GroupLine>,
    /// The session that was counted last, so that each is counted once.
    session: Option<u64>,
}

/// One finding or unknown of a group, fit for printing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GroupLine {
    /// The session's id.
    pub session: String,
    /// Where in it: `step m4.c0`, `message m3` or `run`.
    pub place: String,
    /// What sets it apart: `ask`, `observed`, `waived: …`, `audit` or `noted`; empty for most.
    pub aside: Cow<'static, str>,
    /// What is wrong.
    pub message: String,
}

impl Grouped {
    /// The groups, in the order in which they were first seen.
    #[must_use]
    pub fn groups(&self) -> &[RuleGroup] {
        &self.groups
    }

    /// Takes in a finding of a session; `number` tells the session from others.
    pub(crate) fn finding(&mut self, session: &str, number: u64, it: &Finding) {
        let tool = it.tool.as_deref().filter(|_| is_of_a_tool(&it.rule));
        let why = it.why.as_ref();
        let Some(group) = self.group(&it.rule, tool, it.kind, it.layer, why) else { return };
        group.count(number, it.counts());
        group.verdict = group.verdict.max(counting(it));
        group.line(|| GroupLine {
            session: cut(session),
            place: place(it.step, it.step_id.as_deref()),
            aside: aside(it),
            message: cut(&it.message),
        });
    }

    /// Takes in an unknown of a session.
    pub(crate) fn unknown(&mut self, session: &str, number: u64, it: &Unknown) {
        let Some(group) = self.group(&it.rule, None, it.kind, it.layer, None) else { return };
        group.count(number, it.counts);
        group.line(|| GroupLine {
            session: cut(session),
            place: place(it.step, it.step_id.as_deref()),
            aside: Cow::Borrowed(if it.counts { "" } else { "noted" }),
            message: cut(&it.message),
        });
    }

    /// Takes in the groups of later sessions.
    pub(crate) fn merge(&mut self, later: Grouped) {
        self.others = self.others.saturating_add(later.others);
        for more in later.groups {
            let RuleGroup { rule, tool, kind, layer, why, .. } = &more;
            let all = more.counted.saturating_add(more.listed_only);
            match self.group(rule, tool.as_deref(), kind, *layer, why.as_ref()) {
                Some(group) => group.merge(more),
                // The group itself was counted as one.
                None => self.others = self.others.saturating_add(all.saturating_sub(1)),
            }
        }
    }

    /// The group of a rule; none past the bound, where it is counted among the others.
    fn group(
        &mut self,
        rule: &Arc<str>,
        tool: Option<&str>,
        kind: &'static str,
        layer: usize,
        why: Option<&Arc<str>>,
    ) -> Option<&mut RuleGroup> {
        let key = (layer, rule.clone(), tool.map(str::to_owned));
        if let Some(place) = self.places.get(&key) {
            return self.groups.get_mut(*place);
        }
        if self.groups.len() >= RULE_GROUPS_MAX {
            self.others = self.others.saturating_add(1);
            return None;
        }
        let tool = key.2.clone();
        self.places.insert(key, self.groups.len());
        self.groups.push(RuleGroup {
            rule: rule.clone(),
            tool,
            kind,
            layer,
            why: why.cloned(),
            verdict: Verdict::Allow,
            counted: 0,
            listed_only: 0,
            sessions: 0,
            lines: Vec::new(),
            session: None,
        });
        self.groups.last_mut()
    }
}

impl RuleGroup {
    /// How many there are beyond the lines.
    #[must_use]
    pub fn more(&self) -> u64 {
        let all = self.counted.saturating_add(self.listed_only);
        all.saturating_sub(u64::try_from(self.lines.len()).unwrap_or(u64::MAX))
    }

    fn count(&mut self, session: u64, counts: bool) {
        if !counts {
            self.listed_only = self.listed_only.saturating_add(1);
            return;
        }
        self.counted = self.counted.saturating_add(1);
        if self.session != Some(session) {
            self.session = Some(session);
            self.sessions = self.sessions.saturating_add(1);
        }
    }

    fn line(&mut self, line: impl FnOnce() -> GroupLine) {
        if self.lines.len() < GROUP_LINES_MAX {
            self.lines.push(line());
        }
    }

    fn merge(&mut self, later: RuleGroup) {
        self.verdict = self.verdict.max(later.verdict);
        self.counted = self.counted.saturating_add(later.counted);
        self.listed_only = self.listed_only.saturating_add(later.listed_only);
        self.sessions = self.sessions.saturating_add(later.sessions);
        let room = GROUP_LINES_MAX.saturating_sub(self.lines.len());
        self.lines.extend(later.lines.into_iter().take(room));
    }
}

/// Whether a policy states this rule for each of its tools, so that each tool is a group.
fn is_of_a_tool(rule: &str) -> bool {
    matches!(rule, "confirm" | "max-per-trace")
        || rule.ends_with(".confirm")
        || rule.ends_with(".max_calls")
}

fn counting(it: &Finding) -> Verdict {
    if it.counts() { it.verdict } else { Verdict::Allow }
}

fn aside(it: &Finding) -> Cow<'static, str> {
    if let Some(why) = &it.waived {
        return Cow::Owned(format!("waived: {}", cut(why)));
    }
    Cow::Borrowed(match (it.mode, it.verdict) {
        (Mode::Observe, _) => "observed",
        (Mode::Enforce, Verdict::Allow) => "audit",
        (Mode::Enforce, Verdict::Ask) => "ask",
        (Mode::Enforce, Verdict::Deny) => "",
    })
}

fn place(step: Option<u32>, id: Option<&str>) -> String {
    match (step, id) {
        (Some(step), None) => format!("step {step}"),
        (Some(_), Some(id)) => format!("step {}", cut(id)),
        (None, Some(id)) => format!("message {}", cut(id)),
        (None, None) => "run".to_owned(),
    }
}

#[cfg(test)]
mod tests;
