//! What becomes of calls at a live door, and what happens at each of the engine's bounds.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::arithmetic_side_effects)]

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use lawbook_diag::{Mode, Verdict};
use lawbook_engine::{Door, Engine, Judgement, Misuse, Note, OPEN_MAX, State, WAITING_MAX, check};
use lawbook_event::{
    Answer, Args, ArgsState, Call, EXACT, Event, Hindsight, Path, Ran, Reading, Seal,
    SuccessReading, Text, Time, What,
};
use lawbook_rule::kinds::{
    AtMost, Confirm, ConfirmBy, Consent, LeavesOut, Never, Per, Refusals, RequireBefore,
};
use lawbook_rule::{
    Body, EvidenceFrom, Manner, NameMatch, OnUnknown, Pick, Policy, Profile, Report, Rule, Scope,
    Tools, Waiver,
};

fn rule(id: &str, verdict: Verdict, body: impl Body + 'static) -> Rule {
    Rule {
        id: Arc::from(id),
        why: None,
        tell: None,
        when: None,
        verdict,
        mode: Mode::Enforce,
        on_unknown: OnUnknown::OwnVerdict,
        report: Report::Each,
        scar: None,
        body: Box::new(body),
    }
}

fn policy(rules: Vec<Rule>) -> Policy {
    Policy {
        name: None,
        dialect: "test",
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
        tools: BTreeMap::new(),
    }
}

fn never(tool: &str) -> Never {
    Never { tools: Tools::literal([tool]), access: None }
}

fn before(tool: &str, first: &str) -> RequireBefore {
    RequireBefore {
        tools: Tools::literal([tool]),
        first: Tools::literal([first]),
        success: true,
        result_contains: None,
        result: Vec::new(),
        same_arg: None,
        latest: false,
        voided_by: Tools::Named(Vec::new()),
        same_subject: false,
        explain: true,
    }
}

fn at_most(tool: &str, max: f64, window_secs: Option<f64>) -> AtMost {
    AtMost {
        tools: Tools::literal([tool]),
        max,
        max_text: max.to_string(),
        per: Per::Session,
        exact: false,
        window_secs,
        leaves_out: LeavesOut::Nothing,
        closes: false,
        scope: Scope::Session,
        front_only: false,
    }
}

fn call(step: u32, tool: &str, args: &str) -> Event<'static> {
    let call = Call {
        step,
        step_id: Cow::Owned(format!("act-{step}")),
        id: None,
        server: None,
        tool: Cow::Owned(tool.to_owned()),
        args: Args { text: Cow::Owned(args.to_owned()), ..Args::default() },
        hindsight: None,
        ran: Ran::Yes,
        confirmed: false,
        cwd: None,
        cost: None,
    };
    event(step, What::Call(call))
}

fn event(step: u32, what: What<'static>) -> Event<'static> {
    let at = Some(Time { nanos: i64::from(step) * 1_000_000_000 });
    Event { at, place: step.into(), message: step.into(), what }
}

fn ok(step: u32) -> Event<'static> {
    let answer = Answer { text: Cow::Borrowed("{}"), recorded: true, ..Answer::default() };
    event(step, What::Answer { step, answer })
}

fn approve(step: u32) -> Event<'static> {
    event(step, What::Approval { step, by: Cow::Borrowed("a person") })
}

/// A live session, and one that is folded from its notes.
struct Session {
    engine: Engine,
    state: State,
    folded: State,
}

impl Session {
    fn new(rules: Vec<Rule>) -> Self {
        let engine = Engine::new(vec![Arc::new(policy(rules))], None);
        Session::of(engine)
    }

    fn of(engine: Engine) -> Self {
        let state = State::new(&engine, Door::Live);
        Session { engine, folded: state.clone(), state }
    }

    fn feed(&mut self, event: &Event<'_>) -> Judgement {
        let judgement = self.engine.judge(&self.state, event);
        let note = self.engine.advance_noting(&mut self.state, event, &judgement);
        self.engine.fold(&mut self.folded, &Note::decode(&note.encode()).unwrap()).unwrap();
        if let What::Call(call) = &event.what {
            self.folded.restore_call(call.step, call.clone());
        }
        judgement
    }
}

