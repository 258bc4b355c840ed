//! What is written fits the JSON Schema that documents it.

use serde_json::Value;

use crate::room::{CAP, FAULTGATE, Room, line};

const SCHEMA: &str = include_str!("../../../../docs/schema/report-1.schema.json");

#[test]
fn reports_fit_their_schema() {
    let schema: Value = serde_json::from_str(SCHEMA).unwrap();
    let room = Room::new(&[("cap.yaml", CAP), ("fg.json", FAULTGATE)]);
    let text = [
        line("a", "pay", r#"{"amount": 99}"#),
        line("b", "send", "{}"),
        "not json\n".to_owned(),
        "{\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}]}\n".to_owned(),
    ];
    room.write("t.jsonl", text.concat().as_bytes());
    for words in ["--policy cap.yaml", "--policy cap.yaml --policy fg.json --group-by x", ""] {
        let ran = room.run(&format!("check t.jsonl {words} --format json"));
        let report: Value = serde_json::from_str(&ran.out).unwrap();
        assert!(report["sessions"].as_array().unwrap().len() >= 3);
        let wrong = complaints(&schema, &schema, &report, "");
        assert!(wrong.is_empty(), "{words}:\n{}", wrong.join("\n"));
    }
}

/// Every other output that has a schema, and the command that gives it.
const OUTPUTS: &[(&str, &str)] = &[
    ("tools-1", "tools t.jsonl --policy cap.yaml --format json"),
    ("tools-1", "tools t.jsonl --format json"),
    ("review_state-1", "review r.yaml --format json"),
    ("agreement-1", "agreement t.jsonl --policy cap.yaml --labels l.csv --format json"),
    (
        "agreement-1",
        "agreement t.jsonl --policy cap.yaml --labels l.csv --notes r.yaml --format json",
    ),
    ("closing-1", "closing t.jsonl --policy cap.yaml --format json"),
    (
        "closing-1",
        "closing t.jsonl --policy cap.yaml --review r.yaml --proven p.json --runs-in b.yml \
         --runs-in c.json --format json",
    ),
    ("questions-1", "policy init t.jsonl --print-questions"),
    ("questions-1", "policy init --print-questions"),
    ("convert-1", "policy convert cap.yaml --to pmstack --format json"),
    ("policy_diff-1", "policy diff cap.yaml deny.yaml --traces t.jsonl --format json"),
    ("policy_diff-1", "policy diff cap.yaml cap.yaml --traces no.jsonl --format json"),
    ("project_check-1", "project check c.json --traces t.jsonl --format json"),
    ("project_check-1", "project check c.json --traces t.jsonl --expect e.jsonl --format json"),
];

#[test]
fn other_outputs_and_files_fit_their_schemas() {
    let room = Room::new(&[("cap.yaml", CAP)]);
    let text = [
        line("a", "pay", r#"{"amount": 99}"#),
        line("b", "send", "{}"),
        line("c", "get_order", "{}"),
    ];
    room.write("t.jsonl", text.concat().as_bytes());
    room.write("l.csv", b"id,verdict,note\na,problem,x\nb,good,\nc,problem,late\n");
    room.write("deny.yaml", b"lawbook: 1\ndefault: deny\n");
    room.write("no.jsonl", b"no json\n");
    room.write("b.yml", b"- run: lawbook check t.jsonl\n");
    room.write(
        "c.json",
        br#"{"format": "pmstack.checks/1", "checks": [{"id": "ck", "type": "policy", "ci": true}]}"#,
    );
    room.write("e.jsonl", b"{\"id\": \"a\", \"expected\": {\"modes\": {\"m\": \"pass\"}}}\n");
    room.run("check t.jsonl --policy cap.yaml --review r.yaml");
    let agreement = "agreement t.jsonl --policy cap.yaml --labels l.csv";
    room.run(&format!("{agreement} --notes r.yaml --proven-out p.json"));
    for (name, command) in OUTPUTS {
        let ran = room.run(command);
        let value: Value = serde_json::from_str(&ran.out).unwrap();
        fits_named(name, command, &value);
    }
    let proven: Value = serde_json::from_str(&room.read("p.json")).unwrap();
    fits_named("proven-1", "p.json", &proven);
    let review: Value = serde_saphyr::from_str(&room.read("r.yaml")).unwrap();
    assert_eq!(review["notes"][0]["trace"], "c");
    fits_named("review-1", "r.yaml", &review);
    let labels = "schema: lawbook.labels/1\nlabels: [{id: a, verdict: good, modes: [x]}]\n";
    fits_named("labels-1", "labels", &serde_saphyr::from_str(labels).unwrap());
    let answers = "answers: {owner: {choose: A, name: x}, tools: B}\n";
    fits_named("answers-1", "answers", &serde_saphyr::from_str(answers).unwrap());
}

/// Fails unless a value fits the schema of this file in the documentation.
fn fits_named(name: &str, what: &str, value: &Value) {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/schema");
    println!("{what} and {name}");
    fits(&std::fs::read_to_string(format!("{folder}/{name}.schema.json")).unwrap(), value);
}

#[test]
fn a_report_that_does_not_fit_is_noticed() {
    let schema: Value = serde_json::from_str(SCHEMA).unwrap();
    let report = serde_json::json!({"schema": "lawbook.report/2", "sessions": 1, "more": null});
    let wrong = complaints(&schema, &schema, &report, "");
    for part in ["/schema", "/sessions", "/more", "`summary`"] {
        assert!(wrong.iter().any(|it| it.contains(part)), "{part}: {wrong:?}");
    }
}

/// Fails unless a value fits a schema.
pub fn fits(schema: &str, value: &Value) {
    let schema: Value = serde_json::from_str(schema).unwrap();
    let wrong = complaints(&schema, &schema, value, "");
    assert!(wrong.is_empty(), "{value}\n{}", wrong.join("\n"));
}

/// What does not fit, for the words of JSON Schema that the schema uses.
pub fn complaints(root: &Value, schema: &Value, value: &Value, at: &str) -> Vec<String> {
    let mut out = Vec::new();
    for (word, wanted) in schema.as_object().unwrap() {
        match word.as_str() {
            "$ref" => {
                let pointer = wanted.as_str().unwrap().trim_start_matches('#');
                out.extend(complaints(root, root.pointer(pointer).unwrap(), value, at));
            }
            "const" if wanted != value => out.push(format!("{at}: {value} is not {wanted}")),
            "enum" if !wanted.as_array().unwrap().contains(value) => {
                out.push(format!("{at}: {value} is none of {wanted}"));
            }
            "type" if !types(wanted).any(|it| is(it, value)) => {
                out.push(format!("{at}: {value} is not {wanted}"));
            }
            "minimum" if value.as_i64().is_some_and(|it| it < wanted.as_i64().unwrap()) => {
                out.push(format!("{at}: {value} is under {wanted}"));
            }
            "required" if value.is_object() => {
                let missing = wanted.as_array().unwrap().iter().filter_map(Value::as_str);
                let missing = missing.filter(|it| value.get(it).is_none());
                out.extend(missing.map(|it| format!("{at}: `{it}` is missing")));
            }
            "items" => {
                for (place, item) in value.as_array().into_iter().flatten().enumerate() {
                    out.extend(complaints(root, wanted, item, &format!("{at}/{place}")));
                }
            }
            "properties" | "additionalProperties" => {
                for (key, item) in value.as_object().into_iter().flatten() {
                    let own = schema.get("properties").and_then(|it| it.get(key));
                    let place = format!("{at}/{key}");
                    match (word.as_str(), own) {
                        ("properties", Some(own)) => {
                            out.extend(complaints(root, own, item, &place))
                        }
                        ("additionalProperties", None) if wanted == false => {
                            out.push(format!("{place} is not expected"));
                        }
                        ("additionalProperties", None) => {
                            out.extend(complaints(root, wanted, item, &place));
                        }
                        _ => {}
                    }
                }
            }
            _ => {}
        }
    }
    out
}

fn types(wanted: &Value) -> impl Iterator<Item = &str> {
    let many = wanted.as_array().into_iter().flatten().filter_map(Value::as_str);
    wanted.as_str().into_iter().chain(many)
}

fn is(kind: &str, value: &Value) -> bool {
    match kind {
        "null" => value.is_null(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_u64() || value.is_i64(),
        "number" => value.is_number(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        other => panic!("the schema uses `{other}`, which this test does not know"),
    }
}
