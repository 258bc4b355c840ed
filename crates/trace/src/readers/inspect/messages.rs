//! The messages of a sample: its final state, which is read where a log holds no events.

use std::borrow::Cow;

use lawbook_event::Answer;
use lawbook_event::json::Value;

use super::attached::Attached;
use super::person::Person;
use crate::chat::{Chat, Request, Returned};
use crate::content;
use crate::ids;
use crate::readers::export::text;

/// Tells the messages of a sample.
pub fn tell<'d>(
    chat: &mut Chat<'d>,
    messages: Value<'d>,
    mut person: Person<'d>,
    mut attached: Attached<'d>,
) {
    for (at, message) in messages.items().enumerate() {
        chat.message(at);
        let before = chat.len();
        match text(message, &["role"]) {
            Some("user") => person.hears(chat, (message, at, None), &attached),
            Some("assistant") => {
                chat.agent(None, ids::message(at), attached.words(message.get("content")));
                let calls = message.get("tool_calls").into_iter().flat_map(Value::items);
                for (nth, call) in calls.enumerate() {
                    chat.call(None, request(call, ids::call(at, nth), &mut attached));
                }
            }
            Some("tool") => {
                let content = attached.content(message.get("content"));
                let (answer, stopped) = answer(content, message.get("error"), None);
                let returned = Returned {
                    id: text(message, &["tool_call_id"]).map(Cow::Borrowed),
                    tool: text(message, &["function"]).map(Cow::Borrowed),
                    answer,
                    stopped,
                };
                chat.returned(None, returned);
            }
            _ => {}
        }
        if chat.len() == before {
            chat.other(None);
        }
    }
}

/// A call, in a message or in an event.
pub fn request<'d>(
    call: Value<'d>,
    step_id: Cow<'d, str>,
    attached: &mut Attached<'d>,
) -> Request<'d> {
    Request {
        step_id,
        id: text(call, &["id"]).map(Cow::Borrowed),
        tool: Cow::Borrowed(text(call, &["function"]).unwrap_or("")),
        args: attached.args(call.get("arguments")),
        ..Request::default()
    }
}

/// What came back, and whether an approver has stopped the call. A tool that failed leaves an
/// error; one that did not leaves none.
pub fn answer<'d>(
    content: Option<Cow<'d, str>>,
    error: Option<Value<'d>>,
    failed: Option<bool>,
) -> (Answer<'d>, bool) {
    let error = error.filter(|it| it.is_object());
    let message = error.and_then(|it| text(it, &["message"])).map(Cow::Borrowed);
    let said = content.filter(|it| error.is_none() || !it.is_empty()).or(message);
    let stopped = error.and_then(|it| text(it, &["type"])) == Some("approval");
    (content::answer(said, Some(error.is_some() || failed == Some(true))), stopped)
}
