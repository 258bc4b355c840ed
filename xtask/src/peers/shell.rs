//! Commands as bash reads them: what our parser finds in the shared cases, in our own table and in
//! scripts that are made so that what stands in them is known.

mod generate;

use std::fs;
use std::process::{Command, Stdio};

use lawbook_shell::{RedirectKind, Script, Unclear, parse};
use serde_json::Value;

use super::corpus;
use crate::repo::Repo;
use crate::report::Report;

/// Differences that are meant: the text and why.
const EXPLAINED: &str = "xtask/peers/shell.tsv";
/// How many scripts are made.
const SCRIPTS: u64 = 400;

/// Compares with the facts of the shared cases whose names begin with `under`, and with bash.
pub fn compare(repo: &Repo, under: &str, seed: u64, report: &mut Report) -> Result<(), String> {
    let explained = repo.text(EXPLAINED);
    let meant = |text: &str| explained.lines().any(|it| it.split('\t').next() == Some(text));
    let mut wrong = Vec::new();
    let mut texts = table(repo);
    match corpus::place(repo).map(|it| it.join("../conformance/shell_cases.json")) {
        Some(path) if path.is_file() => {
            let cases = cases(&fs::read_to_string(path).map_err(|e| e.to_string())?)?;
            for case in cases.into_iter().filter(|it| it.name.starts_with(under)) {
                let found = (programs(&case.text), writes(&case.text));
                if found != (case.programs, case.writes) && !meant(&case.text) {
                    wrong.push(format!("{}: {found:?}", case.name));
                }
                texts.push(case.text);
            }
        }
        _ => report.skip("the shared cases: they stand beside the corpus, which is not here"),
    }
    for number in 0..SCRIPTS {
        let made = generate::script(seed.wrapping_add(number));
        if programs(&made.text) != made.programs {
            wrong.push(format!("made: {:?}: {:?}", made.text, programs(&made.text)));
        }
        texts.push(made.text);
    }
    let bash = Command::new("bash").arg("--version").output().is_ok();
    if !bash {
        report.skip("bash: it is not here");
    }
    for text in texts.iter().filter(|it| bash && !it.contains('\0')) {
        if takes(text)? != is_valid(&parse(text)) && !meant(text) {
            wrong.push(format!("bash says otherwise: {text:?}"));
        }
    }
    println!("{} texts are read as bash reads them", texts.len().saturating_sub(wrong.len()));
    report.count(texts.len().saturating_sub(wrong.len()) as u64, wrong.len() as u64);
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}

/// Every text that is compared: our own table, the shared cases and scripts that are made.
pub fn texts(repo: &Repo, seed: u64) -> Result<Vec<String>, String> {
    let mut texts = table(repo);
    let path = corpus::place(repo).map(|it| it.join("../conformance/shell_cases.json"));
    if let Some(path) = path.filter(|it| it.is_file()) {
        let cases = cases(&fs::read_to_string(path).map_err(|e| e.to_string())?)?;
        texts.extend(cases.into_iter().map(|it| it.text));
    }
    texts.extend((0..SCRIPTS).map(|it| generate::script(seed.wrapping_add(it)).text));
    Ok(texts)
}

/// One shared case.
struct Case {
    name: String,
    text: String,
    programs: Vec<String>,
    writes: Vec<String>,
}

fn cases(text: &str) -> Result<Vec<Case>, String> {
    let cases: Vec<Value> = serde_json::from_str(text).map_err(|e| e.to_string())?;
    let list = |it: &Value| -> Option<Vec<String>> {
        let mut found: Vec<String> =
            it.as_array()?.iter().filter_map(|it| it.as_str().map(str::to_owned)).collect();
        found.sort();
        Some(found)
    };
    let case = |it: &Value| {
        (it["shell"] == "bash").then_some(Case {
            name: it["name"].as_str()?.to_owned(),
            text: it["command"].as_str()?.to_owned(),
            programs: list(&it["programs"])?,
            writes: list(&it["writes"])?,
        })
    };
    Ok(cases.iter().filter_map(case).collect())
}

/// The texts of our own table.
fn table(repo: &Repo) -> Vec<String> {
    let text = repo.text("conformance/shell/parse.tsv");
    let rows = text.lines().filter(|it| !it.starts_with('#'));
    rows.filter_map(|it| it.split('\t').next()).map(unescaped).collect()
}

fn unescaped(text: &str) -> String {
    let hidden = text.replace("\\\\", "\0");
    let shown = hidden.replace("\\n", "\n").replace("\\t", "\t").replace("\\r", "\r");
    shown.replace('\0', "\\")
}

/// The programs that we find, but for `[[`, which others do not count as one.
pub fn programs(text: &str) -> Vec<String> {
    let script = parse(text);
    let words = script.commands.iter().filter_map(|it| it.words.first());
    let name = |it: &lawbook_shell::Word| it.literal().unwrap_or_else(|| "<dynamic>".to_owned());
    let mut found: Vec<String> = words.map(name).filter(|it| it != "[[").collect();
    found.sort();
    found
}

fn writes(text: &str) -> Vec<String> {
    let kinds = [RedirectKind::Write, RedirectKind::Append, RedirectKind::ReadWrite];
    let script = parse(text);
    let redirects = script.commands.iter().flat_map(|it| &it.redirects);
    let shown = |it: &lawbook_shell::Redirect| match it.target.shown() {
        home if home.starts_with('~') => home,
        _ => it.target.literal().unwrap_or_else(|| "<dynamic>".to_owned()),
    };
    let mut found: Vec<String> =
        redirects.filter(|it| kinds.contains(&it.what)).map(shown).collect();
    found.sort();
    found
}

fn is_valid(script: &Script) -> bool {
    !script.unclear.iter().any(|it| matches!(it, Unclear::Syntax { .. }))
}

/// Whether bash takes a text, with or without its patterns in parentheses. It runs nothing.
fn takes(text: &str) -> Result<bool, String> {
    for options in [&["-n", "-c"][..], &["-O", "extglob", "-n", "-c"]] {
        let mut bash = Command::new("bash");
        bash.args(options).arg(text).stdin(Stdio::null()).stderr(Stdio::null());
        if bash.status().map_err(|e| format!("bash: {e}"))?.success() {
            return Ok(true);
        }
    }
    Ok(false)
}
