//! What a live door says of one call, or of the calls of one message.

use lawbook_diag::{Finding, Unknown, Verdict};
use lawbook_event::json::Writer;
use lawbook_report::{quote, write_finding, write_unknown};

use crate::live::Said;
use lawbook_session::words_for_the_model as reply;

/// The name and version of the JSON form.
pub const SCHEMA: &str = "lawbook.answer/1";

/// What a live door says of one call, or of the calls of one message.
///
/// ```
/// # use lawbook::{Call, Policy, Session, Start, Time, Verdict};
/// # let text = "{lawbook: 1, default: allow, rules: [{id: cap, arg_range: {tools: [pay], arg: eur, max: 10}}]}";
/// # let policy = Policy::from_text("p.yaml", text)?;
/// # let now = Time { nanos: 0 };
/// # let mut session = Session::begin(&policy, &Start::new("s"), now)?;
/// let answer = session.call(&Call::new("c1", "pay", r#"{"eur": 11}"#), now)?;
/// assert_eq!(answer.verdict(), Verdict::Deny);
/// assert_eq!(&*answer.findings()[0].rule, "cap");
/// assert_eq!(answer.reply(), Some("blocked by policy: pay.eur 11 > max 10"));
/// # Ok::<(), lawbook::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    verdict: Verdict,
    findings: Vec<Finding>,
    unknown: Vec<Unknown>,
    notes: Vec<String>,
    reply: Option<String>,
    policy: String,
    calls: Vec<CallAnswer>,
    session: Option<String>,
    claimed_at: Option<String>,
}

/// What is said of one of the calls that were asked about.
///
/// ```
/// # use lawbook::{Call, Policy, Session, Start, Time, Verdict};
/// # let policy = Policy::from_text("p.yaml", "{lawbook: 1, default: deny, tools: {look_up: {access: read}}}")?;
/// # let now = Time { nanos: 0 };
/// # let mut session = Session::begin(&policy, &Start::new("s"), now)?;
/// let calls = [Call::new("c1", "look_up", "{}"), Call::new("c2", "drop_all", "{}")];
/// let answer = session.message("", &calls, now)?;
/// let verdicts: Vec<Verdict> = answer.calls().iter().map(|it| it.verdict).collect();
/// assert_eq!(verdicts, [Verdict::Allow, Verdict::Deny]);
/// # Ok::<(), lawbook::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallAnswer {
    /// The host's own id, where it has one.
    pub id: Option<String>,
    /// The tool.
    pub tool: String,
    /// Its number in the session, from 1; none where its id was refused.
    pub step: Option<u32>,
    /// The id of the step that findings print.
    pub step_id: Option<String>,
    /// Whether this call may run.
    pub verdict: Verdict,
    /// What the model is told; none where the call may run.
    pub reply: Option<String>,
    /// The rules that object and count, in order.
    pub rules: Vec<String>,
    /// The rules that can't tell, in order.
    pub unknown_rules: Vec<String>,
}

