//! What is allowed in a native policy and probably not meant.

use lawbook_diag::{Span, nearest};
use lawbook_rule::kinds::KINDS;
use lawbook_rule::params::{Fault, Field, Node, NodeEntry, Shape};
use lawbook_rule::{Name, NameMatch, ToolName, Tools};

use super::{parse, problem};
use crate::lint::Lint;

/// Parts of argument names that say who is meant; a model that writes them can write another.
const NAMING: &[&str] = &["id", "name", "email", "account", "customer", "user", "order"];

/// Looks through a native policy.
pub(crate) fn lint(source: &str, text: &str) -> Vec<Lint> {
    let Ok(root) = parse(source, text) else { return Vec::new() };
    let mut found = Found::default();
    found.missing_default(&root);
    let table: Vec<ToolName> = table(&root);
    for rule in root.get("rules").map(Node::items).unwrap_or_default() {
        for (entry, fields) in kinds(rule) {
            found.tools(&entry.value, fields, &table, is_forbidding(&entry.key));
            found.classes(&entry.value, fields);
            found.keys_of_caps(entry);
        }
    }
    found.life(&root);
    found.waivers(&root);
    found.told.sort_by_key(|(fault, _)| fault.span.start);
    let told = found.told.into_iter();
    told.map(|(fault, note)| Lint { problem: problem(source, text, fault), note }).collect()
}

#[derive(Default)]
struct Found {
    told: Vec<(Fault, bool)>,
}

fn table(root: &Node) -> Vec<ToolName> {
    let entries = root.get("tools").map(Node::entries).unwrap_or_default();
    entries.iter().map(|it| ToolName::new(it.key.as_str())).collect()
}

fn kinds(rule: &Node) -> impl Iterator<Item = (&NodeEntry, &'static [Field])> {
    rule.entries().iter().filter_map(|entry| {
        KINDS.iter().find(|it| it.name() == entry.key).map(|it| (entry, it.fields()))
    })
}

/// Whether a kind forbids what it names, so that a name that fits nothing fails open.
fn is_forbidding(kind: &str) -> bool {
    kind == "never"
}

impl Found {
    fn warn(&mut self, span: Span, code: &'static str, message: String, help: impl Into<String>) {
        self.told.push((Fault::new(span, code, message).help(help), false));
    }

    fn note(&mut self, span: Span, code: &'static str, message: String, help: impl Into<String>) {
        self.told.push((Fault::new(span, code, message).help(help), true));
    }

    fn missing_default(&mut self, root: &Node) {
        if root.get("default").is_none() {
            let names = |it: &Node| it.get("only_listed").is_some();
            if root.get("rules").map(Node::items).unwrap_or_default().iter().any(names) {
                return;
            }
            let at = root.entries().first().map_or(root.span, |it| it.key_span);
            self.warn(
                at,
                "no_default",
                "the policy does not say what becomes of tools that it does not list".to_owned(),
                "add `default: deny`, `default: ask` or `default: allow`",
            );
        }
    }

    /// Tools that the table does not list: in a rule such a name is probably misspelt.
    fn tools(&mut self, node: &Node, fields: &[Field], table: &[ToolName], forbids: bool) {
        if table.is_empty() {
            return;
        }
        for entry in node.entries() {
            let Some(field) = fields.iter().find(|it| it.name == entry.key) else { continue };
            match field.shape {
                Shape::Tools | Shape::Tool => self.names(&entry.value, table, forbids),
                Shape::Map(inner) => self.tools(&entry.value, inner, table, forbids),
                Shape::Entries(inner) => {
                    for item in entry.value.items() {
                        self.tools(item, inner, table, forbids);
                    }
                }
                _ => {}
            }
        }
    }

    fn names(&mut self, node: &Node, table: &[ToolName], forbids: bool) {
        let one = std::slice::from_ref(node);
        let items = if node.words().is_some() { one } else { node.items() };
        for item in items {
            let Some(text) = item.words() else { continue };
            if is_listed(text, table) {
                continue;
            }
            let help = match nearest(text, table.iter().map(ToolName::text)) {
                Some(meant) => format!("did you mean `{meant}`?"),
                None => "list it under `tools:`, with `{}` if there is no more to say".to_owned(),
            };
            if text.contains('*') && forbids {
                let message = format!("pattern `{text}` forbids none of the listed tools");
                self.warn(item.span, "matches_no_tool", message, help);
            } else {
                let message = format!("tool `{text}` is not in the table");
                self.warn(item.span, "unknown_tool", message, help);
            }
        }
    }

