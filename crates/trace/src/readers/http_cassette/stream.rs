//! What a model answered: a JSON body, or a stream of server-sent events put together.

use std::collections::BTreeMap;

use lawbook_event::json::{Document, Value};
use lawbook_event::{Args, Usage};

use crate::attr;
use crate::cut;
use crate::dialog::{self, Asked, Item, Message, Role};
use crate::entries::{list, object, text};
use crate::measures::Streamed;

/// The messages in the body of a response.
pub fn messages(body: &str) -> Vec<Message> {
    let body = body.trim_start();
    if let Some(document) = attr::parse_container(body) {
        let root = document.root();
        // A stream of Gemini without server-sent events is a list of responses.
        if root.is_array() {
            return put_together(root.items());
        }
        return super::said(root);
    }
    let events: Vec<Document<'static>> = events(body);
    put_together(events.iter().map(Document::root))
}

/// What the body of a response says was used.
pub fn usage(body: &str) -> Usage {
    let mut streamed = Streamed::default();
    match attr::parse_container(body.trim_start()) {
        Some(document) if document.root().is_array() => {
            document.root().items().for_each(|it| streamed.event(it));
        }
        Some(document) => streamed.event(document.root()),
        None => events(body).iter().for_each(|it| streamed.event(it.root())),
    }
    streamed.take()
}

/// The data of each event that is JSON.
fn events(body: &str) -> Vec<Document<'static>> {
    let mut all = Vec::new();
    let mut data = String::new();
    for line in body.lines().chain([""]) {
        if let Some(more) = line.strip_prefix("data:") {
            if !data.is_empty() {
                data.push('\n');
            }
            data.push_str(more.strip_prefix(' ').unwrap_or(more));
        } else if line.trim().is_empty() && !data.is_empty() {
            all.extend(attr::parse_owned(std::mem::take(&mut data)));
        }
    }
    all
}

/// A block of a message while its pieces come in.
#[derive(Debug)]
enum Block {
    Text(String),
    Call {
        id: Option<String>,
        server: Option<String>,
        tool: String,
        args: String,
    },
    /// A whole block in its system's words.
    Whole(Vec<Message>),
}

/// The message that the pieces make.
fn put_together<'d>(events: impl Iterator<Item = Value<'d>>) -> Vec<Message> {
    let mut pieces = Pieces::default();
    for event in events {
        pieces.add(event);
    }
    pieces.finish()
}

#[derive(Debug, Default)]
struct Pieces {
    /// Blocks by the number under which their pieces come.
    blocks: BTreeMap<(u8, u64), Block>,
    /// What a last event says that the whole answer was.
    whole: Option<Vec<Message>>,
    /// Pieces without a number, as they came.
    unnumbered: u64,
}

/// OpenAI's text comes before its calls.
const WORDS: u8 = 0;
const CALLS: u8 = 1;

impl Pieces {
    fn add(&mut self, event: Value<'_>) {
        match text(event, "type") {
            Some("content_block_start") => self.block_starts(event),
            Some("content_block_delta") => self.block_goes_on(event),
            Some("response.completed" | "response.incomplete" | "response.failed") => {
                let response = object(event, "response");
                self.whole = response.map(super::said).filter(|it| !it.is_empty());
            }
            Some("response.output_item.done") => {
                if let Some(item) = object(event, "item") {
                    self.next(dialog::messages(item, Role::Agent));
                }
            }
            _ if list(event, "candidates").is_some() => self.next(super::said(event)),
            _ => {
                let choice = list(event, "choices").and_then(|it| it.item(0));
                let first = |it: &Value<'_>| number(it.get("index")) == 0;
                if let Some(delta) = choice.filter(first).and_then(|it| object(it, "delta")) {
                    self.chunk(delta);
                }
            }
        }
    }

    fn next(&mut self, messages: Vec<Message>) {
        self.blocks.insert((WORDS, self.unnumbered), Block::Whole(messages));
        self.unnumbered = self.unnumbered.saturating_add(1);
    }

    /// Anthropic: a block begins.
    fn block_starts(&mut self, event: Value<'_>) {
        let Some(block) = object(event, "content_block") else { return };
        let key = (WORDS, number(event.get("index")));
        let owned = |key: &str| text(block, key).map(str::to_owned);
        let begun = match text(block, "type") {
            Some("text") => Block::Text(owned("text").unwrap_or_default()),
            Some("tool_use" | "server_tool_use" | "mcp_tool_use") => {
                let given = object(block, "input").filter(|it| !it.is_empty());
                Block::Call {
                    id: owned("id"),
                    server: owned("server_name"),
                    tool: owned("name").unwrap_or_default(),
                    args: given.map(|it| it.raw().to_owned()).unwrap_or_default(),
                }
            }
            _ => Block::Whole(dialog::messages(block, Role::Agent)),
        };
        self.blocks.insert(key, begun);
    }

    /// Anthropic: a piece of a block.
    fn block_goes_on(&mut self, event: Value<'_>) {
        let Some(delta) = object(event, "delta") else { return };
        let block = self.blocks.get_mut(&(WORDS, number(event.get("index"))));
        match block {
            Some(Block::Text(words)) => words.push_str(text(delta, "text").unwrap_or("")),
            Some(Block::Call { args, .. }) => {
                args.push_str(text(delta, "partial_json").unwrap_or(""));
            }
            _ => {}
        }
    }

    /// OpenAI: a piece of text or of calls.
    fn chunk(&mut self, delta: Value<'_>) {
        if let Some(more) = text(delta, "content").or_else(|| text(delta, "refusal")) {
            let block = self.blocks.entry((WORDS, 0)).or_insert(Block::Text(String::new()));
            if let Block::Text(words) = block {
                words.push_str(more);
            }
        }
        let old = object(delta, "function_call");
        let calls = list(delta, "tool_calls").into_iter().flat_map(Value::items);
        for call in calls.chain(old) {
            let key = (CALLS, number(call.get("index")));
            let body = object(call, "function").or_else(|| object(call, "custom")).unwrap_or(call);
            let fresh =
                Block::Call { id: None, server: None, tool: String::new(), args: String::new() };
            if let Block::Call { id, tool, args, .. } = self.blocks.entry(key).or_insert(fresh) {
                *id = id.take().or_else(|| text(call, "id").map(str::to_owned));
                tool.push_str(text(body, "name").unwrap_or(""));
                let more = text(body, "arguments").or_else(|| text(body, "input"));
                args.push_str(more.unwrap_or(""));
            }
        }
    }

    fn finish(self) -> Vec<Message> {
        if let Some(whole) = self.whole {
            return whole;
        }
        let mut all = Vec::new();
        let mut items = Vec::new();
        for block in self.blocks.into_values() {
            match block {
                Block::Text(words) => items.push(Item::Text(words)),
                Block::Call { id, server, tool, args } => {
                    let args = Args { state: cut::state(&args), text: args.into() };
                    items.push(Item::Call(Asked { id, server, tool, args }));
                }
                Block::Whole(messages) => {
                    items.extend(messages.into_iter().flat_map(|it| it.items));
                }
            }
        }
        if !items.is_empty() {
            all.push(Message { role: Role::Agent, items });
        }
        all
    }
}

fn number(value: Option<Value<'_>>) -> u64 {
    value.and_then(Value::number_text).and_then(|it| it.parse().ok()).unwrap_or(0)
}
