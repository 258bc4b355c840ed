//! The life of an agent: how it stands, what marks it, and how it ends.

use std::collections::BTreeMap;

use lawbook_diag::{Mode, Verdict};
use lawbook_event::{Actor, Call, Effect, Severity};
use lawbook_rule::{Account, Mark, Moment, Profile, Rule, Scar, Scope};

use crate::judge::own_finding;
use crate::note::Pen;
use crate::{Engine, Held, Judgement, Misuse, State};

/// The rule id of what is held against every call of an agent that has ended.
pub(crate) const TERMINATED: &str = "terminated";

/// What an agent that has ended is said to have ended by, where no person did.
const GUARD: &str = "guard";

/// What the engine remembers of an agent beside what its rules do.
#[derive(Clone, Debug, Default)]
pub(crate) struct Life {
    pub ended: Option<Termination>,
    pub allowed: u64,
    pub denied: u64,
    pub pending: u64,
    pub score: u32,
    pub scars: u64,
}

/// The end of an agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Termination {
    /// Why: `budget exhausted`, `scar limit reached (S >= L)`, or a person's words.
    pub reason: String,
    /// Who ended it: `guard`, or a person.
    pub by: String,
}

/// How an agent stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Standing {
    /// Whether it may still do anything.
    pub alive: bool,
    /// Why it has ended, if it has.
    pub reason: Option<String>,
    /// The credits of its life; none without a budget of the agent's.
    pub budget: Option<u64>,
    /// The credits it has spent.
    pub spent: u64,
    /// The credits it has left; none without a budget of the agent's.
    pub remaining: Option<u64>,
    /// The sum of its marks, which stops at the largest number.
    pub scar_score: u32,
    /// How many marks it bears.
    pub scars: u64,
    /// How many of its calls were let through.
    pub allowed: u64,
    /// How many were refused, by rules or by people.
    pub denied: u64,
    /// How many wait for a person.
    pub pending: u64,
}

/// What an agent leaves to the one that takes over from it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Left {
    /// What is left of the budget that [`Standing`] shows, in credits.
    pub remaining: Option<u64>,
    /// The id of that budget's rule.
    pub budget: Option<String>,
    /// What is left of each budget of the agent's, by the id of its rule.
    pub budgets: BTreeMap<String, u64>,
    /// The score that [`Standing`] shows.
    pub score: u32,
    /// The score of each rule that adds up the agent's marks, by its id.
    pub scores: BTreeMap<String, u32>,
    /// How many marks it bears.
    pub scars: u64,
}

impl Left {
    /// The same on an operator's word: another rest of the budget that [`Standing`] shows, and no
    /// marks where they are not to be borne.
    #[must_use]
    pub fn stated(mut self, remaining: Option<u64>, marks: bool) -> Self {
        if let Some(stated) = remaining {
            self.remaining = remaining;
            let shown = self.budget.as_ref().and_then(|it| self.budgets.get_mut(it));
            shown.into_iter().for_each(|it| *it = stated);
        }
        if !marks {
            (self.score, self.scars) = (0, 0);
            self.scores.values_mut().for_each(|it| *it = 0);
        }
        self
    }

    /// What is left for a budget. One that the other agent did not have under this name has no more
    /// than the least of those that are gone: another name refills nothing. Beside budgets that all
    /// go on it is a further limit, and whole.
    fn of_budget(&self, id: &str, own: &[&str]) -> Option<u64> {
        if self.budgets.is_empty() {
            return self.remaining;
        }
        let gone = || self.budgets.iter().filter(|it| !own.contains(&it.0.as_str()));
        self.budgets.get(id).copied().or_else(|| gone().map(|it| *it.1).min())
    }
}

impl Life {
    /// Takes in a mark and an end.
    pub fn bear(&mut self, scar: Option<Severity>, ends: Option<&Termination>) {
        if let Some(scar) = scar {
            self.scars = self.scars.saturating_add(1);
            self.score = scar.add_to(self.score);
        }
        if let (Some(end), None) = (ends, &self.ended) {
            self.ended = Some(end.clone());
        }
    }

    /// A call that waited does so no more.
    pub fn settle_waiting(&mut self, allowed: bool) {
        self.pending = self.pending.saturating_sub(1);
        let count = if allowed { &mut self.allowed } else { &mut self.denied };
        *count = count.saturating_add(1);
    }
}

impl Termination {
    pub(crate) fn by_guard(reason: String) -> Self {
        Termination { reason, by: GUARD.to_owned() }
    }
}

impl State {
    /// How the agent stands whose session this is.
    #[must_use]
    pub fn standing(&self, engine: &Engine) -> Standing {
        let memories = || (0..).map_while(|it| Some((engine.rule(it)?.2, self.memories.get(it)?)));
        let account: Option<Account> = memories().find_map(|it| it.0.body.account(it.1));
        let score = memories().find_map(|it| it.0.body.score(it.1));
        let life = &self.life;
        Standing {
            alive: life.ended.is_none(),
            reason: life.ended.as_ref().map(|it| it.reason.clone()),
            budget: account.map(|it| it.credits),
            spent: account.map_or(0, |it| it.spent),
            remaining: account.map(|it| it.remaining()),
            scar_score: score.unwrap_or(life.score),
            scars: life.scars,
            allowed: life.allowed,
            denied: life.denied,
            pending: life.pending,
        }
    }

