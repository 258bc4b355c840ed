//! What pmstack takes in a policy without a word, and what is probably not meant by it.

use lawbook_diag::{Problem, nearest, place};
use lawbook_event::json::{Document, Grammar, Limits, Value};
use lawbook_event::{JAVASCRIPT, PatternUse, javascript_pattern};

use super::keys::{RULE, SOURCE, TOOL, TOP, Type, WHEN};
use super::read::{PROBLEMS_MAX, key_offset};
use super::rule::{flags, tool_names};
use super::shape::pattern_flags;
use super::{CONSENT, near};
use crate::lint::Lint;

/// Types that read one number and pass a call without it.
const LIMITS: [&str; 3] = ["approval-above", "arg-max", "arg-min"];

/// Questions that hold words of consent.
const QUESTIONS: [&str; 4] = [
    "before you do it, what does it cost?",
    "is that a yes?",
    "can you confirm the date?",
    "should we go ahead?",
];

/// Tells what is allowed in a pmstack policy and probably not meant.
#[must_use]
pub(crate) fn lint(source: &str, text: &str) -> Vec<Lint> {
    let Ok(document) = Document::parse(text, Grammar::Strict, &Limits::DEFAULT) else {
        return Vec::new();
    };
    let root = document.root();
    let mut linter = Linter { source, text, root, told: Vec::new() };
    if let Some((key, offset)) = document.duplicate_key() {
        let message = format!("`{key}` stands twice in one object; the last one counts");
        linter.tell(offset, "repeated_key", message, "keep one of them", false);
    }
    linter.top();
    linter.consent();
    linter.rules();
    linter.told.sort_by_key(|it| (it.problem.line, it.problem.column));
    linter.told
}

struct Linter<'t, 'd> {
    source: &'t str,
    text: &'t str,
    root: Value<'d>,
    told: Vec<Lint>,
}