    /// A class with a whole word in it: somebody took `[^…]` for "anything but this word".
    fn classes(&mut self, node: &Node, fields: &[Field]) {
        for entry in node.entries() {
            let Some(field) = fields.iter().find(|it| it.name == entry.key) else { continue };
            match field.shape {
                Shape::Patterns => {
                    let one = std::slice::from_ref(&entry.value);
                    let items =
                        if entry.value.words().is_some() { one } else { entry.value.items() };
                    for item in items {
                        if let Some(class) = item.words().and_then(suspicious_class) {
                            let message =
                                format!("class `{class}` matches one character, not a word");
                            let help = "for anything but a word write `(?!word)`";
                            self.warn(item.span, "suspicious_class", message, help);
                        }
                    }
                }
                Shape::Entries(inner) => {
                    for item in entry.value.items() {
                        self.classes(item, inner);
                    }
                }
                _ => {}
            }
        }
    }

    /// A cap by the value of an argument holds for that value only.
    fn keys_of_caps(&mut self, rule: &NodeEntry) {
        let Some(per) = rule.value.get("per").filter(|_| rule.key == "at_most") else { return };
        let Some(arg) = per.words() else { return };
        if matches!(arg, "session" | "tool" | "turn" | "batch" | "agent") {
            return;
        }
        let last = arg.rsplit(['.', '_']).next().unwrap_or(arg).to_lowercase();
        if NAMING.contains(&last.as_str()) {
            self.note(
                per.span,
                "key_of_the_model",
                format!("the model writes `{arg}`, so it can start a new count with another value"),
                "hold the argument to the session with `arg_equals`, or cap the session as well",
            );
        }
    }

    /// Budgets and marks: what nothing charges or adds up, and what strangers could use up.
    fn life(&mut self, root: &Node) {
        let rules = root.get("rules").map(Node::items).unwrap_or_default();
        let kept = |kind: &str| {
            let in_rules = rules.iter().filter_map(move |it| it.get(kind));
            root.get(kind).into_iter().chain(in_rules).collect::<Vec<_>>()
        };
        let (budgets, scars) = (kept("budget"), kept("scars"));
        if budgets.is_empty() {
            for tool in root.get("tools").map(Node::entries).unwrap_or_default() {
                if let Some(cost) = tool.value.entries().iter().find(|it| it.key == "cost") {
                    let message = format!("nothing charges what `{}` costs", tool.key);
                    let help = "add `budget: {credits: …}`";
                    self.warn(cost.key_span, "cost_without_budget", message, help);
                }
            }
        }
        if scars.is_empty() {
            for mark in rules.iter().flat_map(|it| it.entries()).filter(|it| it.key == "scar") {
                let message = "nothing adds up the marks that this rule leaves".to_owned();
                let help = "add `scars: {limit: …}`";
                self.note(mark.key_span, "scar_without_limit", message, help);
            }
        }
        // A rule that holds calls to whom the session is for says that there are several of them.
        let of_session =
            |it: &Node| it.get("arg_equals").is_some_and(|it| it.get("session").is_some());
        if !rules.iter().any(of_session) {
            return;
        }
        for it in budgets.into_iter().chain(scars) {
            if matches!(it.get("per").and_then(Node::words), None | Some("agent")) {
                let message = "sessions are for different people here, and one of them can end the \
                               agent for all";
                let help = "count `per: session` or `per: subject`, or give each conversation an \
                            agent of its own";
                self.note(it.span, "shared_life", message.to_owned(), help);
            }
        }
    }

    fn waivers(&mut self, root: &Node) {
        for waiver in root.get("waivers").map(Node::items).unwrap_or_default() {
            if waiver.get("until").is_none() {
                let message = "the waiver has no end".to_owned();
                self.note(waiver.span, "endless_waiver", message, "add `until: DATE`");
            }
        }
    }
}

/// Whether a name in a rule can mean a tool of the table.
fn is_listed(text: &str, table: &[ToolName]) -> bool {
    let wanted = ToolName::new(text);
    let tools = Tools::Named(vec![wanted.clone()]);
    let covers = |tools: &Tools, it: &ToolName| {
        tools.covers(&Name { text: it.text(), skeleton: it.skeleton() }, NameMatch::Skeleton)
    };
    table.iter().any(|it| covers(&tools, it) || covers(&Tools::Named(vec![it.clone()]), &wanted))
}

/// A bracketed class that holds a word of four letters or more, which is not a range.
fn suspicious_class(pattern: &str) -> Option<&str> {
    let mut from = 0;
    while let Some(open) = pattern.get(from..)?.find('[') {
        let start = from.saturating_add(open);
        let escaped =
            pattern.get(..start)?.bytes().rev().take_while(|it| *it == b'\\').count() % 2 == 1;
        let inner = pattern.get(start.saturating_add(1)..)?;
        let close = inner.find(']')?;
        let class = inner.get(..close)?;
        if !escaped && !class.contains("[:") && !class.starts_with(':') && holds_word(class) {
            return pattern.get(start..start.saturating_add(close).saturating_add(2));
        }
        from = start.saturating_add(1);
    }
    None
}

