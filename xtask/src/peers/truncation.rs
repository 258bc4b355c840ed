//! Recordings of others of which something is cut away: what was refused is refused or unknown,
//! and never passes.
//!
//! Each recording is cut in two ways: among its events, as a reader would have told them, and in
//! the bytes of the file, where a reader has to see that something was cut.

mod bytes;
mod cuts;
mod policy;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use lawbook_dialect::{Options, load};
use lawbook_engine::{Engine, Ruled, recorded};
use lawbook_event::{Args, Event, What};
use lawbook_rule::Profile;
use lawbook_trace::{Limits, Readings, Source, read};

use super::{corpus, parity};
use crate::repo::Repo;
use crate::report::Report;

/// How many sessions of one file are cut.
const SESSIONS_MAX: usize = 6;
/// Sessions with more events are left alone, so that the step ends within a minute.
const EVENTS_MAX: usize = 300;
/// Larger files are not cut in their bytes, since each cut reads them again.
const BYTES_MAX: usize = 200_000;

/// A file of lines that breaks off: the report names the line, and the calls before it stay.
const TORN: &str = "torn tail";

/// The policies of the examples, beside those that are made of what a recording holds.
const EXAMPLES: [&str; 4] = [
    "examples/energy/lawbook.yaml",
    "examples/support/lawbook.yaml",
    "examples/guard/policy.yaml",
    "examples/coding/lawbook.yaml",
];

/// Cuts every recording of the corpus whose path begins with `under`.
pub fn compare(repo: &Repo, under: &str, report: &mut Report) -> Result<(), String> {
    let Some(root) = corpus::place(repo) else {
        report.skip("the corpus: it is not beside the repository, and LAWBOOK_CORPUS is not set");
        return Ok(());
    };
    let index =
        fs::read_to_string(root.join("INDEX.tsv")).map_err(|e| format!("INDEX.tsv: {e}"))?;
    let examples: Vec<Engine> =
        EXAMPLES.iter().map(|path| example(repo, path)).collect::<Result<_, _>>()?;
    let mut tally = Tally::default();
    for path in index.lines().skip(1).filter_map(|line| line.split('\t').next()) {
        if path.starts_with(under) {
            tally.file(&root.join(path), path, &examples)?;
        }
    }
    tally.close(report)
}

fn example(repo: &Repo, path: &str) -> Result<Engine, String> {
    let options = Options { profile: Some(Profile::Strict), ..Options::default() };
    let loaded = load(path, repo.text(path).as_bytes(), &options);
    let problem = loaded.problems.first().map(ToString::to_string);
    let policy = loaded.policy.ok_or_else(|| problem.unwrap_or_default())?;
    Ok(Engine::new(vec![Arc::new(policy)], None))
}

/// What a rule says of a call, or of the run: that it is refused, or that it can't be told.
type Said = BTreeMap<(Option<u32>, String), Ruled>;

fn said(engine: &Engine, events: &[Event<'_>]) -> Said {
    let mut said = Said::new();
    for ruling in recorded(engine, events) {
        for it in &ruling.unknowns {
            said.insert((ruling.step, it.rule.to_string()), Ruled::Unknown);
        }
        for it in &ruling.findings {
            said.insert((ruling.step, it.rule.to_string()), Ruled::Deny);
        }
    }
    said
}

/// What came of one kind of cut.
#[derive(Clone, Copy, Default)]
struct Came {
    stayed: u64,
    unknown: u64,
    passed: u64,
}

#[derive(Default)]
struct Tally {
    sessions: u64,
    came: BTreeMap<&'static str, Came>,
    /// Cuts in bytes after which other calls were read.
    other_calls: u64,
    wrong: Vec<String>,
}

/// A session judged whole, by one policy that objects to something in it.
struct Judged<'j> {
    engine: &'j Engine,
    refused: Vec<(Option<u32>, String)>,
}

impl<'j> Judged<'j> {
    fn of(engine: &'j Engine, events: &[Event<'_>]) -> Option<Self> {
        let said = said(engine, events).into_iter();
        let refused: Vec<_> = said.filter(|it| it.1 == Ruled::Deny).map(|it| it.0).collect();
        (!refused.is_empty()).then_some(Judged { engine, refused })
    }
}

