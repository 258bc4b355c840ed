//! A model that was cut at its token limit, or a context that was too long for it.

use std::sync::LazyLock;

use lawbook_event::{PYTHON, Pattern, TurnEnd};

use crate::words::{phrase, quoted};
use crate::{Check, Given, Group, Run, Step, Told};

/// Why a model stops that was cut.
const CUT_REASONS: [&str; 5] =
    ["length", "max_tokens", "max_output_tokens", "model_length", "model_context_window_exceeded"];

/// What is said of a context that is too long.
static PHRASES: LazyLock<Option<Pattern>> = LazyLock::new(|| {
    phrase(
        "context[ _-]?length[ _-]?exceeded|maximum context length\
        |context[ _-]?window[ _-]?(?:exceeded|overflow)\
        |exceeds?\\s+the\\s+(?:model's\\s+)?(?:context|token)\\s+(?:window|limit)\
        |prompt is too long|too many (?:input )?tokens|token limit (?:reached|exceeded)\
        |max(?:imum)?[ _-]?tokens? (?:limit )?(?:reached|exceeded)\
        |exceeds?\\s+the\\s+maximum\\s+number\\s+of\\s+tokens\
        |input is too long for (?:the )?requested model",
    )
});

/// The check.
pub struct ContextOverflow;

impl Check for ContextOverflow {
    fn name(&self) -> &'static str {
        "context_overflow"
    }

    fn page(&self) -> &'static str {
        include_str!("context_overflow.md")
    }

    fn group(&self) -> Group {
        Group::Rule
    }

    fn of(&self, run: &Run<'_>, _: &Given<'_>) -> Option<Told> {
        let turns = run.turns.iter().enumerate();
        let mut found = turns.filter_map(|(at, turn)| of_turn(at.saturating_add(1), turn));
        let mut steps = run.steps.iter().filter_map(of_step);
        let ended = || {
            let found = quoted(PHRASES.as_ref(), run.termination)?;
            Some(format!("run terminated: {found}"))
        };
        let reason = found.next().or_else(|| steps.next()).or_else(ended);
        Some(match reason {
            Some(reason) => Told::wrong(reason),
            None => {
                let missing = run.unseen().or_else(|| run.gap().map(str::to_owned));
                Told::clean_unless(missing, "no context overflow or token cutoff")
            }
        })
    }
}

fn of_turn(number: usize, turn: &TurnEnd<'_>) -> Option<String> {
    let cut = turn.finish.iter().find(|why| CUT_REASONS.contains(&why.to_lowercase().as_str()));
    let span = format_args!("span {number} ({})", turn.name).to_string();
    if let Some(why) = cut {
        let why = PYTHON.quote(why);
        return Some(format!(
            "{span} stopped on finish reason {why}: output cut at the token limit"
        ));
    }
    if let Some(found) = quoted(PHRASES.as_ref(), &turn.message) {
        return Some(format!("{span} status: {found}"));
    }
    let found = quoted(PHRASES.as_ref(), &turn.error_type)?;
    Some(format!("{span} error.type: {found}"))
}

/// A result says so only where it is an error: documents speak of anything.
fn of_step(step: &Step<'_>) -> Option<String> {
    let found = quoted(PHRASES.as_ref(), step.result())?;
    let failed = PYTHON.trim(step.result()).starts_with("Error") || step.error().is_some();
    failed.then(|| format!("step {} ({}) result: {found}", step.number, step.tool))
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_phrases_compile() {
        assert!(super::PHRASES.is_some());
    }
}
