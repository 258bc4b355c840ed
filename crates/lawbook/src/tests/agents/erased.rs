//! What was erased changes no verdict, and an agent whose secret is gone is refused everything.
#![allow(clippy::disallowed_methods, reason = "seeds are chosen from outside")]

use lawbook_event::{Answer, Effect};
use lawbook_ledger::store::Store;
use lawbook_session::Request;

use super::made::{Dice, House, call, text, within};

/// Native rules of every kind that remembers.
const REMEMBERS: &str = r#"
lawbook: 1
default: allow
user_word: customer
tools:
  pay: {cost: {arg: amount}}
  wire: {approval: true, cost: 2}
  confirmed: {access: write, confirm: {bind: [amount]}}
budget: {credits: 60}
scars: {limit: 40}
rate_limit: {max_calls: 40, window: 60s}
rules:
  - {id: few-mails, at_most: {tools: [mail], max: 3, per: to}}
  - {id: good-mails, at_most: {tools: [mail], max: 2, successes: true}}
  - {id: life-mails, at_most: {tools: [mail], max: 9, per: agent}}
  - {id: verified, require_before: {tools: [refund], first: [verify], success: true, same_arg: account}}
  - {id: own, arg_equals: {tools: [refund], arg: owner, result: {tool: verify, path: owner, same_arg: account}}}
  - {id: large, approval_above: {tools: [refund], arg: amount, max: 5, by: supervisor}}
  - {id: no-shell, scar: minor, never: {tools: [shell]}}
"#;