impl Tally {
    fn file(&mut self, path: &Path, name: &str, examples: &[Engine]) -> Result<(), String> {
        let Ok(whole) = fs::read(path) else { return Ok(()) };
        let (source, limits) = (Source::new(name), Limits::default());
        let (mut nth, mut failed) = (0, None);
        read(&whole, None, Readings::FULL, &source, &limits, &mut |session| {
            nth += 1;
            if nth > SESSIONS_MAX || session.events.len() > EVENTS_MAX || session.calls == 0 {
                return;
            }
            let made = parity::engines(&session.events);
            let own = policy::engine(&session.events);
            let (made, own) = match (made, own) {
                (Ok(made), Ok(own)) => (made, own),
                (Err(problem), _) | (_, Err(problem)) => return failed = Some(problem),
            };
            let engines = made.iter().chain([&own]).chain(examples);
            let judged: Vec<Judged<'_>> =
                engines.filter_map(|it| Judged::of(it, &session.events)).collect();
            self.sessions += 1;
            let place = format!("{name} session {nth}");
            for (what, less) in cuts::of(&session.events) {
                self.compare(what, &place, &judged, &less);
            }
            if whole.len() <= BYTES_MAX {
                self.bytes(&whole, nth, &place, &session.events, &judged);
            }
        });
        failed.map_or(Ok(()), Err)
    }

    /// Cuts the file itself and reads it again.
    fn bytes(
        &mut self,
        whole: &[u8],
        nth: usize,
        place: &str,
        events: &[Event<'_>],
        judged: &[Judged<'_>],
    ) {
        for (what, cut) in bytes::of(whole, events) {
            let (source, limits) = (Source::new("cut"), Limits::default());
            let mut at = 0;
            read(&cut, None, Readings::FULL, &source, &limits, &mut |session| {
                at += 1;
                if at != nth {
                    return;
                }
                let (less, whole) = (calls(&session.events), calls(events));
                match less == whole || (what == TORN && whole.starts_with(&less)) {
                    true => self.compare(what, place, judged, &session.events),
                    false => self.other_calls += 1,
                }
            });
        }
    }

    fn compare(
        &mut self,
        what: &'static str,
        place: &str,
        judged: &[Judged<'_>],
        less: &[Event<'_>],
    ) {
        let stays = calls(less);
        for judged in judged {
            let left = said(judged.engine, less);
            // Where the tail is gone, nothing is known of the run.
            let run = what != TORN && less.iter().any(|it| matches!(it.what, What::End(_)));
            let stays = |step: &Option<u32>| match step {
                Some(step) => stays.iter().any(|it| it.0 == *step),
                None => run,
            };
            for key in judged.refused.iter().filter(|it| stays(&it.0)) {
                let came = self.came.entry(what).or_default();
                match left.get(key) {
                    Some(Ruled::Deny) => came.stayed += 1,
                    Some(_) => came.unknown += 1,
                    None => {
                        came.passed += 1;
                        let dialect = judged.engine.layers().first().map_or("", |it| it.dialect);
                        let args = args(less, key.0);
                        self.wrong.push(format!(
                            "{place}, {what}: {key:?} of {dialect} passes with {args:?}"
                        ));
                    }
                }
            }
        }
    }

    fn close(self, report: &mut Report) -> Result<(), String> {
        let sum = |of: fn(&Came) -> u64| self.came.values().map(of).sum::<u64>();
        let (stayed, unknown) = (sum(|it| it.stayed), sum(|it| it.unknown));
        println!("{} sessions cut; what was refused in them, after each cut:", self.sessions);
        for (what, came) in &self.came {
            let Came { stayed, unknown, passed } = came;
            println!("  {what}: {stayed} times still refused, {unknown} unknown, {passed} passed");
        }
        println!("{} cuts in bytes after which other calls are read", self.other_calls);
        report.count(stayed + unknown, self.wrong.len() as u64);
        if !self.wrong.is_empty() {
            return Err(self.wrong.join("\n"));
        }
        match self.came.values().all(|it| it.stayed > 0) && unknown > 0 {
            true => Ok(()),
            false => Err("nothing was refused, so nothing was compared".to_string()),
        }
    }
}

/// The steps of a session with what is called there: two calls may change places where what ties
/// them to their messages is cut.
fn calls(events: &[Event<'_>]) -> Vec<(u32, String)> {
    let calls = events.iter().filter_map(|it| match &it.what {
        What::Call(call) => Some((call.step, format!("{} {}", call.step_id, call.tool))),
        _ => None,
    });
    calls.collect()
}

/// The arguments of a call, for messages.
fn args<'l>(events: &'l [Event<'_>], step: Option<u32>) -> Option<&'l Args<'l>> {
    events.iter().find_map(|it| match &it.what {
        What::Call(call) if Some(call.step) == step => Some(&call.args),
        _ => None,
    })
}
