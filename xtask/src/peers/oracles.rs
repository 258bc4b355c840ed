//! Two more readers of shell text beside ours: brush-parser and tree-sitter-bash, over the cases,
//! the commands of the corpus and scripts that are made.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use serde_json::Value;

use super::{commands, shell};
use crate::repo::Repo;
use crate::report::Report;

/// Differences that are meant: the reader, the text and why.
const EXPLAINED: &str = "xtask/peers/oracles.tsv";
/// How long a reader may take for a text.
const PATIENCE: Duration = Duration::from_secs(20);
/// How long a text may be.
const BYTES_MAX: usize = 8 * 1024;
/// How many characters of a text may open something.
const OPENERS_MAX: usize = 256;
/// The readers.
const READERS: [&str; 2] = ["brush", "tree-sitter"];
/// What tree-sitter-bash reads as something else than a command.
const DECLARED: &[&str] =
    &["[", "[[", "declare", "export", "local", "readonly", "typeset", "unset", "unsetenv"];

/// Says where the readers find other programs than we do.
pub fn compare(repo: &Repo, seed: u64, report: &mut Report) -> Result<(), String> {
    let explained = repo.text(EXPLAINED);
    let meant = |reader: &str, text: &str| {
        let text = escaped(text);
        explained.lines().any(|it| {
            let mut cells = it.split('\t');
            cells.next() == Some(reader) && cells.next() == Some(&text)
        })
    };
    let mut texts = shell::texts(repo, seed)?;
    texts.extend(commands::texts(repo));
    texts.sort();
    texts.dedup();
    let all = texts.len();
    let opens = |it: char| matches!(it, '(' | '{' | '`' | '[');
    texts.retain(|it| it.len() <= BYTES_MAX && it.matches(opens).count() <= OPENERS_MAX);
    println!("{} texts, {} of them too long for other readers", all, all - texts.len());
    let mut wrong = Vec::new();
    let mut counts: BTreeMap<(&str, &str), u64> = BTreeMap::new();
    for (text, answer) in texts.iter().zip(ask(&texts)?) {
        for reader in READERS {
            let outcome = match answer.as_ref().map(|it| programs(&it[reader])) {
                None => "ended on",
                Some(None) => "rejected",
                Some(Some(theirs)) if same(reader, &theirs, text) => "agreed on",
                Some(Some(_)) if meant(reader, text) => "explained",
                Some(Some(theirs)) => {
                    let ours = shell::programs(text);
                    wrong.push(format!("{reader}\t{}\t{theirs:?}, not {ours:?}", escaped(text)));
                    "differed on"
                }
            };
            *counts.entry((reader, outcome)).or_default() += 1;
        }
    }
    for ((reader, outcome), count) in &counts {
        println!("{reader} {outcome} {count}");
    }
    let agreed = counts.iter().filter(|it| it.0.1 != "differed on").map(|it| it.1).sum();
    report.count(agreed, wrong.len() as u64);
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('\n', "\\n").replace('\t', "\\t").replace('\r', "\\r")
}

fn programs(answer: &Value) -> Option<Vec<String>> {
    let names = answer.as_array()?.iter().filter_map(|it| it.as_str().map(str::to_owned));
    Some(names.collect())
}

fn same(reader: &str, theirs: &[String], text: &str) -> bool {
    let counts = |it: &&String| reader == "brush" || !DECLARED.contains(&it.as_str());
    let ours = shell::programs(text);
    ours.iter().filter(counts).eq(theirs.iter().filter(counts))
}

/// What the readers say of each text; none where they end on it, or take too long.
fn ask(texts: &[String]) -> Result<Vec<Option<Value>>, String> {
    let mut answers = Vec::new();
    while answers.len() < texts.len() {
        let rest = &texts[answers.len()..];
        let (mut child, lines) = start(rest)?;
        for _ in rest {
            let line = lines.recv_timeout(PATIENCE).ok();
            let answer = line.and_then(|it| serde_json::from_str(&it).ok());
            let ended = answer.is_none();
            answers.push(answer);
            if ended {
                break;
            }
        }
        child.kill().ok();
        child.wait().map_err(|e| format!("lawbook-oracles: {e}"))?;
    }
    Ok(answers)
}

/// A process that answers about texts, and the lines that it says.
fn start(texts: &[String]) -> Result<(Child, Receiver<String>), String> {
    let program = std::env::current_exe().map_err(|e| e.to_string())?;
    let program = program.with_file_name("lawbook-oracles");
    if !program.exists() {
        return Err("build `lawbook-oracles` in the profile of xtask first".to_owned());
    }
    let mut command = Command::new(program);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().map_err(|e| format!("lawbook-oracles: {e}"))?;
    let (input, output) = (child.stdin.take(), child.stdout.take());
    let lines: Vec<String> = texts.iter().map(|it| Value::from(it.as_str()).to_string()).collect();
    std::thread::spawn(move || {
        let mut input = input?;
        lines.iter().try_for_each(|it| writeln!(input, "{it}")).ok()
    });
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        let lines = BufReader::new(output?).lines();
        lines.map_while(Result::ok).try_for_each(|it| sender.send(it)).ok()
    });
    Ok((child, receiver))
}
