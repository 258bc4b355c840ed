//! The policies that parity is held on: a rule of every kind, about what a session does.

use std::collections::BTreeMap;

use lawbook_event::{Event, What};
use serde_json::{Map, Value, json};

/// What a session does that rules can be about.
pub struct Seen {
    /// A tool: the first by name.
    first: String,
    /// Another, where there is one: the last by name.
    last: String,
    /// The argument that most calls have.
    key: String,
    /// The next most.
    other: String,
    /// A value that `key` has.
    value: Value,
    /// An attribute of the session.
    attribute: String,
}

impl Seen {
    /// Looks through the events of a session.
    pub fn of(events: &[Event<'_>]) -> Seen {
        let mut tools = Vec::new();
        let mut keys: BTreeMap<String, (usize, Value)> = BTreeMap::new();
        let mut attribute = None;
        for event in events {
            match &event.what {
                What::Start(start) => attribute = object(&start.attributes).keys().next().cloned(),
                What::Call(call) => {
                    tools.push(call.tool.to_string());
                    for (key, value) in object(&call.args.text) {
                        keys.entry(key).or_insert((0, value)).0 += 1;
                    }
                }
                _ => {}
            }
        }
        tools.retain(|it| !it.is_empty() && !it.contains('*'));
        tools.sort();
        let mut keys: Vec<_> = keys.into_iter().filter(|(key, _)| is_plain(key)).collect();
        keys.sort_by_key(|(_, (times, _))| std::cmp::Reverse(*times));
        let key = |place: usize| keys.get(place).map_or("id".to_string(), |it| it.0.clone());
        Seen {
            first: tools.first().cloned().unwrap_or("none".to_string()),
            last: tools.last().cloned().unwrap_or("none".to_string()),
            key: key(0),
            other: key(1),
            value: keys.first().map(|it| it.1.1.clone()).filter(is_scalar).unwrap_or(json!("x")),
            attribute: attribute.unwrap_or("enduser.id".to_string()),
        }
    }
}

fn object(text: &str) -> Map<String, Value> {
    serde_json::from_str(text).unwrap_or_default()
}

/// Whether a key is a path of one step.
fn is_plain(key: &str) -> bool {
    !key.is_empty() && key.chars().all(|it| it.is_ascii_alphanumeric() || it == '_')
}

fn is_scalar(value: &Value) -> bool {
    value.is_string() || value.is_number() || value.is_boolean()
}

/// A native policy.
pub fn native(seen: &Seen) -> String {
    let rules: Vec<Value> = [
        order(seen),
        caps(seen),
        words(seen),
        arguments(seen),
        typed(seen),
        tools(seen),
        life(seen),
    ]
    .into_iter()
    .flatten()
    .enumerate()
    .map(|(place, mut rule)| {
        rule["id"] = json!(format!("r{place}"));
        rule
    })
    .collect();
    json!({"lawbook": 1, "default": "allow", "rules": rules}).to_string()
}

/// What a recording can show of an agent's life: one session of it.
fn life(seen: &Seen) -> Vec<Value> {
    let Seen { first, last, key, .. } = seen;
    let costs = json!({first: 1, last: {"arg": key}});
    vec![
        json!({"approval": {"tools": [last], "above": {"amount": 1}}}),
        json!({"budget": {"credits": 3, "costs": costs, "per": "session"}}),
        json!({"scars": {"limit": 3, "per": "session"}}),
    ]
}

fn order(seen: &Seen) -> Vec<Value> {
    let Seen { first, last, key, .. } = seen;
    let said = json!([{"path": key, "exists": true}]);
    vec![
        json!({"require_before": {"tools": [last], "first": [first], "success": true}}),
        json!({"require_before": {"tools": [first], "first": [last], "latest": true}}),
        json!({"require_before": {"tools": [last], "first": [first], "voided_by": [last]}}),
        json!({"require_before": {"tools": [last], "first": [first], "result_contains": "a"}}),
        json!({"require_before": {"tools": [last], "first": [first], "result": said}}),
        json!({"require_before": {"tools": [last], "first": [first], "same_arg": key}}),
        json!({"require_before": {"tools": [last], "first": [first, last], "same_arg": key,
            "success": true, "latest": true, "voided_by": [first]}}),
    ]
}

fn caps(seen: &Seen) -> Vec<Value> {
    let Seen { first, last, key, .. } = seen;
    let value = format!("args.{key}");
    let mut rules = vec![
        json!({"at_most": {"tools": [first], "max": 2}}),
        json!({"at_most": {"tools": [first, last], "max": 3, "window": "60s"}}),
        json!({"at_most": {"max": 1, "per": value, "window": "5m", "successes": true}}),
        json!({"at_most": {"max": 1, "per": value, "exact": true}}),
    ];
    for per in ["session", "tool", "turn", "batch", &value] {
        for successes in [false, true] {
            rules.push(json!({"at_most": {"max": 1, "per": per, "successes": successes}}));
        }
    }
    rules
}

fn words(seen: &Seen) -> Vec<Value> {
    let Seen { first, last, key, .. } = seen;
    vec![
        json!({"confirm": {"tools": [last]}}),
        json!({"confirm": {"tools": [last], "bind": [key], "spend": false}}),
        json!({"confirm": {"tools": [last], "by": first}}),
        json!({"confirm": {"tools": [last], "by": first, "same_arg": key}}),
        json!({"confirm": {"tools": [first], "by": last, "same_arg": key, "spend": false}}),
        json!({"complete": {}}),
    ]
}

fn arguments(seen: &Seen) -> Vec<Value> {
    let Seen { first, last, key, other, value, attribute } = seen;
    let result = json!({"tool": first, "path": key});
    let shared = json!({"tool": first, "path": other, "same_arg": key});
    let inside = json!({"tool": first, "path": format!("[*].{key}")});
    vec![
        json!({"approval_above": {"tools": [last], "arg": key, "max": 1, "by": first}}),
        json!({"approval_above": {"tools": [last], "arg": other, "max": 1, "by": first,
            "bind": [key], "spend": false, "optional": true}}),
        json!({"arg_equals": {"arg": key, "session": attribute}}),
        json!({"arg_equals": {"tools": [last], "arg": key, "result": result}}),
        json!({"arg_equals": {"tools": [last], "arg": other, "result": shared}}),
        json!({"arg_equals": {"tools": [last], "arg": key, "result": inside, "optional": true}}),
        json!({"arg_range": {"arg": key, "min": 1, "max": 100}}),
        json!({"arg_range": {"tools": [last], "arg": other, "max": 10, "optional": true}}),
        json!({"arg_in": {"arg": key, "values": [value]}}),
        json!({"arg_required": {"tools": [first, last], "args": [key, other]}}),
        json!({"arg_size": {"max_chars": 40}}),
        json!({"arg_size": {"arg": key, "max_chars": 4}}),
        json!({"arg_never_matches": {"pattern": "[0-9]{4}"}}),
        json!({"arg_never_matches": {"arg": key, "pattern": "^[a-m]"}}),
    ]
}

/// Commands, paths and addresses: in known tools, and in whatever stands under the seen keys.
fn typed(seen: &Seen) -> Vec<Value> {
    let Seen { first, last, key, other, .. } = seen;
    vec![
        json!({"command": {"allow": ["git status", "ls"], "ask": ["git push"], "deny": ["rm -rf"]}}),
        json!({"command": {"tools": [first, last], "arg": key, "allow": [key], "default": "deny"}}),
        json!({"path_within": {"tools": [first, last], "arg": key, "roots": ["."]}}),
        json!({"host_in": {"tools": [first, last], "arg": other, "hosts": ["*.example.com"]}}),
        json!({"self_protect": {}}),
    ]
}

fn tools(seen: &Seen) -> Vec<Value> {
    let Seen { first, last, key, .. } = seen;
    let looks = json!({"tools": [last], "arg": key, "matches": "^[a-m]", "verdict": "ask"});
    let asks = json!({"tools": [last], "verdict": "allow"});
    vec![
        json!({"never": {"tools": [last]}}),
        json!({"only_listed": {"tools": [first]}}),
        json!({"only_listed": {"tools": [first], "entries": [looks, asks], "pick": "first"}}),
    ]
}

/// A policy of faultgate's with all its keys.
pub fn faultgate(seen: &Seen) -> String {
    let Seen { first, last, key, other, value, attribute } = seen;
    let said = json!([{"path": key, "exists": true}]);
    // Faultgate takes texts alone and compares an argument by its text.
    let text = value.as_str().map_or_else(|| value.to_string(), str::to_string);
    json!({
        "allow": [first],
        "max_calls": 3,
        "max_arg_chars": 40,
        "deny_patterns": ["[0-9]{4}"],
        "limits": [{"tool": last, "arg": key, "min": 1, "max": 100}],
        "identity": {"arg": key, "session_attr": attribute, "tools": [first, last]},
        "requires": [
            {"tool": last, "after": first, "success": true},
            {"tool": last, "after": [first, last], "same_arg": key, "result_contains": "a"},
            {"tool": first, "after": last, "success": true, "latest": true, "result": said,
             "invalidated_by": [first]},
        ],
        "max_calls_per_arg": [{"tools": [first, last], "arg": key, "max": 1}],
        "values": [{"tool": last, "arg": key, "allowed": [text]}],
        "required_args": [{"tool": last, "args": [key, other]}],
        "confirmation": {"tools": [last], "by": first, "same_arg": key},
        "require_complete": true,
    })
    .to_string()
}

/// A policy of pmstack's with a rule of every type.
pub fn pmstack(seen: &Seen) -> String {
    let Seen { first, last, key, other, value, attribute } = seen;
    let detail = format!("metadata.{attribute}");
    let result = json!({"tool": first, "path": key});
    let when = json!({"path": "metadata.channel", "equals": "sms"});
    let mut rules = [
        json!({"type": "only-listed", "when": when}),
        json!({"type": "deny-tools", "tools": [last], "when": {"path": "id", "equals": ""}}),
        json!({"type": "deny-access", "access": "write"}),
        json!({"type": "confirm", "tools": "*"}),
        json!({"type": "max-per-trace", "tools": [first, last], "max": 1}),
        json!({"type": "requires-before", "tools": "*", "before": first}),
        json!({"type": "approval-above", "argPath": key, "max": 1, "approvalTool": first}),
        json!({"type": "arg-max", "argPath": key, "max": 100}),
        json!({"type": "arg-min", "tools": [last], "argPath": format!("{other}.length"), "min": 1}),
        json!({"type": "arg-in", "argPath": key, "values": [value]}),
        json!({"type": "arg-not-match", "pattern": "\\d{4}", "luhn": true}),
        json!({"type": "arg-required", "tools": [first, last], "argPath": other}),
        json!({"type": "arg-equals", "argPath": key, "source": result}),
        json!({"type": "arg-equals", "argPath": key, "source": {"detail": detail}}),
    ];
    for (place, rule) in rules.iter_mut().enumerate() {
        rule["id"] = json!(format!("r{place}"));
    }
    let tool = json!({"confirm": true, "maxPerTrace": 1});
    json!({
        "format": "pmstack.policy/1",
        "onlyListedTools": true,
        "tools": {first: {}, last: tool},
        "rules": rules,
    })
    .to_string()
}

#[cfg(test)]
mod tests {
    use lawbook_rule::kinds::KINDS;

    use super::{Seen, faultgate, native, pmstack};
    use crate::peers::parity::loaded;

    #[test]
    fn every_kind_and_every_key_is_there() {
        let seen = Seen::of(&[]);
        let policy = native(&seen);
        for kind in KINDS {
            assert!(policy.contains(&format!("\"{}\":", kind.name())), "{}", kind.name());
        }
        loaded("lawbook", &policy).unwrap();
        loaded("pmstack", &pmstack(&seen)).unwrap();
        let policy = faultgate(&seen);
        loaded("faultgate", &policy).unwrap();
        for key in keys_of_the_page() {
            assert!(policy.contains(&format!("\"{key}\":")), "{key}");
        }
    }

    /// The keys that the page of the dialect lists.
    fn keys_of_the_page() -> Vec<String> {
        let repo = crate::repo::Repo::find().unwrap();
        let page = repo.text("crates/dialect/src/dialects/faultgate.md");
        let rows = page.lines().filter_map(|it| it.strip_prefix("| `"));
        rows.filter_map(|it| it.split('`').next()).map(str::to_string).collect()
    }
}
