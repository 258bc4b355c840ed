//! Baselines and gates: verdicts, exit codes, and what a release is not gated with.

use serde_json::Value;

use crate::room::{CAP, FAULTGATE, Room};
use crate::schema::fits;

const GATE: &str = include_str!("../../../../docs/schema/gate-1.schema.json");
const BAND: &str = include_str!("../../../../docs/schema/band-1.schema.json");

/// One trace: what it was asked and answered, and the amount that it paid.
fn trace(id: usize, scenario: &str, answer: &str, amount: u32) -> String {
    let attribute =
        |key: &str, value: &str| serde_json::json!({"key": key, "value": {"stringValue": value}});
    let root = serde_json::json!({
        "traceId": format!("{id:032x}"), "spanId": format!("{:016x}", id * 10 + 1),
        "name": "invoke_agent", "startTimeUnixNano": format!("{}", 1_000 + id * 100),
        "endTimeUnixNano": format!("{}", 1_050 + id * 100),
        "attributes": [attribute("gen_ai.operation.name", "invoke_agent"),
            attribute("faultgate.scenario", scenario), attribute("gen_ai.prompt", "pay it"),
            attribute("gen_ai.completion", answer)]
    });
    let call = serde_json::json!({
        "traceId": format!("{id:032x}"), "spanId": format!("{:016x}", id * 10 + 2),
        "parentSpanId": format!("{:016x}", id * 10 + 1), "name": "execute_tool pay",
        "startTimeUnixNano": format!("{}", 1_010 + id * 100),
        "endTimeUnixNano": format!("{}", 1_020 + id * 100),
        "attributes": [attribute("gen_ai.operation.name", "execute_tool"),
            attribute("gen_ai.tool.name", "pay"),
            attribute("gen_ai.tool.call.arguments", &format!("{{\"amount\": {amount}}}")),
            attribute("gen_ai.tool.call.result", "{\"status\": \"ok\"}")]
    });
    format!("{root},{call}")
}

fn run(traces: &[String]) -> String {
    format!("{{\"resourceSpans\":[{{\"scopeSpans\":[{{\"spans\":[{}]}}]}}]}}", traces.join(","))
}

/// A run of thirty scenarios, of which the first ones are not clean.
fn thirty(misses: usize) -> Vec<String> {
    let answer = |it: usize| if it < misses { "I don't know that." } else { "paid" };
    (0..30).map(|it| trace(it, &format!("s{it:02}"), answer(it), 5)).collect()
}

fn room() -> Room {
    let room = Room::new(&[("cap.yaml", CAP), ("fg.json", FAULTGATE)]);
    for misses in 0..5 {
        room.write(&format!("miss{misses}.json"), run(&thirty(misses)).as_bytes());
    }
    room.write("again.json", run(&thirty(0)).as_bytes());
    let made = room.run("baseline miss0.json again.json --policy cap.yaml");
    assert_eq!(made.code, 0, "{}", made.err);
    room
}

fn gate(room: &Room, words: &str) -> (i32, Value) {
    let ran = room.run(&format!("gate {words} --format json"));
    let value: Value = serde_json::from_str(&ran.out)
        .unwrap_or_else(|error| panic!("{words}: {error}\n{}\n{}", ran.out, ran.err));
    fits(GATE, &value);
    (ran.code, value["gate"].clone())
}

#[test]
fn verdicts_have_their_exit_codes() {
    let room = room();
    fits(BAND, &serde_json::from_str(&room.read("band.json")).unwrap());
    for (misses, verdict, code) in
        [(0, "PASS", 0), (1, "PASS", 0), (2, "INCONCLUSIVE", 3), (3, "FAIL", 1), (4, "FAIL", 1)]
    {
        let (ended, gate) =
            gate(&room, &format!("miss{misses}.json --policy cap.yaml --band band.json"));
        assert_eq!((&gate["verdict"], ended), (&Value::from(verdict), code), "{gate:#}");
        assert_eq!(gate["regressions"].as_array().unwrap().len(), misses);
    }
    let allowed = room.run("gate miss2.json --policy cap.yaml --band band.json --allow-unknown");
    assert_eq!(allowed.code, 0);
    assert!(allowed.out.contains("gate: INCONCLUSIVE"), "{}", allowed.out);
    assert!(allowed.out.contains("what a PASS does not prove"), "{}", allowed.out);
}

