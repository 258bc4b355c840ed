//! Whether a text is all of it: arguments, results, words and what a session says of itself.

use std::borrow::Cow;
use std::sync::LazyLock;

use lawbook_event::json::{Kind, Value, Writer};
use lawbook_event::{Answer, Args, ArgsState, End, Start, is_cut, is_hidden, is_marked};

use memchr::memmem::Finder;

use crate::attr;

/// Endings that stand for a cut where brackets are open, and for hesitation in anybody's words.
const DOTS: [&str; 2] = ["…", "..."];

/// How many texts inside texts are looked into.
const INNER_MAX: usize = 3;

/// How much of the arguments stands in `text`: an object or list that never closes is cut.
pub fn state(text: &str) -> ArgsState {
    let trimmed = text.trim();
    let whole = match trimmed.as_bytes().first() {
        Some(b'{') => trimmed.ends_with('}'),
        Some(b'[') => trimmed.ends_with(']') || is_hidden(trimmed),
        _ => true,
    };
    let dots = || DOTS.iter().any(|mark| trimmed.ends_with(mark));
    match whole {
        _ if is_hidden(trimmed) => ArgsState::Unrecorded,
        _ if holds_cut(trimmed) => ArgsState::Cut,
        true => ArgsState::Whole,
        false if is_marked(trimmed) || dots() || unclosed(trimmed) => ArgsState::Cut,
        false => ArgsState::Whole,
    }
}

/// How much of the arguments stands in `text` where it is the model's own: it is cut only if it
/// says so. A model that breaks off wrote arguments that nobody can read.
pub fn of_message(text: &str) -> ArgsState {
    let trimmed = text.trim();
    let says_so =
        is_marked(trimmed) || DOTS.iter().any(|mark| trimmed.ends_with(mark)) || holds_cut(trimmed);
    match state(text) {
        ArgsState::Cut if !says_so => ArgsState::Whole,
        state => state,
    }
}

