//! What the model is told of a call that may not run: what is wrong, and what would make it right.
//!
//! Nothing goes in that a rule's owner or its kind did not put there for the model: messages of
//! findings hold values of the session, and the model is not to learn those by trying.

use lawbook_diag::{Unknown, Verdict};
use lawbook_engine::Held;

/// Objections that one reply tells; the rest is counted.
const TOLD_MAX: usize = 8;

/// The longest objection that is told whole, in characters: it may quote the call's own arguments.
const CHARS_MAX: usize = 500;

/// The reply; none where the call may run.
#[must_use]
pub fn reply(verdict: Verdict, held: &[Held], unknown: &[Unknown]) -> Option<String> {
    let opening = match verdict {
        Verdict::Allow => return None,
        Verdict::Ask => "a person must say yes first: ",
        Verdict::Deny => "blocked by policy: ",
    };
    let found = held.iter().filter(|it| it.finding.counts()).map(objection);
    let gaps = unknown.iter().filter(|it| it.verdict != Verdict::Allow).map(gap);
    let mut all: Vec<String> = Vec::new();
    for one in found.chain(gaps) {
        if !all.contains(&one) {
            all.push(one);
        }
    }
    let more = all.len().saturating_sub(TOLD_MAX);
    all.truncate(TOLD_MAX);
    let mut told: String = all.join("; ");
    if more > 0 {
        told.push_str(&format!("; and {more} more"));
    }
    Some(format!("{opening}{told}"))
}

fn objection(held: &Held) -> String {
    let rule = &held.finding.rule;
    match &held.reply {
        Some(words) => cut(words),
        None => format!("the rule `{rule}` does not let this call run"),
    }
}

fn gap(unknown: &Unknown) -> String {
    format!(
        "the rule `{}` can't be judged, for want of its {}",
        unknown.rule,
        cut(&unknown.missing)
    )
}

/// Long words lose their middle: what a rule wants stands at the end, after what it was given.
fn cut(words: &str) -> String {
    let chars = words.chars().count();
    if chars <= CHARS_MAX {
        return words.to_owned();
    }
    let half = CHARS_MAX / 2;
    let head: String = words.chars().take(half).collect();
    let tail: String = words.chars().skip(chars.saturating_sub(half)).collect();
    format!("{head}…{tail}")
}
