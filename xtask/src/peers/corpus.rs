//! Recorded traces of others, read where they lie: the counts, the calls, and the false alarms.
//!
//! The corpus stands in `../shared/corpus` beside the repository, or where `LAWBOOK_CORPUS` says.
//! Nothing of it is copied, and without it this step says so and passes.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use lawbook_dialect::{Options, load};
use lawbook_engine::{Engine, check};
use lawbook_event::What;
use lawbook_rule::Profile;
use lawbook_trace::{Limits, Readings, Source, read as read_trace};
use serde_json::Value;

use super::{parity, recut, truth as told};
use crate::repo::Repo;
use crate::report::Report;

/// Files whose counts differ from the index on purpose, with what we count and why.
const EXPLAINED: &str = "xtask/peers/corpus.tsv";

/// Reads every file of the corpus whose path begins with `under`.
pub fn read(repo: &Repo, under: &str, report: &mut Report) -> Result<(), String> {
    let Some(root) = place(repo) else {
        report.skip("the corpus: it is not beside the repository, and LAWBOOK_CORPUS is not set");
        return Ok(());
    };
    let index =
        fs::read_to_string(root.join("INDEX.tsv")).map_err(|e| format!("INDEX.tsv: {e}"))?;
    let explained = Explained::read(repo)?;
    let mut tally = Tally::default();
    for line in index.lines().skip(1) {
        let cells: Vec<&str> = line.split('\t').collect();
        if let [path, _, _, _, sessions, calls, ..] = cells.as_slice()
            && path.starts_with(under)
        {
            tally.file(&root, path, [sessions, calls], &explained);
        }
    }
    tally.close(report)
}

/// Where the corpus stands, if it is here.
pub fn place(repo: &Repo) -> Option<PathBuf> {
    let named = std::env::var_os("LAWBOOK_CORPUS").map(PathBuf::from);
    let beside = repo.root.join("../shared/corpus");
    named.or(Some(beside)).filter(|it| it.join("INDEX.tsv").is_file())
}

/// What we count in a file, as `SESSIONS CALLS`, where that is not what the index says.
struct Explained {
    counts: BTreeMap<String, String>,
}

impl Explained {
    fn read(repo: &Repo) -> Result<Explained, String> {
        let mut counts = BTreeMap::new();
        for (number, line) in repo.text(EXPLAINED).lines().enumerate().skip(1) {
            let cells: Vec<&str> = line.split('\t').collect();
            let [path, sessions, calls, _why] = cells.as_slice() else {
                return Err(format!("{EXPLAINED}:{}: a row has four cells", number + 1));
            };
            counts.insert((*path).to_string(), format!("{sessions} {calls}"));
        }
        Ok(Explained { counts })
    }
}

impl Made {
    fn sorted_names(&self) -> Vec<String> {
        let mut names = self.names.clone();
        names.sort();
        names
    }
}

/// What the readers made of one file.
#[derive(Default)]
struct Made {
    format: &'static str,
    sessions: u64,
    calls: u64,
    names: Vec<String>,
    alarms: u64,
    cuts: u64,
    recuts: u64,
    unlike: Vec<String>,
    problems: Vec<String>,
}

#[derive(Default)]
struct Tally {
    equal: u64,
    explained: u64,
    unread: u64,
    agreed: u64,
    unlisted: u64,
    errors_unsaid: u64,
    sessions: u64,
    calls: u64,
    alarms: u64,
    cuts: u64,
    recuts: u64,
    wrong: Vec<String>,
}

impl Tally {
    fn file(&mut self, root: &Path, path: &str, counts: [&str; 2], explained: &Explained) {
        let Some(made) = made(&root.join(path)) else {
            self.unread(path, counts, explained);
            return;
        };
        self.sessions += made.sessions;
        self.calls += made.calls;
        self.alarms += made.alarms;
        self.cuts += made.cuts;
        self.recuts += made.recuts;
        self.wrong.extend(made.unlike.iter().map(|it| format!("{path}: {it}")));
        self.truth(told::compare(root, path), path);
        let got = format!("{} {}", made.sessions, made.calls);
        let truth = truth(root, path);
        let names = |calls: &[String]| calls.join(", ");
        match (explained.counts.get(path), truth) {
            (Some(wanted), _) if *wanted == got => self.explained += 1,
            (Some(wanted), _) => self.differs(path, &made, wanted),
            (None, Some(calls)) if calls == made.sorted_names() => self.agreed += 1,
            (None, Some(calls)) => self.differs(path, &made, &names(&calls)),
            (None, None) if counts.join(" ") == got => self.equal += 1,
            (None, None) => self.differs(path, &made, &counts.join(" ")),
        }
    }

