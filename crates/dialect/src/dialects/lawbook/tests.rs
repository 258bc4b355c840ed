// The native dialect: what files become, and what is told of bad ones.

use lawbook_diag::{Mode, Verdict};
use lawbook_rule::{OnUnknown, Policy};

use super::PROBLEMS_MAX;
use crate::{Loaded, Options, load};

fn loaded(text: &str) -> Loaded {
    load("p.yaml", text.as_bytes(), &Options::default())
}

fn policy(text: &str) -> Policy {
    let loaded = loaded(text);
    loaded.policy.unwrap_or_else(|| panic!("{text}: {:?}", loaded.problems))
}

/// Every rule as `id kind`.
fn rules(policy: &Policy) -> Vec<String> {
    policy.rules.iter().map(|it| format!("{} {}", it.id, it.body.name())).collect()
}

const WHOLE: &str = "\
lawbook: 1
name: northstar support
owner: support lead
default: deny
user_word: customer
consent: [\"\\\\byes\\\\b\", go ahead]
not_covered: [tone, refunds by phone]
tools:
  lookup_account: {access: read}
  verify_identity:
  issue_credit: {access: write, confirm: {bind: [amount]}, max_calls: 3}
rules:
  - id: credit-cap
    why: credits above $200 go to a manager
    tell: ask a manager
    verdict: ask
    mode: observe
    on_unknown: note
    arg_range: {tools: [issue_credit], arg: amount, max: 200}
  - id: verify-first
    when: session.metadata.channel == \"sms\"
    require_before: {tools: [issue_credit], first: [verify_identity], same_arg: customer_id}
  - {id: no-writes, never: {access: write}}
waivers:
  - {rule: credit-cap, match: {tool: issue_credit}, why: audit, by: dana, until: 2027-01-31}
";

#[test]
fn a_whole_policy_is_lowered() {
    let policy = policy(WHOLE);
    assert_eq!(policy.name.as_deref(), Some("northstar support"));
    assert_eq!(policy.not_covered, ["tone", "refunds by phone"]);
    assert_eq!(
        rules(&policy),
        [
            "denied_patterns arg_never_matches",
            "only_listed only_listed",
            "issue_credit.confirm confirm",
            "issue_credit.max_calls at_most",
            "credit-cap arg_range",
            "verify-first require_before",
            "no-writes never",
        ]
    );
    let cap = &policy.rules[4];
    assert_eq!((cap.verdict, cap.mode), (Verdict::Ask, Mode::Observe));
    assert_eq!(cap.on_unknown, OnUnknown::Note);
    assert_eq!(cap.why.as_deref(), Some("credits above $200 go to a manager"));
    assert!(policy.rules[5].when.is_some());
    assert_eq!(policy.waivers.len(), 1);
}

#[test]
fn yaml_and_json_become_the_same() {
    let json = "{\"lawbook\": 1, \"default\": \"ask\", \"tools\": {\"a\": {\"max_calls\": 2}},
        \"rules\": [{\"id\": \"x\", \"arg_in\": {\"arg\": \"b\", \"values\": [1, \"c\", true]}}]}";
    let yaml = "lawbook: 1\ndefault: ask\ntools:\n  a: {max_calls: 2}\nrules:\n  - id: x\n    \
        arg_in: {arg: b, values: [1, c, true]}\n";
    assert_eq!(format!("{:?}", policy(json).rules), format!("{:?}", policy(yaml).rules));
}

#[test]
fn the_default_decides_whether_only_listed_tools_run() {
    for (default, ids) in [
        ("default: deny\n", "denied_patterns only_listed"),
        ("default: ask\n", "denied_patterns only_listed"),
        ("default: allow\n", "denied_patterns"),
        ("default: allow\ndenied_patterns: []\n", ""),
        ("default: allow\ndenied_patterns: [secret]\n", "denied_patterns"),
    ] {
        let policy = policy(&format!("lawbook: 1\n{default}"));
        let found: Vec<&str> = policy.rules.iter().map(|it| &*it.id).collect();
        assert_eq!(found.join(" "), ids, "{default}");
    }
}

#[test]
fn a_byte_order_mark_is_dropped() {
    assert!(loaded("\u{feff}lawbook: 1\ndefault: deny\n").policy.is_some());
    assert!(loaded("\u{feff}{\"lawbook\": 1}").policy.is_some());
    assert!(loaded("\u{feff}{}").policy.is_none());
}

#[test]
fn bytes_that_are_no_text_are_told_with_their_line() {
    let loaded = load("p", b"lawbook: 1\nname: \xff\n", &Options::default());
    let problem = &loaded.problems[0];
    assert_eq!((problem.code, problem.line, problem.column), ("not_utf8", Some(2), Some(7)));
}

/// One file with its problems, each as `line:column code` and words of its message or its help.
const REFUSED: &[(&str, &[(&str, &str)])] = &[
    ("lawbook: 2\n", &[("1:10 wrong_shape", "this version reads `1`")]),
    ("lawbook: 1\ndefault:deny\n", &[("", "put a space after the colon")]),
    ("lawbook: 1\ntools:\n\ta: {}\n", &[("", "use spaces, not tabs")]),
    ("lawbook: 1\nconsent: \"\\d\"\n", &[("", "single quotes")]),
    ("lawbook: 1\nname: ghp_0123456789abcdefghij\n", &[("2:7 credential", "take it out")]),
    ("lawbook: 1\nowner: sk-0123456789abcdefghij\n", &[("2:8 credential", "a credential")]),
    ("lawbook: 1\ntools: {a: {confirm: \"true\"}}\n", &[("2:22 wrong_shape", "the quotes")]),
    ("lawbook: 1\ntools: {a: {confirm: yes}}\n", &[("2:22 wrong_shape", "write `true`")]),
    (
        "lawbook: 1\ntools: {a: {max_calls: 12345678901234567890}}\n",
        &[("2:24 wrong_shape", "at most 15 digits")],
    ),
    ("lawbook: 1\nrules: [{id: a, when: '', complete: {}}]\n", &[("2:23 wrong_shape", "`when`")]),
    (
        "lawbook: 1\nrules: [{id: a, complete: true}]\n",
        &[("2:27 wrong_shape", "takes no parameters, so it can't be `true`")],
    ),
    (
        "lawbook: 1\nrules: [{id: a, arg_range: {arg: x, maximum: 3, min: 1}}]\n",
        &[("2:37 unknown_key", "did you mean `max`?")],
    ),
    (
        "lawbook: 1\nrules: [{id: a, arg_in: {tool: t, arg: x, values: [1]}}]\n",
        &[("2:26 unknown_key", "did you mean `tools`?")],
    ),
    (
        "lawbook: 1\nrules: [{id: a, arg_in: {arg: x, values: [1], allowed: [1]}}]\n",
        &[("2:47 unknown_key", "did you mean `values`?")],
    ),
    (
        "lawbook: 1\nrules: [{id: a, arg_range: {arg: x, min: 1, max:5}}]\n",
        &[("2:45 unknown_key", "a space after the colon: `max: 5`")],
    ),
    (
        "lawbook: 1\nrules: [{id: a, arg_range: {arg: 'a[*', max: 1}}]\n",
        &[("2:34 bad_path", "`a[*` under `arg` is no path")],
    ),
    ("lawbook: 1\nrules: [{id: a, arg_range: {arg: a..b, max: 1}}]\n", &[("2:34 bad_path", "")]),
    ("lawbook: 1\nrules: [{id: a, arg_range: {arg: $.a, max: 1}}]\n", &[("2:34 bad_path", "`a`")]),
    (
        "lawbook: 1\nrules: [{id: a, arg_required: {args: [b, ' c']}}]\n",
        &[("2:42 bad_path", "take away the blanks")],
    ),
    (
        "lawbook: 1\nrules: [{id: a, confirm: {bind: ['a[*].b']}}]\n",
        &[("2:34 bad_rule", "several values")],
    ),
    (
        "lawbook: 1\nrules: [{id: a, require_before: {first: b, same_arg: 'a[*]'}}]\n",
        &[("2:54 bad_rule", "several values")],
    ),
    ("lawbook: 1\nrules: [{id: a, at_most: {max: 1, per: a..b}}]\n", &[("2:40 bad_path", "")]),
    ("lawbook: 1\nrules: [{id: a, confirm: {bind: [a.]}}]\n", &[("2:34 bad_path", "`a.`")]),
    (
        "lawbook: 1\nrules: [{id: a, at_most: {max: 1, per: 'a[*]'}}]\n",
        &[("2:40 bad_rule", "several values")],
    ),
    ("lawbook: 1\nruels: []\n", &[("2:1 unknown_key", "did you mean `rules`?")]),
    ("lawbook: 1\nfacts: {}\n", &[("2:1 later_version", "not in this version")]),
    ("lawbook: 1\nbudget: {credits: 0}\n", &[("2:19 bad_rule", "pays for nothing")]),
    ("lawbook: 1\nbudget: {per: session}\n", &[("2:9 missing_key", "`credits`")]),
    ("lawbook: 1\nscars: {limit: 0}\n", &[("2:16 bad_rule", "a limit of 0")]),
    ("lawbook: 1\nscars: {limit: 5000000000}\n", &[("2:16 bad_rule", "4294967295")]),
    ("lawbook: 1\nscars: {limit: 5, per: subject}\n", &[("2:24 bad_rule", "needs `subject`")]),
    (
        "lawbook: 1\nscars: {limit: 5, subject: enduser.id}\n",
        &[("2:28 bad_rule", "means nothing without")],
    ),
    ("lawbook: 1\nrate_limit: {max_calls: 3}\n", &[("2:13 missing_key", "`window`")]),
    ("lawbook: 1\nrate_limit: {max_calls: 3, window: 0s}\n", &[("2:36 bad_rule", "holds no call")]),
    ("lawbook: 1\nname: a\nname: b\n", &[("3:1 duplicate_key", "on lines 2 and 3")]),
    ("lawbook: 1\ndefault: dney\n", &[("2:10 wrong_shape", "did you mean `deny`?")]),
    ("lawbook: 1\ntools: [a]\n", &[("2:8 wrong_shape", "must be a map")]),
    ("lawbook: 1\ntools: {a: read}\n", &[("2:12 wrong_shape", "`a` must be a map")]),
    ("lawbook: 1\ntools: {a: {acess: read}}\n", &[("2:13 unknown_key", "did you mean `access`?")]),
    ("lawbook: 1\ntools: {a: {cost: -3}}\n", &[("2:19 wrong_shape", "`cost`")]),
    (
        "lawbook: 1\ntools: {a: {cost: {of: amount}}}\n",
        &[("2:19 missing_key", "`arg`"), ("2:20 unknown_key", "`of`")],
    ),
    ("lawbook: 1\ntools: {a: {approval: maybe}}\n", &[("2:23 wrong_shape", "`approval`")]),
    ("lawbook: 1\ntools: {a: {approval: {people: 0}}}\n", &[("2:32 bad_rule", "1 to 100")]),
    ("lawbook: 1\ntools: {a: {approval: {people: 101}}}\n", &[("2:32 bad_rule", "1 to 100")]),
    ("lawbook: 1\ntools: {a: {approval: {expires: 0s}}}\n", &[("2:33 bad_rule", "no time")]),
    ("lawbook: 1\ntools: {a: {max_calls: many}}\n", &[("2:24 wrong_shape", "a whole number")]),
    ("lawbook: 1\ntools: {a: {confirm: {bnd: [x]}}}\n", &[("2:23 unknown_key", "`bind`?")]),
    ("lawbook: 1\nconsent: ['(']\n", &[("2:11 bad_rule", "is refused")]),
    ("lawbook: 1\ndenied_patterns: ['(']\n", &[("2:19 bad_rule", "is refused")]),
    ("lawbook: 1\nrules: {id: a}\n", &[("2:8 wrong_shape", "must be a list")]),
    ("lawbook: 1\nrules: [a]\n", &[("2:9 wrong_shape", "a rule is a map")]),
    ("lawbook: 1\nrules: [{id: a}]\n", &[("2:9 missing_key", "names no kind")]),
    ("lawbook: 1\nrules: [{complete: {}}]\n", &[("2:9 missing_key", "needs `id`")]),
    ("lawbook: 1\nrules: [{id: A b, complete: {}}]\n", &[("2:14 bad_id", "may hold only")]),
    ("lawbook: 1\nrules: [{id: waiver, complete: {}}]\n", &[("2:14 bad_id", "engine's own")]),
    (
        "lawbook: 1\nrules:\n  - {id: a, complete: {}}\n  - {id: a, complete: {}}\n",
        &[("4:10 duplicate_id", "on line 3")],
    ),
    (
        "lawbook: 1\nrules: [{id: denied_patterns, complete: {}}]\n",
        &[("2:14 duplicate_id", "of a shorthand")],
    ),
    (
        "lawbook: 1\nrules: [{id: a, complete: {}, never: {tools: [x]}}]\n",
        &[("2:31 second_kind", "`complete` already")],
    ),
    ("lawbook: 1\nrules: [{id: a, flow: {}}]\n", &[("2:17 later_version", "`flow`")]),
    ("lawbook: 1\nrules: [{id: a, scar: 1, complete: {}}]\n", &[("2:23 wrong_shape", "`scar`")]),
    (
        "lawbook: 1\nrules: [{id: a, when: session.id == 1, scars: {limit: 1}}]\n",
        &[("2:23 bad_rule", "takes no `when`")],
    ),
    (
        "lawbook: 1\nrules: [{id: a, at_most: {max: 1, per: agent, successes: true}}]\n",
        &[("2:58 bad_rule", "several sessions")],
    ),
    ("lawbook: 1\nrules: [{id: a, approval: {above: {}}}]\n", &[("2:35 empty_list", "`above`")]),
    ("lawbook: 1\nrules: [{id: a, approval: {above: {x: y}}}]\n", &[("2:39 wrong_shape", "`x`")]),
    ("lawbook: 1\nrules: [{id: a, arg_rang: {}}]\n", &[("2:17 unknown_key", "`arg_range`?")]),
    (
        "lawbook: 1\nrules: [{id: a, complete: {}, tools: [x]}]\n",
        &[("2:31 unknown_key", "stands inside the kind")],
    ),
    (
        "lawbook: 1\nrules: [{id: a, never: {tools: []}}]\n",
        &[("2:32 empty_list", "name the tools")],
    ),
    (
        "lawbook: 1\nrules: [{id: a, never: {access: write}}]\n",
        &[("2:33 bad_rule", "no tool in the table")],
    ),
    (
        "lawbook: 1\nrules: [{id: a, never: {}}]\n",
        &[("2:24 bad_rule", "needs `tools` or `access`")],
    ),
    (
        "lawbook: 1\nrules: [{id: a, never: {tools: ['deploy(rm)']}}]\n",
        &[("2:33 bad_rule", "selects a command of a tool that is not known")],
    ),
    (
        "lawbook: 1\nrules: [{id: a, never: {tools: ['bash( )']}}]\n",
        &[("2:33 bad_rule", "without words")],
    ),
    (
        "lawbook: 1\nrules: [{id: a, command: {allow: [ls], pick: first}}]\n",
        &[("2:46 bad_rule", "have no order")],
    ),
    (
        "lawbook: 1\nrules: [{id: a, command: {entries: [{verdict: deny, regex: '('}]}}]\n",
        &[("2:60 bad_rule", "no regular expression")],
    ),
    (
        "lawbook: 1\nrules: [{id: a, command: {entries: [{verdict: deny, command: rm, flags: [r]}]}}]\n",
        &[("2:73 bad_rule", "`r` is no option")],
    ),
    (
        "lawbook: 1\nrules: [{id: a, arg_range: {arg: x}}]\n",
        &[("2:28 bad_rule", "needs `min` or `max`")],
    ),
    (
        "lawbook: 1\nrules: [{id: a, arg_range: {arg: x, min: 3, max: 2}}]\n",
        &[("2:42 bad_rule", "`min` 3 is above `max` 2")],
    ),
    (
        "lawbook: 1\nrules: [{id: a, arg_range: {max: '5'}}]\n",
        &[("2:28 missing_key", "needs `arg`"), ("2:34 wrong_shape", "leave out the quotes")],
    ),
    (
        "lawbook: 1\nrules: [{id: a, arg_range: {arg: x, max: 0x10}}]\n",
        &[("2:42 unclear_number", "plain decimal digits")],
    ),
    (
        "lawbook: 1\nrules: [{id: a, arg_in: {arg: x, values: [007, null]}}]\n",
        &[("2:43 unclear_number", "quotes"), ("2:48 bad_rule", "names nothing")],
    ),
    (
        "lawbook: 1\nrules: [{id: a, at_most: {max: 1, per: agent, window: 60}}]\n",
        &[("2:55 wrong_shape", "`30s`")],
    ),
    (
        "lawbook: 1\nrules: [{id: a, arg_equals: {arg: x}}]\n",
        &[("2:29 bad_rule", "needs `session` or `result`")],
    ),
    (
        "lawbook: 1\nrules: [{id: a, arg_equals: {arg: x, session: y, result: {tool: b, path: c}}}]\n",
        &[("2:58 bad_rule", "only one of")],
    ),
    (
        "lawbook: 1\nrules: [{id: a, arg_never_matches: {pattern: '['}}]\n",
        &[("2:46 bad_rule", "is refused")],
    ),
    (
        "lawbook: 1\nrules: [{id: a, confirm: {by: b, bind: [c], same_arg: d}}]\n",
        &[("2:40 bad_rule", "about the user's words")],
    ),
    ("lawbook: 1\nrules: [{id: a, confirm: {same_arg: d}}]\n", &[("2:37 bad_rule", "needs `by`")]),
    (
        "lawbook: 1\nrules: [{id: a, require_before: {first: b, result: [{path: c, equals: 1, in: [2]}]}}]\n",
        &[("2:78 bad_rule", "only one of")],
    ),
    (
        "lawbook: 1\nrules: [{id: a, when: args.x < 'b', complete: {}}]\n",
        &[("2:23 bad_condition", "compare numbers")],
    ),
    (
        "lawbook: 1\nrules: [{id: a, when: \"args.x == sms\", complete: {}}]\n",
        &[("2:34 bad_condition", "put text in quotes")],
    ),
    (
        "lawbook: 1\nwaivers: [{rule: a, why: b, by: c, until: soon}]\n",
        &[("2:18 unknown_rule", "no rule has the id"), ("2:43 wrong_shape", "`2027-01-31`")],
    ),
    (
        "lawbook: 1\nwaivers: [{rule: denied_patterns}]\n",
        &[("2:11 missing_key", "needs `why`"), ("2:11 missing_key", "needs `by`")],
    ),
    ("lawbook: 1\nname: [a\n", &[("3:1 not_yaml", "this is no YAML")]),
    ("- lawbook: 1\n", &[("", "no policy in any dialect")]),
];

#[test]
fn every_problem_is_told_at_its_place() {
    for (text, told) in REFUSED {
        let loaded = loaded(text);
        assert!(loaded.policy.is_none(), "{text}");
        let shown: Vec<String> = loaded.problems.iter().map(|it| it.to_string()).collect();
        assert_eq!(loaded.problems.len(), told.len(), "{text}: {shown:#?}");
        for (problem, (place, words)) in loaded.problems.iter().zip(*told) {
            let at = (problem.line.unwrap_or(0), problem.column.unwrap_or(0));
            let found = format!("{}:{} {}", at.0, at.1, problem.code);
            assert!(place.is_empty() || found == *place, "{text}: {shown:#?} at {found}");
            assert!(problem.to_string().contains(words), "{text}: {shown:#?}");
        }
    }
}

/// What counts as a yes where a policy says nothing.
fn consent() -> lawbook_rule::kinds::Consent {
    use lawbook_event::{EXACT, PatternUse};
    let patterns = super::lower::CONSENT.iter();
    let patterns = patterns.map(|it| EXACT.pattern(it, true, PatternUse::Allow).unwrap());
    lawbook_rule::kinds::Consent::new(
        patterns.collect(),
        lawbook_rule::kinds::Refusals::OutsideMatch,
    )
}

#[test]
fn a_yes_is_told_from_what_only_holds_the_word() {
    let consent = consent();
    for (text, is_yes) in [
        ("yes", true),
        ("Yes, go ahead", true),
        ("yes please!", true),
        ("Yep, that's right.", true),
        ("I confirm the refund of 80.", true),
        ("Please do it", true),
        ("go ahead,\nthanks", true),
        ("Approved", true),
        ("agreed", true),
        ("No", false),
        ("yes?", false),
        ("Yes? What would that cost", false),
        ("Should I say yes？", false),
        ("yes, but only 40", false),
        ("yes, only the first one", false),
        ("Yes. However, change the amount", false),
        ("why would I confirm that", false),
        ("how do I say yes", false),
        ("what was confirmed", false),
        ("which one should go ahead", false),
        ("don't do it", false),
        ("yes if it is free", false),
        ("maybe", false),
        ("yesterday", false),
    ] {
        assert_eq!(consent.is_yes(text), is_yes, "{text}");
    }
}

#[test]
fn problems_are_bounded() {
    let keys: String = (0..1_000).map(|it| format!("key{it}: 1\n")).collect();
    let loaded = loaded(&format!("lawbook: 1\n{keys}"));
    assert_eq!(loaded.problems.len(), PROBLEMS_MAX + 1);
    assert!(loaded.problems[PROBLEMS_MAX].message.contains("800 more"));
}

#[test]
fn the_defaults_compile() {
    for (patterns, count) in [(super::lower::DENIED_PATTERNS, 5), (super::lower::CONSENT, 1)] {
        assert_eq!(patterns.len(), count);
        for pattern in patterns {
            let compiled =
                lawbook_event::EXACT.pattern(pattern, true, lawbook_event::PatternUse::Deny);
            assert!(compiled.is_ok(), "{pattern}: {compiled:?}");
        }
    }
}

#[test]
fn consent_is_a_yes_without_a_no() {
    let yes = consent();
    for (text, consents) in [
        ("Yes", true),
        ("yes please", true),
        ("ok, go ahead\nthank you", true),
        ("I confirm.", true),
        ("no", false),
        ("yes, but not today", false),
        ("please don't proceed", false),
        ("I don\u{2019}t confirm", false),
        ("what if I say yes?", false),
        ("yesterday", false),
        ("wait, yes? hold on", false),
        ("", false),
    ] {
        assert_eq!(yes.is_yes(text), consents, "{text}");
    }
}

#[test]
fn an_action_has_at_least_its_own_words_and_at_most_eight() {
    let text = |arity: &str| {
        format!("{{lawbook: 1, rules: [{{id: shell, command: {{allow: [ls], arity: {arity}}}}}]}}")
    };
    let policy = policy(&text("{mytool: 2, mytool  deploy: 3, other: 8}"));
    let arity = policy.rules.iter().find_map(|it| it.body.arity()).unwrap();
    let entries: Vec<(&str, usize)> = arity.iter().collect();
    assert_eq!(entries, [("mytool", 2), ("mytool deploy", 3), ("other", 8)]);
    for wrong in ["{mytool deploy: 1}", "{other: 9}", "{other: 0}", "{other: two}", "{}", "[other]"]
    {
        assert!(loaded(&text(wrong)).policy.is_none(), "{wrong}");
    }
}

#[test]
fn one_argument_or_all_paths_are_searched() {
    let text =
        "{lawbook: 1, rules: [{id: keys, arg_never_matches: {arg: a, args: paths, pattern: x}}]}";
    let problems = loaded(text).problems;
    assert!(problems.iter().any(|it| it.message.contains("both where to search")), "{problems:?}");
}
