//! Two more readers of shell text beside ours: brush-parser and tree-sitter-bash, over the cases,
//! the commands of the corpus and scripts that are made.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use serde_json::Value;

use super::{commands, shell};
use crate::repo::Repo;
use crate::report::Report;
use crate::run;

/// Differences that are meant: the reader, whether a text `is` or `has` what follows, that, and why.
const EXPLAINED: &str = "xtask/peers/oracles.tsv";
/// How long a reader may take for a text.
const PATIENCE: Duration = Duration::from_secs(2);
/// How much memory the process of the readers may take: brush fills all there is on some texts.
const MEMORY_KIB_MAX: u32 = 1 << 20;
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
    let explained = Explained::read(repo)?;
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
    for (text, answer) in texts.iter().zip(ask(&program(repo)?, &texts)?) {
        for reader in READERS {
            let outcome = match answer.as_ref().map(|it| programs(&it[reader])) {
                None => "ended on",
                Some(None) => "rejected",
                Some(Some(theirs)) if same(reader, &theirs, text) => "agreed on",
                Some(Some(_)) if explained.has(reader, text) => "explained",
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
    for reader in READERS {
        let agreed = counts.get(&(reader, "agreed on")).copied().unwrap_or_default();
        if agreed * 2 < texts.len() as u64 {
            wrong.push(format!("{reader} agreed on {agreed} texts alone"));
        }
    }
    let agreed = counts.iter().filter(|it| it.0.1 != "differed on").map(|it| it.1).sum();
    report.count(agreed, wrong.len() as u64);
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}

/// Differences that are meant.
struct Explained {
    rows: Vec<[String; 3]>,
}

impl Explained {
    fn read(repo: &Repo) -> Result<Explained, String> {
        let text = repo.text(EXPLAINED);
        let row = |line: &str| match line.split('\t').collect::<Vec<_>>().as_slice() {
            [reader, how @ ("is" | "has"), text, _why] => {
                Ok([reader, how, text].map(|it| (*it).to_owned()))
            }
            _ => Err(format!("{EXPLAINED}: a reader, `is` or `has`, a text, why: {line}")),
        };
        Ok(Explained { rows: text.lines().skip(1).map(row).collect::<Result<_, _>>()? })
    }

    fn has(&self, reader: &str, text: &str) -> bool {
        let text = escaped(text);
        self.rows.iter().filter(|it| it[0] == reader).any(|it| match it[1].as_str() {
            "is" => it[2] == text,
            _ => text.contains(&it[2]),
        })
    }
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
fn ask(program: &Path, texts: &[String]) -> Result<Vec<Option<Value>>, String> {
    let mut answers = Vec::new();
    while answers.len() < texts.len() {
        let rest = &texts[answers.len()..];
        let (mut child, lines) = start(program, rest)?;
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

/// Builds the program of the readers, and says where it stands.
fn program(repo: &Repo) -> Result<PathBuf, String> {
    let mut build = Command::new(env!("CARGO"));
    build.current_dir(&repo.root).args(["build", "--quiet", "--package", "lawbook-oracles"]);
    // It comes to stand beside this program, which is of the same profile.
    if !cfg!(debug_assertions) {
        build.arg("--release");
    }
    run::pass(&mut build)?;
    let this = std::env::current_exe().map_err(|e| e.to_string())?;
    Ok(this.with_file_name(format!("lawbook-oracles{}", std::env::consts::EXE_SUFFIX)))
}

/// A process that answers about texts, and the lines that it says.
fn start(program: &Path, texts: &[String]) -> Result<(Child, Receiver<String>), String> {
    let mut command = Command::new("sh");
    let bounded = format!("ulimit -c 0; ulimit -v {MEMORY_KIB_MAX}; exec \"$0\"");
    command.args(["-c", &bounded]).arg(program);
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
