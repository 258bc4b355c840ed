//! Failure by what a result says of itself, in any of the usual ways.

use super::structural::read;
use super::{Answer, State};
use crate::json::{Kind, Value};
use crate::python::{self, Int};

/// Truthy members under these names are an error.
const ERROR_KEYS: [&str; 6] =
    ["isError", "is_error", "error", "errors", "error_message", "errorMessage"];

/// Members that are false when it failed.
const SUCCESS_KEYS: [&str; 3] = ["success", "ok", "succeeded"];

/// Other numbers than zero are an error.
const EXIT_KEYS: [&str; 8] = [
    "exit_code",
    "exitCode",
    "exitcode",
    "return_code",
    "returnCode",
    "returncode",
    "exit_status",
    "exitStatus",
];

/// Numbers from 400 on are an error, words say how things stand.
const STATUS_KEYS: [&str; 6] =
    ["status", "statusCode", "status_code", "http_status", "httpStatus", "state"];

/// The least HTTP status that is an error.
const HTTP_ERROR_MIN: f64 = 400.0;

const FAILED_WORDS: [&str; 5] = ["error", "failed", "failure", "timeout", "timed_out"];

const PENDING_WORDS: [&str; 12] = [
    "pending",
    "pending_approval",
    "processing",
    "queued",
    "in_progress",
    "in progress",
    "in-progress",
    "running",
    "waiting",
    "awaiting_approval",
    "scheduled",
    "accepted_for_processing",
];

/// A text that starts with one of these words, alone or before `:` and the like, is an error.
const ERROR_STARTS: [&str; 6] =
    ["Error", "ERROR", "error:", "Exception", "Traceback", "Unhandled exception"];

/// How a result stands by its own declarations, the first of these that says something:
///
/// 1. the format's error flag, or the pending mark;
/// 2. an error of the call's own span;
/// 3. no recording of the result: unknown;
/// 4. in a JSON object, or a JSON object in a text part of a list or of `content`: a truthy
///    `isError`, `is_error`, `error`, `errors` or `error_message`; a false `success`, `ok` or
///    `succeeded`; an exit code other than zero; a `status`, `statusCode`, `status_code` of 400
///    or more, or of `error`, `failed`, `failure` or `timeout`; `pending`, `processing`, `queued`
///    and their like as `status` or `state`;
/// 5. a text, or a text part, that starts with `Error`, `error:`, `Exception` or `Traceback`, or
///    holds `<tool_use_error>`.
///
/// Anything else worked.
pub(super) fn state(answer: &Answer<'_>) -> State {
    match answer.error {
        Some(true) => return State::Failed,
        _ if answer.has_span_error() => return State::Failed,
        _ if answer.pending => return State::Pending,
        _ if !answer.recorded => return State::Unknown,
        Some(false) => return State::Ok,
        None => {}
    }
    of_text(&answer.text)
}

fn of_text(text: &str) -> State {
    let text = text.trim();
    let is_json = text.starts_with(['{', '[']);
    match if is_json { read(text) } else { None } {
        Some(document) => of_json(document.root()),
        None => of_words(text),
    }
}

fn of_words(text: &str) -> State {
    let starts = |start: &&str| {
        let rest = text.strip_prefix(*start);
        rest.is_some_and(|rest| !rest.starts_with(|it: char| it.is_alphanumeric() || it == '_'))
            || (start.ends_with(':') && rest.is_some())
    };
    let failed = text.contains("<tool_use_error>") || ERROR_STARTS.iter().any(starts);
    if failed { State::Failed } else { State::Ok }
}

fn of_json(value: Value<'_>) -> State {
    let own = of_object(value);
    let content = value.get("content").filter(|it| it.is_array()).unwrap_or(value);
    // The gravest of all parts counts.
    content.items().filter_map(|part| part.get("text")?.as_str()).map(of_part).fold(own, graver)
}

fn of_part(text: &str) -> State {
    let text = text.trim();
    match if text.starts_with('{') { read(text) } else { None } {
        Some(document) => of_object(document.root()),
        None => of_words(text),
    }
}

fn graver(a: State, b: State) -> State {
    match (a, b) {
        (State::Failed, _) | (_, State::Failed) => State::Failed,
        (State::Pending, _) | (_, State::Pending) => State::Pending,
        _ => a,
    }
}

fn of_object(object: Value<'_>) -> State {
    if object.kind() != Kind::Object {
        return State::Ok;
    }
    let members = |keys: &'static [&'static str]| keys.iter().filter_map(|key| object.get(key));
    let failed = members(&ERROR_KEYS).any(python::is_true)
        || members(&SUCCESS_KEYS).any(|it| it.as_bool() == Some(false))
        || members(&EXIT_KEYS).any(|it| matches!(python::int(it), Int::NonZero | Int::Overflow))
        || members(&STATUS_KEYS).any(is_error_status);
    if failed {
        return State::Failed;
    }
    let waits = |it: Value<'_>| it.as_str().is_some_and(|word| is_one_of(&PENDING_WORDS, word));
    if members(&STATUS_KEYS).any(waits) { State::Pending } else { State::Ok }
}

fn is_error_status(status: Value<'_>) -> bool {
    let is_error = |text: &str| text.parse::<f64>().is_ok_and(|it| it >= HTTP_ERROR_MIN);
    match (status.number_text(), status.as_str()) {
        (Some(lexeme), _) => is_error(lexeme),
        (_, Some(text)) => is_error(text.trim()) || is_one_of(&FAILED_WORDS, text),
        _ => false,
    }
}

fn is_one_of(words: &[&str], text: &str) -> bool {
    words.iter().any(|word| word.eq_ignore_ascii_case(text.trim()))
}
