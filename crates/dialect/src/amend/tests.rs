//! Edits, dialect by dialect: what is offered, and that the edited file is a policy.

use lawbook_rule::Access;

use super::{Amender, Cause};
use crate::{Options, load};

const NATIVE: &str = "\
lawbook: 1
default: deny
tools:
  pay: {access: write, confirm: true, max_calls: 2}
  look: # nothing more
rules:
  - id: cap
    arg_range: {tools: [pay, send], arg: amount, max: 10}
  - id: plans
    arg_in: {tools: [pay], arg: plan, values: [basic]}
  - id: same
    arg_equals: {tools: [pay], arg: account, result: {tool: look, path: account}}
";

const PMSTACK: &str = r#"{"format": "pmstack.policy/1", "onlyListedTools": true,
 "tools": {"pay": {"access": "write", "confirm": true, "maxPerTrace": 1}},
 "rules": [
  {"id": "cap", "type": "arg-max", "tools": ["pay", "send"], "argPath": "amount", "max": 10},
  {"id": "same", "type": "arg-equals", "tools": ["pay"], "argPath": "account",
   "source": {"tool": "look", "path": "account"}}]}"#;

const FAULTGATE: &str = r#"{"allow": ["pay"], "limits": [{"tool": "pay", "arg": "a", "max": 1}],
 "max_calls": 3, "values": [{"tool": "pay", "arg": "plan", "allowed": ["basic"]}]}"#;

fn cause(rule: &str) -> Cause<'_> {
    Cause {
        rule,
        tool: Some("pay"),
        access: Access::Write,
        value: None,
        words: None,
        calls: 3,
        details: &[],
    }
}

/// The edits as lines, each of which must give a policy.
fn edits(dialect: &str, policy: &str, cause: &Cause<'_>) -> Vec<String> {
    let found = Amender::new(dialect, policy.as_bytes()).unwrap().edits(cause);
    for edit in &found {
        if dialect != "pmstack" {
            let loaded = load("p", edit.policy.as_bytes(), &Options::default());
            assert!(loaded.policy.is_some(), "{}: {:?}", edit.policy, loaded.problems);
        }
    }
    found.into_iter().map(|it| format!("{} <- {}", it.at, it.write)).collect()
}

