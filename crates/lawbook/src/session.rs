//! A live door over one conversation: each call is asked about before it runs.

use std::borrow::Cow;
use std::collections::BTreeMap;

use lawbook_diag::{Problem, Unknown, Verdict};
use lawbook_engine::Misuse;
use lawbook_event::{Call as Asked, End, Event, Ran, Text, Time, What};
use lawbook_rule::Past;

use crate::answer::{Draft, Subject};
use crate::live::{Asking, LIFE, Live, Said};
use crate::used::Used;
use crate::{Answer, Call, Error, Policy, Start, ToolResult};

/// How many calls one session tells apart by their ids. A call beyond is denied as unknown.
///
/// ```
/// assert_eq!(lawbook::IDS_MAX, 100_000);
/// ```
pub const IDS_MAX: usize = 100_000;

/// A live door over one conversation.
///
/// Tell it what is said and what tools return, in order, and ask it about each call before the call
/// runs. The verdict decides what happened: an allowed call counts from then on, a denied one never
/// happened, and one that must be asked about waits for [`Session::approve`] or
/// [`Session::reject`].
///
/// Each event takes the time at which it happens; a session reads no clock. Its cost does not grow
/// with the conversation. Cloning copies all that it remembers.
///
/// ```
/// use lawbook::{Call, Policy, Session, Start, Time, Verdict};
///
/// let text = "
/// lawbook: 1
/// default: allow
/// rules:
///   - {id: look-first, require_before: {tools: [refund], first: [get_order], success: true, same_arg: order}}
///   - {id: asks, verdict: ask, never: {tools: [wire]}}
/// ";
/// let policy = Policy::from_text("refunds.yaml", text)?;
/// let now = Time { nanos: 1_767_225_600_000_000_000 };
/// let mut session = Session::begin(&policy, &Start::new("s-1"), now)?;
///
/// let refund = Call::new("c1", "refund", r#"{"order": "W1"}"#);
/// assert_eq!(session.call(&refund, now)?.verdict(), Verdict::Deny);
///
/// session.call(&Call::new("c2", "get_order", r#"{"order": "W1"}"#), now)?;
/// session.result("c2", r#"{"status": "delivered"}"#, now)?;
/// let refund = Call::new("c3", "refund", r#"{"order": "W1"}"#);
/// assert_eq!(session.call(&refund, now)?.verdict(), Verdict::Allow);
///
/// let wire = Call::new("c4", "wire", "{}");
/// assert_eq!(session.call(&wire, now)?.verdict(), Verdict::Ask);
/// assert_eq!(session.approve("c4", "support lead", now)?.verdict(), Verdict::Allow);
/// # Ok::<(), lawbook::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Session {
    live: Live,
    id: String,
    ids: BTreeMap<String, u32>,
    step: u32,
    place: u64,
    message: u64,
    ended: bool,
    /// Nobody can be asked at this moment.
    alone: bool,
}

impl Session {
    /// Begins a conversation.
    ///
    /// # Errors
    /// When the metadata of the start is no JSON object.
    ///
    /// ```
    /// # use lawbook::{Policy, Session, Start, Time};
    /// # let policy = Policy::from_text("p.yaml", "{lawbook: 1, default: allow}")?;
    /// # let now = Time { nanos: 0 };
    /// let start = Start::new("s-1").metadata("[]");
    /// assert_eq!(Session::begin(&policy, &start, now).unwrap_err().code(), "wrong_shape");
    /// # Ok::<(), lawbook::Error>(())
    /// ```
    pub fn begin(policy: &Policy, start: &Start, at: Time) -> Result<Self, Error> {
        let event = start.event()?;
        let mut session = Session {
            live: Live::new(policy, Past { session: start.partial, ..LIFE }),
            id: event.id.clone().into_owned(),
            ids: BTreeMap::new(),
            step: 0,
            place: 0,
            message: 0,
            ended: false,
            alone: false,
        };
        session.tell(Some(at), What::Start(event));
        session.message = 1;
        Ok(session)
    }

