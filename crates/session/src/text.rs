//! Texts that lie apart from the record and can be erased: what was asked, said and answered.

use serde::{Deserialize, Serialize};

/// The texts of one entry.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Texts {
    /// The arguments of the request.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub args: Option<String>,
    /// What somebody said, what a tool returned, a reason or a detail.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub words: Option<String>,
    /// What was held against it, in words.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<Finding>,
    /// What was told the model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reply: Option<String>,
    /// Why the agent was marked, in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scar: Option<String>,
}

/// A finding, as it is recorded and told again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Finding {
    /// The rule's id.
    pub rule: String,
    /// The rule's kind.
    pub kind: String,
    /// What the rule asks for: `ask` or `deny`, or `allow` where it only notes.
    pub verdict: String,
    /// What is wrong.
    pub message: String,
    /// The argument path that it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// Why the rule is there, in its owner's words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// The earlier steps of the conversation that it rests on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub evidence: Vec<u32>,
}

impl Texts {
    /// The bytes, where there is anything to keep.
    pub fn bytes(&self) -> Option<Vec<u8>> {
        if *self == Texts::default() {
            return None;
        }
        serde_json::to_vec(self).ok()
    }

    /// The texts that bytes hold.
    pub fn read(bytes: &[u8]) -> Option<Self> {
        serde_json::from_slice(bytes).ok()
    }
}

impl Finding {
    /// A finding, to be kept.
    pub(crate) fn of(finding: &lawbook_diag::Finding) -> Self {
        Finding {
            rule: finding.rule.to_string(),
            kind: finding.kind.to_owned(),
            verdict: finding.verdict.word().to_owned(),
            message: finding.message.clone(),
            path: finding.path.clone(),
            why: finding.why.as_deref().map(str::to_owned),
            evidence: finding.evidence.iter().map(|it| it.step).collect(),
        }
    }
}
