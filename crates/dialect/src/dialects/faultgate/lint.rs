//! What faultgate takes in a policy without a word, and what is probably not meant by it.

use std::collections::BTreeSet;

use lawbook_diag::{Problem, nearest, place};
use lawbook_event::json::{Document, Grammar, Limits, Value};

use crate::lint::Lint;

/// Where the names of tools stand, beside `allow`: the key of a list of objects, and the key in
/// each of them.
const NAMES: [(&str, &str); 7] = [
    ("limits", "tool"),
    ("requires", "tool"),
    ("requires", "after"),
    ("requires", "invalidated_by"),
    ("values", "tool"),
    ("required_args", "tool"),
    ("max_calls_per_arg", "tools"),
];

/// Tells what is allowed in a faultgate policy and probably not meant.
#[must_use]
pub(crate) fn lint(source: &str, text: &str) -> Vec<Lint> {
    let Ok(document) = Document::parse(text, Grammar::Python, &Limits::DEFAULT) else {
        return Vec::new();
    };
    let root = document.root();
    let mut linter = Linter { source, text, told: Vec::new() };
    linter.allow(root);
    linter.repeated(&document);
    linter.empty_lists(root);
    linter.names(root);
    linter.told
}

struct Linter<'t> {
    source: &'t str,
    text: &'t str,
    told: Vec<Lint>,
}

impl Linter<'_> {
    fn warn(&mut self, offset: usize, code: &'static str, message: String, help: &str) {
        let (line, column) = place(self.text, offset);
        let problem = Problem::new(self.source, code, message).at(line, column).help(help);
        self.told.push(Lint { problem, note: false });
    }

    fn allow(&mut self, root: Value<'_>) {
        if let Some(allow) = root.get("allow").filter(|it| it.as_str().is_some()) {
            let message = "`allow` is a text, which stands for the list of its characters";
            self.warn(allow.offset(), "text_for_list", message.to_owned(), "write a list of names");
        }
    }

    fn repeated(&mut self, document: &Document<'_>) {
        if let Some((key, offset)) = document.duplicate_key() {
            let message = format!("`{key}` stands twice in one object; the last one counts");
            self.warn(offset, "repeated_key", message, "keep one of them");
        }
    }

    fn empty_lists(&mut self, root: Value<'_>) {
        let caps = root.get("max_calls_per_arg").into_iter().flat_map(|it| it.items());
        let rules = [root.get("identity"), root.get("confirmation")].into_iter().flatten();
        let lists: Vec<usize> = rules
            .chain(caps)
            .filter_map(|it| it.get("tools"))
            .filter(|it| it.is_array() && it.is_empty())
            .map(|it| it.offset())
            .collect();
        for offset in lists {
            let message = "`tools` is empty, so the rule covers no call".to_owned();
            self.warn(offset, "no_tools", message, "name the tools, or take the rule out");
        }
    }

    /// With an allow list, every tool that a rule names must be on it: a name beside it is either
    /// misspelt or a rule for a tool that may not be called.
    fn names(&mut self, root: Value<'_>) {
        let Some(allow) = root.get("allow").filter(|it| it.is_array()) else { return };
        let listed: BTreeSet<&str> = allow.items().filter_map(|it| it.as_str()).collect();
        let mut named: Vec<Value<'_>> = Vec::new();
        for (list, key) in NAMES {
            let items = root.get(list).into_iter().flat_map(|it| it.items());
            named.extend(items.filter_map(|it| it.get(key)));
        }
        for one in ["identity", "confirmation"] {
            let object = root.get(one);
            named
                .extend(["tools", "by"].iter().filter_map(|key| object.and_then(|it| it.get(key))));
        }
        for value in named {
            let texts: Vec<Value<'_>> =
                if value.is_array() { value.items().collect() } else { vec![value] };
            for it in texts {
                let Some(name) = it.as_str().filter(|name| !listed.contains(name)) else {
                    continue;
                };
                let help = match nearest(name, listed.iter().copied()) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => "add it to `allow`, or take the rule out".to_owned(),
                };
                let message = format!("`{name}` is not on the allow list");
                self.warn(it.offset(), "unlisted_tool", message, &help);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::lint;

    #[test]
    fn what_passes_in_silence_is_told() {
        for (policy, code) in [
            (r#"{"allow": "lookup"}"#, "text_for_list"),
            (r#"{"identity": {"arg": "a", "tools": []}}"#, "no_tools"),
            (r#"{"max_calls_per_arg": [{"tools": [], "arg": "a", "max": 1}]}"#, "no_tools"),
            (r#"{"max_calls": 1, "max_calls": 9}"#, "repeated_key"),
            (
                r#"{"allow": ["refund"], "limits": [{"tool": "refnd", "arg": "a", "max": 1}]}"#,
                "unlisted_tool",
            ),
        ] {
            let told: Vec<&str> =
                lint("policy.json", policy).iter().map(|it| it.problem.code).collect();
            assert_eq!(told, [code], "{policy}");
        }
        assert!(lint("policy.json", r#"{"allow": ["refund"], "max_calls": 3}"#).is_empty());
    }
}
