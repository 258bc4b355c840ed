//! The events of a sample, which tell what happened: an agent may rewrite its messages later.

use std::borrow::Cow;
use std::collections::BTreeMap;

use lawbook_event::json::{Items, Value};

use super::approval::{Approvals, Decision};
use super::attached::Attached;
use super::messages::{answer, request};
use super::person::Person;
use crate::chat::{Chat, Returned};
use crate::content;
use crate::ids;
use crate::readers::export::text;

/// Whether an event is a model's or a tool's.
pub fn acts(event: Value<'_>) -> bool {
    matches!(text(event, &["event"]), Some("model" | "tool"))
}

/// What the place of an event says of it.
#[derive(Clone, Copy, Debug, Default)]
struct Inside {
    /// It belongs to the scoring, which is not the run.
    scorer: bool,
    /// It belongs to a tool's run, so its words are not for the user.
    tool: bool,
}

struct Walk<'c, 'd> {
    chat: &'c mut Chat<'d>,
    person: Person<'d>,
    attached: Attached<'d>,
    approvals: Approvals<'d>,
    spans: BTreeMap<&'d str, Inside>,
    /// Steps of a scorer that are open, in logs without spans.
    scorers: usize,
    /// How many calls of an id a model asked for and no tool has run.
    asked: BTreeMap<&'d str, usize>,
    /// The messages that models received and that were not looked at; events name them by their
    /// place among all.
    pool: Items<'d>,
    /// How many of them were looked at.
    heard: usize,
    message: usize,
}

/// Tells the events of a sample.
pub fn tell<'d>(
    chat: &mut Chat<'d>,
    (sample, events): (Value<'d>, Value<'d>),
    person: Person<'d>,
    attached: Attached<'d>,
) {
    let data = sample.get("events_data").and_then(|it| it.get("messages"));
    let pool = sample.get("message_pool").or(data).unwrap_or(sample);
    let mut walk = Walk {
        chat,
        person,
        attached,
        approvals: Approvals::of(events),
        spans: BTreeMap::new(),
        scorers: 0,
        asked: BTreeMap::new(),
        pool: pool.items(),
        heard: 0,
        message: 0,
    };
    // Older logs hold the events of a tool's run inside its own.
    let mut open: Vec<(Items<'d>, Inside)> = vec![(events.items(), Inside::default())];
    while let Some((items, outer)) = open.last_mut() {
        let outer = *outer;
        match items.next() {
            Some(event) => {
                let inside = walk.inside(event, outer);
                let nested = event.get("events").filter(|it| !it.is_empty());
                if !inside.scorer {
                    walk.event(event, inside);
                }
                if let Some(nested) = nested {
                    let tool = inside.tool || text(event, &["event"]) == Some("tool");
                    open.push((nested.items(), Inside { tool, ..inside }));
                }
            }
            None => drop(open.pop()),
        }
    }
}

impl<'d> Walk<'_, 'd> {
    /// Where an event stands; an event that opens a place is noted.
    fn inside(&mut self, event: Value<'d>, outer: Inside) -> Inside {
        let kind = text(event, &["event"]);
        let scores = matches!(text(event, &["type"]), Some("scorer" | "scorers"));
        let of =
            |walk: &Self, key: &str| text(event, &[key]).and_then(|it| walk.spans.get(it).copied());
        let mut inside = of(self, "span_id").unwrap_or(outer);
        match (kind, text(event, &["action"])) {
            (Some("span_begin"), _) => {
                inside = of(self, "parent_id").unwrap_or(outer);
                inside.scorer |= scores;
                inside.tool |= text(event, &["type"]) == Some("tool");
                if let Some(id) = text(event, &["id"]) {
                    self.spans.insert(id, inside);
                }
            }
            (Some("step"), Some("begin")) if scores => {
                self.scorers = self.scorers.saturating_add(1)
            }
            (Some("step"), Some("end")) if scores => self.scorers = self.scorers.saturating_sub(1),
            _ => {}
        }
        inside.scorer |= self.scorers > 0;
        inside
    }

    fn event(&mut self, event: Value<'d>, inside: Inside) {
        match text(event, &["event"]) {
            Some("model") => self.model(event, inside),
            Some("tool") => self.tool(event),
            _ => {}
        }
    }

    fn next_message(&mut self) -> usize {
        self.message = self.message.saturating_add(1);
        self.chat.message(self.message);
        self.message
    }

    fn model(&mut self, event: Value<'d>, inside: Inside) {
        let time = content::time(event.get("timestamp"));
        let before = self.next_message();
        if !inside.tool {
            self.hear(before, event);
        }
        let at = self.next_message();
        let time = content::time(event.get("completed")).or(time);
        let choice = event.get("output").and_then(|it| it.get("choices")).and_then(|it| it.item(0));
        let Some(message) = choice.and_then(|it| it.get("message")) else { return };
        let words = self.attached.words(message.get("content"));
        if !inside.tool {
            self.chat.agent(time, ids::message(at), words);
        }
        for (nth, call) in message.get("tool_calls").into_iter().flat_map(Value::items).enumerate()
        {
            let decided = self.approvals.on(text(call, &["id"]));
            let shown = match decided {
                Some(Decision::Changed(changed)) => changed,
                _ => call,
            };
            let mut request = request(shown, ids::call(at, nth), &mut self.attached);
            request.id = text(call, &["id"]).map(Cow::Borrowed);
            request.stopped = matches!(decided, Some(Decision::Stopped));
            if let Some(id) = text(call, &["id"]) {
                let asked = self.asked.entry(id).or_default();
                *asked = asked.saturating_add(1);
            }
            self.chat.call(time, request);
        }
    }

    /// What people said, among the messages that a model received.
    fn hear(&mut self, at: usize, event: Value<'d>) {
        let time = content::time(event.get("timestamp"));
        let own = event.get("input").into_iter().flat_map(Value::items);
        let refs = event.get("input_refs").into_iter().flat_map(Value::items);
        let end = refs.filter_map(|it| it.item(1)?.number_text());
        let end = end.filter_map(|it| it.parse::<usize>().ok()).max().unwrap_or(0);
        let fresh = end.saturating_sub(self.heard);
        self.heard = self.heard.max(end);
        for message in own.chain(self.pool.by_ref().take(fresh)) {
            if text(message, &["role"]) == Some("user") {
                self.person.hears(self.chat, (message, at, time), &self.attached);
            }
        }
    }

    fn tool(&mut self, event: Value<'d>) {
        let id = text(event, &["id"]);
        let started = content::time(event.get("timestamp"));
        let ended = content::time(event.get("completed")).or(started);
        let asked = id.and_then(|id| self.asked.get_mut(id)).filter(|it| **it > 0);
        let own = asked.is_none();
        match asked {
            Some(asked) => *asked = asked.saturating_sub(1),
            // A scaffold runs tools that no model asked for.
            None => {
                let at = self.next_message();
                let request = request(event, ids::call(at, 0), &mut self.attached);
                self.chat.call(started, request);
            }
        }
        let pending = event.get("pending").and_then(Value::as_bool);
        let failed = event.get("failed").and_then(Value::as_bool);
        let content = self.attached.content(event.get("result"));
        let (answer, stopped) = answer(content, event.get("error"), failed);
        if pending == Some(true) {
            return;
        }
        if own {
            return self.chat.returned_now(ended, answer, stopped);
        }
        let tool = text(event, &["function"]).map(Cow::Borrowed);
        let returned = Returned { id: id.map(Cow::Borrowed), tool, answer, stopped };
        self.chat.returned(ended, returned);
    }
}
