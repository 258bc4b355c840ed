//! Long texts, which stand apart in a log and are named where they belong.

use std::borrow::Cow;
use std::collections::BTreeMap;

use lawbook_event::json::{Value, write_string};
use lawbook_event::{Args, ArgsState};

use crate::content;
use crate::dialog;

const MARK: &str = "attachment://";
/// How long the name of a text may be; their own are 32 digits.
const NAME_BYTES_MAX: usize = 256;
/// How many bytes of one sample's arguments are put together from texts that stand apart; beyond
/// it they count as cut.
const COPIED_BYTES_MAX: usize = 256 << 20;

/// The texts of a sample that stand apart.
#[derive(Debug)]
pub struct Attached<'d> {
    texts: BTreeMap<&'d str, &'d str>,
    copied_bytes: usize,
}

impl<'d> Attached<'d> {
    /// Those of a sample.
    pub fn of(sample: Value<'d>) -> Self {
        let entries = sample.get("attachments").into_iter().flat_map(Value::entries);
        let texts = entries.filter_map(|(name, it)| Some((name, it.as_str()?))).collect();
        Attached { texts, copied_bytes: 0 }
    }

    /// A text, wherever it stands; nothing when it is missing.
    pub fn text(&self, text: &'d str) -> Option<&'d str> {
        match text.strip_prefix(MARK) {
            Some(name) => self.texts.get(name).copied(),
            None => Some(text),
        }
    }

    /// A content as text. What is missing is not recorded.
    pub fn content(&self, content: Option<Value<'d>>) -> Option<Cow<'d, str>> {
        if let Some(text) = content.and_then(Value::as_str) {
            return self.text(text).map(Cow::Borrowed);
        }
        let parts = content.filter(|it| it.is_array() && it.raw().contains(MARK));
        let Some(parts) = parts else { return content::text(content) };
        let mut whole = String::new();
        for part in parts.items() {
            if !whole.is_empty() {
                whole.push('\n');
            }
            match part.get("text").and_then(Value::as_str) {
                Some(text) => whole.push_str(self.text(text)?),
                None => whole.push_str(&dialog::result(Some(part))?),
            }
        }
        Some(Cow::Owned(whole))
    }

    /// The words of a person or an agent in a content.
    pub fn words(&self, content: Option<Value<'d>>) -> Cow<'d, str> {
        match content.filter(|it| it.raw().contains(MARK)) {
            Some(content) => {
                let alone = content.as_str();
                let parts = content.items().filter_map(|it| it.get("text").and_then(Value::as_str));
                let said = alone.into_iter().chain(parts).filter_map(|it| self.text(it));
                content::lines(said.filter(|it| !it.is_empty()).map(Cow::Borrowed))
            }
            None => content::words(content),
        }
    }

    /// Arguments with every text in its place.
    pub fn args(&mut self, value: Option<Value<'d>>) -> Args<'d> {
        let args = content::args(value);
        if !args.text.contains(MARK) {
            return args;
        }
        let (text, whole) = self.filled(&args.text);
        Args {
            text: Cow::Owned(text),
            state: if whole { ArgsState::Whole } else { ArgsState::Cut },
        }
    }

    /// A JSON text in which strings that name a text are that text, and whether all were there.
    fn filled(&mut self, json: &str) -> (String, bool) {
        let (mut out, mut rest, mut whole) = (String::with_capacity(json.len()), json, true);
        while let Some((before, after)) = rest.split_once(MARK) {
            out.push_str(before);
            let end = after.bytes().take(NAME_BYTES_MAX).position(|it| it == b'"');
            let name = end.and_then(|end| after.get(..end)).unwrap_or("");
            let known = self.texts.get(name).filter(|_| opens_string(before));
            let copied = known.map(|it| self.copied_bytes.saturating_add(it.len()));
            match (known, copied) {
                (Some(text), Some(bytes)) if bytes <= COPIED_BYTES_MAX => {
                    self.copied_bytes = bytes;
                    out.pop();
                    write_string(&mut out, text);
                    let end = name.len().saturating_add(1);
                    rest = after.get(end..).unwrap_or("");
                }
                _ => {
                    out.push_str(MARK);
                    whole = whole && !opens_string(before);
                    rest = after;
                }
            }
        }
        out.push_str(rest);
        (out, whole)
    }
}

/// Whether a text ends with a quotation mark that begins a string.
fn opens_string(before: &str) -> bool {
    let Some(rest) = before.strip_suffix('"') else { return false };
    let slashes = rest.bytes().rev().take_while(|it| *it == b'\\').count();
    slashes % 2 == 0
}
