//! Policies that were converted find what the source finds, wherever the report says "carried".

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::panic,
    clippy::string_slice
)]

use std::path::{Path, PathBuf};
use std::sync::Arc;

use lawbook_dialect::{Converted, Options, convert, load};
use lawbook_engine::{Engine, check};
use lawbook_rule::Profile;
use lawbook_trace::{Limits, Readings, Source, read};

/// A finding: the rule, the step, and the message where both sides say the same words.
type Line = (String, Option<u32>);

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// What a policy in the strict reading finds in a text of traces, under the full reading.
fn findings(policy: &str, traces: &str, keep: &dyn Fn(&str) -> Option<String>) -> Vec<Line> {
    let options = Options { profile: Some(Profile::Strict), ..Options::default() };
    let loaded = load("policy", policy.as_bytes(), &options);
    let policy = loaded.policy.unwrap_or_else(|| panic!("{:?}\n{policy}", loaded.problems));
    let engine = Engine::new(vec![Arc::new(policy)], None);
    let mut lines = Vec::new();
    let mut take = |session: lawbook_trace::Session<'_>| {
        let found = check(&engine, &session.events).findings;
        lines.extend(found.iter().filter_map(|it| Some((keep(&it.rule)?, it.step))));
    };
    let source = Source::new("traces");
    read(traces.as_bytes(), None, Readings::FULL, &source, &Limits::default(), &mut take);
    lines.sort();
    lines
}

/// The rules that are carried over find the same on both sides. Says how much that was.
fn agree(about: &str, policy: &str, to: &str, traces: &str) -> usize {
    let converted = convert("policy", policy.as_bytes(), &Options::default(), to)
        .unwrap_or_else(|problems| panic!("{about}: {problems:?}"));
    let carried: Vec<_> = converted.fates.iter().filter(|it| it.word() == "carried").collect();
    // One rule may become several, so findings are named by the rule of the source.
    // What a table says of its tools has one id in findings and a tool behind it in the report.
    let id = |it: &str| it.split_once(", ").map_or(it, |it| it.0).to_owned();
    let own = |rule: &str| carried.iter().any(|it| id(&it.rule) == rule).then(|| rule.to_owned());
    let other = |rule: &str| {
        let from = carried.iter().find(|it| it.into.iter().any(|into| into == rule));
        from.map(|it| id(&it.rule))
    };
    let there = findings(policy, traces, &own);
    assert_eq!(there, findings(&converted.text, traces, &other), "{about}\n{}", converted.text);
    there.len()
}

#[derive(serde::Deserialize)]
struct Case {
    #[serde(default)]
    policy: Option<serde_json::Value>,
    #[serde(default)]
    trace: Option<String>,
}

fn cases(folder: &str) -> Vec<(String, Case)> {
    let mut out = Vec::new();
    for entry in std::fs::read_dir(root().join(folder)).unwrap() {
        let path = entry.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        let case: Case = serde_saphyr::from_str(&text).unwrap();
        out.push((path.display().to_string(), case));
    }
    out.sort_by(|a, b| a.0.cmp(&b.0));
    out
}

#[test]
fn faultgate_policies_find_the_same_as_native_ones() {
    let mut found = 0;
    let mut policies = 0;
    for (name, case) in cases("conformance/dialects/faultgate") {
        let (Some(policy), Some(trace)) = (case.policy, case.trace) else { continue };
        let Some(policy) = policy.as_str().filter(|it| it.trim_start().starts_with('{')) else {
            continue;
        };
        found += agree(&name, policy, "lawbook", &trace);
        policies += 1;
    }
    assert!(policies > 50 && found > 40, "{found} findings of {policies} policies were compared");
}

#[test]
fn pmstack_policies_find_the_same_as_native_ones() {
    let mut found = 0;
    let mut policies = 0;
    for (name, case) in cases("conformance/dialects/pmstack") {
        let (Some(policy), Some(trace)) = (case.policy, case.trace) else { continue };
        let Some(policy) = policy.as_str().filter(|it| it.trim_start().starts_with('{')) else {
            continue;
        };
        let strict = Options { profile: Some(Profile::Strict), ..Options::default() };
        // A policy that the strict reading refuses has nothing to be compared with.
        if load(&name, policy.as_bytes(), &strict).problems.is_empty() {
            found += agree(&name, policy, "lawbook", &trace);
            policies += 1;
        }
    }
    assert!(policies > 30 && found > 20, "{found} findings of {policies} policies were compared");
}

