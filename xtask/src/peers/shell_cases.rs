//! The shared cases of shell commands: rules, a command, and the verdicts that are right.

use std::fs;

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
    let shell = match case["shell"].as_str() {
        Some("powershell") => Shell::PowerShell,
        Some("cmd") => Shell::Cmd,
        Some("zsh") => Shell::Zsh,
        _ => Shell::Bash,
    };
    let world = World { shell, ..World::default() };
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
