//! The lines of a rollout, told as events.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use lawbook_event::json::{Value, Writer};
use lawbook_event::{End, Start, Time, Usage};

use super::{items, output, words};
use crate::chat::{Chat, Request, Returned};
use crate::entries::{Entry, object, text, time};
use crate::{Session, Source, content, ids, measures};

/// The session of some lines.
pub fn session<'d>(lines: &[Entry<'d>], source: &Source) -> Session<'d> {
    let place = lines.first().map_or_else(|| source.name.clone(), |it| it.source(source));
    let id = lines.iter().find_map(|line| super::started(line.value));
    let id = id.map_or_else(|| Cow::Owned(place.clone()), Cow::Borrowed);
    let mut teller = Teller {
        chat: Chat::new(start(lines, id.clone()), lines.len()),
        known: Known::of(lines),
        tools: BTreeMap::new(),
        batch: None,
        nth: 0,
        ended: Cow::Borrowed(""),
        usage: Usage::default(),
    };
    let mut seen = BTreeSet::new();
    for (at, line) in lines.iter().enumerate() {
        // A line that was written twice says one thing.
        let raw = line.value.raw();
        let timed = line.value.get("timestamp").is_some();
        if !timed || seen.insert(raw) {
            teller.line(at, line.value);
        }
    }
    let end = End { termination: teller.ended, usage: teller.usage, ..End::default() };
    let (events, calls, notes) = teller.chat.finish(end);
    Session { id, source: place, format: "codex", calls, events, own: None, notes }
}

/// Keys of the first line and of the first turn that are worth asking for, as metadata.
const METADATA_KEYS: [&str; 10] = [
    "originator",
    "cli_version",
    "source",
    "model_provider",
    "git",
    "model",
    "approval_policy",
    "sandbox_policy",
    "effort",
    "forked_from_id",
];

fn start<'d>(lines: &[Entry<'d>], id: Cow<'d, str>) -> Start<'d> {
    let payload = |kind: &str| {
        let line = lines.iter().find(|line| text(line.value, "type") == Some(kind));
        line.and_then(|it| object(it.value, "payload"))
    };
    let old = lines.first().map(|it| it.value).filter(|it| super::sniff::is_head(*it));
    let heads = [payload("session_meta").or(old), payload("turn_context")];
    let find = |key: &str| heads.iter().flatten().find_map(|head| head.get(key));
    let mut writer = Writer::new();
    writer.object();
    let mut any = false;
    for key in METADATA_KEYS {
        if let Some(value) = find(key).filter(|it| !it.is_null()) {
            writer.key(key).raw(value.raw());
            any = true;
        }
    }
    writer.end_object();
    let metadata = if any { Cow::Owned(writer.finish()) } else { Cow::Borrowed("") };
    let cwd = find("cwd").and_then(Value::as_str).map(Cow::Borrowed);
    Start { id, metadata, cwd, ..Start::default() }
}

/// What lines for the screen say of calls and words, which other lines hold too.
#[derive(Debug, Default)]
struct Known<'d> {
    /// By the id of a call: how its command ended.
    exit_codes: BTreeMap<&'d str, i64>,
    /// By the id of a call: the server that offers its tool.
    servers: BTreeMap<&'d str, &'d str>,
    /// Calls that a person said no to.
    declined: BTreeSet<&'d str>,
    /// Whether lines of their own hold what the user wrote.
    user: bool,
    /// Whether the model's words stand among the items.
    agent: bool,
}

impl<'d> Known<'d> {
    fn of(lines: &[Entry<'d>]) -> Self {
        let mut known = Known::default();
        for line in lines {
            let (kind, payload) = parts(line.value);
            known.agent |= kind == "message" && text(payload, "role") == Some("assistant");
            match kind {
                "user_message" => known.user = true,
                "exec_command_end" | "patch_apply_end" | "mcp_tool_call_end" => {
                    known.ended(payload);
                }
                _ => {}
            }
        }
        known
    }

    fn ended(&mut self, payload: Value<'d>) {
        let Some(id) = text(payload, "call_id") else { return };
        let code = payload.get("exit_code").and_then(Value::number_text);
        let success = payload.get("success").and_then(Value::as_bool).map(|it| i64::from(!it));
        if let Some(code) = code.and_then(|it| it.parse().ok()).or(success) {
            self.exit_codes.insert(id, code);
        }
        if let Some(server) = object(payload, "invocation").and_then(|it| text(it, "server")) {
            self.servers.insert(id, server);
        }
        if text(payload, "status") == Some("declined") {
            self.declined.insert(id);
        }
    }
}

/// What a line is about: the type inside its envelope, where it has one, and what it holds.
fn parts<'d>(line: Value<'d>) -> (&'d str, Value<'d>) {
    match object(line, "payload") {
        Some(payload) => match text(line, "type") {
            Some("response_item" | "event_msg") => (text(payload, "type").unwrap_or(""), payload),
            other => (other.unwrap_or(""), payload),
        },
        None => (text(line, "type").unwrap_or(""), line),
    }
}

