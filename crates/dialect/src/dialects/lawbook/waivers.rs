//! Waivers: findings that are taken out for a time, by somebody, for a reason.

use std::collections::BTreeMap;

use lawbook_diag::nearest;
use lawbook_rule::params::{Defaults, Fault, Form, Node, Params};
use lawbook_rule::{Policy, Waiver};

use super::fields::WAIVER;
use super::moment;

/// Lowers the list of waivers of a policy whose rules are known.
pub(super) fn lower(list: Option<&Node>, policy: &Policy, faults: &mut Vec<Fault>) -> Vec<Waiver> {
    let Some(list) = list else { return Vec::new() };
    if !matches!(list.form, Form::List(_)) {
        let message = format!("`waivers` must be a list, not {}", list.what());
        faults.push(Fault::new(list.span, "wrong_shape", message));
    }
    list.items().iter().filter_map(|it| waiver(it, policy, faults)).collect()
}

fn waiver(node: &Node, policy: &Policy, faults: &mut Vec<Fault>) -> Option<Waiver> {
    let defaults = Defaults::default();
    drop(Params::new("waiver", node, WAIVER, &defaults, faults));
    let words = |key: &str| node.get(key).and_then(Node::words);
    let (rule, why, by) = (words("rule"), words("why"), words("by"));
    let until = node.get("until").and_then(|it| Some((it, it.words()?)));
    let parsed = until.and_then(|(_, text)| moment::parse(text));
    if let Some((at, text)) = until
        && parsed.is_none()
    {
        let message = format!("`until` must be a date or a time, not `{text}`");
        let fault = Fault::new(at.span, "wrong_shape", message);
        faults.push(
            fault.help("as in `2027-01-31` (its first moment, UTC) or `2027-01-31T18:00:00Z`"),
        );
    }
    if let Some(rule) = rule
        && !policy.has_rule(rule)
    {
        let message = format!("no rule has the id `{rule}`, so the waiver takes out nothing");
        let fault =
            Fault::new(node.get("rule").map_or(node.span, |it| it.span), "unknown_rule", message);
        faults.push(match nearest(rule, policy.rules.iter().map(|it| &*it.id)) {
            Some(meant) => fault.help(format!("did you mean `{meant}`?")),
            None => fault,
        });
    }
    let members = node.get("match").map(Node::entries).unwrap_or_default();
    let matching: BTreeMap<String, String> = members
        .iter()
        .filter_map(|it| Some((it.key.clone(), it.value.words()?.to_owned())))
        .collect();
    Some(Waiver {
        rule: rule?.to_owned(),
        matching,
        why: why?.into(),
        by: by?.to_owned(),
        until: parsed,
    })
}
