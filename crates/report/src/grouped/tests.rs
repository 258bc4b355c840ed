//! Groups: who shares one, what is kept of it, and what is counted.

use std::sync::Arc;

use lawbook_diag::{Finding, Mode, Verdict};

use super::{GROUP_LINES_MAX, Grouped, RULE_GROUPS_MAX};

fn finding(rule: &str, tool: &str) -> Finding {
    Finding {
        rule: Arc::from(rule),
        kind: "confirm",
        verdict: Verdict::Deny,
        step: Some(1),
        step_id: Some("m1.c0".to_owned()),
        call_id: None,
        tool: Some(tool.to_owned()),
        path: None,
        message: "no".to_owned(),
        why: None,
        ran: true,
        layer: 0,
        mode: Mode::Enforce,
        waived: None,
        evidence: Vec::new(),
        evidence_total: 0,
    }
}

#[test]
fn rules_that_a_policy_states_for_each_tool_are_told_apart_by_tool() {
    let mut grouped = Grouped::default();
    for rule in ["confirm", "max-per-trace", "credit-cap"] {
        grouped.finding("s", 0, &finding(rule, "a"));
        grouped.finding("s", 0, &finding(rule, "b"));
    }
    let seen: Vec<String> = grouped
        .groups()
        .iter()
        .map(|it| format!("{} {} {}", it.rule, it.tool.as_deref().unwrap_or("-"), it.counted))
        .collect();
    let wanted =
        ["confirm a 1", "confirm b 1", "max-per-trace a 1", "max-per-trace b 1", "credit-cap - 2"];
    assert_eq!(seen, wanted);
}

#[test]
fn lines_past_the_bound_are_counted_and_sessions_count_once() {
    let (mut early, mut late) = (Grouped::default(), Grouped::default());
    for session in 0..7 {
        for _ in 0..3 {
            early.finding("s", session, &finding("cap", "a"));
            late.finding("s", session, &finding("cap", "a"));
        }
    }
    early.merge(late);
    let group = &early.groups()[0];
    assert_eq!((group.counted, group.sessions, group.lines.len()), (42, 14, GROUP_LINES_MAX));
    assert_eq!(group.more(), 32);
}

#[test]
fn groups_past_the_bound_are_counted_together() {
    let mut grouped = Grouped::default();
    for number in 0..RULE_GROUPS_MAX + 3 {
        grouped.finding("s", 0, &finding(&format!("r{number}"), "a"));
    }
    let mut later = Grouped::default();
    later.finding("s", 0, &finding("r0", "a"));
    later.finding("s", 0, &finding("new", "a"));
    later.finding("s", 0, &finding("new", "a"));
    grouped.merge(later);
    assert_eq!((grouped.groups().len(), grouped.others), (RULE_GROUPS_MAX, 5));
    assert_eq!(grouped.groups()[0].counted, 2);
}

#[test]
fn what_does_not_count_is_listed_apart() {
    let mut grouped = Grouped::default();
    grouped.finding("s", 0, &Finding { mode: Mode::Observe, ..finding("cap", "a") });
    let waived = Some(Arc::from("known"));
    grouped.finding("s", 0, &Finding { waived, ..finding("cap", "a") });
    let group = &grouped.groups()[0];
    assert_eq!((group.counted, group.listed_only, group.sessions), (0, 2, 0));
    let asides: Vec<&str> = group.lines.iter().map(|it| &*it.aside).collect();
    assert_eq!(asides, ["observed", "waived: known"]);
}
