//! One permission of the map: a key, and a verdict or patterns with verdicts.

use std::sync::Arc;

use lawbook_diag::Verdict;
use lawbook_event::{EXACT, Path, PatternUse};
use lawbook_rule::kinds::{Entry, Wanted};
use lawbook_rule::params::{Form, Node, NodeEntry};
use lawbook_rule::{ToolName, Tools};
use lawbook_shell::Rule;

use super::pattern;
use crate::permissions::{Told, everything, glob};

/// The rules of a file, by what they speak of, in order.
#[derive(Debug, Default)]
pub(super) struct Lists {
    pub commands: Vec<Rule>,
    pub tools: Vec<Entry>,
    pub outside: Vec<Entry>,
}

/// What a pattern of a permission is compared with.
#[derive(Clone, Copy)]
enum Compared {
    /// A path.
    Files,
    /// The text of an argument.
    Text(&'static str),
    /// Nothing: the permission is one for all.
    Nothing,
}

/// The permissions that cover tools of other names, and what their patterns are compared with.
const KNOWN: &[(&str, &[&str], Compared)] = &[
    ("read", &["read"], Compared::Files),
    ("edit", &["edit", "write", "patch", "apply_patch", "multiedit"], Compared::Files),
    ("list", &["list"], Compared::Files),
    ("glob", &["glob"], Compared::Text("pattern")),
    ("grep", &["grep"], Compared::Text("pattern")),
    ("task", &["task"], Compared::Text("subagent_type")),
    ("skill", &["skill"], Compared::Text("name")),
    ("webfetch", &["webfetch"], Compared::Text("url")),
    ("websearch", &["websearch"], Compared::Text("query")),
    ("codesearch", &["codesearch"], Compared::Text("query")),
    ("todowrite", &["todowrite", "todoread"], Compared::Nothing),
    ("todoread", &["todoread"], Compared::Nothing),
    ("question", &["question"], Compared::Nothing),
    ("lsp", &["lsp"], Compared::Nothing),
];

/// The arguments in which opencode's tools hold a path.
const PATHS: &[&str] = &["filePath", "path", "file_path"];

/// What opencode does without a rule: environment files are not read, and other folders are asked
/// for.
pub(super) fn defaults(lists: &mut Lists) {
    for (text, verdict) in
        [("*.env", Verdict::Deny), ("*.env.*", Verdict::Deny), ("*.env.example", Verdict::Allow)]
    {
        let wants = pattern::file(text).map(|it| Wanted::File(paths(), it));
        let entry = |it| entry(&["read"], Some(it), verdict, format!("read: {text}"));
        lists.tools.extend(wants.ok().map(entry));
    }
    outside("*", Verdict::Ask, lists);
}

/// The verdict that a value names.
pub(super) fn verdict(node: &Node, told: &mut Told) -> Option<Verdict> {
    let verdict = match node.words() {
        Some("allow") => Verdict::Allow,
        Some("ask") => Verdict::Ask,
        Some("deny") => Verdict::Deny,
        other => {
            let shown = other.map_or(node.what().to_owned(), |it| format!("`{it}`"));
            let message = format!("{shown} is no permission");
            told.wrong(node, "wrong_value", message, "write allow, ask or deny");
            return None;
        }
    };
    Some(verdict)
}

/// One verdict for every tool.
pub(super) fn every_tool(text: &str, verdict: Verdict, lists: &mut Lists) {
    command(text, everything(), verdict, lists);
    lists.tools.push(entry(&["*"], None, verdict, text.to_owned()));
    outside("*", verdict, lists);
}

/// Reads one permission.
pub(super) fn read(found: &NodeEntry, lists: &mut Lists, told: &mut Told) {
    let key = found.key.as_str();
    let Form::Map(patterns) = &found.value.form else {
        if let Some(verdict) = verdict(&found.value, told) {
            whole(found, verdict, lists, told);
        }
        return;
    };
    for inner in patterns {
        let Some(verdict) = verdict(&inner.value, told) else { continue };
        let text = inner.key.as_str();
        let shown = format!("{key}: {text}");
        match key {
            "bash" => {
                let matcher = glob(text.trim(), true, shell(verdict));
                command(&shown, matcher, verdict, lists);
            }
            "external_directory" => outside(text, verdict, lists),
            "doom_loop" => doom_loop(inner, verdict, told),
            _ => patterned(key, inner, verdict, lists, told),
        }
    }
}

/// A permission without patterns.
fn whole(found: &NodeEntry, verdict: Verdict, lists: &mut Lists, told: &mut Told) {
    match found.key.as_str() {
        "*" => every_tool("*", verdict, lists),
        "bash" => command("bash", everything(), verdict, lists),
        "external_directory" => outside("*", verdict, lists),
        "doom_loop" => doom_loop(found, verdict, told),
        key => {
            let known = KNOWN.iter().find(|it| it.0 == key);
            let names = known.map_or(std::slice::from_ref(&key), |it| it.1);
            lists.tools.push(entry(names, None, verdict, key.to_owned()));
        }
    }
}

/// A pattern of a permission over what its tools are given.
fn patterned(key: &str, at: &NodeEntry, verdict: Verdict, lists: &mut Lists, told: &mut Told) {
    let known = KNOWN.iter().find(|it| it.0 == key);
    let names = known.map_or(std::slice::from_ref(&key), |it| it.1);
    let text = format!("{key}: {}", at.key);
    if at.key == "*" {
        return lists.tools.push(entry(names, None, verdict, text));
    }
    let what_for = if verdict == Verdict::Allow { PatternUse::Allow } else { PatternUse::Deny };
    let wants = match known.map(|it| it.2) {
        Some(Compared::Files) => pattern::file(&at.key).map(|it| Wanted::File(paths(), it)),
        Some(Compared::Text(arg)) => EXACT
            .pattern(&pattern::source(&at.key), false, what_for)
            .map(|it| Wanted::Text(Path::parse(arg), it)),
        Some(Compared::Nothing) | None => {
            let message = format!(
                "the pattern `{}` of `{key}`: what it is compared with is not known",
                at.key
            );
            let help = "write one verdict for the whole permission";
            if verdict == Verdict::Allow {
                told.warn(at.key_span, "not_carried", message, help);
            } else {
                told.not_carried(at.key_span, message, help);
            }
            return;
        }
    };
    match wants {
        Ok(wants) => lists.tools.push(entry(names, Some(wants), verdict, text)),
        Err(error) => {
            let message = format!("`{}` is no pattern: {error}", at.key);
            told.wrong_at(at.key_span, "wrong_value", message, "write it shorter");
        }
    }
}

fn doom_loop(at: &NodeEntry, verdict: Verdict, told: &mut Told) {
    let message = "`doom_loop`: the same call three times is not looked for";
    let help = "a native rule `at_most` caps how often a tool is called";
    match verdict {
        Verdict::Allow => {}
        Verdict::Ask | Verdict::Deny => told.not_carried(at.key_span, message, help),
    }
}

/// A rule over paths outside of the workspace.
fn outside(text: &str, verdict: Verdict, lists: &mut Lists) {
    let shown = format!("external_directory: {text}");
    let wanted = if text == "*" { pattern::anywhere() } else { pattern::folder(text) };
    let add = |it| entry(&["*"], Some(Wanted::File(paths(), it)), verdict, shown);
    lists.outside.extend(wanted.ok().map(add));
    // The workspace itself is never outside, so this stands behind every rule.
    lists.outside.retain(|it| it.text.is_some());
    let inside = pattern::workspace().map(|it| Wanted::File(paths(), it));
    let inside = inside.ok().map(|it| entry(&["*"], Some(it), Verdict::Allow, String::new()));
    lists.outside.extend(inside.map(|it| Entry { text: None, ..it }));
}

fn command(text: &str, matcher: lawbook_shell::Matcher, verdict: Verdict, lists: &mut Lists) {
    lists.commands.push(Rule { matcher, verdict: shell(verdict), text: text.to_owned() });
}

fn entry(names: &[&str], wants: Option<Wanted>, verdict: Verdict, text: String) -> Entry {
    let tools = Tools::Named(names.iter().map(|it| ToolName::new(*it)).collect());
    Entry { tools, wants, verdict, text: Some(Arc::from(text)) }
}

fn paths() -> Vec<Path> {
    PATHS.iter().map(|it| Path::parse(it)).collect()
}

fn shell(verdict: Verdict) -> lawbook_shell::Verdict {
    match verdict {
        Verdict::Allow => lawbook_shell::Verdict::Allow,
        Verdict::Ask => lawbook_shell::Verdict::Ask,
        Verdict::Deny => lawbook_shell::Verdict::Deny,
    }
}
