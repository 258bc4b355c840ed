//! A faultgate policy as native rules: one function for each of its keys.

use lawbook_diag::{Problem, Verdict};
use lawbook_rule::params::{Node, Scalar};

use super::super::{DENIED_PATTERNS, MORE_DENIED_PATTERNS};
use super::{reads_apart, texts};
use crate::convert::Sketch;
use crate::dialects::lawbook;
use crate::draft::{DraftRule, DraftTool};

/// What reads the value of a key.
type Reader = fn(&mut Sketch, &Node);

/// The keys in the order in which faultgate reports.
const KEYS: &[(&str, Reader)] = &[
    ("allow", allow),
    ("deny_patterns", deny_patterns),
    ("max_arg_chars", max_arg_chars),
    ("limits", limits),
    ("identity", identity),
    ("values", values),
    ("requires", requires),
    ("required_args", required_args),
    ("confirmation", confirmation),
    ("max_calls_per_arg", max_calls_per_arg),
    ("require_complete", require_complete),
    ("max_calls", max_calls),
];

/// A policy that loads, as native rules.
pub(crate) fn read(source: &str, text: &str) -> Result<Sketch, Vec<Problem>> {
    let root = lawbook::parse(source, text)?;
    let mut sketch = Sketch::default();
    sketch.draft.default = Some(Verdict::Allow);
    for (key, reader) in KEYS {
        match root.get(key) {
            Some(value) => reader(&mut sketch, value),
            None if *key == "deny_patterns" => default_patterns(&mut sketch),
            None => {}
        }
    }
    Ok(sketch)
}

fn allow(sketch: &mut Sketch, value: &Node) {
    let names = texts(Some(value));
    let differs = names
        .iter()
        .filter(|it| it.contains('*'))
        .map(|it| format!("`{it}` is one name in faultgate and a pattern here"));
    let differs = differs.collect();
    sketch.draft.tools = names
        .iter()
        .map(|it| DraftTool { name: (*it).to_owned(), ..DraftTool::default() })
        .collect();
    let params = [("tools", Node::texts(names)), ("otherwise", Node::text("deny"))];
    sketch.add("allow", DraftRule::new("only_listed", "only_listed", params), differs);
}

fn default_patterns(sketch: &mut Sketch) {
    let all = DENIED_PATTERNS.iter().chain(&MORE_DENIED_PATTERNS);
    denied(sketch, all.copied().collect());
}

fn deny_patterns(sketch: &mut Sketch, value: &Node) {
    let patterns = texts(Some(value));
    if patterns.is_empty() {
        return;
    }
    denied(sketch, patterns);
}

fn denied(sketch: &mut Sketch, patterns: Vec<&str>) {
    let differs = patterns.iter().filter_map(|it| reads_apart(it)).collect();
    let params = [("pattern", Node::texts(patterns)), ("flags", Node::text("i"))];
    let rule = DraftRule::new("denied_patterns", "arg_never_matches", params);
    sketch.add("deny_patterns", rule, differs);
}

fn max_arg_chars(sketch: &mut Sketch, value: &Node) {
    match whole(value) {
        Some(most) => {
            let rule =
                DraftRule::new("max_arg_chars", "arg_size", [("max_chars", Node::bare(most))]);
            sketch.add("max_arg_chars", rule, vec![]);
        }
        None => leave_number_out(sketch, "max_arg_chars", value),
    }
}

fn max_calls(sketch: &mut Sketch, value: &Node) {
    match whole(value) {
        Some(most) => {
            let params = [("max", Node::bare(most)), ("per", Node::text("session"))];
            sketch.add("max_calls", DraftRule::new("max_calls", "at_most", params), vec![]);
        }
        None => leave_number_out(sketch, "max_calls", value),
    }
}

fn leave_number_out(sketch: &mut Sketch, key: &str, value: &Node) {
    if value.scalar() != Some(Scalar::Null) {
        let text = value.words().unwrap_or_default();
        sketch.leave_out(key, format!("`{text}` is no whole number from 0 on"));
    }
}

/// The largest whole number that is not above a bound, as a native policy writes it.
fn whole(value: &Node) -> Option<String> {
    match value.scalar()? {
        Scalar::Bool(truth) => Some(u8::from(truth).to_string()),
        Scalar::Number(text) => {
            let bound: f64 = text.parse().ok()?;
            // Past fifteen digits a double no longer tells whole numbers apart.
            (0.0..1e15).contains(&bound).then(|| format!("{:.0}", bound.floor()))
        }
        Scalar::Null | Scalar::Unclear(_) | Scalar::Text(_) => None,
    }
}

fn limits(sketch: &mut Sketch, value: &Node) {
    for (place, at) in value.items().iter().enumerate() {
        let bounds = ["min", "max"].into_iter().filter_map(|it| Some((it, at.get(it)?.clone())));
        let params = [tools(at, "tool"), ("arg", argument(at))].into_iter().chain(bounds);
        add_at(sketch, "limits", place, DraftRule::new("", "arg_range", params), at);
    }
}

