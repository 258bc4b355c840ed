//! What a lineage policy is accepted for, what it is refused for, and what is told of it.

use lawbook_rule::Profile;

use crate::{Options, convert};

use super::{lint, lower};

const PLAIN: &str = r#"{"budget": 5, "scar_limit": 10, "tools": {"a": {"cost": 1}}}"#;

fn first(text: &str, profile: Profile) -> String {
    let (policy, problems) = lower("p.json", text, profile);
    match problems.first() {
        Some(it) => {
            let at = (it.line.unwrap_or_default(), it.column.unwrap_or_default());
            format!("{}:{} {}", at.0, at.1, it.code)
        }
        None => policy.map_or("nothing".to_owned(), |it| format!("{} rules", it.rules.len())),
    }
}

#[test]
fn shapes_are_checked_as_lineage_checks_them() {
    for (text, told) in [
        (PLAIN, "3 rules"),
        ("[]", "1:1 wrong_shape"),
        ("{", "1:2 not_json"),
        (r#"{"budget": 5, "tools": {}}"#, "1:1 missing_key"),
        (r#"{"scar_limit": 5, "tools": {}}"#, "1:1 missing_key"),
        (r#"{"scar_limit": 5, "budget": 1}"#, "1:1 missing_key"),
        (r#"{"budget": -5, "scar_limit": 10, "tools": {}}"#, "1:12 wrong_shape"),
        (r#"{"budget": 5.0, "scar_limit": 10, "tools": {}}"#, "1:12 wrong_shape"),
        (r#"{"budget": 5, "scar_limit": 4294967296, "tools": {}}"#, "1:29 wrong_shape"),
        (r#"{"budget": 18446744073709551615, "scar_limit": 4294967295, "tools": {}}"#, "3 rules"),
        (r#"{"budget": 18446744073709551616, "scar_limit": 1, "tools": {}}"#, "1:12 wrong_shape"),
        (r#"{"budget": 5, "budget": 6, "scar_limit": 10, "tools": {}}"#, "1:15 repeated_key"),
        (
            r#"{"budget": 5, "scar_limit": 10, "tools": {"a": {"cost": 1, "cost": 2}}}"#,
            "1:60 repeated_key",
        ),
        (
            r#"{"budget": 5, "scar_limit": 10, "tools": {"a": {"cost": 1}, "a": {"cost": 2}}}"#,
            "3 rules",
        ),
        (r#"{"budget": 5, "scar_limit": 10, "tools": {"a": {}}}"#, "1:48 missing_key"),
        (
            r#"{"budget": 5, "scar_limit": 10, "tools": {"a": {"cost": 1, "requires_approval": null}}}"#,
            "1:81 wrong_shape",
        ),
        (
            r#"{"budget": 5, "scar_limit": 10, "tools": {"a": {"cost": 1, "max_calls": null}}, "default_rule": null, "rate_limit": null, "note": {"note": 1, "note": 2}}"#,
            "3 rules",
        ),
        (
            r#"{"budget": 0, "scar_limit": 0, "tools": {}, "rate_limit": {"max_actions": 0, "window_secs": 0}}"#,
            "4 rules",
        ),
        (
            r#"{"budget": 1, "scar_limit": 1, "tools": {}, "rate_limit": {"max_actions": 1, "window_secs": 10000000000000000}}"#,
            "1:93 out_of_range",
        ),
        (
            r#"{"budget": 1, "scar_limit": 1, "tools": {}, "rate_limit": {"max_actions": 1, "window_secs": 18446744073709551615}}"#,
            "4 rules",
        ),
    ] {
        assert_eq!(first(text, Profile::Compatible), told, "{text}");
    }
}

#[test]
fn strict_refuses_what_means_nothing_and_what_is_nonsense() {
    for (text, told) in [
        (PLAIN, "3 rules"),
        (r#"{"budget": 0, "scar_limit": 1, "tools": {}}"#, "1:12 out_of_range"),
        (r#"{"budget": 9007199254740993, "scar_limit": 1, "tools": {}}"#, "1:12 out_of_range"),
        (r#"{"budget": 1, "scar_limit": 0, "tools": {}}"#, "1:29 out_of_range"),
        (
            "{\"budget\": 5, \"scar_limit\": 10,\n \"tools\": {\"a\": {\"cost\": 1, \"require_approval\": true}}}",
            "2:29 unknown_key",
        ),
        (
            r#"{"budget": 1, "scar_limit": 1, "tools": {}, "rate_limit": {"max_actions": 0, "window_secs": 1}}"#,
            "1:75 out_of_range",
        ),
        (
            r#"{"budget": 1, "scar_limit": 1, "tools": {}, "rate_limit": {"max_actions": 100001, "window_secs": 1}}"#,
            "1:75 out_of_range",
        ),
        (
            r#"{"budget": 1, "scar_limit": 1, "tools": {}, "rate_limit": {"max_actions": 1, "window_secs": 0}}"#,
            "1:93 out_of_range",
        ),
        (
            r#"{"budget": 1, "scar_limit": 1, "tools": {}, "rate_limit": {"max_actions": 1, "window_secs": 316224001}}"#,
            "1:93 out_of_range",
        ),
        (
            r#"{"budget": 5, "scar_limit": 10, "tools": {"a": {"cost": 1}, "a": {"cost": 2}}}"#,
            "1:61 repeated_key",
        ),
    ] {
        assert_eq!(first(text, Profile::Strict), told, "{text}");
    }
}

#[test]
fn what_passes_in_silence_is_told() {
    for (text, code) in [
        (r#"{"budget": 5, "scar_limit": 10, "tools": {}}"#, "no_tools"),
        (r#"{"budget": 5, "scar_limit": 10, "tools": {"a": {"cost": 6}}}"#, "never_affordable"),
        (
            r#"{"budget": 5, "scar_limit": 10, "tools": {"a": {"cost": 1, "max_calls": 0}}}"#,
            "no_calls",
        ),
        (
            r#"{"budget": 5, "scar_limit": 10, "tools": {"a": {"cost": 1}}, "default_rule": {"cost": 1, "max_calls": 3}}"#,
            "caps_by_name",
        ),
        (
            r#"{"budget": 5, "scar_limit": 10, "tools": {"a": {"cost": 1, "max_cals": 3}}}"#,
            "unknown_key",
        ),
        (r#"{"budget": 0, "scar_limit": 10, "tools": {"a": {"cost": 0}}}"#, "out_of_range"),
    ] {
        let told: Vec<&str> = lint("p.json", text).iter().map(|it| it.problem.code).collect();
        assert_eq!(told, [code], "{text}");
    }
    assert!(lint("p.json", PLAIN).is_empty());
}

/// What a lineage policy states, or nothing where it is refused.
fn stated(text: &str) -> Option<super::read::Stated> {
    let document = super::document("p.json", text).unwrap();
    let mut reader = super::Reader::new("p.json", text, Profile::Strict);
    let stated = reader.policy(document.root());
    reader.into_problems().is_empty().then_some(stated).flatten()
}

#[test]
fn a_policy_comes_back_from_a_native_one() {
    for text in [
        PLAIN,
        r#"{"budget": 50, "scar_limit": 11, "tools": {"a": {"cost": 1, "max_calls": 0}, "b": {"cost": 0, "requires_approval": true}}, "rate_limit": {"max_actions": 3, "window_secs": 60}}"#,
        r#"{"budget": 999999999999999, "scar_limit": 4294967295, "tools": {"a b": {"cost": 3, "max_calls": 7, "requires_approval": true}}}"#,
    ] {
        let there = convert("p.json", text.as_bytes(), &Options::default(), "lawbook").unwrap();
        let words: Vec<&str> = there.fates.iter().map(|it| it.word()).collect();
        assert!(words.iter().all(|it| *it == "carried"), "{words:?}\n{}", there.text);
        let back = convert("p.yaml", there.text.as_bytes(), &Options::default(), "lineage");
        let back = back.unwrap();
        assert_eq!(stated(&back.text), stated(text), "{}\n{}", there.text, back.text);
    }
}

#[test]
fn what_has_no_place_in_the_other_is_left_out_by_name() {
    let text = r#"{"budget": 5, "scar_limit": 0, "tools": {"a": {"cost": 1}}, "default_rule": {"cost": 2, "max_calls": 3, "requires_approval": true}}"#;
    let there = convert("p.json", text.as_bytes(), &Options::default(), "lawbook").unwrap();
    let fates: Vec<String> =
        there.fates.iter().map(|it| format!("{} {}", it.rule, it.word())).collect();
    assert_eq!(
        fates,
        [
            "tool_call_limit of `default_rule` left_out",
            "insufficient_budget carried",
            "approval_required of `default_rule` carried",
            "scar_limit differs",
        ]
    );
    let native = "
lawbook: 1
default: deny
denied_patterns: []
tools: {pay: {cost: {arg: amount}}, wire: {approval: {people: 2}}, send: {max_calls: 3}}
budget: {credits: 9}
scars: {limit: 5, per: session}
rules:
  - {id: small, scar: minor, arg_range: {tools: [pay], arg: amount, max: 5}}
  - {id: few, at_most: {tools: [send], max: 3, per: agent}}
";
    let back = convert("p.yaml", native.as_bytes(), &Options::default(), "lineage").unwrap();
    let fates: Vec<String> =
        back.fates.iter().map(|it| format!("{} {}", it.rule, it.word())).collect();
    assert_eq!(
        fates,
        [
            "only_listed differs",
            "wire.approval left_out",
            "send.max_calls left_out",
            "budget left_out",
            "scars left_out",
            "small left_out",
            "few differs",
        ]
    );
    assert_eq!(back.notes.len(), 2, "{:?}", back.notes);
}
