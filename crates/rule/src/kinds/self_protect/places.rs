//! What is protected: the settings of coding agents by name, wherever they lie, and what a door
//! names by place.

use super::wild::overlaps;
use crate::{Footing, Location};

/// Files by the end of their path; `*` stands for any run of characters in a part.
const FILES: &[&[&str]] = &[
    &[".claude", "settings*.json"],
    &[".claude.json"],
    &[".mcp.json"],
    &["claude_desktop_config.json"],
    &["managed-settings.json"],
    &["managed-mcp.json"],
    &[".codex", "config.toml"],
    &[".codex", "hooks.json"],
    &[".codex", "requirements.toml"],
    &[".gemini", "settings.json"],
    &[".cursor", "hooks.json"],
    &[".cursor", "mcp.json"],
    &[".cursor", "cli.json"],
    &[".cursor", "cli-config.json"],
    &[".cursor", "permissions.json"],
    &[".vscode", "mcp.json"],
    &["opencode.json"],
    &["opencode.jsonc"],
    &["lawbook.yaml"],
    &["lawbook.yml"],
    &["lawbook.json"],
];

/// Folders, with everything in them.
const FOLDERS: &[&[&str]] = &[
    &[".claude", "hooks"],
    &[".claude", "plugins"],
    &[".codex", "rules"],
    &[".codex", "hooks"],
    &[".gemini", "policies"],
    &[".gemini", "hooks"],
    &[".gemini", "extensions"],
    &[".cursor", "hooks"],
    &[".opencode", "plugin"],
    &[".opencode", "plugins"],
    &["opencode", "plugin"],
    &["opencode", "plugins"],
    &["etc", "claude-code"],
    &["etc", "codex"],
    &["etc", "gemini-cli"],
    &["claudecode"],
    &[".lawbook"],
];

/// Folders that hold some of these beside other things.
const AROUND: &[&str] = &[".claude", ".codex", ".gemini", ".cursor", ".opencode"];

/// How a place stands to what is protected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Standing {
    /// It has nothing to do with it.
    Apart,
    /// It holds some of it.
    Around,
    /// It is protected.
    Protected,
}

/// How a text, taken for a path in every way that some reader could, stands to what is protected.
/// A text that can't be followed stands apart.
pub(super) fn standing(text: &str, footing: Footing<'_>, named: &[String]) -> Standing {
    let text = text
        .strip_prefix("$HOME")
        .or_else(|| text.strip_prefix("${HOME}"))
        .map_or_else(|| text.to_owned(), |rest| format!("~{rest}"));
    // The plain reading counts where others lead nowhere.
    let readings = Location::readings(&text, footing)
        .or_else(|_| Location::plain(text.trim_start_matches("./"), footing).map(|it| vec![it]));
    let of = |it: &Location| by_name(it).max(by_place(it, footing, named));
    readings.unwrap_or_default().iter().map(of).max().unwrap_or(Standing::Apart)
}

/// The same for a text in which a shell fills in patterns: it stands as what it can become.
pub(super) fn standing_wild(text: &str, footing: Footing<'_>, named: &[String]) -> Standing {
    let text = text
        .strip_prefix("$HOME")
        .or_else(|| text.strip_prefix("${HOME}"))
        .map_or_else(|| text.to_owned(), |rest| format!("~{rest}"));
    let Ok(place) = Location::plain(text.trim_start_matches("./"), footing) else {
        return Standing::Apart;
    };
    let parts: Vec<String> = place.parts().iter().map(|it| it.to_lowercase()).collect();
    let runs = |end: usize, run: &&[&str]| {
        let there = end.checked_sub(run.len()).and_then(|from| parts.get(from..end));
        there.is_some_and(|it| it.iter().zip(*run).all(|it| overlaps(it.0, it.1)))
    };
    let ends = |run: &&[&str]| runs(parts.len(), run);
    let holds = |run: &&[&str]| (run.len()..=parts.len()).any(|end| runs(end, run));
    let by_place = |text: &String| {
        let Ok(named) = Location::plain(text, footing) else { return false };
        let named: Vec<String> = named.parts().iter().map(|it| it.to_lowercase()).collect();
        parts.len() >= named.len() && parts.iter().zip(&named).all(|it| overlaps(it.0, it.1))
    };
    let is_protected = FILES.iter().any(ends) || FOLDERS.iter().any(holds);
    if is_protected || named.iter().any(by_place) { Standing::Protected } else { Standing::Apart }
}

/// Whether a text mentions something protected, whatever else it is.
pub(super) fn mentions(text: &str, named: &[String]) -> bool {
    let text: String = text
        .chars()
        .filter(|it| !matches!(it, '\\' | '\'' | '"'))
        .collect::<String>()
        .to_lowercase();
    let tail = |parts: &&[&str]| {
        let joined = parts.join("/");
        text.contains(joined.split('*').next().unwrap_or(&joined))
    };
    FILES.iter().any(tail)
        || FOLDERS.iter().any(tail)
        || named.iter().any(|it| it.len() > 1 && text.contains(&it.to_lowercase()))
}

fn by_name(place: &Location) -> Standing {
    let parts: Vec<String> = place.parts().iter().map(|it| it.to_lowercase()).collect();
    let ends = |tail: &&[&str]| parts.len() >= tail.len() && fits(&parts, parts.len(), tail);
    let holds = |run: &&[&str]| (run.len()..=parts.len()).any(|end| fits(&parts, end, run));
    if FILES.iter().any(ends) || FOLDERS.iter().any(holds) {
        return Standing::Protected;
    }
    let last = parts.last().map(String::as_str).unwrap_or_default();
    if AROUND.contains(&last) { Standing::Around } else { Standing::Apart }
}

/// Whether the parts before a place fit a run.
fn fits(parts: &[String], end: usize, run: &[&str]) -> bool {
    let from = end.checked_sub(run.len());
    let there = from.and_then(|from| parts.get(from..end));
    there.is_some_and(|it| it.iter().zip(run).all(|(part, name)| fits_part(part, name)))
}

fn fits_part(part: &str, name: &str) -> bool {
    match name.split_once('*') {
        Some((start, end)) => {
            part.len() >= start.len().saturating_add(end.len())
                && part.starts_with(start)
                && part.ends_with(end)
        }
        None => part == name,
    }
}

fn by_place(place: &Location, footing: Footing<'_>, named: &[String]) -> Standing {
    let lower = |it: &Location| it.text().to_lowercase();
    let is_within = |inner: &str, outer: &str| {
        let outer = outer.trim_end_matches('/');
        inner.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    let of = |text: &String| {
        let Ok(named) = Location::plain(text, footing) else { return Standing::Apart };
        // File systems that fold case are common, and what forbids sees through it.
        let (here, named) = (lower(place), lower(&named));
        match (is_within(&here, &named), is_within(&named, &here)) {
            (true, _) => Standing::Protected,
            (_, true) => Standing::Around,
            _ => Standing::Apart,
        }
    };
    named.iter().map(of).max().unwrap_or(Standing::Apart)
}
