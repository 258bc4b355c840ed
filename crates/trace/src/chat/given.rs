//! What messages give: arguments, results and times, as formats without wrappers of their own
//! write them.

use std::borrow::Cow;

use lawbook_event::json::{Kind, Value};
use lawbook_event::{Answer, Args, ArgsState, Time};

use crate::{cut, dialog, parse_time};

/// Arguments as the tool received them: the text, or the JSON text of anything else.
pub fn args<'d>(given: Option<Value<'d>>) -> Args<'d> {
    let whole = |text| Args { text: Cow::Borrowed(text), state: ArgsState::Whole };
    match given.map(|it| (it, it.kind())) {
        None => Args { text: Cow::Borrowed(""), state: ArgsState::Unrecorded },
        Some((_, Kind::Null)) => whole(""),
        Some((text, Kind::String)) => {
            let text = text.as_str().unwrap_or("");
            Args { text: Cow::Borrowed(text), state: cut::of_message(text) }
        }
        Some((value, _)) => whole(value.raw()),
    }
}

/// Arguments that are one command line.
pub fn command<'d>(command: &str) -> Args<'d> {
    let mut text = String::from("{\"command\":");
    lawbook_event::json::write_string(&mut text, command);
    text.push('}');
    Args { text: Cow::Owned(text), state: ArgsState::Whole }
}

/// A content as text: text as it is, text parts joined, anything else as JSON. Nothing where the
/// recording holds none.
pub fn text<'d>(content: Option<Value<'d>>) -> Option<Cow<'d, str>> {
    let content = content?;
    match content.kind() {
        Kind::Null => None,
        Kind::String => content.as_str().filter(|it| !cut::hidden(it.trim())).map(Cow::Borrowed),
        Kind::Array if content.is_empty() => Some(Cow::Borrowed("")),
        Kind::Array => Some(match (content.len(), content.item(0).and_then(only_text)) {
            (1, Some(text)) => Cow::Borrowed(text),
            _ => dialog::joined(content).map_or(Cow::Borrowed(content.raw()), Cow::Owned),
        }),
        _ => Some(Cow::Borrowed(content.raw())),
    }
}

fn only_text(part: Value<'_>) -> Option<&str> {
    let text = part.get("type").and_then(Value::as_str) == Some("text");
    part.as_str().or_else(|| part.get("text")?.as_str().filter(|_| text))
}

/// The words of a person or an agent in a content: its texts, and no other part.
pub fn words<'d>(content: Option<Value<'d>>) -> Cow<'d, str> {
    let Some(content) = content else { return Cow::Borrowed("") };
    if let Some(text) = content.as_str() {
        return Cow::Borrowed(text);
    }
    joined(content.items().filter_map(word))
}

fn word(part: Value<'_>) -> Option<&str> {
    if let Some(text) = part.as_str() {
        return Some(text);
    }
    let kind = part.get("type").and_then(Value::as_str);
    let thought = part.get("thought").and_then(Value::as_bool) == Some(true);
    let said = || part.get("text").or_else(|| part.get("content").filter(|_| kind.is_some()));
    let speaks = matches!(kind, None | Some("text" | "input_text" | "output_text"));
    if speaks && !thought { said().and_then(Value::as_str) } else { None }
}

/// Texts in lines, borrowed where there is one only.
pub fn joined<'d>(texts: impl Iterator<Item = &'d str>) -> Cow<'d, str> {
    let mut whole = Cow::Borrowed("");
    for text in texts.filter(|it| !it.is_empty()) {
        if whole.is_empty() {
            whole = Cow::Borrowed(text);
        } else {
            let whole = whole.to_mut();
            whole.push('\n');
            whole.push_str(text);
        }
    }
    whole
}

/// An answer of this text, which is unrecorded where there is none.
pub fn answer<'d>(text: Option<Cow<'d, str>>, error: Option<bool>) -> Answer<'d> {
    let recorded = text.is_some();
    Answer { text: text.unwrap_or_default(), recorded, error, ..Answer::default() }
}

/// A time, as text or as a number.
pub fn time(value: Option<Value<'_>>) -> Option<Time> {
    value.and_then(|it| it.as_str().or_else(|| it.number_text())).and_then(parse_time)
}
