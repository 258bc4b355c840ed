//! What rules hold against an event. Nothing here changes a state.

use std::sync::Arc;

use lawbook_diag::{Evidence, Finding, Mode, Unknown, Verdict};
use lawbook_event::{Call, Event, Ran, Time, What, person};
use lawbook_rule::{
    Applies, Asked, Asks, Charge, Memory, Objection, OnUnknown, Pick, Policy, Profile, Report,
    Rule, Said, Scar,
};

use crate::index::{Engine, Opened, Placed};
use crate::life::Termination;
use crate::note::Pen;
use crate::settle::waive_now;
use crate::state::{Door, Fate, State};

/// What rules hold against an event, and what follows for it.
#[derive(Clone, Debug, Default)]
pub struct Judgement {
    /// The findings, in the order of rules.
    pub held: Vec<Held>,
    /// What could not be told.
    pub unknowns: Vec<Unknown>,
    /// The strictest of all that counts.
    pub verdict: Verdict,
    /// The event can't follow what came before: an error of the caller's, not a finding.
    pub misuse: Option<Misuse>,
    /// What the call takes from a budget, where it is let through: the agent's, if it has one.
    pub charge: Option<Charge>,
    /// What the call costs where it is let through, now or once people have said yes, in credits;
    /// none where no rule says.
    pub price: Option<u64>,
    /// The mark that the event leaves on the agent.
    pub scar: Option<Scar>,
    /// The end of the agent, where the event ends it.
    pub ends: Option<Termination>,
}

/// A finding, with what decides how it is reported.
#[derive(Clone, Debug)]
pub struct Held {
    /// The finding.
    pub finding: Finding,
    /// The place of its rule: the policy, then the rule in it.
    pub rank: (usize, usize),
    /// Which of the rule's findings are reported.
    pub report: Report,
    /// The key that it belongs to.
    pub key: Option<String>,
    /// The same for the model, at a live door; without words there is nothing to tell but the rule.
    pub reply: Option<String>,
    /// What it asks of the people who may say yes; one yes at any time, if nothing is said.
    pub asks: Option<Asks>,
}

/// An event that can't follow what came before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Misuse {
    /// No call of that step is known.
    UnknownAction,
    /// The call is not in a state that allows it.
    InvalidState,
    /// A mark names a call that is not known.
    NotFound,
    /// It is not for the agent to say.
    Forbidden,
    /// The agent has ended already.
    AlreadyTerminated,
}

impl Misuse {
    /// The code that answers use.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Misuse::UnknownAction => "unknown_action",
            Misuse::InvalidState => "invalid_state",
            Misuse::NotFound => "not_found",
            Misuse::Forbidden => "forbidden",
            Misuse::AlreadyTerminated => "already_terminated",
        }
    }
}

/// The rule id and kind of a finding on a call that ran although it was not let through.
pub(crate) const RAN_ANYWAY: &str = "ran_anyway";

impl Engine {
    /// What the rules hold against an event, given what came before.
    #[must_use]
    pub fn judge(&self, state: &State, event: &Event<'_>) -> Judgement {
        let mut judgement = match &event.what {
            What::Call(call) => self.judge_call(state, call, event.at, event.message),
            What::Answer { step, .. } => self.judge_answer(state, *step),
            What::Approval { step, by } => return self.judge_approval(state, *step, event.at, by),
            What::Rejection { step, by, reason, scar } => {
                self.judge_rejection(state, *step, (by, reason), *scar)
            }
            What::Outcome { step, effect, by, detail } => {
                self.judge_outcome(state, *step, *effect, *by, detail)
            }
            What::Scar { severity, reason, step } => {
                self.judge_scar(state, *severity, reason, *step)
            }
            What::Terminate { reason, by } => self.judge_terminate(state, reason, by),
            What::End(end) => self.judge_end(state, end),
            What::Start(_)
            | What::User(_)
            | What::Agent(_)
            | What::Unheard { .. }
            | What::Other => Judgement::default(),
        };
        judgement.decide(self, state, event.at);
        judgement
    }

