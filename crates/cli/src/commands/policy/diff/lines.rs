//! One flip, with what is printed of it.

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::sync::Arc;

use lawbook_engine::{Cause, Flip, Ruled, Ruling, Side, Which};
use lawbook_event::{Event, What};
use lawbook_trace::Session;

use super::gather::Sort;
use crate::masking;

/// Characters that are kept of a message; longer ones are cut where they are printed.
const MESSAGE_CHARS: usize = 1_000;

/// One flip.
pub struct Line {
    /// The session.
    pub session: String,
    /// Where it stands.
    pub source: String,
    /// The step; none for the run.
    pub step: Option<u32>,
    /// The printed id of the step; empty for the run.
    pub step_id: String,
    /// The tool; empty for the run.
    pub tool: String,
    /// What each policy says.
    pub old: Said,
    /// The same of the new one.
    pub new: Said,
    /// The verdict that is left.
    pub from: Ruled,
    /// The verdict that is new.
    pub to: Ruled,
    /// The rules that make the stricter verdict.
    pub rules: Vec<Arc<str>>,
    /// What the first of them says.
    pub message: String,
    /// Why it flips.
    pub cause: Cause,
    /// The calls that no longer happen, for what follows from them.
    pub caused_by: Vec<(u32, String)>,
}

/// What one policy says of a call.
#[derive(Clone, Debug)]
pub struct Said {
    /// None where its reading has no such call.
    pub verdict: Option<Ruled>,
    /// The rules that object, and those that could not be judged.
    pub rules: Vec<Arc<str>>,
}

impl Line {
    /// What is kept of a flip.
    pub fn new(session: &Session<'_>, flip: Flip, old: Side<'_>, new: Side<'_>) -> Self {
        let rules = flip.rules();
        let (from, to) = (flip.from(), flip.to());
        let strict = if from > to { &flip.old } else { &flip.new };
        let message = strict.as_ref().map(|it| message(it, &rules)).unwrap_or_default();
        let (events, ruling) = match &flip.new {
            Some(ruling) => (new.events, Some(ruling)),
            None => (old.events, flip.old.as_ref()),
        };
        let (step_id, tool) = named(ruling.and_then(|it| events.get(it.place)));
        let caused_by = match &flip.cause {
            Cause::First { .. } => Vec::new(),
            Cause::KnockOn { side: Which::Old, steps, .. } => ids(old.events, steps),
            Cause::KnockOn { side: Which::New, steps, .. } => ids(new.events, steps),
        };
        Line {
            session: masking::key(&session.id).into_owned(),
            source: session.source.clone(),
            step: ruling.and_then(|it| it.step),
            step_id: masking::text(&step_id).into_owned(),
            tool: masking::text(&tool).into_owned(),
            old: Said::new(flip.old.as_ref()),
            new: Said::new(flip.new.as_ref()),
            from,
            to,
            rules,
            message,
            cause: flip.cause,
            caused_by,
        }
    }

    /// Whether it follows from another flip, or from a call that both policies refuse.
    pub fn is_knock_on(&self) -> bool {
        matches!(self.cause, Cause::KnockOn { .. })
    }

    /// Whether the verdict flips on what was recorded alone: under enforcement both agree.
    pub fn is_moot(&self) -> bool {
        self.cause == Cause::First { stands: false }
    }

    /// Whether no single call is the cause.
    pub fn is_together(&self) -> bool {
        matches!(self.cause, Cause::KnockOn { together: true, .. })
    }

    /// What it has in common with others.
    pub fn sort(&self) -> Sort {
        Sort {
            knock_on: self.is_knock_on(),
            to: Reverse(self.to),
            from: self.from,
            rules: self.rules.clone(),
        }
    }

    /// Why it is no plain flip, in words.
    pub fn aside(&self) -> Option<String> {
        if self.is_moot() {
            return Some(
                "under enforcement both say the same, as earlier calls are gone".to_owned(),
            );
        }
        let steps: Vec<String> = self.caused_by.iter().map(|it| it.0.to_string()).collect();
        match &*steps {
            [] => None,
            [step] => Some(format!("because step {step} no longer happens")),
            _ => Some(format!("because steps {} no longer happen", steps.join(", "))),
        }
    }
}

impl Said {
    fn new(ruling: Option<&Ruling>) -> Self {
        let Some(ruling) = ruling else { return Said { verdict: None, rules: Vec::new() } };
        let found = ruling.findings.iter().filter(|it| it.counts()).map(|it| it.rule.clone());
        let unknown = ruling.unknowns.iter().filter(|it| it.counts).map(|it| it.rule.clone());
        let rules: BTreeSet<Arc<str>> = found.chain(unknown).collect();
        Said { verdict: Some(ruling.verdict), rules: rules.into_iter().collect() }
    }
}

fn message(ruling: &Ruling, rules: &[Arc<str>]) -> String {
    let found = ruling.findings.iter().filter(|it| it.counts() && rules.contains(&it.rule));
    let found = found.map(|it| &it.message);
    let unknown = ruling.unknowns.iter().filter(|it| it.counts && rules.contains(&it.rule));
    let first = found.chain(unknown.map(|it| &it.message)).next();
    first.map(|it| kept(it)).unwrap_or_default()
}

/// What is kept of a message. It is masked whole: the half of a secret is known by nothing.
fn kept(message: &str) -> String {
    masking::text(message).chars().take(MESSAGE_CHARS).collect()
}

fn named(event: Option<&Event<'_>>) -> (String, String) {
    match event.map(|it| &it.what) {
        Some(What::Call(call)) => (call.step_id.to_string(), call.tool.to_string()),
        _ => (String::new(), String::new()),
    }
}

fn ids(events: &[Event<'_>], steps: &[u32]) -> Vec<(u32, String)> {
    let calls = events.iter().filter_map(|it| match &it.what {
        What::Call(call) if steps.contains(&call.step) => {
            Some((call.step, masking::text(&call.step_id).into_owned()))
        }
        _ => None,
    });
    calls.collect()
}

#[cfg(test)]
mod tests {
    use lawbook_event::{Args, Call, Event, Ran, What};

    use super::{MESSAGE_CHARS, ids, kept};

    const SECRET: &str = "jo.doe@mail.example";

    fn call(step: u32, id: &'static str) -> Event<'static> {
        let call = Call {
            step,
            step_id: id.into(),
            id: None,
            server: None,
            tool: "pay".into(),
            args: Args::default(),
            hindsight: None,
            ran: Ran::Yes,
            confirmed: false,
            cwd: None,
            cost: None,
        };
        Event { at: None, place: 0, message: 0, what: What::Call(call) }
    }

    #[test]
    fn ids_of_causes_are_masked() {
        let found = ids(&[call(1, "m1.c0"), call(2, SECRET), call(3, "m3.c0")], &[1, 2]);
        assert_eq!(found, [(1, "m1.c0".to_owned()), (2, "<EMAIL>".to_owned())]);
    }

    #[test]
    fn a_message_is_masked_before_it_is_cut() {
        let before = ". ".repeat(MESSAGE_CHARS / 2 - 3);
        let said = kept(&format!("{before}{SECRET} and more"));
        assert_eq!(said.chars().count(), MESSAGE_CHARS);
        assert!(said.ends_with("<EMAIL"), "{said}");
    }
}
