//! From all that rules held against a session to the list that is reported.

use std::collections::BTreeSet;

use lawbook_diag::Finding;
use lawbook_event::Time;
use lawbook_rule::{Report, Waiver, names};

use crate::{Engine, Held};

/// Lets through what a rule reports, so that nothing is kept of the rest: of rules that report the
/// first of each key, the first; of rules that report the run, what stands on the run.
#[derive(Debug, Default)]
pub(crate) struct Firsts {
    seen: BTreeSet<((usize, usize), String)>,
}

impl Firsts {
    /// Whether this one is reported.
    pub fn takes(&mut self, held: &Held) -> bool {
        match (held.report, &held.key) {
            (Report::Each, _) | (Report::First, None) => true,
            (Report::First, Some(key)) => self.seen.insert((held.rank, key.clone())),
            (Report::Run, _) => held.finding.step.is_none(),
        }
    }
}

/// What is reported, in the order in which reports list it: findings on calls by step and rule,
/// then the first of each key and those on the run by rule and step.
pub(crate) fn settle(held: Vec<Held>) -> Vec<Finding> {
    let (mut on_calls, mut after): (Vec<Held>, Vec<Held>) =
        held.into_iter().partition(|it| it.report == Report::Each);
    on_calls.sort_by_key(|it| (it.finding.step.unwrap_or(u32::MAX), it.rank));
    after.sort_by_key(|it| (it.rank, it.finding.step.unwrap_or(u32::MAX)));
    on_calls.into_iter().chain(after).map(|it| it.finding).collect()
}

/// Marks the findings of a live event that a waiver takes out at that moment.
pub(crate) fn waive_now(engine: &Engine, session: &str, at: Option<Time>, held: &mut [Held]) {
    let now = at.or(engine.as_of());
    for it in held {
        let Some(policy) = engine.layers().get(it.finding.layer) else { continue };
        let current =
            |waiver: &&Waiver| waiver.until.is_none_or(|it| now.is_some_and(|now| now < it));
        let mut waivers = policy.waivers.iter().filter(current);
        if let Some(waiver) = waivers.find(|waiver| covers(waiver, session, &it.finding)) {
            it.finding.waived = Some(waiver.why.clone());
        }
    }
}

/// Marks the findings that a waiver takes out, and adds one for each waiver that has run out and
/// would have taken one out.
pub(crate) fn waive(engine: &Engine, session: &str, findings: &mut Vec<Finding>) {
    let mut expired = Vec::new();
    for (layer, policy) in engine.layers().iter().enumerate() {
        for waiver in &policy.waivers {
            let current = waiver.until.is_none_or(|it| engine.as_of().is_some_and(|now| now < it));
            let covered: Vec<&mut Finding> = findings
                .iter_mut()
                .filter(|it| it.layer == layer && covers(waiver, session, it))
                .collect();
            if current {
                for finding in covered {
                    finding.waived = Some(waiver.why.clone());
                }
            } else if let Some(finding) = covered.into_iter().next() {
                expired.push(expired_finding(waiver, finding));
            }
        }
    }
    findings.extend(expired);
}

fn covers(waiver: &Waiver, session: &str, finding: &Finding) -> bool {
    names(&finding.rule, &waiver.rule)
        && waiver.matching.iter().all(|(key, wanted)| match key.as_str() {
            "session" => session == wanted,
            "tool" => finding.tool.as_ref() == Some(wanted),
            "step_id" => finding.step_id.as_ref() == Some(wanted),
            "path" => finding.path.as_ref() == Some(wanted),
            _ => false,
        })
}

fn expired_finding(waiver: &Waiver, finding: &Finding) -> Finding {
    Finding {
        rule: std::sync::Arc::from("waiver"),
        kind: "waiver",
        message: format!("the waiver of `{}` by {} has run out", waiver.rule, waiver.by),
        why: Some(waiver.why.clone()),
        path: None,
        evidence: Vec::new(),
        evidence_total: 0,
        ..finding.clone()
    }
}