struct Teller<'d> {
    chat: Chat<'d>,
    known: Known<'d>,
    /// The tool of each call, by its id.
    tools: BTreeMap<&'d str, &'d str>,
    /// The first line of the response whose items are being read.
    batch: Option<usize>,
    /// Calls of that response so far.
    nth: usize,
    ended: Cow<'d, str>,
    /// What was used so far, by the last line that says so.
    usage: Usage,
}

impl<'d> Teller<'d> {
    fn line(&mut self, at: usize, line: Value<'d>) {
        let time = time(line, "timestamp");
        let before = self.chat.len();
        let (kind, payload) = parts(line);
        let event = text(line, "type") == Some("event_msg");
        let first = self.response(at, (kind, payload), event);
        self.chat.message(first);
        if let ("turn_context", Some(folder)) = (kind, text(payload, "cwd")) {
            self.chat.works_in(Cow::Borrowed(folder));
        }
        match kind {
            "user_message" if event => self.user(time, at, text(payload, "message"), payload),
            "agent_message" if event && !self.known.agent => {
                let words = text(payload, "message").unwrap_or("");
                self.chat.agent(time, ids::message(first), Cow::Borrowed(words));
            }
            "turn_aborted" | "task_complete" | "turn_complete" | "error" if event => {
                let reason = text(payload, "reason").or_else(|| text(payload, "message"));
                let how = if kind == "turn_aborted" { reason.or(Some(kind)) } else { None };
                self.ended = Cow::Borrowed(how.unwrap_or(""));
            }
            "token_count" if event => {
                let all = object(payload, "info").and_then(|it| it.get("total_token_usage"));
                self.usage = measures::or(measures::used(all), self.usage);
            }
            _ if event => {}
            "message" => self.message(time, first, payload),
            "function_call_output"
            | "custom_tool_call_output"
            | "local_shell_call_output"
            | "shell_call_output" => self.returned(time, payload),
            _ => self.asked(time, first, payload),
        }
        if self.chat.len() == before {
            self.chat.other(time);
        }
    }

    /// The first line of the response that a line is part of: the model's words, its thoughts and
    /// its calls follow each other until something else comes.
    fn response(&mut self, at: usize, (kind, payload): (&str, Value<'d>), event: bool) -> usize {
        if event || matches!(kind, "turn_context" | "ghost_snapshot") {
            // Lines for the screen stand anywhere between the items of a response.
            return at;
        }
        let is_others = kind == "message" && text(payload, "role") != Some("assistant");
        if is_others || kind.ends_with("_output") || matches!(kind, "compacted" | "session_meta") {
            self.batch = None;
            return at;
        }
        if self.batch.is_none() {
            self.nth = 0;
        }
        *self.batch.get_or_insert(at)
    }

    fn message(&mut self, time: Option<Time>, first: usize, payload: Value<'d>) {
        let words = payload
            .get("content")
            .map_or(Cow::Borrowed(""), |it| content::joined(it, content::text_part));
        match text(payload, "role") {
            Some("assistant") => self.chat.agent(time, ids::message(first), words),
            Some("user") if !self.known.user => self.human(time, first, payload),
            _ => {}
        }
    }

    /// The parts of a message that a person wrote.
    fn human(&mut self, time: Option<Time>, at: usize, payload: Value<'d>) {
        let content = payload.get("content");
        let part = |it: Value<'d>| content::text_part(it).filter(|it| words::is_human(it));
        let said = content.map_or(Cow::Borrowed(""), |it| content::joined(it, part));
        if words::is_human(&said) {
            self.chat.user(time, ids::message(at), said);
        }
    }

    fn user(&mut self, time: Option<Time>, at: usize, said: Option<&'d str>, payload: Value<'d>) {
        self.batch = None;
        self.ended = Cow::Borrowed("");
        let plain = text(payload, "kind").is_none_or(|it| it == "plain");
        if let Some(said) = said.filter(|it| plain && words::is_human(it)) {
            self.chat.person(time, ids::message(at), Cow::Borrowed(said));
        }
    }

    fn asked(&mut self, time: Option<Time>, first: usize, item: Value<'d>) {
        let Some(asked) = items::asked(item) else { return };
        let step_id = ids::call(first, self.nth);
        self.nth = self.nth.saturating_add(1);
        let mut request = Request { step_id, ..asked.request };
        if let Some(id) = text(item, "call_id") {
            let server = self.known.servers.get(id).map(|it| Cow::Borrowed(*it));
            request.server = request.server.or(server);
            request.stopped = self.known.declined.contains(id);
            let tool = text(item, "name").unwrap_or("local_shell");
            self.tools.insert(id, tool);
        }
        self.chat.call(time, request);
        if let Some(answer) = asked.answer {
            self.chat.returned_now(time, answer, false);
        }
    }

    fn returned(&mut self, time: Option<Time>, item: Value<'d>) {
        let id = text(item, "call_id");
        let tool = id.and_then(|it| self.tools.get(it)).copied().unwrap_or("");
        let code = id.and_then(|it| self.known.exit_codes.get(it)).copied();
        let (answer, stopped) = output::answer(tool, item.get("output"), code);
        let id = id.map(Cow::Borrowed);
        self.chat.returned(time, Returned { id, tool: None, answer, stopped });
    }
}
