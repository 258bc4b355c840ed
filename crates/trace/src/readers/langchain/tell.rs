//! The messages of a conversation, told as events.

use std::borrow::Cow;

use lawbook_event::json::Value;
use lawbook_event::{Answer, Args, End, Start, Time};

use super::gather::Conversation;
use super::message::{Kind, Message};
use crate::chat::{Chat, Request, Returned};
use crate::entries::{list, object, text, time};
use crate::{Session, content, cut, ids, measures, names};

/// The session of a conversation.
pub fn session(found: Conversation<'_>) -> Session<'_> {
    let id = found.thread.or_else(|| found.around.and_then(|it| text(it, "id")));
    let id = id.map_or_else(|| Cow::Owned(found.place.clone()), Cow::Borrowed);
    let metadata = found.around.and_then(|it| object(it, "metadata"));
    let start = Start {
        id: id.clone(),
        metadata: metadata.map_or(Cow::Borrowed(""), |it| Cow::Borrowed(it.raw())),
        ..Start::default()
    };
    let mut chat = Chat::new(start, found.messages.len());
    for (at, pieces) in found.messages.iter().enumerate() {
        chat.message(at);
        let before = chat.len();
        match pieces.as_slice() {
            [message] => tell(&mut chat, at, *message),
            pieces => whole(&mut chat, at, pieces),
        }
        if chat.len() == before {
            chat.other(None);
        }
    }
    let (events, calls, notes) = chat.finish(End::default());
    Session { id, source: found.place, format: "langchain", calls, events, own: None, notes }
}

fn tell<'d>(chat: &mut Chat<'d>, at: usize, message: Message<'d>) {
    let body = message.body;
    let time = time(body, "timestamp").or_else(|| time(body, "created_at"));
    let words = || {
        body.get("content").map_or(Cow::Borrowed(""), |it| content::joined(it, content::text_part))
    };
    match message.kind {
        Kind::Human => chat.user(time, ids::message(at), words()),
        Kind::Ai | Kind::AiChunk => {
            chat.used(measures::used(usage(body)));
            chat.agent(time, ids::message(at), words());
            for (nth, request) in requests(body).into_iter().enumerate() {
                chat.call(time, Request { step_id: ids::call(at, nth), ..request });
            }
            hosted(chat, time, body);
        }
        Kind::Tool => result(chat, time, body),
        Kind::Remove | Kind::Other => {}
    }
}

