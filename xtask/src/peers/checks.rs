//! The comparison of the checks with the real faultgate: generated recordings, in its own format and
//! in those of vendors, what its checks say and measure of each, and what ours do.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use lawbook_checks::{Given, Golden, Outcomes, Run, Told, named};
use lawbook_event::{RecordingPart, Usage};
use lawbook_trace::{Limits, Reading, Readings, Source, read};
use serde_json::Value;

use super::{faultgate, python};
use crate::repo::Repo;
use crate::report::Report;

/// How many recordings are compared.
const RUNS: u64 = 2_000;

/// How many differences are printed.
const SHOWN_MAX: u64 = 10;

/// Compares; an error tells how many recordings differ.
pub fn compare(repo: &Repo, seed: u64, report: &mut Report) -> Result<(), String> {
    let python = match python::with(repo, faultgate::PACKAGE) {
        Ok(python) => python,
        Err(why) => {
            report.skip(format!("the comparison with faultgate's checks: {why}"));
            return Ok(());
        }
    };
    let answers = repo.target().join("peers").join("checks.jsonl");
    let out = File::create(&answers).map_err(|e| format!("{}: {e}", answers.display()))?;
    let mut ask = Command::new(python);
    ask.arg(repo.root.join("xtask/peers/ask_faultgate_checks.py"));
    ask.args(["--runs", &RUNS.to_string(), "--seed", &seed.to_string()]);
    ask.env("PYTHONDONTWRITEBYTECODE", "1").stdout(Stdio::from(out));
    let status = ask.status().map_err(|e| format!("ask_faultgate_checks.py: {e}"))?;
    if !status.success() {
        return Err(format!("ask_faultgate_checks.py ended with {status}"));
    }
    let file = File::open(&answers).map_err(|e| format!("{}: {e}", answers.display()))?;
    let (mut runs, mut different, mut compared) = (0_u64, 0_u64, 0_u64);
    for line in BufReader::new(file).lines() {
        let line = line.map_err(|e| format!("{}: {e}", answers.display()))?;
        let answer: Value = serde_json::from_str(&line).map_err(|e| format!("an answer: {e}"))?;
        runs += 1;
        let wrong = match differences(&answer) {
            Ok(found) => {
                compared += found.compared;
                found.wrong
            }
            Err(why) => vec![why],
        };
        if !wrong.is_empty() {
            different += 1;
            if different <= SHOWN_MAX {
                println!("seed {}: {}\n  {}", answer["seed"], answer["trace"], wrong.join("\n  "));
            }
        }
    }
    println!("recordings: {runs}, answers and measures: {compared}, differences: {different}");
    report.count(runs.saturating_sub(different), different);
    if runs != RUNS {
        return Err(format!("{RUNS} recordings were asked for, {runs} were answered"));
    }
    if different > 0 {
        return Err(format!("{different} of {runs} recordings differ"));
    }
    Ok(())
}

#[derive(Default)]
struct Found {
    compared: u64,
    wrong: Vec<String>,
}

impl Found {
    fn hold(&mut self, what: &str, theirs: &impl std::fmt::Debug, ours: &impl std::fmt::Debug) {
        self.compared += 1;
        let (theirs, ours) = (format!("{theirs:?}"), format!("{ours:?}"));
        if theirs != ours {
            self.wrong.push(format!("{what}: theirs {theirs}, ours {ours}"));
        }
    }
}

/// What faultgate and we say otherwise of one recording.
fn differences(answer: &Value) -> Result<Found, String> {
    let parsed = |it: lawbook_diag::Problem| it.to_string();
    let golden = Golden::parse("golden", &answer["golden"].to_string()).map_err(parsed)?;
    let outcomes = Outcomes::parse("outcomes", &answer["outcomes"].to_string()).map_err(parsed)?;
    let given = Given { golden: Some(&golden), outcomes: Some(&outcomes), judged: None };
    let trace = answer["trace"].as_str().unwrap_or_default().as_bytes();
    let wanted = Readings::from(Reading::Faultgate).with(RecordingPart::Measures);
    let (mut found, mut sessions) = (Found::default(), 0);
    read(trace, None, wanted, &Source::new("it"), &Limits::default(), &mut |session| {
        sessions += 1;
        let run = Run::of(session.under(Reading::Faultgate));
        found.hold("scenario", &answer["scenario"].as_str(), &Some(run.scenario().as_str()));
        let measured = |key: &str| answer["measures"][key].as_f64();
        let theirs = Usage {
            tokens: measured("tokens"),
            latency_ms: measured("latency_ms"),
            cost_usd: measured("cost_usd"),
        };
        found.hold("measures", &theirs, &run.usage);
        for (name, said) in answer["told"].as_object().into_iter().flatten() {
            // Where faultgate crashes there is nothing to compare: ours must only say something.
            let ours = named(name).and_then(|it| it.of(&run, &given));
            let theirs = if said["crash"].is_null() { told(said) } else { ours.clone() };
            found.hold(name, &theirs, &ours);
        }
    });
    if sessions == 1 { Ok(found) } else { Err(format!("{sessions} sessions were read")) }
}

fn told(said: &Value) -> Option<Told> {
    Some(Told {
        detected: said["detected"].as_bool()?,
        confidence: said["confidence"].as_f64()?,
        reason: said["reason"].as_str()?.to_owned(),
    })
}
