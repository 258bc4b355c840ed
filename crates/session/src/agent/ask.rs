//! The agent asks: judge, record, answer.

use std::borrow::Cow;

use lawbook_diag::Verdict;
use lawbook_event::{Args, ArgsState, Call, Ran, Seal as _, Time, What};
use lawbook_ledger::store::hex;
use lawbook_rule::Scope;

use super::{
    ARGS_BYTES_MAX, Act, Agent, Asked, Desk, NAME_BYTES_MAX, Recorded, Told, Waits, bounded, name,
    verdict_of,
};
use crate::Error;
use crate::binding::Bound;
use crate::entry::{Body, Decision, Folded};
use crate::reply::{Reply, Request, Status};
use crate::text::Texts;

impl Agent {
    /// Asks whether a call may run.
    pub fn request(
        &mut self,
        desk: Desk<'_>,
        request: &Request,
        folds: bool,
    ) -> Result<Recorded<Reply>, Error> {
        check(request)?;
        let asked = self.digest_of(request);
        let id = request.id.as_deref().map(|it| hex(&self.seal.seal(&format!("request {it}"))));
        if let Some(before) = id.as_ref().and_then(|it| self.requests.get(it)).cloned() {
            if before.digest != asked {
                let message = "the id of the request was used for another one";
                return Err(Error::new("conflict", message).help("use a new id for a new request"));
            }
            let reply = self.repeat(desk, before.action, before.joined)?;
            return Ok(Recorded { value: reply, ticket: self.ticket() });
        }
        let bytes = request.args.len().saturating_add(request.tool.len());
        self.attempts.take(bytes, desk.at)?;
        if let Some(action) = self.same_waiting(&asked, desk.at).filter(|_| folds) {
            return self.fold_into(desk, action, id, asked);
        }
        let session = request.session.as_deref();
        let place = (session, request.batch.as_deref());
        let told = self.tell(place, desk.at, What::Call(self.call(request)))?;
        let said = told.verdicts();
        let (rules, unknown) = (said.rules.clone(), said.unknown.clone());
        let decision = Decision {
            action: u64::try_from(self.actions.len()).unwrap_or(u64::MAX).saturating_add(1),
            request: id,
            asked,
            session: request.session.clone(),
            batch: request.batch.clone(),
            server: request.server.clone(),
            tool: request.tool.clone(),
            declared: request.cost,
            cost: told.judgement.price.or(request.cost).unwrap_or(0),
            expires: expiry(&told, desk.at).map(|it| it.nanos),
            people: people(&told),
            turned_away: self.attempts.turned_away(),
            said,
        };
        let texts = Texts { args: Some(request.args.clone()), reply: told.reply(), ..told.texts() };
        let action = decision.action;
        let ticket = self.record(desk, Body::Decision(decision), &texts)?;
        self.attempts.told();
        let mut reply = self.reply(action, told.judgement.verdict, &texts, false)?;
        if request.session.is_none() && self.counts_per_session() {
            let note = "no conversation was named, so rules on one counted in the agent's own";
            reply.notes.push(note.to_owned());
        }
        (reply.rules, reply.unknown) = (rules, unknown);
        reply.cost = told.judgement.charge.as_ref().map_or(0, |it| it.cost);
        Ok(Recorded { value: reply, ticket: Some(ticket) })
    }

