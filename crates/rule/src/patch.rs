//! The files that a patch names: unified diffs, and the patches that coding agents write.

use lawbook_event::json::Value;

use crate::subject::words;

/// Lines of patches that name a file.
const HEADERS: &[&str] = &[
    "*** Update File:",
    "*** Add File:",
    "*** Delete File:",
    "*** Move to:",
    "+++ ",
    "--- ",
    "rename to ",
    "rename from ",
    "copy to ",
];

/// Whether a tool applies patches, by the words of its name.
pub(crate) fn applies(tool: &str) -> bool {
    words(tool).iter().any(|it| it == "patch")
}

/// Every file that a patch in any of the texts names.
pub(crate) fn patched<'d>(root: Value<'d>, each: &mut impl FnMut(&'d str)) {
    let mut left = vec![root];
    while let Some(value) = left.pop() {
        if let Some(text) = value.as_str() {
            headers(text, each);
        }
        left.extend(value.items());
        left.extend(value.entries().map(|it| it.1));
    }
}

/// Every file that the lines of a patch name.
pub(crate) fn headers<'d>(text: &'d str, each: &mut impl FnMut(&'d str)) {
    for line in text.lines() {
        let named = HEADERS.iter().find_map(|it| line.trim_start().strip_prefix(it));
        if let Some(path) = named.map(|it| it.split('\t').next().unwrap_or(it).trim()) {
            each(path);
            if let Some(path) = path.strip_prefix("a/").or_else(|| path.strip_prefix("b/")) {
                each(path);
            }
        }
    }
}
