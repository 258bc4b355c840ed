//! Policy checks made ready, and what they make of each trace.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use lawbook_diag::Problem;
use lawbook_dialect::{Options, load};
use lawbook_engine::{Engine, check};
use lawbook_event::json::{Document, Grammar, Limits, Value};
use lawbook_event::{JAVASCRIPT, Path as ValuePath};
use lawbook_rule::{Policy, Profile, names};
use lawbook_trace::{Readings, Session};

use super::file::{Check, PmstackFile};
use super::sessions;
use crate::policies::now;

/// The dialect of the policies in pmstack's files.
pub const DIALECT: &str = "pmstack";

/// What became of one check.
#[derive(Debug, Default)]
pub struct Ran {
    /// Its id.
    pub id: String,
    /// Its type.
    pub kind: String,
    /// The failure mode that it is about.
    pub mode: String,
    /// Its name.
    pub name: String,
    /// Whether this program runs checks of its type.
    pub was_run: bool,
    /// The traces that fail it.
    pub fails: Vec<String>,
    /// The traces on which it could not be run.
    pub errors: Vec<String>,
    /// The traces on which something could not be told.
    pub unknown: Vec<String>,
    /// Why it could not be run on any.
    pub error: Option<String>,
}

/// What became of all checks.
#[derive(Debug, Default)]
pub struct Results {
    /// The checks.
    pub checks: Vec<Ran>,
    /// The ids of the traces.
    pub traces: Vec<String>,
    /// How many calls they hold.
    pub calls: u64,
    /// What could not be read.
    pub problems: Vec<Problem>,
}

/// A check that is ready.
struct Ready {
    engine: Engine,
    reading: lawbook_event::Reading,
    when: Option<When>,
}

/// What must be so of a trace for a check to apply.
struct When {
    path: ValuePath,
    equals: String,
}

/// Runs checks over the traces of a file, or over others instead.
///
/// # Errors
/// When there are no traces to read.
pub fn run(
    file: &PmstackFile,
    checks: &[Check<'_>],
    profile: Profile,
    instead: Option<&Path>,
) -> Result<Results, Problem> {
    let mut results = Results::default();
    let mut ready = Vec::new();
    let mut wanted = Readings::FULL;
    for check in checks {
        let mut ran = Ran {
            id: check.id.to_owned(),
            kind: check.kind.to_owned(),
            mode: check.mode.to_owned(),
            name: check.name.to_owned(),
            was_run: check.is_policy(),
            ..Ran::default()
        };
        let made = check.is_policy().then(|| prepared(file, check, profile));
        let made = made.and_then(|made| made.map_err(|why| ran.error = Some(why)).ok());
        if let Some(made) = &made {
            wanted = wanted.and(made.reading);
        }
        ready.push(made);
        results.checks.push(ran);
    }
    let problems = sessions::each(file, instead, wanted, &mut |session| {
        results.traces.push(session.id.to_string());
        results.calls = results.calls.saturating_add(u64::from(session.calls));
        for (ran, ready) in results.checks.iter_mut().zip(&ready) {
            match ready {
                Some(ready) => ready.judge(session, ran),
                None if ran.was_run => ran.errors.push(session.id.to_string()),
                None => {}
            }
        }
    })?;
    results.problems = problems;
    Ok(results)
}

/// A policy check made ready, or why it can't be run.
fn prepared(file: &PmstackFile, check: &Check<'_>, profile: Profile) -> Result<Ready, String> {
    let Some(policy) = check.value.get("policy").filter(|it| it.is_object()) else {
        return Err("it holds no policy".to_owned());
    };
    let user_word = Some(file.user_word());
    let options = Options { dialect: Some(DIALECT), profile: Some(profile), user_word };
    let loaded = load(check.id, policy.raw().as_bytes(), &options);
    let Some(mut policy) = loaded.policy else {
        let first = loaded.problems.into_iter().next().map(|it| it.message);
        return Err(format!("its policy is refused: {}", first.unwrap_or_default()));
    };
    keep(&mut policy, &check.rule_ids())?;
    let reading = policy.reading;
    let when = check.value.get("when").and_then(When::of);
    Ok(Ready { engine: Engine::new(vec![Arc::new(policy)], now()), reading, when })
}

/// Keeps these rules, if any are named. A check of a rule that is not there would pass everything.
fn keep(policy: &mut Policy, ids: &[String]) -> Result<(), String> {
    let unknown = ids.iter().filter(|it| !policy.has_rule(it));
    let unknown: Vec<String> = unknown.map(|it| format!("`{it}`")).collect();
    if !unknown.is_empty() {
        return Err(format!("`ruleIds` names what its policy has not: {}", unknown.join(", ")));
    }
    if !ids.is_empty() {
        policy.retain(|rule| ids.iter().any(|it| names(&rule.id, it)));
    }
    Ok(())
}

impl Ready {
    fn judge(&self, session: &Session<'_>, ran: &mut Ran) {
        let events = session.under(self.reading);
        if self.when.as_ref().is_some_and(|it| !it.holds(session)) {
            return;
        }
        let checked = check(&self.engine, events);
        if checked.findings.iter().any(|it| it.counts()) {
            ran.fails.push(session.id.to_string());
        } else if !checked.unknowns.is_empty() {
            ran.unknown.push(session.id.to_string());
        }
    }
}

impl When {
    fn of(value: Value<'_>) -> Option<Self> {
        let path = value.get("path").and_then(Value::as_str).filter(|it| !it.is_empty())?;
        let equals = value.get("equals").map(shown).unwrap_or_default();
        Some(When { path: ValuePath::parse(path), equals })
    }

    /// Whether it holds of a trace: of its recording, else of what pmstack makes of it.
    fn holds(&self, session: &Session<'_>) -> bool {
        let start = session.events.iter().find_map(|it| match &it.what {
            lawbook_event::What::Start(start) => Some(start),
            _ => None,
        });
        let own = session.own.iter().flat_map(|it| &it.1).find_map(|it| match &it.what {
            lawbook_event::What::Start(start) => Some(start),
            _ => None,
        });
        let Some(start) = own.or(start) else { return self.equals.is_empty() };
        let there = [&start.recording, &start.normalised].into_iter().find_map(|text| {
            let document = Document::parse(text, Grammar::Python, &Limits::DEFAULT).ok()?;
            JAVASCRIPT.path(document.root(), &self.path).map(shown)
        });
        there.unwrap_or_default() == self.equals
    }
}

/// The text that pmstack compares.
fn shown(value: Value<'_>) -> String {
    if value.is_null() { String::new() } else { JAVASCRIPT.text(value).into_owned() }
}

impl Results {
    /// The traces that pass every check that was run.
    pub fn passing(&self) -> usize {
        let kept = |ran: &Ran| ran.fails.iter().chain(&ran.errors).cloned().collect::<Vec<_>>();
        let failing: BTreeSet<String> = self.checks.iter().flat_map(kept).collect();
        self.traces.iter().filter(|it| !failing.contains(*it)).count()
    }
}
