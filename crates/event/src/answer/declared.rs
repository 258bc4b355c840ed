//! Failure by what a result says of itself, in any of the usual ways.

use super::structural::read;
use super::{Answer, State, words};
use crate::cut::is_cut;
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

/// Numbers from 400 to 599 are an error.
const CODE_KEYS: [&str; 1] = ["code"];

/// The least HTTP status that is an error.
const HTTP_ERROR_MIN: f64 = 400.0;

/// The greatest, for members under `code`, where larger numbers are about something else.
const HTTP_ERROR_MAX: f64 = 599.0;

const FAILED_WORDS: [&str; 18] = [
    "error",
    "errored",
    "exception",
    "fail",
    "failed",
    "failure",
    "timeout",
    "timed_out",
    "timed out",
    "denied",
    "declined",
    "refused",
    "rejected",
    "aborted",
    "forbidden",
    "unauthorized",
    "unauthenticated",
    "not_found",
];

/// Members that hold the whole answer of somebody else.
const WRAPPER_KEYS: [&str; 3] = ["result", "response", "output"];

/// How many answers inside answers are looked into.
const WRAPPERS_MAX: usize = 8;

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

/// How a result stands by its own declarations, the first of these that says something:
///
/// 1. the format's error flag, or the pending mark;
/// 2. an error of the call's own span;
/// 3. no recording of the result: unknown;
/// 4. in a JSON object, in one under its `result`, `response` or `output`, or in one in a text part
///    of a list or of `content`: a truthy `isError`, `is_error`, `error`, `errors` or
///    `error_message`; a false `success`, `ok` or `succeeded`; an exit code other than zero; a
///    `status`, `statusCode`, `status_code` of 400 or more, or of `error`, `failed`, `denied`,
///    `rejected`, `forbidden` and their like; a `code` from 400 to 599; `pending`, `processing`,
///    `queued` and their like as `status` or `state`;
/// 5. a text, or a text part, that starts as failures do (see [`super::words`]).
///
/// A declaration that the recording hides or cuts is unknown. Anything else worked.
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
    let is_json = text.starts_with(['{', '[', '"']);
    match if is_json { read(text) } else { None } {
        Some(document) => of_json(document.root()),
        None => of_words(text),
    }
}

fn of_words(text: &str) -> State {
    if words::tell_failure(text) { State::Failed } else { State::Ok }
}

fn of_json(value: Value<'_>) -> State {
    if let Some(text) = value.as_str() {
        return of_part(text);
    }
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
        (State::Unknown, _) | (_, State::Unknown) => State::Unknown,
        (State::Pending, _) | (_, State::Pending) => State::Pending,
        _ => a,
    }
}

/// The gravest of an object and of the answers that it wraps.
fn of_object(object: Value<'_>) -> State {
    let mut sum = State::Ok;
    let mut left = vec![object];
    for _ in 0..WRAPPERS_MAX {
        let Some(value) = left.pop() else { break };
        let members = Members::of(value);
        sum = graver(sum, members.state());
        for inner in members.wrapped.into_iter().flatten() {
            match inner.as_str() {
                Some(text) => sum = graver(sum, of_words(text.trim())),
                None => left.push(inner),
            }
        }
    }
    sum
}

/// What the members of an object declare.
#[derive(Default)]
struct Members<'d> {
    failed: bool,
    /// What stands there instead of a declaration may have been a failure.
    cut: bool,
    waits: bool,
    wrapped: [Option<Value<'d>>; WRAPPER_KEYS.len()],
}

impl<'d> Members<'d> {
    fn of(object: Value<'d>) -> Self {
        let mut all = Members::default();
        if object.kind() == Kind::Object && object.document().duplicate_key().is_none() {
            object.entries().for_each(|(key, member)| all.add(key, member));
        } else {
            // Of a key that stands twice the last one counts.
            let own = [&ERROR_KEYS[..], &SUCCESS_KEYS, &EXIT_KEYS, &STATUS_KEYS, &CODE_KEYS];
            let keys = own.into_iter().flatten().chain(&WRAPPER_KEYS);
            keys.filter_map(|it| Some((it, object.get(it)?))).for_each(|it| all.add(it.0, it.1));
        }
        all
    }

    fn add(&mut self, key: &str, member: Value<'d>) {
        let is_one = |keys: &[&str]| keys.contains(&key);
        if is_one(&ERROR_KEYS) {
            self.failed |= python::is_true(member);
        } else if is_one(&SUCCESS_KEYS) {
            self.failed |= member.as_bool() == Some(false);
            self.cut |= member.as_str().is_some_and(is_cut);
        } else if is_one(&EXIT_KEYS) {
            self.failed |= matches!(python::int(member), Int::NonZero | Int::Overflow);
            self.cut |= member.as_str().is_some_and(is_cut);
        } else if is_one(&STATUS_KEYS) {
            self.failed |= is_error_status(member);
            self.cut |= member.as_str().is_some_and(is_cut);
            self.waits |= member.as_str().is_some_and(|word| is_one_of(&PENDING_WORDS, word));
        } else if is_one(&CODE_KEYS) {
            self.failed |= is_error_code(member);
        } else if let Some(place) = WRAPPER_KEYS.iter().position(|it| *it == key)
            && let Some(wrapped) = self.wrapped.get_mut(place)
        {
            *wrapped = Some(member);
        }
    }

    fn state(&self) -> State {
        match self {
            Members { failed: true, .. } => State::Failed,
            Members { cut: true, .. } => State::Unknown,
            Members { waits: true, .. } => State::Pending,
            _ => State::Ok,
        }
    }
}

fn is_error_status(status: Value<'_>) -> bool {
    let is_error = |text: &str| text.parse::<f64>().is_ok_and(|it| it >= HTTP_ERROR_MIN);
    match (status.number_text(), status.as_str()) {
        (Some(lexeme), _) => is_error(lexeme),
        (_, Some(text)) => is_error(text.trim()) || is_one_of(&FAILED_WORDS, text),
        _ => false,
    }
}

fn is_error_code(code: Value<'_>) -> bool {
    let number = code.number_text().and_then(|lexeme| lexeme.parse::<f64>().ok());
    number.is_some_and(|it| (HTTP_ERROR_MIN..=HTTP_ERROR_MAX).contains(&it))
}

fn is_one_of(words: &[&str], text: &str) -> bool {
    words.iter().any(|word| word.eq_ignore_ascii_case(text.trim()))
}
