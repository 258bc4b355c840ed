//! A run as text for a judge.

use crate::words::is_blank;
use crate::{Run, Step};

/// A rendering is no longer than this, unless its head alone is.
pub const BUDGET_CHARS: usize = 24_000;

const PROMPT_CHARS: usize = 600;
const ANSWER_CHARS: usize = 400;
const STEP_CHARS: usize = 160;

/// So many first steps always stand there.
const STEPS_FIRST: usize = 2;

/// Room that is left for the line that says how many steps were left out.
const OMITTED_CHARS: usize = 24;

/// Takes secrets out of a text.
type Masking<'m> = &'m dyn Fn(&str) -> String;

/// A run in at most so many characters, each long text cut. Texts are masked before they are cut:
/// the head of a secret is known by nobody.
#[must_use]
pub fn rendering(run: &Run<'_>, budget_chars: usize, mask: Masking<'_>) -> String {
    let head = head(run, mask);
    let lines: Vec<String> = run.steps.iter().map(|step| line(step, mask)).collect();
    let size = |lines: &[String]| -> usize {
        lines.iter().map(|it| it.chars().count().saturating_add(1)).fold(0, usize::saturating_add)
    };
    let used = head.chars().count();
    if used.saturating_add(size(&lines)) <= budget_chars {
        return joined(head, &lines, 0, &[]);
    }
    let (first, rest) = lines.split_at(STEPS_FIRST.min(lines.len()));
    let used = used.saturating_add(size(first)).saturating_add(OMITTED_CHARS);
    let mut room = budget_chars.saturating_sub(used);
    let fits = |it: &&String| match room.checked_sub(it.chars().count().saturating_add(1)) {
        Some(left) => {
            room = left;
            true
        }
        None => false,
    };
    let last = rest.iter().rev().take_while(fits).count();
    let omitted = rest.len().saturating_sub(last);
    joined(head, first, omitted, rest.get(omitted..).unwrap_or_default())
}

fn joined(head: String, first: &[String], omitted: usize, last: &[String]) -> String {
    let mut out = vec![head];
    out.extend_from_slice(first);
    if omitted > 0 {
        out.push(format!("... {omitted} steps omitted ..."));
    }
    out.extend_from_slice(last);
    out.join("\n")
}

fn head(run: &Run<'_>, mask: Masking<'_>) -> String {
    let cut = |text: &str, chars| cut(&mask(text), chars);
    let or = |text: String, other: &str| if is_blank(&text) { other.to_owned() } else { text };
    [
        format!("Agent: {}", cut(&run.agent(), STEP_CHARS)),
        format!("Prompt: {}", cut(run.prompt, PROMPT_CHARS)),
        format!("Steps used: {}", run.steps.len()),
        format!("Termination: {}", or(cut(run.termination, STEP_CHARS), "unknown")),
        format!("Final answer: {}", or(cut(run.answer, ANSWER_CHARS), "(none)")),
    ]
    .join("\n")
}

fn line(step: &Step<'_>, mask: Masking<'_>) -> String {
    let (tool, args, result) = (step.tool, step.args, step.result());
    let [tool, args, result] = [tool, args, result].map(|it| cut(&mask(it), STEP_CHARS));
    format!("Step {}: {tool} {args} -> {result}", step.number)
}

/// A text on one line, cut to so many characters, the last of them an ellipsis.
fn cut(text: &str, chars: usize) -> String {
    let mut out: String = text.chars().take(chars).collect();
    if text.chars().nth(chars).is_some() {
        out.pop();
        out.push('…');
    }
    // Words of a run begin no line of the rendering.
    out.replace(['\n', '\r', '\u{85}', '\u{2028}', '\u{2029}'], " ")
}
