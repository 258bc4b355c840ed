//! The lines of a session, told as events.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use lawbook_event::json::{Value, Writer};
use lawbook_event::{Answer, End, Start, Time, Usage};

use super::sessions::{Found, is_subagents};
use super::words;
use crate::chat::{Chat, Request, Returned};
use crate::entries::{Entry, object, text, time};
use crate::{Note, Session, Source, content, ids, measures, names};

/// The session of some lines.
pub fn session<'d>(found: &Found<'d>, source: &Source) -> Session<'d> {
    let place = found.lines.first().map_or_else(|| source.name.clone(), |it| it.source(source));
    let id = found.id.clone().unwrap_or_else(|| Cow::Owned(place.clone()));
    let start = start(found, id.clone());
    let mut teller = Teller {
        chat: Chat::new(start, found.lines.len()),
        messages: BTreeMap::new(),
        asked: BTreeSet::new(),
        answered: BTreeMap::new(),
        denied: denied(&found.lines),
        human_after: BTreeSet::new(),
        spent: BTreeMap::new(),
        rewound: 0,
        end: End::default(),
    };
    for (at, line) in found.lines.iter().enumerate() {
        teller.line(at, line.value);
    }
    if found.subagent {
        teller.chat.note(Note::warning(
            "a subagent's own log: what the user said, and the session that called it, are elsewhere",
        ));
    }
    if teller.rewound > 0 {
        teller.chat.note(Note::warning(format!(
            "the session was taken back to an earlier point {} time(s); what was done before that \
             was done and is told too",
            teller.rewound
        )));
    }
    for usage in teller.spent.into_values() {
        teller.chat.used(usage);
    }
    let (events, calls, notes) = teller.chat.finish(teller.end);
    Session { id, source: place, format: "claude_code", calls, events, own: None, notes }
}

/// Keys of lines that are worth asking for, as metadata of the session.
const METADATA_KEYS: [&str; 5] =
    ["version", "gitBranch", "userType", "entrypoint", "permissionMode"];

/// How many lines are searched for what all lines repeat.
const LINES_SEARCHED: usize = 1_000;

fn start<'d>(found: &Found<'d>, id: Cow<'d, str>) -> Start<'d> {
    let near = || found.lines.iter().take(LINES_SEARCHED).map(|line| line.value);
    let first = |key: &str| near().find_map(|record| text(record, key));
    let mut named: Vec<(&str, &str)> =
        METADATA_KEYS.iter().filter_map(|key| Some((*key, first(key)?))).collect();
    let model = || near().find_map(|record| text(object(record, "message")?, "model"));
    named.extend(first("model").or_else(model).map(|it| ("model", it)));
    let mut writer = Writer::new();
    writer.object();
    for (key, value) in &named {
        writer.key(key).string(value);
    }
    writer.end_object();
    let metadata = if named.is_empty() { String::new() } else { writer.finish() };
    let cwd = first("cwd").map(Cow::Borrowed);
    Start { id, metadata: Cow::Owned(metadata), cwd, ..Start::default() }
}

/// The calls that the end of a printed stream names as denied.
fn denied<'d>(lines: &[Entry<'d>]) -> BTreeSet<&'d str> {
    let lists = lines.iter().filter_map(|line| line.value.get("permission_denials"));
    lists.flat_map(Value::items).filter_map(|it| text(it, "tool_use_id")).collect()
}

struct Teller<'d> {
    chat: Chat<'d>,
    /// By the id of a message of the model: the place of its first line, and its calls so far.
    messages: BTreeMap<&'d str, (usize, usize)>,
    /// Calls by the ids of message and call.
    asked: BTreeSet<(&'d str, &'d str)>,
    /// What was returned, by the id of the call.
    answered: BTreeMap<&'d str, &'d str>,
    denied: BTreeSet<&'d str>,
    /// Lines that words of the user follow.
    human_after: BTreeSet<&'d str>,
    /// By the id of a message of the model: what its last line says that it used.
    spent: BTreeMap<&'d str, Usage>,
    rewound: u32,
    end: End<'d>,
}

/// One line while it is told.
#[derive(Clone, Copy)]
struct Now {
    /// The place of the message that it is part of.
    at: usize,
    time: Option<Time>,
    /// Whether a subagent did it.
    inside: bool,
}

impl<'d> Teller<'d> {
    fn line(&mut self, at: usize, record: Value<'d>) {
        let time = time(record, "timestamp");
        let now = Now { at, time, inside: is_subagents(record) };
        let before = self.chat.len();
        self.chat.message(at);
        if let Some(folder) = text(record, "cwd") {
            self.chat.works_in(Cow::Borrowed(folder));
        }
        let message = object(record, "message");
        match (text(record, "type"), message.and_then(|it| it.get("content"))) {
            (Some("user"), Some(content)) => self.user(now, record, content),
            (Some("assistant"), Some(content)) => {
                let id = message.and_then(|it| text(it, "id")).unwrap_or("");
                self.spent(record, message, id);
                self.agent(now, record, id, content);
            }
            (Some("result"), _) => self.result(record),
            _ => {}
        }
        if self.chat.len() == before {
            self.chat.other(time);
        }
    }

