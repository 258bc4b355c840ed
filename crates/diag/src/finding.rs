//! One rule's objection to one event, and what a rule could not tell.

use std::sync::Arc;

use crate::Verdict;

/// Whether a rule's objections count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// They decide verdicts and exit codes.
    #[default]
    Enforce,
    /// They are listed and touch nothing.
    Observe,
}

impl Mode {
    /// The word that policies and reports use.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Mode::Enforce => "enforce",
            Mode::Observe => "observe",
        }
    }
}

/// One rule's objection to one event.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// The rule's id.
    pub rule: Arc<str>,
    /// The rule's kind.
    pub kind: &'static str,
    /// What the rule asks for.
    pub verdict: Verdict,
    /// The step it is about; none on a message or the run.
    pub step: Option<u32>,
    /// The id of the step or message that reports print.
    pub step_id: Option<String>,
    /// The caller's own id of the call.
    pub call_id: Option<String>,
    /// The tool, where it is about a call.
    pub tool: Option<String>,
    /// The argument path it is about.
    pub path: Option<String>,
    /// What is wrong, for the reader of a report.
    pub message: String,
    /// Why the rule is there, in its owner's words.
    pub why: Option<Arc<str>>,
    /// Whether the call ran all the same.
    pub ran: bool,
    /// The policy that objects, counted from 0 in the order given.
    pub layer: usize,
    /// Whether it counts.
    pub mode: Mode,
    /// The reason of the waiver that takes it out, if one does.
    pub waived: Option<Arc<str>>,
    /// The earlier steps it rests on, newest last, at most 16.
    pub evidence: Vec<Evidence>,
    /// How many earlier steps it rests on.
    pub evidence_total: usize,
}

impl Finding {
    /// Whether the finding touches verdicts and exit codes.
    #[must_use]
    pub fn counts(&self) -> bool {
        self.mode == Mode::Enforce && self.waived.is_none() && self.verdict != Verdict::Allow
    }
}

/// An earlier step that a finding rests on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Evidence {
    /// The step.
    pub step: u32,
    /// Its printed id.
    pub step_id: String,
    /// The words in it that matter.
    pub quote: Option<String>,
}

/// A rule that could not be judged on an event, and what was missing.
#[derive(Clone, Debug, PartialEq)]
pub struct Unknown {
    /// The rule's id.
    pub rule: Arc<str>,
    /// The rule's kind.
    pub kind: &'static str,
    /// The step it is about; none on the run.
    pub step: Option<u32>,
    /// The printed id of that step.
    pub step_id: Option<String>,
    /// What was missing: `arguments`, `result of step 3`, `time`.
    pub missing: String,
    /// The same, as a sentence for the reader of a report.
    pub message: String,
    /// The policy that asks, counted from 0 in the order given.
    pub layer: usize,
    /// False where the rule says that its unknowns are notes (`on_unknown: note`).
    pub counts: bool,
    /// What the unknown means at a live door.
    pub verdict: Verdict,
}
