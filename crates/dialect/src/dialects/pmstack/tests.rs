use lawbook_event::json::{Document, Grammar, Limits};
use lawbook_event::{JAVASCRIPT, PatternUse};
use lawbook_rule::kinds::{Consent, Refusals};
use lawbook_rule::{Access, Profile};

use super::read::PROBLEMS_MAX;
use super::{CONSENT, lint, lower};
use crate::load::Options;

fn rows(table: &str) -> Vec<(String, String)> {
    let table = Document::parse(table, Grammar::Strict, &Limits::DEFAULT).unwrap();
    let text = |it: lawbook_event::json::Value<'_>| {
        it.as_str().map_or_else(|| it.raw().to_owned(), str::to_owned)
    };
    let rows = table.root().get("rows").unwrap();
    rows.items().map(|it| (text(it.item(0).unwrap()), text(it.item(1).unwrap()))).collect()
}

fn consent(refusals: Refusals) -> Consent {
    let patterns = CONSENT.map(|it| JAVASCRIPT.pattern(it, true, PatternUse::Allow).unwrap());
    Consent::new(patterns.into(), refusals)
}

#[test]
fn a_yes_is_what_pmstack_takes_for_one() {
    let rows = rows(include_str!("../../../../../conformance/dialects/pmstack/consent.json"));
    assert!(rows.len() > 50);
    for (text, is_yes) in rows {
        assert_eq!(consent(Refusals::Beside).is_yes(&text).to_string(), is_yes, "{text}");
    }
}

#[test]
fn a_strict_yes_holds_no_refusal_doubt_or_question() {
    let consent = consent(Refusals::Anywhere);
    for text in ["Yes.", "yes please, go ahead", "That works, do it"] {
        assert!(consent.is_yes(text), "{text}");
    }
    for text in [
        "I don't want you to do it",
        "I don’t want you to do it",
        "nobody said yes",
        "neither yes",
        "yes but not now",
        "please do it later",
        "can you confirm his salary?",
        "is that a yes",
        "what does it cost to do it",
        "sure",
    ] {
        let question = text.starts_with("is that");
        assert_eq!(consent.is_yes(text), question, "{text}");
    }
}

#[test]
fn thousands_of_refused_matches_cost_one_walk() {
    for text in [
        "don't do it ".repeat(8_000),
        format!("{}{}", "no yes ".repeat(4_000), " ".repeat(100_000)),
        format!("not{}yes{}not", " ".repeat(100_000), " ".repeat(100_000)),
    ] {
        assert!(!consent(Refusals::Beside).is_yes(&text));
        assert!(consent(Refusals::Beside).is_yes(&format!("{text}. yes")));
    }
}

#[test]
fn names_say_what_a_tool_does() {
    for (name, access) in
        rows(include_str!("../../../../../conformance/dialects/pmstack/access.json"))
    {
        assert_eq!(Access::by_name(&name).word(), access, "{name}");
    }
}

#[test]
fn every_problem_is_told_at_its_place() {
    let text = r#"{
  "format": "pmstack.policy/1",
  "onlyListedTools": "yes",
  "tools": {
    "refund": {"acess": "write", "maxPerTrace": 1.5}
  },
  "rules": [
    {"id": "cap", "type": "arg-max", "argPath": "amount", "max": "5"},
    {"id": "cap", "type": "deny-tools"}
  ]
}"#;
    let (policy, problems) = lower("p.json", text, &Options::default());
    assert!(policy.is_none());
    let told: Vec<(u32, u32, &str)> =
        problems.iter().map(|it| (it.line.unwrap(), it.column.unwrap(), it.code)).collect();
    assert_eq!(
        told,
        [
            (3, 22, "wrong_shape"),
            (5, 16, "unknown_key"),
            (5, 49, "wrong_shape"),
            (8, 66, "wrong_shape"),
            (9, 5, "repeated_id"),
            (9, 5, "missing_key"),
        ]
    );
}

