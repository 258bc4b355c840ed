//! Replay is live, from the bytes on: a chat recording is cut after a call as text, read again, and
//! its check must say what the live door said.

use lawbook_engine::Engine;
use lawbook_event::What;
use lawbook_trace::{Limits, Readings, Source, named, read};
use serde_json::{Value, json};

use super::parity;

/// How many calls of one session are cut at.
const CUTS_MAX: usize = 6;

/// What is said of each call.
type Said = Vec<Vec<String>>;

/// Compares every chat session of a document; gives the number of calls compared and what differs.
pub fn compare(bytes: &[u8]) -> Result<(u64, Vec<String>), String> {
    let Ok(document) = serde_json::from_slice::<Value>(bytes) else { return Ok((0, Vec::new())) };
    let (mut cuts, mut wrong) = (0, Vec::new());
    for messages in sessions(&document) {
        let places = calls(messages);
        let stride = places.len().div_ceil(CUTS_MAX).max(1);
        cuts += places.len().div_ceil(stride) as u64;
        for (engine, said) in said_live(messages)? {
            for (step, place) in places.iter().enumerate().step_by(stride) {
                let cut = said_of_cut(&engine, messages, *place)?;
                if said.get(step) != Some(&cut) {
                    let live = said.get(step);
                    wrong.push(format!("step {}: live {live:?}, cut {cut:?}", step + 1));
                }
            }
        }
    }
    Ok((cuts, wrong))
}

/// The lists of messages in a document: itself, or the trajectories in it.
fn sessions(document: &Value) -> Vec<&Vec<Value>> {
    let Some(items) = document.as_array() else { return Vec::new() };
    if items.iter().all(|it| it.get("role").is_some()) {
        return vec![items];
    }
    items.iter().filter_map(|it| it.get("traj")?.as_array()).collect()
}

/// Where each call stands: its message, and its place in it.
fn calls(messages: &[Value]) -> Vec<(usize, usize)> {
    let of = |message: &Value| message["tool_calls"].as_array().map_or(0, Vec::len);
    let each = messages.iter().enumerate();
    each.flat_map(|(place, it)| (0..of(it)).map(move |call| (place, call))).collect()
}

/// The engines of a session, and what each says of every call at a live door, in order.
fn said_live(messages: &[Value]) -> Result<Vec<(Engine, Said)>, String> {
    let mut said = Vec::new();
    events_of(messages, |events| {
        for engine in parity::engines(events)? {
            let lines = parity::said_live(&engine, events);
            said.push((engine, lines.into_iter().map(|it| it.1).collect()));
        }
        Ok(())
    })?;
    Ok(said)
}

/// What the check of the recording says of its last call, cut after that call.
fn said_of_cut(
    engine: &Engine,
    messages: &[Value],
    (place, call): (usize, usize),
) -> Result<Vec<String>, String> {
    let mut kept = messages.get(..=place).unwrap_or(messages).to_vec();
    if let Some(calls) = kept.last_mut().and_then(|it| it["tool_calls"].as_array_mut()) {
        calls.truncate(call + 1);
    }
    let mut said = Vec::new();
    events_of(&kept, |events| {
        let last = events.iter().rev().find_map(|it| match &it.what {
            What::Call(call) => Some(call.step),
            _ => None,
        });
        said = last.map(|it| parity::said_by_check(engine, events, it)).unwrap_or_default();
        Ok(())
    })?;
    Ok(said)
}

/// Reads messages as one chat session.
fn events_of(
    messages: &[Value],
    mut then: impl FnMut(&[lawbook_event::Event<'_>]) -> Result<(), String>,
) -> Result<(), String> {
    let text = json!({ "messages": messages }).to_string();
    let source = Source::new("cut".to_owned());
    let mut outcome = Ok(());
    let problems = read(
        text.as_bytes(),
        named("messages"),
        Readings::FULL,
        &source,
        &Limits::default(),
        &mut |session| outcome = then(&session.events),
    );
    match problems.first() {
        Some(problem) => Err(problem.to_string()),
        None => outcome,
    }
}
