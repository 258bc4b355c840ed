//! A run that ends without an answer because its searches went on until it was stopped.

use lawbook_event::PYTHON;
use lawbook_event::json::Value;

use crate::words::is_blank;
use crate::{Check, Given, Group, Run, Step, Told, json};

/// As many steps count as a cap that nobody names.
const STEPS_CAP: usize = 12;

/// What terminations say of a cap.
const CAP_WORDS: [&str; 6] =
    ["step cap", "step limit", "max steps", "max_steps", "max iterations", "iteration limit"];

/// Keys that count what was found; the first that is there decides.
const COUNT_KEYS: [&str; 4] = ["n_candidates", "count", "n_results", "total"];

/// The check.
pub struct SearchLoop;

impl Check for SearchLoop {
    fn name(&self) -> &'static str {
        "search_loop"
    }

    fn page(&self) -> &'static str {
        include_str!("search_loop.md")
    }

    fn group(&self) -> Group {
        Group::Rule
    }

    fn of(&self, run: &Run<'_>, _: &Given<'_>) -> Option<Told> {
        if !is_blank(run.answer) {
            return Some(Told::clean("answered"));
        }
        if run.steps.is_empty() {
            return Some(Told::clean_unless(run.gap(), "no tool calls"));
        }
        Some(unanswered(run))
    }
}

fn unanswered(run: &Run<'_>) -> Told {
    let steps = run.steps.len();
    let termination = run.termination.to_lowercase();
    let capped = steps >= STEPS_CAP || CAP_WORDS.iter().any(|word| termination.contains(word));
    let empty = run.steps.iter().filter(|step| step.is_recorded() && is_empty(step)).count();
    let unseen = run.steps.iter().filter(|step| !step.is_recorded()).count();
    let half = |count: usize| count.saturating_mul(2) >= steps;
    if capped && !half(empty) && half(empty.saturating_add(unseen)) {
        return Told::unknown(format!("{unseen} of {steps} results were not recorded"));
    }
    // Whether it was capped may stand in what is missing.
    let uncapped = (!capped && half(empty.saturating_add(unseen))).then(|| run.gap()).flatten();
    if let Some(missing) = run.answer_gap().or(uncapped) {
        return Told::unknown(missing);
    }
    let cap = if capped { " (cap)" } else { "" };
    let reason = format!("no answer, {steps} steps{cap}, {} empty results", percent(empty, steps));
    if capped && half(empty) { Told::wrong(reason) } else { Told::clean(reason) }
}

/// As Python's `:.0%`: halves of the binary value go to the even side.
fn percent(part: usize, whole: usize) -> String {
    // Counts of steps are far below the integers that a double can't hold.
    let share = part as f64 / whole as f64;
    format!("{:.0}%", share * 100.0)
}

/// Whether a result holds nothing.
fn is_empty(step: &Step<'_>) -> bool {
    let text = PYTHON.trim(step.result());
    if ["", "[]", "{}", "null", "None"].contains(&text) {
        return true;
    }
    if !text.starts_with(['{', '[']) {
        return false;
    }
    json::read(text).is_some_and(|document| holds_nothing(document.root()))
}

fn holds_nothing(value: Value<'_>) -> bool {
    if !value.is_object() {
        return value.is_array() && value.is_empty();
    }
    if let Some(count) = COUNT_KEYS.iter().find_map(|key| value.get(key)) {
        return is_zero(count);
    }
    let mut lists = value.entries().map(|(_, it)| it).filter(|it| it.is_array()).peekable();
    lists.peek().is_some() && lists.all(|it| it.is_empty())
}

/// Whether Python holds a value for equal to 0.
fn is_zero(value: Value<'_>) -> bool {
    match value.number_text() {
        Some(number) => number.parse::<f64>().is_ok_and(|it| it.abs() <= 0.0),
        None => value.as_bool() == Some(false),
    }
}
