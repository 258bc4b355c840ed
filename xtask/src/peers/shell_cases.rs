//! The shared cases of shell commands: rules, a command, and the verdicts that are right.

use std::fs;

use lawbook_dialect::{Options, load};
use lawbook_shell::{Matcher, Prefix, Rule, Rules, Shell, Verdict, World, analyse, judge};
use serde_json::Value;

use super::corpus;
use crate::repo::Repo;
use crate::report::Report;

/// Judges every case, and says which verdicts are none of those that are right.
pub fn compare(repo: &Repo, report: &mut Report) -> Result<(), String> {
    let path =
        corpus::place(repo).map(|it| it.with_file_name("conformance").join("shell_cases.json"));
    let Some(text) = path.and_then(|it| fs::read_to_string(it).ok()) else {
        report.skip("the shared shell cases, which are not here");
        return Ok(());
    };
    let cases: Vec<Value> = serde_json::from_str(&text).map_err(|e| e.to_string())?;
    let wrong: Vec<String> =
        cases.iter().filter_map(|it| difference(it).transpose()).collect::<Result<_, _>>()?;
    let right = cases.len() - wrong.len();
    println!("{right} of {} shared shell cases have a verdict that is right", cases.len());
    report.count(right as u64, wrong.len() as u64);
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}

/// The policies for coding agents.
const POLICIES: &[&str] = &["crates/dialect/packs/coding.yaml", "examples/coding/lawbook.yaml"];
/// Commands of bypass cases that they may allow: the text and why.
const ALLOWED: &str = "xtask/peers/allowed.tsv";

/// Judges every bypass case under the policies for coding agents, and says which of them run
/// without a question although no right verdict allows them.
pub fn policies(repo: &Repo, report: &mut Report) -> Result<(), String> {
    let path =
        corpus::place(repo).map(|it| it.with_file_name("conformance").join("shell_cases.json"));
    let Some(text) = path.and_then(|it| fs::read_to_string(it).ok()) else {
        report.skip("the shared shell cases, which are not here");
        return Ok(());
    };
    let cases: Vec<Value> = serde_json::from_str(&text).map_err(|e| e.to_string())?;
    let bypasses: Vec<&Value> = cases.iter().filter(|it| it["kind"] == "bypass").collect();
    let allowed = repo.text(ALLOWED);
    let meant = |name: &str| allowed.lines().any(|it| it.split('\t').next() == Some(name));
    let (mut wrong, mut asked) = (Vec::new(), 0_u64);
    for path in POLICIES {
        let loaded = load(path, repo.text(path).as_bytes(), &Options::default());
        let policy = loaded.policy.ok_or_else(|| format!("{path}: {:?}", loaded.problems))?;
        for case in &bypasses {
            let command = case["command"].as_str().unwrap_or_default();
            let world = World {
                shell: shell(case),
                cwd: Some("/code/app"),
                workspace: Some("/code/app"),
                home: Some("/srv/dev"),
            };
            let analysis = analyse(command, &world);
            let rules = policy.rules.iter().filter_map(|it| it.body.commands());
            let verdict = rules.map(|it| judge(&analysis, it.0, &world).verdict).max();
            let name = case["name"].as_str().unwrap_or_default();
            if verdict != Some(Verdict::Allow) || meant(name) {
                asked += 1;
            } else {
                wrong.push(format!("{path} allows {name}: {command:?}"));
            }
        }
    }
    println!("{asked} bypass cases are stopped by the policies for coding agents");
    report.count(asked, wrong.len() as u64);
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}

fn shell(case: &Value) -> Shell {
    match case["shell"].as_str() {
        Some("powershell") => Shell::PowerShell,
        Some("cmd") => Shell::Cmd,
        Some("zsh") => Shell::Zsh,
        _ => Shell::Bash,
    }
}

fn difference(case: &Value) -> Result<Option<String>, String> {
    let list = |value: &Value| -> Vec<String> {
        let items = value.as_array().into_iter().flatten();
        items.filter_map(Value::as_str).map(str::to_string).collect()
    };
    let mut entries = Vec::new();
    for (key, verdict) in
        [("allow", Verdict::Allow), ("ask", Verdict::Ask), ("deny", Verdict::Deny)]
    {
        for text in list(&case["policy_rules"][key]) {
            let prefix = Prefix::parse(&text).map_err(|e| format!("{text}: {}", e.message))?;
            entries.push(Rule { matcher: Matcher::Prefix(prefix), verdict, text });
        }
    }
    let rules = Rules { entries, ..Rules::default() };
    let world = World { shell: shell(case), ..World::default() };
    let command = case["command"].as_str().unwrap_or_default();
    let judged = judge(&analyse(command, &world), &rules, &world);
    let verdict = match judged.verdict {
        Verdict::Allow => "allow",
        Verdict::Ask => "prompt",
        Verdict::Deny => "forbid",
    };
    let mut right = list(&case["also_ok"]);
    right.extend(case["expected"].as_str().map(str::to_string));
    let reasons: Vec<_> = judged.reasons.iter().map(|it| it.message.as_str()).collect();
    Ok((!right.iter().any(|it| it == verdict)).then(|| {
        format!("{}: {verdict}, not {}: {command:?} {reasons:?}", case["name"], right.join(" or "))
    }))
}
