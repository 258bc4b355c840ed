//! One decision: the past is told to the policies, then each call is judged where it stands.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use lawbook_diag::{Problem, Verdict};
use lawbook_engine::without_hindsight;
use lawbook_event::{Call, Event, Ran, Time, What};
use lawbook_rule::Past;
use lawbook_trace::Note;

use crate::answer::{Draft, Subject};
use crate::history::{History, Stands};
use crate::live::{Asking, LIFE, Live, Said};
use crate::question::{Proposed, Question};
use crate::used::Used;
use crate::{Answer, Error, Policy};

/// One decision that is being made.
pub struct Decision<'q, 'd> {
    policy: &'q Policy,
    question: &'q Question<'d>,
    at: Time,
    live: Live,
    draft: Draft,
}

/// A call that is asked about, with the place where it stands.
type Placed<'q, 'd> = (&'q Proposed<'d>, Stands);

/// The past of one part of the policies, and what of the last message is still to be told.
struct Told<'p, 'e, 'd> {
    past: &'p History<'e, 'd>,
    /// The calls beside those that are asked about, newest first.
    beside: Vec<usize>,
}

impl<'q, 'd> Decision<'q, 'd> {
    /// Nothing is decided yet.
    pub fn new(policy: &'q Policy, question: &'q Question<'d>, at: Time) -> Self {
        let unseen = Past { session: !question.complete, ..LIFE };
        let mut draft = Draft::default();
        draft.claimed_at = question.claimed_at.map(str::to_owned);
        Decision { policy, question, at, live: Live::new(policy, unseen), draft }
    }

