//! Edits of a native policy.

use lawbook_rule::kinds::KINDS;
use lawbook_rule::params::{Node, NodeEntry};

use super::change::{Change, Step, bare, list, map, narrowed, number, plain, raised, rule, text};
use super::{Cause, consent};
use crate::dialects::CONSENT;

/// The last part of paths of metadata that name a sort of session and not one session.
const SORTS: &[&str] = &["channel", "environment", "env", "region", "tier", "mode", "plan"];

/// The edits that could clear a finding.
pub fn edits(root: &Node, cause: &Cause<'_>) -> Vec<Change> {
    if cause.rule == "only_listed" {
        return listed(cause).into_iter().collect();
    }
    match rule(root, cause.rule) {
        Some((at, rule)) => of_rule(root, at, rule, cause),
        None => of_table(root, cause),
    }
}

/// Lists the tool with what it does.
fn listed(cause: &Cause<'_>) -> Option<Change> {
    let access = map([("access", text(cause.access.word()))]);
    Some(Change::set(way(["tools"]), cause.tool?, access))
}

/// The shorthands `TOOL.confirm` and `TOOL.max_calls`.
fn of_table(root: &Node, cause: &Cause<'_>) -> Vec<Change> {
    let Some((tool, shorthand)) = cause.rule.rsplit_once('.') else { return Vec::new() };
    let entry = root.get("tools").and_then(|it| it.get(tool)?.get(shorthand));
    let Some(entry) = entry else { return Vec::new() };
    let at = way(["tools", tool]);
    match shorthand {
        "confirm" => {
            let off = Change::set(at, "confirm", bare("false"));
            phrase(root, cause).into_iter().chain([off]).collect()
        }
        "max_calls" => {
            let numbers = raised(Some(entry), cause.calls);
            numbers.into_iter().map(|it| Change::set(at.clone(), "max_calls", it)).collect()
        }
        _ => Vec::new(),
    }
}

/// A rule of the list: its own parameter first, then fewer tools, then a condition.
fn of_rule(root: &Node, at: Vec<Step>, rule: &Node, cause: &Cause<'_>) -> Vec<Change> {
    let is_kind = |it: &&NodeEntry| KINDS.iter().any(|kind| kind.name() == it.key);
    let Some(kind) = rule.entries().iter().find(is_kind) else { return Vec::new() };
    let mut inside = at.clone();
    inside.push(Step::Key(kind.key.clone()));
    let params = &kind.value;
    let set = |key: &str, value: Node| Change::set(inside.clone(), key, value);
    let mut out = Vec::new();
    match kind.key.as_str() {
        "arg_range" => {
            for key in ["max", "min"].into_iter().filter(|it| params.get(it).is_some()) {
                out.extend(number(cause.value).map(|it| set(key, it)));
            }
        }
        "approval_above" => out.extend(number(cause.value).map(|it| set("max", it))),
        "arg_in" => {
            let mut values = inside.clone();
            values.push(Step::Key("values".to_owned()));
            out.extend(plain(cause.value).map(|it| Change::append(values, it)));
        }
        "at_most" => {
            out.extend(raised(params.get("max"), cause.calls).into_iter().map(|it| set("max", it)));
        }
        "confirm" => out.extend(phrase(root, cause)),
        "arg_equals" => {
            for (path, _) in cause.details.iter().filter(|it| is_value(&it.1, cause.value)) {
                out.extend(from_session(&at, rule, kind, path));
            }
        }
        _ => {}
    }
    out.extend(narrowed(&inside, params, cause.tool));
    out.extend(cause.details.iter().filter_map(|it| unless(&at, rule, it)));
    out
}

/// Takes the user's words for a yes. Without a list of its own a policy has the default one.
fn phrase(root: &Node, cause: &Cause<'_>) -> Option<Change> {
    let phrase = text(&consent::phrase(cause.words)?);
    Some(match root.get("consent").map(Node::items) {
        Some(items) if !items.is_empty() => Change::append(way(["consent"]), phrase),
        Some(_) => {
            let own = root.get("consent").cloned();
            Change::set(Vec::new(), "consent", list(own.into_iter().chain([phrase])))
        }
        None => {
            let default = CONSENT.iter().map(|it| text(it));
            Change::set(Vec::new(), "consent", list(default.chain([phrase])))
        }
    })
}

fn is_value(detail: &str, value: Option<&str>) -> bool {
    value.is_some_and(|it| it.trim_matches('"') == detail)
}

/// Compares with what the session says of itself, and no longer with a result.
fn from_session(at: &[Step], rule: &Node, kind: &NodeEntry, path: &str) -> Option<Change> {
    kind.value.get("result")?;
    let mut params = map([]);
    if let lawbook_rule::params::Form::Map(entries) = &mut params.form {
        let kept = kind.value.entries().iter().filter(|it| it.key != "result");
        entries.extend(kept.cloned());
        let session = text(&format!("session.metadata.{path}"));
        entries.push(NodeEntry {
            key: "session".to_owned(),
            key_span: kind.key_span,
            value: session,
        });
    }
    rule.get(&kind.key)?;
    Some(Change::set(at.to_vec(), &kind.key, params))
}

/// Leaves sessions of this sort out.
fn unless(at: &[Step], rule: &Node, (path, value): &(String, String)) -> Option<Change> {
    let last = path.rsplit('.').next().unwrap_or(path);
    let simple = |it: &str| it.chars().all(|c| c.is_alphanumeric() || "._- ".contains(c));
    if !SORTS.contains(&last) || !simple(path) || !simple(value) {
        return None;
    }
    let here = format!("session.metadata.{path} != \"{value}\"");
    let when = rule.get("when").and_then(Node::words);
    // A rule that looks at this place already speaks of such sessions on purpose.
    if when.is_some_and(|it| it.contains(&format!("metadata.{path}"))) {
        return None;
    }
    let when = match when {
        Some(when) => format!("({when}) and {here}"),
        None => here,
    };
    Some(Change::set(at.to_vec(), "when", text(&when)))
}

fn way<const N: usize>(keys: [&str; N]) -> Vec<Step> {
    keys.into_iter().map(|it| Step::Key(it.to_owned())).collect()
}
