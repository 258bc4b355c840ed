//! Edits of a faultgate policy.

use lawbook_rule::params::Node;

use super::Cause;
use super::change::{Change, Step, narrowed, number, plain, raised, text};

/// The edits that could clear a finding.
pub fn edits(root: &Node, cause: &Cause<'_>) -> Vec<Change> {
    let (key, place) = match cause.rule.strip_suffix(']').and_then(|it| it.split_once('[')) {
        Some((key, place)) => (key, place.parse::<usize>().ok()),
        None => (cause.rule, None),
    };
    let Some(node) = root.get(key) else { return Vec::new() };
    let mut at = vec![Step::Key(key.to_owned())];
    let entry = match place {
        Some(place) => {
            at.push(Step::Item(place));
            node.items().get(place)
        }
        None => Some(node),
    };
    let Some(entry) = entry else { return Vec::new() };
    let set = |key: &str, value: Node| Change::set(at.clone(), key, value);
    match key {
        "allow" => cause.tool.map(|it| Change::append(at.clone(), text(it))).into_iter().collect(),
        "limits" => {
            let bounds = ["max", "min"].into_iter().filter(|it| entry.get(it).is_some());
            bounds.filter_map(|it| Some(set(it, number(cause.value)?))).collect()
        }
        "values" => {
            at.push(Step::Key("allowed".to_owned()));
            plain(cause.value).map(|it| Change::append(at, it)).into_iter().collect()
        }
        "max_calls" => {
            let raised = raised(Some(entry), cause.calls).into_iter();
            raised.map(|it| Change::set(Vec::new(), "max_calls", it)).collect()
        }
        "max_calls_per_arg" => {
            raised(entry.get("max"), cause.calls).into_iter().map(|it| set("max", it)).collect()
        }
        "identity" | "confirmation" => narrowed(&at, entry, cause.tool).into_iter().collect(),
        _ => Vec::new(),
    }
}