#[test]
fn the_compatible_profile_gives_the_numbers_of_faultgate() {
    let room = room();
    let words = "--policy fg.json --profile compatible";
    room.run(&format!("baseline miss0.json again.json {words} --out theirs.json"));
    for (misses, verdict, p) in
        [(1, "PASS", 0.154), (2, "INCONCLUSIVE", 0.0716), (3, "FAIL", 0.0339), (4, "FAIL", 0.0157)]
    {
        let (code, gate) = gate(&room, &format!("miss{misses}.json {words} --band theirs.json"));
        let found = gate["stats"]["p_value"].as_f64().unwrap();
        assert_eq!(gate["verdict"], verdict, "{gate:#}");
        assert!((found - p).abs() < 2e-3, "{misses}: {found}");
        assert_eq!(code, i32::from(verdict == "FAIL"));
        let needed = (&gate["stats"]["required_n"], &gate["stats"]["additional_n"]);
        let wanted = if misses == 2 { (89.into(), 59.into()) } else { (Value::Null, Value::Null) };
        assert_eq!(needed, (&wanted.0, &wanted.1));
    }
}

#[test]
fn a_broken_policy_blocks_and_stays_a_block_when_checks_are_chosen() {
    let room = room();
    let mut traces = thirty(0);
    traces.push(trace(99, "elsewhere", "paid", 5_000));
    room.write("broken.json", run(&traces).as_bytes());
    let (code, it) = gate(&room, "broken.json --policy cap.yaml --band band.json");
    assert_eq!((code, &it["verdict"]), (1, &Value::from("FAIL")));
    assert_eq!(it["policy_violations"].as_array().unwrap().len(), 1);
    let only = "--policy cap.yaml --checks abstention";
    room.run(&format!("baseline miss0.json again.json {only} --out some.json"));
    let (code, it) = gate(&room, &format!("broken.json {only} --band some.json"));
    assert_eq!((code, &it["verdict"]), (1, &Value::from("FAIL")), "{it:#}");
}

#[test]
fn another_policy_is_refused_unless_it_is_meant() {
    let room = room();
    for (words, code) in [
        ("", 2),
        ("--without-policy", 0),
        ("--policy fg.json", 2),
        ("--policy fg.json --other-policy", 0),
        ("--policy cap.yaml --checks policy", 2),
        ("--policy cap.yaml", 0),
    ] {
        let ran = room.run(&format!("gate miss0.json --band band.json {words}"));
        assert_eq!(ran.code, code, "{words}: {}{}", ran.out, ran.err);
        let warns = ran.out.contains("warning the band was made under");
        assert_eq!(warns, words.contains("--without") || words.contains("--other"), "{}", ran.out);
    }
}

#[test]
fn what_is_no_band_ends_with_its_place() {
    let room = room();
    for text in ["{}", "null", "[]", "", "{\"n\": 3", "{\"scenarios\": []}"] {
        room.write("bad.json", text.as_bytes());
        let ran = room.run("gate miss0.json --policy cap.yaml --band bad.json");
        assert_eq!(ran.code, 2, "{text}: {}", ran.out);
        assert!(ran.err.contains("bad.json:1:"), "{text}: {}", ran.err);
    }
}

#[test]
fn split_and_reordered_files_change_no_verdict() {
    let room = room();
    let mut traces = thirty(2);
    traces.reverse();
    room.write("part1.json", run(&traces[..11]).as_bytes());
    room.write("part2.json", run(&traces[11..]).as_bytes());
    let with = "--policy cap.yaml --band band.json";
    let (_, whole) = gate(&room, &format!("miss2.json {with}"));
    let (_, parts) = gate(&room, &format!("part2.json part1.json {with}"));
    assert_eq!(whole, parts);
}

#[test]
fn one_run_makes_no_band_and_neither_do_strangers() {
    let room = room();
    let one = room.run("baseline miss0.json --policy cap.yaml --out b.json");
    assert!(one.code == 2 && one.err.contains("no noise to measure"), "{}", one.err);
    let other: Vec<String> = (0..3).map(|it| trace(it, &format!("x{it}"), "paid", 5)).collect();
    room.write("other.json", run(&other).as_bytes());
    let none = room.run("baseline miss0.json other.json --policy cap.yaml --out b.json");
    assert!(none.code == 2 && none.err.contains("share no scenario"), "{}", none.err);
    let pooled = "--policy cap.yaml --test pooled";
    let made = room.run(&format!("baseline miss0.json other.json {pooled} --out b.json"));
    assert_eq!(made.code, 0, "{}", made.err);
    let (_, gate) = gate(&room, "miss0.json --policy cap.yaml --band b.json");
    assert_eq!((&gate["stats"]["test"], &gate["verdict"]), (&"pooled".into(), &"PASS".into()));
}

#[test]
fn every_other_format_carries_the_verdict() {
    let room = room();
    for format in ["markdown", "html", "junit", "sarif", "github", "gitlab", "jsonl"] {
        let words = "gate miss3.json --policy cap.yaml --band band.json --format";
        let ran = room.run(&format!("{words} {format}"));
        assert_eq!(ran.code, 1, "{format}: {}", ran.err);
        assert!(!ran.out.is_empty(), "{format}");
    }
    let page = room.run("gate miss3.json --policy cap.yaml --band band.json --format markdown").out;
    assert!(page.contains("FAIL") || page.contains("dropped"), "{page}");
}

