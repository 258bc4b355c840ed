//! What a tool gave back, in the words of the AI SDK's versions 4 to 6.

use std::borrow::Cow;

use lawbook_event::Answer;
use lawbook_event::json::Value;

use crate::chat::{Request, Returned};
use crate::content;
use crate::readers::export::{get, text};

/// A call in a part of a message. Version 4 says `args` where later ones say `input`.
pub fn request<'d>(part: Value<'d>, step_id: Cow<'d, str>) -> Request<'d> {
    Request {
        step_id,
        id: text(part, &["toolCallId"]).map(Cow::Borrowed),
        tool: Cow::Borrowed(text(part, &["toolName"]).unwrap_or("")),
        args: content::args(
            get(part, &["input", "args", "rawInput"]).or_else(|| part.get("input")),
        ),
        ..Request::default()
    }
}

/// The result in a part of a message.
pub fn returned<'d>(part: Value<'d>) -> Returned<'d> {
    let (answer, stopped) = match part.get("output") {
        Some(output) => wrapped(output),
        None => {
            let error = part.get("isError").and_then(Value::as_bool);
            (content::answer(content::text(part.get("result")), error), false)
        }
    };
    Returned {
        id: text(part, &["toolCallId"]).map(Cow::Borrowed),
        tool: text(part, &["toolName"]).map(Cow::Borrowed),
        answer,
        stopped,
    }
}

/// A result that names its own type, or a bare one as steps hold it.
fn wrapped<'d>(output: Value<'d>) -> (Answer<'d>, bool) {
    let value = output.get("value");
    let said = |error: bool| (content::answer(content::text(value), Some(error)), false);
    match text(output, &["type"]) {
        Some("text" | "json" | "content") if value.is_some() => said(false),
        Some("error-text" | "error-json") => said(true),
        Some("execution-denied") => {
            (content::answer(content::text(output.get("reason")), None), true)
        }
        _ => (content::answer(content::text(Some(output)), None), false),
    }
}

/// The error of a tool that failed; an error that could not be written is an empty object.
pub fn failed<'d>(error: Option<Value<'d>>) -> Answer<'d> {
    let said = content::text(error).filter(|it| it != "{}");
    content::answer(said, Some(true))
}
