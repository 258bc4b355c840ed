//! What stands in messages, borrowed from the recording: arguments, words, results and times.

use std::borrow::Cow;

use lawbook_event::json::{Kind, Value};
use lawbook_event::{Answer, Args, ArgsState, Time, is_hidden};

use crate::{cut, dialog, parse_time};

/// Arguments as the model wrote them: the text, or the JSON text of anything else.
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

/// The texts that `text_of` finds in a content, which is a text, a part or a list of parts.
pub fn joined<'d>(
    content: Value<'d>,
    text_of: impl Fn(Value<'d>) -> Option<Cow<'d, str>>,
) -> Cow<'d, str> {
    match content.kind() {
        Kind::String => Cow::Borrowed(content.as_str().unwrap_or("")),
        Kind::Array => lines(content.items().filter_map(text_of)),
        Kind::Object => text_of(content).unwrap_or_default(),
        _ => Cow::Borrowed(""),
    }
}

/// Texts in lines, borrowed where there is one only. Empty ones at the start make no line.
pub fn lines<'d>(texts: impl Iterator<Item = Cow<'d, str>>) -> Cow<'d, str> {
    let mut whole = Cow::Borrowed("");
    for text in texts {
        if whole.is_empty() {
            whole = text;
        } else {
            let whole = whole.to_mut();
            whole.push('\n');
            whole.push_str(&text);
        }
    }
    whole
}

/// The words of a part that is nothing but text.
pub fn text_part(part: Value<'_>) -> Option<Cow<'_, str>> {
    if let Some(text) = part.as_str() {
        return Some(Cow::Borrowed(text));
    }
    let kind = part.get("type").map(|it| it.as_str().unwrap_or("?"));
    let is_text = matches!(kind, None | Some("text" | "input_text" | "output_text" | "refusal"));
    let words = part.get("text").or_else(|| part.get("refusal"))?;
    words.as_str().filter(|_| is_text).map(Cow::Borrowed)
}

/// What a tool returned: text as it is, parts joined, anything else as JSON. Nothing where it was
/// not recorded.
pub fn result<'d>(given: Option<Value<'d>>) -> Option<Cow<'d, str>> {
    let given = given?;
    match given.kind() {
        Kind::Null => None,
        Kind::String => {
            let text = given.as_str().unwrap_or("");
            (!is_hidden(text)).then_some(Cow::Borrowed(text))
        }
        Kind::Array if given.items().all(|part| text_part(part).is_some()) => {
            Some(joined(given, text_part))
        }
        _ => Some(Cow::Borrowed(given.raw())),
    }
}

/// A result without the single key that some systems put around it.
pub fn unwrapped(given: Value<'_>) -> Value<'_> {
    let inner = ["output", "result"].iter().find_map(|key| given.get(key));
    inner.filter(|it| given.len() == 1 && !it.is_null()).unwrap_or(given)
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
        Kind::String => content.as_str().filter(|it| !is_hidden(it)).map(Cow::Borrowed),
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
    lines(content.items().filter_map(word).filter(|it| !it.is_empty()).map(Cow::Borrowed))
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

/// An answer of this text, which is unrecorded where there is none.
pub fn answer<'d>(text: Option<Cow<'d, str>>, error: Option<bool>) -> Answer<'d> {
    let recorded = text.is_some();
    Answer { text: text.unwrap_or_default(), recorded, error, ..Answer::default() }
}

/// A time, as text or as a number.
pub fn time(value: Option<Value<'_>>) -> Option<Time> {
    value.and_then(|it| it.as_str().or_else(|| it.number_text())).and_then(parse_time)
}

#[cfg(test)]
mod tests {
    use super::*;
    use lawbook_event::json::{Document, Grammar, Limits};

    fn result_of(text: &str) -> Option<String> {
        let document = Document::parse(text, Grammar::Strict, &Limits::DEFAULT).unwrap();
        result(Some(unwrapped(document.root()))).map(Cow::into_owned)
    }

    #[test]
    fn results_as_text() {
        for (json, expected) in [
            (r#""a""#, Some("a")),
            ("null", None),
            (r#""<redacted>""#, None),
            ("[]", Some("")),
            (r#"[{"type":"text","text":"a"},{"text":"b"},"c"]"#, Some("a\nb\nc")),
            (r#"[{"type":"image","text":"a"}]"#, Some(r#"[{"type":"image","text":"a"}]"#)),
            (r#"{"output":"a"}"#, Some("a")),
            (r#"{"result":{"a":1}}"#, Some(r#"{"a":1}"#)),
            (r#"{"error":"a"}"#, Some(r#"{"error":"a"}"#)),
            (r#"{"output":"a","b":1}"#, Some(r#"{"output":"a","b":1}"#)),
        ] {
            assert_eq!(result_of(json).as_deref(), expected, "{json}");
        }
    }
}