    /// The user said something. Only words of the human user belong here: a yes is read out of
    /// them.
    ///
    /// # Errors
    /// When the session has ended.
    ///
    /// ```
    /// # use lawbook::{Call, Policy, Session, Start, Time, Verdict};
    /// # let now = Time { nanos: 0 };
    /// # let policy = Policy::from_text("p.yaml", "{lawbook: 1, default: deny, tools: {pay: {access: write, confirm: true}}}")?;
    /// # let mut session = Session::begin(&policy, &Start::new("s-1"), now)?;
    /// session.agent("I can pay 5. Shall I?", now)?;
    /// session.user("yes", now)?;
    /// assert_eq!(session.call(&Call::new("c1", "pay", "{}"), now)?.verdict(), Verdict::Allow);
    /// # Ok::<(), lawbook::Error>(())
    /// ```
    pub fn user(&mut self, words: &str, at: Time) -> Result<(), Error> {
        self.goes_on()?;
        let text = self.text(words);
        self.tell(Some(at), What::User(text));
        self.close_message();
        Ok(())
    }

    /// The agent said something to the user, and asked for no tool in the same message.
    ///
    /// # Errors
    /// When the session has ended.
    ///
    /// ```
    /// # use lawbook::{Call, Policy, Session, Start, Time, Verdict};
    /// # let now = Time { nanos: 0 };
    /// # let policy = Policy::from_text("p.yaml", "{lawbook: 1, default: deny, tools: {pay: {access: write, confirm: true}}}")?;
    /// # let mut session = Session::begin(&policy, &Start::new("s-1"), now)?;
    /// session.user("yes", now)?;
    /// // A yes that stands before the question is none to it.
    /// session.agent("I can pay 5. Shall I?", now)?;
    /// assert_eq!(session.call(&Call::new("c1", "pay", "{}"), now)?.verdict(), Verdict::Deny);
    /// # Ok::<(), lawbook::Error>(())
    /// ```
    pub fn agent(&mut self, words: &str, at: Time) -> Result<(), Error> {
        self.goes_on()?;
        self.says(words, Some(at));
        self.close_message();
        Ok(())
    }

    /// The agent asks for one tool: may the call run?
    ///
    /// # Errors
    /// When the session has ended.
    ///
    /// ```
    /// # use lawbook::{Call, Policy, Session, Start, Time, Verdict};
    /// # let now = Time { nanos: 0 };
    /// # let policy = Policy::from_text("p.yaml", "{lawbook: 1, default: allow, rules: [{id: cap, arg_range: {tools: [pay], arg: eur, max: 10}}]}")?;
    /// # let mut session = Session::begin(&policy, &Start::new("s-1"), now)?;
    /// let answer = session.call(&Call::new("c1", "pay", r#"{"eur": 9}"#), now)?;
    /// assert_eq!(answer.verdict(), Verdict::Allow);
    /// # Ok::<(), lawbook::Error>(())
    /// ```
    pub fn call(&mut self, call: &Call, at: Time) -> Result<Answer, Error> {
        self.message("", std::slice::from_ref(call), at)
    }

    /// One message of the agent, with its words and the calls that stand beside them. Each call is
    /// judged with the allowed ones before it under way; calls of one message never meet a demand
    /// for an earlier one.
    ///
    /// # Errors
    /// When the session has ended.
    ///
    /// ```
    /// # use lawbook::{Call, Policy, Session, Start, Time, Verdict};
    /// # let text = "{lawbook: 1, default: allow, rules: [{id: one, at_most: {tools: [pay], max: 1}}]}";
    /// # let policy = Policy::from_text("p.yaml", text)?;
    /// # let now = Time { nanos: 0 };
    /// # let mut session = Session::begin(&policy, &Start::new("s"), now)?;
    /// let twice = [Call::new("c1", "pay", "{}"), Call::new("c2", "pay", "{}")];
    /// let answer = session.message("Paying both now.", &twice, now)?;
    /// assert_eq!(answer.calls()[0].verdict, Verdict::Allow);
    /// assert_eq!(answer.calls()[1].verdict, Verdict::Deny);
    /// # Ok::<(), lawbook::Error>(())
    /// ```
    pub fn message(&mut self, words: &str, calls: &[Call], at: Time) -> Result<Answer, Error> {
        self.goes_on()?;
        if !words.is_empty() {
            self.says(words, Some(at));
        }
        let mut draft = Draft::default();
        for call in calls {
            self.ask(call, Some(at), &mut draft);
        }
        self.close_message();
        Ok(self.answer(draft))
    }

