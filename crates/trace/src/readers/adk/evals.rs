//! Eval sets: conversations as they should be, and the sessions of an eval's results.

use std::borrow::Cow;

use lawbook_event::Start;
use lawbook_event::json::Value;

use super::event;
use crate::chat::Chat;
use crate::content;
use crate::ids;
use crate::readers::export::{self, get, text};
use crate::readers::whole::{Take, Told};

/// Whether a document is an eval set, or the result of one.
pub fn is_set(root: Value<'_>) -> bool {
    let cases = get(root, &["eval_cases", "evalCases"]).is_some_and(Value::is_array);
    let set = get(root, &["eval_set_id", "evalSetId"]).is_some();
    set && (cases || results(root).is_some())
}

fn results(root: Value<'_>) -> Option<Value<'_>> {
    get(root, &["eval_case_results", "evalCaseResults"]).filter(|it| it.is_array())
}

/// Hands on each case, or the session of each result.
pub fn each<'d>(root: Value<'d>, out: &mut Take<'_, 'd>) {
    if let Some(results) = results(root) {
        for (at, result) in results.items().enumerate() {
            if let Some(session) = get(result, &["session_details", "sessionDetails"]) {
                out(&format!("/eval_case_results/{at}"), session);
            }
        }
        return;
    }
    let cases = get(root, &["eval_cases", "evalCases"]);
    for (at, case) in cases.into_iter().flat_map(Value::items).enumerate() {
        out(&format!("/eval_cases/{at}"), case);
    }
}

/// Tells a case.
pub fn tell<'d>(case: Value<'d>, place: &str) -> Told<'d> {
    let input = get(case, &["session_input", "sessionInput"]);
    let state = input.and_then(|it| it.get("state")).filter(|it| it.is_object());
    let user = input.and_then(|it| get(it, &["user_id", "userId"]));
    let more =
        [("appName", input.and_then(|it| get(it, &["app_name", "appName"]))), ("userId", user)];
    let own = text(case, &["eval_id", "evalId"]).map(Cow::Borrowed);
    let start = Start {
        id: own.unwrap_or_else(|| Cow::Owned(place.to_owned())),
        attributes: Cow::Owned(export::attributes(export::user(user, None), state, &more)),
        metadata: Cow::Borrowed(state.map_or("", Value::raw)),
        ..Start::default()
    };
    let turns = case.get("conversation");
    let mut told = Told::new(start, turns.map_or(0, Value::len));
    let mut at = 0;
    for turn in turns.into_iter().flat_map(Value::items) {
        invocation(&mut told.chat, &mut at, turn);
    }
    told
}

/// Tells a turn: what the user asks, the calls that it takes, one after another, and the answer.
fn invocation<'d>(chat: &mut Chat<'d>, at: &mut usize, turn: Value<'d>) {
    let time = content::time(get(turn, &["creation_timestamp", "creationTimestamp"]));
    let said = |keys: &[&str]| content::words(get(turn, keys).and_then(|it| it.get("parts")));
    chat.message(*at);
    chat.user(time, ids::message(*at), said(&["user_content", "userContent"]));
    let between = get(turn, &["intermediate_data", "intermediateData"]);
    let list =
        |keys: &[&str]| between.and_then(|it| get(it, keys)).into_iter().flat_map(Value::items);
    for call in list(&["tool_uses", "toolUses"]) {
        *at = at.saturating_add(1);
        chat.message(*at);
        event::requested(chat, (*at, 0), call, time);
    }
    for answer in list(&["tool_responses", "toolResponses"]) {
        chat.returned(time, event::returned(answer));
    }
    for event in list(&["invocation_events", "invocationEvents"]) {
        *at = at.saturating_add(1);
        chat.message(*at);
        event::inner(chat, *at, event);
    }
    *at = at.saturating_add(1);
    chat.message(*at);
    chat.agent(time, ids::message(*at), said(&["final_response", "finalResponse"]));
    *at = at.saturating_add(1);
}