fn values(sketch: &mut Sketch, value: &Node) {
    for (place, at) in value.items().iter().enumerate() {
        let allowed = at.get("allowed").cloned().unwrap_or_else(|| Node::list([]));
        let params = [tools(at, "tool"), ("arg", argument(at)), ("values", allowed)];
        add_at(sketch, "values", place, DraftRule::new("", "arg_in", params), at);
    }
}

fn required_args(sketch: &mut Sketch, value: &Node) {
    for (place, at) in value.items().iter().enumerate() {
        let args = Node::texts(texts(at.get("args")));
        let rule = DraftRule::new("", "arg_required", [tools(at, "tool"), ("args", args)]);
        add_at(sketch, "required_args", place, rule, at);
    }
}

fn max_calls_per_arg(sketch: &mut Sketch, value: &Node) {
    for (place, at) in value.items().iter().enumerate() {
        let arg = at.get("arg").and_then(Node::words).unwrap_or_default();
        // Words that mean something else under `per` are arguments here.
        let is_word = ["session", "tool", "turn", "batch", "agent"].contains(&arg);
        let per = if is_word { format!("args.{arg}") } else { arg.to_owned() };
        let max = at.get("max").cloned().unwrap_or_else(|| Node::bare("1"));
        let params = [
            tools(at, "tools"),
            ("max", max),
            ("per", Node::text(per)),
            ("successes", Node::bare("true")),
        ];
        add_at(sketch, "max_calls_per_arg", place, DraftRule::new("", "at_most", params), at);
    }
}

fn requires(sketch: &mut Sketch, value: &Node) {
    for (place, at) in value.items().iter().enumerate() {
        let renamed = [
            ("result_contains", "result_contains"),
            ("result", "result"),
            ("same_arg", "same_arg"),
            ("latest", "latest"),
            ("invalidated_by", "voided_by"),
        ];
        let more = renamed.into_iter().filter_map(|(key, name)| Some((name, at.get(key)?.clone())));
        let first = ("first", Node::texts(texts(at.get("after"))));
        let params = [tools(at, "tool"), first].into_iter().chain(more);
        add_at(sketch, "requires", place, DraftRule::new("", "require_before", params), at);
    }
}

fn identity(sketch: &mut Sketch, at: &Node) {
    let attribute = at.get("session_attr").and_then(Node::words).unwrap_or("enduser.id");
    let named = at.get("tools").map(|_| tools(at, "tools"));
    let more = [("arg", argument(at)), ("session", Node::text(attribute))];
    let rule = DraftRule::new("identity", "arg_equals", named.into_iter().chain(more));
    if at.get("tools").is_some_and(|it| it.items().is_empty()) {
        return sketch.leave_out("identity", "it covers no tool");
    }
    let missing = format!("a session without `{attribute}` is unknown and not denied");
    sketch.add("identity", rule, [missing].into_iter().chain(stars(at)).collect());
}

fn confirmation(sketch: &mut Sketch, at: &Node) {
    if at.get("tools").is_some_and(|it| it.items().is_empty()) {
        return sketch.leave_out("confirmation", "it covers no tool");
    }
    let by = at.get("by").cloned().map(|it| ("by", it));
    let same = at.get("same_arg").cloned().map(|it| ("same_arg", it));
    let params = [tools(at, "tools")].into_iter().chain(by).chain(same);
    sketch.add("confirmation", DraftRule::new("confirmation", "confirm", params), stars(at));
}

fn require_complete(sketch: &mut Sketch, value: &Node) {
    if value.scalar() == Some(Scalar::Bool(true)) {
        let rule = DraftRule::new("require_complete", "complete", []);
        sketch.add("require_complete", rule, vec![]);
    }
}

/// Adds the rule at a place of a list.
fn add_at(sketch: &mut Sketch, key: &str, place: usize, rule: DraftRule, at: &Node) {
    let origin = format!("{key}[{place}]");
    if ["tool", "tools"].iter().any(|it| at.get(it).is_some_and(is_empty)) {
        return sketch.leave_out(&origin, "it covers no tool");
    }
    let rule = DraftRule { id: format!("{key}.{place}"), ..rule };
    sketch.add(&origin, rule, stars(at));
}

fn is_empty(node: &Node) -> bool {
    node.words().is_none_or(str::is_empty) && node.items().is_empty()
}

fn tools(at: &Node, key: &str) -> (&'static str, Node) {
    ("tools", Node::texts(texts(at.get(key))))
}

fn argument(at: &Node) -> Node {
    Node::text(at.get("arg").and_then(Node::words).unwrap_or_default())
}

/// What is a name in faultgate and a pattern here.
fn stars(at: &Node) -> Vec<String> {
    let keys = ["tool", "tools", "after", "by", "invalidated_by"];
    let names = keys.into_iter().flat_map(|it| texts(at.get(it)));
    let starred = names.filter(|it| it.contains('*'));
    starred.map(|it| format!("`{it}` is one name in faultgate and a pattern here")).collect()
}
