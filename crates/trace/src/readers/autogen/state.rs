//! Saved states: an agent's context, or the thread of a team.

use lawbook_event::json::Value;

use super::message;
use crate::readers::export::text;
use crate::readers::whole::Take;

/// Whether a document is a saved state.
pub fn is_state(root: Value<'_>) -> bool {
    let kind = text(root, &["type"]).unwrap_or("");
    let holds = root.get("llm_context").is_some() || root.get("agent_states").is_some();
    kind.ends_with("State") && holds
}

/// Hands on what a state holds: the thread of a team, which has what all its agents did; else the
/// context of each agent.
pub fn each<'d>(root: Value<'d>, out: &mut Take<'_, 'd>) {
    if let Some(context) = context(root) {
        out("/llm_context", context);
        return;
    }
    let agents = || root.get("agent_states").into_iter().flat_map(Value::entries);
    let threads = agents().filter_map(|(name, state)| {
        let thread = inner(state).get("message_thread")?;
        message::is_list(thread).then_some((name, thread))
    });
    let mut found = false;
    for (name, thread) in threads {
        found = true;
        out(&format!("/agent_states/{name}"), thread);
    }
    if !found {
        for (name, context) in agents().filter_map(|(name, it)| Some((name, context(inner(it))?))) {
            out(&format!("/agent_states/{name}"), context);
        }
    }
}

/// A team wraps the state of each agent once more.
fn inner(state: Value<'_>) -> Value<'_> {
    state.get("agent_state").filter(|it| it.is_object()).unwrap_or(state)
}

fn context(state: Value<'_>) -> Option<Value<'_>> {
    let context = state.get("llm_context")?;
    context.get("messages").is_some_and(Value::is_array).then_some(context)
}
