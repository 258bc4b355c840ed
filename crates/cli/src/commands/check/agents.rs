//! The sessions that coding agents leave on a machine.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::input::Place;
use crate::print::counted;

/// How deep folders of sessions are looked into.
const FOLDERS_DEEP_MAX: usize = 8;

/// Where an agent keeps its sessions.
struct Agent {
    title: &'static str,
    /// The variable that names its folder, and what lies between that and its sessions.
    variable: (&'static str, &'static [&'static str]),
    /// Its folders of sessions below the home folder.
    home: &'static [&'static str],
    /// How the names of its sessions begin and end.
    names: (&'static str, &'static [&'static str]),
    /// The folder that a session must lie in, at any depth; none if it does not matter.
    within: Option<&'static str>,
}

const AGENTS: &[Agent] = &[
    Agent {
        title: "Claude Code",
        variable: ("CLAUDE_CONFIG_DIR", &["projects"]),
        home: &[".claude/projects", ".config/claude/projects"],
        names: ("", &["jsonl"]),
        within: None,
    },
    Agent {
        title: "Codex",
        variable: ("CODEX_HOME", &["sessions", "archived_sessions"]),
        home: &[".codex/sessions", ".codex/archived_sessions"],
        names: ("rollout-", &["jsonl"]),
        within: None,
    },
    Agent {
        title: "Gemini CLI",
        variable: ("GEMINI_CLI_HOME", &[".gemini/tmp"]),
        home: &[".gemini/tmp"],
        names: ("", &["json", "jsonl"]),
        within: Some("chats"),
    },
];

/// Agents whose sessions no reader reads, and where they are.
const UNREAD: &[(&str, &str)] = &[
    ("opencode", ".local/share/opencode"),
    ("Cursor", ".config/Cursor/User/globalStorage"),
    ("Cursor", "Library/Application Support/Cursor/User/globalStorage"),
];

/// The sessions of all agents, in the order of their names, and what is said of them on the way.
pub fn sessions(since: Option<Duration>) -> Vec<Place> {
    let home = set("HOME").or_else(|| set("USERPROFILE")).map(PathBuf::from);
    let mut places = Vec::new();
    for agent in AGENTS {
        let folders = agent.folders(home.as_deref());
        let mut files: Vec<PathBuf> =
            folders.iter().flat_map(|it| agent.files(it)).filter(|it| is_new(it, since)).collect();
        files.sort();
        files.dedup();
        if !files.is_empty() {
            crate::print::note(&format!("{}: {}", agent.title, counted(files.len(), "file")));
        }
        places.extend(files.into_iter().map(Place::File));
    }
    let home = home.unwrap_or_default();
    for (title, _) in UNREAD.iter().filter(|it| home.join(it.1).is_dir()) {
        crate::print::note(&format!("{title}: its sessions are there, and no reader reads them"));
    }
    if places.is_empty() {
        crate::print::note("no session of a coding agent was found");
    }
    places
}

impl Agent {
    fn folders(&self, home: Option<&Path>) -> Vec<PathBuf> {
        let (variable, below) = self.variable;
        if let Some(root) = set(variable) {
            return below.iter().map(|it| Path::new(&root).join(it)).collect();
        }
        home.into_iter().flat_map(|home| self.home.iter().map(|it| home.join(it))).collect()
    }

    /// Its sessions below a folder. Links are not followed.
    fn files(&self, root: &Path) -> Vec<PathBuf> {
        let mut files = Vec::new();
        let mut folders = vec![(root.to_owned(), 0_usize)];
        while let Some((folder, depth)) = folders.pop() {
            for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
                let Ok(kind) = entry.file_type() else { continue };
                let path = entry.path();
                if kind.is_dir() && depth < FOLDERS_DEEP_MAX {
                    folders.push((path, depth.saturating_add(1)));
                } else if kind.is_file() && self.is_session(root, &path) {
                    files.push(path);
                }
            }
        }
        files
    }

    fn is_session(&self, root: &Path, path: &Path) -> bool {
        let (start, ends) = self.names;
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let ends_so = path.extension().is_some_and(|it| ends.iter().any(|end| it == *end));
        let lies_so = self.within.is_none_or(|within| {
            let below = path.strip_prefix(root).unwrap_or(path);
            below.parent().is_some_and(|it| it.iter().any(|part| part == within))
        });
        name.starts_with(start) && ends_so && lies_so
    }
}

fn is_new(path: &Path, since: Option<Duration>) -> bool {
    let Some(since) = since else { return true };
    let modified = std::fs::metadata(path).and_then(|it| it.modified());
    modified.is_ok_and(|it| it.elapsed().map_or(true, |age| age <= since))
}

fn set(name: &str) -> Option<OsString> {
    std::env::var_os(name).filter(|it| !it.is_empty())
}
