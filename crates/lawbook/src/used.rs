//! A call id that can't be asked about: it stands for another call, or its call ran already.

use std::sync::Arc;

use lawbook_diag::{Finding, Mode, Verdict};
use lawbook_engine::Held;
use lawbook_rule::Report;

use crate::live::Said;

/// The rule id and the kind of the finding.
pub const USED_ID: &str = "used_id";

/// Why an id can't be asked about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Used {
    /// An earlier call has it.
    Earlier,
    /// It stands in the last message for another tool or other arguments.
    Other,
    /// The call has a result: it ran before anybody asked.
    Ran,
}

impl Used {
    /// What is said of the call: it may not run, whatever the policy says.
    pub fn said(self, id: &str, tool: &str) -> Said {
        let (message, reply) = match self {
            Used::Earlier => ("is used by an earlier call", AGAIN),
            Used::Other => {
                ("stands in the last message for another tool or other arguments", AGAIN)
            }
            Used::Ran => ("has a result already: the call ran before it was asked about", RAN),
        };
        let finding = Finding {
            rule: Arc::from(USED_ID),
            kind: USED_ID,
            verdict: Verdict::Deny,
            step: None,
            step_id: None,
            call_id: Some(id.to_owned()),
            tool: Some(tool.to_owned()),
            path: None,
            message: format!("the call id `{id}` {message}"),
            why: None,
            ran: self == Used::Ran,
            layer: 0,
            mode: Mode::Enforce,
            waived: None,
            evidence: Vec::new(),
            evidence_total: 0,
        };
        let held = Held {
            finding,
            rank: (0, usize::MAX),
            report: Report::Each,
            key: None,
            reply: Some(reply.to_owned()),
            asks: None,
        };
        Said { held: vec![held], verdict: Verdict::Deny, ..Said::default() }
    }
}

const AGAIN: &str = "the id of this call is used already; make the call again under a new id";
const RAN: &str = "this call ran already; read its result instead of making it again";
