//! The dialect `gemini_cli`: the TOML policy of Gemini CLI, `[[rule]]` with priorities.

mod rule;

use lawbook_diag::Verdict;
use lawbook_rule::kinds::{Entry, OnlyListed, PickEntry};
use lawbook_rule::params::{Form, Node};
use lawbook_rule::{ToolName, Tools};
use lawbook_shell::{Pick, Rules};

use crate::dialects::tree;
use crate::permissions::{Permissions, Told, no_shells};
use rule::Lists;

/// The keys of a file.
pub(crate) const KEYS: &[&str] = &["rule", "safety_checker"];

/// Tools that ask nobody where no rule speaks of them.
const READERS: &[&str] = &[
    "read_file",
    "read_many_files",
    "list_directory",
    "glob",
    "search_file_content",
    "grep_search",
    "google_web_search",
    "write_todos",
    "get_internal_docs",
    "codebase_investigator",
    "activate_skill",
];

/// Reads a file.
pub(crate) fn read(text: &str, told: &mut Told) -> Option<Permissions> {
    let root = tree::read_toml(text, &mut told.faults)?;
    told.known_keys(&root, "the policy", KEYS);
    let mut rules = Vec::new();
    if let Some(list) = root.get("rule") {
        if !matches!(list.form, Form::List(_)) {
            let message = "`rule` must be a list of rules".to_owned();
            told.wrong(list, "wrong_shape", message, "write `[[rule]]` above each");
        }
        rules.extend(list.items().iter().filter_map(|it| rule::read(it, told)));
    }
    if let Some(list) = root.get("safety_checker") {
        let help = "write rules; a checker of Gemini CLI's own is not run here";
        told.not_carried(list.span, "`safety_checker`, which runs a check of its own", help);
    }
    // The highest priority decides, and of two with the same the one that stands first.
    rules.sort_by_key(|it: &rule::OneRule<'_>| std::cmp::Reverse(it.priority));
    let mut lists = Lists::default();
    rules.iter().for_each(|it| it.add(&mut lists, told));
    let names = READERS.iter().map(|it| ToolName::literal(*it)).collect();
    lists.tools.push(Entry {
        tools: Tools::Named(names),
        wants: None,
        verdict: Verdict::Allow,
        text: None,
    });
    let listed = OnlyListed {
        tools: no_shells(),
        entries: lists.tools,
        pick: PickEntry::First,
        otherwise: Verdict::Ask,
        ..OnlyListed::default()
    };
    let mut all = vec![("tools", listed)];
    if !lists.arguments.is_empty() {
        let (entries, otherwise) = (lists.arguments, Verdict::Allow);
        let list = OnlyListed { entries, otherwise, ..OnlyListed::default() };
        all.push(("arguments", list));
    }
    Some(Permissions {
        dialect: "gemini_cli",
        commands: Rules {
            entries: lists.commands,
            pick: Pick::First,
            otherwise: lawbook_shell::Verdict::Ask,
            ..Rules::default()
        },
        powershell: None,
        lists: all,
    })
}

/// The texts under a key that may hold one or several.
fn texts<'n>(node: &'n Node, key: &str, told: &mut Told) -> Vec<&'n str> {
    told.text_or_texts(node, key).into_iter().filter_map(Node::words).collect()
}
