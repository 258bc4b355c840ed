//! An entry of a log of steps.

use std::borrow::Cow;

use lawbook_event::json::Value;

use super::key::Key;
use super::trace::is_truthy;

/// The kinds of entries that pmstack knows; it takes any other for a tool.
const KINDS: [&str; 6] = ["retrieval", "llm", "tool", "handoff", "guardrail", "note"];

/// What an entry says, found in one pass over its keys.
#[derive(Clone, Copy, Debug)]
pub struct Logged<'d> {
    pub kind: &'static str,
    pub name: Key<'d>,
    pub input: Option<Value<'d>>,
    pub args: Option<Value<'d>>,
    pub output: Option<Value<'d>>,
    status: Option<Value<'d>>,
    failed: bool,
}

impl<'d> Logged<'d> {
    /// Reads an entry; one that is no object is none.
    pub fn read(entry: Value<'d>) -> Option<Self> {
        if !entry.is_object() {
            return None;
        }
        let (mut kind, mut name) = (Key::Undefined, Key::Undefined);
        let (mut inputs, mut outputs, mut status, mut failed) = ([None; 3], [None; 2], None, false);
        for (key, value) in entry.entries() {
            let value_or_none = Some(value).filter(|it| !it.is_null());
            match key {
                "type" => kind = Key::of(Some(value)),
                "name" => name = Key::of(Some(value)),
                "input" => inputs[0] = value_or_none,
                "arguments" => inputs[1] = value_or_none,
                "args" => inputs[2] = value_or_none,
                "output" => outputs[0] = value_or_none,
                "result" => outputs[1] = value_or_none,
                "status" => status = value_or_none,
                "error" => failed = is_truthy(value),
                _ => {}
            }
        }
        let known = match kind {
            Key::Text(text) => KINDS.iter().find(|it| **it == text).copied(),
            _ => None,
        };
        Some(Logged {
            kind: known.unwrap_or("tool"),
            name: name.or(kind),
            input: inputs[0],
            args: inputs.into_iter().flatten().next(),
            output: outputs.into_iter().flatten().next(),
            status,
            failed,
        })
    }

    /// Whether it is a call.
    pub fn is_call(&self) -> bool {
        matches!(self.kind, "tool" | "handoff")
    }

    /// Its status, as text: its own, else `error` where it has an error.
    pub fn status(&self) -> Option<Cow<'d, str>> {
        match self.status {
            Some(own) => Some(lawbook_event::JAVASCRIPT.text(own)).filter(|it| !it.is_empty()),
            None => self.failed.then_some(Cow::Borrowed("error")),
        }
    }
}
