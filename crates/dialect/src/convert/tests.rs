// What becomes of each rule, and why.

use super::{Converted, convert};
use crate::Options;

fn converted(policy: &str, to: &str) -> Converted {
    convert("p", policy.as_bytes(), &Options::default(), to).unwrap_or_else(|e| panic!("{e:?}"))
}

/// The fate of the last rule of a native policy, and what is said of it.
fn native_to_faultgate(rule: &str) -> String {
    let policy = format!(
        "lawbook: 1\ndefault: deny\ndenied_patterns: []\ntools: {{pay: {{}}}}\nrules:\n  - {rule}\n"
    );
    let converted = converted(&policy, "faultgate");
    let fate = converted.fates.last().unwrap();
    format!("{} {}", fate.word(), fate.differs.join("; ")).trim().to_owned()
}

#[test]
fn each_native_rule_says_what_becomes_of_it_in_faultgate() {
    for (rule, wanted) in [
        ("{id: a, arg_range: {tools: [pay], arg: amount, max: 5}}", "carried"),
        ("{id: a, arg_range: {arg: amount, max: 5}}", "left_out faultgate needs the tools by name"),
        (
            "{id: a, when: call.tool == \"pay\", arg_range: {tools: [pay], arg: amount, max: 5}}",
            "left_out faultgate has no conditions",
        ),
        (
            "{id: a, mode: observe, arg_range: {tools: [pay], arg: amount, max: 5}}",
            "left_out faultgate can't only observe",
        ),
        (
            "{id: a, verdict: ask, arg_range: {tools: [pay], arg: amount, max: 5}}",
            "differs faultgate denies where this asks",
        ),
        (
            "{id: a, arg_range: {tools: [pay], arg: amount, max: 5, optional: true}}",
            "differs a call without the argument is denied",
        ),
        (
            "{id: a, arg_range: {tools: [pay], arg: 'items[*].amount', max: 5}}",
            "left_out faultgate can't look at `items[*].amount`: its paths are names with dots",
        ),
        (
            "{id: a, confirm: {tools: [pay]}}",
            "left_out faultgate takes the word of a tool for a yes, not that of the user",
        ),
        (
            "{id: a, arg_never_matches: {pattern: x, luhn: true}}",
            "left_out faultgate has no Luhn check",
        ),
        ("{id: a, arg_never_matches: {pattern: x}}", "differs faultgate searches in either case"),
        ("{id: a, arg_never_matches: {pattern: x, flags: i}}", "carried"),
        (
            "{id: a, arg_never_matches: {pattern: 'x$', flags: i}}",
            "differs `$` in a pattern may be read differently",
        ),
        (
            "{id: a, at_most: {tools: [pay], max: 1}}",
            "left_out faultgate caps all calls of a run, or those with one value of an argument",
        ),
        (
            "{id: a, at_most: {max: 3, window: 60s, per: session}}",
            "left_out faultgate has no windows of time",
        ),
        (
            "{id: a, at_most: {tools: [pay], max: 1, per: order}}",
            "differs calls that failed don't count in faultgate",
        ),
        (
            "{id: a, arg_equals: {tools: [pay], arg: id, session: user}}",
            "differs a session without `user` is denied and not unknown",
        ),
        (
            "{id: a, arg_equals: {tools: [pay], arg: id, session: session.metadata.user}}",
            "left_out faultgate compares with attributes, and `session.metadata.user` is none",
        ),
        (
            "{id: a, arg_equals: {tools: [pay], arg: id, result: {tool: find, path: id}}}",
            "left_out faultgate compares with the session only, not with earlier results",
        ),
        (
            "{id: a, require_before: {tools: [pay], first: [find], success: false}}",
            "differs the earlier call must have succeeded",
        ),
        (
            "{id: a, require_before: {tools: [pay], first: ['find_*']}}",
            "left_out `find_*` is a pattern, and faultgate takes names",
        ),
        (
            "{id: a, only_listed: {tools: [pay]}}",
            "left_out faultgate takes `allow` once, and another rule has it",
        ),
        ("{id: a, complete: {}}", "carried"),
        ("{id: a, never: {tools: [pay]}}", "carried"),
    ] {
        assert_eq!(native_to_faultgate(rule), wanted, "{rule}");
    }
}

#[test]
fn each_faultgate_rule_says_what_becomes_of_it() {
    for (policy, wanted) in [
        (r#"{"deny_patterns": [], "max_calls": 3}"#, "max_calls carried"),
        (r#"{"deny_patterns": [], "max_calls": 3.9}"#, "max_calls carried"),
        (r#"{"deny_patterns": [], "max_calls": -1}"#, "max_calls left_out"),
        (r#"{"deny_patterns": [], "max_arg_chars": 1e99}"#, "max_arg_chars left_out"),
        (r#"{"deny_patterns": [], "identity": {"arg": "a", "tools": []}}"#, "identity left_out"),
        (r#"{"deny_patterns": [], "identity": {"arg": "a"}}"#, "identity differs"),
        (r#"{"deny_patterns": [], "allow": ["a*"]}"#, "allow differs"),
        (r#"{"deny_patterns": ["a$"]}"#, "deny_patterns differs"),
        (r"{}", "deny_patterns carried"),
    ] {
        let converted = converted(policy, "lawbook");
        let fates: Vec<String> =
            converted.fates.iter().map(|it| format!("{} {}", it.rule, it.word())).collect();
        assert_eq!(fates, [wanted], "{policy}\n{}", converted.text);
    }
}

#[test]
fn caps_by_an_argument_that_is_called_like_a_word_stay_caps_by_it() {
    let policy = r#"{"max_calls_per_arg": [{"tools": ["a"], "arg": "turn", "max": 2}]}"#;
    let there = converted(policy, "lawbook");
    assert!(there.text.contains("per: args.turn"), "{}", there.text);
    let back = converted(&there.text, "faultgate");
    assert!(back.text.contains(r#""arg": "turn""#), "{}", back.text);
}

#[test]
fn what_the_other_side_has_no_place_for_is_noted() {
    let policy = "lawbook: 1\nname: n\ndefault: allow\nrules:\n  - {id: a, why: w, complete: {}}\nwaivers:\n  - {rule: a, why: w, by: b}\n";
    let notes = converted(policy, "faultgate").notes.join("\n");
    for part in ["waivers are not carried over", "`why` of 1 is lost", "no place for name"] {
        assert!(notes.contains(part), "{part}: {notes}");
    }
}

#[test]
fn what_does_not_load_is_not_converted() {
    for (policy, to, code) in [
        ("lawbook: 1\nnane: x\n", "faultgate", "unknown_key"),
        ("lawbook: 1\ndefault: deny\n", "faultgat", "unknown_dialect"),
        ("", "faultgate", "empty"),
    ] {
        let problems = convert("p", policy.as_bytes(), &Options::default(), to).unwrap_err();
        assert_eq!(problems[0].code, code, "{policy}");
    }
}
