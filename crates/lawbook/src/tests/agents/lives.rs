//! An agent's life: its end, its successor, its conversations and how often it may try.

use lawbook_diag::Verdict::{Allow, Ask, Deny};
use lawbook_ledger::store::Store;
use lawbook_session::{Quota, Statement};
use serde_json::Value;

use super::made::{House, call, text, with_id, within};

const PURSE: &str = "
lawbook: 1
default: allow
tools: {pay: {cost: 4}, wire: {approval: true}}
budget: {credits: 10}
scars: {limit: 10}
rules:
  - {id: no-shell, scar: moderate, never: {tools: [shell]}}
  - {id: few-mails, at_most: {tools: [mail], max: 2, per: agent}}
";

#[test]
fn a5_a_request_repeated_after_the_end_tells_the_answer_and_what_is_true_now() {
    let mut house = House::with(PURSE);
    let first = house.agents().request("desk", &with_id("k1", "pay", "{}")).unwrap();
    let grant = house.agents().grant("desk", &first.action, "bank").unwrap();
    house.agents().terminate("desk", "incident", "on-call lead").unwrap();
    for _ in 0..2 {
        // Ids never expire: a year later the answer is the same.
        house.hands.pass(365 * 86_400);
        let again = house.agents().request("desk", &with_id("k1", "pay", "{}")).unwrap();
        assert_eq!((again.verdict, again.cost, &again.action), (Allow, 4, &first.action));
        assert!(again.repeated && !again.standing.alive);
        assert!(again.notes.iter().any(|it| it.contains("has ended")), "{:?}", again.notes);
        assert_eq!(again.standing.spent, 4, "one id is charged once");
        house.restart();
    }
    let new = house.agents().request("desk", &with_id("k2", "pay", "{}")).unwrap();
    assert_eq!(new.verdict, Deny);
    assert_eq!(house.agents().redeem(&grant, "bank").unwrap_err().code(), "expired");
}

#[test]
fn a5_a_grant_of_an_agent_that_ended_is_void() {
    let mut house = House::with(PURSE);
    let paid = house.ask("pay", "{}");
    let grant = house.agents().grant("desk", &paid.action, "bank").unwrap();
    house.agents().terminate("desk", "incident", "on-call lead").unwrap();
    assert_eq!(house.agents().redeem(&grant, "bank").unwrap_err().code(), "terminated");
    house.restart();
    assert_eq!(house.agents().redeem(&grant, "bank").unwrap_err().code(), "terminated");
    let other = house.agents().grant("desk", &paid.action, "bank").unwrap_err();
    assert_eq!(other.code(), "terminated");
}

#[test]
fn a7_a_customer_ends_a_conversation_and_not_the_agent() {
    let mut house = House::with(
        "
lawbook: 1
default: allow
tools: {pay: {cost: 4}}
budget: {credits: 4, per: session}
scars: {limit: 3, per: session}
rules:
  - {id: no-shell, scar: moderate, never: {tools: [shell]}}
",
    );
    let ask = |house: &House, session: &str, tool: &str| {
        house.agents().request("desk", &within(session, tool, "{}")).unwrap()
    };
    for _ in 0..20 {
        assert_eq!(ask(&house, "mallory", "shell").verdict, Deny);
    }
    assert_eq!(ask(&house, "mallory", "look").verdict, Deny, "closed to that customer");
    house.restart();
    assert_eq!(ask(&house, "mallory", "look").verdict, Deny);
    assert_eq!(ask(&house, "drainer", "pay").verdict, Allow);
    assert_eq!(ask(&house, "drainer", "pay").verdict, Deny);
    assert_eq!(ask(&house, "customer", "pay").verdict, Allow, "others have their own budget");
    assert!(house.agents().status("desk").unwrap().alive);
}