    /// The agent asks for one tool at a moment when nobody can be asked: what a person would have to
    /// say yes to is denied.
    ///
    /// # Errors
    /// When the session has ended.
    ///
    /// ```
    /// # use lawbook::{Call, Policy, Session, Start, Time, Verdict};
    /// # let policy = Policy::from_text("p.yaml", "{lawbook: 1, default: ask}")?;
    /// # let now = Time { nanos: 0 };
    /// # let mut session = Session::begin(&policy, &Start::new("s-1"), now)?;
    /// let answer = session.call_unattended(&Call::new("c1", "pay", "{}"), now)?;
    /// assert_eq!(answer.verdict(), Verdict::Deny);
    /// # Ok::<(), lawbook::Error>(())
    /// ```
    pub fn call_unattended(&mut self, call: &Call, at: Time) -> Result<Answer, Error> {
        let before = std::mem::replace(&mut self.alone, true);
        let answer = self.call(call, at);
        self.alone = before;
        answer
    }

    /// Takes in a call that was asked about before, with the verdict that it was given then. Nothing
    /// is judged again: so a session is taken up from a record of it, which may leave out the
    /// arguments that no rule keeps in mind.
    ///
    /// # Errors
    /// When the session has ended.
    ///
    /// ```
    /// # use lawbook::{Call, Policy, Session, Start, Time, Verdict};
    /// # let now = Time { nanos: 0 };
    /// let text = "{lawbook: 1, default: allow, rules: [{id: one, at_most: {tools: [pay], max: 1}}]}";
    /// let policy = Policy::from_text("p.yaml", text)?;
    /// let mut session = Session::begin(&policy, &Start::new("s-1"), now)?;
    /// session.recall(&Call::new("c1", "pay", "{}"), Verdict::Allow, now)?;
    /// let answer = session.call(&Call::new("c2", "pay", "{}"), now)?;
    /// assert_eq!(answer.verdict(), Verdict::Deny);
    /// # Ok::<(), lawbook::Error>(())
    /// ```
    pub fn recall(&mut self, call: &Call, verdict: Verdict, at: Time) -> Result<(), Error> {
        self.goes_on()?;
        if self.ids.contains_key(&call.id) || self.ids.len() >= IDS_MAX {
            return Ok(());
        }
        self.step = self.step.saturating_add(1);
        self.ids.insert(call.id.clone(), self.step);
        let asked = asked(call, self.step);
        let event = self.event(Some(at), What::Call(asked));
        self.live.recall_with(&event, verdict);
        self.close_message();
        Ok(())
    }

    /// Whether the policies list this very call as one that may run, so that it does not only pass
    /// because no rule speaks of it.
    ///
    /// ```
    /// # use lawbook::{Call, Policy, Session, Start, Time};
    /// # let now = Time { nanos: 0 };
    /// let policy = Policy::from_text("p.yaml", "{lawbook: 1, default: deny, tools: {look_up: {access: read}}}")?;
    /// let session = Session::begin(&policy, &Start::new("s-1"), now)?;
    /// assert!(session.permits(&Call::new("c1", "look_up", "{}"), now));
    /// assert!(!session.permits(&Call::new("c2", "pay", "{}"), now));
    /// # Ok::<(), lawbook::Error>(())
    /// ```
    #[must_use]
    pub fn permits(&self, call: &Call, at: Time) -> bool {
        self.live.permits(&asked(call, self.step.saturating_add(1)), at)
    }

    /// A tool returned something for the newest call of this id. The answer holds a finding if the
    /// call was not let through: then it ran all the same, and counts.
    ///
    /// # Errors
    /// With the code `unknown_action` when no call has the id, and when the session has ended.
    ///
    /// ```
    /// # use lawbook::{Call, Policy, Session, Start, Time, Verdict};
    /// # let now = Time { nanos: 0 };
    /// # let policy = Policy::from_text("p.yaml", "{lawbook: 1, default: allow, rules: [{id: cap, arg_range: {tools: [pay], arg: eur, max: 10}}]}")?;
    /// # let mut session = Session::begin(&policy, &Start::new("s-1"), now)?;
    /// session.call(&Call::new("c1", "pay", r#"{"eur": 99}"#), now)?;
    /// // The call was denied, and ran all the same.
    /// let answer = session.result("c1", "ok", now)?;
    /// assert_eq!(&*answer.findings()[0].rule, "ran_anyway");
    /// # Ok::<(), lawbook::Error>(())
    /// ```
    pub fn result(
        &mut self,
        id: &str,
        result: impl Into<ToolResult>,
        at: Time,
    ) -> Result<Answer, Error> {
        self.goes_on()?;
        let step = self.known(id)?;
        let result = result.into();
        let said = self.tell(Some(at), What::Answer { step, answer: result.answer() });
        self.close_message();
        self.heard(said, id)
    }

