//! Tools that write files: which of them do, and where they name the file.

use lawbook_event::json::Value;

use crate::path_arguments::{names_a_path, words};

/// Parts of tool names that say that a tool writes.
const WRITING: &[&str] = &[
    "write",
    "edit",
    "multiedit",
    "create",
    "delete",
    "remove",
    "move",
    "rename",
    "patch",
    "replace",
    "update",
    "insert",
    "append",
    "save",
    "put",
    "copy",
    "upload",
    "download",
    "chmod",
    "mkdir",
    "touch",
    "truncate",
    "modify",
    "overwrite",
    "apply",
    "reapply",
    "str",
    "strreplace",
    "searchreplace",
    "applypatch",
    "applydiff",
    "notebookedit",
    "writefile",
    "editfile",
    "createfile",
    "deletefile",
];

/// Parts of tool names that say that a tool only reads.
const READING: &[&str] = &[
    "read", "get", "list", "ls", "view", "cat", "grep", "glob", "search", "find", "stat", "fetch",
    "show", "open", "head", "tail", "tree", "info", "diff", "todo", "lookup", "describe", "query",
];

/// What a tool does to the files that it names, as far as its name tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Does {
    Writes,
    Reads,
    Unknown,
}

/// What the name of a tool tells.
pub(super) fn does(tool: &str) -> Does {
    let words = words(tool);
    let has = |list: &[&str]| words.iter().any(|it| list.contains(&it.as_str()));
    match (has(WRITING), has(READING)) {
        (true, _) => Does::Writes,
        (false, true) => Does::Reads,
        (false, false) => Does::Unknown,
    }
}

/// Every text that stands under a name for a path.
pub(super) fn paths<'d>(root: Value<'d>, each: &mut impl FnMut(&'d str)) {
    let mut left = vec![(root, false)];
    while let Some((value, is_path)) = left.pop() {
        if let Some(text) = value.as_str().filter(|_| is_path) {
            each(text);
        }
        left.extend(value.items().map(|it| (it, is_path)));
        for (key, inner) in value.entries() {
            left.push((inner, names_a_path(key)));
        }
    }
}
