//! People decide: yes, no, what came of it, a mark, the end.

use std::borrow::Cow;

use lawbook_diag::Verdict;
use lawbook_event::{Actor, Effect, Severity, What, person};

use super::{Agent, Desk, NAME_BYTES_MAX, REASON_BYTES_MAX, Recorded, bounded, verdict_of};
use crate::Error;
use crate::entry::{Approval, Body, Ended, Outcome, Rejection, Scarred};
use crate::reply::{Reply, Standing, Status};
use crate::text::Texts;

impl Agent {
    /// A person says yes to what waits. `seen` is the digest of what that person saw; without it the
    /// yes covers what waits now.
    pub fn approve(
        &mut self,
        desk: Desk<'_>,
        action: u64,
        by: &str,
        seen: Option<&str>,
        note: &str,
    ) -> Result<Recorded<Reply>, Error> {
        bounded("the name of the person", by, NAME_BYTES_MAX)?;
        within("the note", note)?;
        let (session, step) = self.waits(action)?;
        let binding = self.seen(action, seen)?;
        self.another(action, by)?;
        let told = self.tell(
            (session.as_deref(), None),
            desk.at,
            What::Approval { step, by: Cow::Borrowed(by) },
        )?;
        let words = (!note.is_empty()).then(|| note.to_owned());
        let texts = Texts { words, reply: told.reply(), ..told.texts() };
        let said = told.verdicts();
        let body = Approval { action, by: by.to_owned(), seen: binding, said: said.clone() };
        let ticket = self.record(desk, Body::Approval(body), &texts)?;
        let mut reply = self.reply(action, told.judgement.verdict, &texts, false)?;
        reply.cost = said.charge.unwrap_or(0);
        (reply.rules, reply.unknown) = (said.rules, said.unknown);
        Ok(Recorded { value: reply, ticket: Some(ticket) })
    }

    pub(super) fn apply_approval(&mut self, it: &Approval) -> Result<(), Error> {
        match verdict_of(&it.said.verdict) {
            Verdict::Allow => {
                self.act_mut(it.action)?.charged = it.said.charge;
                self.settle(it.action, Status::Allowed)
            }
            Verdict::Deny => self.settle(it.action, Status::Denied),
            Verdict::Ask => {
                let waits = self.waiting.get_mut(&it.action);
                let waits = waits.ok_or_else(|| super::unknown(it.action))?;
                waits.approved_by.insert(it.by.clone());
                Ok(())
            }
        }
    }

    /// A person says no to what waits.
    pub fn reject(
        &mut self,
        desk: Desk<'_>,
        action: u64,
        by: &str,
        reason: &str,
        scar: Option<Severity>,
    ) -> Result<Recorded<Reply>, Error> {
        bounded("the name of the person", by, NAME_BYTES_MAX)?;
        within("the reason", reason)?;
        let (session, step) = self.waits(action)?;
        let (who, why) = (Cow::Borrowed(by), Cow::Borrowed(reason));
        let what = What::Rejection { step, by: who, reason: why, scar };
        let told = self.tell((session.as_deref(), None), desk.at, what)?;
        let texts = Texts { words: Some(reason.to_owned()), ..told.texts() };
        let said = told.verdicts();
        let body = Rejection { action, by: by.to_owned(), said: said.clone() };
        let ticket = self.record(desk, Body::Rejection(body), &texts)?;
        let mut reply = self.reply(action, Verdict::Deny, &texts, false)?;
        reply.rules = said.rules;
        Ok(Recorded { value: reply, ticket: Some(ticket) })
    }

    /// Somebody says what an action came to.
    pub fn outcome(
        &mut self,
        desk: Desk<'_>,
        action: u64,
        effect: Effect,
        by: Actor,
        detail: &str,
    ) -> Result<Recorded<Standing>, Error> {
        within("the detail", detail)?;
        if by == Actor::Agent {
            self.reported(desk, detail.len())?;
        }
        let act = self.present(action)?;
        let (session, step) = (act.session.clone(), act.step);
        let what = What::Outcome { step, effect, by, detail: Cow::Borrowed(detail) };
        let told = self.tell((session.as_deref(), None), desk.at, what)?;
        let words = (!detail.is_empty()).then(|| detail.to_owned());
        let texts = Texts { words, ..told.texts() };
        let (status, role) = (effect.word().to_owned(), by.word().to_owned());
        let body = Outcome { action, status, role, said: told.verdicts() };
        let ticket = self.record(desk, Body::Outcome(body), &texts)?;
        Ok(Recorded { value: self.standing(), ticket: Some(ticket) })
    }

