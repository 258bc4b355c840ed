//! Whether a policy has the shapes that pmstack accepts. What it refuses is refused in both
//! profiles.

use std::collections::BTreeSet;

use lawbook_event::json::{Kind, Value};
use lawbook_event::{JAVASCRIPT, JavaScriptFlags, PatternUse, javascript_pattern};
use lawbook_rule::Profile;

use super::DERIVED;
use super::keys::{Must, RULE, SOURCE, TOOL, TOP, TYPES, Type, WHEN};
use super::read::Reader;
use super::rule::{flags, tool_names};

/// The format that this version reads.
const FORMAT: &str = "pmstack.policy/1";

/// Looks through a policy and tells everything that is wrong with it.
pub(super) fn check(reader: &mut Reader<'_>, root: Value<'_>, profile: Profile) {
    if !root.is_object() {
        return reader.wrong(root, "wrong_shape", "a policy must be an object");
    }
    reader.near_keys(root, "the policy", TOP);
    match root.get("format") {
        Some(format) if format.as_str() == Some(FORMAT) => {}
        Some(format) => {
            reader.wrong(format, "wrong_shape", format!("`format` must be `{FORMAT}`"));
        }
        None => reader.wrong(root, "missing_key", format!("`format` must be `{FORMAT}`")),
    }
    truth(reader, root, "onlyListedTools", "the policy");
    patterns(reader, root);
    tools(reader, root);
    let mut checker = Rules { reader, root, strict: profile != Profile::Compatible };
    checker.check();
}

fn truth(reader: &mut Reader<'_>, at: Value<'_>, key: &str, inside: &str) {
    if let Some(value) = at.get(key).filter(|it| it.as_bool().is_none()) {
        let message = format!("`{key}` in {inside} must be true or false");
        reader.wrong(value, "wrong_shape", message);
    }
}

fn patterns(reader: &mut Reader<'_>, root: Value<'_>) {
    let Some(list) = root.get("confirmationPatterns") else { return };
    if !list.is_array() {
        return reader.wrong(list, "wrong_shape", "`confirmationPatterns` must be a list");
    }
    for item in list.items() {
        let Some(source) = item.as_str() else {
            reader.wrong(item, "wrong_shape", "a confirmation pattern must be text");
            continue;
        };
        if let Err(error) = JAVASCRIPT.pattern(source, true, PatternUse::Allow) {
            let message = format!("confirmation pattern `{source}` does not compile: {error}");
            reader.wrong(item, "bad_pattern", message);
        }
    }
}

fn tools(reader: &mut Reader<'_>, root: Value<'_>) {
    let Some(tools) = root.get("tools") else { return };
    if !tools.is_object() {
        return reader.wrong(tools, "wrong_shape", "`tools` must be an object");
    }
    for (name, tool) in tools.entries() {
        if !tool.is_object() {
            reader.wrong(tool, "wrong_shape", format!("tool `{name}` must be an object"));
            continue;
        }
        let inside = format!("tool `{name}`");
        reader.near_keys(tool, &inside, TOOL);
        if let Some(access) = tool.get("access")
            && !matches!(access.as_str(), Some("read" | "write"))
        {
            let message = format!("`access` in {inside} must be `read` or `write`");
            reader.wrong(access, "wrong_shape", message);
        }
        truth(reader, tool, "confirm", &inside);
        if let Some(max) = tool.get("maxPerTrace").filter(|it| !is_whole(*it)) {
            let message = format!("`maxPerTrace` in {inside} must be a whole number >= 0");
            reader.wrong(max, "wrong_shape", message);
        }
    }
}

struct Rules<'r, 't, 'd> {
    reader: &'r mut Reader<'t>,
    root: Value<'d>,
    strict: bool,
}