impl Answer {
    /// Whether the call may run; of several, the strictest.
    ///
    /// ```
    /// # use lawbook::{Call, Policy, Session, Start, Time, Verdict};
    /// # let now = Time { nanos: 0 };
    /// # let policy = Policy::from_text("p.yaml", "{lawbook: 1, default: allow, rules: [{id: cap, arg_range: {tools: [pay], arg: eur, max: 10}}]}")?;
    /// # let mut session = Session::begin(&policy, &Start::new("s-1"), now)?;
    /// let answer = session.call(&Call::new("c1", "pay", r#"{"eur": 11}"#), now)?;
    /// assert_eq!(answer.verdict(), Verdict::Deny);
    /// # Ok::<(), lawbook::Error>(())
    /// ```
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        self.verdict
    }

    /// What rules hold against the call, observed and waived ones among them.
    ///
    /// ```
    /// # use lawbook::{Call, Policy, Session, Start, Time, Verdict};
    /// # let now = Time { nanos: 0 };
    /// # let policy = Policy::from_text("p.yaml", "{lawbook: 1, default: allow, rules: [{id: cap, arg_range: {tools: [pay], arg: eur, max: 10}}]}")?;
    /// # let mut session = Session::begin(&policy, &Start::new("s-1"), now)?;
    /// let answer = session.call(&Call::new("c1", "pay", r#"{"eur": 11}"#), now)?;
    /// assert_eq!(answer.findings()[0].message, "pay.eur 11 > max 10");
    /// # Ok::<(), lawbook::Error>(())
    /// ```
    #[must_use]
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }

    /// What could not be told. Each has the verdict that it means here, which is never `allow`
    /// unless its rule only observes.
    ///
    /// ```
    /// # use lawbook::{Call, Policy, Session, Start, Time, Verdict};
    /// # let now = Time { nanos: 0 };
    /// # let policy = Policy::from_text("p.yaml", "{lawbook: 1, default: allow, rules: [{id: cap, arg_range: {tools: [pay], arg: eur, max: 10}}]}")?;
    /// # let mut session = Session::begin(&policy, &Start::new("s-1"), now)?;
    /// let answer = session.call(&Call::unrecorded("c1", "pay"), now)?;
    /// assert!(answer.unknown().iter().any(|it| &*it.rule == "cap"));
    /// # Ok::<(), lawbook::Error>(())
    /// ```
    #[must_use]
    pub fn unknown(&self) -> &[Unknown] {
        &self.unknown
    }

    /// What should be known of how it was judged, for people and logs, not for the model.
    ///
    /// ```
    /// # use lawbook::{Call, Policy, Session, Start, Time, Verdict};
    /// # let now = Time { nanos: 0 };
    /// # let policy = Policy::from_text("p.yaml", "{lawbook: 1, default: allow, rules: [{id: cap, arg_range: {tools: [pay], arg: eur, max: 10}}]}")?;
    /// # let mut session = Session::begin(&policy, &Start::new("s-1"), now)?;
    /// let answer = session.call(&Call::new("c1", "pay", r#"{"eur": 11}"#), now)?;
    /// assert!(answer.notes()[0].contains("proven"));
    /// # Ok::<(), lawbook::Error>(())
    /// ```
    #[must_use]
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// What the model is told: what is wrong and what would make it right. None where all may run.
    ///
    /// It holds no fact, no attribute of the session, no total and nothing of another subject.
    ///
    /// ```
    /// # use lawbook::{Call, Policy, Session, Start, Time, Verdict};
    /// # let now = Time { nanos: 0 };
    /// # let policy = Policy::from_text("p.yaml", "{lawbook: 1, default: allow, rules: [{id: cap, arg_range: {tools: [pay], arg: eur, max: 10}}]}")?;
    /// # let mut session = Session::begin(&policy, &Start::new("s-1"), now)?;
    /// let answer = session.call(&Call::new("c1", "pay", r#"{"eur": 11}"#), now)?;
    /// assert_eq!(answer.reply(), Some("blocked by policy: pay.eur 11 > max 10"));
    /// # Ok::<(), lawbook::Error>(())
    /// ```
    #[must_use]
    pub fn reply(&self) -> Option<&str> {
        self.reply.as_deref()
    }

    /// The digest of the policy that decided.
    ///
    /// ```
    /// # use lawbook::{Call, Policy, Session, Start, Time, Verdict};
    /// # let now = Time { nanos: 0 };
    /// # let policy = Policy::from_text("p.yaml", "{lawbook: 1, default: allow, rules: [{id: cap, arg_range: {tools: [pay], arg: eur, max: 10}}]}")?;
    /// # let mut session = Session::begin(&policy, &Start::new("s-1"), now)?;
    /// let answer = session.call(&Call::new("c1", "pay", r#"{"eur": 11}"#), now)?;
    /// assert_eq!(answer.policy(), policy.digest());
    /// # Ok::<(), lawbook::Error>(())
    /// ```
    #[must_use]
    pub fn policy(&self) -> &str {
        &self.policy
    }

    /// What is said of each call, in the order in which they were judged. For an event that is no
    /// call it is empty.
    ///
    /// ```
    /// # use lawbook::{Call, Policy, Session, Start, Time, Verdict};
    /// # let now = Time { nanos: 0 };
    /// # let policy = Policy::from_text("p.yaml", "{lawbook: 1, default: allow, rules: [{id: cap, arg_range: {tools: [pay], arg: eur, max: 10}}]}")?;
    /// # let mut session = Session::begin(&policy, &Start::new("s-1"), now)?;
    /// let answer = session.call(&Call::new("c1", "pay", r#"{"eur": 11}"#), now)?;
    /// assert_eq!(answer.calls()[0].rules, ["cap"]);
    /// # Ok::<(), lawbook::Error>(())
    /// ```
    #[must_use]
    pub fn calls(&self) -> &[CallAnswer] {
        &self.calls
    }

    /// The session's id, where it has one.
    ///
    /// ```
    /// # use lawbook::{Call, Policy, Session, Start, Time, Verdict};
    /// # let now = Time { nanos: 0 };
    /// # let policy = Policy::from_text("p.yaml", "{lawbook: 1, default: allow, rules: [{id: cap, arg_range: {tools: [pay], arg: eur, max: 10}}]}")?;
    /// # let mut session = Session::begin(&policy, &Start::new("s-1"), now)?;
    /// let answer = session.call(&Call::new("c1", "pay", r#"{"eur": 11}"#), now)?;
    /// assert_eq!(answer.session(), Some("s-1"));
    /// # Ok::<(), lawbook::Error>(())
    /// ```
    #[must_use]
    pub fn session(&self) -> Option<&str> {
        self.session.as_deref()
    }

    /// The time that the question claims for itself. Nothing was decided by it.
    ///
    /// ```
    /// # use lawbook::{Call, Policy, Session, Start, Time, Verdict};
    /// # let now = Time { nanos: 0 };
    /// # let policy = Policy::from_text("p.yaml", "{lawbook: 1, default: allow, rules: [{id: cap, arg_range: {tools: [pay], arg: eur, max: 10}}]}")?;
    /// # let mut session = Session::begin(&policy, &Start::new("s-1"), now)?;
    /// let answer = session.call(&Call::new("c1", "pay", r#"{"eur": 11}"#), now)?;
    /// assert_eq!(answer.claimed_at(), None);
    /// # Ok::<(), lawbook::Error>(())
    /// ```
    #[must_use]
    pub fn claimed_at(&self) -> Option<&str> {
        self.claimed_at.as_deref()
    }

    /// Whether nothing but what could not be told stands against the call.
    ///
    /// ```
    /// # use lawbook::{Call, Policy, Session, Start, Time, Verdict};
    /// # let now = Time { nanos: 0 };
    /// # let policy = Policy::from_text("p.yaml", "{lawbook: 1, default: allow, rules: [{id: cap, arg_range: {tools: [pay], arg: eur, max: 10}}]}")?;
    /// # let mut session = Session::begin(&policy, &Start::new("s-1"), now)?;
    /// let answer = session.call(&Call::new("c1", "pay", r#"{"eur": 11}"#), now)?;
    /// assert!(!answer.only_unknown());
    /// # Ok::<(), lawbook::Error>(())
    /// ```
    #[must_use]
    pub fn only_unknown(&self) -> bool {
        self.verdict != Verdict::Allow && !self.findings.iter().any(Finding::counts)
    }

    /// The answer as JSON, in the form `lawbook.answer/1`.
    ///
    /// ```
    /// # use lawbook::{decide, Policy, Time};
    /// # let policy = Policy::from_text("p.yaml", "{lawbook: 1, default: deny}")?;
    /// let question = br#"{"history": "complete", "call": {"tool": "pay"}}"#;
    /// let json = decide(&policy, question, Time { nanos: 0 })?.to_json();
    /// assert!(json.starts_with(r#"{"schema":"lawbook.answer/1","verdict":"deny","#));
    /// # Ok::<(), lawbook::Error>(())
    /// ```
    #[must_use]
    pub fn to_json(&self) -> String {
        let mut writer = Writer::new();
        writer.object().key("schema").string(SCHEMA).key("verdict").string(self.verdict.word());
        writer.key("findings").array();
        self.findings.iter().for_each(|it| write_finding(&mut writer, it));
        writer.end_array().key("unknown").array();
        self.unknown.iter().for_each(|it| write_unknown(&mut writer, it));
        writer.end_array().key("notes").array();
        for note in &self.notes {
            writer.raw(&quote(note));
        }
        writer.end_array();
        text(writer.key("reply"), self.reply.as_deref());
        writer.key("policy").raw(&quote(&self.policy)).key("calls").array();
        self.calls.iter().for_each(|it| it.write(&mut writer));
        writer.end_array().end_object();
        writer.finish()
    }
}

