//! What turns the hooks of a host off, in the settings of whatever scope.

use std::path::{Path, PathBuf};

use lawbook_bridge::{Host, Off, Switch};

use super::settings::{has, keys};
use super::setup::{Scope, read};

/// Every switch that turns the hooks of a host off, in sentences: in the settings of the user, of
/// the project in this folder, of the machine, and beside the file that is meant.
pub fn off(host: &dyn Host, file: &Path) -> Vec<String> {
    let mut folders: Vec<PathBuf> = Vec::new();
    for file in Scope::every(host).into_iter().chain([file.to_owned()]) {
        let folder = file.parent().map(Path::to_owned).unwrap_or_default();
        if !folders.contains(&folder) {
            folders.push(folder);
        }
    }
    let managed = host.setup().managed.map(Path::new);
    let is_managed = managed.is_some_and(|it| has(&text(it), host.name()));
    let mut out = Vec::new();
    for folder in &folders {
        for switch in host.setup().switches {
            let file = folder.join(switch.file);
            let name = switch.keys.last().copied().unwrap_or_default();
            // What leaves hooks to the machine leaves ours in force that stand there.
            if is_managed && name.to_lowercase().contains("managed") {
                continue;
            }
            if is_off(switch, &file, host.name()) {
                let (file, keys) = (file.display(), switch.keys.join("."));
                let title = host.title();
                out.push(format!("{file} turns hooks off (`{keys}`), so {title} asks nothing"));
            }
        }
    }
    out
}

fn text(file: &Path) -> String {
    read(file).ok().flatten().unwrap_or_default()
}

fn is_off(switch: &Switch, file: &Path, host: &str) -> bool {
    let text = text(file);
    if text.is_empty() {
        return false;
    }
    let is_toml = file.extension().is_some_and(|it| it == "toml");
    match switch.off {
        Off::Is(off) if is_toml => toml_flag(&text, switch.keys) == Some(off),
        Off::Is(off) => keys(&text, switch.keys, |it| it.as_bool() == Some(off)),
        Off::Names => keys(&text, switch.keys, |it| {
            it.items()
                .filter_map(|it| it.as_str())
                .any(|it| it == "lawbook" || it == "*" || it.contains(&format!(" hook {host}")))
        }),
    }
}

/// A switch in TOML: under its table, as a dotted key, or in a table on one line.
fn toml_flag(text: &str, keys: &[&str]) -> Option<bool> {
    let mut table = String::new();
    let mut found = None;
    for line in text.lines() {
        let line = line.split('#').next().unwrap_or_default().trim();
        if let Some(name) = line.strip_prefix('[').and_then(|it| it.strip_suffix(']')) {
            table = bare(name);
            continue;
        }
        let Some((key, value)) = line.split_once('=') else { continue };
        let key = match table.as_str() {
            "" => bare(key),
            table => format!("{table}.{}", bare(key)),
        };
        if key == keys.join(".") {
            found = value.trim().parse().ok();
        }
        if let Some(rest) = keys.join(".").strip_prefix(&format!("{key}."))
            && let Some(inner) = value.trim().strip_prefix('{').and_then(|it| it.strip_suffix('}'))
        {
            let entries = inner.split(',').filter_map(|it| it.split_once('='));
            let mut fitting = entries.filter(|it| bare(it.0) == rest);
            found = fitting.next().and_then(|it| it.1.trim().parse().ok()).or(found);
        }
    }
    found
}

/// A key without blanks and quotes.
fn bare(key: &str) -> String {
    key.chars().filter(|it| !it.is_whitespace() && !matches!(it, '"' | '\'')).collect()
}

#[cfg(test)]
mod tests {
    use super::toml_flag;

    #[test]
    fn a_switch_is_found_however_it_is_written() {
        let keys = ["features", "hooks"];
        for (text, flag) in [
            ("[features]\nhooks = false\n", Some(false)),
            ("[ \"features\" ]\n hooks=false # off", Some(false)),
            ("features.hooks = false", Some(false)),
            ("features = { web = true, hooks = false }", Some(false)),
            ("[features]\nhooks = true", Some(true)),
            ("[other]\nhooks = false", None),
            ("hooks = false", None),
            ("[features.more]\nhooks = false", None),
        ] {
            assert_eq!(toml_flag(text, &keys), flag, "{text}");
        }
    }
}
