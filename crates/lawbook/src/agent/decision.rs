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

/// Why an action must not run any more whose answer is told again: a recorded yes is no yes for
/// ever.
fn over(reply: &Reply) -> Option<(&'static str, &'static str)> {
    if !reply.repeated {
        return None;
    }
    if !reply.standing.alive {
        return Some(("terminated", "the agent has ended and may do nothing more"));
    }
    if reply.redeemed {
        return Some(("used", "the action was run before, by a backend that used its grant"));
    }
    if reply.ran || reply.status == Status::Completed {
        return Some(("completed", "the action was run before, and what came of it is told"));
    }
    let joined = reply.joined && reply.status == Status::Allowed;
    joined.then_some(("joined", "the same was asked for before, and whoever did may run it once"))
}

impl Decision {
    pub(super) fn of(reply: Reply) -> Self {
        let action_id = reply.action.clone();
        if let Some((code, told)) = over(&reply) {
            let (code, told) = (code.to_owned(), told.to_owned());
            return Decision::Denied { action_id, code, told, reply: Box::new(reply) };
        }
        match (reply.verdict, reply.status) {
            // What waited when it was asked for the first time may have been allowed since.
            (Verdict::Allow, _) | (Verdict::Ask, Status::Allowed) => Decision::Allowed {
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

#[cfg(test)]
mod tests {
    use lawbook_diag::Verdict;
    use lawbook_session::{Reply, Standing, Status};

    use super::Decision;

    fn reply(verdict: Verdict, status: Status, repeated: bool, alive: bool) -> Reply {
        let standing = Standing {
            alive,
            reason: None,
            budget: None,
            spent: 0,
            remaining: None,
            scar_score: 0,
            scars: 0,
            allowed: 1,
            denied: 0,
            pending: 0,
        };
        Reply {
            action: "act-1".to_owned(),
            verdict,
            findings: Vec::new(),
            rules: vec!["cap".to_owned()],
            unknown: Vec::new(),
            reply: None,
            cost: 0,
            status,
            redeemed: false,
            ran: false,
            repeated,
            joined: false,
            binding: None,
            expires: None,
            people_missing: 0,
            standing,
            notes: Vec::new(),
        }
    }

    #[test]
    fn a_recorded_yes_is_told_as_what_is_true_now() {
        let told = |verdict, status, repeated, alive| {
            let decision = Decision::of(reply(verdict, status, repeated, alive));
            (decision.is_allowed(), decision.code().map(str::to_owned))
        };
        use Status::{Allowed, Completed, Denied, Pending};
        use Verdict::{Allow, Ask, Deny};
        let denied = |code: &str| (false, Some(code.to_owned()));
        assert_eq!(told(Allow, Allowed, true, true), (true, None));
        assert_eq!(told(Allow, Allowed, true, false), denied("terminated"));
        assert_eq!(told(Allow, Completed, true, true), denied("completed"));
        // What takes the last credit ends the agent, and runs.
        assert_eq!(told(Allow, Allowed, false, false), (true, None));
        assert_eq!(told(Ask, Allowed, true, true), (true, None), "approved since");
        assert_eq!(told(Ask, Denied, true, true), denied("cap"), "refused since");
        assert_eq!(told(Ask, Pending, false, true), (false, None));
        assert_eq!(told(Deny, Denied, false, true), denied("cap"));
        let joined = |status| Reply { joined: true, ..reply(Ask, status, true, true) };
        assert_eq!(Decision::of(joined(Allowed)).code(), Some("joined"), "another one's yes");
        assert_eq!(Decision::of(joined(Denied)).code(), Some("cap"));
        assert!(matches!(Decision::of(joined(Pending)), Decision::Pending { .. }));
        let ran = Reply { ran: true, ..reply(Allow, Allowed, true, true) };
        assert_eq!(Decision::of(ran).code(), Some("completed"), "its host told what it returned");
    }
}