/// Masking what leaves.
impl Answer {
    /// The answer as it may be shown, logged or told to a model: secrets and personal data out of
    /// everything that is said. The host's own ids of calls stay, since they find the call.
    ///
    /// ```
    /// # use lawbook::{Call, Mask, Policy, Session, Start, Time};
    /// # let now = Time { nanos: 0 };
    /// # let policy = Policy::from_text("p.yaml", "{lawbook: 1, default: allow, rules: [{id: to, arg_in: {tools: [send], arg: to, values: [us]}}]}")?;
    /// # let mut session = Session::begin(&policy, &Start::new("s"), now)?;
    /// let answer = session.call(&Call::new("c", "send", r#"{"to": "amy@example.com"}"#), now)?;
    /// assert!(answer.findings()[0].message.contains("amy@example.com"));
    /// let masked = answer.masked(&Mask::default());
    /// assert!(masked.findings()[0].message.contains("<EMAIL>"));
    /// # Ok::<(), lawbook::Error>(())
    /// ```
    #[must_use]
    pub fn masked(mut self, mask: &lawbook_mask::Mask) -> Self {
        for it in &mut self.findings {
            mask.apply(&mut it.message);
            for text in [&mut it.step_id, &mut it.tool, &mut it.path] {
                text.iter_mut().for_each(|it| mask.apply(it));
            }
            for evidence in &mut it.evidence {
                mask.apply(&mut evidence.step_id);
                evidence.quote.iter_mut().for_each(|it| mask.apply(it));
            }
        }
        for it in &mut self.unknown {
            mask.apply(&mut it.message);
            mask.apply(&mut it.missing);
            it.step_id.iter_mut().for_each(|it| mask.apply(it));
        }
        for it in &mut self.calls {
            mask.apply(&mut it.tool);
            for text in [&mut it.reply, &mut it.step_id] {
                text.iter_mut().for_each(|it| mask.apply(it));
            }
        }
        let rest = self.notes.iter_mut().chain(&mut self.reply);
        rest.for_each(|it| mask.apply(it));
        self
    }
}