impl Drop for Session {
    /// Whatever a test did, its notes were enough.
    fn drop(&mut self) {
        if !std::thread::panicking() {
            assert_eq!(format!("{:?}", self.folded), format!("{:?}", self.state));
        }
    }
}

#[test]
fn a_refused_call_satisfies_no_order_and_uses_no_quota() {
    let mut session = Session::new(vec![
        rule("no-deploy", Verdict::Deny, never("deploy")),
        rule("deploy-first", Verdict::Deny, before("pay", "deploy")),
        rule("one-pay", Verdict::Deny, at_most("pay", 1.0, None)),
    ]);
    assert_eq!(session.feed(&call(1, "deploy", "")).verdict, Verdict::Deny);
    for step in 2..5 {
        let judgement = session.feed(&call(step, "pay", ""));
        let rules: Vec<&str> = judgement.held.iter().map(|it| &*it.finding.rule).collect();
        assert_eq!(rules, ["deploy-first"]);
    }
}

#[test]
fn a_call_that_names_no_tool_is_unknown() {
    let mut session = Session::new(vec![rule("no-pay", Verdict::Deny, never("pay"))]);
    let judgement = session.feed(&call(1, " ", "{}"));
    assert_eq!((judgement.verdict, judgement.unknowns.len()), (Verdict::Deny, 1));
    assert_eq!(session.feed(&call(2, "look", "{}")).verdict, Verdict::Allow);
}

#[test]
fn a_refused_call_that_ran_happened_and_is_told() {
    let mut session = Session::new(vec![
        rule("no-deploy", Verdict::Deny, never("deploy")),
        rule("deploy-first", Verdict::Deny, before("pay", "deploy")),
    ]);
    session.feed(&call(1, "deploy", ""));
    let judgement = session.feed(&ok(1));
    assert_eq!(judgement.held[0].finding.kind, "ran_anyway");
    assert_eq!(session.feed(&call(2, "pay", "")).verdict, Verdict::Allow);
}

#[test]
fn a_waiting_call_happens_at_the_yes_and_is_judged_again() {
    let mut session = Session::new(vec![
        rule("ask-pay", Verdict::Ask, never("pay")),
        rule("one-pay", Verdict::Deny, at_most("pay", 1.0, None)),
    ]);
    assert_eq!(session.feed(&call(1, "pay", "")).verdict, Verdict::Ask);
    assert_eq!(session.feed(&call(2, "pay", "")).verdict, Verdict::Ask);
    assert_eq!(session.state.waiting(), 2);
    assert_eq!(session.feed(&approve(1)).verdict, Verdict::Allow);
    // The yes relaxes the rule that asked for it, not the cap that is used up by now.
    assert_eq!(session.feed(&approve(2)).verdict, Verdict::Deny);
    assert_eq!(session.feed(&approve(2)).misuse, Some(Misuse::InvalidState));
    assert_eq!(session.feed(&approve(9)).misuse, Some(Misuse::UnknownAction));
}

