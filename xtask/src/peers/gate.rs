//! The runs that faultgate publishes with its source: its bands and verdicts and ours, number by
//! number.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use super::{faultgate, python};
use crate::repo::Repo;
use crate::report::Report;
use crate::run;

/// The folder in the source archive.
const EXAMPLES: &str = "faultgate-0.4.1/examples/gate";

const RUNS: [&str; 2] = ["baseline_glm_run1.json", "baseline_glm_run2.json"];

const CANDIDATES: [&str; 4] = [RUNS[0], RUNS[1], "candidate_gpt.json", "candidate_qwen.json"];

/// What both sides are asked with: the policy, the expected answers, some checks.
const CHOICES: [&[&str]; 4] = [
    &["--policy", "policy.json", "--golden", "golden.json"],
    &["--policy", "policy.json"],
    &["--golden", "golden.json"],
    &[],
];

/// Numbers may differ in the last digits, where the two add up in another order.
const CLOSE: f64 = 1e-9;

/// Compares every band and every verdict.
pub fn compare(repo: &Repo, report: &mut Report) -> Result<(), String> {
    let python = match python::with(repo, faultgate::PACKAGE) {
        Ok(python) => python,
        Err(why) => {
            report.skip(format!("faultgate's own gates: {why}"));
            return Ok(());
        }
    };
    let folder = match source(repo, &python) {
        Ok(folder) => folder,
        Err(why) => {
            report.skip(format!("faultgate's own gates: {why}"));
            return Ok(());
        }
    };
    run::pass(Command::new(env!("CARGO")).current_dir(&repo.root).args([
        "build",
        "--quiet",
        "--package",
        "lawbook-cli",
    ]))?;
    let room = repo.target().join("peers").join("gate");
    fs::create_dir_all(&room).map_err(|e| format!("{}: {e}", room.display()))?;
    let both = Both {
        theirs: python.with_file_name("faultgate"),
        ours: repo.target().join("debug/lawbook"),
        examples: folder,
        room,
    };
    let (mut equal, mut wrong) = (0, Vec::new());
    for choice in CHOICES {
        for found in both.compare(choice)? {
            match found {
                Ok(()) => equal += 1,
                Err(why) => wrong.push(format!("{}: {why}", choice.join(" "))),
            }
        }
    }
    println!("{equal} bands and verdicts are equal, number by number");
    report.count(equal, wrong.len() as u64);
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}

/// The examples of the source archive, fetched once.
fn source(repo: &Repo, python: &Path) -> Result<PathBuf, String> {
    let folder = repo.target().join("peers").join("faultgate-source");
    let examples = folder.join(EXAMPLES);
    if examples.is_dir() {
        return Ok(examples);
    }
    fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let mut pip = Command::new(python);
    pip.args(["-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"]);
    pip.args(["--no-binary", ":all:", faultgate::PACKAGE]).current_dir(&folder);
    // The archive is there even where pip can't build what is in it.
    run::pass(&mut pip).ok();
    let mut tar = Command::new("tar");
    run::pass(tar.args(["-xzf", "faultgate-0.4.1.tar.gz"]).current_dir(&folder))
        .map_err(|e| format!("no source archive from PyPI: {e}"))?;
    Ok(examples)
}

struct Both {
    theirs: PathBuf,
    ours: PathBuf,
    examples: PathBuf,
    room: PathBuf,
}

impl Both {
    /// The band of the two runs, and every candidate against it.
    fn compare(&self, choice: &[&str]) -> Result<Vec<Result<(), String>>, String> {
        let (theirs, ours) = (self.room.join("theirs.json"), self.room.join("ours.json"));
        let mut ask = self.program(&self.theirs, "baseline", &RUNS, choice);
        ask.args(["--redact", "off", "--out"]).arg(&theirs);
        finish(ask, &[0])?;
        let mut ask = self.program(&self.ours, "baseline", &RUNS, choice);
        ask.args(["--profile", "compatible", "--out"]).arg(&ours);
        finish(ask, &[0])?;
        let keys = ["checks", "runs", "n", "scenarios", "clean_rate", "clean_in_all_runs", "usage"];
        let mut out = vec![same("band", &json(&theirs)?, &json(&ours)?, &keys)];
        for candidate in CANDIDATES {
            // Each reads the band that the other wrote.
            out.push(self.verdict(candidate, choice, &ours, &theirs)?);
        }
        Ok(out)
    }

    fn verdict(
        &self,
        candidate: &str,
        choice: &[&str],
        for_them: &Path,
        for_us: &Path,
    ) -> Result<Result<(), String>, String> {
        let answer = self.room.join("answer.json");
        fs::remove_file(&answer).ok();
        let mut ask = self.program(&self.theirs, "check", &[candidate], choice);
        ask.args(["--redact", "off", "--band"]).arg(for_them).arg("--json").arg(&answer);
        let their_code = finish(ask, &[0, 1])?;
        let theirs = json(&answer)?;
        let mut ask = self.program(&self.ours, "gate", &[candidate], choice);
        ask.args(["--profile", "compatible", "--format", "json", "--output"]).arg(&answer);
        ask.arg("--band").arg(for_us);
        let our_code = finish(ask, &[0, 1])?;
        let ours = json(&answer)?;
        if their_code != our_code {
            return Ok(Err(format!("{candidate}: code {their_code} and not {our_code}")));
        }
        let keys = [
            "verdict",
            "clean_rate",
            "usage",
            "band",
            "pass_threshold",
            "fail_threshold",
            "stats",
            "regressions",
            "missing",
            "policy_violations",
        ];
        let gates = same(candidate, &theirs["gate"], &ours["gate"], &keys);
        Ok(gates.and_then(|()| same_results(candidate, &theirs, &ours)))
    }

