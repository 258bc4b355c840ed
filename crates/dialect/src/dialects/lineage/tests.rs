//! What a lineage policy is accepted for, what it is refused for, and what is told of it.

use lawbook_rule::Profile;

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
