//! Content blocks of Anthropic messages.

use std::borrow::Cow;

use lawbook_event::Time;
use lawbook_event::json::Value;

use super::content::{answer, human_text, part_text, request};
use super::message::Fields;
use super::teller::{Shape, Teller};
use crate::chat::{Request, Returned};
use crate::content::args;
use crate::ids;

/// Whether a block asks for a tool or holds what one returned.
pub fn is_tool(block: Value<'_>) -> bool {
    is_call(block) || kind(block).is_some_and(is_result)
}

/// Whether a block asks for a tool.
pub fn is_call(block: Value<'_>) -> bool {
    matches!(kind(block), Some("tool_use" | "server_tool_use" | "mcp_tool_use"))
}

/// How many calls the blocks of a content ask for.
pub fn calls(content: Option<Value<'_>>) -> usize {
    content.into_iter().flat_map(Value::items).filter(|it| is_call(*it)).count()
}

fn kind(block: Value<'_>) -> Option<&str> {
    block.get("type").and_then(Value::as_str)
}

/// Tools of the provider name their results after themselves: `web_search_tool_result`.
fn is_result(kind: &str) -> bool {
    kind == "tool_result" || kind.ends_with("_tool_result")
}

/// Tells the blocks of a message that holds calls or results. What the user wrote comes after the
/// results beside it, so that a text which a tool returned is known as the tool's.
pub fn tell<'d>(teller: &mut Teller<'d>, at: usize, fields: &Fields<'d>, is_agent: bool) {
    teller.saw(Shape::AnthropicMessages);
    let Some(content) = fields.content else { return };
    let mut nth = 0_usize;
    for block in content.items() {
        match kind(block) {
            _ if is_call(block) => {
                let request = Request { step_id: ids::call(at, nth), ..asked(block) };
                teller.chat.call(fields.at, request);
                nth = nth.saturating_add(1);
            }
            Some(kind) if is_result(kind) => returned(teller, fields.at, block),
            _ if is_agent => {
                if let Some(text) = spoken(block) {
                    teller.chat.agent(fields.at, ids::message(at), Cow::Borrowed(text));
                }
            }
            _ => {}
        }
    }
    if fields.role == Some("user") {
        teller.chat.user(fields.at, ids::message(at), human_text(content));
    }
}

/// A block that asks for a tool.
pub fn asked<'d>(block: Value<'d>) -> Request<'d> {
    let text = |key: &str| block.get(key).and_then(Value::as_str);
    let server = text("server_name").map(Cow::Borrowed);
    let tool = text("name").unwrap_or("");
    Request { server, ..request(text("id"), tool, args(block.get("input"))) }
}

/// The text of a block that the agent says; its thoughts are not said.
fn spoken(block: Value<'_>) -> Option<&str> {
    match kind(block) {
        Some("thinking" | "redacted_thinking") => None,
        _ => part_text(block),
    }
}

/// Tells a block that holds what a tool returned.
pub fn returned<'d>(teller: &mut Teller<'d>, at: Option<Time>, block: Value<'d>) {
    let content = block.get("content");
    let mut answer = answer(&mut teller.chat, content);
    // A result without content is an empty one.
    answer.recorded = answer.recorded || content.is_none();
    let flag = block.get("is_error").and_then(Value::as_bool);
    let failed = content.and_then(kind).is_some_and(|it| it.ends_with("_error"));
    answer.error = flag.or(failed.then_some(true));
    let id = block.get("tool_use_id").and_then(Value::as_str).map(Cow::Borrowed);
    teller.chat.returned(at, Returned { id, tool: None, answer, stopped: false });
}