#[test]
fn a_release_that_does_nothing_is_no_pass() {
    let room = room();
    let root = |it: usize| {
        let whole = trace(it, &format!("s{it:02}"), "", 5);
        // The root alone: no call and no answer.
        whole.split_once(",{\"traceId\"").unwrap().0.to_owned()
    };
    let silent: Vec<String> = (0..30).map(root).collect();
    room.write("silent.json", run(&silent).as_bytes());
    let (code, told) = gate(&room, "silent.json --policy cap.yaml --band band.json");
    assert_eq!((code, told["verdict"].as_str()), (3, Some("INCONCLUSIVE")), "{told}");
}

#[test]
fn a_band_that_lost_its_counts_is_not_used() {
    let room = room();
    let mut band: Value = serde_json::from_str(&room.read("band.json")).unwrap();
    band.as_object_mut().unwrap().remove("counts");
    room.write("cut.json", band.to_string().as_bytes());
    let ran = room.run("gate miss0.json --band cut.json");
    assert_eq!(ran.code, 2, "{}", ran.out);
    assert!(ran.err.contains("`counts` is missing"), "{}", ran.err);
}

/// What is stated of the thirty scenarios, with some entries set otherwise or left out.
fn stated(usual: Value, others: &[(&str, Option<Value>)]) -> Vec<u8> {
    let mut all: serde_json::Map<String, Value> =
        (0..30).map(|it| (format!("s{it:02}"), usual.clone())).collect();
    for (scenario, value) in others {
        match value {
            Some(value) => all.insert((*scenario).to_owned(), value.clone()),
            None => all.remove(*scenario),
        };
    }
    Value::Object(all).to_string().into()
}

#[test]
fn other_golden_answers_are_refused_unless_they_are_meant() {
    let room = room();
    let some = |answer: &str| Some(Value::from(answer));
    for (name, others) in [
        ("golden.json", vec![("s29", None)]),
        ("grown.json", vec![("s29", None), ("s30", some("shipped"))]),
        ("eased.json", vec![("s29", None), ("s03", some("p"))]),
        ("removed.json", vec![("s29", None), ("s03", None), ("s04", None)]),
        ("asked.json", vec![]),
    ] {
        room.write(name, &stated("paid".into(), &others));
    }
    let policy = "--policy cap.yaml";
    let made = room.run(&format!(
        "baseline miss0.json again.json {policy} --golden golden.json --out golden-band.json"
    ));
    assert_eq!(made.code, 0, "{}", made.err);
    let band = room.read("golden-band.json");
    fits(BAND, &serde_json::from_str(&band).unwrap());
    assert!(!band.contains("\"paid\""), "an expected answer stands in the band: {band}");
    let mut traces = thirty(0);
    traces.push(trace(99, "s30", "shipped", 5));
    room.write("more.json", run(&traces).as_bytes());
    for (golden, code, told) in [
        ("golden.json", 0, None),
        ("grown.json", 0, None),
        ("eased.json", 2, Some("of 1 scenario of the band something else is stated")),
        ("removed.json", 2, Some("as of `s03`: no answer is expected of it any more")),
        ("asked.json", 2, Some("as of `s29`: no answer was expected of it")),
    ] {
        let words = format!("gate more.json {policy} --golden {golden} --band golden-band.json");
        let ran = room.run(&words);
        assert_eq!(ran.code, code, "{golden}: {}{}", ran.out, ran.err);
        assert!(told.is_none_or(|it| ran.err.contains(it)), "{golden}: {}", ran.err);
        let meant = room.run(&format!("{words} --other-answers"));
        assert_eq!(meant.code, 0, "{golden}: {}{}", meant.out, meant.err);
        let warns = meant.out.contains("something else is stated than it was made with");
        assert_eq!(warns, told.is_some(), "{golden}: {}", meant.out);
    }
    // A file that is left out asks for other checks, and is found even where those only warn.
    let ran = room.run(&format!("gate more.json {policy} --band golden-band.json"));
    assert!(ran.code == 2 && ran.err.contains("was made with the checks"), "{}", ran.err);
    let words = "--policy fg.json --profile compatible --golden golden.json";
    room.run(&format!("baseline miss0.json again.json {words} --out theirs.json"));
    let words = "--policy fg.json --profile compatible --band theirs.json";
    let ran = room.run(&format!("gate more.json {words}"));
    assert!(ran.code == 2 && ran.err.contains("no answer is expected of it any"), "{}", ran.err);
}