    /// A file that no reader knows; that is right where it holds no session.
    fn unread(&mut self, path: &str, counts: [&str; 2], explained: &Explained) {
        let [sessions, _] = counts;
        match explained.counts.get(path) {
            Some(wanted) if wanted == "0 0" => self.explained += 1,
            Some(wanted) => self.wrong.push(format!("{path}: not read, and {wanted} wanted")),
            None if sessions == "0" => self.unread += 1,
            None => self.wrong.push(format!("{path}: no reader knows it")),
        }
    }

    fn truth(&mut self, compared: Option<told::Compared>, path: &str) {
        let Some(compared) = compared else { return };
        self.unlisted += u64::from(compared.unlisted);
        self.errors_unsaid += u64::from(compared.errors_unsaid);
        self.wrong.extend(compared.wrong.into_iter().map(|it| format!("{path}: {it}")));
    }

    fn differs(&mut self, path: &str, made: &Made, wanted: &str) {
        let (read, names) = (made.format, made.sorted_names().join(", "));
        let line = format!("{path} ({read}): {} {} read, not {wanted}", made.sessions, made.calls);
        let problem = made.problems.first().map_or("", String::as_str);
        self.wrong.push(format!("{line}; {names} {problem}"));
    }

    fn close(self, report: &mut Report) -> Result<(), String> {
        println!("{} files have the counts of the index", self.equal);
        println!("{} files have other counts for a reason ({EXPLAINED})", self.explained);
        println!("{} files hold no session, and no reader takes them", self.unread);
        println!(
            "{} files agree with the truth beside them; of the truth files {} list no calls and {} \
             don't say which failed",
            self.agreed, self.unlisted, self.errors_unsaid
        );
        println!("{} sessions, {} calls", self.sessions, self.calls);
        println!("{} calls judged live as in the recording cut there", self.cuts);
        println!("{} calls judged live as in the chat cut there and read again", self.recuts);
        println!("default denied patterns: {} sessions with a finding", self.alarms);
        let right = self.equal + self.explained + self.agreed;
        report.count(right, self.wrong.len() as u64);
        if self.wrong.is_empty() { Ok(()) } else { Err(self.wrong.join("\n")) }
    }
}

/// Reads one file; none when no reader knows it.
fn made(path: &Path) -> Option<Made> {
    let bytes = fs::read(path).ok()?;
    let engine = default_policy()?;
    let mut made = Made::default();
    let source = Source::new(path.display().to_string());
    let limits = Limits::default();
    let problems = read_trace(&bytes, None, Readings::FULL, &source, &limits, &mut |session| {
        made.format = session.format;
        made.sessions += 1;
        made.calls += u64::from(session.calls);
        made.alarms += u64::from(!check(&engine, &session.events).findings.is_empty());
        match parity::compare(&session.events) {
            Ok((cuts, wrong)) => {
                made.cuts += cuts;
                made.unlike.extend(wrong.into_iter().map(|it| format!("{}: {it}", session.id)));
            }
            Err(problem) => made.unlike.push(problem),
        }
        for event in &session.events {
            if let What::Call(call) = &event.what {
                made.names.push(call.tool.to_string());
            }
        }
    });
    if made.sessions == 0 && problems.iter().all(|it| it.code == "unknown_format") {
        return None;
    }
    if made.format == "openai_chat" {
        match recut::compare(&bytes) {
            Ok((cuts, wrong)) => {
                made.recuts += cuts;
                made.unlike.extend(wrong);
            }
            Err(problem) => made.unlike.push(problem),
        }
    }
    made.problems = problems.iter().map(ToString::to_string).collect();
    Some(made)
}

/// The policy that faultgate uses when it is given none: its default denied patterns.
fn default_policy() -> Option<Engine> {
    let options = Options {
        dialect: Some("faultgate"),
        profile: Some(Profile::Compatible),
        ..Options::default()
    };
    let policy = load("default", b"{}", &options).policy?;
    Some(Engine::new(vec![Arc::new(policy)], None))
}

/// The names of the calls that the truth beside a file lists, sorted.
fn truth(root: &Path, path: &str) -> Option<Vec<String>> {
    let beside = root.join(format!("{}.truth.json", path.strip_suffix(".json")?));
    let truth: Value = serde_json::from_str(&fs::read_to_string(beside).ok()?).ok()?;
    let turns = truth["turns"].as_array().into_iter().flatten();
    let calls = turns.flat_map(|it| it["tool_calls"].as_array().into_iter().flatten());
    let mut names: Vec<String> =
        calls.filter_map(|it| it["name"].as_str().map(str::to_string)).collect();
    names.sort();
    Some(names)
}
