//! A policy: a named set of rules, ready for the engine.

use std::collections::BTreeMap;
use std::sync::Arc;

use lawbook_diag::{Mode, Verdict};
use lawbook_event::{Reading, RecordingPart, Severity, Time};

use crate::kind::Body;
use crate::{Access, Condition, Manner};

/// A named set of rules.
#[derive(Debug)]
pub struct Policy {
    /// The policy's own name.
    pub name: Option<String>,
    /// The dialect that it is written in.
    pub dialect: &'static str,
    /// Which reading of the dialect is meant.
    pub profile: Profile,
    /// `sha256:` and the digest of the file's bytes; empty until the edge fills it in.
    pub digest: String,
    /// Who answers for it.
    pub owner: Option<String>,
    /// What it does not cover, in its owner's words.
    pub not_covered: Vec<String>,
    /// Which reading of a recording it is judged over.
    pub reading: Reading,
    /// How it reads values, names and results.
    pub manner: Manner,
    /// Whether all objections count or the first alone.
    pub pick: Pick,
    /// The rules, in the order in which they report.
    pub rules: Vec<Rule>,
    /// Findings that are taken out for a time.
    pub waivers: Vec<Waiver>,
    /// The tools that it lists, with what they do.
    pub tools: BTreeMap<String, Option<Access>>,
}

/// Which reading of a dialect is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Profile {
    /// Exactly what the system itself finds, faults included.
    Compatible,
    /// The full reading, with the faults closed.
    Strict,
    /// The one reading of a dialect that has only one.
    Native,
}

impl Profile {
    /// The word that reports use.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Profile::Compatible => "compatible",
            Profile::Strict => "strict",
            Profile::Native => "native",
        }
    }
}

/// Whether all objections to a call count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pick {
    /// All of them.
    All,
    /// The first in the order of rules.
    First,
}

/// One demand of a policy.
#[derive(Debug)]
pub struct Rule {
    /// Its id, unique in the policy; rules that one key of a file stands for share it.
    pub id: Arc<str>,
    /// Why it is there, in its owner's words.
    pub why: Option<Arc<str>>,
    /// What the model is told, where it differs.
    pub tell: Option<Arc<str>>,
    /// When it applies; always, if there is no condition.
    pub when: Option<Condition>,
    /// What it asks for when it is not met.
    pub verdict: Verdict,
    /// Whether its objections count.
    pub mode: Mode,
    /// What an unknown means.
    pub on_unknown: OnUnknown,
    /// Which of its objections are reported.
    pub report: Report,
    /// The mark that a call leaves on the agent which it refuses, if it leaves one.
    pub scar: Option<Severity>,
    /// The demand.
    pub body: Box<dyn Body>,
}

/// What an unknown means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnUnknown {
    /// The rule's own verdict.
    OwnVerdict,
    /// A person must say yes.
    Ask,
    /// It may not run.
    Deny,
    /// Offline it is a note that touches no exit code; live, the rule's own verdict.
    Note,
}

/// Which of a rule's objections are reported over a whole recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Report {
    /// Each.
    Each,
    /// The first for each key, after those that stand on calls.
    First,
    /// One for the run, after those that stand on calls.
    Run,
}

/// A finding that is taken out for a time.
#[derive(Clone, Debug, PartialEq)]
pub struct Waiver {
    /// The rule whose findings it takes out.
    pub rule: String,
    /// What must be so for a finding to be taken out; each key is a member of the finding or the
    /// session: `tool`, `step_id`, `session`.
    pub matching: BTreeMap<String, String>,
    /// Why.
    pub why: Arc<str>,
    /// Who says so.
    pub by: String,
    /// The moment from which on it waives nothing.
    pub until: Option<Time>,
}

impl Policy {
    /// Whether a rule of this id, with or without an index behind it, is in the policy.
    #[must_use]
    pub fn has_rule(&self, id: &str) -> bool {
        self.rules.iter().any(|it| names(&it.id, id))
    }

    /// Whether a rule looks at a part of the recording beside its events.
    #[must_use]
    pub fn looks_at(&self, part: RecordingPart) -> bool {
        self.rules.iter().any(|rule| {
            rule.body.watches().part == Some(part)
                || rule.when.as_ref().is_some_and(|it| it.looks_at(part))
        })
    }

    /// Keeps only the rules that `keep` wants.
    pub fn retain(&mut self, keep: impl FnMut(&Rule) -> bool) {
        self.rules.retain(keep);
    }
}

/// Whether `wanted` names a rule: its whole id, or its id without the index.
#[must_use]
pub fn names(id: &str, wanted: &str) -> bool {
    id == wanted
        || id.strip_prefix(wanted).is_some_and(|rest| rest.starts_with('[') && rest.ends_with(']'))
}