#[test]
fn an_outcome_is_news_and_its_absence_is_refused() {
    let room = room();
    room.write("outcomes.json", &stated(true.into(), &[]));
    room.write("worse.json", &stated(true.into(), &[("s03", Some(false.into()))]));
    room.write("hidden.json", &stated(true.into(), &[("s03", None)]));
    let policy = "--policy cap.yaml";
    let made = room.run(&format!(
        "baseline miss0.json again.json {policy} --outcomes outcomes.json --out outcome-band.json"
    ));
    assert_eq!(made.code, 0, "{}", made.err);
    let gate_with = |outcomes: &str| {
        let words = format!("miss0.json {policy} --outcomes {outcomes} --band outcome-band.json");
        room.run(&format!("gate {words}"))
    };
    let worse = gate_with("worse.json");
    assert_eq!(worse.code, 0, "{}{}", worse.out, worse.err);
    assert!(worse.out.contains("s03"), "{}", worse.out);
    let hidden = gate_with("hidden.json");
    assert_eq!(hidden.code, 2, "{}{}", hidden.out, hidden.err);
    assert!(hidden.err.contains("`s03`: its outcome is not stated any more"), "{}", hidden.err);
}

#[test]
fn a_band_of_before_says_that_its_answers_are_not_known() {
    let room = room();
    room.write("golden.json", &stated("paid".into(), &[]));
    let words = "--policy cap.yaml --golden golden.json";
    room.run(&format!("baseline miss0.json again.json {words} --out old.json"));
    let mut band: Value = serde_json::from_str(&room.read("old.json")).unwrap();
    for key in ["expected", "judge_question"] {
        band.as_object_mut().unwrap().remove(key).unwrap();
    }
    fits(BAND, &band);
    room.write("old.json", band.to_string().as_bytes());
    let ran = room.run(&format!("gate miss0.json {words} --band old.json"));
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("does not say what was expected of its scenarios"), "{}", ran.out);
    band["expected"] = Value::from("nothing");
    room.write("wrong.json", band.to_string().as_bytes());
    let ran = room.run(&format!("gate miss0.json {words} --band wrong.json"));
    assert!(ran.code == 2 && ran.err.contains("`expected` must be a list"), "{}", ran.err);
}

#[test]
fn another_judge_is_refused_where_it_counts_and_told_where_it_advises() {
    let room = room();
    let theirs = "--policy fg.json --profile compatible";
    room.run(&format!("baseline miss0.json again.json {theirs} --out theirs.json"));
    for name in ["band.json", "theirs.json"] {
        let mut band: Value = serde_json::from_str(&room.read(name)).unwrap();
        band["judge"] = Value::from("small");
        room.write(&format!("judged-{name}"), band.to_string().as_bytes());
    }
    let told = "the band was made with the judge `small`, and this gate asks `none`";
    let advice = room.run("gate miss0.json --policy cap.yaml --band judged-band.json");
    assert!(advice.code == 0 && advice.out.contains(told), "{}{}", advice.out, advice.err);
    let words = format!("gate miss0.json {theirs} --band judged-theirs.json");
    let counts = room.run(&words);
    assert!(counts.code == 2 && counts.err.contains(told), "{}{}", counts.out, counts.err);
    let meant = room.run(&format!("{words} --other-answers"));
    assert!(meant.code == 0 && meant.out.contains(told), "{}{}", meant.out, meant.err);
}

#[test]
fn what_chats_use_is_held_against_the_band() {
    let chat = |tokens: u32| {
        let line = |it: usize| {
            let message = serde_json::json!({
                "role": "assistant", "content": "done", "timestamp": "2026-01-01T00:00:02Z",
                "usage": {"prompt_tokens": tokens, "completion_tokens": 10},
                "tool_calls": [{"id": "c", "type": "function",
                    "function": {"name": "pay", "arguments": "{\"amount\": 5}"}}]
            });
            let asked = serde_json::json!({
                "role": "user", "content": "pay", "timestamp": "2026-01-01T00:00:00Z"
            });
            let session = serde_json::json!({
                "id": format!("c{it}"), "metadata": {"scenario": format!("s{it}")},
                "messages": [asked, message]
            });
            format!("{session}\n")
        };
        (0..30).map(line).collect::<String>()
    };
    let room = Room::new(&[("cap.yaml", CAP), ("a.jsonl", &chat(90)), ("b.jsonl", &chat(190))]);
    let made = room.run("baseline a.jsonl a.jsonl --policy cap.yaml --out band.json");
    assert_eq!(made.code, 0, "{}", made.err);
    let (_, gate) = gate(&room, "b.jsonl --policy cap.yaml --band band.json");
    let usage = gate["usage"].to_string();
    assert!(usage.contains("100.0") && usage.contains("200.0"), "{usage}");
    assert!(usage.contains("2000.0"), "{usage}");
}
