//! Messages of JSON-RPC, told as events.

use std::borrow::Cow;
use std::collections::BTreeMap;

use lawbook_event::json::{Value, Writer};
use lawbook_event::{Answer, Args, End, Start};

use super::envelope::Frame;
use super::method::{self, Side};
use crate::chat::{Chat, Request};
use crate::entries::{object, text};
use crate::{Note, Session, Source, content, ids};

/// The places of the messages of each session. A session is what the transport calls one; without
/// a name it ends where a client greets a server again that it had greeted.
pub fn sessions(frames: &[Frame<'_>]) -> Vec<Vec<usize>> {
    let mut groups: Vec<Vec<usize>> = Vec::new();
    // By session: its group, and by server whether it was greeted there.
    let mut open: BTreeMap<Option<&str>, (usize, Vec<Option<&str>>)> = BTreeMap::new();
    for (at, frame) in frames.iter().enumerate() {
        let greets = Frame::method_of(frame.message) == Some("initialize");
        let again =
            greets && open.get(&frame.session).is_some_and(|it| it.1.contains(&frame.server));
        if again {
            open.remove(&frame.session);
        }
        let (group, greeted) =
            open.entry(frame.session).or_insert_with(|| (groups.len(), Vec::new()));
        if greets && greeted.len() < GREETED_MAX {
            greeted.push(frame.server);
        }
        match groups.get_mut(*group) {
            Some(places) => places.push(at),
            None => groups.push(vec![at]),
        }
    }
    groups
}

/// How many servers of one session are told apart.
const GREETED_MAX: usize = 256;

/// The session of some messages.
pub fn session<'d>(places: &[usize], all: &[Frame<'d>], source: &Source) -> Session<'d> {
    let frames: Vec<&Frame<'d>> = places.iter().filter_map(|at| all.get(*at)).collect();
    let first = frames.first();
    let place = first.map_or_else(|| source.name.clone(), |it| it.entry.source(source));
    let id = first.and_then(|it| it.session);
    let id = id.map_or_else(|| Cow::Owned(place.clone()), Cow::Borrowed);
    let start =
        Start { id: id.clone(), metadata: metadata(&frames), wordless: true, ..Start::default() };
    let mut teller = Teller {
        chat: Chat::new(start, frames.len()),
        sides: Sides::of(&frames),
        open: BTreeMap::new(),
        names: names(&frames),
        record: None,
        nth: 0,
    };
    teller.chat.note(Note::warning("the log does not hold what the user and the agent said"));
    for frame in &frames {
        teller.frame(frame);
    }
    let (events, calls, notes) = teller.chat.finish(End::default());
    Session { id, source: place, format: "mcp", calls, events, own: None, notes }
}

fn metadata<'d>(frames: &[&Frame<'d>]) -> Cow<'d, str> {
    let find =
        |outer: &str, key: &str| frames.iter().find_map(|it| object(it.message, outer)?.get(key));
    let client = find("params", "clientInfo").map(|it| ("clientInfo", it));
    let server = find("result", "serverInfo").map(|it| ("serverInfo", it));
    let version = find("result", "protocolVersion").map(|it| ("protocolVersion", it));
    if client.is_none() && server.is_none() && version.is_none() {
        return Cow::Borrowed("");
    }
    let mut writer = Writer::new();
    writer.object();
    for (key, value) in [client, server, version].into_iter().flatten() {
        writer.key(key).raw(value.raw());
    }
    writer.end_object();
    Cow::Owned(writer.finish())
}

/// By the logger's name of a server, or none: the name that it gives itself.
fn names<'d>(frames: &[&Frame<'d>]) -> BTreeMap<Option<&'d str>, &'d str> {
    let named = |frame: &&Frame<'d>| {
        let info = object(object(frame.message, "result")?, "serverInfo")?;
        Some((frame.server, text(info, "name")?))
    };
    frames.iter().filter_map(named).collect()
}

/// Which of the logger's words mean that the client sent a message.
#[derive(Debug, Default)]
struct Sides<'d> {
    known: BTreeMap<&'d str, Side>,
}