    /// Answers, given what each part of the policies makes of the messages.
    pub fn answer(mut self, readings: &[&[Event<'_>]], notes: &[Note]) -> Result<Answer, Error> {
        let pasts: Vec<History<'_, '_>> = readings.iter().map(|it| History::new(it)).collect();
        let Some(first) = pasts.first() else {
            return Err(Problem::new("policy", "no_policy", "no policy is named").into());
        };
        let placed = self.placed(first)?;
        self.refuse_ambiguous(first)?;
        self.refuse_absent(&pasts)?;
        self.note(first, notes);
        let mut told: Vec<Told<'_, '_, '_>> = Vec::new();
        for (part, past) in pasts.iter().enumerate() {
            told.push(self.recall(part, past, &placed));
        }
        let mut apart = 0;
        for (proposed, stands) in placed {
            if let Stands::Used(used) = stands {
                let id = proposed.id.unwrap_or_default();
                let subject = Subject { id: proposed.id, tool: proposed.tool, step: None };
                self.draft.call(subject, used.said(id, proposed.tool));
                continue;
            }
            apart = u32::from(stands == Stands::Apart).saturating_add(apart);
            self.judge(proposed, apart, &mut told);
        }
        if self.draft.has_evidence() {
            let names = step_ids(first);
            self.draft.name_evidence(|step| names.get(&step).cloned().unwrap_or_default());
        }
        Ok(self.draft.answer(self.policy, &self.question.start.id))
    }

    /// Where the calls stand, in the order in which they are judged: that of their message.
    fn placed(&self, past: &History<'_, '_>) -> Result<Vec<Placed<'q, 'd>>, Error> {
        let mut seen = BTreeSet::new();
        let mut stand = |it: &'q Proposed<'d>| match it.id {
            Some(id) if !seen.insert(id) => (it, Stands::Used(Used::Earlier)),
            _ => (it, past.stands(it)),
        };
        let mut placed: Vec<Placed<'q, 'd>> = self.question.calls.iter().map(&mut stand).collect();
        let there = |it: &Placed<'_, '_>| matches!(it.1, Stands::There(_));
        if placed.iter().any(there) && placed.iter().any(|it| it.1 == Stands::Apart) {
            let message = "some of `calls` stand in the last message and some do not";
            let problem = Problem::new("question", "two_messages", message);
            return Err(problem.help("ask about the calls of one message, by their ids").into());
        }
        placed.sort_by_key(|it| match it.1 {
            Stands::There(place) => place,
            Stands::Apart | Stands::Used(_) => 0,
        });
        Ok(placed)
    }

    /// What did not run is told apart by its id, so the id must mean one call.
    fn refuse_ambiguous(&self, past: &History<'_, '_>) -> Result<(), Error> {
        let twice = self.question.refused.iter().find(|it| past.count(it) > 1);
        let Some(id) = twice else { return Ok(()) };
        let message = format!("`refused` names `{id}`, which several calls have");
        Err(Problem::new("question", "ambiguous_id", message).into())
    }

    /// An id that no call has was meant for one, which would count as if it had run. Older messages
    /// that were left out may hold its call.
    fn refuse_absent(&self, pasts: &[History<'_, '_>]) -> Result<(), Error> {
        let is_absent = |id: &&&str| pasts.iter().all(|it| it.count(id) == 0);
        let absent = self.question.refused.iter().find(is_absent);
        let Some(id) = absent.filter(|_| self.question.complete) else { return Ok(()) };
        let message = format!("`refused` names `{id}`, and no call in `messages` has that id");
        let help = "list the ids of calls in `messages` that did not run";
        Err(Problem::new("question", "unknown_call", message).help(help).into())
    }

    /// Tells one part of the policies what has happened, and says what is left.
    fn recall<'p, 'e, 't>(
        &mut self,
        part: usize,
        past: &'p History<'e, 't>,
        placed: &[Placed<'_, '_>],
    ) -> Told<'p, 'e, 't> {
        let start = What::Start(self.question.start.clone());
        self.live.recall(part, &Event { at: Some(self.at), place: 0, message: 0, what: start });
        let there = placed.iter().filter(|it| matches!(it.1, Stands::There(_)));
        let asked: BTreeSet<usize> =
            there.filter_map(|it| it.0.id.and_then(|it| past.place(it))).collect();
        let first = asked.first().copied().unwrap_or(usize::MAX);
        let mut unrun = BTreeSet::new();
        let mut beside = Vec::new();
        for (place, event) in past.events.iter().enumerate() {
            match &event.what {
                What::Start(_) | What::End(_) => continue,
                What::Call(_) if asked.contains(&place) => continue,
                // What is asked for later in the message has not been asked for yet.
                What::Call(call) if place > first && past.is_open(call) => {
                    beside.push(place);
                    continue;
                }
                What::Call(call) if self.is_refused(call) => {
                    unrun.insert(call.step);
                    let what = What::Call(Call { ran: Ran::No, hindsight: None, ..call.clone() });
                    self.live.recall(part, &Event { what, ..*event });
                    continue;
                }
                What::Answer { step, .. } if unrun.contains(step) => continue,
                _ => {}
            }
            self.live.recall(part, &without_hindsight(event));
        }
        beside.reverse();
        Told { past, beside }
    }

    fn is_refused(&self, call: &Call<'_>) -> bool {
        call.id.as_deref().is_some_and(|it| self.question.refused.contains(it))
    }

