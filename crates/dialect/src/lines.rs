//! The line on which each rule of a policy file stands, as far as the file shows it.

use std::collections::BTreeMap;

use lawbook_rule::params::{Fault, Node};

use crate::dialects::tree;
use crate::load::{Options, open};

/// Rules that stand under a key of another name, by dialect.
const KEYS: &[(&str, &str, &str)] = &[
    ("lawbook", "only_listed", "default"),
    ("pmstack", "only-listed", "onlyListedTools"),
    ("lineage", "tool_not_allowed", "tools"),
    ("lineage", "insufficient_budget", "budget"),
    ("lineage", "rate_limited", "rate_limit"),
];

/// Rules that tools of the table state together, by dialect, with the key at the tool.
const AT_TOOLS: &[(&str, &str, &str)] = &[
    ("pmstack", "confirm", "confirm"),
    ("pmstack", "max-per-trace", "maxPerTrace"),
    ("lineage", "tool_call_limit", "max_calls"),
    ("lineage", "approval_required", "requires_approval"),
];

/// Dialects whose rules are texts and have no other id.
const TEXTS: &[&str] = &["claude_code", "opencode", "gemini_cli", "codesmith"];

/// The line of each rule, from 1, by the id that its findings have. What the file does not show is
/// not there.
#[must_use]
pub fn lines(source: &str, bytes: &[u8], options: &Options<'_>) -> BTreeMap<String, u32> {
    let mut lines = BTreeMap::new();
    let Ok((dialect, text)) = open(source, bytes, options) else { return lines };
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let Some(root) = root(dialect.name, text, &mut Vec::new()) else { return lines };
    let mut out = Lines { starts: starts(text), lines: &mut lines };
    out.by_key(&root);
    out.by_tool(&root, dialect.name);
    for (_, id, key) in KEYS.iter().filter(|it| it.0 == dialect.name) {
        if let Some(entry) = root.entries().iter().find(|it| it.key == *key) {
            out.add(id, entry.key_span.start);
        }
    }
    out.by_text(&root, TEXTS.contains(&dialect.name));
    lines
}

fn root(dialect: &str, text: &str, faults: &mut Vec<Fault>) -> Option<Node> {
    match dialect {
        "claude_code" | "opencode" => tree::read_jsonc(text, faults),
        "gemini_cli" | "codesmith" => tree::read_toml(text, faults),
        "exec_rules" => None,
        _ => tree::read(text, faults),
    }
}

/// Where each line begins.
fn starts(text: &str) -> Vec<usize> {
    let breaks = text.bytes().enumerate().filter(|it| it.1 == b'\n');
    std::iter::once(0).chain(breaks.map(|it| it.0.saturating_add(1))).collect()
}

struct Lines<'l> {
    starts: Vec<usize>,
    lines: &'l mut BTreeMap<String, u32>,
}

impl Lines<'_> {
    /// The first place of an id counts.
    fn add(&mut self, id: &str, offset: usize) {
        let line = self.starts.partition_point(|it| *it <= offset);
        let line = u32::try_from(line).unwrap_or(u32::MAX);
        self.lines.entry(id.to_owned()).or_insert(line);
    }

    /// Rules that have an id, and keys at the top with the places of their lists.
    fn by_key(&mut self, root: &Node) {
        for rule in root.get("rules").map(Node::items).unwrap_or_default() {
            if let Some(id) = rule.get("id").and_then(Node::words) {
                self.add(id, rule.span.start);
            }
        }
        for entry in root.entries() {
            self.add(&entry.key, entry.key_span.start);
            for (place, item) in entry.value.items().iter().enumerate() {
                self.add(&format!("{}[{place}]", entry.key), item.span.start);
            }
        }
    }

    /// What the table of tools states.
    fn by_tool(&mut self, root: &Node, dialect: &str) {
        for tool in root.get("tools").map(Node::entries).unwrap_or_default() {
            for entry in tool.value.entries() {
                self.add(&format!("{}.{}", tool.key, entry.key), entry.key_span.start);
                let named = AT_TOOLS.iter().filter(|it| it.0 == dialect && it.2 == entry.key);
                named.for_each(|it| self.add(it.1, entry.key_span.start));
            }
        }
    }

    /// Rules deeper in the file: by their `id`, and by their text where that is their id.
    fn by_text(&mut self, root: &Node, texts: bool) {
        let mut left = vec![root];
        while let Some(node) = left.pop() {
            if let Some(id) = node.get("id").and_then(Node::words) {
                self.add(id, node.span.start);
            }
            if let Some(text) = node.words().filter(|_| texts) {
                self.add(text, node.span.start);
            }
            for entry in node.entries().iter().rev() {
                if texts {
                    self.add(&entry.key, entry.key_span.start);
                }
                left.push(&entry.value);
            }
            left.extend(node.items().iter().rev());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::lines;
    use crate::Options;

    #[test]
    fn each_rule_has_the_line_on_which_its_file_states_it() {
        let native = "lawbook: 1\ndefault: deny\ntools:\n  pay:\n    confirm: true\nrules:\n  - id: cap\n    never: {tools: [x]}\n  - {id: two, never: {tools: [y]}}\n";
        let faultgate = "{\n\"allow\": [\"a\"],\n\"limits\": [\n{\"tool\": \"pay\", \"arg\": \"x\", \"max\": 1},\n{\"tool\": \"pay\", \"arg\": \"y\", \"max\": 1}]}";
        let claude = "{\n// ours\n\"permissions\": {\n\"deny\": [\n\"Bash(rm *)\"\n]}}";
        let gemini = "[[rule]]\ntoolName = \"x\"\ndecision = \"deny\"\npriority = 1\n";
        for (text, wanted) in [
            (native, &[("only_listed", 2), ("pay.confirm", 5), ("cap", 7), ("two", 9)][..]),
            (faultgate, &[("allow", 2), ("limits[0]", 4), ("limits[1]", 5)]),
            (claude, &[("Bash(rm *)", 5)]),
            (gemini, &[("x", 2)]),
            ("not a policy", &[]),
        ] {
            let found = lines("p", text.as_bytes(), &Options::default());
            for (id, line) in wanted {
                assert_eq!(found.get(*id), Some(line), "{id}: {found:?}");
            }
            assert_eq!(found.is_empty(), wanted.is_empty(), "{found:?}");
        }
    }
}