    /// What a message used. Each of its lines says so, and an early one less than the last.
    fn spent(&mut self, record: Value<'d>, message: Option<Value<'d>>, id: &'d str) {
        let tokens = measures::tokens(message.and_then(|it| it.get("usage")));
        let cost_usd = measures::number(record.get("costUSD"));
        let usage = Usage { tokens, cost_usd, ..Usage::default() };
        if id.is_empty() {
            self.chat.used(usage);
        } else {
            let known = self.spent.entry(id).or_default();
            *known = measures::or(usage, *known);
        }
    }

    /// What a printed stream says at its end.
    fn result(&mut self, record: Value<'d>) {
        // The cost counts up over the turns of a stream; the rest is that of one turn.
        let more = Usage {
            latency_ms: measures::number(record.get("duration_ms")),
            ..measures::used(record.get("usage"))
        };
        measures::add(&mut self.end.usage, more);
        let cost = measures::number(record.get("total_cost_usd"));
        self.end.usage.cost_usd = cost.or(self.end.usage.cost_usd);
        if let Some(how) = text(record, "subtype") {
            self.end.termination = Cow::Borrowed(how);
        }
        if let Some(answer) = text(record, "result") {
            self.end.answer = Cow::Borrowed(answer);
        }
    }

    fn user(&mut self, now: Now, record: Value<'d>, content: Value<'d>) {
        for block in content.items() {
            if text(block, "type").is_some_and(|it| it.ends_with("tool_result")) {
                self.returned(now, block);
            }
        }
        let is = |key: &str| record.get(key).and_then(Value::as_bool) == Some(true);
        const PROGRAMS: [&str; 4] =
            ["isMeta", "isCompactSummary", "isVisibleInTranscriptOnly", "isSynthetic"];
        if now.inside || PROGRAMS.into_iter().any(is) || record.get("toolUseResult").is_some() {
            return;
        }
        let words = match content.as_str() {
            Some(text) => words::human(text),
            None => content::joined(content, |block| {
                let said = text(block, "type") == Some("text");
                text(block, "text").filter(|_| said).map(words::human)
            }),
        };
        if words.trim().is_empty() {
            return;
        }
        if let Some(parent) = text(record, "parentUuid")
            && !self.human_after.insert(parent)
        {
            self.rewound = self.rewound.saturating_add(1);
        }
        self.chat.person(now.time, ids::message(now.at), words);
    }

    fn agent(&mut self, mut now: Now, record: Value<'d>, id: &'d str, content: Value<'d>) {
        let mut calls = 0;
        if !id.is_empty() {
            let first = self.messages.entry(id).or_insert((now.at, 0));
            (now.at, calls) = *first;
            self.chat.message(now.at);
        }
        // The program speaks for the model when the model can't be reached.
        let synthetic = record.get("isApiErrorMessage").and_then(Value::as_bool) == Some(true);
        let speaks = !now.inside && !synthetic;
        if let Some(words) = content.as_str().filter(|_| speaks) {
            self.chat.agent(now.time, ids::message(now.at), Cow::Borrowed(words));
        }
        for block in content.items() {
            match text(block, "type") {
                Some("text") if speaks => {
                    let words = text(block, "text").unwrap_or("");
                    self.chat.agent(now.time, ids::message(now.at), Cow::Borrowed(words));
                }
                Some("tool_use" | "server_tool_use" | "mcp_tool_use") if self.is_new(id, block) => {
                    self.chat.call(now.time, request(block, now.at, calls));
                    calls = calls.saturating_add(1);
                }
                Some(kind) if kind.ends_with("tool_result") => self.returned(now, block),
                _ => {}
            }
        }
        if let Some(message) = self.messages.get_mut(id) {
            message.1 = calls;
        }
    }

    /// Whether a message did not ask for this call before: a line may be written again.
    fn is_new(&mut self, message: &'d str, block: Value<'d>) -> bool {
        let id = text(block, "id").filter(|it| !it.is_empty() && !message.is_empty());
        id.is_none_or(|id| self.asked.insert((message, id)))
    }

    fn returned(&mut self, now: Now, block: Value<'d>) {
        let id = text(block, "tool_use_id");
        let given = block.get("content");
        let says = given.map_or("", Value::raw);
        if let Some(id) = id
            && self.answered.insert(id, says) == Some(says)
        {
            return;
        }
        let text = content::result(given);
        let error = block.get("is_error").and_then(Value::as_bool);
        let refused = error == Some(true) && text.as_deref().is_some_and(words::did_not_run);
        let answer = Answer {
            recorded: text.is_some(),
            text: text.unwrap_or_default(),
            error,
            ..Answer::default()
        };
        let stopped = refused || id.is_some_and(|id| self.denied.contains(id));
        let returned = Returned { id: id.map(Cow::Borrowed), answer, stopped, tool: None };
        self.chat.returned(now.time, returned);
    }
}

fn request<'d>(block: Value<'d>, at: usize, nth: usize) -> Request<'d> {
    let tool = text(block, "name").unwrap_or("");
    Request {
        step_id: ids::call(at, nth),
        id: text(block, "id").map(Cow::Borrowed),
        server: text(block, "server_name").or_else(|| names::server(tool)).map(Cow::Borrowed),
        tool: Cow::Borrowed(tool),
        args: content::args(block.get("input")),
        stopped: false,
    }
}
