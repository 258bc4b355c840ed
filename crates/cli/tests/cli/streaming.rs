//! Files of lines on several cores: the same report, in the order of the input.

use crate::room::{CAP, Room, line};

fn many(count: usize) -> String {
    (0..count)
        .map(|it| {
            let amount = if it % 97 == 0 { 99 } else { 1 };
            let pad = "x".repeat(it % 700);
            line(
                &format!("s{it}"),
                "pay",
                &format!("{{\"amount\": {amount}, \"note\": \"{pad}\"}}"),
            )
        })
        .collect()
}

#[test]
fn the_report_does_not_depend_on_the_number_of_workers() {
    let room = Room::new(&[("cap.yaml", CAP)]);
    let text = many(8_000);
    assert!(text.len() > 4 << 20, "the file must have many blocks");
    room.write("t.jsonl", text.as_bytes());
    let one = room.run("check t.jsonl --policy cap.yaml --format json --jobs 1");
    assert_eq!(one.code, 1);
    for jobs in [2, 5] {
        let ran = room.run(&format!("check t.jsonl --policy cap.yaml --format json --jobs {jobs}"));
        assert!(ran.out == one.out, "{jobs} jobs");
    }
    let report: serde_json::Value = serde_json::from_str(&one.out).unwrap();
    let sessions = report["sessions"].as_array().unwrap();
    assert_eq!(sessions.len(), 8_000);
    for (number, session) in sessions.iter().enumerate() {
        assert_eq!(session["id"], format!("s{number}"));
        assert_eq!(session["source"], format!("t.jsonl:{}", number + 1));
        assert_eq!(session["verdict"], if number % 97 == 0 { "deny" } else { "allow" });
    }
}

/// A document of traces, each of which begins with the calls of the one before it.
fn conversation(traces: usize) -> String {
    let call = |at: usize| {
        let amount = if at.is_multiple_of(97) { 99 } else { 1 };
        let args = serde_json::json!({"amount": amount, "note": "x".repeat(at % 700)});
        serde_json::json!({"type": "tool_call", "id": format!("c{at}"), "name": "pay", "arguments": args})
    };
    let text =
        |key: &str, value: String| serde_json::json!({"key": key, "value": {"stringValue": value}});
    let said = |role: &str, parts: Vec<serde_json::Value>| {
        serde_json::json!([{"role": role, "parts": parts}]).to_string()
    };
    let span = |at: usize| {
        let history = if at == 0 { Vec::new() } else { vec![call(at - 1)] };
        serde_json::json!({
            "traceId": format!("{at:032x}"),
            "spanId": format!("{at:016x}"),
            "name": "chat",
            "startTimeUnixNano": (at + 1).to_string(),
            "endTimeUnixNano": (at + 1).to_string(),
            "attributes": [
                text("gen_ai.operation.name", "chat".to_owned()),
                text("gen_ai.input.messages", said("assistant", history)),
                text("gen_ai.output.messages", said("assistant", vec![call(at)])),
            ],
        })
    };
    let spans: Vec<_> = (0..traces).map(span).collect();
    serde_json::json!({"resourceSpans": [{"scopeSpans": [{"spans": spans}]}]}).to_string()
}

#[test]
fn the_report_on_one_document_does_not_depend_on_the_number_of_workers() {
    let room = Room::new(&[("cap.yaml", CAP)]);
    let text = conversation(6_000);
    assert!(text.len() > 4 << 20, "the document must be read in halves");
    room.write("t.json", text.as_bytes());
    let one = room.run("check t.json --policy cap.yaml --format json --jobs 1");
    assert_eq!(one.code, 1, "{}", one.err);
    for jobs in [2, 5] {
        let ran = room.run(&format!("check t.json --policy cap.yaml --format json --jobs {jobs}"));
        assert!(ran.out == one.out, "{jobs} jobs");
    }
    let report: serde_json::Value = serde_json::from_str(&one.out).unwrap();
    let sessions = report["sessions"].as_array().unwrap();
    assert_eq!(sessions.len(), 6_000);
    for (number, session) in sessions.iter().enumerate() {
        // The call of the trace before is that trace's alone.
        assert_eq!(
            (&session["id"], &session["calls"]),
            (&format!("{number:032x}").into(), &1.into())
        );
        assert_eq!(session["verdict"], if number % 97 == 0 { "deny" } else { "allow" });
    }
}

#[test]
fn a_line_longer_than_a_block_is_read() {
    let room = Room::new(&[("cap.yaml", CAP)]);
    let long =
        line("long", "pay", &format!("{{\"amount\": 99, \"note\": \"{}\"}}", "y".repeat(3 << 20)));
    let short = line("short", "pay", r#"{"amount": 99}"#);
    for text in
        [format!("{long}{short}{long}"), format!("{short}{long}{short}"), format!("{short}{long}")]
    {
        room.write("t.jsonl", text.as_bytes());
        let ran = room.run("check t.jsonl --policy cap.yaml");
        assert_eq!(ran.code, 1, "{}", ran.err);
        let count = text.lines().count();
        assert!(ran.out.contains(&format!("{count} findings in {count} sessions")), "{}", ran.out);
    }
}

#[test]
fn a_sample_is_the_same_each_time_and_in_order() {
    let room = Room::new(&[("cap.yaml", CAP)]);
    room.write("t.jsonl", many(3_000).as_bytes());
    let of = |jobs: u32| {
        let ran = room.run(&format!(
            "check t.jsonl --policy cap.yaml --sample 50 --format json --jobs {jobs}"
        ));
        let report: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
        let lines: Vec<u64> = report["sessions"]
            .as_array()
            .unwrap()
            .iter()
            .map(|it| it["source"].as_str().unwrap().rsplit(':').next().unwrap().parse().unwrap())
            .collect();
        lines
    };
    let one = of(1);
    assert_eq!(one.len(), 50);
    assert!(one.windows(2).all(|pair| pair[0] < pair[1]), "{one:?}");
    assert!(one[0] < 600 && one[49] > 2_400, "spread over the file: {one:?}");
    assert_eq!(of(4), one);
}

#[test]
fn problems_of_lines_stand_in_order_and_the_rest_is_judged() {
    let room = Room::new(&[("cap.yaml", CAP)]);
    let text: String = many(4_000)
        .lines()
        .enumerate()
        .map(|(at, it)| if at % 500 == 7 { "{broken\n".to_owned() } else { format!("{it}\n") })
        .collect();
    room.write("t.jsonl", text.as_bytes());
    let ran = room.run("check t.jsonl --policy cap.yaml --format json --jobs 3");
    assert_eq!(ran.code, 2);
    let report: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    let lines: Vec<_> = report["problems"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["line"].as_u64().unwrap())
        .collect();
    assert_eq!(lines, [8, 508, 1008, 1508, 2008, 2508, 3008, 3508]);
    assert_eq!(report["summary"]["sessions"], 4_000 - 8);
}

#[test]
fn problems_beyond_the_bound_are_counted_together() {
    let room = Room::new(&[("cap.yaml", CAP)]);
    let broken = "{broken\n".repeat(10_005);
    room.write("t.jsonl", format!("{}{broken}", many(1)).as_bytes());
    let ran = room.run("check t.jsonl --policy cap.yaml --format json");
    let report: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    let problems = report["problems"].as_array().unwrap();
    assert_eq!(problems.len(), 10_001);
    assert_eq!(problems.last().unwrap()["message"], "5 more problems are not listed");
}
