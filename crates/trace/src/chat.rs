//! A conversation told as events: readers say what stands in each message, and results find their
//! calls, planted words are left out and oddities are noted in one place for all formats.

mod pairing;

use std::borrow::Cow;
use std::collections::BTreeMap;

use lawbook_event::{
    Answer, Args, Call, End, Event, Hindsight, Ran, Speaker, Start, Text, Time, Usage, What,
    is_cut, is_hidden,
};

use crate::said::Said;
use crate::{Note, cut, ids, measures};
use pairing::Open;

/// Turns the messages of one session into events.
#[derive(Debug)]
pub struct Chat<'d> {
    events: Vec<Event<'d>>,
    open: Open<'d>,
    /// The events of calls that were stopped, by id: a result that still comes says they ran.
    stopped: BTreeMap<Cow<'d, str>, usize>,
    results: Said<'d>,
    message: u64,
    calls: u32,
    final_text: Option<usize>,
    /// The working directory that the session started in, and the one that it is in now.
    folders: [Option<Cow<'d, str>>; 2],
    unnamed: u32,
    stray: u32,
    /// What its messages say was used.
    usage: Usage,
    notes: Vec<Note>,
}

/// A call as a message states it.
#[derive(Clone, Debug, Default)]
pub struct Request<'d> {
    /// The id that reports print; `m{i}.c{k}` in message lists.
    pub step_id: Cow<'d, str>,
    /// The caller's own id. One that only stands in for a missing one counts as missing.
    pub id: Option<Cow<'d, str>>,
    /// The server that offers the tool.
    pub server: Option<Cow<'d, str>>,
    /// The tool; empty if the message names none.
    pub tool: Cow<'d, str>,
    /// The arguments.
    pub args: Args<'d>,
    /// Whether the recording shows that it did not run.
    pub stopped: bool,
}

/// A result as a message states it.
#[derive(Clone, Debug, Default)]
pub struct Returned<'d> {
    /// The id of the call, where the message gives one.
    pub id: Option<Cow<'d, str>>,
    /// The tool, where the message names it.
    pub tool: Option<Cow<'d, str>>,
    /// What came back.
    pub answer: Answer<'d>,
    /// Whether it says that the call was stopped before it ran.
    pub stopped: bool,
}

impl<'d> Chat<'d> {
    /// A session that starts, of about this many messages.
    pub fn new(start: Start<'d>, messages: usize) -> Self {
        let start = cut::start(start);
        let room = messages.saturating_add(messages / 2).saturating_add(2);
        let mut chat = Chat {
            events: Vec::with_capacity(room),
            open: Open::default(),
            stopped: BTreeMap::new(),
            results: Said::default(),
            message: 0,
            calls: 0,
            final_text: None,
            folders: [start.cwd.clone(), None],
            unnamed: 0,
            stray: 0,
            usage: Usage::default(),
            notes: Vec::new(),
        };
        chat.push(None, What::Start(start));
        chat
    }

    /// What follows is done in this working directory.
    pub fn works_in(&mut self, folder: Cow<'d, str>) {
        let [_, now] = &mut self.folders;
        *now = Some(folder);
    }

    /// What follows stands in the message of this number. The calls of one message are a batch.
    pub fn message(&mut self, number: usize) {
        self.message = number as u64;
    }

    /// How many events there are.
    pub fn len(&self) -> usize {
        self.events.len()
    }

    /// Words of the human user. What a tool returned before is the tool's, whoever is said to have
    /// said it, and is left out.
    pub fn user(&mut self, at: Option<Time>, id: Cow<'d, str>, text: Cow<'d, str>) {
        if !self.results.contains(&text) {
            self.person(at, id, text);
        }
    }

    /// Words of the human user in a recording that keeps apart what a person wrote: a result can't
    /// stand among them.
    pub fn person(&mut self, at: Option<Time>, id: Cow<'d, str>, text: Cow<'d, str>) {
        if !text.trim().is_empty() {
            self.push(at, said(Speaker::User, id, text));
        }
    }

    /// Words of the agent to the user.
    pub fn agent(&mut self, at: Option<Time>, id: Cow<'d, str>, text: Cow<'d, str>) {
        if !text.is_empty() {
            self.final_text = Some(self.events.len());
            self.push(at, said(Speaker::Agent, id, text));
        }
    }

    /// Words of the human user of which the message holds nothing.
    pub fn unheard_user(&mut self, at: Option<Time>, id: Cow<'d, str>) {
        let left = Text { id, text: Cow::Borrowed("") };
        self.push(at, What::Unheard { who: Speaker::User, left });
    }

    /// Anything else that takes a place.
    pub fn other(&mut self, at: Option<Time>) {
        self.push(at, What::Other);
    }

    /// A call. Its step number comes back.
    pub fn call(&mut self, at: Option<Time>, request: Request<'d>) -> u32 {
        self.calls = self.calls.saturating_add(1);
        self.final_text = None;
        if request.tool.is_empty() {
            self.unnamed = self.unnamed.saturating_add(1);
        }
        let id = request.id.filter(|it| !ids::placeholder(it));
        self.open.call(self.events.len(), self.message, id.clone(), request.tool.clone());
        let [started, now] = &self.folders;
        let cwd = now.clone().filter(|it| Some(it) != started.as_ref());
        let call = Call {
            step: self.calls,
            step_id: request.step_id,
            id,
            server: request.server,
            tool: request.tool,
            args: cut::args(request.args),
            hindsight: Some(Hindsight::Unanswered),
            ran: if request.stopped { Ran::No } else { Ran::Yes },
            confirmed: false,
            cwd,
            cost: None,
        };
        self.push(at, What::Call(call));
        self.calls
    }