impl CallAnswer {
    fn write(&self, writer: &mut Writer) {
        writer.object();
        text(writer.key("id"), self.id.as_deref());
        writer.key("tool").raw(&quote(&self.tool)).key("step");
        match self.step {
            Some(step) => writer.number(u64::from(step)),
            None => writer.null(),
        };
        text(writer.key("step_id"), self.step_id.as_deref());
        writer.key("verdict").string(self.verdict.word());
        text(writer.key("reply"), self.reply.as_deref());
        writer.end_object();
    }
}

fn text(writer: &mut Writer, text: Option<&str>) {
    match text {
        Some(text) => writer.raw(&quote(text)),
        None => writer.null(),
    };
}

/// The call that something is said of.
#[derive(Clone, Debug)]
pub struct Subject<'c> {
    /// The host's own id.
    pub id: Option<&'c str>,
    /// The tool.
    pub tool: &'c str,
    /// Its step and the printed id of it.
    pub step: Option<(u32, String)>,
}

/// An answer that is being put together.
#[derive(Debug, Default)]
pub struct Draft {
    findings: Vec<Finding>,
    unknown: Vec<Unknown>,
    verdict: Verdict,
    replies: Vec<String>,
    calls: Vec<CallAnswer>,
    /// What should be known of how it was judged.
    pub notes: Vec<String>,
    /// The time that the question claims.
    pub claimed_at: Option<String>,
}

impl Draft {
    /// Adds what is said of one call.
    pub fn call(&mut self, subject: Subject<'_>, said: Said) {
        let Subject { id, tool, step } = subject;
        let (step, step_id) = step.unzip();
        let rules = said.findings().filter(|it| it.counts()).map(|it| it.rule.to_string());
        let answer = CallAnswer {
            id: id.map(str::to_owned),
            tool: tool.to_owned(),
            step,
            step_id,
            verdict: said.verdict,
            reply: reply(said.verdict, &said.held, &said.unknown),
            rules: rules.collect(),
            unknown_rules: said.unknown.iter().map(|it| it.rule.to_string()).collect(),
        };
        self.replies.extend(answer.reply.clone());
        self.calls.push(answer);
        self.said(said);
    }

    /// Adds what is said of an event that is no call.
    pub fn said(&mut self, said: Said) {
        self.verdict = self.verdict.max(said.verdict);
        self.findings.extend(said.held.into_iter().map(|it| it.finding));
        self.unknown.extend(said.unknown);
    }

    /// Names the steps that findings rest on.
    pub fn name_evidence(&mut self, name: impl Fn(u32) -> String) {
        for evidence in self.findings.iter_mut().flat_map(|it| &mut it.evidence) {
            evidence.step_id = name(evidence.step);
        }
    }

    /// Whether any finding rests on earlier steps.
    pub fn has_evidence(&self) -> bool {
        self.findings.iter().any(|it| !it.evidence.is_empty())
    }

    /// The answer of a policy in a session.
    pub fn answer(self, policy: &crate::Policy, session: &str) -> Answer {
        let mut notes = policy.notes().to_vec();
        let needs_person = policy.is_unattended()
            && self.findings.iter().any(|it| it.counts() && it.verdict == Verdict::Ask);
        if needs_person && self.verdict == Verdict::Deny {
            notes.push("a person would have to say yes, and nobody can be asked".to_owned());
        }
        notes.extend(self.notes);
        Answer {
            verdict: self.verdict,
            findings: self.findings,
            unknown: self.unknown,
            notes,
            reply: (!self.replies.is_empty()).then(|| self.replies.join("\n")),
            policy: policy.digest().to_owned(),
            calls: self.calls,
            session: (!session.is_empty()).then(|| session.to_owned()),
            claimed_at: self.claimed_at,
        }
    }
}