    /// What the agent leaves to the one that takes over from it.
    #[must_use]
    pub fn left(&self, engine: &Engine) -> Left {
        let Standing { remaining, scar_score: score, scars, .. } = self.standing(engine);
        let mut left = Left { remaining, score, scars, ..Left::default() };
        for place in 0..engine.placed().len() {
            let (Some((_, _, rule)), Some(memory)) = (engine.rule(place), self.memories.get(place))
            else {
                continue;
            };
            if let Some(account) = rule.body.account(memory) {
                left.budget.get_or_insert_with(|| rule.id.to_string());
                left.budgets.insert(rule.id.to_string(), account.remaining());
            }
            if let Some(score) = rule.body.score(memory) {
                left.scores.insert(rule.id.to_string(), score);
            }
        }
        left
    }

    /// The end of the agent, if it has ended.
    #[must_use]
    pub fn ended(&self) -> Option<&Termination> {
        self.life.ended.as_ref()
    }
}

impl Engine {
    /// Lends the life of an agent to one of its sessions, so that the session's events are judged
    /// on it; called again with the same two, it gives back what became of it.
    ///
    /// What a rule remembers of an agent and how the agent stands change places; all else stays.
    /// Only one session of an agent can have its life at a time.
    pub fn lend(&self, agent: &mut State, session: &mut State) {
        for (place, placed) in self.placed().iter().enumerate() {
            if placed.scope == Scope::Agent
                && let Some(lent) = agent.memories.get_mut(place)
                && let Some(own) = session.memories.get_mut(place)
            {
                std::mem::swap(lent, own);
            }
        }
        std::mem::swap(&mut agent.life, &mut session.life);
    }

    /// Lets an agent take over from another one: rules of one id and one kind that last for an
    /// agent's life go on from what theirs remember; of budgets and marks so much goes on as is
    /// said to be left.
    pub fn inherit(&self, agent: &mut State, (engine, from): (&Engine, &State), left: &Left) {
        agent.life = Life { score: left.score, scars: left.scars, ..Life::default() };
        let rules = (0..self.placed().len()).map_while(|it| Some((it, self.rule(it)?.2)));
        let keeps = |it: usize, rule: &Rule| {
            agent.memories.get(it).is_some_and(|it| rule.body.account(it).is_some())
        };
        let own: Vec<&str> =
            rules.filter(|(it, rule)| keeps(*it, rule)).map(|it| &*it.1.id).collect();
        for (place, placed) in self.placed().iter().enumerate() {
            let (Some((_, _, rule)), Scope::Agent) = (self.rule(place), placed.scope) else {
                continue;
            };
            let same = |it: &usize| {
                let other = engine.rule(*it).map(|it| it.2);
                other.is_some_and(|it| it.id == rule.id && it.body.name() == rule.body.name())
            };
            let Some(memory) = agent.memories.get_mut(place) else { continue };
            let theirs = (0..engine.placed().len()).find(same);
            if let Some(theirs) = theirs.and_then(|it| from.memories.get(it)) {
                *memory = theirs.clone();
            }
            let score = left.scores.get(&*rule.id).copied().unwrap_or(left.score);
            rule.body.carry(memory, left.of_budget(&rule.id, &own), score);
        }
    }

    /// What is said of every call of an agent that has ended.
    pub(crate) fn terminated(end: &Termination, call: &Call<'_>) -> Judgement {
        let held = own_finding(TERMINATED, "ended", Some(call), end.reason.clone());
        let reply = Some("the agent has ended and may do nothing more".to_owned());
        Judgement { held: vec![Held { reply, ..held }], ..Judgement::default() }
    }

    pub(crate) fn judge_rejection(
        &self,
        state: &State,
        step: u32,
        words: (&str, &str),
        scar: Option<Severity>,
    ) -> Judgement {
        if let Err(misuse) = crate::judge::waiting(state, step) {
            return Judgement::misused(misuse);
        }
        let call = state.held.get(&step).map(|it| &it.call);
        let message = match words {
            ("", "") => "a person said no".to_owned(),
            ("", why) => format!("rejected: {why}"),
            (who, "") => format!("rejected by {who}"),
            (who, why) => format!("rejected by {who}: {why}"),
        };
        let mut judgement = Judgement::default();
        judgement.held.push(own_finding("rejected", "rejected", call, message.clone()));
        let scar = scar.map(|severity| Scar { severity, reason: message, step: Some(step) });
        self.mark(state, &mut judgement, scar);
        judgement
    }

