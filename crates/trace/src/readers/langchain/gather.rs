//! Which lists of messages are one conversation: states repeat what was said before them.

use std::collections::{BTreeMap, BTreeSet};

use lawbook_event::json::Value;

use super::message::{Kind, Message};
use super::shape::List;

/// All conversations of an input.
#[derive(Debug, Default)]
pub struct Gathered<'d> {
    /// In the order in which they begin.
    pub conversations: Vec<Conversation<'d>>,
    places: BTreeMap<Key<'d>, usize>,
}

/// What makes lists one conversation.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Key<'d> {
    /// They name one thread.
    Thread(&'d str),
    /// They begin with one message.
    First(&'d str),
    /// They are the steps of a stream that names no thread.
    Stream,
    /// Nothing.
    Alone(usize),
}

/// One conversation.
#[derive(Debug)]
pub struct Conversation<'d> {
    /// The thread.
    pub thread: Option<&'d str>,
    /// Where it begins.
    pub place: String,
    /// The object around its first list.
    pub around: Option<Value<'d>>,
    /// Its messages. Each is one message, or the pieces of one.
    pub messages: Vec<Vec<Message<'d>>>,
    by_id: BTreeMap<&'d str, usize>,
    /// Messages without an id, by place in their list.
    nameless: BTreeSet<(usize, &'d str)>,
    /// The length of the longest state.
    longest: usize,
}

impl<'d> Gathered<'d> {
    /// Adds a list.
    pub fn add(&mut self, list: &List<'d>, place: impl Fn() -> String) {
        let thread = list.thread();
        let first = || list.items().find_map(Message::any).and_then(|it| it.id());
        let key = match thread {
            Some(thread) => Key::Thread(thread),
            None if !list.whole => Key::Stream,
            None => first().map_or(Key::Alone(self.conversations.len()), Key::First),
        };
        let fresh = self.conversations.len();
        let at = *self.places.entry(key).or_insert(fresh);
        if at == fresh {
            self.conversations.push(Conversation::new(thread, place(), list.around));
        }
        if let Some(conversation) = self.conversations.get_mut(at) {
            conversation.add(list);
        }
    }
}

impl<'d> Conversation<'d> {
    fn new(thread: Option<&'d str>, place: String, around: Option<Value<'d>>) -> Self {
        Conversation {
            thread,
            place,
            around,
            messages: Vec::new(),
            by_id: BTreeMap::new(),
            nameless: BTreeSet::new(),
            longest: 0,
        }
    }

    fn add(&mut self, list: &List<'d>) {
        let length = list.messages.len();
        // Histories begin with the newest state; an older one changes nothing.
        let newer = !list.whole || length >= self.longest;
        self.longest = self.longest.max(length);
        for (at, value) in list.items().enumerate() {
            let message = Message::any(value).unwrap_or(Message { kind: Kind::Other, body: value });
            match message.id().filter(|_| message.kind != Kind::Remove) {
                Some(id) => self.named(id, message, newer),
                None if !list.whole || self.nameless.insert((at, value.raw())) => {
                    self.messages.push(vec![message]);
                }
                None => {}
            }
        }
    }

    fn named(&mut self, id: &'d str, message: Message<'d>, newer: bool) {
        let fresh = self.messages.len();
        let at = *self.by_id.entry(id).or_insert(fresh);
        match self.messages.get_mut(at) {
            Some(pieces) if message.kind == Kind::AiChunk => pieces.push(message),
            Some(known) if newer => *known = vec![message],
            Some(_) => {}
            None => self.messages.push(vec![message]),
        }
    }
}
