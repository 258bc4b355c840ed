//! Tools that write files: which of them do, and where they name the file.

use lawbook_event::json::Value;

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
    "str",
];

/// Parts of tool names that say that a tool only reads.
const READING: &[&str] = &[
    "read", "get", "list", "ls", "view", "cat", "grep", "glob", "search", "find", "stat", "fetch",
    "show", "open", "head", "tail", "tree", "info", "diff", "todo", "lookup", "describe", "query",
];

/// Parts of argument names that say that a path stands there.
const NAMING: &[&str] = &[
    "path",
    "paths",
    "file",
    "files",
    "filename",
    "filepath",
    "dir",
    "directory",
    "folder",
    "source",
    "destination",
    "dest",
    "target",
    "uri",
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

/// The words of a name, in lower case: `apply_patch`, `MultiEdit`, `mcp__fs__write-file`.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut was_lower = false;
    for it in name.chars() {
        let starts = it.is_uppercase() && was_lower;
        if starts || !it.is_alphanumeric() {
            words.push(String::new());
        }
        if it.is_alphanumeric()
            && let Some(word) = words.last_mut()
        {
            word.extend(it.to_lowercase());
        }
        was_lower = it.is_lowercase() || it.is_numeric();
    }
    words.retain(|it| !it.is_empty());
    words
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
            let names = words(key).iter().any(|it| NAMING.contains(&it.as_str()));
            left.push((inner, names));
        }
    }
}
