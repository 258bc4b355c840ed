//! What is too long, too much or too many is refused by name, and nothing of it is recorded.

use lawbook_ledger::store::Store;
use lawbook_session::{
    ARGS_BYTES_MAX, GRANT_BYTES_MAX, GRANT_SECS_MAX, NAME_BYTES_MAX, POLICY_BYTES_MAX, PolicyText,
    REASON_BYTES_MAX, Request, SESSIONS_MAX,
};

use super::made::{House, call, text};

const OPEN: &str = "
lawbook: 1
default: allow
rules: [{id: few, at_most: {tools: [mail], max: 2}}]
";

#[test]
fn names_arguments_and_reasons_have_bounds() {
    let house = House::with(OPEN);
    let agents = house.agents();
    let before = house.store().size();
    let long = "x".repeat(NAME_BYTES_MAX + 1);
    let asks = [
        Request { tool: long.clone(), ..call("", "{}") },
        Request { id: Some(long.clone()), ..call("look", "{}") },
        Request { session: Some(long.clone()), ..call("look", "{}") },
        call("look", &"x".repeat(ARGS_BYTES_MAX + 1)),
    ];
    for ask in asks {
        assert_eq!(agents.request("desk", &ask).unwrap_err().code(), "too_large");
    }
    assert_eq!(agents.request("desk", &call("", "{}")).unwrap_err().code(), "bad_request");
    let reason = "x".repeat(REASON_BYTES_MAX + 1);
    assert_eq!(agents.terminate("desk", &reason, "lead").unwrap_err().code(), "too_large");
    assert_eq!(house.store().size(), before, "what is refused so is not recorded");
    assert!(agents.request("desk", &call(&"x".repeat(NAME_BYTES_MAX), "{}")).is_ok());
}

#[test]
fn a_policy_must_fit_into_an_entry() {
    let house = House::with(OPEN);
    let padded = |bytes: usize| {
        let policy = text(OPEN);
        let rest = "\n#".to_owned() + &"x".repeat(bytes - policy.text.len() - 2);
        PolicyText { text: policy.text + &rest, ..policy }
    };
    let error = house.agents().create("large", &padded(POLICY_BYTES_MAX + 1)).unwrap_err();
    assert_eq!(error.code(), "too_large");
    house.agents().create("large", &padded(POLICY_BYTES_MAX)).unwrap();
}

#[test]
fn arguments_that_fit_no_grant_are_granted_to_nobody() {
    let house = House::with(OPEN);
    let long = format!("\"{}\"", "x".repeat(GRANT_BYTES_MAX));
    let reply = house.ask("look", &long);
    let error = house.agents().grant("desk", &reply.action, "bank").unwrap_err();
    assert_eq!(error.code(), "too_large");
}

#[test]
fn a_grant_ends_by_itself() {
    let house = House::with(OPEN);
    let reply = house.ask("look", "{}");
    let grant = |house: &House| house.agents().grant("desk", &reply.action, "bank").unwrap();
    let late = grant(&house);
    house.hands.pass(u32::try_from(GRANT_SECS_MAX).unwrap() + 1);
    assert_eq!(house.agents().redeem(&late, "bank").unwrap_err().code(), "expired");
    house.agents().redeem(&grant(&house), "bank").unwrap();
}

#[test]
fn an_agent_has_so_many_conversations_and_no_more() {
    let house = House::with(OPEN);
    let agents = house.agents();
    for session in 0..SESSIONS_MAX {
        agents.user_said("desk", Some(&format!("s{session}")), "hello").unwrap();
    }
    let error = agents.user_said("desk", Some("one more"), "hello").unwrap_err();
    assert_eq!(error.code(), "too_many_sessions");
    agents.user_said("desk", Some("s0"), "still here").unwrap();
}
