//! What stands in messages, borrowed from the recording: arguments, words and results.

use std::borrow::Cow;

use lawbook_event::json::{Kind, Value};
use lawbook_event::{Args, ArgsState};

use crate::cut;

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
        Kind::Array => {
            let mut whole = Cow::Borrowed("");
            for text in content.items().filter_map(text_of) {
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
        Kind::Object => text_of(content).unwrap_or_default(),
        _ => Cow::Borrowed(""),
    }
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
            (!cut::hidden(text.trim())).then_some(Cow::Borrowed(text))
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
