//! Messages that are flattened into attributes with numbers in their names.

use std::collections::BTreeMap;

use crate::attr::{Attr, Attrs};
use crate::dialog::{Answered, Asked, Item, Message, Role};
use crate::{cut, ids};

/// A message whose fields are collected.
#[derive(Debug, Default)]
struct Flat {
    role: Option<String>,
    content: Option<String>,
    call_id: Option<String>,
    name: Option<String>,
    contents: BTreeMap<usize, String>,
    calls: BTreeMap<usize, Asked>,
}

/// The messages under `prefix`: `gen_ai.prompt.0.role`, `llm.input_messages.0.message.role`.
pub fn messages(attrs: &Attrs<'_>, prefix: &str, speaker: Role) -> Vec<Message> {
    let mut flat: BTreeMap<usize, Flat> = BTreeMap::new();
    for (key, value) in attrs.iter() {
        let Some((at, rest)) = key.strip_prefix(prefix).and_then(numbered) else { continue };
        let rest = rest.strip_prefix("message.").unwrap_or(rest);
        field(flat.entry(at).or_default(), rest, value);
    }
    flat.into_values().map(|flat| message(flat, speaker)).collect()
}

/// A number and what follows its point.
fn numbered(text: &str) -> Option<(usize, &str)> {
    let (number, rest) = text.split_once('.')?;
    Some((number.parse().ok()?, rest))
}

fn field(flat: &mut Flat, name: &str, value: &Attr<'_>) {
    let text = || value.plain().into_owned();
    match name {
        "role" => flat.role = Some(text()),
        "content" => flat.content = Some(text()),
        "tool_call_id" => flat.call_id = Some(text()),
        "name" => flat.name = Some(text()),
        _ => {
            if let Some((at, rest)) = name.strip_prefix("contents.").and_then(numbered) {
                if rest == "message_content.text" {
                    flat.contents.insert(at, text());
                }
            } else if let Some((at, rest)) = name.strip_prefix("tool_calls.").and_then(numbered) {
                call_field(flat.calls.entry(at).or_insert_with(unrecorded), rest, value);
            }
        }
    }
}

fn unrecorded() -> Asked {
    Asked { args: crate::dialog::args(None), ..Asked::default() }
}

fn call_field(call: &mut Asked, name: &str, value: &Attr<'_>) {
    let name = name.strip_prefix("tool_call.").unwrap_or(name);
    let text = value.plain().into_owned();
    match name.strip_prefix("function.").unwrap_or(name) {
        "id" => call.id = (!ids::placeholder(&text)).then_some(text),
        "name" => call.tool = text,
        "arguments" => {
            call.args.state = cut::state(&text);
            call.args.text = text.into();
        }
        _ => {}
    }
}

fn message(flat: Flat, speaker: Role) -> Message {
    let role = flat.role.as_deref().map_or(speaker, Role::of);
    let joined = || {
        let texts: Vec<_> = flat.contents.into_values().collect();
        (!texts.is_empty()).then(|| texts.join("\n"))
    };
    let content = flat.content.or_else(joined);
    let mut items = Vec::new();
    if role == Role::Tool {
        let id = flat.call_id.filter(|id| !ids::placeholder(id));
        items.push(Item::Answer(Answered {
            id,
            tool: flat.name,
            text: content.filter(|it| !lawbook_event::is_hidden(it)),
            ..Answered::default()
        }));
    } else if let Some(text) = content.filter(|text| !text.is_empty()) {
        items.extend(blocks(&text, role).unwrap_or_else(|| vec![Item::Text(text)]));
    }
    items.extend(flat.calls.into_values().map(Item::Call));
    Message { role, items }
}

/// A content that is itself a JSON list of blocks.
fn blocks(text: &str, role: Role) -> Option<Vec<Item>> {
    let document = text.trim_start().starts_with('[').then(|| crate::attr::parse(text))??;
    let items: Vec<_> = crate::dialog::messages(document.root(), role)
        .into_iter()
        .flat_map(|it| it.items)
        .collect();
    (!items.is_empty()).then_some(items)
}
