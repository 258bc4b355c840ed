//! What a tool returned, and the ways in which systems read success out of it.

mod approval;
mod declared;
mod state;
pub mod status;
mod structural;
mod words;

use std::borrow::Cow;

/// What a tool returned, as the host or the recording shows it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Answer<'a> {
    /// The text of the result.
    pub text: Cow<'a, str>,
    /// False when the recording shows that the call ended but not what came back.
    pub recorded: bool,
    /// The error flag of the format: set, cleared, or not there.
    pub error: Option<bool>,
    /// What the call's own span says is wrong, in words.
    pub span_error: Option<Cow<'a, str>>,
    /// The tool answered that the work is not done yet.
    pub pending: bool,
}

impl Answer<'_> {
    /// The same answer, borrowing nothing.
    #[must_use]
    pub fn into_owned(self) -> Answer<'static> {
        Answer {
            text: Cow::Owned(self.text.into_owned()),
            recorded: self.recorded,
            error: self.error,
            span_error: self.span_error.map(|it| Cow::Owned(it.into_owned())),
            pending: self.pending,
        }
    }
}

impl Answer<'_> {
    /// What became of the call, under one of the readings.
    #[must_use]
    pub fn state(&self, reading: Reading) -> State {
        match reading {
            Reading::Structural if self.structural_error().is_some() => State::Failed,
            Reading::Structural if self.has_span_error() => State::Failed,
            Reading::Structural => State::Ok,
            Reading::Declared => declared::state(self),
            Reading::State => state::state(self),
        }
    }

    /// What is wrong with the result by its shape alone, in faultgate's words.
    ///
    /// A result that would end faultgate itself, as `{"exit_code": 1e999}` does, is an error.
    #[must_use]
    pub fn structural_error(&self) -> Option<String> {
        structural::error(&self.text)
    }

    /// What it says to somebody who asked for an approval.
    #[must_use]
    pub fn approval(&self) -> Approval {
        approval::approval(self)
    }

    fn has_span_error(&self) -> bool {
        self.span_error.as_ref().is_some_and(|it| !it.is_empty())
    }
}

/// How a result reads as success.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    /// By the shape of the result text and the call's span (faultgate).
    Structural,
    /// By everything a result declares: error flag, `isError`, exit codes, HTTP status, `error`.
    Declared,
    /// By one word of status in the result, or by a word anywhere in its text (pmstack).
    State,
}

/// What an answer says to somebody who asked for an approval.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Approval {
    /// Yes, in words.
    Granted,
    /// No, or the request failed.
    Refused,
    /// Neither: it waits, or says nothing of an approval.
    Neither,
    /// The recording does not say.
    Unknown,
}

/// What became of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// It worked.
    Ok,
    /// It failed.
    Failed,
    /// It is still under way.
    Pending,
    /// The recording does not say.
    Unknown,
}

#[cfg(test)]
mod tests;
