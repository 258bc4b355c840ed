//! The user's newest message as pmstack reads it: a yes to whatever the agent said before it.

use lawbook_event::JAVASCRIPT;

/// What was said last.
#[derive(Clone, Debug, Default)]
pub(super) struct LastWord {
    /// Whether the user's newest message is a yes; none before the first.
    user: Option<bool>,
    /// The agent has proposed something since.
    unanswered: bool,
    /// The agent's newest text, until what follows it shows whether it is a proposal.
    pending: Option<Said>,
}

#[derive(Clone, Copy, Debug)]
struct Said {
    message: u64,
    asks: bool,
}

crate::coded!(LastWord { user, unanswered, pending });
crate::coded!(Said { message, asks });

/// Why the user's newest message is no yes to a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Missing {
    /// The user said nothing yet.
    User,
    /// The agent's proposal is not answered.
    Answer,
    /// The answer is no yes.
    Yes,
}

impl LastWord {
    /// Takes in what the agent said.
    pub fn agent(&mut self, asks: bool, message: u64) {
        self.settle(None);
        self.pending = Some(Said { message, asks });
    }

    /// Takes in what the user said.
    pub fn user(&mut self, yes: bool) {
        *self = LastWord { user: Some(yes), ..LastWord::default() };
    }

    /// Takes in a call of any tool.
    pub fn called(&mut self, message: u64) {
        self.settle(Some(message));
    }

    /// What a call of this message lacks.
    pub fn missing(&self, message: u64) -> Option<Missing> {
        let pending = self.pending.is_some_and(|it| !it.tells_of(message));
        match self.user {
            None => Some(Missing::User),
            Some(_) if self.unanswered || pending => Some(Missing::Answer),
            Some(false) => Some(Missing::Yes),
            Some(true) => None,
        }
    }

    /// Text becomes a proposal, unless it tells of the call that follows it.
    fn settle(&mut self, call: Option<u64>) {
        if let Some(said) = self.pending.take() {
            self.unanswered |= !call.is_some_and(|it| said.tells_of(it));
        }
    }
}

impl Said {
    /// Whether the text tells of a call that stands in its own message.
    fn tells_of(self, message: u64) -> bool {
        self.message == message && !self.asks
    }
}

/// Whether a text says nothing.
pub(super) fn is_blank(text: &str) -> bool {
    JAVASCRIPT.trim(text).is_empty()
}

/// Whether a text ends in a question mark; quotes, brackets and white space may follow it.
pub(super) fn asks(text: &str) -> bool {
    let closes = |it: char| matches!(it, '"' | '\'' | ')') || is_blank(it.encode_utf8(&mut [0; 4]));
    text.trim_end_matches(closes).ends_with('?')
}
