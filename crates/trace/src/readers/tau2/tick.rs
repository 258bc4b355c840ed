//! The ticks of a voice simulation, in which both sides may speak at once.

use std::borrow::Cow;

use lawbook_event::Time;
use lawbook_event::json::Value;

use super::message;
use crate::chat::Chat;
use crate::content;
use crate::ids;
use crate::readers::export::text;

/// What one side is saying, over several ticks.
#[derive(Default)]
struct Speech {
    words: String,
    first: usize,
    at: Option<Time>,
}

/// Tells the ticks of a simulation. What a side says ends at the first tick in which it is silent.
pub fn tell<'d>(chat: &mut Chat<'d>, ticks: Value<'d>) {
    let (mut agent, mut user) = (Speech::default(), Speech::default());
    for (at, tick) in ticks.items().enumerate() {
        let time = content::time(tick.get("timestamp"));
        let calls = tick.get("agent_tool_calls").filter(|it| !it.is_empty());
        let heard = user.hear(chunk(tick, "user_chunk", message::spoken), at, time);
        if !heard || calls.is_some() {
            user.end(|first, time, words| chat_user(chat, first, time, words));
        }
        let said = |it: Value<'d>| content::words(it.get("content"));
        let heard = agent.hear(chunk(tick, "agent_chunk", said), at, time);
        if !heard || calls.is_some() {
            agent.end(|first, time, words| chat_agent(chat, first, time, words));
        }
        chat.message(at);
        message::calls(chat, at, calls, time);
        for result in tick.get("agent_tool_results").into_iter().flat_map(Value::items) {
            message::result(chat, result);
        }
    }
    user.end(|first, time, words| chat_user(chat, first, time, words));
    agent.end(|first, time, words| chat_agent(chat, first, time, words));
}

fn chat_user(chat: &mut Chat<'_>, first: usize, time: Option<Time>, words: String) {
    chat.message(first);
    chat.user(time, ids::message(first), Cow::Owned(words));
}

fn chat_agent(chat: &mut Chat<'_>, first: usize, time: Option<Time>, words: String) {
    chat.message(first);
    chat.agent(time, ids::message(first), Cow::Owned(words));
}

/// What a side says in a tick; nothing where it is silent.
fn chunk<'d>(
    tick: Value<'d>,
    key: &str,
    said: impl Fn(Value<'d>) -> Cow<'d, str>,
) -> Option<Cow<'d, str>> {
    let chunk = tick.get(key).filter(|it| it.is_object())?;
    let silent = chunk.get("contains_speech").and_then(Value::as_bool) == Some(false);
    let transcript = || text(tick, &["user_transcript"]).filter(|_| key == "user_chunk");
    let words = match transcript() {
        Some(words) => Cow::Borrowed(words),
        None => said(chunk),
    };
    (!silent && !words.is_empty()).then_some(words)
}

impl Speech {
    /// Adds what was said in a tick; whether anything was.
    fn hear(&mut self, words: Option<Cow<'_, str>>, tick: usize, at: Option<Time>) -> bool {
        let Some(words) = words else { return false };
        if self.words.is_empty() {
            (self.first, self.at) = (tick, at);
        } else if !self.words.ends_with(' ') && !words.starts_with(' ') {
            self.words.push(' ');
        }
        self.words.push_str(&words);
        true
    }

    fn end(&mut self, mut tell: impl FnMut(usize, Option<Time>, String)) {
        if !self.words.is_empty() {
            tell(self.first, self.at, std::mem::take(&mut self.words));
        }
    }
}