    /// An operator or a monitor marks the agent.
    pub fn scar(
        &mut self,
        desk: Desk<'_>,
        severity: Severity,
        reason: &str,
        action: Option<u64>,
    ) -> Result<Recorded<Standing>, Error> {
        within("the reason", reason)?;
        let act = action.map(|it| self.act(it)).transpose();
        let act = act.map_err(|it| Error::new("not_found", it.message()))?;
        let act = act.filter(|it| !it.over);
        let session = act.and_then(|it| it.session.clone());
        let step = act.map(|it| it.step);
        let what = What::Scar { severity, reason: Cow::Borrowed(reason), step };
        let told = self.tell((session.as_deref(), None), desk.at, what)?;
        let (severity, reason) = (severity.word().to_owned(), reason.to_owned());
        let body = Scarred { severity, reason, action, said: told.verdicts() };
        let ticket = self.record(desk, Body::Scar(body), &told.texts())?;
        Ok(Recorded { value: self.standing(), ticket: Some(ticket) })
    }

    /// An operator ends the agent for good.
    pub fn terminate(
        &mut self,
        desk: Desk<'_>,
        reason: &str,
        by: &str,
    ) -> Result<Recorded<Standing>, Error> {
        bounded("the name of the person", by, NAME_BYTES_MAX)?;
        within("the reason", reason)?;
        let what = What::Terminate { reason: Cow::Borrowed(reason), by: Cow::Borrowed(by) };
        let told = self.tell((None, None), desk.at, what)?;
        let (by, reason) = (by.to_owned(), reason.to_owned());
        let body = Ended { by, reason, said: told.verdicts() };
        let ticket = self.record(desk, Body::Terminate(body), &Texts::default())?;
        Ok(Recorded { value: self.standing(), ticket: Some(ticket) })
    }

    /// The conversation and the step of an action that waits.
    fn waits(&self, action: u64) -> Result<(Option<String>, u32), Error> {
        let act = self.present(action)?;
        if act.status == Status::Pending {
            return Ok((act.session.clone(), act.step));
        }
        let message = format!("the action is {} and waits for nobody", act.status.word());
        Err(Error::new("invalid_state", message))
    }

    /// Two people are two persons: another spelling of a name is nobody else.
    fn another(&self, action: u64, by: &str) -> Result<(), Error> {
        let who = person(by);
        if who.is_empty() {
            return Err(Error::new("bad_request", "nothing of the name of the person can be seen"));
        }
        let waits = self.waiting.get(&action).ok_or_else(|| super::unknown(action))?;
        match waits.approved_by.iter().find(|it| person(it) == who) {
            None => Ok(()),
            Some(before) => {
                let message = format!("`{before}` has said yes already, and another person must");
                Err(Error::new("invalid_state", message))
            }
        }
    }

    /// The digest that a yes is bound to. Without the arguments there is nothing to say yes to.
    fn seen(&self, action: u64, seen: Option<&str>) -> Result<String, Error> {
        let erased = || {
            Error::new("erased", "what waits was erased, so nobody can see what a yes would cover")
                .help("reject the action")
        };
        let waits = self.waiting.get(&action).ok_or_else(|| super::unknown(action))?;
        let args = waits.args.as_deref().ok_or_else(erased)?;
        let bound = self.bound(action, waits, args);
        if let Some(seen) = seen {
            bound.matches(seen)?;
        }
        Ok(bound.digest())
    }
}

/// Refuses what is longer than a reason may be.
fn within(what: &str, text: &str) -> Result<(), Error> {
    if text.len() <= REASON_BYTES_MAX {
        return Ok(());
    }
    let bytes = text.len();
    let message = format!("{what} has {bytes} bytes, and {REASON_BYTES_MAX} fit");
    Err(Error::new("too_large", message))
}
