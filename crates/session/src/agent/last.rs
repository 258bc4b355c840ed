//! What outlives an agent's moments: what it leaves to a successor, what is erased, and what is
//! given back when it is folded.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::Arc;

use lawbook_engine::{Engine, Standing, State};
use lawbook_event::{Args, ArgsState, Call, Event, Ran, Time, What};
use lawbook_ledger::store::{Head, Links, Store};

use super::{Agent, Talk, name, text_of};
use crate::Error;
use crate::agents::RejudgedVerdict;
use crate::entry::{Decision, Heritage};
use crate::text::Texts;

/// What an agent leaves to its successor.
#[derive(Clone)]
pub(crate) struct Inheritance {
    pub standing: Standing,
    pub head: Head,
    engine: Arc<Engine>,
    life: State,
}

impl Agent {
    /// What the agent leaves, as it stands.
    pub fn leaves(&self) -> Inheritance {
        Inheritance {
            standing: self.standing(),
            head: self.head,
            engine: self.engine.clone(),
            life: self.life.clone(),
        }
    }

    /// Takes over what another agent left, as an entry says it: rules of one id and kind go on from
    /// what theirs counted.
    pub fn inherit(&mut self, left: &Inheritance, heritage: &Heritage) {
        let marks = (heritage.scar_score, heritage.scars);
        let from = (&*left.engine, &left.life);
        self.engine.inherit(&mut self.life, from, heritage.remaining, marks);
        self.origin = Some(left.clone());
    }

    /// What it took over, as it was then.
    pub fn origin(&self) -> Option<Inheritance> {
        self.origin.clone()
    }

    /// Who took over from it.
    pub fn successor(&self) -> Option<&str> {
        self.successor.as_deref()
    }

    /// Somebody takes over from it.
    pub fn succeeded_by(&mut self, name: &str) {
        self.successor = Some(name.to_owned());
    }

    /// Whether an entry is this agent's.
    pub fn owns(&self, store: &dyn Store, entry: Option<u64>) -> Result<(), Error> {
        let Some(index) = entry else { return Ok(()) };
        let missing = || Error::new("not_found", format!("the agent has no entry {index}"));
        let bytes = store.entry(index).map_err(|_| missing())?;
        let link = Links::default().read(&bytes).map_err(|_| missing())?;
        if link.agent == self.id { Ok(()) } else { Err(missing()) }
    }

    /// Forgets the texts of one entry, or of all entries so far: what waits or was refused can't be
    /// shown or judged again.
    pub(super) fn forget(&mut self, entry: Option<u64>) {
        let gone = |of: u64| entry.is_none_or(|it| it == of);
        for waits in self.waiting.values_mut().filter(|it| gone(it.entry)) {
            waits.args = None;
        }
        for act in self.actions.iter().filter(|it| gone(it.entry) && !it.over) {
            if let Some(talk) = self.talks.get_mut(act.session.as_deref().unwrap_or_default()) {
                talk.state.forget_call(act.step);
            }
        }
    }

    /// Gives back the arguments of what waits or was refused, as far as they were not erased.
    pub fn wake(&mut self, store: &dyn Store) -> Result<(), Error> {
        let mut held: BTreeSet<(String, u32)> = BTreeSet::new();
        for (session, talk) in &self.talks {
            held.extend(talk.state.held_calls().map(|(step, _)| (session.clone(), step)));
        }
        let acts: Vec<(u64, super::Act)> = (1_u64..).zip(self.actions.iter().cloned()).collect();
        for (action, act) in acts {
            let session = act.session.clone().unwrap_or_default();
            if act.over || !held.contains(&(session.clone(), act.step)) {
                continue;
            }
            let (decision, texts) = self.decision(store, act.entry)?;
            let Some(args) = texts.args else { continue };
            if let Some(waits) = self.waiting.get_mut(&action) {
                waits.args = Some(args.clone());
            }
            if let Some(talk) = self.talks.get_mut(&session) {
                talk.state.restore_call(act.step, call(&decision, action, act.step, &args));
            }
        }
        Ok(())
    }

    /// A decision judged again on what stands, which stays as it is; none where the arguments were
    /// erased.
    pub fn judged_again(
        &mut self,
        store: &dyn Store,
        decision: &Decision,
        at: Time,
        index: u64,
    ) -> Result<Option<RejudgedVerdict>, Error> {
        let Some(args) = self.texts(store, index)?.args else { return Ok(None) };
        let session = decision.session.as_deref();
        let mut fresh = Talk::begin(&self.engine, &self.seal, session);
        let talk = self.talks.get_mut(session.unwrap_or_default()).unwrap_or(&mut fresh);
        let step = talk.step.saturating_add(1);
        let what = What::Call(call(decision, decision.action, step, &args));
        let message = talk.message_for(decision.batch.as_deref());
        let event = Event { at: Some(at), place: talk.place, message, what };
        self.engine.lend(&mut self.life, &mut talk.state);
        let judgement = self.engine.judge(&talk.state, &event);
        self.engine.lend(&mut self.life, &mut talk.state);
        let counts = judgement.held.iter().filter(|it| it.finding.counts());
        Ok(Some(RejudgedVerdict {
            verdict: judgement.verdict.word().to_owned(),
            rules: counts.map(|it| it.finding.rule.to_string()).collect(),
        }))
    }

    /// Its name.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The texts of an entry, as far as they were not erased.
    pub(super) fn texts(&self, store: &dyn Store, index: u64) -> Result<Texts, Error> {
        let text = text_of(store, index)?;
        Ok(text.and_then(|it| Texts::read(&it)).unwrap_or_default())
    }
}

/// The call that a decision was about.
fn call<'c>(decision: &'c Decision, action: u64, step: u32, args: &'c str) -> Call<'c> {
    Call {
        step,
        step_id: Cow::Owned(name(action)),
        id: None,
        server: decision.server.as_deref().map(Cow::Borrowed),
        tool: Cow::Borrowed(&decision.tool),
        args: Args { text: Cow::Borrowed(args), state: ArgsState::Whole },
        hindsight: None,
        ran: Ran::Yes,
        confirmed: false,
        cwd: None,
        cost: decision.declared,
    }
}
