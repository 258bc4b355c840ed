//! What outlives an agent's moments: what it leaves to a successor, what is erased, and what is
//! given back when it is folded.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use lawbook_engine::{Engine, Left, State};
use lawbook_event::{Args, ArgsState, Call, Event, Ran, Time, What};
use lawbook_ledger::store::{Head, Links, Store, hex};

use super::{Agent, Talk, name, text_of};
use crate::Error;
use crate::agents::RejudgedVerdict;
use crate::entry::{Decision, Heritage};
use crate::text::Texts;

/// What an agent leaves to its successor.
#[derive(Clone)]
pub(crate) struct Inheritance {
    pub left: Left,
    pub head: Head,
    engine: Arc<Engine>,
    life: State,
}

impl Agent {
    /// What the agent leaves, as it stands.
    pub fn leaves(&self) -> Inheritance {
        Inheritance {
            left: self.life.left(&self.engine),
            head: self.head,
            engine: self.engine.clone(),
            life: self.life.clone(),
        }
    }

    /// Takes over what another agent left, as an entry says it: rules of one id and kind go on from
    /// what theirs counted.
    pub fn inherit(&mut self, left: &Inheritance, heritage: &Heritage) {
        let said = Left {
            remaining: heritage.remaining,
            budget: None,
            budgets: heritage.budgets.clone(),
            score: heritage.scar_score,
            scores: heritage.scores.clone(),
            scars: heritage.scars,
        };
        self.engine.inherit(&mut self.life, (&left.engine, &left.life), &said);
        self.origin = Some(left.clone());
        self.predecessor = Some(heritage.agent.clone());
    }

    /// What it took over, as it was then.
    pub fn origin(&self) -> Option<Inheritance> {
        self.origin.clone()
    }

    /// Whom it took over from.
    pub fn predecessor(&self) -> Option<&str> {
        self.predecessor.as_deref()
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
        let mut held: BTreeMap<&str, BTreeSet<u32>> = BTreeMap::new();
        for (session, talk) in &self.talks {
            let steps: BTreeSet<u32> = talk.state.held_calls().map(|it| it.0).collect();
            if !steps.is_empty() {
                held.insert(session, steps);
            }
        }
        if held.is_empty() {
            return Ok(());
        }
        let is_held = |act: &super::Act| {
            let steps = held.get(act.session.as_deref().unwrap_or_default());
            !act.over && steps.is_some_and(|it| it.contains(&act.step))
        };
        let acts = (1_u64..).zip(&self.actions).filter(|it| is_held(it.1));
        let acts: Vec<(u64, super::Act)> = acts.map(|(it, act)| (it, act.clone())).collect();
        for (action, act) in acts {
            let session = act.session.clone().unwrap_or_default();
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
        let (_, texts) = self.decision(store, index)?;
        let Some(args) = texts.args else { return Ok(None) };
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
    /// What lies apart is believed only if the entry names it: whoever says yes must not be shown
    /// what somebody put there since.
    pub(super) fn texts(
        &self,
        store: &dyn Store,
        index: u64,
        digest: Option<&str>,
    ) -> Result<Texts, Error> {
        let Some(text) = text_of(store, index)? else { return Ok(Texts::default()) };
        if digest != Some(&*hex(&self.seal.text_digest(&text))) {
            let message = format!("the text beside entry {index} is not what was recorded");
            return Err(Error::new("changed_text", message).help("run `lawbook ledger verify`"));
        }
        Ok(Texts::read(&text).unwrap_or_default())
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