    pub(super) fn apply_decision(
        &mut self,
        it: &Decision,
        index: u64,
        at: Time,
        args: Option<&str>,
    ) -> Result<(), Error> {
        let verdict = verdict_of(&it.said.verdict);
        let session = it.session.clone();
        let Some(talk) = self.talks.get_mut(session.as_deref().unwrap_or_default()) else {
            return Err(Error::new("unreadable_entry", "a decision without its conversation"));
        };
        talk.step = talk.step.saturating_add(1);
        let status = match verdict {
            Verdict::Allow => Status::Allowed,
            Verdict::Ask => Status::Pending,
            Verdict::Deny => Status::Denied,
        };
        let step = talk.step;
        let charged = it.said.charge;
        self.actions.push(Act {
            entry: index,
            session,
            step,
            status,
            redeemed: false,
            ran: false,
            charged,
            over: false,
        });
        if let Some(id) = &it.request {
            let (action, digest) = (it.action, it.asked.clone());
            self.requests.insert(id.clone(), Asked { action, digest, joined: false });
        }
        if verdict == Verdict::Ask {
            let waits = Waits {
                entry: index,
                asked: it.asked.clone(),
                server: it.server.clone(),
                tool: it.tool.clone(),
                args: args.map(str::to_owned),
                cost: it.cost,
                since: at,
                expires: it.expires.map(|nanos| Time { nanos }),
                people: it.people,
                rules: it.said.rules.clone(),
                approved_by: std::collections::BTreeSet::new(),
            };
            self.waiting.insert(it.action, waits);
        }
        Ok(())
    }

    fn call<'r>(&self, request: &'r Request) -> Call<'r> {
        let talk = self.talks.get(request.session.as_deref().unwrap_or_default());
        let step = talk.map_or(0, |it| it.step).saturating_add(1);
        let number = self.actions.len().saturating_add(1);
        Call {
            step,
            step_id: Cow::Owned(format!("act-{number}")),
            id: request.id.as_deref().map(Cow::Borrowed),
            server: request.server.as_deref().map(Cow::Borrowed),
            tool: Cow::Borrowed(&request.tool),
            args: Args { text: Cow::Borrowed(&request.args), state: ArgsState::Whole },
            hindsight: None,
            ran: Ran::Yes,
            confirmed: false,
            cwd: None,
            cost: request.cost,
        }
    }

    /// The keyed digest of what is asked, so that the same id can't stand for two requests.
    fn digest_of(&self, request: &Request) -> String {
        let bound = Bound {
            agent: request.session.as_deref().unwrap_or_default(),
            action: 0,
            server: request.server.as_deref(),
            tool: &request.tool,
            args: &request.args,
            cost: request.cost.unwrap_or(0),
            expires: None,
        };
        hex(&self.seal.seal(&format!("asked {}", bound.digest())))
    }

    /// Whether a rule remembers a conversation and not the whole life.
    fn counts_per_session(&self) -> bool {
        let mut rules = self.engine.layers().iter().flat_map(|it| &it.rules);
        rules.any(|it| it.body.past().session && it.body.scope() == Scope::Session)
    }

    /// A request that is already waiting, to the byte.
    fn same_waiting(&self, asked: &str, now: Time) -> Option<u64> {
        let open = |it: &Waits| it.expires.is_none_or(|at| at > now) && it.args.is_some();
        self.waiting.iter().find(|(_, it)| it.asked == asked && open(it)).map(|it| *it.0)
    }

    /// Nobody is asked twice for the same thing.
    fn fold_into(
        &mut self,
        desk: Desk<'_>,
        action: u64,
        id: Option<String>,
        asked: String,
    ) -> Result<Recorded<Reply>, Error> {
        let ticket = match id {
            Some(request) => {
                let body = Body::Folded(Folded { action, request, asked });
                Some(self.record(desk, body, &Texts::default())?)
            }
            None => self.ticket(),
        };
        Ok(Recorded { value: self.repeat(desk, action, true)?, ticket })
    }

    /// The recorded answer, and what is true now.
    fn repeat(&self, desk: Desk<'_>, action: u64, joined: bool) -> Result<Reply, Error> {
        let act = self.act(action)?;
        if let Some(ticket) = &self.ticket {
            // What was not durable yet can't be read either.
            ticket.wait().map_err(super::stopped)?;
        }
        let (decision, texts) = self.decision(desk.store, act.entry)?;
        let verdict = verdict_of(&decision.said.verdict);
        let mut reply = self.reply(action, verdict, &texts, true)?;
        reply.cost = act.charged.unwrap_or(0);
        reply.rules = decision.said.rules;
        reply.unknown = decision.said.unknown;
        if joined {
            // One yes is one execution: it belongs to whoever asked first, or to a grant.
            reply.joined = true;
            let to = name(action);
            reply.notes.push(format!("joined to `{to}`, which was asked for before and runs once"));
        }
        if verdict == Verdict::Allow && !reply.standing.alive {
            let note = "the agent has ended since: the action must not be run any more";
            reply.notes.push(note.to_owned());
        }
        Ok(reply)
    }

    /// The answer about an action, as it stands now.
    pub(super) fn reply(
        &self,
        action: u64,
        verdict: Verdict,
        texts: &Texts,
        repeated: bool,
    ) -> Result<Reply, Error> {
        let act = self.act(action)?;
        let waits = self.waiting.get(&action);
        Ok(Reply {
            action: name(action),
            verdict,
            findings: texts.findings.clone(),
            rules: Vec::new(),
            unknown: Vec::new(),
            reply: texts.reply.clone(),
            cost: 0,
            status: act.status,
            redeemed: act.redeemed,
            ran: act.ran,
            repeated,
            joined: false,
            binding: waits.and_then(|it| self.binding(action, it)),
            expires: waits.and_then(|it| it.expires),
            people_missing: waits.map_or(0, Waits::missing),
            standing: self.standing(),
            notes: Vec::new(),
        })
    }

    /// The digest of what a yes to a waiting action covers; none once its arguments were erased.
    pub(super) fn binding(&self, action: u64, waits: &Waits) -> Option<String> {
        waits.args.as_deref().map(|args| self.bound(action, waits, args).digest())
    }

    pub(super) fn bound<'a>(&'a self, action: u64, waits: &'a Waits, args: &'a str) -> Bound<'a> {
        Bound {
            agent: &self.id,
            action,
            server: waits.server.as_deref(),
            tool: &waits.tool,
            args,
            cost: waits.cost,
            expires: waits.expires,
        }
    }
}

