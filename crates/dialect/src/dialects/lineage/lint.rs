//! What lineage takes in a policy without a word, and what is probably not meant by it.

use lawbook_diag::{Problem, place};
use lawbook_event::json::Value;
use lawbook_rule::Profile;

use super::document;
use super::read::Reader;
use crate::lint::Lint;

/// Tells what is allowed in a lineage policy and probably not meant: all that the strict reading
/// refuses, and numbers that leave nothing to do.
#[must_use]
pub(crate) fn lint(source: &str, text: &str) -> Vec<Lint> {
    let Ok(document) = document(source, text) else { return Vec::new() };
    let root = document.root();
    let problems = |profile| {
        let mut reader = Reader::new(source, text, profile);
        (reader.policy(root), reader.into_problems())
    };
    let (stated, refused) = problems(Profile::Compatible);
    if !refused.is_empty() {
        return Vec::new();
    }
    let (_, strict) = problems(Profile::Strict);
    let mut told: Vec<Lint> =
        strict.into_iter().map(|problem| Lint { problem, note: false }).collect();
    let mut warn = |at: Value<'_>, code: &'static str, message: String, help: &str, note: bool| {
        let (line, column) = place(text, at.offset());
        let problem = Problem::new(source, code, message).at(line, column).help(help);
        told.push(Lint { problem, note });
    };
    let Some(stated) = stated else { return told };
    if stated.tools.is_empty() && stated.default_rule.is_none() {
        let at = root.get("tools").unwrap_or(root);
        let message = "no tool is listed and there is no `default_rule`, so nothing may run";
        warn(at, "no_tools", message.to_owned(), "list the tools that the agent may call", false);
    }
    let rules = root.get("tools").into_iter().flat_map(Value::entries);
    let rules = rules.chain(root.get("default_rule").map(|it| ("default_rule", it)));
    for (name, at) in rules {
        let rule = if name == "default_rule" && stated.default_rule.is_some() {
            stated.default_rule.as_ref()
        } else {
            stated.tools.get(name)
        };
        let Some(rule) = rule else { continue };
        if rule.cost > stated.budget {
            let (cost, budget) = (rule.cost, stated.budget);
            let message =
                format!("`{name}` costs {cost} and the budget is {budget}: it never runs");
            warn(at, "never_affordable", message, "lower the cost or raise the budget", false);
        }
        if rule.max_calls == Some(0) {
            let message = format!("`{name}` may be called 0 times, and each try leaves a mark");
            warn(at, "no_calls", message, "take the tool off the list to forbid it", false);
        }
    }
    if let Some(rule) = &stated.default_rule
        && rule.max_calls.is_some()
        && let Some(at) = root.get("default_rule")
    {
        let message = "`max_calls` of `default_rule` counts for each name in lineage, so a new name \
                       gets fresh calls; the strict reading counts all of them together";
        warn(at, "caps_by_name", message.to_owned(), "list the tools that it is about", true);
    }
    told
}
