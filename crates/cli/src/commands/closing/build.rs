//! Where a check runs, as far as a file shows it.

use std::path::Path;

use lawbook_diag::Problem;
use lawbook_event::json::{Document, Grammar, Limits, Value};

use crate::fields::file_text;
use lawbook::digest;

use crate::policies::PolicyFile;

/// What a file says of where the check runs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RunsIn {
    /// The file.
    pub source: String,
    /// `sha256:` and the digest of its bytes.
    pub digest: String,
    /// The checks that it holds.
    pub checks: Vec<Check>,
    /// The lines of a build file that call a check, each with its number.
    pub calls: Vec<(u32, String)>,
    /// The scripts that lines of a build file run and that by their name hold a check, each with the
    /// number of its line.
    pub scripts: Vec<(u32, String)>,
}

/// A policy check of a pmstack project, or of its exported checks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Check {
    /// Its id.
    pub id: String,
    /// The failure mode that it stands for, by name or else by id.
    pub mode: String,
    /// Whether it runs on every change.
    pub on_change: bool,
    /// Whether the policy in it is the policy of this report.
    pub same_policy: bool,
}

/// What a line of a build file holds that calls a check.
const CALLS: &[&[&str]] = &[
    &["lawbook", "check"],
    &["lawbook", "gate"],
    &["lawbook", "policy", "test"],
    &["pmstack", "policy"],
    &["pmstack", "check"],
];

/// Looks into a file.
///
/// # Errors
/// When it can't be read.
pub fn look(path: &Path, policies: &[PolicyFile]) -> Result<RunsIn, Problem> {
    let text = file_text(path)?;
    let source = path.display().to_string();
    let mut found = RunsIn { source, digest: digest(text.as_bytes()), ..RunsIn::default() };
    if let Ok(document) = Document::parse(&text, Grammar::Python, &Limits::DEFAULT)
        && document.root().is_object()
    {
        found.checks = checks(document.root(), policies);
        return Ok(found);
    }
    for (number, line) in (1_u32..).zip(text.lines()) {
        let line = line.trim();
        if line.starts_with('#') {
            continue;
        }
        if calls(line) {
            found.calls.push((number, line.trim_start_matches("- ").to_owned()));
        } else if let Some(script) = script(line) {
            found.scripts.push((number, script.to_owned()));
        }
    }
    Ok(found)
}

/// The end of the name of a script that holds a check.
const SCRIPT: &str = "check.sh";

/// What stands before a script that a line runs.
const RUNS: &[&str] = &["run:", "sh", "bash", "exec", "&&", ";"];

/// The script that a line runs, if it is one that holds a check by its name.
fn script(line: &str) -> Option<&str> {
    let mut before = "";
    for word in line.split_whitespace() {
        let word = word.trim_matches(['"', '\'']);
        let runs = RUNS.contains(&before) || word.starts_with("./");
        if runs && word.ends_with(SCRIPT) {
            return Some(word);
        }
        before = word.rsplit('/').next().unwrap_or(word);
    }
    None
}

/// A line with the variable that names the program written as its name, and without scripts, whose
/// names may hold the words of a call.
fn plain(line: &str) -> String {
    let plain = |word: &str| {
        let bare = word.trim_matches(['"', '\'', ';']);
        match bare {
            "$LAWBOOK" | "${LAWBOOK}" => "lawbook".to_owned(),
            _ if bare.ends_with(SCRIPT) => String::new(),
            _ => word.to_owned(),
        }
    };
    line.split_whitespace().map(plain).collect::<Vec<_>>().join(" ")
}

/// Whether the words of a call stand in a line in this order.
fn calls(line: &str) -> bool {
    let line = &plain(line);
    let words = |wanted: &&&[&str]| {
        let mut rest = line.as_str();
        wanted.iter().all(|it| match rest.find(it) {
            Some(at) => {
                rest = rest.get(at.saturating_add(it.len())..).unwrap_or_default();
                true
            }
            None => false,
        })
    };
    CALLS.iter().any(|it| words(&it))
}

fn checks(root: Value<'_>, policies: &[PolicyFile]) -> Vec<Check> {
    let text = |value: Value<'_>, key: &str| {
        value.get(key).and_then(Value::as_str).unwrap_or_default().to_owned()
    };
    let modes: Vec<(String, String)> = root
        .get("modes")
        .into_iter()
        .flat_map(Value::items)
        .map(|it| (text(it, "id"), text(it, "name")))
        .collect();
    let own: Vec<String> =
        policies.iter().filter_map(|it| meaning(std::str::from_utf8(&it.bytes).ok()?)).collect();
    let policy = |it: &Value<'_>| it.get("type").and_then(Value::as_str) == Some("policy");
    let check = |it: Value<'_>| {
        let mode = text(it, "modeId");
        let name = modes.iter().find(|known| known.0 == mode && !known.1.is_empty());
        let inside = it.get("policy").and_then(|it| meaning(it.raw()));
        Check {
            id: text(it, "id"),
            mode: name.map_or(mode, |it| it.1.clone()),
            on_change: it.get("ci").and_then(Value::as_bool) == Some(true),
            same_policy: inside.is_some_and(|it| own.contains(&it)),
        }
    };
    root.get("checks").into_iter().flat_map(Value::items).filter(policy).map(check).collect()
}

/// The text of a policy without its layout.
fn meaning(text: &str) -> Option<String> {
    lawbook_dialect::tree("", text).ok().map(|it| it.json(&mut Vec::new()))
}

#[cfg(test)]
mod tests {
    use super::{calls, script};

    #[test]
    fn a_line_calls_a_check_if_its_words_stand_in_order() {
        for line in [
            "run: lawbook check fresh.jsonl --policy evals/lawbook.yaml",
            "cargo run --bin lawbook -- check x",
            "node \"$RUNNER_TEMP/pmstack/bin/pmstack.mjs\" policy fresh.jsonl",
            "lawbook policy test tests",
            "\"$LAWBOOK\" check fresh.jsonl",
            "$LAWBOOK check fresh.jsonl",
            "run: \"${LAWBOOK}\" project check project.json --only-ci",
        ] {
            assert!(calls(line), "{line}");
        }
        for line in [
            "check out lawbook",
            "lawbook tools x",
            "name: policy of pmstack",
            "echo $LAWBOOK_LOG and check",
            "run: sh lawbook/check.sh",
        ] {
            assert!(!calls(line), "{line}");
        }
    }

    #[test]
    fn a_script_is_run_where_a_shell_or_a_path_says_so() {
        for (line, wanted) in [
            ("- run: sh evals/check.sh fresh.jsonl", Some("evals/check.sh")),
            ("run: \"./lawbook-check.sh\"", Some("./lawbook-check.sh")),
            ("cd evals && check.sh", Some("check.sh")),
            ("- evals/check.sh", None),
            ("run: sh test.sh", None),
        ] {
            assert_eq!(script(line), wanted, "{line}");
        }
    }
}