#[test]
fn a11_what_is_left_and_counted_carries_over_to_a_successor() {
    let mut house = House::with(PURSE);
    assert_eq!(house.ask("pay", "{}").verdict, Allow);
    assert_eq!(house.ask("shell", "{}").verdict, Deny);
    assert_eq!(house.ask("mail", "{}").verdict, Allow);
    let waits = house.ask("wire", "{}");
    let sent = house.ask("pay", "{}");
    let grant = house.agents().grant("desk", &sent.action, "bank").unwrap();
    let next = house.agents().succeed("desk-2", &text(PURSE), "desk", None).unwrap();
    assert_eq!((next.remaining, next.scar_score, next.scars), (Some(2), 3, 1));
    for _ in 0..2 {
        assert!(!house.agents().status("desk").unwrap().alive);
        assert_eq!(house.agents().status("desk-2").unwrap(), next);
        assert_eq!(house.agents().redeem(&grant, "bank").unwrap_err().code(), "terminated");
        house.restart();
    }
    let yes = house.agents().approve("desk", &waits.action, "treasurer", None, "");
    assert!(yes.map_or(true, |it| it.verdict == Deny), "what waited is void");
    let ask = |tool: &str| house.agents().request("desk-2", &call(tool, "{}")).unwrap();
    assert_eq!(ask("pay").verdict, Deny, "two credits are left");
    assert_eq!(ask("mail").verdict, Allow);
    assert_eq!(ask("mail").rules, ["few-mails"], "one mail was sent before");
    assert!(house.agents().approve("desk-2", &waits.action, "treasurer", None, "").is_err());
}

#[test]
fn a11_a_budget_is_left_to_one_successor_and_no_failed_one_ends_an_agent() {
    let mut house = House::with(PURSE);
    house.agents().create("taken", &text(PURSE)).unwrap();
    let taken = house.agents().succeed("taken", &text(PURSE), "desk", None).unwrap_err();
    assert_eq!(taken.code(), "agent_exists");
    let wrong = house.agents().succeed("-", &text(PURSE), "desk", None).unwrap_err();
    assert_eq!(wrong.code(), "bad_request");
    assert!(house.agents().status("desk").unwrap().alive, "nothing took over");
    house.agents().succeed("desk-2", &text(PURSE), "desk", None).unwrap();
    for _ in 0..2 {
        let twice = house.agents().succeed("desk-3", &text(PURSE), "desk", None).unwrap_err();
        assert_eq!(twice.code(), "already_succeeded");
        assert_eq!(house.agents().names(), ["desk", "desk-2", "taken"]);
        house.restart();
    }
}

#[test]
fn a11_an_operator_may_state_otherwise_and_the_entry_says_so() {
    let mut house = House::with(PURSE);
    assert_eq!(house.ask("pay", "{}").verdict, Allow);
    assert_eq!(house.ask("shell", "{}").verdict, Deny);
    let size = house.entries(0).len() as u64;
    let statement = Statement {
        by: "head of accounts".to_owned(),
        why: "a new quarter".to_owned(),
        remaining: Some(9),
        scars: false,
    };
    let next = house.agents().succeed("desk-2", &text(PURSE), "desk", Some(statement)).unwrap();
    assert_eq!((next.remaining, next.scar_score, next.scars), (Some(9), 0, 0));
    let entries = house.entries(size);
    let genesis = entries.iter().map(|it| serde_json::from_str::<Value>(it).unwrap());
    let genesis = genesis.into_iter().find(|it| it["kind"] == "genesis").unwrap();
    let heritage = &genesis["body"]["successor_of"];
    assert_eq!(heritage["stated"]["by"], "head of accounts");
    assert_eq!(heritage["stated"]["why"], "a new quarter");
    assert_eq!(heritage["remaining"], 9);
    house.restart();
    assert_eq!(house.agents().status("desk-2").unwrap(), next);
}