    /// A program in the folder of the examples.
    fn program(&self, program: &Path, command: &str, traces: &[&str], choice: &[&str]) -> Command {
        let mut out = Command::new(program);
        out.arg(command).args(traces).args(choice).current_dir(&self.examples);
        out
    }
}

fn finish(mut command: Command, wanted: &[i32]) -> Result<i32, String> {
    let out = command.output().map_err(|e| format!("{}: {e}", run::shown(&command)))?;
    match out.status.code() {
        Some(code) if wanted.contains(&code) => Ok(code),
        code => Err(format!(
            "{} ended with {code:?}: {}",
            run::shown(&command),
            String::from_utf8_lossy(&out.stderr)
        )),
    }
}

fn json(path: &Path) -> Result<Value, String> {
    let text = fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))?;
    serde_json::from_str(&text).map_err(|e| format!("{}: {e}", path.display()))
}

/// Whether what stands under these keys is the same.
fn same(what: &str, theirs: &Value, ours: &Value, keys: &[&str]) -> Result<(), String> {
    let unlike = keys.iter().filter(|it| !holds(&theirs[**it], &ours[**it]));
    let lines: Vec<String> = unlike
        .map(|it| format!("{what}, {it}: theirs {}, ours {}", theirs[*it], ours[*it]))
        .collect();
    if lines.is_empty() { Ok(()) } else { Err(lines.join("\n")) }
}

/// What every check says of every trace.
fn same_results(what: &str, theirs: &Value, ours: &Value) -> Result<(), String> {
    let mut said = std::collections::BTreeMap::new();
    for session in ours["sessions"].as_array().into_iter().flatten() {
        for line in session["checks"].as_array().into_iter().flatten() {
            said.insert((session["id"].to_string(), line["check"].to_string()), (session, line));
        }
    }
    for result in theirs["results"].as_array().into_iter().flatten() {
        let key = (result["trace_id"].to_string(), result["check"].to_string());
        let Some((session, line)) = said.remove(&key) else {
            return Err(format!("{what}: {key:?} is missing"));
        };
        let found = (&session["scenario"], &line["detected"], &line["reason"]);
        if found != (&result["scenario"], &result["detected"], &result["reason"]) {
            return Err(format!("{what}: theirs {result}, ours {} {line}", session["scenario"]));
        }
    }
    if said.is_empty() { Ok(()) } else { Err(format!("{what}: {} too many", said.len())) }
}

/// Whether all that theirs holds stands in ours, numbers within a hair.
fn holds(theirs: &Value, ours: &Value) -> bool {
    match (theirs, ours) {
        (Value::Number(theirs), Value::Number(ours)) => {
            let (theirs, ours) = (theirs.as_f64(), ours.as_f64());
            theirs.zip(ours).is_some_and(|(a, b)| (a - b).abs() <= CLOSE * a.abs().max(1.0))
        }
        (Value::Array(theirs), Value::Array(ours)) => {
            theirs.len() == ours.len() && theirs.iter().zip(ours).all(|(a, b)| holds(a, b))
        }
        (Value::Object(theirs), Value::Object(ours)) => {
            theirs.iter().all(|(key, it)| ours.get(key).is_some_and(|other| holds(it, other)))
        }
        _ => theirs == ours,
    }
}

#[cfg(test)]
mod tests {
    use super::{holds, same_results};
    use serde_json::json;

    #[test]
    fn what_differs_is_noticed() {
        assert!(holds(&json!({"a": [1.0]}), &json!({"a": [1], "more": 2})));
        assert!(!holds(&json!({"a": 1}), &json!({"a": 1.001})));
        assert!(!holds(&json!({"a": null}), &json!({})));
        assert!(!holds(&json!(["x"]), &json!([])));
    }

    #[test]
    fn a_result_that_is_missing_or_too_much_is_noticed() {
        let theirs = json!({"results": [{"trace_id": "t", "scenario": "s", "check": "policy",
            "detected": false, "reason": "r"}]});
        let ours = |reason: &str| {
            json!({"sessions": [{"id": "t", "scenario": "s", "checks":
                [{"check": "policy", "detected": false, "reason": reason}]}]})
        };
        assert!(same_results("x", &theirs, &ours("r")).is_ok());
        assert!(same_results("x", &theirs, &ours("q")).is_err());
        assert!(same_results("x", &theirs, &json!({})).is_err());
        assert!(same_results("x", &json!({}), &ours("r")).is_err());
    }
}
