//! What approvers decided: calls that they changed or stopped.

use std::collections::BTreeMap;

use lawbook_event::json::Value;

use crate::readers::export::text;

/// The decisions of a sample by the id of the call.
#[derive(Debug, Default)]
pub struct Approvals<'d> {
    by_call: BTreeMap<&'d str, Decision<'d>>,
}

/// The last decision on a call.
#[derive(Clone, Copy, Debug)]
pub enum Decision<'d> {
    /// It ran as this call.
    Changed(Value<'d>),
    /// It did not run.
    Stopped,
    /// It ran as it was asked.
    Passed,
}

impl<'d> Approvals<'d> {
    /// Those among the events of a sample. An id that several calls have decides nothing.
    pub fn of(events: Value<'d>) -> Self {
        let mut by_call = BTreeMap::new();
        let approvals = events.items().filter(|it| text(*it, &["event"]) == Some("approval"));
        for event in approvals {
            let Some(id) = event.get("call").and_then(|it| text(it, &["id"])) else { continue };
            let modified = event.get("modified").filter(|it| it.is_object());
            let decision = match (text(event, &["decision"]), modified) {
                (Some("reject" | "terminate"), _) => Decision::Stopped,
                (Some("modify"), Some(call)) => Decision::Changed(call),
                _ => Decision::Passed,
            };
            by_call.insert(id, decision);
        }
        Approvals { by_call }
    }

    /// The decision on a call.
    pub fn on(&self, id: Option<&str>) -> Option<Decision<'d>> {
        self.by_call.get(id?).copied()
    }
}