#[test]
fn problems_are_bounded() {
    let rules = vec!["5"; PROBLEMS_MAX * 2].join(",");
    let text = format!(r#"{{"format": "pmstack.policy/1", "rules": [{rules}]}}"#);
    assert_eq!(lower("p.json", &text, &Options::default()).1.len(), PROBLEMS_MAX);
}

#[test]
fn what_passes_in_silence_is_told() {
    let rule = |rest: &str| {
        format!(
            r#"{{"format": "pmstack.policy/1", "onlyListedTools": true, "tools": {{"pay": {{}}}},
            "rules": [{{"id": "r", {rest}}}]}}"#
        )
    };
    let cases = [
        (rule(r#""type": "arg-max", "argPath": "a", "max": 1"#), vec!["limit_without_required"]),
        (
            rule(
                r#""type": "arg-max", "tools": ["pay"], "argPath": "a", "max": 1},
                {"id": "q", "type": "arg-required", "argPath": "a""#,
            ),
            vec![],
        ),
        (rule(r#""type": "arg-not-match", "pattern": "x*""#), vec!["matches_nothing"]),
        (rule(r#""type": "arg-not-match", "pattern": "x", "flags": "gi""#), vec!["idle_flags"]),
        (rule(r#""type": "deny-tools", "tools": []"#), vec!["no_tools"]),
        (rule(r#""type": "deny-access", "access": "any""#), vec!["odd_access"]),
        (rule(r#""type": "deny-tools", "tools": ["pay"], "max": 3"#), vec!["idle_key"]),
        (rule(r#""type": "deny-access", "severity": "high""#), vec!["unread_key"]),
        (rule(r#""type": "deny-access", "why": "a", "why": "b""#), vec!["repeated_key"]),
        (
            rule(
                r#""type": "arg-equals", "argPath": "a",
                "source": {"tool": "pay", "path": "a", "detail": "metadata.a"}"#,
            ),
            vec!["two_sources"],
        ),
        (
            r#"{"format": "pmstack.policy/1", "confirmationPatterns": ["do it", "^yes"]}"#
                .to_owned(),
            vec!["no_allowlist", "question_consents"],
        ),
        (
            r#"{"format": "pmstack.policy/1", "onlyListedTools": true,
            "confirmationPatterns": []}"#
                .to_owned(),
            vec!["no_consent"],
        ),
        (
            r#"{"format": "pmstack.policy/1", "tools": {"pay": {"confirm": true}},
            "rules": [{"id": "r", "type": "max-per-trace", "tools": ["pey"], "max": 1}]}"#
                .to_owned(),
            vec!["no_allowlist", "question_consents", "unlisted_tool"],
        ),
    ];
    for (policy, codes) in cases {
        assert_eq!(lower("p.json", &policy, &Options::default()).1, [], "{policy}");
        let told: Vec<&str> = lint("p.json", &policy).iter().map(|it| it.problem.code).collect();
        assert_eq!(told, codes, "{policy}");
    }
}

#[test]
fn strict_refuses_a_rule_that_covers_no_call() {
    let text = r#"{"format": "pmstack.policy/1",
        "rules": [{"id": "a", "type": "deny-tools", "tools": []}]}"#;
    let told = |profile| {
        let options = Options { profile: Some(profile), ..Options::default() };
        lower("p.json", text, &options).1.iter().map(|it| it.code).collect::<Vec<_>>()
    };
    assert_eq!(told(Profile::Compatible), [""; 0]);
    assert_eq!(told(Profile::Strict), ["no_tools"]);
}

#[test]
fn reasons_speak_of_the_user_by_the_word_that_is_asked_for() {
    let text = r#"{"format": "pmstack.policy/1", "onlyListedTools": true,
        "tools": {"a": {"confirm": true, "why": " the {userLabel} pays "}, "b": {"confirm": true},
            "c": {"confirm": true, "maxPerTrace": 2}},
        "rules": [{"id": "r", "type": "deny-access", "why": "{userLabel} first"}]}"#;
    let options = Options { user_word: Some("rider"), ..Options::default() };
    let policy = lower("p.json", text, &options).0.unwrap();
    let rules: Vec<(&str, &str)> =
        policy.rules.iter().map(|it| (&*it.id, it.why.as_deref().unwrap())).collect();
    assert_eq!(
        rules,
        [
            ("only-listed", "only tools on the list may be called"),
            ("confirm", "the rider pays"),
            ("confirm", "the rider says yes before this is done"),
            ("max-per-trace", "a conversation needs this only so often"),
            ("r", "rider first"),
        ]
    );
}