#[test]
fn an_action_of_a_conversation_that_is_over_is_no_action_of_its_next_one() {
    let mut house = House::with(
        "{lawbook: 1, default: allow, tools: {wire: {approval: true, cost: {arg: amount}}}, budget: {credits: 100}}",
    );
    let small = house.agents().request("desk", &within("s", "wire", r#"{"amount": 1}"#)).unwrap();
    house.agents().end_session("desk", Some("s"), &lawbook_event::End::default()).unwrap();
    let large = house.agents().request("desk", &within("s", "wire", r#"{"amount": 90}"#)).unwrap();
    assert_eq!((small.verdict, large.verdict), (Ask, Ask));
    for _ in 0..2 {
        let yes = house.agents().approve("desk", &small.action, "treasurer", None, "").unwrap_err();
        assert_eq!(yes.code(), "invalid_state");
        let said = house.agents().outcome(
            "desk",
            &small.action,
            lawbook_event::Effect::Success,
            lawbook_event::Actor::Agent,
            "",
        );
        assert!(said.is_err());
        let waiting = house.agents().waiting(Some("desk")).unwrap();
        assert_eq!(waiting.iter().map(|it| &*it.action).collect::<Vec<_>>(), [&*large.action]);
        assert_eq!(house.agents().status("desk").unwrap().spent, 0);
        assert_eq!(waiting[0].cost, 90, "whoever says yes sees what it costs");
        house.restart();
    }
    let paid = house.agents().approve("desk", &large.action, "treasurer", None, "").unwrap();
    assert_eq!((paid.verdict, paid.cost), (Allow, 90));
    house.restart();
    assert_eq!(house.agents().action("desk", &large.action).unwrap().cost, 90);
}

#[test]
fn b31_calls_without_a_conversation_share_none_with_those_that_name_one_and_it_is_said() {
    let house = House::with(
        "{lawbook: 1, default: allow, rules: [{id: one, at_most: {tools: [refund], max: 1}}]}",
    );
    let ask = |session: Option<&str>| {
        let session = session.map(str::to_owned);
        house
            .agents()
            .request("desk", &lawbook_session::Request { session, ..call("refund", "{}") })
            .unwrap()
    };
    let first = ask(None);
    assert_eq!(first.verdict, Allow);
    assert!(first.notes.iter().any(|it| it.contains("no conversation")), "{:?}", first.notes);
    assert_eq!(ask(None).rules, ["one"], "who names none gets no fresh count");
    let named = ask(Some("c1"));
    assert_eq!((named.verdict, named.notes.len()), (Allow, 0));
    assert_eq!(ask(Some("c2")).verdict, Allow);
    let empty = house.agents().request("desk", &within("", "refund", "{}"));
    assert_eq!(empty.unwrap_err().code(), "bad_request");
}

#[test]
fn l8_who_floods_is_turned_away_and_the_others_go_on() {
    let mut house = House::empty();
    house.quota = Quota::default();
    house.restart();
    for name in ["flood", "desk"] {
        house.agents().create(name, &text(PURSE)).unwrap();
    }
    house.agents().terminate("flood", "incident", "on-call lead").unwrap();
    let before = house.store().size();
    let mut turned_away = 0;
    for step in 0..10_000 {
        match house.agents().request("flood", &call("shell", "{}")) {
            Ok(reply) => assert_eq!(reply.verdict, Deny),
            Err(error) => {
                assert_eq!(error.code(), "too_many_attempts");
                turned_away += 1;
            }
        }
        if step % 500 == 0 {
            assert_eq!(house.ask("look", "{}").verdict, Allow, "another agent goes on");
        }
    }
    assert_eq!(turned_away, 9_900, "a burst of ten seconds' worth is let through");
    assert_eq!(house.store().size() - before, 100 + 20, "what is turned away is not written");
    house.hands.pass(1);
    house.agents().request("flood", &call("shell", "{}")).unwrap();
    let entries = house.entries(before);
    assert!(entries.last().unwrap().contains("\"turned_away\":9900"), "and is told once");
    let large = call("look", &format!(r#"{{"x": "{}"}}"#, "x".repeat(600_000)));
    assert!(house.agents().request("desk", &large).is_ok());
    assert_eq!(house.agents().request("desk", &large).unwrap_err().code(), "too_many_attempts");
}

#[test]
fn a11_after_an_agent_that_was_ended_an_operator_must_state_what_comes() {
    let house = House::with(PURSE);
    house.agents().terminate("desk", "incident", "on-call lead").unwrap();
    let silent = house.agents().succeed("desk-2", &text(PURSE), "desk", None).unwrap_err();
    assert_eq!(silent.code(), "terminated");
    let by = "head of support".to_owned();
    let statement = Statement { by, why: "mended".to_owned(), remaining: Some(2), scars: true };
    let next = house.agents().succeed("desk-2", &text(PURSE), "desk", Some(statement)).unwrap();
    assert_eq!((next.alive, next.remaining), (true, Some(2)));
}

const TWO_PURSES: &str = "
lawbook: 1
default: allow
tools: {pay: {cost: 10}}
budget: {credits: 100}
rules:
  - {id: fees, budget: {credits: 6, costs: {pay: 1, mail: 2}}}
";

#[test]
fn a11_each_budget_goes_on_from_its_own_rest() {
    let renamed = TWO_PURSES.replace("fees", "charges");
    let statement = |remaining: Option<u64>| Statement {
        by: "head of accounts".to_owned(),
        why: "a new quarter".to_owned(),
        remaining,
        scars: true,
    };
    let cases = [
        (TWO_PURSES, None, 90),
        // Another name refills nothing.
        (&*renamed, None, 90),
        (TWO_PURSES, Some(statement(None)), 90),
        (TWO_PURSES, Some(statement(Some(50))), 50),
    ];
    for (policy, statement, rest) in cases {
        let mut house = House::with(TWO_PURSES);
        assert_eq!(house.ask("pay", "{}").verdict, Allow);
        let next = house.agents().succeed("desk-2", &text(policy), "desk", statement).unwrap();
        assert_eq!(next.remaining, Some(rest), "of the budget that is shown");
        house.restart();
        assert_eq!(house.agents().status("desk-2").unwrap(), next);
        let mail = || house.agents().request("desk-2", &call("mail", "{}")).unwrap();
        assert!((0..2).all(|_| mail().verdict == Allow));
        let rule = if policy == TWO_PURSES { "fees" } else { "charges" };
        assert_eq!(mail().rules, [rule], "one of six was used before");
    }
}

#[test]
fn a11_a_further_budget_begins_whole_beside_those_that_go_on() {
    let one = "{lawbook: 1, default: allow, tools: {pay: {cost: 10}}, budget: {credits: 12}}";
    let house = House::with(one);
    assert_eq!(house.ask("pay", "{}").verdict, Allow);
    let next = house.agents().succeed("desk-2", &text(TWO_PURSES), "desk", None).unwrap();
    assert_eq!(next.remaining, Some(2));
    let mail = || house.agents().request("desk-2", &call("mail", "{}")).unwrap();
    assert!((0..3).all(|_| mail().verdict == Allow), "six for three mails");
}

#[test]
fn a11_marks_that_are_too_many_for_the_new_policy_refuse_every_call() {
    let strict = PURSE.replace("{limit: 10}", "{limit: 3}");
    let mut house = House::with(PURSE);
    assert_eq!(house.ask("shell", "{}").verdict, Deny);
    let next = house.agents().succeed("desk-2", &text(&strict), "desk", None).unwrap();
    assert_eq!((next.alive, next.scar_score), (true, 3), "no mark came that ended it");
    for _ in 0..2 {
        let asked = house.agents().request("desk-2", &call("look", "{}")).unwrap();
        assert_eq!((asked.verdict, &*asked.rules), (Deny, &["scars".to_owned()][..]));
        assert_eq!(asked.findings[0].message, "the scar score of this agent is 3 >= 3");
        house.restart();
    }
}
