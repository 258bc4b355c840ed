//! The recordings that faultgate publishes, under its own policies: its reasons and ours, session
//! by session.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use lawbook_dialect::{Options, load};
use lawbook_engine::{Engine, check};
use lawbook_rule::Profile;
use lawbook_trace::{Limits, Reading, Source, read};
use serde_json::Value;

use super::{corpus, faultgate, python};
use crate::repo::Repo;
use crate::report::Report;

/// The policies that stand beside the recordings.
const POLICIES: [&str; 3] = ["policy_retail.json", "policy_support.json", "gate__policy.json"];

/// The joined reasons of each session that has any.
type Reasons = BTreeMap<String, String>;

/// Compares every recording under every policy.
pub fn compare(repo: &Repo, report: &mut Report) -> Result<(), String> {
    let Some(folder) = corpus::place(repo).map(|it| it.join("faultgate")) else {
        report.skip("faultgate's own recordings: they stand in the corpus, which is not here");
        return Ok(());
    };
    let python = match python::with(repo, faultgate::PACKAGE) {
        Ok(python) => python,
        Err(why) => {
            report.skip(format!("faultgate's own recordings: {why}"));
            return Ok(());
        }
    };
    let program = python.with_file_name("faultgate");
    let answer = repo.target().join("peers").join("published.json");
    let (mut equal, mut reasons, mut wrong) = (0, 0, Vec::new());
    for trace in recordings(&folder)? {
        for policy in POLICIES.map(|it| folder.join(it)) {
            let theirs = theirs(&program, &trace, &policy, &answer);
            let (theirs, ours) = (theirs?, ours(&trace, &policy)?);
            reasons += theirs.values().filter(|it| !it.is_empty()).count();
            let unlike = unlike(&theirs, &ours);
            equal += u64::from(unlike.is_empty());
            let place = format!("{} under {}", name(&trace), name(&policy));
            wrong.extend(unlike.into_iter().map(|it| format!("{place}, {it}")));
        }
    }
    println!(
        "{equal} pairs of a recording and a policy are equal; {reasons} sessions have reasons"
    );
    report.count(equal, wrong.len() as u64);
    match (wrong.is_empty(), reasons) {
        (true, 0) => Err("no session has a reason, so nothing was compared".to_string()),
        (true, _) => Ok(()),
        (false, _) => Err(wrong.join("\n")),
    }
}

/// The files that are recordings: what is left are policies, bands and expected answers.
fn recordings(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let entries = fs::read_dir(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let mut files: Vec<PathBuf> = entries.flatten().map(|it| it.path()).collect();
    files.retain(|it| {
        let stem = name(it);
        let other = ["policy", "gate__", "golden"].iter().any(|start| stem.starts_with(start));
        stem.ends_with(".json") && !other
    });
    files.sort();
    Ok(files)
}

fn name(path: &Path) -> String {
    path.file_name().map(|it| it.to_string_lossy().into_owned()).unwrap_or_default()
}

fn theirs(program: &Path, trace: &Path, policy: &Path, answer: &Path) -> Result<Reasons, String> {
    fs::remove_file(answer).ok();
    let mut ask = Command::new(program);
    ask.arg("check").arg(trace).arg("--policy").arg(policy);
    ask.args(["--check", "policy", "--redact", "off", "--json"]).arg(answer);
    // It ends with 1 where it finds something; where it can't read the trace it writes no answer.
    let output = ask.output().map_err(|e| format!("{}: {e}", program.display()))?;
    let said = String::from_utf8_lossy(&output.stderr);
    let text = fs::read_to_string(answer)
        .map_err(|_| format!("faultgate does not read {}: {}", name(trace), said.trim()))?;
    let answer: Value = serde_json::from_str(&text).map_err(|e| format!("its answer: {e}"))?;
    let mut reasons = Reasons::new();
    for result in answer["results"].as_array().into_iter().flatten() {
        let detected = result["detected"] == Value::Bool(true);
        let reason = result["reason"].as_str().filter(|_| detected).unwrap_or_default();
        let id = result["trace_id"].as_str().unwrap_or_default();
        reasons.insert(id.to_string(), reason.to_string());
    }
    Ok(reasons)
}

fn ours(trace: &Path, policy: &Path) -> Result<Reasons, String> {
    let bytes = |path: &Path| fs::read(path).map_err(|e| format!("{}: {e}", path.display()));
    let options = Options {
        dialect: Some("faultgate"),
        profile: Some(Profile::Compatible),
        ..Options::default()
    };
    let loaded = load(&name(policy), &bytes(policy)?, &options);
    let problem = loaded.problems.first().map(ToString::to_string);
    let policy = loaded.policy.ok_or_else(|| problem.unwrap_or_default())?;
    let engine = Engine::new(vec![Arc::new(policy)], None);
    let mut reasons = Reasons::new();
    let (source, limits) = (Source::new(name(trace)), Limits::default());
    let bytes = bytes(trace)?;
    let problems =
        read(&bytes, None, Reading::Faultgate.into(), &source, &limits, &mut |session| {
            let findings = check(&engine, &session.events).findings;
            let lines: Vec<String> = findings
                .iter()
                .map(|it| match it.step {
                    Some(step) => format!("step {step}: {}", it.message),
                    None => it.message.clone(),
                })
                .collect();
            reasons.insert(session.id.to_string(), lines.join("; "));
        });
    match problems.first() {
        Some(problem) => Err(problem.to_string()),
        None => Ok(reasons),
    }
}

/// The sessions of which the two say different things.
fn unlike(theirs: &Reasons, ours: &Reasons) -> Vec<String> {
    let mut ids: Vec<&String> = theirs.keys().chain(ours.keys()).collect();
    ids.sort();
    ids.dedup();
    ids.retain(|it| theirs.get(*it) != ours.get(*it));
    let line =
        |id: &String| format!("session {id}: theirs {:?}, ours {:?}", theirs.get(id), ours.get(id));
    ids.into_iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::{Reasons, unlike};

    #[test]
    fn a_session_that_only_one_side_has_is_a_difference() {
        let reasons = |pairs: &[(&str, &str)]| -> Reasons {
            pairs.iter().map(|(id, said)| ((*id).to_string(), (*said).to_string())).collect()
        };
        let theirs = reasons(&[("a", "step 1: x"), ("b", "")]);
        assert!(unlike(&theirs, &theirs.clone()).is_empty());
        assert_eq!(unlike(&theirs, &reasons(&[("a", "step 2: x"), ("c", "")])).len(), 3);
    }
}