    pub(crate) fn judge_outcome(
        &self,
        state: &State,
        step: u32,
        effect: Effect,
        by: Actor,
        detail: &str,
    ) -> Judgement {
        if by == Actor::Agent && effect == Effect::Harmful {
            return Judgement::misused(Misuse::Forbidden);
        }
        let runs = match self.takes_harm_late(effect, by) {
            true => &state.happened,
            false => &state.unreported,
        };
        if !runs.has(step) {
            let known = state.seen.has(step);
            return Judgement::misused(match known {
                true => Misuse::InvalidState,
                false => Misuse::UnknownAction,
            });
        }
        let mut judgement = Judgement::default();
        let colon = if detail.is_empty() { "" } else { ": " };
        let reason = format!("outcome {}{colon}{detail}", effect.word());
        let scar = effect.scar().map(|severity| Scar { severity, reason, step: Some(step) });
        self.mark(state, &mut judgement, scar);
        judgement
    }

    /// Whether harm is a verdict of its own, which an operator may give at any time, whatever was
    /// reported before.
    fn takes_harm_late(&self, effect: Effect, by: Actor) -> bool {
        effect == Effect::Harmful && by == Actor::Operator && !self.all_compatible()
    }

    pub(crate) fn judge_scar(
        &self,
        state: &State,
        severity: Severity,
        reason: &str,
        step: Option<u32>,
    ) -> Judgement {
        if step.is_some_and(|it| !state.seen.has(it)) {
            return Judgement::misused(Misuse::NotFound);
        }
        let mut judgement = Judgement::default();
        let scar = Scar { severity, reason: reason.to_owned(), step };
        self.mark(state, &mut judgement, Some(scar));
        judgement
    }

    pub(crate) fn judge_terminate(&self, state: &State, reason: &str, by: &str) -> Judgement {
        if state.life.ended.is_some() {
            return Judgement::misused(Misuse::AlreadyTerminated);
        }
        let ends = Termination { reason: reason.to_owned(), by: by.to_owned() };
        Judgement { ends: Some(ends), ..Judgement::default() }
    }

    /// Puts a mark on a judgement, and the end of the agent where the mark is one too many.
    pub(crate) fn mark(&self, state: &State, judgement: &mut Judgement, scar: Option<Scar>) {
        let Some(scar) = scar else { return };
        if state.life.ended.is_none() {
            let reason = self.scarred_rules().find_map(|place| {
                let (_, policy, rule) = self.rule(place)?;
                let memory = state.memories.get(place)?;
                (rule.mode == Mode::Enforce).then_some(())?;
                let (severity, session) = (scar.severity, &state.session);
                let (manner, keys) = (policy.manner, state.seal.keys());
                rule.body.ends_by(memory, &Mark { severity, session, manner, keys })
            });
            judgement.ends = reason.map(Termination::by_guard);
        }
        judgement.scar = Some(scar);
    }

    /// The mark that a refused call leaves: the severest that the rules name which refuse it. Where
    /// a person said yes in the meantime, only a compatible policy marks the agent for it.
    pub(crate) fn scar_of(&self, judgement: &Judgement, approved: bool) -> Option<Scar> {
        if judgement.verdict != Verdict::Deny {
            return None;
        }
        let refusing = judgement
            .held
            .iter()
            .filter(|it| it.finding.counts() && it.finding.verdict == Verdict::Deny);
        let scars = refusing.filter_map(|it| {
            let policy = self.layers().get(it.rank.0)?;
            let severity = policy.rules.get(it.rank.1)?.scar?;
            let marks = !approved || policy.profile == Profile::Compatible;
            marks.then_some((severity, it))
        });
        // Of several equal ones the first is the reason.
        let severest = scars.fold(None::<(Severity, &Held)>, |best, it| match best {
            Some(best) if best.0 >= it.0 => Some(best),
            _ => Some(it),
        });
        severest.map(|(severity, held)| Scar {
            severity,
            reason: format!("{}: {}", held.finding.rule, held.finding.message),
            step: held.finding.step,
        })
    }

    fn scarred_rules(&self) -> impl Iterator<Item = usize> + '_ {
        let placed = self.placed().iter().enumerate();
        placed.filter(|(_, it)| it.watches.scars).map(|it| it.0)
    }

    /// Takes in the mark and the end that a judgement holds.
    pub(crate) fn bear(&self, state: &mut State, judgement: &Judgement, pen: &mut Pen) {
        let scar = judgement.scar.as_ref().map(|it| it.severity);
        pen.life(scar, judgement.ends.as_ref());
        if let Some(severity) = scar {
            for place in self.scarred_rules() {
                if let Some((_, policy, rule)) = self.rule(place)
                    && let Some(memory) = state.memories.get_mut(place)
                {
                    let (manner, keys) = (policy.manner, state.seal.keys());
                    let mark = Mark { severity, session: &state.session, manner, keys };
                    pen.take(place, &*rule.body, memory, &Moment::Scarred(mark));
                }
            }
        }
        state.life.bear(scar, judgement.ends.as_ref());
    }
}