#[test]
fn a_dispatcher_is_judged_as_the_tool_that_it_runs() {
    let mut session = Session::new(vec![rule("no-pay", Verdict::Deny, never("pay"))]);
    for args in [
        r#"{"name": "pay", "arguments": {"amount": 5}}"#,
        r#"{"name": "call_tool", "arguments": {"name": "Pay"}}"#,
    ] {
        let judgement = session.feed(&call(1, "call_tool", args));
        assert_eq!(judgement.verdict, Verdict::Deny, "{args}");
    }
    let other = session.feed(&call(2, "call_tool", r#"{"name": "look"}"#));
    assert_eq!(other.verdict, Verdict::Allow);
}

#[test]
fn a_dispatcher_that_hides_what_it_runs_is_not_let_through() {
    let mut session = Session::new(vec![rule("no-pay", Verdict::Deny, never("pay"))]);
    let deep = (0..6).fold(r#"{"name": "pay"}"#.to_owned(), |inner, _| {
        format!(r#"{{"name": "call_tool", "arguments": {inner}}}"#)
    });
    for args in [
        r#"{"tool_name": "look", "name": "pay"}"#,
        r#"{"name": "pay", "name": "look"}"#,
        r#"{"name": "look", "arguments": {"a": 1}, "args": {"a": 900}}"#,
        "not json",
        &deep,
    ] {
        assert_eq!(session.feed(&call(1, "call_tool", args)).verdict, Verdict::Deny, "{args}");
    }
}

#[test]
fn a_rule_that_names_the_dispatcher_judges_it() {
    let rules = vec![
        rule("no-calls", Verdict::Deny, never("call_tool")),
        rule("one", Verdict::Deny, at_most("use_tool", 1.0, None)),
    ];
    let mut session = Session::new(rules);
    let look = r#"{"name": "look"}"#;
    assert_eq!(session.feed(&call(1, "call_tool", look)).verdict, Verdict::Deny);
    assert_eq!(session.feed(&call(2, "use_tool", look)).verdict, Verdict::Allow);
    assert_eq!(session.feed(&call(3, "use_tool", look)).verdict, Verdict::Deny);
}

#[test]
fn a_rule_sees_a_dispatched_call_once() {
    let both = AtMost { tools: Tools::literal(["use_tool", "pay"]), ..at_most("", 2.0, None) };
    let mut session = Session::new(vec![rule("two", Verdict::Deny, both)]);
    let verdicts: Vec<Verdict> = (1..=3)
        .map(|step| session.feed(&call(step, "use_tool", r#"{"name": "pay"}"#)).verdict)
        .collect();
    assert_eq!(verdicts, [Verdict::Allow, Verdict::Allow, Verdict::Deny]);
    let mut session = Session::new(vec![rule("no-use", Verdict::Deny, never("use_tool"))]);
    let hidden = session.feed(&call(1, "use_tool", "not json"));
    assert_eq!((hidden.held.len(), hidden.unknowns.len()), (1, 1));
}

#[test]
fn a_refused_call_that_ran_is_told_past_the_bound_of_kept_ones() {
    let mut session = Session::new(vec![rule("no-pay", Verdict::Deny, never("pay"))]);
    for step in 1..=u32::try_from(WAITING_MAX).unwrap() + 5 {
        session.feed(&call(step, "pay", ""));
    }
    assert_eq!(session.feed(&ok(1)).held[0].finding.kind, "ran_anyway");
}

#[test]
fn past_the_bound_of_open_calls_rules_on_results_are_unknown() {
    let rules = vec![rule("look-first", Verdict::Deny, before("pay", "look"))];
    let mut session = Session::new(rules);
    for step in 1..=u32::try_from(OPEN_MAX).unwrap() + 1 {
        session.feed(&call(step, "look", ""));
    }
    let judgement = session.feed(&call(20_000, "pay", ""));
    assert!(judgement.unknowns.iter().any(|it| it.missing == "open calls"));
    assert_eq!(judgement.verdict, Verdict::Deny);
}

#[test]
fn past_the_bound_of_waiting_calls_a_call_is_refused() {
    let mut session = Session::new(vec![rule("ask-pay", Verdict::Ask, never("pay"))]);
    let last = u32::try_from(WAITING_MAX).unwrap() + 1;
    for step in 1..last {
        assert_eq!(session.feed(&call(step, "pay", "")).verdict, Verdict::Ask);
    }
    assert_eq!(session.state.waiting(), WAITING_MAX);
    assert_eq!(session.feed(&call(last, "pay", "")).verdict, Verdict::Deny);
    assert_eq!(session.feed(&approve(last)).misuse, Some(Misuse::InvalidState));
    assert_eq!(session.feed(&approve(last + 1)).misuse, Some(Misuse::UnknownAction));
}

#[test]
fn past_the_bound_of_a_window_the_cap_is_unknown() {
    let rules = vec![rule("burst", Verdict::Deny, at_most("look", 1e9, Some(1e9)))];
    let mut session = Session::new(rules);
    let bound = u32::try_from(lawbook_rule::kinds::WINDOW_ENTRIES_MAX).unwrap();
    for step in 1..=bound + 1 {
        let look = call(step, "look", "");
        session.feed(&look);
        if step % 1_000 == 0 {
            for answered in step - 999..=step {
                session.feed(&ok(answered));
            }
        }
    }
    let judgement = session.feed(&call(bound + 2, "look", ""));
    assert_eq!(judgement.unknowns.len(), 1);
}

#[test]
fn a_window_lets_go_of_what_is_older() {
    let rules = vec![rule("burst", Verdict::Deny, at_most("look", 2.0, Some(3.0)))];
    let mut session = Session::new(rules);
    let verdicts: Vec<Verdict> =
        [1, 2, 3, 4, 5].iter().map(|step| session.feed(&call(*step, "look", "")).verdict).collect();
    let (allow, deny) = (Verdict::Allow, Verdict::Deny);
    assert_eq!(verdicts, [allow, allow, deny, allow, allow]);
}

#[test]
fn a_waiver_takes_findings_out_until_it_has_run_out() {
    let waiver = |until: Option<i64>| Waiver {
        rule: "no-pay".to_owned(),
        matching: BTreeMap::from([("tool".to_owned(), "pay".to_owned())]),
        why: Arc::from("until the new release"),
        by: "policy owner".to_owned(),
        until: until.map(|nanos| Time { nanos }),
    };
    let run = |until: Option<i64>| {
        let mut policy = policy(vec![rule("no-pay", Verdict::Deny, never("pay"))]);
        policy.waivers.push(waiver(until));
        let engine = Engine::new(vec![Arc::new(policy)], Some(Time { nanos: 100 }));
        check(&engine, &[call(1, "pay", "")])
    };
    let current = run(Some(200));
    assert_eq!((current.verdict, current.findings.len()), (Verdict::Allow, 1));
    assert!(current.findings[0].waived.is_some());
    let expired = run(Some(50));
    let kinds: Vec<&str> = expired.findings.iter().map(|it| it.kind).collect();
    assert_eq!((expired.verdict, kinds), (Verdict::Deny, vec!["never", "waiver"]));
}

#[test]
fn a_waiver_lets_a_live_call_through_while_it_lasts() {
    let mut policy = policy(vec![rule("no-pay", Verdict::Deny, never("pay"))]);
    policy.waivers.push(Waiver {
        rule: "no-pay".to_owned(),
        matching: BTreeMap::new(),
        why: Arc::from("until the new release"),
        by: "policy owner".to_owned(),
        until: Some(Time { nanos: 5_000_000_000 }),
    });
    let engine = Engine::new(vec![Arc::new(policy)], None);
    let mut session = Session::of(engine);
    assert_eq!(session.feed(&call(4, "pay", "")).verdict, Verdict::Allow);
    assert_eq!(session.feed(&call(5, "pay", "")).verdict, Verdict::Deny);
}

#[test]
fn a_policy_that_picks_the_first_objects_once() {
    let rules = || {
        vec![
            rule("first", Verdict::Deny, never("pay")),
            rule("second", Verdict::Deny, at_most("pay", 0.0, None)),
        ]
    };
    for (pick, wanted) in [(Pick::All, vec!["first", "second"]), (Pick::First, vec!["first"])] {
        let policy = Policy { pick, ..policy(rules()) };
        let engine = Engine::new(vec![Arc::new(policy)], None);
        let checked = check(&engine, &[call(1, "pay", "")]);
        let said: Vec<&str> = checked.findings.iter().map(|it| &*it.rule).collect();
        assert_eq!(said, wanted);
    }
}

#[test]
fn a_cap_on_successes_looks_at_the_calls_own_outcome_when_it_is_known() {
    let cap = AtMost { leaves_out: LeavesOut::Failed, ..at_most("pay", 1.0, None) };
    let engine = Engine::new(vec![Arc::new(policy(vec![rule("cap", Verdict::Deny, cap)]))], None);
    let failed = Answer { error: Some(true), recorded: true, ..Answer::default() };
    let with = |event: Event<'static>, hindsight| {
        let What::Call(call) = event.what else { return event };
        let what = What::Call(Call { hindsight: Some(hindsight), ..call });
        Event { what, ..event }
    };
    let first = with(call(1, "pay", ""), Hindsight::Unanswered);
    let second = with(call(2, "pay", ""), Hindsight::Answered(failed));
    assert_eq!(check(&engine, &[first.clone(), second]).findings.len(), 0);
    let third = with(call(2, "pay", ""), Hindsight::Unanswered);
    assert_eq!(check(&engine, &[first, third]).findings.len(), 1);
}

#[test]
fn the_path_of_a_cap_is_told() {
    let cap = AtMost { per: Per::Arg(Path::parse("order.id")), ..at_most("pay", 0.0, None) };
    let mut session = Session::new(vec![rule("cap", Verdict::Deny, cap)]);
    let judgement = session.feed(&call(1, "pay", r#"{"order": {"id": "W1"}}"#));
    assert_eq!(judgement.held[0].finding.path.as_deref(), Some("order.id"));
}

/// A seal for tests, whose digests are the lengths of texts.
struct Lengths;

impl Seal for Lengths {
    fn seal(&self, text: &str) -> [u8; 16] {
        u128::try_from(text.len()).unwrap().to_be_bytes()
    }
}

#[test]
fn a_note_holds_words_once_for_all_rules_and_fits_a_record() {
    let yes = |_| EXACT.pattern("yes", true, lawbook_event::PatternUse::Allow).unwrap();
    let confirm = |place: usize| {
        let by = ConfirmBy::User {
            consent: Consent::new(vec![yes(place)], Refusals::OutsideMatch),
            bind: Vec::new(),
            user_word: "user".to_owned(),
            sharing: Tools::Named(Vec::new()),
            same_values: false,
        };
        let (tools, asker) = (Tools::literal(["pay"]), Tools::Named(Vec::new()));
        rule(&format!("r{place}"), Verdict::Deny, Confirm { tools, by, spend: true, asker })
    };
    let engine = Engine::new(vec![Arc::new(policy((0..20).map(confirm).collect()))], None);
    let mut state = State::new(&engine, Door::Live).sealed(Arc::new(Lengths));
    let text = Text { id: Cow::Borrowed("m1"), text: Cow::Owned("？".repeat(10_000)) };
    let said = event(1, What::Agent(text));
    let note = engine.advance_noting(&mut state, &said, &Judgement::default()).encode();
    // An entry of the record is smaller than 64 KiB, and bytes are written in it as base64.
    assert!((36_000..48_000).contains(&note.len()), "{}", note.len());
}

#[test]
fn a_waiting_call_that_was_forgotten_is_unknown_at_the_yes() {
    let keyed = AtMost { per: Per::Arg(Path::parse("to")), ..at_most("pay", 1.0, None) };
    let rules =
        vec![rule("ask-pay", Verdict::Ask, never("pay")), rule("cap", Verdict::Deny, keyed)];
    let mut session = Session::new(rules);
    let pay = call(1, "pay", r#"{"to": "ann"}"#);
    assert_eq!(session.feed(&pay).verdict, Verdict::Ask);
    let What::Call(whole) = &pay.what else { return };
    for state in [&mut session.state, &mut session.folded] {
        assert!(state.forget_call(1) && !state.forget_call(2));
        let other = |tool, step| {
            let call = Call { step, tool: Cow::Borrowed(tool), ..whole.clone() };
            Call { args: Args { state: ArgsState::Cut, ..call.args }, ..call }
        };
        assert!(
            !state.restore_call(1, other("send", 1)) && !state.restore_call(1, other("pay", 2))
        );
    }
    let forgotten = session.engine.judge(&session.state, &approve(1));
    assert_eq!(
        (forgotten.verdict, forgotten.unknowns[0].missing.as_str()),
        (Verdict::Deny, "arguments")
    );
    for state in [&mut session.state, &mut session.folded] {
        assert!(state.restore_call(1, whole.clone()));
    }
    assert_eq!(session.feed(&approve(1)).verdict, Verdict::Allow);
    assert!(session.state.held_calls().next().is_none() && !session.state.forget_call(1));
}

#[test]
fn a_note_of_another_policy_is_refused() {
    let both = vec![
        rule("one", Verdict::Deny, at_most("pay", 1.0, None)),
        rule("first", Verdict::Deny, before("send", "pay")),
    ];
    let (long, short) = (policy(both), policy(vec![rule("no", Verdict::Deny, never("send"))]));
    let [long, short] = [long, short].map(|it| Engine::new(vec![Arc::new(it)], None));
    let mut state = State::new(&long, Door::Live);
    let note = long.advance_noting(&mut state, &call(1, "pay", "{}"), &Judgement::default());
    let mut other = State::new(&short, Door::Live);
    let before = format!("{other:?}");
    assert!(short.fold(&mut other, &note).is_err());
    assert_eq!(format!("{other:?}"), before);
}
