//! Google's Agent Development Kit: stored sessions, lists of their events, and eval sets.

mod evals;
mod event;

use std::borrow::Cow;

use lawbook_event::Start;
use lawbook_event::json::Value;

use super::export::{self, get, id};
use super::whole::{self, Documents, Found, Take, Told};

/// The reader.
pub const READER: Documents = Documents {
    name: "adk",
    page: include_str!("adk.md"),
    fits: |root| evals::is_set(root) || whole::first_fits(root, is_session),
    missing: "there is no session of ADK here",
    find,
    tell: session,
};

fn find<'d>(root: Value<'d>, out: &mut Take<'_, 'd>) {
    if evals::is_set(root) {
        evals::each(root, out);
    } else {
        whole::each(root, is_session, out);
    }
}

/// A session, or the list of its events. A fresh session has none yet.
fn is_session(value: Value<'_>) -> bool {
    let named = get(value, &["appName", "app_name"]).is_some();
    match value.get("events") {
        Some(events) => named && (events.is_empty() || event::is_list(events)),
        None => event::is_list(value),
    }
}

fn session<'d>(found: Found<'d>, place: &str) -> Told<'d> {
    if evals::is_set(found.root) && !is_session(found.value) {
        return evals::tell(found.value, place);
    }
    let around = found.value;
    let events = around.get("events").unwrap_or(around);
    let mut told = Told::new(start(around, place), events.len());
    event::tell(&mut told.chat, events);
    if let Some(code) = event::error(events) {
        told.end.termination = Cow::Borrowed(code);
    }
    told
}

/// The session's own id and user, its state, and its attributes, which are both.
fn start<'d>(around: Value<'d>, place: &str) -> Start<'d> {
    let state = around.get("state").filter(|it| it.is_object());
    let user = get(around, &["userId", "user_id"]);
    let more = [("appName", get(around, &["appName", "app_name"])), ("userId", user)];
    let own = id(around, &["id"]).map(Cow::Borrowed);
    Start {
        id: own.unwrap_or_else(|| Cow::Owned(place.to_owned())),
        attributes: Cow::Owned(export::attributes(export::user(user, None), state, &more)),
        metadata: Cow::Borrowed(state.map_or("", Value::raw)),
        ..Start::default()
    }
}

#[cfg(test)]
mod tests;
