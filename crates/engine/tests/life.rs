//! One life over several sessions: what is lent, what stays with a session, and what ends.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::panic,
    clippy::string_slice
)]

use std::borrow::Cow;
use std::sync::Arc;

use lawbook_diag::{Mode, Verdict};
use lawbook_engine::{Door, Engine, Judgement, State};
use lawbook_event::{
    Actor, Args, ArgsState, Call, EXACT, Effect, Event, Ran, Reading, Severity, Start,
    SuccessReading, Time, What,
};
use lawbook_rule::kinds::{
    AtMost, Budget, Cost, Ends, LeavesOut, Never, Per, Prices, Scars, WEIGHTS,
};
use lawbook_rule::{
    Body, EvidenceFrom, Manner, NameMatch, OnUnknown, Pick, Policy, Profile, Report, Rule, Scope,
    SessionPath, Share, Tools,
};

fn rule(id: &str, scar: Option<Severity>, body: impl Body + 'static) -> Rule {
    Rule {
        id: Arc::from(id),
        why: None,
        tell: None,
        when: None,
        verdict: Verdict::Deny,
        mode: Mode::Enforce,
        on_unknown: OnUnknown::OwnVerdict,
        report: Report::Each,
        scar,
        body: Box::new(body),
    }
}

fn engine(rules: Vec<Rule>) -> Engine {
    let policy = Policy {
        name: None,
        dialect: "lawbook",
        profile: Profile::Native,
        digest: String::new(),
        owner: None,
        not_covered: Vec::new(),
        reading: Reading::Full,
        manner: Manner {
            values: EXACT,
            success: SuccessReading::Declared,
            evidence: EvidenceFrom::Result,
            names: NameMatch::Skeleton,
        },
        pick: Pick::All,
        rules,
        waivers: Vec::new(),
        tools: Default::default(),
    };
    Engine::new(vec![Arc::new(policy)], None)
}

fn budget(credits: u64, per: Share) -> Budget {
    let mut prices = Prices::default();
    prices.list("send", Cost::Fixed(3));
    Budget { tools: Tools::Every, credits, per, prices, ends: Ends::ByPrice }
}

fn scars(limit: u32, per: Share) -> Scars {
    Scars { tools: Tools::Every, limit, weights: WEIGHTS, per }
}

fn at_most(tool: &str, scope: Scope, window_secs: Option<f64>) -> AtMost {
    AtMost {
        tools: Tools::literal([tool]),
        max: 2.0,
        max_text: "2".to_owned(),
        per: Per::Session,
        exact: false,
        window_secs,
        leaves_out: LeavesOut::Nothing,
        closes: false,
        scope,
        front_only: false,
    }
}

fn of_customer() -> Share {
    Share::Subject(SessionPath::parse("enduser.id"))
}

/// An agent with two sessions, each for another customer.
struct Agent {
    engine: Engine,
    life: State,
    sessions: [(State, u32); 2],
}

impl Agent {
    fn new(rules: Vec<Rule>) -> Self {
        let engine = engine(rules);
        let session = |customer: &str| {
            let mut state = State::new(&engine, Door::Live);
            let attributes = Cow::Owned(format!("{{\"enduser.id\": \"{customer}\"}}"));
            let start = Start { attributes, ..Start::default() };
            let event = Event { at: None, place: 0, message: 0, what: What::Start(start) };
            engine.step(&mut state, &event);
            (state, 0)
        };
        let sessions = [session("C-1"), session("C-2")];
        Agent { life: State::new(&engine, Door::Live), engine, sessions }
    }

    fn tell(&mut self, session: usize, what: What<'_>) -> Judgement {
        let (state, step) = &mut self.sessions[session];
        let at = Some(Time { nanos: 0 });
        let event = Event { at, place: 0, message: u64::from(*step), what };
        self.engine.lend(&mut self.life, state);
        let judgement = self.engine.step(state, &event);
        self.engine.lend(&mut self.life, state);
        judgement
    }

    fn call(&mut self, session: usize, tool: &str) -> Judgement {
        self.sessions[session].1 += 1;
        let step = self.sessions[session].1;
        let call = Call {
            step,
            step_id: Cow::Owned(format!("act-{step}")),
            id: None,
            server: None,
            tool: Cow::Borrowed(tool),
            args: Args { text: Cow::Borrowed("{}"), state: ArgsState::Whole },
            hindsight: None,
            ran: Ran::Yes,
            confirmed: false,
            cwd: None,
            cost: None,
        };
        self.tell(session, What::Call(call))
    }
}

fn found(judgement: &Judgement) -> Vec<&str> {
    judgement.held.iter().map(|it| &*it.finding.rule).collect()
}

