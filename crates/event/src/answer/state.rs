//! How a result says that a call went, as pmstack reads it: by one word of status, or by a word
//! anywhere in a text.

use super::{Answer, State, status};
use crate::json::{Document, Grammar, Kind, Limits, Value};
use crate::semantics::{JAVASCRIPT, own_entries};

/// Members that hold the status word, the first first.
const STATUS_KEYS: [&str; 6] =
    ["status", "state", "result", "outcome", "decision", "approval_status"];

/// Members whose `false` is a failure, at the top or one level below.
const GRANT_KEYS: [&str; 5] = ["approved", "verified", "allowed", "authorized", "granted"];

/// How a result stands: by the step's own status where that says anything, by a JSON object, or by
/// the words of a text. Anything else worked.
pub(super) fn state(answer: &Answer<'_>) -> State {
    match answer.error {
        Some(true) => State::Failed,
        _ if answer.pending => State::Pending,
        // A list of parts is read in the texts of its parts, which the reader has done.
        Some(false) if JAVASCRIPT.trim(&answer.text).starts_with('[') => State::Ok,
        _ => of_text(&answer.text),
    }
}

fn of_text(text: &str) -> State {
    if JAVASCRIPT.trim(text).starts_with('{')
        && let Ok(document) = Document::parse(text, Grammar::Strict, &Limits::DEFAULT)
    {
        return of_object(document.root());
    }
    status::first_word(text).map_or(State::Ok, |it| it.0)
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
    let word = word(object).or_else(|| inner(object).find_map(word));
    word.map_or(State::Ok, status::status)
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
fn word<'d>(object: Value<'d>) -> Option<&'d str> {
    let words = STATUS_KEYS.iter().filter_map(|key| object.get(key)?.as_str());
    words.map(|it| JAVASCRIPT.trim(it)).find(|it| !it.is_empty())
}
