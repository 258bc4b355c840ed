//! An answer that says that nothing was found or known.

use std::sync::LazyLock;

use lawbook_event::Pattern;

use crate::words::{is_blank, phrase, quoted};
use crate::{Check, Given, Group, Run, Told};

/// What such answers say.
static PHRASES: LazyLock<Option<Pattern>> = LazyLock::new(|| {
    let unable = "couldn.t|could not|cannot|can.t|unable to|not able to|wasn.t able to\
        |was not able to|did not|didn.t|failed to";
    let search = r"find|locate|retrieve|identify|determine|look\s?up|discover";
    let nothing = "no (?:matching |relevant )?(?:document|information|record|result|source|data)s?";
    let things = "(?:information|answer|record|result|document|data)s?";
    let missing = format!("{things} (?:was |were |is |are )?not (?:found|available)");
    let unknown = "(?:don.t|do not) (?:know|have (?:that|this|any|enough|the) information)";
    phrase(&format!(
        r"\b(?:(?:{unable})(?:\s+\w+){{0,2}}?\s+(?:{search})|{nothing}|{missing}|not found|{unknown})\b"
    ))
});

/// The check.
pub struct Abstention;

impl Check for Abstention {
    fn name(&self) -> &'static str {
        "abstention"
    }

    fn page(&self) -> &'static str {
        include_str!("abstention.md")
    }

    fn group(&self) -> Group {
        Group::Rule
    }

    fn of(&self, run: &Run<'_>, _: &Given<'_>) -> Option<Told> {
        if let Some(found) = quoted(PHRASES.as_ref(), run.answer) {
            return Some(Told::wrong(format!("answer says {found}")));
        }
        let blank = is_blank(run.answer);
        let reason = if blank { "no answer" } else { "answer does not abstain" };
        Some(Told::clean_unless(run.answer_gap(), reason))
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_phrases_compile() {
        assert!(super::PHRASES.is_some());
    }
}
