//! What a person said in a sample: its input, and what an operator wrote later. Prompts that a
//! solver or an agent writes have the user's role too and are nobody's words.

use std::collections::BTreeSet;

use lawbook_event::Time;
use lawbook_event::json::Value;

use super::attached::Attached;
use crate::chat::Chat;
use crate::ids;
use crate::readers::export::text;

/// Who is a person in a sample.
pub struct Person<'d> {
    /// Whether messages name their source.
    sourced: bool,
    /// Messages that were told, by id, else by text.
    told: BTreeSet<&'d str>,
    /// What was told, as text.
    said: BTreeSet<String>,
}

impl<'d> Person<'d> {
    /// Looks at the messages of a sample.
    pub fn of(sample: Value<'d>) -> Self {
        let mut messages = sample.get("messages").into_iter().flat_map(Value::items);
        let sourced = messages.any(|it| is_source(text(it, &["source"])));
        Person { sourced, told: BTreeSet::new(), said: BTreeSet::new() }
    }

    /// What the sample asks, where its messages don't say who wrote them.
    pub fn asks(&mut self, chat: &mut Chat<'d>, sample: Value<'d>, attached: &Attached<'d>) {
        if self.sourced {
            return;
        }
        let input = sample.get("input");
        let alone = input.filter(|it| it.as_str().is_some());
        let listed = input.into_iter().flat_map(Value::items);
        let listed = listed.filter(|it| text(*it, &["role"]) == Some("user"));
        for content in alone.into_iter().chain(listed.filter_map(|it| it.get("content"))) {
            let words = attached.words(Some(content));
            self.said.insert(words.clone().into_owned());
            chat.user(None, ids::message(0), words);
        }
    }

    /// A message of the user's role, its number and its time: told if a person wrote it and it is new.
    pub fn hears(
        &mut self,
        chat: &mut Chat<'d>,
        (message, number, at): (Value<'d>, usize, Option<Time>),
        attached: &Attached<'d>,
    ) {
        if !is_source(text(message, &["source"])) {
            return;
        }
        let words = attached.words(message.get("content"));
        let named = text(message, &["id"]).filter(|it| !it.is_empty());
        let new = match named {
            Some(id) => self.told.insert(id),
            None => !self.said.contains(words.as_ref()),
        };
        if new && self.said.insert(words.clone().into_owned()) {
            chat.user(at, ids::message(number), words);
        }
    }
}

fn is_source(source: Option<&str>) -> bool {
    matches!(source, Some("input" | "operator"))
}