    /// A person said yes to a call that waits. It is judged again by every rule: the yes relaxes
    /// what asked for it and nothing else, and the verdict says whether the call may run now.
    ///
    /// # Errors
    /// With the code `unknown_action` when no call has the id, with `invalid_state` when the call
    /// does not wait, and when the session has ended.
    ///
    /// ```
    /// # use lawbook::{Call, Policy, Session, Start, Time};
    /// # let policy = Policy::from_text("p.yaml", "{lawbook: 1, default: allow}")?;
    /// # let now = Time { nanos: 0 };
    /// # let mut session = Session::begin(&policy, &Start::new("s"), now)?;
    /// session.call(&Call::new("c1", "pay", "{}"), now)?;
    /// assert_eq!(session.approve("c1", "lead", now).unwrap_err().code(), "invalid_state");
    /// # Ok::<(), lawbook::Error>(())
    /// ```
    pub fn approve(&mut self, id: &str, by: &str, at: Time) -> Result<Answer, Error> {
        self.goes_on()?;
        let step = self.known(id)?;
        let said = self.tell(Some(at), What::Approval { step, by: Cow::Borrowed(by) });
        self.close_message();
        self.heard(said, id)
    }

    /// A person said no to a call that waits.
    ///
    /// # Errors
    /// As for [`Session::approve`].
    ///
    /// ```
    /// # use lawbook::{Call, Policy, Session, Start, Time, Verdict};
    /// # let now = Time { nanos: 0 };
    /// # let policy = Policy::from_text("p.yaml", "{lawbook: 1, default: ask}")?;
    /// # let mut session = Session::begin(&policy, &Start::new("s-1"), now)?;
    /// session.call(&Call::new("c1", "pay", "{}"), now)?;
    /// session.reject("c1", "support lead", "not this month", now)?;
    /// assert_eq!(session.approve("c1", "support lead", now).unwrap_err().code(), "invalid_state");
    /// # Ok::<(), lawbook::Error>(())
    /// ```
    pub fn reject(&mut self, id: &str, by: &str, reason: &str, at: Time) -> Result<(), Error> {
        self.goes_on()?;
        let step = self.known(id)?;
        let (by, reason) = (Cow::Borrowed(by), Cow::Borrowed(reason));
        let said = self.tell(Some(at), What::Rejection { step, by, reason, scar: None });
        self.close_message();
        self.heard(said, id).map(drop)
    }

    /// The session ends: rules on the whole run are judged. `answer` is what the agent said last,
    /// and `termination` how the run says that it ended, as in `finished` or `timeout`.
    ///
    /// # Errors
    /// When the session has ended already.
    ///
    /// ```
    /// # use lawbook::{Policy, Session, Start, Time, Verdict};
    /// let policy = Policy::from_text("p.yaml", "{lawbook: 1, default: allow, rules: [{id: whole, complete: {}}]}")?;
    /// # let now = Time { nanos: 0 };
    /// let mut session = Session::begin(&policy, &Start::new("s"), now)?;
    /// let answer = session.end("", "timeout", now)?;
    /// assert_eq!(answer.verdict(), Verdict::Deny);
    /// assert!(session.user("hello?", now).is_err());
    /// # Ok::<(), lawbook::Error>(())
    /// ```
    pub fn end(&mut self, answer: &str, termination: &str, at: Time) -> Result<Answer, Error> {
        self.goes_on()?;
        let (answer, termination) = (Cow::Borrowed(answer), Cow::Borrowed(termination));
        let said = self.tell(Some(at), What::End(End { answer, termination, ..End::default() }));
        self.ended = true;
        let mut draft = Draft::default();
        draft.said(said);
        Ok(self.answer(draft))
    }

    /// How many calls wait for a person.
    ///
    /// ```
    /// # use lawbook::{Call, Policy, Session, Start, Time, Verdict};
    /// # let now = Time { nanos: 0 };
    /// # let policy = Policy::from_text("p.yaml", "{lawbook: 1, default: ask}")?;
    /// # let mut session = Session::begin(&policy, &Start::new("s-1"), now)?;
    /// session.call(&Call::new("c1", "pay", "{}"), now)?;
    /// assert_eq!(session.waiting(), 1);
    /// # Ok::<(), lawbook::Error>(())
    /// ```
    #[must_use]
    pub fn waiting(&self) -> usize {
        self.live.waiting()
    }

    /// The policy that decides.
    ///
    /// ```
    /// # use lawbook::{Call, Policy, Session, Start, Time, Verdict};
    /// # let now = Time { nanos: 0 };
    /// # let policy = Policy::from_text("p.yaml", "{lawbook: 1, default: allow}")?;
    /// # let mut session = Session::begin(&policy, &Start::new("s-1"), now)?;
    /// assert_eq!(session.policy().digest(), policy.digest());
    /// # Ok::<(), lawbook::Error>(())
    /// ```
    #[must_use]
    pub fn policy(&self) -> &Policy {
        self.live.policy()
    }

