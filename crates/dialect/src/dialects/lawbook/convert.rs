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
    life(&root, &mut sketch);
    for rule in root.get("rules").map(Node::items).unwrap_or_default() {
        let read = with_costs(written_rule(rule), costs(&root).as_ref());
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
                ("confirm" | "approval", None) => entry
                    .value
                    .entries()
                    .iter()
                    .map(|it| (it.key.clone(), it.value.clone()))
                    .collect(),
                ("approval", Some(Scalar::Bool(true))) => Vec::new(),
                ("max_calls", Some(Scalar::Number(_))) => vec![
                    ("max".to_owned(), entry.value.clone()),
                    ("per".to_owned(), Node::text("session")),
                ],
                _ => continue,
            };
            let kind = if entry.key == "max_calls" { "at_most" } else { entry.key.as_str() };
            let mut rule = DraftRule::new(id.as_str(), kind, []);
            rule.params = Node::map([names()].into_iter().chain(more));
            sketch.add(&id, rule, vec![]);
        }
    }
}

/// The rules `budget`, `scars` and `rate_limit`.
fn life(root: &Node, sketch: &mut Sketch) {
    let costs = costs(root);
    for (key, kind) in [("budget", "budget"), ("scars", "scars"), ("rate_limit", "at_most")] {
        let Some(node) = root.get(key) else { continue };
        let renamed = |it: &str| if it == "max_calls" { "max".to_owned() } else { it.to_owned() };
        let entries = node.entries().iter().map(|it| (renamed(&it.key), it.value.clone()));
        let per = (key == "rate_limit").then(|| ("per".to_owned(), Node::text("agent")));
        let costs = costs.clone().filter(|_| key == "budget");
        let mut rule = DraftRule::new(key, kind, []);
        rule.params = Node::map(entries.chain(per).chain(costs.map(|it| ("costs".to_owned(), it))));
        sketch.add(key, rule, vec![]);
    }
}

/// What the table says that calls cost.
fn costs(root: &Node) -> Option<Node> {
    let tools = root.get("tools").map(Node::entries).unwrap_or_default();
    let cost = |it: &lawbook_rule::params::NodeEntry| {
        Some((it.key.clone(), it.value.get("cost")?.clone()))
    };
    let costs: Vec<(String, Node)> = tools.iter().filter_map(cost).collect();
    (!costs.is_empty()).then(|| Node::map(costs))
}

/// A rule with the costs of the table before its own.
fn with_costs(mut rule: DraftRule, table: Option<&Node>) -> DraftRule {
    let Some(table) = table.filter(|_| rule.kind == "budget") else { return rule };
    let own = rule.params.get("costs").map(Node::entries).unwrap_or_default();
    let named = |it: &str| own.iter().any(|entry| entry.key == it);
    let pair = |it: &lawbook_rule::params::NodeEntry| (it.key.clone(), it.value.clone());
    let others = table.entries().iter().filter(|it| !named(&it.key)).map(pair);
    let costs: Vec<(String, Node)> = own.iter().map(pair).chain(others).collect();
    let rest = rule.params.entries().iter().filter(|it| it.key != "costs").map(pair);
    let all = rest.chain([("costs".to_owned(), Node::map(costs))]);
    rule.params = Node::map(all.collect::<Vec<_>>());
    rule
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