    /// Judges one call in every part of the policies, as the `apart`th of a message of its own or
    /// where it stands.
    fn judge(&mut self, proposed: &Proposed<'_>, apart: u32, told: &mut [Told<'_, '_, '_>]) {
        let mut events = Vec::new();
        for (part, told) in told.iter_mut().enumerate() {
            let place = (apart == 0).then(|| proposed.id.and_then(|it| told.past.place(it)));
            let place = place.flatten();
            while let Some(next) = told.beside.pop_if(|it| Some(*it) < place) {
                if let Some(event) = told.past.events.get(next) {
                    self.live.recall(part, &without_hindsight(event));
                }
            }
            events.push(self.event(proposed, apart, told.past, place));
        }
        let Some(Event { what: What::Call(call), .. }) = events.first() else { return };
        let step = Some((call.step, call.step_id.clone().into_owned()));
        let yes = proposed.id.and_then(|it| self.question.approvals.get(it).copied());
        let asking = match self.policy.is_unattended() && yes.is_none() {
            true => Asking::Nobody,
            false => Asking::Somebody,
        };
        let mut said = self.live.ask(&events, asking);
        if let Some(by) = yes.filter(|_| said.verdict != Verdict::Allow) {
            self.draft.notes.push(format!("{by} said yes to this call of `{}`", proposed.tool));
            match said.verdict {
                Verdict::Ask => said = self.approve(&events, by),
                // What a person can't say yes to stands, and what was asked for is answered.
                Verdict::Deny | Verdict::Allow => said.keep_denials(),
            }
        }
        self.draft.call(Subject { id: proposed.id, tool: proposed.tool, step }, said);
    }

    fn event<'e>(
        &self,
        proposed: &'e Proposed<'_>,
        apart: u32,
        past: &History<'_, '_>,
        place: Option<usize>,
    ) -> Event<'e> {
        let there =
            place.and_then(|it| past.events.get(it)).zip(place.and_then(|it| past.call(it)));
        let (message, step, step_id) = match there {
            Some((event, call)) => (event.message, call.step, call.step_id.clone().into_owned()),
            None => {
                let step = past.steps.saturating_add(apart.max(1));
                (past.last_message.saturating_add(1), step, format!("act-{step}"))
            }
        };
        let call = Call {
            step,
            step_id: Cow::Owned(step_id),
            id: proposed.id.map(Cow::Borrowed),
            server: proposed.server.map(Cow::Borrowed),
            tool: Cow::Borrowed(proposed.tool),
            args: proposed.args.clone(),
            hindsight: None,
            ran: Ran::Yes,
            confirmed: false,
            cwd: None,
            cost: None,
        };
        let place = u64::try_from(past.events.len()).unwrap_or(u64::MAX);
        Event { at: Some(self.at), place, message, what: What::Call(call) }
    }

    /// A person has said yes already: the call is judged again, and the yes relaxes what asked for
    /// it and nothing else.
    fn approve(&mut self, events: &[Event<'_>], by: &str) -> Said {
        let yes = |event: &Event<'_>| {
            let step = match &event.what {
                What::Call(call) => call.step,
                _ => 0,
            };
            let what = What::Approval { step, by: Cow::Owned(by.to_owned()) };
            Event { at: event.at, place: event.place, message: event.message, what }
        };
        let events: Vec<Event<'_>> = events.iter().map(yes).collect();
        self.live.ask(&events, Asking::Somebody)
    }

    /// What should be known of how the question was read.
    fn note(&mut self, past: &History<'_, '_>, notes: &[Note]) {
        let question = self.question;
        let out = &mut self.draft.notes;
        out.extend(self.policy.beyond_a_question().iter().cloned());
        let mut say = |when: bool, note: &str| {
            if when {
                out.push(note.to_owned());
            }
        };
        say(
            past.is_untimed() && !self.policy.beyond_a_question().is_empty(),
            "calls in `messages` carry no times, so nothing can be counted within a time",
        );
        say(!question.complete, "the history is partial: rules that look back are unknown");
        say(
            question.start.id.is_empty(),
            "the question names no session, so it is a session of its own",
        );
        say(question.has_facts, "no rule reads `facts`");
        say(
            past.ends_open() && question.calls.iter().any(|it| it.id.is_none()),
            "`messages` end with a call that has no result; a call without an id is another one",
        );
        let named = question.approvals.keys().chain(&question.refused);
        let asked: BTreeSet<&str> = question.calls.iter().filter_map(|it| it.id).collect();
        for id in named.filter(|id| !asked.contains(*id) && past.count(id) == 0) {
            out.push(format!("no call has the id `{id}`"));
        }
        out.extend(notes.iter().map(|it| it.message.clone()));
    }
}

fn step_ids(past: &History<'_, '_>) -> BTreeMap<u32, String> {
    let calls = past.events.iter().filter_map(|it| match &it.what {
        What::Call(call) => Some((call.step, call.step_id.clone().into_owned())),
        _ => None,
    });
    calls.collect()
}