    /// Words of the agent in the message that is being told.
    pub(crate) fn says(&mut self, words: &str, at: Option<Time>) {
        let text = self.text(words);
        self.tell(at, What::Agent(text));
    }

    /// Asks about one call of the message that is being told.
    pub(crate) fn ask(&mut self, call: &Call, at: Option<Time>, draft: &mut Draft) {
        let mut subject = Subject { id: Some(&call.id), tool: &call.tool, step: None };
        if self.ids.contains_key(&call.id) {
            return draft.call(subject, Used::Earlier.said(&call.id, &call.tool));
        }
        if self.ids.len() >= IDS_MAX {
            return draft.call(subject, no_room());
        }
        self.step = self.step.saturating_add(1);
        let asked = asked(call, self.step);
        let step_id = name(self.step);
        self.ids.insert(call.id.clone(), self.step);
        subject.step = Some((self.step, step_id));
        let said = self.tell(at, What::Call(asked));
        draft.call(subject, said);
    }

    /// The message that is being told is over.
    pub(crate) fn close_message(&mut self) {
        self.message = self.message.saturating_add(1);
    }

    pub(crate) fn tell(&mut self, at: Option<Time>, what: What<'_>) -> Said {
        let event = self.event(at, what);
        let asking = match self.policy().is_unattended() || self.alone {
            true => Asking::Nobody,
            false => Asking::Somebody,
        };
        self.live.ask_alike(&event, asking)
    }

    fn event<'w>(&mut self, at: Option<Time>, what: What<'w>) -> Event<'w> {
        let event = Event { at, place: self.place, message: self.message, what };
        self.place = self.place.saturating_add(1);
        event
    }

    pub(crate) fn answer(&self, mut draft: Draft) -> Answer {
        draft.name_evidence(name);
        draft.answer(self.policy(), &self.id)
    }

    fn heard(&self, said: Said, id: &str) -> Result<Answer, Error> {
        if let Some(misuse) = said.misuse {
            let message = match misuse {
                Misuse::UnknownAction => format!("no call `{id}` is known"),
                Misuse::InvalidState => format!("the call `{id}` does not wait for a person"),
                Misuse::NotFound | Misuse::Forbidden | Misuse::AlreadyTerminated => {
                    format!("`{id}` can't be said here")
                }
            };
            return Err(Problem::new("session", misuse.code(), message).into());
        }
        let mut draft = Draft::default();
        draft.said(said);
        Ok(self.answer(draft))
    }

    fn text<'w>(&self, words: &'w str) -> Text<'w> {
        Text { id: Cow::Owned(format!("m{}", self.message)), text: Cow::Borrowed(words) }
    }

    fn known(&self, id: &str) -> Result<u32, Error> {
        self.ids.get(id).copied().ok_or_else(|| {
            let message = format!("no call `{id}` is known");
            let problem = Problem::new("session", Misuse::UnknownAction.code(), message);
            problem.help("ask about a call before telling of it").into()
        })
    }

    fn goes_on(&self) -> Result<(), Error> {
        if !self.ended {
            return Ok(());
        }
        let problem = Problem::new("session", "ended", "the session has ended");
        Err(problem.help("begin another one").into())
    }
}

/// A call as the engine is asked about it.
fn asked(call: &Call, step: u32) -> Asked<'_> {
    Asked {
        step,
        step_id: Cow::Owned(name(step)),
        id: Some(Cow::Borrowed(&call.id)),
        server: call.server.as_deref().map(Cow::Borrowed),
        tool: Cow::Borrowed(&call.tool),
        args: call.args(),
        hindsight: None,
        ran: Ran::Yes,
        confirmed: false,
        cwd: None,
        cost: None,
    }
}

/// The printed id of a step.
fn name(step: u32) -> String {
    format!("act-{step}")
}

fn no_room() -> Said {
    let unknown = Unknown {
        rule: "session".into(),
        kind: "session",
        step: None,
        step_id: None,
        missing: "room for call ids".to_owned(),
        message: "the session has more calls than it can tell apart".to_owned(),
        layer: 0,
        counts: true,
        verdict: Verdict::Deny,
    };
    Said { unknown: vec![unknown], verdict: Verdict::Deny, ..Said::default() }
}
