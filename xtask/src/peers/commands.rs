//! What becomes of the commands that agents ran, under the built-in policy for coding agents and
//! under the short one of the example.
//!
//! The commands stand in the corpus; each recorded call of a command tool is judged where it
//! stands, with the folder that the recording names.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use lawbook_dialect::{Options, load};
use lawbook_engine::{Engine, check};
use lawbook_event::{Event, Skeleton, What};
use lawbook_rule::{Name, NameMatch, Tools, command_tools};
use lawbook_trace::{Limits, Readings, Source, read as read_trace};

use super::corpus::place;
use crate::repo::Repo;
use crate::report::Report;

/// The policies that are measured.
const POLICIES: &[&str] = &["crates/dialect/packs/coding.yaml", "examples/coding/lawbook.yaml"];

/// The folders of the corpus that hold commands.
const FOLDERS: &[&str] =
    &["claude-code", "codex-exec-json", "gemini-cli", "mini-swe-agent", "swe-agent"];

/// How many commands that are not allowed are printed.
const PRINTED_MAX: usize = 200;

/// Measures the shares and prints what is not allowed.
pub fn measure(repo: &Repo, report: &mut Report) -> Result<(), String> {
    let Some(root) = place(repo) else {
        report.skip("the commands: the corpus is not here");
        return Ok(());
    };
    POLICIES.iter().try_for_each(|it| under(repo, &root, it))
}

/// Measures one policy.
fn under(repo: &Repo, root: &Path, name: &str) -> Result<(), String> {
    let loaded = load(name, repo.text(name).as_bytes(), &Options::default());
    let policy = loaded.policy.ok_or_else(|| format!("{name}: {:?}", loaded.problems))?;
    let engine = Engine::new(vec![Arc::new(policy)], None);
    let mut all = Seen::default();
    println!("{name}");
    for folder in FOLDERS {
        let mut seen = Seen::default();
        let files = fs::read_dir(root.join(folder)).map_err(|e| format!("{folder}: {e}"))?;
        let mut files: Vec<_> = files.filter_map(|it| Some(it.ok()?.path())).collect();
        files.sort();
        files.iter().for_each(|it| seen.file(it, &engine));
        println!("{folder}: {}", seen.shares());
        all.add(seen);
    }
    println!("all: {}", all.shares());
    for (text, (verdict, why)) in
        all.distinct.iter().filter(|it| it.1.0 != "allow").take(PRINTED_MAX)
    {
        println!("{verdict}\t{}\t{why}", text.chars().take(200).collect::<String>());
    }
    Ok(())
}

/// The commands that stand in the corpus, each once.
pub fn texts(repo: &Repo) -> Vec<String> {
    let Some(root) = place(repo) else { return Vec::new() };
    let mut texts = Vec::new();
    for folder in FOLDERS {
        let files = fs::read_dir(root.join(folder)).into_iter().flatten();
        for path in files.filter_map(|it| Some(it.ok()?.path())) {
            let Ok(bytes) = fs::read(&path) else { continue };
            let source = Source::new(path.display().to_string());
            let mut take = |session: lawbook_trace::Session<'_>| {
                let calls = session.events.iter().filter_map(|it| match &it.what {
                    What::Call(call) if runs_commands(&call.tool) => Some(call),
                    _ => None,
                });
                texts.extend(calls.filter_map(|it| command(&it.args.text)));
            };
            read_trace(&bytes, None, Readings::FULL, &source, &Limits::default(), &mut take);
        }
    }
    texts
}

/// The command that arguments hold.
fn command(args: &str) -> Option<String> {
    let args: serde_json::Value = serde_json::from_str(args).ok()?;
    ["command", "cmd"].iter().find_map(|it| Some(args.get(it)?.as_str()?.to_owned()))
}

/// The commands that were seen.
#[derive(Default)]
struct Seen {
    calls: BTreeMap<&'static str, u64>,
    /// Each command once, with its strictest verdict and why.
    distinct: BTreeMap<String, (&'static str, String)>,
}

impl Seen {
    fn file(&mut self, path: &Path, engine: &Engine) {
        let Ok(bytes) = fs::read(path) else { return };
        let source = Source::new(path.display().to_string());
        let mut take = |session: lawbook_trace::Session<'_>| self.session(&session.events, engine);
        read_trace(&bytes, None, Readings::FULL, &source, &Limits::default(), &mut take);
    }

    fn session(&mut self, events: &[Event<'_>], engine: &Engine) {
        let checked = check(engine, events);
        for event in events {
            let What::Call(call) = &event.what else { continue };
            if !runs_commands(&call.tool) {
                continue;
            }
            let here = checked.findings.iter().filter(|it| it.step == Some(call.step));
            let strictest = here.max_by_key(|it| it.verdict);
            let unknown = checked.unknowns.iter().any(|it| it.step == Some(call.step));
            let (verdict, why) = match strictest {
                Some(finding) => (finding.verdict.word(), finding.message.clone()),
                None if unknown => ("unknown", String::new()),
                None => ("allow", String::new()),
            };
            *self.calls.entry(verdict).or_default() += 1;
            let kept = self.distinct.entry(call.args.text.to_string());
            let kept = kept.or_insert_with(|| ("allow", String::new()));
            if rank(verdict) > rank(kept.0) {
                *kept = (verdict, why);
            }
        }
    }

    fn add(&mut self, other: Seen) {
        for (verdict, count) in other.calls {
            *self.calls.entry(verdict).or_default() += count;
        }
        self.distinct.extend(other.distinct);
    }

    fn shares(&self) -> String {
        let total: u64 = self.calls.values().sum();
        let mut distinct: BTreeMap<&'static str, u64> = BTreeMap::new();
        for (verdict, _) in self.distinct.values() {
            *distinct.entry(verdict).or_default() += 1;
        }
        let each = self.distinct.len() as u64;
        format!(
            "{total} calls: {}; {each} distinct: {}",
            parts(&self.calls, total),
            parts(&distinct, each)
        )
    }
}

fn parts(counts: &BTreeMap<&'static str, u64>, total: u64) -> String {
    let part = |(verdict, count): (&&str, &u64)| {
        format!("{verdict} {count} ({:.1} %)", *count as f64 * 100.0 / total.max(1) as f64)
    };
    counts.iter().map(part).collect::<Vec<_>>().join(", ")
}

fn rank(verdict: &str) -> usize {
    ["allow", "unknown", "ask", "deny"].iter().position(|it| *it == verdict).unwrap_or(0)
}

fn runs_commands(tool: &str) -> bool {
    let skeleton = Skeleton::new(tool);
    let tools: Tools = command_tools();
    tools.covers(&Name { text: tool, skeleton: &skeleton }, NameMatch::Skeleton)
}