#[test]
fn a_life_is_one_over_all_sessions() {
    let mut agent = Agent::new(vec![
        rule("budget", None, budget(9, Share::Agent)),
        rule("rate", None, at_most("look", Scope::Agent, Some(60.0))),
        rule("own", None, at_most("read", Scope::Session, None)),
    ]);
    for session in [0, 1] {
        assert_eq!(agent.call(session, "look").verdict, Verdict::Allow);
        for _ in 0..2 {
            assert_eq!(agent.call(session, "read").verdict, Verdict::Allow);
        }
        assert_eq!(found(&agent.call(session, "read")), ["own"]);
    }
    assert_eq!(found(&agent.call(0, "look")), ["rate"]);
    let left = |it: Judgement| it.charge.map(|it| it.remaining);
    assert_eq!(left(agent.call(0, "send")), Some(6));
    assert_eq!(left(agent.call(1, "send")), Some(3));
    let last = agent.call(0, "send");
    assert_eq!(
        last.ends.map(|it| (it.reason, it.by)),
        Some(("budget exhausted".to_owned(), "guard".to_owned()))
    );
    assert_eq!(found(&agent.call(1, "read")), ["terminated"]);
    let standing = agent.life.standing(&agent.engine);
    assert!(!standing.alive);
    assert_eq!((standing.spent, standing.remaining), (9, Some(0)));
    assert_eq!((standing.allowed, standing.denied, standing.pending), (9, 4, 0));
}

/// Four injections of one customer's must not end the agent for all.
#[test]
fn a_customer_ends_nothing_but_what_is_the_customers() {
    let rules = || {
        vec![
            rule("budget", None, budget(6, of_customer())),
            rule("scars", None, scars(9, of_customer())),
            rule(
                "no-wire",
                Some(Severity::Moderate),
                Never { tools: Tools::literal(["wire"]), access: None },
            ),
        ]
    };
    let mut agent = Agent::new(rules());
    for _ in 0..3 {
        assert_eq!(found(&agent.call(0, "wire")), ["no-wire"]);
    }
    assert_eq!(found(&agent.call(0, "look")), ["scars"]);
    assert_eq!(found(&agent.call(0, "wire")), ["scars", "no-wire"]);
    for _ in 0..2 {
        assert_eq!(agent.call(1, "send").verdict, Verdict::Allow);
    }
    assert_eq!(found(&agent.call(1, "send")), ["budget"]);
    assert_eq!(agent.call(1, "look").verdict, Verdict::Allow);
    assert!(agent.life.standing(&agent.engine).alive);

    let mut agent = Agent::new(vec![
        rule("scars", None, scars(3, Share::Session)),
        rule(
            "no-wire",
            Some(Severity::Severe),
            Never { tools: Tools::literal(["wire"]), access: None },
        ),
    ]);
    assert_eq!(found(&agent.call(0, "wire")), ["no-wire"]);
    assert_eq!(found(&agent.call(0, "look")), ["scars"]);
    assert_eq!(agent.call(1, "look").verdict, Verdict::Allow);
    assert!(agent.life.ended().is_none());
}

#[test]
fn outcomes_belong_to_the_session_of_the_call() {
    let mut agent = Agent::new(vec![rule("scars", None, scars(11, Share::Agent))]);
    agent.call(0, "look");
    let outcome = |step, effect, by| What::Outcome { step, effect, by, detail: Cow::Borrowed("") };
    let told = agent.tell(1, outcome(1, Effect::Failure, Actor::Agent));
    assert_eq!(told.misuse.map(|it| it.code()), Some("unknown_action"));
    assert!(agent.tell(0, outcome(1, Effect::Failure, Actor::Agent)).misuse.is_none());
    let harm = agent.tell(0, outcome(1, Effect::Harmful, Actor::Operator));
    assert_eq!(harm.ends.map(|it| it.reason).as_deref(), Some("scar limit reached (11 >= 11)"));
    assert_eq!(found(&agent.call(1, "look")), ["terminated"]);
    assert_eq!(agent.life.standing(&agent.engine).scars, 2);
}

#[test]
fn a_misuse_changes_nothing() {
    let mut agent = Agent::new(vec![rule("scars", None, scars(1, Share::Agent))]);
    let before = format!("{:?} {:?}", agent.life, agent.sessions);
    for what in [
        What::Outcome {
            step: 4,
            effect: Effect::Failure,
            by: Actor::Operator,
            detail: Cow::Borrowed(""),
        },
        What::Scar { severity: Severity::Fatal, reason: Cow::Borrowed("x"), step: Some(9) },
        What::Approval { step: 1, by: Cow::Borrowed("somebody") },
        What::Rejection {
            step: 1,
            by: Cow::Borrowed("somebody"),
            reason: Cow::Borrowed(""),
            scar: Some(Severity::Fatal),
        },
    ] {
        assert!(agent.tell(0, what).misuse.is_some());
    }
    assert_eq!(before, format!("{:?} {:?}", agent.life, agent.sessions));
}