impl<'d> Linter<'_, 'd> {
    fn tell(&mut self, offset: usize, code: &'static str, message: String, help: &str, note: bool) {
        if self.told.len() < PROBLEMS_MAX {
            let (line, column) = place(self.text, offset);
            let problem = Problem::new(self.source, code, message).at(line, column).help(help);
            self.told.push(Lint { problem, note });
        }
    }

    fn warn(&mut self, at: Value<'_>, code: &'static str, message: String, help: &str) {
        self.tell(at.offset(), code, message, help, false);
    }

    fn top(&mut self) {
        self.kept_keys(self.root, "the policy", TOP);
        let on = self.root.get("onlyListedTools").and_then(Value::as_bool) == Some(true);
        if !on {
            let message = "tools that the policy does not list may be called".to_owned();
            let help = "say `\"onlyListedTools\": true`";
            self.tell(self.root.offset(), "no_allowlist", message, help, true);
        }
        for (name, tool) in self.root.get("tools").into_iter().flat_map(Value::entries) {
            self.kept_keys(tool, &format!("tool `{name}`"), TOOL);
        }
    }

    /// Keys that pmstack keeps and nobody reads.
    fn kept_keys(&mut self, object: Value<'_>, inside: &str, known: &[&str]) {
        for (key, value) in object.entries() {
            if known.contains(&key) || near::meant(key, known).is_some() {
                continue;
            }
            let at = key_offset(self.text, key, value);
            let message = format!("`{key}` in {inside} is kept and means nothing");
            self.tell(at, "unread_key", message, "put remarks under `note`", true);
        }
    }

    fn consent(&mut self) {
        let own = self.root.get("confirmationPatterns");
        let Some(list) = own else {
            let asked = |it: &Value<'_>| it.get("confirm").and_then(Value::as_bool) == Some(true);
            let table = self.root.get("tools").into_iter().flat_map(Value::entries);
            let confirms = table.map(|it| it.1).any(|it| asked(&it));
            if confirms && CONSENT.iter().any(|it| question(it).is_some()) {
                let message = "the patterns that count as a yes where a policy names none match \
                               questions, too";
                let help = "name your own under `confirmationPatterns`, anchored by `^`";
                self.tell(self.root.offset(), "question_consents", message.to_owned(), help, true);
            }
            return;
        };
        if list.is_array() && list.is_empty() {
            let message = "no pattern counts as a yes, so no call can be confirmed".to_owned();
            self.warn(list, "no_consent", message, "name patterns, or take the key out");
        }
        for item in list.items() {
            let Some(source) = item.as_str() else { continue };
            if let Some(text) = question(source) {
                let message = format!("`{source}` is found in questions, as in `{text}`");
                let help = "anchor it, as in `^\\\\W*(yes|sure)\\\\b`";
                self.warn(item, "question_consents", message, help);
            }
        }
    }

    fn rules(&mut self) {
        let rules: Vec<Value<'d>> =
            self.root.get("rules").into_iter().flat_map(Value::items).collect();
        for rule in &rules {
            let Some(kind) = rule.get("type").and_then(Value::as_str).and_then(Type::named) else {
                continue;
            };
            let id = rule.get("id").and_then(Value::as_str).unwrap_or_default();
            let name = format!("rule `{id}`");
            self.keys(*rule, kind, &name);
            self.tools(*rule, kind, &name);
            self.pattern(*rule, kind, &name);
            if LIMITS.contains(&kind.name) {
                self.paired(*rule, &rules, &name);
            }
        }
    }

    fn keys(&mut self, rule: Value<'d>, kind: &Type, name: &str) {
        self.kept_keys(rule, name, RULE);
        for (inner, known) in [("when", WHEN), ("source", SOURCE)] {
            if let Some(object) = rule.get(inner) {
                self.kept_keys(object, &format!("`{inner}` of {name}"), known);
            }
        }
        let shared = ["id", "type", "tools", "why", "when", "note", "description"];
        let own: Vec<&str> = kind.keys().chain(shared).collect();
        for (key, value) in rule.entries().filter(|it| RULE.contains(&it.0)) {
            if !own.contains(&key) {
                let message = format!("`{key}` means nothing in {name}, a rule `{}`", kind.name);
                let at = key_offset(self.text, key, value);
                self.tell(at, "idle_key", message, "take it out, or write a rule for it", false);
            }
        }
        if let Some(access) = rule.get("access")
            && kind.name == "deny-access"
            && !matches!(access.as_str(), Some("read" | "write"))
        {
            let message = format!("`access` of {name} counts as `write`");
            self.warn(access, "odd_access", message, "write `read` or `write`");
        }
        let source = rule.get("source");
        let has = |key: &str| source.and_then(|it| it.get(key)).is_some();
        if let Some(source) = source.filter(|_| has("tool") && has("detail")) {
            let message = format!("`source` of {name} names both; the detail counts");
            self.warn(source, "two_sources", message, "keep one of them");
        }
    }

    fn tools(&mut self, rule: Value<'d>, kind: &Type, name: &str) {
        if let Some(tools) = rule.get("tools").filter(|it| it.is_array() && it.is_empty()) {
            let message = format!("`tools` of {name} is empty, so the rule covers no call");
            self.warn(tools, "no_tools", message, "name the tools, or take the rule out");
        }
        let Some(table) = self.root.get("tools").filter(|it| !it.is_empty()) else { return };
        if kind.name == "deny-tools" {
            return;
        }
        for it in tool_names(rule, kind) {
            let Some(tool) = it.as_str().filter(|it| table.get(it).is_none()) else { continue };
            let help = match nearest(tool, table.entries().map(|it| it.0)) {
                Some(near) => format!("did you mean `{near}`?"),
                None => "add it to `tools`, or take it out of the rule".to_owned(),
            };
            let message = format!("{name} names `{tool}`, which `tools` does not list");
            self.warn(it, "unlisted_tool", message, &help);
        }
    }

    fn pattern(&mut self, rule: Value<'d>, kind: &Type, name: &str) {
        if kind.name != "arg-not-match" {
            return;
        }
        let kept = flags(rule);
        let named = rule.get("flags").and_then(|it| Some((it, it.as_str()?)));
        if let Some((at, _)) = named.filter(|it| it.1 != kept) {
            let message = format!("of the `flags` of {name} only `{kept}` count");
            self.warn(at, "idle_flags", message, "`i`, `m`, `s` and `u` mean something");
        }
        let Some(pattern) = rule.get("pattern") else { return };
        let source = pattern.as_str().unwrap_or_default();
        let compiled = javascript_pattern(source, pattern_flags(&kept), PatternUse::Deny);
        if compiled.is_ok_and(|it| it.is_match("")) {
            let message =
                format!("`{source}` matches the empty text, so every call is objected to");
            self.warn(pattern, "matches_nothing", message, "leave nothing of it optional");
        }
    }

    /// A limit passes a call that leaves its argument out, or sends it under another name.
    fn paired(&mut self, rule: Value<'d>, rules: &[Value<'d>], name: &str) {
        let path = rule.get("argPath").and_then(Value::as_str);
        let covered = |other: &&Value<'_>| {
            let is = |key: &str, wanted| other.get(key).and_then(Value::as_str) == wanted;
            let theirs = other.get("tools").filter(|it| it.is_array());
            let ours = rule.get("tools").filter(|it| it.is_array());
            let covers = match (ours, theirs) {
                (_, None) => true,
                (None, Some(_)) => false,
                (Some(ours), Some(theirs)) => {
                    ours.items().all(|it| theirs.items().any(|other| other.as_str() == it.as_str()))
                }
            };
            is("type", Some("arg-required")) && is("argPath", path) && covers
        };
        let Some(at) = rule.get("argPath").filter(|_| !rules.iter().any(|it| covered(&it))) else {
            return;
        };
        let message = format!("{name} passes a call without `{}`", path.unwrap_or_default());
        let help = "add a rule `arg-required` for the same argument and tools";
        self.warn(at, "limit_without_required", message, help);
    }
}

/// A question in which a pattern that is to mean yes is found.
fn question(source: &str) -> Option<&'static str> {
    let pattern = JAVASCRIPT.pattern(source, true, PatternUse::Allow).ok()?;
    QUESTIONS.into_iter().find(|it| pattern.any_match(it, |found| !found.is_empty()))
}
