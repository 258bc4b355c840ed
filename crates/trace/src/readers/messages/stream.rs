//! Fragments of streamed messages, put together again.

use std::borrow::Cow;
use std::collections::BTreeMap;

use lawbook_event::Args;
use lawbook_event::json::Value;

use super::teller::{Shape, Teller};
use super::{blocks, message};
use crate::chat::Request;
use crate::measures::Streamed;
use crate::{cut, ids};

/// The pieces of one message that have come so far.
#[derive(Debug, Default)]
pub struct Stream<'d> {
    /// Where the first fragment stands.
    at: usize,
    /// Which message the fragments say that they belong to.
    id: Option<&'d str>,
    pieces: Vec<Piece<'d>>,
    /// What the fragments say was used.
    usage: Streamed,
    /// Places of pieces by the index that fragments name.
    places: BTreeMap<&'d str, usize>,
}

#[derive(Debug)]
enum Piece<'d> {
    Text(String),
    Call(Request<'d>, String),
    /// A block that came whole.
    Block(Value<'d>),
}

/// The index of a text that has none of its own.
const TEXT: &str = "text";

impl<'d> Stream<'d> {
    /// Whether events of this type are fragments.
    pub fn knows(kind: &str) -> bool {
        const ANTHROPIC: [&str; 7] = [
            "message_start",
            "content_block_start",
            "content_block_delta",
            "content_block_stop",
            "message_delta",
            "message_stop",
            "ping",
        ];
        ANTHROPIC.contains(&kind) || kind.starts_with("response.")
    }

    /// Takes a fragment, or the whole message that an event brings.
    pub fn take(teller: &mut Teller<'d>, at: usize, event: Value<'d>) {
        let text = |key: &str| event.get(key).and_then(Value::as_str);
        if text("type") == Some("message_start") {
            Self::begin(teller, at, None);
        }
        teller.stream.usage.event(event);
        match text("type") {
            Some("message_start") => {}
            Some("content_block_start") => Self::block(teller, at, event),
            Some("response.output_item.done") => {
                if let Some(item) = event.get("item") {
                    Self::flush(teller);
                    message::whole(teller, at, item);
                }
            }
            Some(kind) if kind.starts_with("response.") => {}
            _ => match event.get("choices").map(|it| it.items().next()) {
                Some(Some(choice)) => Self::choice(teller, at, text("id"), choice),
                Some(None) => {}
                None => Self::delta(teller, at, event),
            },
        }
    }

    /// Tells the message that the pieces are.
    pub fn flush(teller: &mut Teller<'d>) {
        teller.chat.used(teller.stream.usage.take());
        if teller.stream.pieces.is_empty() {
            return;
        }
        let stream = std::mem::take(&mut teller.stream);
        let at = stream.at;
        teller.chat.message(at);
        let mut nth = 0_usize;
        for piece in stream.pieces {
            match piece {
                Piece::Text(text) => {
                    teller.chat.agent(None, ids::message(at), Cow::Owned(text));
                }
                Piece::Call(request, args) => {
                    let state = cut::of_message(&args);
                    let args = if args.is_empty() {
                        request.args
                    } else {
                        Args { text: args.into(), state }
                    };
                    let step_id = ids::call(at, nth);
                    nth = nth.saturating_add(1);
                    teller.chat.call(None, Request { step_id, args, ..request });
                }
                Piece::Block(block) => blocks::returned(teller, None, block),
            }
        }
    }

    /// Starts a message where the fragments belong to another one than before.
    fn begin(teller: &mut Teller<'d>, at: usize, id: Option<&'d str>) {
        let is_same = id.is_some() && teller.stream.id == id;
        if is_same && !teller.stream.pieces.is_empty() {
            return;
        }
        let mut usage = teller.stream.usage;
        if !is_same {
            Self::flush(teller);
            usage = Streamed::default();
        }
        teller.stream = Stream { at, id, usage, ..Stream::default() };
    }

    fn block(teller: &mut Teller<'d>, at: usize, event: Value<'d>) {
        teller.saw(Shape::AnthropicMessages);
        let Some(block) = event.get("content_block") else { return };
        let index = event.get("index").map_or("", Value::raw);
        let piece = match block.get("type").and_then(Value::as_str) {
            Some("text") => {
                let text = block.get("text").and_then(Value::as_str).unwrap_or_default();
                Piece::Text(text.to_owned())
            }
            Some("thinking" | "redacted_thinking") => return,
            _ if blocks::is_call(block) => Piece::Call(blocks::asked(block), String::new()),
            _ => Piece::Block(block),
        };
        if teller.stream.pieces.is_empty() {
            teller.stream.at = at;
        }
        teller.stream.put(index, piece);
    }

    fn choice(teller: &mut Teller<'d>, at: usize, id: Option<&'d str>, choice: Value<'d>) {
        teller.saw(Shape::OpenAiChat);
        if let Some(message) = choice.get("message") {
            Self::flush(teller);
            return message::whole(teller, at, message);
        }
        if id.is_some() {
            Self::begin(teller, at, id);
        }
        Self::delta(teller, at, choice);
    }

    fn delta(teller: &mut Teller<'d>, at: usize, event: Value<'d>) {
        let Some(delta) = event.get("delta") else { return };
        let index = event.get("index").map_or("", Value::raw);
        let stream = &mut teller.stream;
        if stream.pieces.is_empty() {
            stream.at = at;
        }
        for (key, value) in delta.entries() {
            match (key, value.as_str()) {
                // Anthropic's deltas name the block that they belong to.
                ("text", Some(text)) => stream.text(index, text),
                ("partial_json", Some(text)) => stream.args(index, text),
                ("content" | "refusal", Some(text)) => stream.text(TEXT, text),
                ("tool_calls", _) => value.items().for_each(|it| stream.call(it)),
                _ => {}
            }
        }
    }

    fn put(&mut self, index: &'d str, piece: Piece<'d>) {
        self.places.insert(index, self.pieces.len());
        self.pieces.push(piece);
    }

    fn piece(&mut self, index: &str) -> Option<&mut Piece<'d>> {
        self.pieces.get_mut(*self.places.get(index)?)
    }

    fn text(&mut self, index: &'d str, text: &str) {
        match self.piece(index) {
            Some(Piece::Text(before)) => before.push_str(text),
            _ if text.is_empty() => {}
            _ => self.put(index, Piece::Text(text.to_owned())),
        }
    }

    fn args(&mut self, index: &str, text: &str) {
        if let Some(Piece::Call(_, args)) = self.piece(index) {
            args.push_str(text);
        }
    }

    /// A fragment of a call: the first has its id and name, all have a part of the arguments.
    fn call(&mut self, fragment: Value<'d>) {
        let index = fragment.get("index").or_else(|| fragment.get("id")).map_or("", Value::raw);
        let body = fragment.get("function").unwrap_or(fragment);
        let more = body.get("arguments").and_then(Value::as_str).unwrap_or_default();
        if let Some(Piece::Call(_, args)) = self.piece(index) {
            args.push_str(more);
            return;
        }
        let request = message::asked(fragment);
        self.put(index, Piece::Call(request, more.to_owned()));
    }
}
