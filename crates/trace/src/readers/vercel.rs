//! Vercel's AI SDK: model messages, messages of a user interface, and the steps of a generation.

mod model;
mod output;
mod steps;
mod ui;

use std::borrow::Cow;

use lawbook_event::Start;
use lawbook_event::json::Value;

use super::export::{self, id};
use super::whole::{self, Documents, Found, Take, Told};
use crate::measures;

/// The reader.
pub const READER: Documents = Documents {
    name: "vercel",
    page: include_str!("vercel.md"),
    fits: |root| whole::first_fits(root, is_session),
    missing: "there are no messages of the AI SDK here",
    find,
    tell: session,
};

fn find<'d>(root: Value<'d>, out: &mut Take<'_, 'd>) {
    whole::each(root, is_session, out);
}

/// How many messages and parts of each are looked at.
const LOOK_MAX: usize = 64;

/// What a list holds.
#[derive(Clone, Copy)]
enum Kind {
    /// Messages as a model receives them.
    Model,
    /// Messages as a user interface keeps them.
    Ui,
    /// Steps of a generation.
    Steps,
}

/// The list that a session is made of.
fn list(value: Value<'_>) -> Option<(Kind, Value<'_>)> {
    if value.is_array() {
        return kind(value).map(|kind| (kind, value));
    }
    let keyed =
        ["messages", "steps"].into_iter().find_map(|key| value.get(key).filter(|it| it.is_array()));
    keyed.and_then(|list| kind(list).map(|kind| (kind, list)))
}

fn kind(list: Value<'_>) -> Option<Kind> {
    let looked = || list.items().take(LOOK_MAX);
    let every = |fits: fn(Value<'_>) -> bool| !list.is_empty() && looked().all(fits);
    if every(steps::is_step) && looked().any(steps::is_marked) {
        return Some(Kind::Steps);
    }
    if every(ui::is_message) && looked().any(ui::is_marked) {
        return Some(Kind::Ui);
    }
    let spoken = |it: Value<'_>| it.get("role").is_some() && it.get("tool_calls").is_none();
    (every(spoken) && looked().any(model::is_marked)).then_some(Kind::Model)
}

fn is_session(value: Value<'_>) -> bool {
    list(value).is_some()
}

fn session<'d>(found: Found<'d>, place: &str) -> Told<'d> {
    let around = found.value;
    let own = id(around, &["id", "chatId", "session_id", "sessionId"]).map(Cow::Borrowed);
    let metadata = around.get("metadata").filter(|it| it.is_object());
    let start = Start {
        id: own.unwrap_or_else(|| Cow::Owned(place.to_owned())),
        attributes: whole::attributes(around, &["userId", "chatId"]),
        metadata: Cow::Borrowed(metadata.map_or("", Value::raw)),
        ..Start::default()
    };
    let Some((kind, list)) = list(around) else { return Told::new(start, 0) };
    let mut told = Told::new(start, list.len());
    match kind {
        Kind::Model => model::tell(&mut told.chat, list),
        Kind::Ui => ui::tell(&mut told.chat, list),
        Kind::Steps => steps::tell(&mut told.chat, around, list),
    }
    let whole = measures::used(export::get(around, &["totalUsage", "usage"]));
    told.end.usage = measures::or(told.chat.usage(), whole);
    told
}

#[cfg(test)]
mod tests;
