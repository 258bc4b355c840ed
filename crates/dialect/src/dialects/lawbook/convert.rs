//! Native policies in conversions: shorthands spelt out on the way in, written again on the way
//! out.

use std::collections::BTreeMap;

use lawbook_diag::{Problem, Verdict};
use lawbook_rule::Access;
use lawbook_rule::params::{Node, Scalar};

use super::fields::RULE;
use super::parse;
use crate::convert::{Carry, Sketch, Written};
use crate::draft::{Draft, DraftRule, DraftTool};

/// The id of the rule that `default` stands for.
pub(crate) const ONLY_LISTED: &str = "only_listed";

/// The id of the rule of the denied patterns.
const DENIED_PATTERNS: &str = "denied_patterns";

/// A native policy as rules.
pub(crate) fn read(source: &str, text: &str) -> Result<Sketch, Vec<Problem>> {
    let root = parse(source, text)?;
    let words = |key: &str| root.get(key).and_then(Node::words).map(str::to_owned);
    let texts = |key: &str| root.get(key).map(listed);
    let mut sketch = Sketch {
        draft: Draft {
            name: words("name"),
            owner: words("owner"),
            user_word: words("user_word"),
            consent: texts("consent").filter(|it| !it.is_empty()),
            not_covered: texts("not_covered").unwrap_or_default(),
            tools: root
                .get("tools")
                .map(Node::entries)
                .unwrap_or_default()
                .iter()
                .map(tool)
                .collect(),
            ..Draft::default()
        },
        ..Sketch::default()
    };
    let observes = words("mode").as_deref() == Some("observe");
    let denied = texts(DENIED_PATTERNS).unwrap_or_else(|| {
        super::lower::DENIED_PATTERNS.iter().map(|it| (*it).to_owned()).collect()
    });
    if !denied.is_empty() {
        let params = [("pattern", Node::texts(denied)), ("flags", Node::text("i"))];
        sketch.add(
            DENIED_PATTERNS,
            DraftRule::new(DENIED_PATTERNS, "arg_never_matches", params),
            vec![],
        );
    }
    if let Some(otherwise) = words("default").filter(|it| it != "allow") {
        let names = Node::texts(sketch.draft.tools.iter().map(|it| it.name.as_str()));
        let params = [("tools", names), ("otherwise", Node::text(otherwise))];
        sketch.add(ONLY_LISTED, DraftRule::new(ONLY_LISTED, ONLY_LISTED, params), vec![]);
    }
    shorthands(&root, &mut sketch);
    for rule in root.get("rules").map(Node::items).unwrap_or_default() {
        let read = written_rule(rule);
        sketch.add(&read.id.clone(), read, vec![]);
    }
    if observes {
        for rule in sketch.draft.rules.iter_mut().filter(|it| it.beside("mode").is_none()) {
            rule.beside.push(("mode".to_owned(), Node::text("observe")));
        }
    }
    if root.get("waivers").is_some_and(|it| !it.items().is_empty()) {
        sketch.notes.push("waivers are not carried over".to_owned());
    }
    Ok(sketch)
}

/// Texts of a list, or the one that stands alone.
fn listed(node: &Node) -> Vec<String> {
    let one = std::slice::from_ref(node);
    let items = if node.words().is_some() { one } else { node.items() };
    items.iter().filter_map(Node::words).map(str::to_owned).collect()
}

fn tool(entry: &lawbook_rule::params::NodeEntry) -> DraftTool {
    let access = match entry.value.get("access").and_then(Node::words) {
        Some("read") => Some(Access::Read),
        Some("write") => Some(Access::Write),
        _ => None,
    };
    let command = entry.value.get("command").and_then(Node::words).map(str::to_owned);
    DraftTool { name: entry.key.clone(), access, command }
}

fn shorthands(root: &Node, sketch: &mut Sketch) {
    for tool in root.get("tools").map(Node::entries).unwrap_or_default() {
        let names = || ("tools".to_owned(), Node::texts([tool.key.as_str()]));
        for entry in tool.value.entries() {
            let id = format!("{}.{}", tool.key, entry.key);
            let more: Vec<(String, Node)> = match (entry.key.as_str(), entry.value.scalar()) {
                ("confirm", Some(Scalar::Bool(true))) => Vec::new(),
                ("confirm", None) => entry
                    .value
                    .entries()
                    .iter()
                    .map(|it| (it.key.clone(), it.value.clone()))
                    .collect(),
                ("max_calls", Some(Scalar::Number(_))) => vec![
                    ("max".to_owned(), entry.value.clone()),
                    ("per".to_owned(), Node::text("session")),
                ],
                _ => continue,
            };
            let kind = if entry.key == "confirm" { "confirm" } else { "at_most" };
            let mut rule = DraftRule::new(id.as_str(), kind, []);
            rule.params = Node::map([names()].into_iter().chain(more));
            sketch.add(&id, rule, vec![]);
        }
    }
}

fn written_rule(node: &Node) -> DraftRule {
    let mut rule = DraftRule::new("", "", []);
    for entry in node.entries() {
        match entry.key.as_str() {
            "id" => rule.id = entry.value.words().unwrap_or_default().to_owned(),
            key if RULE.iter().any(|it| it.name == key) => {
                rule.beside.push((entry.key.clone(), entry.value.clone()));
            }
            _ => {
                rule.kind.clone_from(&entry.key);
                rule.params = entry.value.clone();
            }
        }
    }
    rule
}

/// Rules as a native policy.
pub(crate) fn write(sketch: &Sketch) -> Written {
    let mut carried = BTreeMap::new();
    let mut draft = Draft { rules: Vec::new(), ..sketch.draft.clone() };
    draft.denied_patterns = Some(Vec::new());
    draft.default = Some(Verdict::Allow);
    for rule in &sketch.draft.rules {
        let carry = Carry { into: vec![rule.id.clone()], differs: Vec::new() };
        carried.insert(rule.id.clone(), carry);
        if rule.id == DENIED_PATTERNS {
            draft.denied_patterns = rule.params.get("pattern").map(listed);
        } else if rule.id == ONLY_LISTED && rule.params.get("entries").is_none() {
            draft.default = Some(match rule.params.get("otherwise").and_then(Node::words) {
                Some("ask") => Verdict::Ask,
                _ => Verdict::Deny,
            });
        } else {
            draft.rules.push(rule.clone());
        }
    }
    Written { text: draft.text(), carried, notes: Vec::new() }
}
