//! What an agent is told of a request.

use lawbook_diag::Verdict;
use lawbook_session::{Finding, Reply, Status};

/// The decision on a request, or on a person's yes or no.
#[derive(Clone, Debug, PartialEq)]
pub enum Decision {
    /// The action may run, once.
    Allowed {
        /// The action, as in `act-4`.
        action_id: String,
        /// What it cost, in credits.
        cost: u64,
        /// What is left of the agent's budget, in credits; none without a budget.
        remaining: Option<u64>,
        /// All that was said.
        reply: Box<Reply>,
    },
    /// A person must say yes first.
    Pending {
        /// The action, as in `act-4`.
        action_id: String,
        /// The digest of what a yes covers.
        binding: Option<String>,
        /// All that was said.
        reply: Box<Reply>,
    },
    /// The action may not run.
    Denied {
        /// The action, as in `act-4`.
        action_id: String,
        /// The id of the rule that objects first, as in `tool_not_allowed`.
        code: String,
        /// The same for the model.
        told: String,
        /// All that was said.
        reply: Box<Reply>,
    },
}

impl Decision {
    pub(super) fn of(reply: Reply) -> Self {
        let action_id = reply.action.clone();
        match (reply.verdict, reply.status) {
            (Verdict::Allow, _) => Decision::Allowed {
                action_id,
                cost: reply.cost,
                remaining: reply.standing.remaining,
                reply: Box::new(reply),
            },
            (Verdict::Ask, Status::Pending) => {
                let binding = reply.binding.clone();
                Decision::Pending { action_id, binding, reply: Box::new(reply) }
            }
            (Verdict::Ask | Verdict::Deny, _) => Decision::Denied {
                action_id,
                code: reply.rules.iter().chain(&reply.unknown).next().cloned().unwrap_or_default(),
                told: reply.reply.clone().unwrap_or_default(),
                reply: Box::new(reply),
            },
        }
    }

    /// The action, as in `act-4`.
    #[must_use]
    pub fn action_id(&self) -> &str {
        &self.reply().action
    }

    /// Whether the action may run.
    #[must_use]
    pub fn is_allowed(&self) -> bool {
        matches!(self, Decision::Allowed { .. })
    }

    /// The id of the rule that objects first; none where nothing is denied.
    #[must_use]
    pub fn code(&self) -> Option<&str> {
        match self {
            Decision::Denied { code, .. } => Some(code),
            Decision::Allowed { .. } | Decision::Pending { .. } => None,
        }
    }

    /// What was held against it.
    #[must_use]
    pub fn findings(&self) -> &[Finding] {
        &self.reply().findings
    }

    /// All that was said.
    #[must_use]
    pub fn reply(&self) -> &Reply {
        match self {
            Decision::Allowed { reply, .. }
            | Decision::Pending { reply, .. }
            | Decision::Denied { reply, .. } => reply,
        }
    }
}