/// What pmstack has a rule for that means the same, over the same tools.
const FOR_PMSTACK: &str = "\
lawbook: 1
default: deny
denied_patterns: []
tools: {get_parcel: {}, issue_credit: {}, change_address: {}, verify_identity: {}}
rules:
  - {id: cap, arg_range: {tools: [issue_credit], arg: amount, min: 20, max: 100}}
  - {id: carries, arg_required: {tools: [issue_credit, change_address], args: [ticket, parcel_id]}}
  - {id: once, at_most: {tools: [issue_credit], max: 1, successes: true}}
  - {id: off, never: {tools: [change_address]}}
  - {id: late, arg_never_matches: {tools: [issue_credit], arg: reason, pattern: [late, lost]}}
  - id: same
    arg_equals: {tools: [issue_credit], arg: parcel_id, result: {tool: get_parcel, path: parcel_id}}
  - id: phone
    when: session.metadata.channel == \"phone\"
    never: {tools: [change_address, issue_credit]}
";

#[test]
fn native_policies_find_the_same_as_pmstack_ones() {
    let traces = std::fs::read_to_string(root().join("examples/support/traces.jsonl")).unwrap();
    let converted = convert("p", FOR_PMSTACK.as_bytes(), &Options::default(), "pmstack").unwrap();
    let words: Vec<String> = converted
        .fates
        .iter()
        .map(|it| format!("{} {} {:?}", it.rule, it.word(), it.differs))
        .collect();
    assert!(words.iter().all(|it| it.ends_with("carried []")), "{words:?}");
    assert!(agree("native", FOR_PMSTACK, "pmstack", &traces) > 20);
}

const NATIVE: &str = "\
lawbook: 1
default: deny
denied_patterns: [passwd]
tools: {get_parcel: {}, issue_credit: {}, change_address: {}, verify_identity: {}}
rules:
  - {id: cap, arg_range: {tools: [issue_credit], arg: amount, min: 20, max: 100}}
  - {id: known, arg_in: {tools: [issue_credit], arg: reason, values: [late, lost]}}
  - {id: carries, arg_required: {tools: [issue_credit, change_address], args: [ticket]}}
  - {id: short, arg_size: {max_chars: 60}}
  - {id: once, at_most: {tools: [issue_credit], max: 1, per: customer_id, successes: true}}
  - {id: few, at_most: {max: 1, per: session}}
  - {id: looked, require_before: {tools: [issue_credit, change_address], first: [verify_identity]}}
  - {id: by-tool, confirm: {tools: [change_address], by: get_parcel, same_arg: parcel_id}}
  - {id: off, never: {tools: [change_address]}}
  - {id: whole, complete: {}}
";

#[test]
fn native_policies_find_the_same_as_faultgate_ones() {
    let traces = std::fs::read_to_string(root().join("examples/support/traces.jsonl")).unwrap();
    let converted = convert("p", NATIVE.as_bytes(), &Options::default(), "faultgate").unwrap();
    let words: Vec<String> =
        converted.fates.iter().map(|it| format!("{} {}", it.rule, it.word())).collect();
    assert!(words.iter().all(|it| it.ends_with("carried")), "{words:?}");
    // A tool that is never called is off the list of those that may be, and so is objected to by
    // one rule there and by two here.
    let policy = NATIVE.replace("  - {id: off, never: {tools: [change_address]}}\n", "");
    assert!(agree("native", &policy, "faultgate", &traces) > 30);
}

#[test]
fn a_policy_in_its_own_dialect_keeps_what_it_finds() {
    let traces = std::fs::read_to_string(root().join("examples/support/traces.jsonl")).unwrap();
    for file in ["examples/support/lawbook.yaml", "examples/support/faultgate.json"] {
        let policy = std::fs::read_to_string(root().join(file)).unwrap();
        let to = if file.ends_with("yaml") { "lawbook" } else { "faultgate" };
        assert!(agree(file, &policy, to, &traces) > 0, "{file}");
    }
}

/// There and back again: what is carried twice finds the same.
#[test]
fn there_and_back_finds_the_same() {
    let traces = std::fs::read_to_string(root().join("examples/support/traces.jsonl")).unwrap();
    let policy = std::fs::read_to_string(root().join("examples/support/faultgate.json")).unwrap();
    let there: Converted = convert("p", policy.as_bytes(), &Options::default(), "lawbook").unwrap();
    let back = convert("p", there.text.as_bytes(), &Options::default(), "faultgate").unwrap();
    let all = |_: &str| Some(String::new());
    assert_eq!(findings(&policy, &traces, &all), findings(&back.text, &traces, &all));
}