impl<'d> Rules<'_, '_, 'd> {
    fn check(&mut self) {
        let Some(rules) = self.root.get("rules") else { return };
        if !rules.is_array() {
            return self.reader.wrong(rules, "wrong_shape", "`rules` must be a list");
        }
        let mut seen = BTreeSet::new();
        for (place, rule) in rules.items().enumerate() {
            let id = rule.get("id").and_then(Value::as_str).filter(|it| !is_blank(it));
            let name = match id {
                Some(id) => format!("rule `{id}`"),
                None => format!("rule #{}", place.saturating_add(1)),
            };
            if !rule.is_object() {
                self.reader.wrong(rule, "wrong_shape", format!("{name} must be an object"));
                continue;
            }
            match id {
                None => self.reader.wrong(rule, "missing_key", format!("{name} needs an `id`")),
                Some(id) if DERIVED.contains(&id) => {
                    let message = format!("the id `{id}` belongs to the rules of the tool table");
                    self.reader.wrong(rule, "reserved_id", message);
                }
                Some(id) if !seen.insert(id) => {
                    let message = format!("two rules have the id `{id}`");
                    self.reader.wrong(rule, "repeated_id", message);
                }
                Some(_) => {}
            }
            self.rule(rule, &name);
        }
    }

    fn rule(&mut self, rule: Value<'d>, name: &str) {
        let kind = rule.get("type").and_then(Value::as_str);
        let Some(kind) = kind.and_then(Type::named) else {
            let names: Vec<&str> = TYPES.iter().map(|it| it.name).collect();
            let at = rule.get("type").unwrap_or(rule);
            let help = format!("known types: {}", names.join(", "));
            return self.reader.wrong_with(
                at,
                "unknown_type",
                format!("{name} has no known `type`"),
                help,
            );
        };
        self.reader.near_keys(rule, name, RULE);
        self.tools(rule, kind, name);
        for must in kind.must {
            self.must(rule, *must, name);
        }
        self.when(rule, name);
        if let Some(why) = rule.get("why").filter(|it| it.as_str().is_none()) {
            self.reader.wrong(why, "wrong_shape", format!("`why` of {name} must be text"));
        }
        self.listed(rule, kind, name);
    }

    fn tools(&mut self, rule: Value<'d>, kind: &Type, name: &str) {
        let Some(tools) = rule.get("tools") else {
            if kind.must.contains(&Must::Tools) {
                self.reader.wrong(rule, "missing_key", format!("{name} needs `tools`"));
            }
            return;
        };
        let is_name = |it: Value<'_>| it.as_str().is_some_and(|it| !is_blank(it));
        let fits = tools.as_str() == Some("*") || (tools.is_array() && tools.items().all(is_name));
        if !fits {
            let message = format!("`tools` of {name} must be a list of tool names, or `\"*\"`");
            self.reader.wrong(tools, "wrong_shape", message);
        } else if self.strict && tools.is_array() && tools.is_empty() {
            let message = format!("`tools` of {name} is empty, so the rule covers no call");
            let help = "name the tools, or take the rule out; `compatible` accepts it";
            self.reader.wrong_with(tools, "no_tools", message, help);
        }
    }

    fn must(&mut self, rule: Value<'d>, must: Must, name: &str) {
        match must {
            Must::Tools => {}
            Must::Text(key) => self.one(rule, key, name, "text", is_text),
            Must::TextIfAny(key) => self.if_any(rule, key, name, "text", is_text),
            Must::Number(key) => self.one(rule, key, name, "a finite number", is_finite),
            Must::Whole(key) => self.one(rule, key, name, "a whole number >= 0", is_whole),
            Must::List(key) => {
                let filled = |it: Value<'_>| it.is_array() && !it.is_empty();
                self.one(rule, key, name, "a list that is not empty", filled);
            }
            Must::BoolIfAny(key) => {
                self.if_any(rule, key, name, "true or false", |it| it.as_bool().is_some());
            }
            Must::Pattern => self.pattern(rule, name),
            Must::Source => self.source(rule, name),
        }
    }

