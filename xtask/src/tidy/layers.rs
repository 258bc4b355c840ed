//! Who may import whom: the table, and the edges that must never appear, each with its reason.

use std::collections::BTreeMap;
use std::process::Command;

use serde_json::Value;

use crate::repo::Repo;
use crate::run;

/// Every crate and what it may import, lowest first.
pub const LAYERS: &[(&str, &[&str])] = &[
    ("event", &[]),
    ("diag", &["event"]),
    ("shell", &[]),
    ("mask", &[]),
    ("rule", &["event", "diag", "shell"]),
    ("trace", &["event", "diag"]),
    ("report", &["event", "diag"]),
    // It imports the readers for its tests alone: cases are recordings.
    ("checks", &["event", "diag", "trace"]),
    ("dialect", &["event", "diag", "rule", "shell"]),
    ("engine", &["event", "diag", "rule"]),
    ("cases", &["event", "diag", "rule", "dialect", "trace", "engine"]),
    ("stats", &[]),
    ("ledger", &["event"]),
    // It imports dialects for its tests alone: policies are easier told than built.
    ("session", &["event", "diag", "rule", "engine", "ledger", "dialect"]),
    // It imports the runner for its tests alone: every story is told at its doors.
    (
        "lawbook",
        &[
            "event", "diag", "rule", "dialect", "trace", "engine", "report", "cases", "ledger",
            "session", "mask",
        ],
    ),
    ("bridge", &["lawbook", "event", "diag", "mask"]),
    (
        "cli",
        &[
            "event", "diag", "rule", "dialect", "trace", "engine", "report", "cases", "stats",
            "lawbook", "shell", "bridge", "ledger", "checks", "mask",
        ],
    ),
];

/// Edges that must not exist, and why.
pub const FORBIDDEN: &[(&str, &str, &str)] = &[
    ("dialect", "engine", "a front end that can run is a second engine"),
    ("engine", "dialect", "the engine would know a syntax"),
    ("engine", "ledger", "deciding and recording meet in one place, the session"),
    ("engine", "trace", "the engine would know a format"),
    ("trace", "rule", "a reader that knows rules reads differently for them"),
    ("report", "engine", "a reporter that can decide will"),
    ("guard", "engine", "the live path is the session, the same for every door"),
    ("bridge", "engine", "the live path is the session, the same for every door"),
    ("guard", "bridge", "two transports need no talk"),
    ("bridge", "guard", "two transports need no talk"),
];

/// Packages outside the table: they may import anything, and nothing may import them.
const OUTSIDE: &[&str] = &["bench", "fuzz", "oracles", "xtask"];

/// Compares the packages of the workspace with the table.
pub fn check(repo: &Repo) -> Vec<String> {
    match edges(repo) {
        Ok(edges) => complaints(&edges),
        Err(message) => vec![message],
    }
}

fn complaints(edges: &BTreeMap<String, Vec<String>>) -> Vec<String> {
    let mut out = Vec::new();
    for (from, targets) in edges {
        let row = LAYERS.iter().find(|(name, _)| name == from);
        if row.is_none() && !OUTSIDE.contains(&from.as_str()) {
            out.push(format!("`{from}` has no row in the layers table"));
        }
        for to in targets {
            if OUTSIDE.contains(&to.as_str()) {
                out.push(format!("`{from}` must not import `{to}`: nothing imports it"));
            } else if row.is_some_and(|(_, may)| !may.contains(&to.as_str())) {
                out.push(format!("`{from}` must not import `{to}`: {}", reason(from, to)));
            }
        }
    }
    for (name, _) in LAYERS {
        if !edges.contains_key(*name) {
            out.push(format!("the layers table has a row for `{name}`, which is no crate"));
        }
    }
    out
}

fn reason(from: &str, to: &str) -> &'static str {
    if from == "event" {
        return "the vocabulary depends on nothing";
    }
    let same = |it: &&(&str, &str, &str)| it.0 == from && it.1 == to;
    FORBIDDEN.iter().find(same).map_or("the edge is not in the layers table", |it| it.2)
}

/// Every package of the workspace with the packages of ours that it imports.
fn edges(repo: &Repo) -> Result<BTreeMap<String, Vec<String>>, String> {
    let mut command = Command::new(env!("CARGO"));
    command.current_dir(&repo.root).args(["metadata", "--format-version", "1", "--no-deps"]);
    let text = run::read(&mut command)?;
    let data: Value = serde_json::from_str(&text).map_err(|e| format!("cargo metadata: {e}"))?;
    let packages = data["packages"].as_array().ok_or("cargo metadata lists no packages")?;
    let mut out = BTreeMap::new();
    for package in packages {
        let targets = package["dependencies"].as_array().into_iter().flatten();
        let ours = targets.filter(|it| it["path"].is_string());
        out.insert(short(&package["name"]), ours.map(|it| short(&it["name"])).collect());
    }
    Ok(out)
}

fn short(name: &Value) -> String {
    let name = name.as_str().unwrap_or_default();
    name.strip_prefix("lawbook-").unwrap_or(name).to_string()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::{FORBIDDEN, LAYERS, complaints};

    fn graph(extra: Option<(&str, &str)>) -> BTreeMap<String, Vec<String>> {
        let mut edges: BTreeMap<String, Vec<String>> =
            LAYERS.iter().map(|(name, _)| (name.to_string(), Vec::new())).collect();
        if let Some((from, to)) = extra {
            edges.entry(from.to_string()).or_default().push(to.to_string());
        }
        edges
    }

    #[test]
    fn a_graph_within_the_table_passes() {
        assert_eq!(complaints(&graph(Some(("engine", "rule")))), Vec::<String>::new());
    }

    #[test]
    fn a_forbidden_edge_is_refused_with_its_reason() {
        let lines = complaints(&graph(Some(("dialect", "engine"))));
        let why = "`dialect` must not import `engine`: a front end that can run is a second engine";
        assert_eq!(lines, [why]);
    }

    #[test]
    fn nothing_imports_the_tools() {
        assert_eq!(complaints(&graph(Some(("cli", "xtask")))).len(), 1);
    }

    #[test]
    fn no_forbidden_edge_stands_in_the_table() {
        for (from, to, _) in FORBIDDEN {
            let row = LAYERS.iter().find(|(name, _)| name == from);
            assert!(row.is_none_or(|(_, may)| !may.contains(to)), "{from} -> {to}");
        }
    }
}