    /// Judges an event and takes it in. A call's arguments are parsed once for both.
    pub fn step(&self, state: &mut State, event: &Event<'_>) -> Judgement {
        let What::Call(call) = &event.what else {
            let judgement = self.judge(state, event);
            self.advance(state, event, &judgement);
            return judgement;
        };
        let seal = state.seal.clone();
        self.faces(call).opened(seal.keys(), |opened| {
            let mut judgement = self.judge_opened(state, opened, event.at, event.message);
            judgement.decide(self, state, event.at);
            self.advance_call(state, event, opened, &judgement, &mut Pen::default());
            judgement
        })
    }

    fn judge_call(
        &self,
        state: &State,
        call: &Call<'_>,
        at: Option<Time>,
        message: u64,
    ) -> Judgement {
        let judge = |opened: &[Opened<'_>]| self.judge_opened(state, opened, at, message);
        self.faces(call).opened(state.seal.keys(), judge)
    }

    /// Whether the entries of the policies let this very call run, and it does not only pass because
    /// no rule speaks of it; none where no policy lists anything.
    #[must_use]
    pub fn permits(&self, state: &State, call: &Call<'_>, at: Option<Time>) -> Option<bool> {
        self.faces(call).opened(state.seal.keys(), |opened| self.lists(state, opened, at))
    }

    fn lists(&self, state: &State, opened: &[Opened<'_>], at: Option<Time>) -> Option<bool> {
        let mut listed = None;
        for face in opened {
            for concern in face.plan.concerns.iter().filter(|it| it.roles.has(0)) {
                let Some((_, policy, rule)) = self.rule(concern.rule) else { continue };
                let asked = face.asked(at, u64::MAX, &state.session, policy.manner);
                if rule.when.as_ref().is_some_and(|it| it.applies(&asked) != Applies::Yes) {
                    continue;
                }
                match rule.body.permits(&asked) {
                    Some(false) => return Some(false),
                    Some(true) => listed = Some(true),
                    None => {}
                }
            }
        }
        listed
    }

    pub(crate) fn judge_opened(
        &self,
        state: &State,
        opened: &[Opened<'_>],
        at: Option<Time>,
        message: u64,
    ) -> Judgement {
        let mut judgement = Judgement::default();
        let Some(asked) = opened.first() else { return judgement };
        if let Some(end) = &state.life.ended {
            return Engine::terminated(end, asked.call);
        }
        if state.bare {
            judgement.unknowns.push(bare_session(asked.call));
        }
        if asked.call.tool.trim().is_empty() && !self.all_compatible() {
            judgement.unknowns.push(nameless_call(asked.call));
        }
        for face in opened {
            if face.opaque && !self.all_compatible() {
                judgement.unknowns.push(hidden_call(face.call));
            }
            for concern in face.plan.concerns.iter().filter(|it| it.roles.has(0)) {
                let Some((placed, policy, rule)) = self.rule(concern.rule) else { continue };
                let Some(memory) = state.memories.get(concern.rule) else { continue };
                if policy.pick == Pick::First && judgement.objects(placed.layer) {
                    continue;
                }
                let asked = face.asked(at, message, &state.session, policy.manner);
                let (roles, told) = self.roles(concern, rule, &asked);
                if told && !roles.has(0) {
                    continue;
                }
                let unseen = state.unseen.shared(placed.past);
                let mut said = match told {
                    true => ask(rule, memory, &asked, unseen),
                    false => untold_command(rule, &asked),
                };
                if state.overfull && placed.watches.answers {
                    said.gap("open calls", "more calls are unanswered than are followed");
                }
                if placed.watches.charges && said.is_silent() && told {
                    judgement.charge(rule, memory, &asked);
                }
                if !said.is_silent() {
                    judgement.take(placed, policy, rule, said, Some(&asked), state);
                }
            }
        }
        judgement
    }

    fn judge_answer(&self, state: &State, step: u32) -> Judgement {
        let mut judgement = Judgement::default();
        if let Some(held) = state.held.get(&step) {
            let message = match held.fate {
                Fate::Waiting => "the call waited for a person and ran all the same",
                Fate::Refused | Fate::Happened => {
                    "the call was not let through and ran all the same"
                }
            };
            judgement.held.push(own_finding(RAN_ANYWAY, RAN_ANYWAY, Some(&held.call), message));
        } else if state.let_go.contains(&step) {
            let message = "the call was not let through and ran all the same";
            let mut held = own_finding(RAN_ANYWAY, RAN_ANYWAY, None, message);
            held.finding.step = Some(step);
            judgement.held.push(held);
        }
        judgement
    }

    /// A waiting call is judged again by every rule; the yes relaxes what asked for it and nothing
    /// else, once enough people have said it and in time.
    fn judge_approval(&self, state: &State, step: u32, at: Option<Time>, by: &str) -> Judgement {
        if let Err(misuse) = waiting(state, step) {
            return Judgement::misused(misuse);
        }
        let Some(held) = state.held.get(&step) else { return Judgement::default() };
        // Two people are two persons, however one of them writes the name.
        if held.approved_by.contains(&state.seal.keys().key(&person(by))) {
            return Judgement::misused(Misuse::InvalidState);
        }
        let now = at.or(held.at);
        let mut judgement = self.judge_call(state, &held.call, now, held.message);
        let people = u32::try_from(held.approved_by.len()).unwrap_or(u32::MAX).saturating_add(1);
        judgement.held.retain_mut(|it| {
            let Some(asks) = it.asks.filter(|_| it.finding.verdict == Verdict::Ask) else {
                return it.finding.verdict == Verdict::Deny;
            };
            if !in_time(asks, held.at, at) {
                it.finding.verdict = Verdict::Deny;
                it.finding.message.push_str(", and the yes comes too late");
            }
            it.finding.verdict == Verdict::Deny || people < asks.people
        });
        judgement.unknowns.retain(|it| it.verdict == Verdict::Deny);
        if state.door == Door::Live {
            waive_now(self, state.session.id(), now, &mut judgement.held);
        }
        judgement.verdict = verdict(&judgement);
        judgement.follow(self, state, true);
        judgement
    }

    fn judge_end(&self, state: &State, end: &lawbook_event::End<'_>) -> Judgement {
        let mut judgement = Judgement::default();
        let mut closed = vec![false; self.layers().len()];
        for (place, placed) in self.placed().iter().enumerate().filter(|(_, it)| it.watches.end) {
            let Some((_, policy, rule)) = self.rule(place) else { continue };
            let Some(memory) = state.memories.get(place) else { continue };
            let mut said = Said::default();
            rule.body.close(memory, end, policy.manner, &mut said);
            judgement.take(placed, policy, rule, said, None, state);
            if let Some(closed) = closed.get_mut(placed.layer) {
                *closed = true;
            }
        }
        if state.session.is_dropped() {
            let layers = self.layers().iter().enumerate().filter(|(_, policy)| says_so(policy));
            judgement.unknowns.extend(layers.map(|(layer, _)| something_dropped(layer)));
        }
        if state.calls == 0 {
            let silent = self.layers().iter().zip(closed).enumerate();
            for (layer, _) in silent.filter(|(_, (policy, closed))| !closed && says_so(policy)) {
                judgement.unknowns.push(nothing_judged(layer));
            }
        }
        judgement
    }
}

/// What a rule says of a call, if it applies and what it rests on was shown.
fn ask(rule: &Rule, memory: &Memory, asked: &Asked<'_>, unseen: Option<&str>) -> Said {
    let mut said = Said::default();
    match rule.when.as_ref().map(|it| (it, it.applies(asked))) {
        Some((_, Applies::No)) => {}
        Some((when, Applies::Unknown)) => {
            let message = format!("whether the rule applies is unknown: `{}`", when.text);
            said.gap("condition", message);
        }
        Some((_, Applies::Yes)) | None => match unseen {
            Some(unseen) => {
                said.gap(unseen, format!("it rests on the {unseen}, which is not shown"))
            }
            None => {
                asked.args.forget_looks();
                rule.body.judge(memory, asked, &mut said);
                gaps(asked, &mut said);
            }
        },
    }
    said
}

/// What a rule could not tell where some values of the arguments were not recorded, and it found
/// nothing wrong with the rest. A system that reads them as they stand does so in its own reading.
fn gaps(asked: &Asked<'_>, said: &mut Said) {
    let silent = said.objections.is_empty() && said.gaps.is_empty();
    if silent && asked.manner.values.tells_gaps() && asked.args.looked_into_gaps() {
        let tool = &*asked.call.tool;
        said.gap("arguments", format!("some arguments of `{tool}` were not recorded whole"));
    }
}

/// Whether a call runs a command that the rule is about can't be told.
fn untold_command(rule: &Rule, asked: &Asked<'_>) -> Said {
    let mut said = Said::default();
    if rule.when.as_ref().is_none_or(|it| it.applies(asked) != Applies::No) {
        let tool = &*asked.call.tool;
        let message = format!("whether `{tool}` runs a command of this rule can't be told");
        said.gap("command", message);
    }
    said
}

/// A compatible policy is silent on a session without calls, as its system is.
fn says_so(policy: &Policy) -> bool {
    policy.profile != Profile::Compatible
}

fn nothing_judged(layer: usize) -> Unknown {
    let message = "the session holds no call, so nothing in it could be judged";
    Unknown { layer, ..of_the_session("calls", message, Verdict::Allow) }
}

/// What a recorder left out may have been a call, or what makes one.
fn something_dropped(layer: usize) -> Unknown {
    let message = "the recorder dropped some of what it was told, so a call may be missing";
    Unknown { layer, ..of_the_session("attributes", message, Verdict::Allow) }
}

/// A call without a tool's name may be a call of any tool.
fn nameless_call(call: &Call<'_>) -> Unknown {
    Unknown {
        step: Some(call.step),
        step_id: Some(call.step_id.clone().into_owned()),
        ..of_the_session(
            "tool",
            "a call names no tool, so no rule can be sure of it",
            Verdict::Deny,
        )
    }
}

/// What the session began with can't be read back, so that no rule can be sure of it.
fn bare_session(call: &Call<'_>) -> Unknown {
    Unknown {
        step: Some(call.step),
        step_id: Some(call.step_id.clone().into_owned()),
        ..of_the_session("session", "what the session began with is not kept", Verdict::Deny)
    }
}

/// A dispatcher whose call can't be told is not let through.
fn hidden_call(call: &Call<'_>) -> Unknown {
    let tool = &*call.tool;
    let message = format!("which call `{tool}` runs, or with which arguments, can't be told");
    Unknown {
        step: Some(call.step),
        step_id: Some(call.step_id.clone().into_owned()),
        ..of_the_session("inner call", &message, Verdict::Deny)
    }
}

/// Past the bound a call can't be kept for a person, so nobody can say yes to it.
fn nowhere_to_wait() -> Unknown {
    let message = "more calls wait for a person than are kept, so this one can't";
    of_the_session("room to wait", message, Verdict::Deny)
}

fn of_the_session(missing: &str, message: &str, verdict: Verdict) -> Unknown {
    Unknown {
        rule: Arc::from("session"),
        kind: "session",
        step: None,
        step_id: None,
        missing: missing.to_owned(),
        message: message.to_owned(),
        layer: 0,
        counts: true,
        verdict,
    }
}

/// Whether a yes comes within the time that a rule gives it. Where a time is not known it doesn't.
fn in_time(asks: Asks, asked_at: Option<Time>, now: Option<Time>) -> bool {
    let Some(secs) = asks.expires_secs else { return true };
    let (Some(asked_at), Some(now)) = (asked_at, now) else { return false };
    #[allow(clippy::cast_possible_truncation, reason = "the cast stops at the largest number")]
    let nanos = (secs * 1e9) as i64;
    now.nanos <= asked_at.nanos.saturating_add(nanos)
}

pub(crate) fn waiting(state: &State, step: u32) -> Result<(), Misuse> {
    match state.held.get(&step) {
        Some(held) if held.fate == Fate::Waiting => Ok(()),
        Some(_) => Err(Misuse::InvalidState),
        None if state.seen.has(step) => Err(Misuse::InvalidState),
        None => Err(Misuse::UnknownAction),
    }
}

fn verdict(judgement: &Judgement) -> Verdict {
    let found = judgement.held.iter().filter(|it| it.finding.counts()).map(|it| it.finding.verdict);
    let unknown = judgement.unknowns.iter().map(|it| it.verdict);
    found.chain(unknown).max().unwrap_or_default()
}

/// What the engine itself holds against an event.
pub(crate) fn own_finding(
    rule: &str,
    kind: &'static str,
    call: Option<&Call<'_>>,
    message: impl Into<String>,
) -> Held {
    Held {
        finding: Finding {
            rule: Arc::from(rule),
            kind,
            verdict: Verdict::Deny,
            step: call.map(|it| it.step),
            step_id: call.map(|it| it.step_id.clone().into_owned()),
            call_id: call.and_then(|it| it.id.as_deref()).map(str::to_owned),
            tool: call.map(|it| it.tool.clone().into_owned()),
            path: None,
            message: message.into(),
            why: None,
            ran: kind == RAN_ANYWAY,
            layer: 0,
            mode: Mode::Enforce,
            waived: None,
            evidence: Vec::new(),
            evidence_total: 0,
        },
        rank: (0, usize::MAX),
        report: Report::Each,
        key: None,
        reply: None,
        asks: None,
    }
}

impl Judgement {
    /// Settles the verdict. A call that would have to wait where nothing more can is refused.
    fn decide(&mut self, engine: &Engine, state: &State, at: Option<Time>) {
        if state.door == Door::Live {
            waive_now(engine, state.session.id(), at, &mut self.held);
        }
        self.crowded(state);
        self.verdict = verdict(self);
        if self.verdict == Verdict::Ask && state.is_full_of_waiting() {
            self.unknowns.push(nowhere_to_wait());
            self.verdict = Verdict::Deny;
        }
        self.follow(engine, state, false);
    }

    /// Refuses what would wait beside as many calls as its rule lets wait at once.
    fn crowded(&mut self, state: &State) {
        let waiting = state.life.pending;
        for it in self.held.iter_mut().filter(|it| it.finding.verdict == Verdict::Ask) {
            let most = it.asks.and_then(|it| it.waiting_max).map(u64::from);
            if state.door == Door::Live && most.is_some_and(|it| waiting >= it) {
                it.finding.verdict = Verdict::Deny;
                it.finding.message.push_str(&format!(", and {waiting} calls wait already"));
            }
        }
    }

    /// Adds what follows for the agent: a charge where the call is let through, a mark where it is
    /// refused, the end where either is the last.
    fn follow(&mut self, engine: &Engine, state: &State, approved: bool) {
        self.price = self.charge.as_ref().map(|it| it.cost);
        if self.verdict != Verdict::Allow {
            self.charge = None;
        }
        if state.door != Door::Live || state.life.ended.is_some() {
            return;
        }
        if let Some(reason) = self.charge.as_ref().and_then(|it| it.ends.clone()) {
            self.ends = Some(Termination::by_guard(reason));
        }
        if self.scar.is_none() {
            let scar = engine.scar_of(self, approved);
            engine.mark(state, self, scar);
        }
    }

    pub(crate) fn misused(misuse: Misuse) -> Self {
        Judgement { misuse: Some(misuse), ..Judgement::default() }
    }

    /// Keeps what a call takes from a budget, the agent's before those of others.
    fn charge(&mut self, rule: &Rule, memory: &Memory, asked: &Asked<'_>) {
        let applies = rule.when.as_ref().is_none_or(|it| it.applies(asked) == Applies::Yes);
        let Some(mut charge) = rule.body.charge(memory, asked) else { return };
        if !applies || rule.mode == Mode::Observe {
            return;
        }
        let ends = self.charge.as_ref().and_then(|it| it.ends.clone());
        if self.charge.as_ref().is_none_or(|it| charge.of_agent && !it.of_agent) {
            charge.ends = ends.or(charge.ends);
            self.charge = Some(charge);
        } else if let Some(kept) = &mut self.charge {
            kept.ends = ends.or(charge.ends);
        }
    }

    /// Whether a policy has objected already.
    fn objects(&self, layer: usize) -> bool {
        self.held.iter().any(|it| it.finding.layer == layer)
    }

    fn take(
        &mut self,
        placed: &Placed,
        policy: &Policy,
        rule: &Rule,
        said: Said,
        asked: Option<&Asked<'_>>,
        state: &State,
    ) {
        for objection in said.objections {
            self.held.push(held(placed, rule, objection, asked, state.door));
        }
        // A compatible policy knows no unknowns, as its system doesn't; but that system was always
        // shown the whole past.
        let unseen = state.unseen.shared(placed.past).is_some();
        // Nor does it know our bounds: a rule whose memory is full must not be silent at a door.
        let full = state.door == Door::Live && said.gaps.iter().any(|it| it.missing == "memory");
        if policy.profile == Profile::Compatible && !unseen && !full {
            return;
        }
        let call = asked.map(|it| it.call);
        for gap in said.gaps {
            self.unknowns.push(Unknown {
                rule: rule.id.clone(),
                kind: rule.body.name(),
                step: call.map(|it| it.step),
                step_id: call.map(|it| it.step_id.clone().into_owned()),
                missing: gap.missing,
                message: gap.message,
                layer: placed.layer,
                counts: rule.on_unknown != OnUnknown::Note && rule.mode == Mode::Enforce,
                verdict: unknown_verdict(rule),
            });
        }
    }
}

/// What an unknown means at a live door: never allow, unless the rule only observes.
fn unknown_verdict(rule: &Rule) -> Verdict {
    if rule.mode == Mode::Observe {
        return Verdict::Allow;
    }
    match rule.on_unknown {
        OnUnknown::OwnVerdict | OnUnknown::Note => rule.verdict,
        OnUnknown::Ask => Verdict::Ask,
        OnUnknown::Deny => Verdict::Deny,
    }
}

fn held(
    placed: &Placed,
    rule: &Rule,
    objection: Objection,
    asked: Option<&Asked<'_>>,
    door: Door,
) -> Held {
    let call = asked.map(|it| it.call);
    let asked = asked.filter(|_| door == Door::Live);
    let reply = asked.and_then(|it| match &rule.tell {
        Some(tell) => Some(tell.to_string()),
        None => rule.body.reply(it, &objection),
    });
    let evidence = objection.evidence.into_iter();
    let finding = Finding {
        rule: objection.rule.unwrap_or_else(|| rule.id.clone()),
        kind: rule.body.name(),
        verdict: objection.verdict.unwrap_or(rule.verdict),
        step: call.map(|it| it.step),
        step_id: call.map(|it| it.step_id.clone().into_owned()),
        call_id: call.and_then(|it| it.id.as_deref()).map(str::to_owned),
        tool: call.map(|it| it.tool.clone().into_owned()),
        path: objection.path,
        message: objection.message,
        why: rule.why.clone(),
        ran: door == Door::Recorded && call.is_none_or(|it| it.ran == Ran::Yes),
        layer: placed.layer,
        mode: rule.mode,
        waived: None,
        evidence: evidence
            .map(|step| Evidence { step, step_id: String::new(), quote: None })
            .collect(),
        evidence_total: objection.evidence_total,
    };
    Held {
        finding,
        rank: (placed.layer, placed.rank),
        report: rule.report,
        key: objection.key,
        reply,
        asks: objection.asks,
    }
}
