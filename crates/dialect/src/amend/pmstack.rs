//! Edits of a pmstack policy.

use lawbook_rule::params::Node;

use super::change::{Change, Step, bare, list, map, narrowed, number, plain, raised, rule, text};
use super::{Cause, consent};

/// What counts as a yes where a policy does not say.
const CONFIRMATION: &[&str] =
    &[r"\byes\b", r"\bconfirm", "go ahead", "please do", "sounds good", "do it", "that works"];

/// The edits that could clear a finding.
pub fn edits(root: &Node, cause: &Cause<'_>) -> Vec<Change> {
    let Some(tool) = cause.tool else { return Vec::new() };
    let table = || vec![Step::Key("tools".to_owned())];
    let entry = || vec![Step::Key("tools".to_owned()), Step::Key(tool.to_owned())];
    if let Some((at, rule)) = rule(root, cause.rule) {
        return of_rule(root, at, rule, cause);
    }
    match cause.rule {
        "only-listed" => {
            let access = map([("access", text(cause.access.word()))]);
            vec![Change::set(table(), tool, access)]
        }
        "confirm" => {
            let off = Change::set(entry(), "confirm", bare("false"));
            phrase(root, cause).into_iter().chain([off]).collect()
        }
        "max-per-trace" => {
            let max = root.get("tools").and_then(|it| it.get(tool)?.get("maxPerTrace"));
            let raised = raised(max, cause.calls).into_iter();
            raised.map(|it| Change::set(entry(), "maxPerTrace", it)).collect()
        }
        _ => Vec::new(),
    }
}

/// A written rule: its own field first, then fewer tools.
fn of_rule(root: &Node, at: Vec<Step>, rule: &Node, cause: &Cause<'_>) -> Vec<Change> {
    let set = |key: &str, value: Node| Change::set(at.clone(), key, value);
    let mut out = Vec::new();
    match rule.get("type").and_then(Node::words).unwrap_or_default() {
        "arg-max" | "approval-above" => out.extend(number(cause.value).map(|it| set("max", it))),
        "arg-min" => out.extend(number(cause.value).map(|it| set("min", it))),
        "max-per-trace" => {
            out.extend(raised(rule.get("max"), cause.calls).into_iter().map(|it| set("max", it)));
        }
        "arg-in" => {
            let mut values = at.clone();
            values.push(Step::Key("values".to_owned()));
            out.extend(plain(cause.value).map(|it| Change::append(values, it)));
        }
        "confirm" => out.extend(phrase(root, cause)),
        "arg-equals" if rule.get("source").is_some_and(|it| it.get("tool").is_some()) => {
            let same = |it: &&(String, String)| {
                cause.value.is_some_and(|value| value.trim_matches('"') == it.1)
            };
            for (path, _) in cause.details.iter().filter(same) {
                let detail = text(&format!("metadata.{path}"));
                out.push(set("source", map([("detail", detail)])));
            }
        }
        _ => {}
    }
    out.extend(narrowed(&at, rule, cause.tool));
    out
}

/// Takes the user's words for a yes.
fn phrase(root: &Node, cause: &Cause<'_>) -> Option<Change> {
    let phrase = text(&consent::phrase(cause.words)?);
    let at = vec![Step::Key("confirmationPatterns".to_owned())];
    Some(match root.get("confirmationPatterns") {
        Some(_) => Change::append(at, phrase),
        None => {
            let default = CONFIRMATION.iter().map(|it| text(it));
            Change::set(Vec::new(), "confirmationPatterns", list(default.chain([phrase])))
        }
    })
}