impl Waits {
    /// How many more people must say yes.
    pub(super) fn missing(&self) -> u32 {
        let said = u32::try_from(self.approved_by.len()).unwrap_or(u32::MAX);
        self.people.saturating_sub(said)
    }
}

fn check(request: &Request) -> Result<(), Error> {
    bounded("the name of the tool", &request.tool, NAME_BYTES_MAX)?;
    for (what, name) in [
        ("the id of the request", &request.id),
        ("the name of the session", &request.session),
        ("the name of the batch", &request.batch),
        ("the name of the server", &request.server),
    ] {
        if let Some(name) = name {
            bounded(what, name, NAME_BYTES_MAX)?;
        }
    }
    if request.args.len() > ARGS_BYTES_MAX {
        let bytes = request.args.len();
        let message = format!("the arguments have {bytes} bytes, and {ARGS_BYTES_MAX} fit");
        return Err(Error::new("too_large", message));
    }
    Ok(())
}

/// When the time for a yes is over: the earliest of all rules that ask.
fn expiry(told: &Told, at: Time) -> Option<Time> {
    let asks = told.judgement.held.iter().filter_map(|it| it.asks?.expires_secs);
    let secs = asks.fold(None, |least: Option<f64>, it| Some(least.map_or(it, |l| l.min(it))))?;
    #[allow(clippy::cast_possible_truncation, reason = "the cast stops at the largest number")]
    let nanos = (secs * 1e9) as i64;
    Some(Time { nanos: at.nanos.saturating_add(nanos) })
}

/// How many people must say yes: the most that any rule asks for.
fn people(told: &Told) -> u32 {
    told.judgement.held.iter().filter_map(|it| it.asks).map(|it| it.people).max().unwrap_or(1)
}