/// What a message says that it used: LangChain's own block, else that of the provider.
fn usage(body: Value<'_>) -> Option<Value<'_>> {
    object(body, "usage_metadata").or_else(|| {
        let provider = object(body, "response_metadata")?;
        ["token_usage", "usage"].iter().find_map(|key| object(provider, key))
    })
}

/// The calls of a message. Each stands in one of several places, and in the poorer ones again.
fn requests(body: Value<'_>) -> Vec<Request<'_>> {
    let own = list(body, "tool_calls").into_iter().flat_map(Value::items);
    let invalid = list(body, "invalid_tool_calls").into_iter().flat_map(Value::items);
    let mut all: Vec<_> = own.chain(invalid).filter(|it| it.is_object()).map(request).collect();
    if all.is_empty() {
        let extra = object(body, "additional_kwargs");
        let listed = extra.and_then(|it| list(it, "tool_calls"));
        all.extend(listed.into_iter().flat_map(Value::items).map(request));
        if all.is_empty() {
            all.extend(extra.and_then(|it| object(it, "function_call")).map(request));
        }
    }
    let blocks = body.get("content").into_iter().flat_map(Value::items);
    let of_type = |kind: &'static str| {
        blocks.clone().filter(move |it| text(*it, "type") == Some(kind)).map(request)
    };
    if all.is_empty() {
        all.extend(of_type("tool_use"));
    }
    // What the provider runs itself stands in the content alone.
    all.extend(of_type("server_tool_use"));
    all.extend(of_type("server_tool_call"));
    all
}

fn request(call: Value<'_>) -> Request<'_> {
    let inner = object(call, "function").unwrap_or(call);
    let tool = text(inner, "name").unwrap_or("");
    let given = ["args", "arguments", "input"].iter().find_map(|key| inner.get(key));
    Request {
        id: text(call, "id").map(Cow::Borrowed),
        server: names::server(tool).map(Cow::Borrowed),
        tool: Cow::Borrowed(tool),
        args: content::args(given),
        ..Request::default()
    }
}

/// What the provider's own tools returned, which stands in the model's message.
fn hosted<'d>(chat: &mut Chat<'d>, time: Option<Time>, body: Value<'d>) {
    for block in body.get("content").into_iter().flat_map(Value::items) {
        let is_result = text(block, "type").is_some_and(|it| it.ends_with("tool_result"));
        let id = text(block, "tool_use_id").or_else(|| text(block, "tool_call_id"));
        if let (true, Some(id)) = (is_result, id) {
            let said = content::result(block.get("content").or_else(|| block.get("output")));
            let answer = Answer {
                recorded: said.is_some(),
                text: said.unwrap_or_default(),
                ..Answer::default()
            };
            let id = Some(Cow::Borrowed(id));
            chat.returned(time, Returned { id, answer, ..Returned::default() });
        }
    }
}

/// How the result begins of a call that a person said no to.
const REJECTED: &str = "User rejected the tool call for `";

fn result<'d>(chat: &mut Chat<'d>, time: Option<Time>, body: Value<'d>) {
    let said = content::result(body.get("content"));
    let status = text(body, "status").unwrap_or("");
    let rejected = said.as_deref().is_some_and(|it| it.starts_with(REJECTED));
    // Every result has the status `success` unless its tool raised, so that it says nothing.
    let error = (status == "error").then_some(true);
    let stopped = ids::did_not_run(status) || (rejected && error == Some(true));
    let answer = Answer {
        recorded: said.is_some(),
        text: said.unwrap_or_default(),
        error,
        ..Answer::default()
    };
    let id = text(body, "tool_call_id").map(Cow::Borrowed);
    let tool = text(body, "name").map(Cow::Borrowed);
    chat.returned(time, Returned { id, tool, answer, stopped });
}

/// A call whose arguments came in pieces.
#[derive(Debug, Default)]
struct Pieced<'d> {
    index: Option<&'d str>,
    id: Option<&'d str>,
    name: String,
    args: String,
}

/// A message that was streamed in pieces.
fn whole<'d>(chat: &mut Chat<'d>, at: usize, pieces: &[Message<'d>]) {
    let mut words = String::new();
    let mut calls: Vec<Pieced<'d>> = Vec::new();
    for piece in pieces {
        chat.used(measures::used(usage(piece.body)));
        if let Some(content) = piece.body.get("content") {
            words.push_str(&content::joined(content, content::text_part));
        }
        for chunk in list(piece.body, "tool_call_chunks").into_iter().flat_map(Value::items) {
            add(chunk, &mut calls);
        }
    }
    chat.agent(None, ids::message(at), Cow::Owned(words));
    for (nth, call) in calls.into_iter().enumerate() {
        let server = names::server(&call.name).map(str::to_owned).map(Cow::Owned);
        let state = cut::of_message(&call.args);
        let request = Request {
            step_id: ids::call(at, nth),
            id: call.id.map(Cow::Borrowed),
            server,
            tool: Cow::Owned(call.name),
            args: Args { text: Cow::Owned(call.args), state },
            stopped: false,
        };
        chat.call(None, request);
    }
}

/// Adds a piece to its call: the newest one of its index, unless it begins another.
fn add<'d>(chunk: Value<'d>, calls: &mut Vec<Pieced<'d>>) {
    let index = chunk.get("index").filter(|it| !it.is_null()).map(Value::raw);
    let id = text(chunk, "id").filter(|it| !it.is_empty());
    let known = calls.iter().rposition(|call| call.index == index);
    let known = known.filter(|at| {
        id.is_none() || calls.get(*at).is_some_and(|call| call.id.is_none() || call.id == id)
    });
    let place = known.unwrap_or(calls.len());
    if place == calls.len() {
        calls.push(Pieced { index, id, ..Pieced::default() });
    }
    if let Some(call) = calls.get_mut(place) {
        call.id = call.id.or(id);
        call.name.push_str(text(chunk, "name").unwrap_or(""));
        call.args.push_str(text(chunk, "args").unwrap_or(""));
    }
}
