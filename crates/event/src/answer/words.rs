//! Failures by the words that a text starts with.

/// A text that starts with one of these words, alone or before `:` and the like, is an error. The
/// last one is how frameworks tell the model of a tool that raised.
const STARTS: [&str; 6] =
    ["Error", "ERROR", "Exception", "Traceback", "Unhandled exception", "An error occurred"];

/// Words that say it before a colon, in any case. Exception classes end like the first two.
const HEADS: [&str; 7] = [
    "error",
    "exception",
    "failed",
    "failure",
    "fatal",
    "traceback (most recent call last)",
    "panic",
];

/// Words that may stand in front of an exception class.
const BEFORE_CLASSES: [&str; 3] = ["uncaught ", "unhandled ", "fatal "];

/// How much of a text may stand before the colon.
const HEAD_BYTES_MAX: usize = 120;

/// What HTTP says behind a status code of 400 or more, as far as tools repeat it.
const REASONS: [&str; 29] = [
    "bad gateway",
    "bad request",
    "conflict",
    "content too large",
    "expectation failed",
    "failed dependency",
    "forbidden",
    "gateway time",
    "gone",
    "insufficient storage",
    "internal server error",
    "internal error",
    "length required",
    "locked",
    "method not allowed",
    "not acceptable",
    "not found",
    "not implemented",
    "payload too large",
    "payment required",
    "precondition",
    "proxy authentication required",
    "request time",
    "service unavailable",
    "too early",
    "too many requests",
    "unauthorized",
    "unprocessable",
    "unsupported media type",
];

/// Whether a text, trimmed, starts as failures do: with a word such as `Error`, with `Failed:` or
/// an exception class before a colon, with an HTTP status line of 400 or more; or whether it holds
/// `<tool_use_error>`.
pub(super) fn tell_failure(text: &str) -> bool {
    let starts = |start: &&str| {
        let rest = text.strip_prefix(*start);
        rest.is_some_and(|rest| !rest.starts_with(|it: char| it.is_alphanumeric() || it == '_'))
    };
    text.contains("<tool_use_error>")
        || STARTS.iter().any(starts)
        || text.split_once(':').is_some_and(|it| is_head(it.0))
        || is_status_line(text)
}

/// `ValueError`, `requests.exceptions.HTTPError`, `Failed`.
fn is_head(head: &str) -> bool {
    if head.len() > HEAD_BYTES_MAX {
        return false;
    }
    let head = head.trim().to_ascii_lowercase();
    let class = BEFORE_CLASSES.iter().find_map(|it| head.strip_prefix(it)).unwrap_or(&head);
    let is_class = class.bytes().all(|it| it.is_ascii_alphanumeric() || it == b'.')
        && (class.ends_with("error") || class.ends_with("exception"));
    is_class || HEADS.contains(&&*head)
}

/// `HTTP/1.1 403 Forbidden`, `HTTP 500`, `404 Not Found`, `404: Not Found`.
fn is_status_line(text: &str) -> bool {
    let head = text.get(..5).unwrap_or_default().to_ascii_lowercase();
    let is_http = head == "http/" || head == "http ";
    let line = if is_http { text.split_once(' ').map_or("", |it| it.1).trim_start() } else { text };
    let code = line.get(..3).filter(|it| it.bytes().all(|byte| byte.is_ascii_digit()));
    let rest = line.get(3..).unwrap_or_default();
    let is_error = code.is_some_and(|it| it.starts_with(['4', '5']))
        && !rest.starts_with(|it: char| it.is_alphanumeric());
    // A bare number may count anything, so that the words behind it decide.
    let reason = rest.trim_start_matches([' ', ':', '-']);
    let known =
        |words: &&str| reason.get(..words.len()).is_some_and(|it| it.eq_ignore_ascii_case(words));
    is_error && (is_http || REASONS.iter().any(known))
}
