//! What Claude Code does without a rule: what it reads, what it edits, and commands that only read.

use lawbook_diag::Verdict;
use lawbook_rule::kinds::{Entry, Wanted};
use lawbook_shell::{Matcher, Prefix, Rule};

use super::Mode;
use super::files::{EDITORS, READERS, inside, workspace};
use super::rule::{Lists, tools};
use crate::permissions::regex;

/// Programs that only read.
const READ_ONLY: &[&str] = &[
    "ls", "cat", "echo", "pwd", "head", "tail", "grep", "find", "wc", "which", "diff", "stat",
    "du", "cd",
];

/// What git does without changing anything.
const GIT: &[&str] = &[
    "status",
    "log",
    "diff",
    "show",
    "blame",
    "rev-parse",
    "ls-files",
    "ls-tree",
    "cat-file",
    "describe",
    "shortlog",
    "grep",
    "merge-base",
    "rev-list",
    "branch",
    "tag",
    "remote",
    "reflog",
    "stash list",
    "config --get",
    "config --list",
];

/// Tools that ask nobody.
const SILENT: &[&str] = &[
    "Agent",
    "Task",
    "TodoWrite",
    "TodoRead",
    "AskUserQuestion",
    "BashOutput",
    "KillShell",
    "KillBash",
    "TaskCreate",
    "TaskGet",
    "TaskList",
    "TaskOutput",
    "TaskStop",
    "TaskUpdate",
    "ToolSearch",
    "EnterPlanMode",
    "ListMcpResourcesTool",
    "ReadMcpResourceTool",
    "LSP",
];

/// What `acceptEdits` lets run on paths below the working directory.
const FILE_COMMANDS: &str = r"\A(?:mkdir|touch|mv|cp)(?: (?:-[A-Za-z]+|[A-Za-z0-9_@+,=][A-Za-z0-9_@+,=.-]*(?:/[A-Za-z0-9_@+,=][A-Za-z0-9_@+,=.-]*)*/?))+\z";

/// Adds what needs no rule.
pub(super) fn add(mode: Mode, folders: &[String], lists: &mut Lists) {
    let plain = |text: &str, words: Vec<&str>| {
        let (options, words): (Vec<_>, Vec<_>) =
            words.into_iter().partition(|it| it.starts_with('-'));
        let words = words.into_iter().map(|it| vec![it.to_owned()]).collect();
        let options = options.into_iter().map(str::to_owned).collect();
        allowed(text, Matcher::Prefix(Prefix::new(words, options)))
    };
    lists.commands.extend(READ_ONLY.iter().map(|it| plain(it, vec![it])));
    let git = |it: &&str| {
        let text = format!("git {it}");
        plain(&text, text.split(' ').collect())
    };
    lists.commands.extend(GIT.iter().map(git));
    lists.tools.push(entry(SILENT, None));
    let here = || workspace().into_iter().chain(folders.iter().filter_map(|it| inside(it)));
    lists.tools.extend(here().map(|it| entry(READERS, Some(it))));
    if mode == Mode::AcceptEdits {
        lists.tools.extend(here().map(|it| entry(EDITORS, Some(it))));
        if let Ok(matcher) = regex(FILE_COMMANDS) {
            lists.commands.push(allowed("acceptEdits", matcher));
        }
    }
}

/// The folders in which a command may write.
pub(super) fn write_roots(mode: Mode, folders: &[String]) -> Vec<String> {
    match mode {
        Mode::AcceptEdits => [".".to_owned()].into_iter().chain(folders.iter().cloned()).collect(),
        Mode::Bypass => vec!["/".to_owned()],
        Mode::Default | Mode::Plan | Mode::DontAsk => Vec::new(),
    }
}

fn allowed(text: &str, matcher: Matcher) -> Rule {
    Rule { matcher, verdict: lawbook_shell::Verdict::Allow, text: text.to_owned() }
}

fn entry(names: &[&str], wants: Option<Wanted>) -> Entry {
    Entry { tools: tools(names.iter().copied()), wants, verdict: Verdict::Allow, text: None }
}