/// The same arguments, cut where a value in them is.
pub fn args(args: Args<'_>) -> Args<'_> {
    match args.state {
        ArgsState::Whole if holds_cut(&args.text) => Args { state: ArgsState::Cut, ..args },
        _ => args,
    }
}

/// The same result, unrecorded where a part of it only stands there.
pub fn answer(mut answer: Answer<'_>) -> Answer<'_> {
    if is_hidden(&answer.text) {
        answer.text = Cow::Borrowed("");
        answer.recorded = false;
    }
    answer.recorded &= !is_marked(&answer.text);
    answer
}

/// The same result of a span, whose exporter may cut attributes at a length and say nothing.
pub fn answer_of_span(answer: Answer<'_>) -> Answer<'_> {
    let mut answer = self::answer(answer);
    answer.recorded &= !breaks_off(&answer.text);
    answer
}

/// The same end, with what is known of its answer.
pub fn end(mut end: End<'_>) -> End<'_> {
    end.answer_cut |= is_cut(&end.answer);
    if is_hidden(&end.answer) {
        end.answer = Cow::Borrowed("");
    }
    end
}

/// The same start without attributes and metadata that are cut, which it then says.
pub fn start(mut start: Start<'_>) -> Start<'_> {
    for text in [&mut start.attributes, &mut start.metadata] {
        if let Some(rest) = without_cut(text) {
            *text = Cow::Owned(rest);
            start.dropped = true;
        }
    }
    for text in [&mut start.cwd, &mut start.workspace, &mut start.home] {
        start.dropped |= text.take_if(|it| is_cut(it)).is_some();
    }
    start
}

/// What is left of an object without the members that hold something cut; nothing where none does.
fn without_cut(object: &str) -> Option<String> {
    if !may_hold_cut(object) {
        return None;
    }
    let document = attr::parse(object)?;
    let members = document.root().entries();
    let (cut, whole): (Vec<_>, Vec<_>) = members.partition(|it| value_holds_cut(it.1, INNER_MAX));
    if cut.is_empty() {
        return None;
    }
    let mut out = Writer::new();
    out.object();
    for (key, value) in whole {
        out.key(key).raw(value.raw());
    }
    out.end_object();
    Some(out.finish())
}

/// Whether a text of spans is JSON that never closes: an attribute that was cut at a length.
pub fn breaks_off(text: &str) -> bool {
    let trimmed = text.trim();
    let next = trimmed.get(1..).and_then(|it| it.trim_start().bytes().next());
    match (trimmed.as_bytes().first(), next) {
        (Some(b'{'), Some(b'"')) => !trimmed.ends_with('}') && unclosed(trimmed),
        // A line of a log or a shell begins with a bracket, too, but with no text or object in it.
        (Some(b'['), Some(b'"' | b'[' | b'{')) => !trimmed.ends_with(']') && unclosed(trimmed),
        _ => false,
    }
}

/// Whether a value in a JSON text says that it was cut or left out.
fn holds_cut(text: &str) -> bool {
    may_hold_cut(text) && attr::parse(text).is_some_and(|it| value_holds_cut(it.root(), INNER_MAX))
}

/// Whether a text is worth a closer look: all that says that something was left out ends in a
/// word of the past and a bracket, which some writers of JSON escape.
fn may_hold_cut(text: &str) -> bool {
    let bytes = text.as_bytes();
    let said = |at: usize| {
        let before = at.checked_sub(1).and_then(|it| bytes.get(it));
        matches!(before, Some(b'd' | b'D'))
    };
    memchr::memchr3_iter(b']', b'>', b')', bytes).any(said) || ESCAPED.find(bytes).is_some()
}

/// The end of a word of the past and a bracket that is escaped.
static ESCAPED: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("d\\u003e"));

fn value_holds_cut(root: Value<'_>, left: usize) -> bool {
    let mut open = vec![root];
    while let Some(value) = open.pop() {
        match value.kind() {
            Kind::String => {
                let text = value.as_str().unwrap_or_default();
                if is_cut(text) || inner_holds_cut(text, left) {
                    return true;
                }
            }
            Kind::Array => open.extend(value.items()),
            Kind::Object => open.extend(value.entries().map(|it| it.1)),
            _ => {}
        }
    }
    false
}

/// The same of JSON that stands as a text in a value.
fn inner_holds_cut(text: &str, left: usize) -> bool {
    let Some(left) = left.checked_sub(1) else { return false };
    may_hold_cut(text)
        && attr::parse_container(text).is_some_and(|it| value_holds_cut(it.root(), left))
}

/// Whether brackets or a string are still open at the end of the text.
fn unclosed(text: &str) -> bool {
    let (mut depth, mut inside, mut escaped) = (0_i64, false, false);
    for byte in text.bytes() {
        match (inside, byte) {
            (true, _) if escaped => escaped = false,
            (true, b'\\') => escaped = true,
            (_, b'"') => inside = !inside,
            (false, b'{' | b'[') => depth = depth.saturating_add(1),
            (false, b'}' | b']') => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    inside || depth > 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_that_breaks_off_is_not_cut() {
        assert_eq!(of_message("{\"amount\": 9"), ArgsState::Whole);
        assert_eq!(of_message("{\"amount\": 9…"), ArgsState::Cut);
        assert_eq!(of_message("<elided>"), ArgsState::Unrecorded);
    }

    #[test]
    fn states() {
        for (text, expected) in [
            ("", ArgsState::Whole),
            ("{}", ArgsState::Whole),
            ("{\"a\": \"b", ArgsState::Cut),
            ("{\"a\": 1, \"b\": [1, 2", ArgsState::Cut),
            ("{\"a\": \"b...", ArgsState::Cut),
            ("{a: 1} or so", ArgsState::Whole),
            ("free text {", ArgsState::Whole),
            ("<elided>", ArgsState::Unrecorded),
            ("[REDACTED]", ArgsState::Unrecorded),
            ("{\"a\": 1, \"b\": [{\"c\": \"x [truncated]\"}]}", ArgsState::Cut),
            ("{\"a\": \"{\\\"b\\\": \\\"<redacted>\\\"}\"}", ArgsState::Cut),
            ("{\"a\": \"\\u003credacted\\u003e\"}", ArgsState::Cut),
            ("{\"a\": \"was it truncated?\"}", ArgsState::Whole),
        ] {
            assert_eq!(state(text), expected, "{text}");
        }
    }

    #[test]
    fn only_what_began_as_json_breaks_off() {
        for (text, expected) in [
            ("{\"a\": \"b", true),
            ("[{\"a\": 1}, {", true),
            ("[\"a\", \"b", true),
            ("{\"a\": 1}", false),
            ("[12:00:01] INFO parser: unmatched { at line 3\ndone", false),
            ("[main 1a2b3c] fix 5\" pipe", false),
            ("{ echo; } said \"", false),
        ] {
            assert_eq!(breaks_off(text), expected, "{text}");
        }
    }

    #[test]
    fn a_start_keeps_what_is_whole() {
        let said = Start {
            attributes: r#"{"a": "<redacted>", "b": "whole"}"#.into(),
            metadata: r#"{"c": {"d": "x[truncated]"}}"#.into(),
            cwd: Some("/w".into()),
            ..Start::default()
        };
        let kept = start(said);
        assert_eq!((&*kept.attributes, &*kept.metadata), (r#"{"b":"whole"}"#, "{}"));
        assert!(kept.dropped && kept.cwd.is_some());
        let whole = Start { attributes: r#"{"b": "redacted?"}"#.into(), ..Start::default() };
        assert_eq!(start(whole.clone()), whole);
    }
}
