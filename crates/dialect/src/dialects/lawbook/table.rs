//! The tools table, and the rules that its shorthands stand for.

use std::collections::BTreeMap;

use lawbook_diag::Mode;
use lawbook_event::Skeleton;
use lawbook_rule::kinds::{Cost, KINDS, cost};
use lawbook_rule::params::{Defaults, Fault, Form, Node, NodeEntry, Params, Scalar, Shape};
use lawbook_rule::{Access, Name, NameMatch, Rule, ToolName, Tools};

use super::fields::TOOL;
use super::lower;

/// The tools of the table, with what they do.
pub(super) fn tools(
    table: Option<&Node>,
    faults: &mut Vec<Fault>,
) -> BTreeMap<String, Option<Access>> {
    let mut tools = BTreeMap::new();
    let Some(table) = table else { return tools };
    if !matches!(table.form, Form::Map(_)) {
        let message = format!("`tools` must be a map of tool names, not {}", table.what());
        let fault = Fault::new(table.span, "wrong_shape", message);
        faults.push(fault.help("as in `tools: {refund: {access: write}, lookup: {access: read}}`"));
    }
    for entry in table.entries() {
        check(entry, faults);
        let access = match entry.value.get("access").and_then(Node::words) {
            Some("read") => Some(Access::Read),
            Some("write") => Some(Access::Write),
            _ => None,
        };
        tools.insert(entry.key.clone(), access);
    }
    tools
}

fn check(tool: &NodeEntry, faults: &mut Vec<Fault>) {
    if tool.key.trim().is_empty() {
        faults.push(Fault::new(tool.key_span, "wrong_shape", "a tool needs a name"));
    }
    // A name with nothing behind it lists the tool.
    if tool.value.scalar() == Some(Scalar::Null) {
        return;
    }
    if !matches!(tool.value.form, Form::Map(_)) {
        let message = format!("`{}` must be a map, not {}", tool.key, tool.value.what());
        let fault = Fault::new(tool.value.span, "wrong_shape", message);
        return faults.push(fault.help("write `{}` to list the tool and say no more of it"));
    }
    let known: Vec<&str> = TOOL.iter().map(|it| it.name).collect();
    for entry in tool.value.entries() {
        match TOOL.iter().find(|it| it.name == entry.key) {
            Some(field) => field.shape.check(field.name, &entry.value, faults),
            None => faults.push(Fault::unknown_key(entry, &format!("tool `{}`", tool.key), &known)),
        }
    }
}

/// The tools that run commands, with the argument that holds one.
pub(super) fn commands(table: Option<&Node>) -> BTreeMap<String, String> {
    let tools = table.map(Node::entries).unwrap_or_default();
    let command = |it: &NodeEntry| {
        Some((it.key.clone(), it.value.get("command").and_then(Node::words)?.to_owned()))
    };
    tools.iter().filter_map(command).collect()
}

/// What calls cost, by tool.
pub(super) fn costs(table: Option<&Node>) -> BTreeMap<String, Cost> {
    let tools = table.map(Node::entries).unwrap_or_default();
    let of = |it: &NodeEntry| Some((it.key.clone(), cost(it.value.get("cost")?)?));
    tools.iter().filter_map(of).collect()
}

/// Whether a rule over commands speaks of a tool, so that its shorthand is no rule of its own.
fn is_spoken_of(tool: &str, root: &Node) -> bool {
    let rules = root.get("rules").map(Node::items).unwrap_or_default();
    let skeleton = Skeleton::new(tool);
    let name = Name { text: tool, skeleton: &skeleton };
    rules.iter().filter_map(|it| it.get("command")).any(|command| {
        let Some(tools) = command.get("tools") else { return true };
        let one = std::slice::from_ref(tools);
        let items = if tools.words().is_some() { one } else { tools.items() };
        let names = items.iter().filter_map(Node::words).map(ToolName::new);
        Tools::Named(names.collect()).covers(&name, NameMatch::Skeleton)
    })
}

/// The rules `TOOL.confirm`, `TOOL.max_calls`, `TOOL.approval` and `TOOL.command`.
pub(super) fn shorthands(
    root: &Node,
    defaults: &Defaults,
    mode: Mode,
    rules: &mut Vec<Rule>,
    faults: &mut Vec<Fault>,
) {
    let table = root.get("tools");
    let defaults = &Defaults { confirmed: confirmed(table), ..defaults.clone() };
    for tool in table.map(Node::entries).unwrap_or_default() {
        for entry in tool.value.entries() {
            let (kind, params) = match (entry.key.as_str(), entry.value.scalar()) {
                ("confirm", Some(Scalar::Bool(true))) => ("confirm", Vec::new()),
                ("confirm", None) => ("confirm", entry.value.entries().to_vec()),
                ("approval", Some(Scalar::Bool(true))) => ("approval", Vec::new()),
                ("approval", None) => ("approval", entry.value.entries().to_vec()),
                // The calls of one tool, under all of its names, count together.
                ("max_calls", Some(Scalar::Number(_))) if is_whole(entry) => {
                    ("at_most", vec![renamed("max", entry), word("per", "session", entry)])
                }
                // Without rules of its own every command of the tool needs a yes.
                ("command", Some(_)) if !is_spoken_of(&tool.key, root) => {
                    ("command", vec![renamed("arg", entry)])
                }
                _ => continue,
            };
            let node = for_tool(tool, entry, params);
            let Some(kind) = KINDS.iter().find(|it| it.name() == kind) else { continue };
            let mut params = Params::new(&entry.key, &node, kind.fields(), defaults, faults);
            let id = format!("{}.{}", tool.key, entry.key);
            let verdict = kind.verdict();
            let body = kind.build(&mut params);
            rules.extend(body.map(|it| Rule { verdict, ..lower::rule(id, mode, it) }));
        }
    }
}

/// Whether a value has passed as a whole number; what has not has been told of.
fn is_whole(entry: &NodeEntry) -> bool {
    let mut told = Vec::new();
    Shape::Whole.check(&entry.key, &entry.value, &mut told);
    told.is_empty()
}

/// The tools whose calls spend the user's yes, so that one yes serves one call of the whole table.
fn confirmed(table: Option<&Node>) -> Vec<String> {
    let spends = |tool: &&NodeEntry| {
        let Some(confirm) = tool.value.get("confirm") else { return false };
        let spend = confirm.get("spend").and_then(Node::scalar);
        let by_user = confirm.get("by").is_none() && confirm.scalar() != Some(Scalar::Bool(false));
        by_user && spend != Some(Scalar::Bool(false))
    };
    let tools = table.map(Node::entries).unwrap_or_default();
    tools.iter().filter(spends).map(|it| it.key.clone()).collect()
}

/// The parameters of a shorthand, with the tool that it stands at.
fn for_tool(tool: &NodeEntry, shorthand: &NodeEntry, mut params: Vec<NodeEntry>) -> Node {
    let form = Form::Scalar { text: tool.key.clone(), quoted: true };
    params.push(NodeEntry {
        key: "tools".to_owned(),
        key_span: tool.key_span,
        value: Node { span: tool.key_span, form },
    });
    Node { span: shorthand.key_span, form: Form::Map(params) }
}

fn renamed(key: &str, entry: &NodeEntry) -> NodeEntry {
    NodeEntry { key: key.to_owned(), ..entry.clone() }
}

fn word(key: &str, text: &str, entry: &NodeEntry) -> NodeEntry {
    let form = Form::Scalar { text: text.to_owned(), quoted: true };
    let value = Node { span: entry.key_span, form };
    NodeEntry { key: key.to_owned(), key_span: entry.key_span, value }
}
