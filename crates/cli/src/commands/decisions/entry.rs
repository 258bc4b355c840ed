//! One line of a log of decisions, read again.

use lawbook_diag::Verdict;
use lawbook_event::Time;
use lawbook_event::json::{Document, Grammar, Limits, Value};
use lawbook_trace::parse_time;

use super::LINE_BYTES_MAX;
use crate::commands::decide::SCHEMA;

/// One decision.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// When it was made.
    pub time: Time,
    /// The session; none where the question named none, or could not be read.
    pub session: Option<String>,
    /// The tool; none where the question could not be read.
    pub tool: Option<String>,
    /// The verdict.
    pub verdict: Verdict,
    /// The rules that objected.
    pub rules: Vec<String>,
    /// The rules that could not tell.
    pub unknown: Vec<String>,
    /// Why nothing could be decided.
    pub error: Option<String>,
}

impl Entry {
    /// Reads a line.
    ///
    /// # Errors
    /// With what is wrong.
    pub fn read(line: &[u8]) -> Result<Self, &'static str> {
        let text = std::str::from_utf8(line).map_err(|_| "the line is not UTF-8 text")?;
        let limits = Limits { bytes_max: LINE_BYTES_MAX, ..Limits::DEFAULT };
        let document = Document::parse(text.trim(), Grammar::Strict, &limits)
            .map_err(|_| "the line is not JSON, or too long")?;
        let root = document.root();
        let member = |key: &str| root.get(key).and_then(Value::as_str);
        let list = |key: &str| -> Vec<String> {
            let items = root.get(key).into_iter().flat_map(Value::items);
            items.filter_map(Value::as_str).map(str::to_owned).collect()
        };
        if member("schema") != Some(SCHEMA) {
            return Err("the line is no decision of this form");
        }
        let verdict = match member("verdict") {
            Some("allow") => Verdict::Allow,
            Some("ask") => Verdict::Ask,
            Some("deny") => Verdict::Deny,
            _ => return Err("the line has no verdict"),
        };
        let owned = |key: &str| member(key).map(str::to_owned);
        Ok(Entry {
            time: member("time").and_then(parse_time).ok_or("the line has no time")?,
            session: owned("session"),
            tool: owned("tool"),
            verdict,
            rules: list("rules"),
            unknown: list("unknown"),
            error: owned("error"),
        })
    }
}