#[test]
fn l1_after_one_text_and_after_all_are_erased_the_verdicts_are_the_same() {
    for all in [false, true] {
        let mut houses = [House::with(REMEMBERS), House::with(REMEMBERS)];
        for house in &houses {
            let verify = house.ask("verify", r#"{"account": "A-1"}"#);
            let answer = answer(r#"{"owner": "C-1", "status": "ok"}"#, false);
            house.agents().result("desk", &verify.action, &answer).unwrap();
            house.ask("pay", r#"{"amount": 20}"#);
            for to in ["x", "x", "y"] {
                house.ask("mail", &format!(r#"{{"to": "{to}"}}"#));
            }
        }
        let erased = &mut houses[0];
        let entry = erased.agents().action("desk", "act-1").unwrap().entry;
        erased.agents().erase("desk", (!all).then_some(entry), "data officer", "asked").unwrap();
        erased.restart();
        assert_eq!(erased.agents().action("desk", "act-1").unwrap().args, None);
        for (tool, args) in [
            ("refund", r#"{"account": "A-1", "owner": "C-1", "amount": 1}"#),
            ("refund", r#"{"account": "A-2", "owner": "C-1", "amount": 1}"#),
            ("refund", r#"{"account": "A-1", "owner": "C-2", "amount": 1}"#),
            ("mail", r#"{"to": "x"}"#),
            ("mail", r#"{"to": "y"}"#),
            ("pay", r#"{"amount": 39}"#),
            ("pay", r#"{"amount": 2}"#),
        ] {
            let [a, b] = [&houses[0], &houses[1]].map(|it| it.ask(tool, args));
            assert_eq!(
                (a.verdict, &a.rules, &a.unknown),
                (b.verdict, &b.rules, &b.unknown),
                "{tool} {args}"
            );
        }
    }
}

#[test]
fn l1_after_the_secret_is_erased_the_agent_is_refused_and_the_others_go_on() {
    let mut house = House::with(REMEMBERS);
    house.agents().create("other", &text(REMEMBERS)).unwrap();
    house.ask("pay", r#"{"amount": 20}"#);
    assert!(house.store().erase_secret("desk").unwrap());
    for _ in 0..2 {
        house.restart();
        let refused = house.agents().request("desk", &call("look", "{}")).unwrap_err();
        assert_eq!(refused.code(), "quarantined");
        assert!(refused.message().contains("erased"), "{refused}");
        assert_eq!(
            house.agents().create("desk", &text(REMEMBERS)).unwrap_err().code(),
            "agent_exists"
        );
        let after = house.agents().succeed("desk-2", &text(REMEMBERS), "desk", None).unwrap_err();
        assert_eq!(after.code(), "quarantined", "no fresh life comes of it");
        assert!(house.agents().request("other", &call("look", "{}")).is_ok());
    }
}

fn answer(words: &str, error: bool) -> Answer<'_> {
    Answer { text: words.into(), recorded: true, error: Some(error), ..Answer::default() }
}

/// One chance step, told to two agents alike; gives what each said.
fn step(dice: &mut Dice, houses: [&House; 2]) -> [String; 2] {
    let session = dice.of(&["s1", "s2", "s3"]);
    let account = dice.of(&["A-1", "a-1", "A-2"]);
    let owner = dice.of(&["C-1", "C-2"]);
    let (amount, action) = (dice.below(9), format!("act-{}", dice.below(60) + 1));
    let words = dice.of(&["yes", "no", "go ahead with 5", "thanks"]);
    let proposal = format!("Shall I do it for {amount}?");
    let failed = dice.below(3) == 0;
    let tool = dice.of(&[
        "pay",
        "wire",
        "confirmed",
        "mail",
        "verify",
        "refund",
        "shell",
        "look",
        "supervisor",
    ]);
    let args = format!(
        r#"{{"account": "{account}", "owner": "{owner}", "amount": {amount}, "to": "{owner}"}}"#
    );
    let returned = format!(
        r#"{{"owner": "{owner}", "status": "{}"}}"#,
        if failed { "no" } else { "approved" }
    );
    let choice = dice.below(20);
    houses.map(|house| {
        let agents = house.agents();
        let said = match choice {
            0..10 => {
                let request: Request = within(session, tool, &args);
                agents.request("desk", &request).map(|it| {
                    format!(
                        "{:?} {:?} {:?} {} {:?}",
                        it.verdict, it.rules, it.unknown, it.cost, it.standing
                    )
                })
            }
            10..13 => agents
                .result("desk", &action, &answer(&returned, failed))
                .map(|it| format!("{:?} {:?} {:?}", it.verdict, it.rules, it.unknown)),
            13 => {
                agents.user_said("desk", Some(session), words).map(|it| format!("{:?}", it.verdict))
            }
            14 => agents
                .agent_said("desk", Some(session), &proposal)
                .map(|it| format!("{:?}", it.verdict)),
            15 | 16 => agents
                .outcome(
                    "desk",
                    &action,
                    if failed { Effect::Failure } else { Effect::Success },
                    lawbook_event::Actor::Agent,
                    "",
                )
                .map(|it| format!("{it:?}")),
            17 => agents
                .end_session("desk", Some(session), &lawbook_event::End::default())
                .map(|it| format!("{:?}", it.verdict)),
            18 => {
                // What waits is refused in both: without its text nobody can say yes to it.
                agents
                    .reject("desk", &action, "support lead", "no", None)
                    .map(|it| format!("{:?}", it.verdict))
            }
            _ => {
                house.hands.pass(amount as u32 * 5);
                Ok(String::new())
            }
        };
        said.unwrap_or_else(|it| it.code().to_owned())
    })
}

#[test]
fn erasing_everything_and_beginning_again_changes_no_verdict() {
    let chosen = std::env::var("AGENT_SEED").ok().and_then(|it| it.parse().ok());
    let seeds = chosen.map_or(0..60, |seed: u64| seed..seed + 1);
    let (mut steps, mut erasures) = (0, 0);
    for seed in seeds {
        let mut dice = Dice::new(seed + 1);
        let mut plain = House::with(REMEMBERS);
        let mut erased = House::with(REMEMBERS);
        for at in 0..60 {
            if dice.below(12) == 0 {
                erased.agents().erase("desk", None, "data officer", "asked").unwrap();
                erased.restart();
                erasures += 1;
                // Equal requests are joined only while their text is there.
                for waits in erased.agents().waiting(None).unwrap() {
                    for house in [&plain, &erased] {
                        house
                            .agents()
                            .reject("desk", &waits.action, "support lead", "no", None)
                            .unwrap();
                    }
                }
                if dice.below(2) == 0 {
                    plain.restart();
                }
            }
            let [a, b] = step(&mut dice, [&plain, &erased]);
            assert_eq!(a, b, "AGENT_SEED={seed}, step {at}");
            steps += 1;
        }
        erased.agents().erase("desk", None, "data officer", "asked").unwrap();
        assert!(!erased.disk.holds(br#""args":"{\"account"#), "AGENT_SEED={seed}");
        assert!(plain.disk.holds(br#""args":"{\"account"#));
    }
    println!("{steps} steps, everything erased {erasures} times: the same verdicts");
}
