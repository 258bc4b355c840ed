//! How a result says that a call went, as pmstack reads it: by one word of status, or by a word
//! anywhere in a text.

use super::{Answer, State};
use crate::json::{Document, Grammar, Kind, Limits, Value};
use crate::semantics::{JAVASCRIPT, own_entries};

/// Members that hold the status word, the first first.
const STATUS_KEYS: [&str; 6] =
    ["status", "state", "result", "outcome", "decision", "approval_status"];

/// Members whose `false` is a failure, at the top or one level below.
const GRANT_KEYS: [&str; 5] = ["approved", "verified", "allowed", "authorized", "granted"];

/// Parts of a status word that make it a failure, in any case.
const FAILED_PARTS: [&str; 12] = [
    "error",
    "fail",
    "denied",
    "declined",
    "reject",
    "invalid",
    "forbidden",
    "unauthori",
    "unverified",
    "mismatch",
    "unavailable",
    "refused",
];

/// Parts that do so with one of the joints in their place.
const FAILED_JOINTS: [(&str, &str); 3] = [("time", "out"), ("timed", "out"), ("not", "found")];

const PENDING_PARTS: [&str; 5] = ["pending", "queued", "awaiting", "waiting", "processing"];

const PENDING_JOINTS: [(&str, &str); 2] = [("in", "review"), ("in", "progress")];

/// What may stand between two parts, beside nothing.
const JOINTS: [char; 3] = [' ', '_', '-'];

/// Whole words in a text, each with what it says. The first in the text counts.
const WORDS: [(&str, State); 6] = [
    ("pending_approval", State::Pending),
    ("pending", State::Pending),
    ("error", State::Failed),
    ("failed", State::Failed),
    ("failure", State::Failed),
    ("denied", State::Failed),
];

/// How a result stands: by the step's own status where that says anything, by a JSON object, or by
/// the words of a text. Anything else worked.
pub(super) fn state(answer: &Answer<'_>) -> State {
    match answer.error {
        Some(true) => State::Failed,
        _ if answer.pending => State::Pending,
        _ => of_text(&answer.text),
    }
}

fn of_text(text: &str) -> State {
    if JAVASCRIPT.trim(text).starts_with('{')
        && let Ok(document) = Document::parse(text, Grammar::Strict, &Limits::DEFAULT)
    {
        return of_object(document.root());
    }
    of_words(text)
}

fn of_object(object: Value<'_>) -> State {
    let refused = |it: Value<'_>| GRANT_KEYS.iter().any(|key| is_false(it, key));
    let failed = object.get("error").is_some_and(is_error)
        || object.get("errors").is_some_and(|it| it.is_array() && !it.is_empty())
        || ["ok", "success"].iter().any(|key| is_false(object, key))
        || refused(object)
        || inner(object).any(refused);
    if failed {
        return State::Failed;
    }
    let word = status(object).or_else(|| inner(object).find_map(status));
    word.map_or(State::Ok, of_status)
}

/// The objects one level below, in the order in which ECMAScript lists keys.
fn inner<'d>(object: Value<'d>) -> impl Iterator<Item = Value<'d>> {
    own_entries(object).into_iter().map(|it| it.1).filter(|it| it.is_object())
}

fn is_false(object: Value<'_>, key: &str) -> bool {
    object.get(key).and_then(Value::as_bool) == Some(false)
}

/// Whether an `error` member says that something is wrong; `0` and `[]` do.
fn is_error(error: Value<'_>) -> bool {
    match error.kind() {
        Kind::Null => false,
        Kind::Bool => error.as_bool() == Some(true),
        Kind::String => error.as_str() != Some(""),
        Kind::Object => !error.is_empty(),
        Kind::Array | Kind::Number => true,
    }
}

/// The first status word that is a text and not blank.
fn status<'d>(object: Value<'d>) -> Option<&'d str> {
    let words = STATUS_KEYS.iter().filter_map(|key| object.get(key)?.as_str());
    words.map(|it| JAVASCRIPT.trim(it)).find(|it| !it.is_empty())
}

/// What the status of a step or of a result says.
pub(super) fn of_status(word: &str) -> State {
    let word = word.to_lowercase();
    let negated = word.strip_prefix("not").is_some_and(|rest| rest.starts_with(JOINTS));
    let has = |parts: &[&str], joints: &[(&str, &str)]| {
        parts.iter().any(|it| word.contains(it))
            || joints.iter().any(|(head, tail)| is_joined(&word, head, tail))
    };
    if negated || has(&FAILED_PARTS, &FAILED_JOINTS) {
        State::Failed
    } else if has(&PENDING_PARTS, &PENDING_JOINTS) {
        State::Pending
    } else {
        State::Ok
    }
}

fn is_joined(word: &str, head: &str, tail: &str) -> bool {
    word.match_indices(head).any(|(at, _)| {
        let rest = word.get(at.saturating_add(head.len())..).unwrap_or_default();
        rest.strip_prefix(JOINTS).unwrap_or(rest).starts_with(tail)
    })
}

/// The first of [`WORDS`] that stands in a text as a whole word, in any case.
fn of_words(text: &str) -> State {
    let is_word = |it: char| it.is_ascii_alphanumeric() || it == '_';
    let mut words = text.split(|it| !is_word(it));
    let said = |word: &str| WORDS.iter().find(|it| it.0.eq_ignore_ascii_case(word)).map(|it| it.1);
    words.find_map(said).unwrap_or(State::Ok)
}