    /// A result, which finds its call: by id the first open call in the newest message that has
    /// the id; without an id the first open call of its tool, else the first open call at all.
    pub fn returned(&mut self, at: Option<Time>, returned: Returned<'d>) {
        self.heard(returned.answer.text.clone());
        let id = returned.id.as_deref().filter(|it| !ids::placeholder(it));
        let late = || id.and_then(|it| self.stopped.get(it)).copied();
        match self.open.answer(id, returned.tool.as_deref()).or_else(late) {
            Some(event) => self.settle(at, event, returned.answer, returned.stopped),
            None => self.stray = self.stray.saturating_add(1),
        }
    }

    /// The result of the newest call, in formats where both stand in one object.
    pub fn returned_now(&mut self, at: Option<Time>, answer: Answer<'d>, stopped: bool) {
        self.heard(answer.text.clone());
        match self.open.answer_newest() {
            Some(event) => self.settle(at, event, answer, stopped),
            None => self.stray = self.stray.saturating_add(1),
        }
    }

    /// The result of the call of this step, in formats that say which one is meant.
    pub fn returned_to(&mut self, at: Option<Time>, step: u32, answer: Answer<'d>, stopped: bool) {
        self.heard(answer.text.clone());
        match self.open.answer_step(step) {
            Some(event) => self.settle(at, event, answer, stopped),
            None => self.stray = self.stray.saturating_add(1),
        }
    }

    /// Marks the open call of this id as one that did not run, though nothing answers it.
    pub fn stop(&mut self, id: &str) {
        let event = self.open.answer(Some(id), None).and_then(|it| self.events.get_mut(it));
        if let Some(What::Call(call)) = event.map(|it| &mut it.what) {
            call.ran = Ran::No;
        }
    }

    /// A text that a tool returned: where it comes again as the user's, it is not the user's.
    pub fn heard(&mut self, text: Cow<'d, str>) {
        self.results.add(text);
    }

    /// What a part of the session says that it used.
    pub fn used(&mut self, more: Usage) {
        measures::add(&mut self.usage, more);
    }

    /// What its parts said so far that they used.
    pub fn usage(&self) -> Usage {
        self.usage
    }

    /// Something odd that the reader noticed.
    pub fn note(&mut self, note: Note) {
        self.notes.push(note);
    }

    /// Ends the session. An `end` without an answer gets the agent's last words, if it asked for
    /// no tool after them; what it does not say was used, the messages say, and their times. The
    /// events come back with the number of calls and what was odd.
    pub fn finish(mut self, end: End<'d>) -> (Vec<Event<'d>>, u32, Vec<Note>) {
        let mut end = cut::end(end);
        let last = self.final_text.and_then(|it| self.events.get(it)).map(|it| &it.what);
        match last.filter(|_| end.answer.is_empty() && !end.answer_cut) {
            Some(What::Agent(text)) => end.answer = text.text.clone(),
            Some(What::Unheard { left, .. }) => {
                end.answer = left.text.clone();
                end.answer_cut = true;
            }
            _ => {}
        }
        let stated = measures::or(end.usage, self.usage);
        let measured = || measures::between(&self.events);
        end.usage = Usage { latency_ms: stated.latency_ms.or_else(measured), ..stated };
        self.push(None, What::End(end));
        let mut notes = self.notes;
        if self.unnamed > 0 {
            notes.push(Note::error(format!("{} call(s) without a tool name", self.unnamed)));
        }
        if self.stray > 0 {
            notes.push(Note::warning(format!("{} result(s) belong to no call", self.stray)));
        }
        repeated_ids(&self.open, &mut notes);
        notes.extend(self.results.note());
        (self.events, self.calls, notes)
    }

    fn settle(&mut self, at: Option<Time>, event: usize, answer: Answer<'d>, stopped: bool) {
        let answer = cut::answer(answer);
        let Some(What::Call(call)) = self.events.get_mut(event).map(|it| &mut it.what) else {
            return;
        };
        call.hindsight = Some(Hindsight::Answered(answer.clone()));
        // What says that a call did not run is no result: a result would say that it ran, and says
        // so of a call that was stopped before.
        let fails = answer.error == Some(true);
        let what = match call.ran {
            _ if stopped => What::Other,
            Ran::No if fails => What::Other,
            Ran::Yes | Ran::No => What::Answer { step: call.step, answer },
        };
        if stopped {
            call.ran = Ran::No;
            if let Some(id) = &call.id {
                self.stopped.insert(id.clone(), event);
            }
        }
        self.push(at, what);
    }

    fn push(&mut self, at: Option<Time>, what: What<'d>) {
        let place = self.events.len() as u64;
        self.events.push(Event { at, place, message: self.message, what });
    }
}

/// Words of somebody, or what is left of them.
fn said<'d>(who: Speaker, id: Cow<'d, str>, text: Cow<'d, str>) -> What<'d> {
    let whole = !is_cut(&text);
    let text = Text { id, text: if is_hidden(&text) { Cow::Borrowed("") } else { text } };
    match who {
        _ if !whole => What::Unheard { who, left: text },
        Speaker::User => What::User(text),
        Speaker::Agent => What::Agent(text),
    }
}

/// How many call ids that stand on several calls are named.
const IDS_NAMED_MAX: usize = 4;

/// Notes the ids that name more than one call. Each of them stays a call of its own.
fn repeated_ids(open: &Open<'_>, notes: &mut Vec<Note>) {
    let ids = open.repeated_ids();
    for (id, calls) in ids.iter().take(IDS_NAMED_MAX) {
        notes.push(Note::warning(format!("call id `{id}` stands on {calls} calls")));
    }
    let others = ids.len().saturating_sub(IDS_NAMED_MAX);
    if others > 0 {
        notes.push(Note::warning(format!("{others} more call id(s) stand on several calls")));
    }
}
