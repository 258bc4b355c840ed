//! Events that carry messages: on spans, and as log records beside them.

use std::borrow::Cow;

use lawbook_event::json::Value;

use super::any;
use super::collect::first;
use crate::attr::{self, Attr, Attrs};
use crate::dialog::{self, Answered, Item, Message, Role};
use crate::encoding;

/// One event, wherever it stands.
#[derive(Clone, Debug)]
pub struct Said<'d> {
    /// Its name.
    pub name: Cow<'d, str>,
    /// The span that it belongs to.
    pub span: Option<Cow<'d, str>>,
    /// Its attributes.
    pub attrs: Attrs<'d>,
    /// Its body.
    pub body: Option<Attr<'d>>,
}

/// A log record as an event; nothing when it has no event's name.
pub fn said<'d>(record: Value<'d>) -> Option<Said<'d>> {
    let attrs = any::attributes(first(record, &["attributes"]));
    let name = first(record, &["eventName", "event_name"]).and_then(Value::as_str);
    let name = match name.filter(|name| !name.is_empty()) {
        Some(name) => Cow::Borrowed(name),
        None => attrs.first(&["event.name", "otel.event.name"])?.plain(),
    };
    let span = first(record, &["spanId", "span_id"])
        .and_then(Value::as_str)
        .filter(|id| !id.is_empty())
        .map(|id| encoding::hex_id(id, 8));
    Some(Said { name, span, attrs, body: first(record, &["body"]).map(any::value) })
}

const DETAILS: &str = "gen_ai.client.inference.operation.details";

/// Whether an event carries messages.
pub fn speaks(name: &str) -> bool {
    name == DETAILS || speaker(name).is_some()
}

fn speaker(name: &str) -> Option<Role> {
    match name {
        "gen_ai.user.message" => Some(Role::User),
        "gen_ai.assistant.message" | "gen_ai.choice" => Some(Role::Agent),
        "gen_ai.tool.message" => Some(Role::Tool),
        "gen_ai.system.message" => Some(Role::Other),
        _ => None,
    }
}

/// Adds what an event says to the messages before and after a model's turn.
pub fn add(
    name: &str,
    attrs: &Attrs<'_>,
    body: Option<&Attr<'_>>,
    input: &mut Vec<Message>,
    output: &mut Vec<Message>,
) {
    if name == DETAILS {
        let of = |key: &str| {
            let from_body = || Some(body?.document()?.root().get(key)?.raw().to_owned());
            attrs.get(key).map(|it| it.plain().into_owned()).or_else(from_body)
        };
        input
            .extend(of("gen_ai.input.messages").into_iter().flat_map(|it| parsed(&it, Role::User)));
        output.extend(
            of("gen_ai.output.messages").into_iter().flat_map(|it| parsed(&it, Role::Agent)),
        );
        return;
    }
    let Some(speaker) = speaker(name) else { return };
    let json = match body {
        Some(Attr::Json(json)) => json.clone().into_owned(),
        Some(text) => {
            let mut out = String::from("{\"content\":");
            text.write(&mut out);
            out.push('}');
            out
        }
        None => attrs.to_json(|_| true),
    };
    let Some(document) = attr::parse(&json) else { return };
    let said = event_messages(document.root(), speaker);
    if name == "gen_ai.choice" {
        output.extend(said);
    } else {
        input.extend(said);
    }
}

/// The messages in a text.
pub fn parsed(text: &str, speaker: Role) -> Vec<Message> {
    match attr::parse_container(text) {
        Some(document) => dialog::messages(document.root(), speaker),
        None if text.is_empty() => Vec::new(),
        None => vec![Message::of_attribute(speaker, text)],
    }
}

fn event_messages(object: Value<'_>, speaker: Role) -> Vec<Message> {
    let inner = object.get("message").or_else(|| object.get("content"));
    let mut said = match inner.map(|it| (it, it.as_str())) {
        Some((_, Some(text))) => parsed(text, speaker),
        Some((inner, None)) => dialog::messages(inner, speaker),
        None => Vec::new(),
    };
    if speaker == Role::Tool
        && !said.iter().flat_map(|it| &it.items).any(|it| matches!(it, Item::Answer(_)))
    {
        let id = dialog::id(object.get("id").or_else(|| object.get("tool_call_id")));
        let answer = Answered { id, text: dialog::result(inner), ..Answered::default() };
        return vec![Message { role: Role::Tool, items: vec![Item::Answer(answer)] }];
    }
    let calls = object.get("tool_calls");
    let from_text = calls.and_then(Value::as_str).and_then(attr::parse_container);
    let calls = from_text.as_ref().map(|it| it.root()).or(calls);
    let items: Vec<_> =
        calls.into_iter().flat_map(Value::items).map(|it| Item::Call(dialog::call(it))).collect();
    if !items.is_empty() {
        match said.last_mut() {
            Some(last) => last.items.extend(items),
            None => said.push(Message { role: Role::Agent, items }),
        }
    }
    for message in &mut said {
        // The event names the speaker; what the body says of roles does not count.
        message.role = speaker;
    }
    said
}