#[test]
fn a_tool_is_listed_with_its_access() {
    let new = Cause { tool: Some("find_slots"), access: Access::Read, ..cause("only_listed") };
    assert_eq!(edits("lawbook", NATIVE, &new), ["tools <- find_slots: {access: read}"]);
    let new = Cause { rule: "only-listed", ..new };
    let wanted = [r#"tools <- "find_slots": {"access": "read"}"#];
    assert_eq!(edits("pmstack", PMSTACK, &new), wanted);
    let new = Cause { rule: "allow", ..new };
    assert_eq!(edits("faultgate", FAULTGATE, &new), [r#"allow <- "find_slots""#]);
}

#[test]
fn words_become_a_yes_or_the_question_goes() {
    let said = Cause { words: Some("Sure, book it"), ..cause("pay.confirm") };
    let lines = edits("lawbook", NATIVE, &said);
    assert!(lines[0].starts_with(" <- consent: ["), "{lines:?}");
    assert!(lines[0].ends_with(r"'\bsure, book it\b']"), "{lines:?}");
    assert_eq!(lines[1], "tools.pay <- confirm: false");
    let own = format!("{NATIVE}consent: [go on]\n");
    assert_eq!(edits("lawbook", &own, &said)[0], r"consent <- - '\bsure, book it\b'");
    let said = Cause { rule: "confirm", ..said };
    let lines = edits("pmstack", PMSTACK, &said);
    assert!(lines[0].starts_with(r#" <- "confirmationPatterns": ["\\byes\\b", "#), "{lines:?}");
    assert_eq!(lines[1], r#"tools.pay <- "confirm": false"#);
    let refused = Cause { words: Some("no way"), ..said };
    assert_eq!(edits("pmstack", PMSTACK, &refused).len(), 1);
}

#[test]
fn limits_move_to_the_value_and_tools_are_taken_out() {
    let over = Cause { value: Some("612.5"), ..cause("cap") };
    let wanted = ["rules[0].arg_range <- max: 612.5", "rules[0].arg_range <- tools: [send]"];
    assert_eq!(edits("lawbook", NATIVE, &over), wanted);
    let wanted = [r#"rules[0] <- "max": 612.5"#, r#"rules[0] <- "tools": ["send"]"#];
    assert_eq!(edits("pmstack", PMSTACK, &over), wanted);
    let over = Cause { value: Some("\"7\""), ..cause("limits[0]") };
    assert_eq!(edits("faultgate", FAULTGATE, &over), [r#"limits[0] <- "max": 7"#]);
    let gold = Cause { value: Some("\"gold\""), ..cause("plans") };
    assert_eq!(edits("lawbook", NATIVE, &gold), ["rules[1].arg_in.values <- - gold"]);
    let gold = Cause { rule: "values[0]", ..gold };
    assert_eq!(edits("faultgate", FAULTGATE, &gold), [r#"values[0].allowed <- "gold""#]);
}

#[test]
fn caps_are_raised_by_one_and_then_to_what_was_seen() {
    let fourth = Cause { calls: 4, ..cause("pay.max_calls") };
    let wanted = ["tools.pay <- max_calls: 3", "tools.pay <- max_calls: 4"];
    assert_eq!(edits("lawbook", NATIVE, &fourth), wanted);
    let second = Cause { calls: 2, ..cause("max-per-trace") };
    assert_eq!(edits("pmstack", PMSTACK, &second), [r#"tools.pay <- "maxPerTrace": 2"#]);
    let run = Cause { tool: None, calls: 5, ..cause("max_calls") };
    assert_eq!(edits("faultgate", FAULTGATE, &run)[0], r#" <- "max_calls": 4"#);
}

#[test]
fn an_account_may_come_from_the_session_and_a_sort_of_session_may_be_left_out() {
    let details =
        [("account".to_owned(), "A-1".to_owned()), ("channel".to_owned(), "chat".to_owned())];
    let same = Cause { value: Some("\"A-1\""), details: &details, ..cause("same") };
    let wanted = [
        "rules[2] <- arg_equals: {tools: [pay], arg: account, session: session.metadata.account}",
        "rules[2] <- when: 'session.metadata.channel != \"chat\"'",
    ];
    assert_eq!(edits("lawbook", NATIVE, &same), wanted);
    let wanted = [r#"rules[1] <- "source": {"detail": "metadata.account"}"#];
    assert_eq!(edits("pmstack", PMSTACK, &same), wanted);
}

#[test]
fn a_rule_on_a_sort_of_session_is_not_turned_against_itself() {
    let policy = "\
lawbook: 1
rules:
  - {id: text, when: session.metadata.channel == \"sms\", never: {tools: [pay]}}
  - {id: never, when: session.metadata.tier == 1, never: {tools: [pay]}}
";
    let details = [("channel".to_owned(), "sms".to_owned())];
    let edits = |rule| edits("lawbook", policy, &Cause { details: &details, ..cause(rule) });
    assert_eq!(edits("text"), [""; 0]);
    let when = "(session.metadata.tier == 1) and session.metadata.channel != \"sms\"";
    assert_eq!(edits("never"), [format!("rules[1] <- when: '{when}'")]);
}

#[test]
fn what_has_no_edit_has_none() {
    for rule in ["denied_patterns", "nothing", "look.confirm", "rules.x.confirm"] {
        assert_eq!(edits("lawbook", NATIVE, &cause(rule)), [""; 0], "{rule}");
    }
    assert!(Amender::new("lineage", b"{}").is_none());
    assert!(Amender::new("lawbook", b"a: 1\na: 2\n").is_none());
}