impl<'d> Sides<'d> {
    /// The methods show it: only clients call tools, only servers ask for samples.
    fn of(frames: &[&Frame<'d>]) -> Self {
        let mut known = BTreeMap::new();
        for frame in frames {
            let side = Frame::method_of(frame.message).and_then(method::side);
            if let (Some(word), Some(side)) = (frame.direction, side) {
                known.entry(word).or_insert(side);
            }
        }
        Sides { known }
    }

    /// Who sent an answer. A word that no request stands under is the other side's, where there is
    /// one word for the client.
    fn answering(&self, frame: &Frame<'_>) -> Option<Side> {
        let word = frame.direction?;
        self.known.get(word).copied().or_else(|| match self.known.values().next() {
            Some(Side::Client) if self.known.len() == 1 => Some(Side::Server),
            Some(Side::Server) if self.known.len() == 1 => Some(Side::Client),
            _ => None,
        })
    }
}

/// A request that waits for its answer.
#[derive(Clone, Copy, Debug)]
enum Asked {
    /// A call of this step.
    Call(u32),
    /// Something else.
    Other,
}

/// A request's server, who asked, and its id as JSON: ids count apart on each side.
type Key<'d> = (Option<&'d str>, Side, &'d str);

struct Teller<'d> {
    chat: Chat<'d>,
    sides: Sides<'d>,
    open: BTreeMap<Key<'d>, Asked>,
    names: BTreeMap<Option<&'d str>, &'d str>,
    /// The newest record: its place in the log, and in this session.
    record: Option<(usize, usize)>,
    /// Calls in it so far.
    nth: usize,
}

impl<'d> Teller<'d> {
    fn frame(&mut self, frame: &Frame<'d>) {
        let at = self.place(frame.record);
        self.chat.message(at);
        let before = self.chat.len();
        let id = frame.message.get("id").filter(|it| !it.is_null()).map(Value::raw);
        match (Frame::method_of(frame.message), id) {
            (Some(method), Some(id)) => self.request(frame, method, id),
            (None, Some(id)) => self.answer(frame, id),
            _ => {}
        }
        if self.chat.len() == before {
            self.chat.other(frame.time);
        }
    }

    /// The place of a record in this session.
    fn place(&mut self, record: usize) -> usize {
        let (newest, at) = match self.record {
            Some((newest, at)) if newest == record => (newest, at),
            Some((_, at)) => (record, at.saturating_add(1)),
            None => (record, 0),
        };
        if self.record != Some((newest, at)) {
            self.nth = 0;
        }
        self.record = Some((newest, at));
        at
    }

    fn request(&mut self, frame: &Frame<'d>, method: &'d str, id: &'d str) {
        let side =
            method::side(method).or_else(|| self.sides.answering(frame)).unwrap_or(Side::Client);
        let key = (frame.server, side, id);
        if method != "tools/call" {
            self.open.insert(key, Asked::Other);
            return;
        }
        let params = object(frame.message, "params");
        let tool = params.and_then(|it| text(it, "name")).unwrap_or("");
        let server = frame.server.or_else(|| self.names.get(&None).copied());
        let request = Request {
            step_id: ids::call(self.record.map_or(0, |it| it.1), self.nth),
            id: Some(Cow::Borrowed(id.trim_matches('"'))),
            server: server.map(Cow::Borrowed),
            tool: Cow::Borrowed(tool),
            args: params.map_or_else(|| content::args(None), arguments),
            stopped: false,
        };
        self.nth = self.nth.saturating_add(1);
        let step = self.chat.call(frame.time, request);
        self.open.insert(key, Asked::Call(step));
    }

    fn answer(&mut self, frame: &Frame<'d>, id: &'d str) {
        let of_client = (frame.server, Side::Client, id);
        let of_server = (frame.server, Side::Server, id);
        let result = frame.message.get("result");
        let key = match self.sides.answering(frame) {
            Some(Side::Server) => of_client,
            Some(Side::Client) => of_server,
            // Without a direction the answer itself must show what it answers.
            None if self.open.contains_key(&of_server) && !result.is_some_and(method::of_tool) => {
                of_server
            }
            None => of_client,
        };
        if let Some(Asked::Call(step)) = self.open.remove(&key) {
            let answer = answer(result, frame.message.get("error"));
            self.chat.returned_to(frame.time, step, answer, false);
        }
    }
}

/// The arguments of a call. What stands on the wire is all of it, so that none means none.
fn arguments(params: Value<'_>) -> Args<'_> {
    params.get("arguments").map_or_else(Args::default, |it| content::args(Some(it)))
}

/// What came back: the result of a tool, or an error of the protocol.
fn answer<'d>(result: Option<Value<'d>>, error: Option<Value<'d>>) -> Answer<'d> {
    if let Some(error) = error.filter(|it| !it.is_null()) {
        let text = Cow::Borrowed(error.raw());
        return Answer { recorded: true, text, error: Some(true), ..Answer::default() };
    }
    let Some(result) = result else {
        return Answer { recorded: false, ..Answer::default() };
    };
    // A server that only takes a task in answers with the task.
    let pending = object(result, "task").is_some() && result.get("content").is_none();
    let content = result.get("content").filter(|it| !it.is_empty());
    let shown =
        content.or_else(|| result.get("structuredContent")).or_else(|| result.get("content"));
    let said = content::result(shown.or(Some(result)));
    let failed = result.get("isError").and_then(Value::as_bool).unwrap_or(false);
    Answer {
        recorded: said.is_some(),
        text: said.unwrap_or_default(),
        error: (!pending).then_some(failed),
        span_error: None,
        pending,
    }
}
