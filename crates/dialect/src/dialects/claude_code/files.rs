//! Rules over files: `Read(pattern)` and `Edit(pattern)`, written as in `.gitignore`.

use lawbook_event::Path;
use lawbook_rule::kinds::Wanted;
use lawbook_rule::params::Node;
use lawbook_rule::{Anchor, FileGlob, GlobStyle};

use super::rule::{Lists, Written};
use crate::permissions::{Told, regex};

/// The tools that read files.
pub(super) const READERS: &[&str] = &["Read", "NotebookRead", "Grep", "Glob", "LS"];

/// The tools that edit files.
pub(super) const EDITORS: &[&str] = &["Edit", "MultiEdit", "Write", "NotebookEdit"];

/// Programs that read the files they are given.
const READING: &str = "cat|bat|tac|nl|head|tail|less|more|grep|egrep|fgrep|rg|ag|sed|awk|gawk|cut|\
                       sort|uniq|wc|strings|xxd|od|hexdump|base64|diff|cmp|jq|cp|mv|scp|rsync|tar|\
                       zip|dd|vi|vim|nano|source|\\.";

/// Programs that write the files they are given.
const WRITING: &str = "tee|sed|cp|mv|rm|ln|dd|touch|truncate|install|chmod|chown|patch|rsync|vi|vim|\
                       nano|unlink|shred";

/// Where tools of files hold their paths.
fn arguments() -> Vec<Path> {
    ["file_path", "path", "notebook_path"].iter().map(|it| Path::parse(it)).collect()
}

/// Reads a rule over files.
pub(super) fn rule(rule: &Written<'_>, pattern: &str, lists: &mut Lists, told: &mut Told) {
    let Some(glob) = glob(rule, pattern, told) else { return };
    let wants = Wanted::File(arguments(), glob);
    match rule.tool() {
        // What may not be read may not be edited either.
        "Read" if rule.does_forbid() => {
            rule.put(&[READERS, &["Edit", "MultiEdit"]].concat(), wants, lists);
        }
        "Read" => rule.put(READERS, wants, lists),
        "Edit" => rule.put(EDITORS, wants, lists),
        tool => rule.put(&[tool], wants, lists),
    }
    let programs = match rule.tool() {
        "Read" => READING,
        "Edit" => WRITING,
        _ => return,
    };
    if rule.does_forbid()
        && let Ok(matcher) = regex(&on_commands(programs, pattern))
    {
        rule.put_command(matcher, lists);
    }
}

fn glob(rule: &Written<'_>, pattern: &str, told: &mut Told) -> Option<FileGlob> {
    if pattern.starts_with('!') {
        let message = format!("`{pattern}` takes back what another rule says");
        rule.wrong(told, message, "write a rule that says what is meant without `!`");
        return None;
    }
    let (anchor, rest) = anchored(pattern);
    match FileGlob::new(&rest, anchor, GlobStyle::Ignore) {
        Ok(glob) => Some(glob),
        Err(error) => {
            let message = format!("`{pattern}` is no pattern over files: {error}");
            rule.wrong(told, message, "write it as in `.gitignore`");
            None
        }
    }
}

/// The folder that a pattern starts from, and the rest of it.
fn anchored(pattern: &str) -> (Anchor, String) {
    if let Some(rest) = pattern.strip_prefix("//") {
        (Anchor::Root, format!("/{rest}"))
    } else if let Some(rest) = pattern.strip_prefix("~/") {
        (Anchor::Home, format!("/{rest}"))
    } else if pattern.starts_with('/') {
        (Anchor::Workspace, pattern.to_owned())
    } else {
        (Anchor::Here, pattern.strip_prefix("./").map_or(pattern.to_owned(), |it| format!("/{it}")))
    }
}

/// Commands that are given such a file, as far as their text tells.
fn on_commands(programs: &str, pattern: &str) -> String {
    let (anchor, rest) = anchored(pattern);
    let rest = rest.trim_start_matches('/').trim_end_matches('/');
    let mut file = String::new();
    let mut chars = rest.chars().peekable();
    while let Some(it) = chars.next() {
        match it {
            '*' if chars.peek() == Some(&'*') => {
                while chars.next_if(|it| *it == '*' || *it == '/').is_some() {}
                file.push_str("[^ ]*");
            }
            '*' => file.push_str("[^ /]*"),
            '?' => file.push_str("[^ /]"),
            it if it.is_ascii_punctuation() && !matches!(it, '_' | '-' | '/') => {
                file.push('\\');
                file.push(it);
            }
            it => file.push(it),
        }
    }
    // In front of the file stands the start of a word, and folders on the way to it.
    let front = match anchor {
        Anchor::Root => "(?:^|[ =@:])/",
        Anchor::Home => "(?:^|[ =@:])(?:~|\\$\\{?HOME\\}?|/root|/(?:home|Users)/[^/ ]+)/",
        Anchor::Here | Anchor::Workspace => "(?:^|[ =@:])(?:[^ ]*/)?",
    };
    format!(r"(?i)\A(?:{programs})\b.*{front}{file}(?:[/ ]|\z)")
}

/// The folders beside the workspace.
pub(super) fn folders(permissions: &Node, told: &mut Told) -> Vec<String> {
    let texts = told.texts(permissions, "additionalDirectories");
    let texts = texts.into_iter().filter_map(Node::words).map(str::trim);
    texts.map(|it| it.trim_end_matches('/').to_owned()).filter(|it| !it.is_empty()).collect()
}

/// What stands in one of these folders, as tools of files hold it.
pub(super) fn inside(folder: &str) -> Option<Wanted> {
    let (anchor, rest) = if let Some(rest) = folder.strip_prefix("~/") {
        (Anchor::Home, rest)
    } else if let Some(rest) = folder.strip_prefix('/') {
        (Anchor::Root, rest)
    } else {
        (Anchor::Workspace, folder)
    };
    let literal: String = rest.chars().flat_map(escaped).collect();
    let glob = FileGlob::new(&format!("/{literal}"), anchor, GlobStyle::Ignore).ok()?;
    Some(Wanted::File(arguments(), glob))
}

/// What stands in the workspace.
pub(super) fn workspace() -> Option<Wanted> {
    let glob = FileGlob::new("/**", Anchor::Workspace, GlobStyle::Ignore).ok()?;
    Some(Wanted::File(arguments(), glob))
}

fn escaped(it: char) -> impl Iterator<Item = char> {
    let slash = matches!(it, '*' | '?' | '[' | '\\').then_some('\\');
    slash.into_iter().chain([it])
}
