//! The event log of AutoGen's core: what models were asked, and which tools ran.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use lawbook_diag::Problem;
use lawbook_event::Start;
use lawbook_event::json::Value;

use crate::chat::{Request, Returned};
use crate::content;
use crate::readers::export::text;
use crate::readers::whole::{self, Told};
use crate::{Part, Source, Untold, ids, measures};

const TYPES: [&str; 8] = [
    "LLMCall",
    "LLMStreamStart",
    "LLMStreamEnd",
    "ToolCall",
    "Message",
    "MessageDropped",
    "MessageHandlerException",
    "AgentConstructionException",
];

/// Whether a document is one event of the log.
pub fn is_event(root: Value<'_>) -> bool {
    let kind = text(root, &["type"]).unwrap_or("");
    let has = |key: &str| root.get(key).is_some();
    TYPES.contains(&kind)
        && match kind {
            "ToolCall" => has("tool_name") && has("arguments"),
            "LLMCall" => has("messages") && has("response"),
            "Message" | "MessageDropped" => has("payload") && has("sender"),
            _ => has("agent_id") || has("handling_agent") || has("messages"),
        }
}

/// Reads a log as one session.
pub fn read<'d>(
    format: &'static str,
    parts: &'d [Part<'d>],
    source: &Source,
    out: &mut dyn FnMut(Untold<'d>),
) -> Vec<Problem> {
    let place = source.place(None, "");
    let start = Start { id: Cow::Owned(place.clone()), ..Start::default() };
    let told = Told::new(start, parts.len());
    let mut log = Log { told, said: BTreeSet::new(), open: BTreeMap::new() };
    let mut problems = Vec::new();
    for (at, part) in parts.iter().enumerate() {
        let event = part.document.root();
        if is_event(event) {
            log.event(at, event);
        } else {
            problems.push(whole::missing(source, part, "this is no event of AutoGen's core"));
        }
    }
    out(log.told.finish(format, place).into());
    problems
}

struct Log<'d> {
    told: Told<'d>,
    /// The user's texts that were told; every call of a model repeats them.
    said: BTreeSet<&'d str>,
    /// How many calls of a tool were asked for and did not run yet.
    open: BTreeMap<&'d str, usize>,
}

impl<'d> Log<'d> {
    fn event(&mut self, at: usize, event: Value<'d>) {
        self.told.chat.message(at);
        let before = self.told.chat.len();
        match text(event, &["type"]) {
            Some("LLMCall") => self.model(at, event),
            Some("ToolCall") => self.tool(at, event),
            _ => {}
        }
        if self.told.chat.len() == before {
            self.told.chat.other(None);
        }
    }

    fn model(&mut self, at: usize, event: Value<'d>) {
        for message in event.get("messages").into_iter().flat_map(Value::items) {
            let words = message.get("content").and_then(Value::as_str);
            if text(message, &["role"]) == Some("user")
                && let Some(words) = words.filter(|it| self.said.insert(it))
            {
                self.told.chat.user(None, ids::message(at), Cow::Borrowed(words));
            }
        }
        let response = event.get("response");
        let own = response.and_then(|it| it.get("usage"));
        let usage = measures::or(measures::used(Some(event)), measures::used(own));
        self.told.chat.used(usage);
        let choice = response.and_then(|it| it.get("choices")).and_then(|it| it.item(0));
        let Some(message) = choice.and_then(|it| it.get("message")).or(response) else { return };
        self.told.chat.agent(None, ids::message(at), content::words(message.get("content")));
        for (nth, call) in message.get("tool_calls").into_iter().flat_map(Value::items).enumerate()
        {
            let Some(body) = call.get("function") else { continue };
            let tool = text(body, &["name"]).unwrap_or("");
            let open = self.open.entry(tool).or_default();
            *open = open.saturating_add(1);
            let request = Request {
                step_id: ids::call(at, nth),
                id: text(call, &["id"]).map(Cow::Borrowed),
                tool: Cow::Borrowed(tool),
                args: content::args(body.get("arguments")),
                ..Request::default()
            };
            self.told.chat.call(None, request);
        }
    }

    /// A tool ran. The log gives no id, so it is the first call of the tool that waits, and a new
    /// one where none does.
    fn tool(&mut self, at: usize, event: Value<'d>) {
        let tool = text(event, &["tool_name"]).unwrap_or("");
        let answer = content::answer(content::text(event.get("result")), None);
        match self.open.get_mut(tool).filter(|it| **it > 0) {
            Some(open) => {
                *open = open.saturating_sub(1);
                let tool = Some(Cow::Borrowed(tool));
                self.told.chat.returned(None, Returned { tool, answer, ..Returned::default() });
            }
            None => {
                let request = Request {
                    step_id: ids::call(at, 0),
                    tool: Cow::Borrowed(tool),
                    args: content::args(event.get("arguments")),
                    ..Request::default()
                };
                self.told.chat.call(None, request);
                self.told.chat.returned_now(None, answer, false);
            }
        }
    }
}
