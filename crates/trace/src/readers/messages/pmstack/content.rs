//! Contents, arguments and results as text.

use std::borrow::Cow;

use lawbook_event::json::{Kind, Value};
use lawbook_event::{Answer, Args, ArgsState, JAVASCRIPT, State, status};

/// The text of a content that is no list.
pub fn text(content: Value<'_>) -> Cow<'_, str> {
    match content.kind() {
        Kind::String => Cow::Borrowed(content.as_str().unwrap_or_default()),
        Kind::Null => Cow::Borrowed(""),
        Kind::Object => match content.get("text").and_then(Value::as_str) {
            Some(text) => Cow::Borrowed(text),
            None => json(content),
        },
        _ => json(content),
    }
}

/// The texts among the parts of a message, as one.
pub fn text_of_parts(list: Value<'_>) -> Cow<'_, str> {
    joined(list.items().filter_map(text_of_part).map(Cow::Borrowed), "\n\n")
}

/// The text of a part of a message, if it is one.
pub fn text_of_part(part: Value<'_>) -> Option<&str> {
    if part.kind() == Kind::String {
        return part.as_str();
    }
    match part.get("type").and_then(Value::as_str) {
        Some("tool_use" | "tool_result" | "thinking" | "redacted_thinking") => None,
        Some("image" | "image_url" | "input_image") => Some("[image]"),
        _ => part.get("text").and_then(Value::as_str),
    }
}

/// The parts of a result, as one text.
pub fn text_of_result(list: Value<'_>) -> Cow<'_, str> {
    let parts = list.items().map(|part| {
        if let Some(text) = part.as_str().or_else(|| part.get("text")?.as_str()) {
            return Cow::Borrowed(text);
        }
        match part.get("type").and_then(Value::as_str) {
            Some("image") => Cow::Borrowed("[image]"),
            _ if part.is_null() => Cow::Borrowed(""),
            _ => json(part),
        }
    });
    joined(parts, "\n")
}

fn joined<'d>(mut parts: impl Iterator<Item = Cow<'d, str>>, between: &str) -> Cow<'d, str> {
    let mut whole = parts.next().unwrap_or_default();
    for part in parts {
        let whole = whole.to_mut();
        whole.push_str(between);
        whole.push_str(&part);
    }
    whole
}

/// `JSON.stringify(value)`, borrowed where the text stands so already.
pub fn json(value: Value<'_>) -> Cow<'_, str> {
    match value.kind() {
        Kind::Null | Kind::Bool => Cow::Borrowed(value.raw()),
        Kind::Number | Kind::Array | Kind::Object => Cow::Owned(JAVASCRIPT.show(value)),
        Kind::String => {
            let mut out = String::new();
            lawbook_event::json::write_string(&mut out, value.as_str().unwrap_or_default());
            Cow::Owned(out)
        }
    }
}

/// Arguments as pmstack searches them: the text as logged, or the JSON of anything else.
pub fn args(given: Option<Value<'_>>) -> Args<'_> {
    let text = match given.map(|it| (it, it.kind())) {
        None | Some((_, Kind::Null)) => Cow::Borrowed("{}"),
        Some((text, Kind::String)) => Cow::Borrowed(text.as_str().unwrap_or_default()),
        Some((value, _)) => json(value),
    };
    Args { text, state: ArgsState::Whole }
}

/// The result of a message. A list of parts is its own data, but how it stands is read in the
/// texts of its parts, so that the answer says how it stands.
pub fn answer(content: Option<Value<'_>>, failed: bool) -> Answer<'_> {
    let mut answer = Answer { recorded: true, ..Answer::default() };
    match content.map(|it| (it, it.kind())) {
        None | Some((_, Kind::Null)) => {}
        Some((text, Kind::String)) => {
            answer.text = Cow::Borrowed(text.as_str().unwrap_or_default());
        }
        Some((list, Kind::Array)) => {
            let told = status::first_word(&text_of_result(list)).map(|it| it.0);
            answer.text = json(list);
            answer.error = Some(told == Some(State::Failed));
            answer.pending = told == Some(State::Pending);
        }
        Some((value, _)) => answer.text = json(value),
    }
    if failed {
        (answer.error, answer.pending) = (Some(true), false);
    }
    answer
}

/// The result that a logged step carries: what came out, and the step's own status, which alone is
/// a result too.
pub fn logged<'d>(out: Option<Value<'d>>, status: Option<Cow<'d, str>>) -> Option<Answer<'d>> {
    if out.is_none() && status.is_none() {
        return None;
    }
    let text = match out.map(|it| (it, it.kind())) {
        None => Cow::Borrowed(""),
        Some((text, Kind::String)) => Cow::Borrowed(text.as_str().unwrap_or_default()),
        Some((value, _)) => json(value),
    };
    let state = status.map(|it| status::status(JAVASCRIPT.trim(&it)));
    Some(Answer {
        text,
        recorded: true,
        error: (state == Some(State::Failed)).then_some(true),
        pending: state == Some(State::Pending),
        span_error: None,
    })
}
