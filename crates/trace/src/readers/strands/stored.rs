//! The files in which Strands stores a session: one for each message, and two about all of them.

use std::borrow::Cow;
use std::collections::BTreeSet;

use lawbook_diag::Problem;
use lawbook_event::Start;
use lawbook_event::json::Value;

use super::message;
use crate::content;
use crate::readers::export::{get, text};
use crate::readers::whole::{self, Told};
use crate::{Note, Part, Session, Source, Untold};

/// The stored messages of one agent.
#[derive(Default)]
struct Agent<'d> {
    session_id: Option<&'d str>,
    about: Option<Value<'d>>,
    messages: Vec<(u64, &'d Part<'d>)>,
    numbers: BTreeSet<u64>,
}

/// Whether a document is one of these files.
pub fn is_file(root: Value<'_>) -> bool {
    is_message(root) || is_session(root) || is_agent(root)
}

fn is_message(root: Value<'_>) -> bool {
    let message = root.get("message").is_some_and(message::is_message);
    message && number(root).is_some() && root.get("created_at").is_some()
}

fn is_session(root: Value<'_>) -> bool {
    root.get("session_id").is_some() && root.get("session_type").is_some()
}

fn is_agent(root: Value<'_>) -> bool {
    root.get("agent_id").is_some() && root.get("conversation_manager_state").is_some()
}

fn number(root: Value<'_>) -> Option<u64> {
    root.get("message_id")?.number_text()?.parse().ok()
}

/// Reads the files of one or several sessions, which stand one after another in one input.
pub fn read<'d>(
    format: &'static str,
    parts: &'d [Part<'d>],
    source: &Source,
    out: &mut dyn FnMut(Untold<'d>),
) -> Vec<Problem> {
    let mut problems = Vec::new();
    let agents = agents(parts);
    // A file alone is a piece of a session, and what it leaves out would be judged as not done.
    let whole = parts.len() > 1 && agents.iter().any(|it| !it.messages.is_empty());
    if !whole {
        let message = "this is one file of a stored session, of which each message has its own";
        let problem = Problem::new(source.name.clone(), "part_of_session", message).help(
            "give all of them as one input, as in `cat AGENT/messages/*.json | lawbook check -`",
        );
        return vec![problem];
    }
    for agent in agents.into_iter().filter(|it| !it.messages.is_empty()) {
        out(session(format, agent, source).into());
    }
    for part in parts.iter().filter(|part| !is_file(part.document.root())) {
        problems.push(whole::missing(source, part, "this is no file of a stored session"));
    }
    problems
}

/// The agents: a new one begins with a file about an agent or a session, or with a message whose
/// number the last one has.
fn agents<'d>(parts: &'d [Part<'d>]) -> Vec<Agent<'d>> {
    let mut agents: Vec<Agent<'d>> = Vec::new();
    let mut session_id = None;
    for part in parts {
        let root = part.document.root();
        if is_session(root) {
            session_id = text(root, &["session_id"]);
            agents.push(Agent { session_id, ..Agent::default() });
        } else if is_agent(root) {
            agents.push(Agent { session_id, about: Some(root), ..Agent::default() });
        } else if let Some(number) = number(root) {
            if agents.last().is_none_or(|it| it.numbers.contains(&number)) {
                agents.push(Agent { session_id, ..Agent::default() });
            }
            if let Some(agent) = agents.last_mut() {
                agent.numbers.insert(number);
                agent.messages.push((number, part));
            }
        }
    }
    agents
}

fn session<'d>(format: &'static str, mut agent: Agent<'d>, source: &Source) -> Session<'d> {
    agent.messages.sort_by_key(|(number, _)| *number);
    let first = agent.messages.first().and_then(|(_, part)| part.line);
    let place = source.place(first, "");
    let name = agent.about.and_then(|it| text(it, &["agent_id"]));
    let id = match (agent.session_id, name) {
        (Some(session), Some(name)) => Cow::Owned(format!("{session}/{name}")),
        (Some(id), None) | (None, Some(id)) => Cow::Borrowed(id),
        (None, None) => Cow::Owned(place.clone()),
    };
    let start = Start {
        id,
        metadata: Cow::Borrowed(
            agent.about.and_then(|it| get(it, &["state"])).map_or("", Value::raw),
        ),
        ..Start::default()
    };
    let mut told = Told::new(start, agent.messages.len());
    for (at, (_, part)) in agent.messages.iter().enumerate() {
        let root = part.document.root();
        if let Some(message) = root.get("message") {
            message::tell(&mut told.chat, at, message, content::time(root.get("created_at")));
        }
    }
    let last = agent.messages.last().map_or(0, |(number, _)| number.saturating_add(1));
    let missing = last.saturating_sub(agent.messages.len() as u64);
    if missing > 0 {
        told.chat.note(Note::warning(format!("{missing} message(s) of the session are not here")));
    }
    told.finish(format, place)
}
