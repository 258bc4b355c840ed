//! The list of messages that is being told, and what is known of it so far.

use lawbook_event::json::Value;
use lawbook_event::{End, Event};

use super::items::Approvals;
use super::message;
use super::stream::Stream;
use crate::Note;
use crate::chat::Chat;

/// Tells messages one after another.
#[derive(Debug)]
pub struct Teller<'d> {
    /// The events.
    pub chat: Chat<'d>,
    /// Where the response that is being told began, in lists of Responses items: its calls are one
    /// batch.
    pub response: Option<usize>,
    /// Calls that wait for a person's word.
    pub approvals: Approvals<'d>,
    /// Fragments that are not whole yet.
    pub stream: Stream<'d>,
    shape: Shape,
    /// How many messages there were.
    messages: usize,
}

/// The shapes of messages, from the one that says least to the one that says most.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Shape {
    /// A log of steps.
    Steps,
    /// Texts of roles.
    Chat,
    /// OpenAI chat completions.
    OpenAiChat,
    /// Content blocks.
    AnthropicMessages,
    /// Items of the Responses API.
    OpenAiResponses,
}

impl Shape {
    /// The name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Shape::Steps => "steps",
            Shape::Chat => "chat",
            Shape::OpenAiChat => "openai_chat",
            Shape::AnthropicMessages => "anthropic_messages",
            Shape::OpenAiResponses => "openai_responses",
        }
    }
}

impl<'d> Teller<'d> {
    /// A teller that has told nothing.
    pub fn new(chat: Chat<'d>) -> Self {
        Teller {
            chat,
            response: None,
            approvals: Approvals::default(),
            stream: Stream::default(),
            shape: Shape::Steps,
            messages: 0,
        }
    }

    /// Tells the next message.
    pub fn message(&mut self, message: Value<'d>) {
        let at = self.messages;
        self.messages = at.saturating_add(1);
        message::tell(self, at, message);
    }

    /// The place that the next message has.
    pub fn next(&self) -> usize {
        self.messages
    }

    /// Notes a shape that was seen. The name is that of the most telling one.
    pub fn saw(&mut self, shape: Shape) {
        self.shape = self.shape.max(shape);
    }

    /// Tells what was held back until more was known.
    pub fn settle(&mut self) {
        Stream::flush(self);
        Approvals::close(self);
    }

    /// Ends the session.
    pub fn finish(self, end: End<'d>) -> (Vec<Event<'d>>, u32, Vec<Note>, Shape) {
        let (events, calls, notes) = self.chat.finish(end);
        (events, calls, notes, self.shape)
    }
}