    fn one(
        &mut self,
        rule: Value<'d>,
        key: &str,
        name: &str,
        what: &str,
        fits: fn(Value<'_>) -> bool,
    ) {
        match rule.get(key) {
            None => self.reader.wrong(rule, "missing_key", format!("{name} needs `{key}`")),
            Some(_) => self.if_any(rule, key, name, what, fits),
        }
    }

    fn if_any(
        &mut self,
        rule: Value<'d>,
        key: &str,
        name: &str,
        what: &str,
        fits: fn(Value<'_>) -> bool,
    ) {
        if let Some(value) = rule.get(key).filter(|it| !fits(*it)) {
            let message = format!("`{key}` of {name} must be {what}");
            self.reader.wrong(value, "wrong_shape", message);
        }
    }

    fn pattern(&mut self, rule: Value<'d>, name: &str) {
        let Some(pattern) = rule.get("pattern") else {
            return self.reader.wrong(rule, "missing_key", format!("{name} needs `pattern`"));
        };
        let Some(source) = pattern.as_str().filter(|it| !it.is_empty()) else {
            let message = format!("`pattern` of {name} must be text");
            return self.reader.wrong(pattern, "wrong_shape", message);
        };
        let kept = flags(rule);
        let doubled = kept.char_indices().any(|(at, it)| kept.find(it) != Some(at));
        if doubled {
            let at = rule.get("flags").unwrap_or(rule);
            let message = format!("`flags` of {name} name one flag twice");
            return self.reader.wrong(at, "bad_pattern", message);
        }
        let compiled = javascript_pattern(source, pattern_flags(&kept), PatternUse::Deny);
        if let Err(error) = compiled {
            let message = format!("pattern `{source}` of {name} does not compile: {error}");
            self.reader.wrong(pattern, "bad_pattern", message);
        }
    }

    fn source(&mut self, rule: Value<'d>, name: &str) {
        let Some(source) = rule.get("source") else {
            return self.reader.wrong(rule, "missing_key", format!("{name} needs `source`"));
        };
        let has = |key: &str| source.get(key).is_some_and(is_text);
        if source.is_object() {
            self.reader.near_keys(source, &format!("`source` of {name}"), SOURCE);
        }
        if !(has("detail") || (has("tool") && has("path"))) {
            let message = format!("`source` of {name} needs `tool` and `path`, or `detail`");
            self.reader.wrong(source, "wrong_shape", message);
        }
    }

    fn when(&mut self, rule: Value<'d>, name: &str) {
        let Some(when) = rule.get("when") else { return };
        if !when.is_object() || !when.get("path").is_some_and(is_text) {
            let message = format!("`when` of {name} needs a `path`");
            self.reader.wrong(when, "wrong_shape", message);
        } else if when.get("equals").is_none() {
            let message = format!("`when` of {name} needs `equals`");
            self.reader.wrong(when, "missing_key", message);
        }
        if when.is_object() {
            self.reader.near_keys(when, &format!("`when` of {name}"), WHEN);
        }
    }

    /// With the allowlist on, every tool that a rule names must be on it.
    fn listed(&mut self, rule: Value<'d>, kind: &Type, name: &str) {
        let on = self.root.get("onlyListedTools").and_then(Value::as_bool) == Some(true);
        let Some(table) = self.root.get("tools").filter(|it| on && it.is_object()) else { return };
        if kind.name == "deny-tools" {
            return;
        }
        for it in tool_names(rule, kind) {
            let Some(tool) = it.as_str().filter(|it| table.get(it).is_none()) else { continue };
            let message = format!("{name} names the tool `{tool}`, which is not listed");
            let help = "add it to `tools`, or correct the name";
            self.reader.wrong_with(it, "unlisted_tool", message, help);
        }
    }
}

/// The flags of a pattern by their letters.
pub(super) fn pattern_flags(letters: &str) -> JavaScriptFlags {
    JavaScriptFlags {
        ignore_case: letters.contains('i'),
        multiline: letters.contains('m'),
        dot_all: letters.contains('s'),
        unicode: letters.contains('u'),
    }
}

fn is_blank(text: &str) -> bool {
    JAVASCRIPT.trim(text).is_empty()
}

fn is_text(value: Value<'_>) -> bool {
    value.as_str().is_some_and(|it| !is_blank(it))
}

fn is_finite(value: Value<'_>) -> bool {
    value.kind() == Kind::Number && value.raw().parse::<f64>().is_ok_and(f64::is_finite)
}

fn is_whole(value: Value<'_>) -> bool {
    let number = value.number_text().and_then(|it| it.parse::<f64>().ok());
    number.is_some_and(|it| it.is_finite() && it >= 0.0 && it.fract() == 0.0)
}
