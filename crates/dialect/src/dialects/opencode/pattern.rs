//! Patterns of opencode: `*` for any run of characters, `?` for one, `~` and `$HOME` in front.

use lawbook_event::PatternError;
use lawbook_rule::{Anchor, FileGlob, GlobStyle};

use crate::permissions::escaped;

/// A pattern over paths.
pub(super) fn file(text: &str) -> Result<FileGlob, PatternError> {
    let (anchor, rest) = anchored(text);
    FileGlob::new(rest, anchor, GlobStyle::Plain)
}

/// A pattern over folders, and so over what stands in them.
pub(super) fn folder(text: &str) -> Result<FileGlob, PatternError> {
    let (anchor, rest) = anchored(text);
    let rest = rest.trim_end_matches('*').trim_end_matches('/');
    FileGlob::new(&format!("/{rest}"), anchor, GlobStyle::Ignore)
}

/// Every path.
pub(super) fn anywhere() -> Result<FileGlob, PatternError> {
    FileGlob::new("*", Anchor::Root, GlobStyle::Plain)
}

/// What stands in the workspace.
pub(super) fn workspace() -> Result<FileGlob, PatternError> {
    FileGlob::new("*", Anchor::Workspace, GlobStyle::Plain)
}

/// A pattern over a text, as a regular expression.
pub(super) fn source(text: &str) -> String {
    let inner = escaped(text).replace(r"\*", ".*").replace(r"\?", ".");
    // A star behind a space stands for nothing at all too.
    let inner = match inner.strip_suffix(" .*") {
        Some(lead) => format!("{lead}(?: .*)?"),
        None => inner,
    };
    format!(r"(?s)\A{inner}\z")
}

fn anchored(text: &str) -> (Anchor, &str) {
    for home in ["~/", "$HOME/", "${HOME}/"] {
        if let Some(rest) = text.strip_prefix(home) {
            return (Anchor::Home, rest);
        }
    }
    match text.strip_prefix('/') {
        Some(rest) => (Anchor::Root, rest),
        None => (Anchor::Workspace, text),
    }
}
