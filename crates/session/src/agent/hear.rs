//! The host tells what was said and what tools returned, so that rules on the conversation hold.

use std::borrow::Cow;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use lawbook_event::{Answer, End, Start, Text, What};
use serde::{Deserialize, Serialize};

use super::{Agent, Desk, NAME_BYTES_MAX, Recorded, bounded};
use crate::Error;
use crate::entry::{Body, Heard};
use crate::reply::Heeded;
use crate::text::Texts;

/// What a conversation began with.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Begun {
    id: String,
    attributes: String,
    metadata: String,
    cwd: Option<String>,
    workspace: Option<String>,
    home: Option<String>,
}

impl Begun {
    pub fn start(&self) -> Start<'_> {
        Start {
            id: Cow::Borrowed(&self.id),
            attributes: Cow::Borrowed(&self.attributes),
            metadata: Cow::Borrowed(&self.metadata),
            cwd: self.cwd.as_deref().map(Cow::Borrowed),
            workspace: self.workspace.as_deref().map(Cow::Borrowed),
            home: self.home.as_deref().map(Cow::Borrowed),
            ..Start::default()
        }
    }
}

impl Agent {
    /// The user of a conversation said something.
    pub fn user(
        &mut self,
        desk: Desk<'_>,
        session: Option<&str>,
        words: &str,
    ) -> Result<Recorded<Heeded>, Error> {
        let text = self.text(session, words);
        self.hear(desk, ("user", session, None), words, What::User(text))
    }

    /// The agent said something to the user.
    pub fn agent(
        &mut self,
        desk: Desk<'_>,
        session: Option<&str>,
        words: &str,
    ) -> Result<Recorded<Heeded>, Error> {
        let text = self.text(session, words);
        self.hear(desk, ("agent", session, None), words, What::Agent(text))
    }

    /// A tool returned something for an action. A finding says that it ran although it was not let
    /// through.
    pub fn result(
        &mut self,
        desk: Desk<'_>,
        action: u64,
        answer: Answer<'_>,
    ) -> Result<Recorded<Heeded>, Error> {
        let act = self.present(action)?;
        let (session, step, words) = (act.session.clone(), act.step, answer.text.clone());
        let what = What::Answer { step, answer: answer.clone() };
        self.hear(desk, ("result", session.as_deref(), Some(action)), &words, what)
    }

    /// A conversation begins with what is known of it: attributes, metadata, folders.
    pub fn begin(&mut self, desk: Desk<'_>, start: Start<'_>) -> Result<Recorded<Heeded>, Error> {
        let session = start.id.clone();
        bounded("the name of the session", &session, NAME_BYTES_MAX)?;
        if self.talks.contains_key(&*session) {
            return Err(Error::new("invalid_state", "the conversation has begun already"));
        }
        self.hear(desk, ("begin", Some(&session), None), "", What::Start(start))
    }

    /// A conversation ends: rules on the whole of it are judged, and it is let go.
    pub fn end(
        &mut self,
        desk: Desk<'_>,
        session: Option<&str>,
        end: End<'_>,
    ) -> Result<Recorded<Heeded>, Error> {
        if !self.talks.contains_key(session.unwrap_or_default()) {
            return Err(Error::new("not_found", "no such conversation is under way"));
        }
        // Nobody can say yes to what waits in a conversation that is over.
        let waits = self.waiting.keys().copied();
        let in_it = |it: &u64| self.act(*it).is_ok_and(|it| it.session.as_deref() == session);
        for action in waits.filter(in_it).collect::<Vec<_>>() {
            self.reject(desk, action, "lawbook", "its conversation ended", None)?;
        }
        let words = end.answer.clone().into_owned();
        self.hear(desk, ("end", session, None), &words, What::End(end))
    }

    fn hear(
        &mut self,
        desk: Desk<'_>,
        (sort, session, action): (&str, Option<&str>, Option<u64>),
        words: &str,
        what: What<'_>,
    ) -> Result<Recorded<Heeded>, Error> {
        if let Some(session) = session {
            bounded("the name of the session", session, NAME_BYTES_MAX)?;
        }
        // An end is let through: what has begun must be able to end.
        if sort != "end" {
            self.reported(desk, words.len().saturating_add(told_bytes(&what)))?;
        }
        let start = match &what {
            What::Start(start) => Some(self.shut(start)?),
            _ => None,
        };
        let told = self.tell((session, None), desk.at, what)?;
        let words = (!words.is_empty()).then(|| words.to_owned());
        let texts = Texts { words, ..told.texts() };
        let said = told.verdicts();
        let (rules, unknown) = (said.rules.clone(), said.unknown.clone());
        let body = Heard {
            sort: sort.to_owned(),
            session: session.map(str::to_owned),
            action,
            start,
            said,
        };
        let ticket = self.record(desk, Body::Event(body), &texts)?;
        let (verdict, findings) = (told.judgement.verdict, texts.findings);
        let standing = self.standing();
        let value = Heeded { verdict, findings, rules, unknown, standing };
        Ok(Recorded { value, ticket: Some(ticket) })
    }

    /// What a conversation begins with, so that only the agent's secret opens it.
    fn shut(&self, start: &Start<'_>) -> Result<String, Error> {
        let begun = Begun {
            id: start.id.to_string(),
            attributes: start.attributes.to_string(),
            metadata: start.metadata.to_string(),
            cwd: start.cwd.as_deref().map(str::to_owned),
            workspace: start.workspace.as_deref().map(str::to_owned),
            home: start.home.as_deref().map(str::to_owned),
        };
        let text = serde_json::to_vec(&begun).ok().and_then(|it| self.seal.shut(&it));
        let text = text.ok_or_else(|| Error::new("unwritable", "no randomness is to be had"))?;
        Ok(BASE64.encode(text))
    }

    /// Gives a folded conversation what it began with.
    pub(super) fn restore_start(&mut self, heard: &Heard) -> Result<(), Error> {
        let Some(start) = &heard.start else { return Ok(()) };
        let begun = self.begun(start)?;
        let session = heard.session.as_deref().unwrap_or_default();
        if let Some(talk) = self.talks.get_mut(session) {
            talk.state.restore_start(&begun.start());
        }
        Ok(())
    }

    /// What a conversation began with, opened.
    pub(super) fn begun(&self, start: &str) -> Result<Begun, Error> {
        let broken = || Error::new("unreadable_entry", "what the conversation began with");
        let shut = BASE64.decode(start).map_err(|_| broken())?;
        let text = self.seal.open(&shut).ok_or_else(broken)?;
        serde_json::from_slice(&text).map_err(|_| broken())
    }

    fn text<'w>(&self, session: Option<&str>, words: &'w str) -> Text<'w> {
        let message = self.talks.get(session.unwrap_or_default()).map_or(1, |it| it.message);
        Text { id: Cow::Owned(format!("m{message}")), text: Cow::Borrowed(words) }
    }
}

/// How much an event says beside its words.
fn told_bytes(what: &What<'_>) -> usize {
    match what {
        What::Start(start) => start.attributes.len().saturating_add(start.metadata.len()),
        _ => 0,
    }
}
