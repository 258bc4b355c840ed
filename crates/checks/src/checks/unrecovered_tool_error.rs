//! An error after which nothing of the kind worked.

use std::collections::BTreeSet;

use crate::{Check, Given, Group, Run, Told};

/// The check.
pub struct UnrecoveredToolError;

impl Check for UnrecoveredToolError {
    fn name(&self) -> &'static str {
        "unrecovered_tool_error"
    }

    fn page(&self) -> &'static str {
        include_str!("unrecovered_tool_error.md")
    }

    fn group(&self) -> Group {
        Group::Rule
    }

    fn of(&self, run: &Run<'_>, _: &Given<'_>) -> Option<Told> {
        let errors: Vec<Option<String>> = run.steps.iter().map(|step| step.error()).collect();
        if let Some(reason) = of_steps(run, &errors).or_else(|| of_turns(run, &errors)) {
            return Some(Told::wrong(reason));
        }
        let missing = run.unseen().or_else(|| run.gap().map(str::to_owned));
        Some(Told::clean_unless(missing, "no unrecovered tool errors"))
    }
}

/// The first step whose error no later call of the same tool makes good.
fn of_steps(run: &Run<'_>, errors: &[Option<String>]) -> Option<String> {
    let mut recovered: BTreeSet<&str> = BTreeSet::new();
    let mut first = None;
    for (step, error) in run.steps.iter().zip(errors).rev() {
        match error {
            Some(why) if !recovered.contains(step.tool) => first = Some((step, why)),
            Some(_) => {}
            None => {
                recovered.insert(step.tool);
            }
        }
    }
    let (step, why) = first?;
    let tool = step.tool;
    Some(format!(
        "Tool '{tool}' failed at step {} ({why}) and no subsequent call to '{tool}' succeeded.",
        step.number
    ))
}

/// The first span with an error after which no span without one carries calls that all worked.
fn of_turns(run: &Run<'_>, errors: &[Option<String>]) -> Option<String> {
    let failed: BTreeSet<u32> = run
        .steps
        .iter()
        .zip(errors)
        .filter(|(_, error)| error.is_some())
        .map(|(step, _)| step.number)
        .collect();
    let works = |turn: &lawbook_event::TurnEnd<'_>| {
        turn.error.is_none()
            && !turn.steps.is_empty()
            && !turn.steps.iter().any(|step| failed.contains(step))
    };
    let last_good = run.turns.iter().rposition(works);
    let mut wrong = run.turns.iter().enumerate().filter(|(_, turn)| turn.error.is_some());
    let (at, turn) = wrong.find(|(at, _)| last_good.is_none_or(|good| good < *at))?;
    let why = turn.error.as_deref()?;
    let count = run.turns.len();
    Some(format!("Unrecovered span error at span {} of {count}: {why}", at.saturating_add(1)))
}
