//! From what a lineage policy states to rules, in the order of lineage's checks: the first that
//! objects is the answer.

use std::sync::Arc;

use lawbook_diag::{Mode, Verdict};
use lawbook_event::{EXACT, Reading, Severity, SuccessReading};
use lawbook_rule::kinds::{
    Approval, AtMost, Budget, Cost, Ends, LeavesOut, OnlyListed, Per, Prices, Scars, WEIGHTS,
};
use lawbook_rule::{
    Asks, Body, EvidenceFrom, Manner, NameMatch, OnUnknown, Pick, Policy, Profile, Report, Rule,
    Scope, Share, ToolName, Tools,
};

use super::read::{Stated, ToolRule};

/// The rules of a policy.
pub(super) fn policy(stated: &Stated, profile: Profile) -> Policy {
    let compatible = profile == Profile::Compatible;
    let names = if compatible { NameMatch::Exact } else { NameMatch::Skeleton };
    let mut rules = Vec::new();
    rules.extend(only_listed(stated));
    rules.extend(caps(stated, compatible));
    rules.extend(rate_limit(stated, compatible));
    rules.push(budget(stated, compatible));
    rules.extend(approvals(stated));
    let (tools, limit, per) = (Tools::Every, stated.scar_limit, Share::Agent);
    rules.push(rule("scar_limit", None, Scars { tools, limit, weights: WEIGHTS, per }));
    Policy {
        name: None,
        dialect: "lineage",
        profile,
        digest: String::new(),
        owner: None,
        not_covered: Vec::new(),
        reading: Reading::Full,
        manner: Manner {
            values: EXACT,
            success: SuccessReading::Declared,
            evidence: EvidenceFrom::Result,
            names,
        },
        pick: Pick::First,
        rules,
        waivers: Vec::new(),
        tools: stated.tools.keys().map(|it| (it.clone(), None)).collect(),
    }
}

fn rule(id: &str, scar: Option<Severity>, body: impl Body + 'static) -> Rule {
    Rule {
        id: Arc::from(id),
        why: None,
        tell: None,
        when: None,
        verdict: Verdict::Deny,
        mode: Mode::Enforce,
        on_unknown: OnUnknown::OwnVerdict,
        report: Report::Each,
        scar,
        body: Box::new(body),
    }
}

fn only_listed(stated: &Stated) -> Option<Rule> {
    if stated.default_rule.is_some() {
        return None;
    }
    let mut listed = OnlyListed::default();
    stated.tools.keys().for_each(|it| listed.allow(ToolName::literal(it.as_str())));
    Some(rule("tool_not_allowed", Some(Severity::Moderate), listed))
}

/// Every tool that is not listed by its very name.
fn unlisted(stated: &Stated) -> Tools {
    Tools::EveryBut(stated.tools.keys().map(|it| ToolName::literal(it.as_str())).collect())
}

/// The caps on calls. Those under the default rule count for each name; under strict for all of
/// them together, since new names are free.
fn caps(stated: &Stated, compatible: bool) -> Vec<Rule> {
    let listed = stated.tools.iter().filter_map(|(name, it)| {
        Some((Tools::literal([name.as_str()]), Per::Session, it.max_calls?))
    });
    let per = if compatible { Per::Tool } else { Per::Session };
    let default = stated.default_rule.as_ref().and_then(|it| it.max_calls);
    let others = default.map(|max| (unlisted(stated), per, max));
    let cap = |(tools, per, max): (Tools, Per, u64)| {
        let cap = AtMost { per, ..at_most(tools, max, None) };
        rule("tool_call_limit", Some(Severity::Minor), cap)
    };
    listed.chain(others).map(cap).collect()
}

#[allow(clippy::cast_precision_loss, reason = "no agent makes 2^53 calls")]
fn at_most(tools: Tools, max: u64, window_secs: Option<f64>) -> AtMost {
    AtMost {
        tools,
        max: max as f64,
        max_text: max.to_string(),
        per: Per::Session,
        exact: true,
        window_secs,
        leaves_out: LeavesOut::Nothing,
        closes: false,
        scope: Scope::Agent,
        front_only: false,
    }
}

/// Lineage's window: a length beyond half of the 64-bit numbers wraps around to a negative one.
#[allow(
    clippy::cast_precision_loss,
    clippy::cast_possible_wrap,
    reason = "lineage wraps, and no double tells such lengths apart"
)]
fn rate_limit(stated: &Stated, compatible: bool) -> Option<Rule> {
    let (max, window) = stated.rate_limit?;
    let limit = at_most(Tools::Every, u64::from(max), Some((window as i64) as f64));
    let limit = AtMost { front_only: compatible, ..limit };
    Some(rule("rate_limited", Some(Severity::Minor), limit))
}

fn budget(stated: &Stated, compatible: bool) -> Rule {
    let mut prices = Prices::otherwise(stated.default_rule.as_ref().map_or(0, |it| it.cost));
    for (name, it) in &stated.tools {
        prices.list(name, Cost::Fixed(it.cost));
    }
    let ends = if compatible { Ends::AtZero } else { Ends::ByPrice };
    let (tools, credits, per) = (Tools::Every, stated.budget, Share::Agent);
    rule("insufficient_budget", None, Budget { tools, credits, per, prices, ends })
}

fn approvals(stated: &Stated) -> Vec<Rule> {
    let needs = |it: &(&String, &ToolRule)| it.1.requires_approval;
    let names: Vec<&str> = stated.tools.iter().filter(needs).map(|it| it.0.as_str()).collect();
    let named = (!names.is_empty()).then(|| Tools::literal(names));
    let default = stated.default_rule.as_ref().filter(|it| it.requires_approval);
    let others = default.map(|_| unlisted(stated));
    let asks = Asks { people: 1, expires_secs: None, waiting_max: None };
    let approval = |tools| {
        let body = Approval { tools, above: Vec::new(), asks };
        Rule { verdict: Verdict::Ask, ..rule("approval_required", None, body) }
    };
    named.into_iter().chain(others).map(approval).collect()
}