fn holds_word(class: &str) -> bool {
    let mut letters = String::new();
    let mut longest = 0;
    for it in class.chars().chain(['-']) {
        if it.is_ascii_lowercase() || it.is_ascii_uppercase() {
            letters.push(it);
            continue;
        }
        let vowels = letters.chars().any(|it| "aeiouAEIOU".contains(it));
        if vowels {
            longest = longest.max(letters.len());
        }
        letters.clear();
    }
    longest >= 4
}

#[cfg(test)]
mod tests {
    use super::{lint, suspicious_class};

    /// A policy that nothing is said of, with more lines behind it.
    fn with(lines: &str) -> String {
        format!(
            "lawbook: 1\ndefault: deny\ntools: {{refund: {{access: write}}, lookup: {{}}}}\n{lines}"
        )
    }

    fn told(text: &str) -> Vec<String> {
        let show = |it: super::Lint| {
            let line = it.problem.line.unwrap();
            format!("{line} {}{}", it.problem.code, if it.note { " note" } else { "" })
        };
        lint("p", text).into_iter().map(show).collect()
    }

    #[test]
    fn what_is_probably_not_meant_is_told() {
        for (lines, found) in [
            ("", ""),
            ("rules:\n  - {id: a, never: {tools: [refund]}}\n", ""),
            ("rules:\n  - {id: a, never: {tools: [Refund, mcp__pay__refund]}}\n", ""),
            ("rules:\n  - {id: a, never: {tools: [refnd]}}\n", "5 unknown_tool"),
            ("rules:\n  - {id: a, never: {tools: ['db_*']}}\n", "5 matches_no_tool"),
            ("rules:\n  - {id: a, never: {tools: ['ref*']}}\n", ""),
            (
                "rules:\n  - {id: a, require_before: {tools: [refund], first: [lokup]}}\n",
                "5 unknown_tool",
            ),
            (
                "rules:\n  - {id: a, arg_equals: {arg: x, result: {tool: lokup, path: y}}}\n",
                "5 unknown_tool",
            ),
            (
                "rules:\n  - {id: a, arg_never_matches: {pattern: '.*@[^word.com$].*'}}\n",
                "5 suspicious_class",
            ),
            ("rules:\n  - {id: a, arg_never_matches: {pattern: '[^a-z0-9._-]'}}\n", ""),
            (
                "rules:\n  - {id: a, at_most: {tools: [refund], max: 1, per: customer_id}}\n",
                "5 key_of_the_model note",
            ),
            ("rules:\n  - {id: a, at_most: {tools: [refund], max: 1, per: reason}}\n", ""),
            ("waivers:\n  - {rule: only_listed, why: x, by: y}\n", "5 endless_waiver note"),
            (
                "rules:\n  - {id: a, scar: minor, never: {tools: [refund]}}\n",
                "5 scar_without_limit note",
            ),
            ("scars: {limit: 9}\nrules:\n  - {id: a, scar: minor, never: {tools: [refund]}}\n", ""),
            (
                "budget: {credits: 9}\nrules:\n  - {id: a, arg_equals: {tools: [refund], arg: who, session: user}}\n",
                "4 shared_life note",
            ),
            (
                "budget: {credits: 9, per: session}\nrules:\n  - {id: a, arg_equals: {tools: [refund], arg: who, session: user}}\n",
                "",
            ),
        ] {
            assert_eq!(told(&with(lines)).join(", "), found, "{lines}");
        }
        assert_eq!(told("lawbook: 1\nrules: [{id: a, never: {tools: [x]}}]\n"), ["1 no_default"]);
        let priced = "lawbook: 1\ndefault: deny\ntools: {refund: {cost: 3}}\n";
        assert_eq!(told(priced), ["3 cost_without_budget"]);
        assert_eq!(told(&format!("{priced}budget: {{credits: 9}}\n")), [""; 0]);
    }

    #[test]
    fn classes_with_words_are_suspicious() {
        for (pattern, class) in [
            ("[^ourcompany.com$]", Some("[^ourcompany.com$]")),
            ("[a-zA-Z0-9]+", None),
            ("[[:alpha:]]", None),
            ("\\[word\\]", None),
            ("(a|[^admin])", Some("[^admin]")),
            ("[", None),
        ] {
            assert_eq!(suspicious_class(pattern), class, "{pattern}");
        }
    }
}
