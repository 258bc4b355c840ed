//! What was expected, what came, and the sentence that says how they differ.

use lawbook_diag::{Finding, Unknown};
use lawbook_engine::Standing as Stands;

use crate::case::{Expect, Expectation, Settled};
use crate::happening::Standing;
use crate::run::Difference;
use crate::subject::Heard;

/// What a call must be where nothing is said: allowed, without findings and without unknowns.
pub fn nothing_held() -> Expect {
    Expect::Said(Expectation {
        verdict: Some("allow".to_owned()),
        rules: Some(Vec::new()),
        unknown: Some(Vec::new()),
        ..Expectation::default()
    })
}

/// Compares what a door said with what was expected.
pub fn heard(expect: &Expect, heard: &Heard) -> Vec<Difference> {
    match (expect, heard.misuse) {
        (Expect::Misuse(code), Some(came)) if code == came => Vec::new(),
        (Expect::Misuse(code), came) => {
            vec![Difference::new("error", code, came.unwrap_or("no error"))]
        }
        (Expect::Said(_), Some(code)) => {
            vec![Difference::new("error", "no error", code)]
        }
        (Expect::Said(said), None) => said_differs(said, heard),
    }
}

fn said_differs(said: &Expectation, heard: &Heard) -> Vec<Difference> {
    let mut out = Vec::new();
    let mut compare = |what: &str, wanted: Option<String>, came: String| {
        if let Some(wanted) = wanted.filter(|it| *it != came) {
            out.push(Difference::new(what, &wanted, &came));
        }
    };
    compare("verdict", said.verdict.clone(), heard.verdict.word().to_owned());
    let rules: Vec<&str> = heard.findings.iter().map(|it| &*it.rule).collect();
    let unknown: Vec<&str> = heard.unknowns.iter().map(|it| &*it.rule).collect();
    compare("rules", said.rules.as_deref().map(list), list(&rules));
    compare("unknown", said.unknown.as_deref().map(list), list(&unknown));
    let code = rules.first().copied().unwrap_or("none");
    compare("code", said.code.clone(), code.to_owned());
    let path = heard.findings.first().and_then(|it| it.path.as_deref()).unwrap_or("none");
    compare("path", said.path.clone(), path.to_owned());
    let charge = heard.charge.as_ref();
    number("cost", said.cost, charge.map(|it| it.cost), &mut out);
    number("remaining", said.remaining, charge.map(|it| it.remaining), &mut out);
    if !out.is_empty() {
        let messages = heard.findings.iter().map(|it| it.message.clone());
        let unknowns = heard.unknowns.iter().map(|it| it.message.clone());
        let said: Vec<String> = messages.chain(unknowns).collect();
        if let (Some(last), false) = (out.last_mut(), said.is_empty()) {
            last.got.push_str(&format!(" ({})", said.join("; ")));
        }
    }
    out
}

fn number(what: &str, wanted: Option<u64>, came: Option<u64>, out: &mut Vec<Difference>) {
    if let Some(wanted) = wanted.filter(|it| came != Some(*it)) {
        let came = came.map_or("none".to_owned(), |it| it.to_string());
        out.push(Difference::new(what, &wanted.to_string(), &came));
    }
}

/// Compares how an agent stands with what was expected. A door without an agent tells only how many
/// calls wait.
pub fn standing(wanted: &Standing, came: Option<&Stands>, pending: usize) -> Vec<Difference> {
    let mut out = Vec::new();
    let pending = came.map_or(u64::try_from(pending).ok(), |it| Some(it.pending));
    if let Some(wanted) = wanted.alive.filter(|it| came.map(|it| it.alive) != Some(*it)) {
        let came = came.map_or("none".to_owned(), |it| it.alive.to_string());
        out.push(Difference::new("alive", &wanted.to_string(), &came));
    }
    let reason = came.and_then(|it| it.reason.as_deref());
    if let Some(wanted) = wanted.reason.as_deref().filter(|it| reason != Some(*it)) {
        out.push(Difference::new("reason", wanted, reason.unwrap_or("none")));
    }
    for (what, wanted, came) in [
        ("budget", wanted.budget, came.and_then(|it| it.budget)),
        ("spent", wanted.spent, came.map(|it| it.spent)),
        ("remaining", wanted.remaining, came.and_then(|it| it.remaining)),
        ("scar_score", wanted.scar_score, came.map(|it| u64::from(it.scar_score))),
        ("scars", wanted.scars, came.map(|it| it.scars)),
        ("allowed", wanted.allowed, came.map(|it| it.allowed)),
        ("denied", wanted.denied, came.map(|it| it.denied)),
        ("pending", wanted.pending, pending),
    ] {
        number(what, wanted, came, &mut out);
    }
    out
}

fn list<T: AsRef<str>>(names: &[T]) -> String {
    let names: Vec<&str> = names.iter().map(AsRef::as_ref).collect();
    format!("[{}]", names.join(", "))
}

/// Compares the list of `check` with the one that was expected.
pub fn settled(wanted: &[Settled], came: &[Finding]) -> Vec<Difference> {
    let same = |wanted: &Settled, came: &Finding| {
        wanted.step_id == came.step_id
            && *wanted.rule == *came.rule
            && wanted.message.as_ref().is_none_or(|it| *it == came.message)
    };
    let longest = wanted.len().max(came.len());
    let mut out = Vec::new();
    for place in 0..longest {
        let (want, have) = (wanted.get(place), came.get(place));
        if let (Some(want), Some(have)) = (want, have)
            && same(want, have)
        {
            continue;
        }
        let with_message = want.is_none_or(|it| it.message.is_some());
        let want = want.map_or("nothing more".to_owned(), |it| {
            line(it.step_id.as_deref(), &it.rule, it.message.as_deref())
        });
        let have = have.map_or("nothing more".to_owned(), |it| {
            let message = with_message.then_some(&*it.message);
            line(it.step_id.as_deref(), &it.rule, message)
        });
        out.push(Difference::new(&format!("settled[{place}]"), &want, &have));
    }
    out
}

/// Compares what `check` can't tell with what was expected, by step and rule.
pub fn unknown(wanted: &[Settled], came: &[Unknown]) -> Vec<Difference> {
    let wanted: Vec<String> =
        wanted.iter().map(|it| line(it.step_id.as_deref(), &it.rule, None)).collect();
    let came: Vec<String> =
        came.iter().map(|it| line(it.step_id.as_deref(), &it.rule, None)).collect();
    let differs = wanted != came;
    differs.then(|| Difference::new("unknown", &list(&wanted), &list(&came))).into_iter().collect()
}

fn line(step: Option<&str>, rule: &str, message: Option<&str>) -> String {
    let step = step.unwrap_or("null");
    match message {
        Some(message) => format!("[{step}, {rule}, {message:?}]"),
        None => format!("[{step}, {rule}]"),
    }
}
