//! `project`: pmstack's own files, with the policy check in them.

use serde_json::{Value, json};

use crate::room::Room;

const POLICY: &str = r#"{"format": "pmstack.policy/1", "onlyListedTools": true,
  "tools": {"find": {"access": "read"}, "pay": {"access": "write", "maxPerTrace": 1}},
  "rules": [{"id": "cap", "type": "arg-max", "tools": ["pay"], "argPath": "amount", "max": 50.0}]}"#;

/// A project as pmstack writes it, with keys and a number that nobody here knows.
const PROJECT: &str = r#"{
  "format": "pmstack.project/1",
  "revision": 7,
  "id": "shop",
  "name": "Shop",
  "weight": 1.50,
  "experience": {
    "product": "Shop agent",
    "userLabel": "shopper",
    "stages": [
      {"id": "look", "column": "gather"},
      {"id": "do", "column": "act"},
      {"id": "do-more", "column": "act"}
    ],
    "fieldMap": null
  },
  "tracesFile": null,
  "traces": [],
  "modes": [
    {
      "id": "fm-rude",
      "kind": "failure",
      "name": "Rude",
      "own": {"z": 1, "a": 2}
    }
  ],
  "checks": [
    {
      "id": "ck-short",
      "modeId": "fm-rude",
      "type": "code",
      "name": "Short",
      "ci": true
    }
  ],
  "updatedAt": "2026-01-01T00:00:00.000Z"
}
"#;

fn trace(id: &str, channel: &str, calls: &[(&str, &str)]) -> Value {
    let mut messages = vec![json!({"role": "user", "content": "yes"})];
    for (at, (tool, args)) in calls.iter().enumerate() {
        let call = format!("c{at}");
        messages.push(json!({"role": "assistant", "content": "", "tool_calls": [
            {"id": call, "function": {"name": tool, "arguments": args}}]}));
        messages.push(
            json!({"role": "tool", "tool_call_id": call, "content": "{\"status\": \"done\"}"}),
        );
    }
    json!({"id": id, "metadata": {"channel": channel}, "messages": messages})
}

fn traces() -> Vec<Value> {
    vec![
        trace("t-1", "chat", &[("find", "{}"), ("pay", "{\"amount\": 20}")]),
        trace("t-2", "sms", &[("pay", "{\"amount\": 80}")]),
        trace("t-3", "chat", &[("drop", "{}")]),
        trace("t-4", "chat", &[("pay", "{\"amount\": 1}"), ("pay", "{\"amount\": 1}")]),
    ]
}

fn lines(traces: &[Value]) -> String {
    traces.iter().map(|it| format!("{it}\n")).collect()
}

fn room() -> Room {
    let room = Room::new(&[("policy.json", POLICY), ("fresh.jsonl", &lines(&traces()))]);
    let traces = serde_json::to_string(&traces()).unwrap();
    let project = PROJECT.replace("\"traces\": []", &format!("\"traces\": {traces}"));
    room.write("pm/project.json", project.as_bytes());
    room
}

#[test]
fn check_calls_the_user_what_the_project_calls_them() {
    let policy =
        r#"{"format": "pmstack.policy/1", "tools": {"pay": {"access": "write", "confirm": true}}}"#;
    let room = room();
    room.write("ask.json", policy.as_bytes());
    let messages = json!([{"role": "assistant", "content": "", "tool_calls": [
        {"id": "c0", "function": {"name": "pay", "arguments": "{}"}}]}]);
    let traces = serde_json::to_string(&json!([{"id": "t-1", "messages": messages}])).unwrap();
    let project = PROJECT.replace("\"traces\": []", &format!("\"traces\": {traces}"));
    room.write("asks.json", project.as_bytes());
    let ran = room.run("check asks.json --policy ask.json");
    assert!(ran.out.contains("the shopper says yes"), "{}", ran.out);
    let ran = room.run("check asks.json --policy ask.json --user-word guest");
    assert!(ran.out.contains("the guest says yes"), "{}", ran.out);
}

const ADD: &str = "project add pm/project.json --policy policy.json";

#[test]
fn a_policy_check_is_written_into_a_project_and_the_rest_stays() {
    let room = room();
    let before = room.read("pm/project.json");
    let ran = room.run(&format!("{ADD} --ci"));
    assert_eq!(ran.code, 0, "{}", ran.err);
    let wanted = "new check ck-tool-policy on new failure mode fm-breaks-a-tool-policy: runs on \
                  every change\nbreaks the policy in 3 of 4 traces\n";
    assert_eq!(ran.out, wanted);
    let after = room.read("pm/project.json");
    // Every line that stood there still does, in its order; only what counts a change up is new.
    let mut left = after.lines();
    for line in before.lines().filter(|it| !it.contains("revision") && !it.contains("updatedAt")) {
        let bare = line.trim_end_matches(',');
        assert!(left.any(|it| it.trim_end_matches(',') == bare), "{line}\n{after}");
    }
    let project: Value = serde_json::from_str(&after).unwrap();
    assert_eq!(project["revision"], 8);
    assert_ne!(project["updatedAt"], "2026-01-01T00:00:00.000Z");
    let mode = &project["modes"][1];
    assert_eq!((&mode["name"], &mode["stage"]), (&json!("Breaks a tool policy"), &json!("do")));
    assert_eq!((&mode["template"], &mode["kind"]), (&json!("policy"), &json!("failure")));
    let check = &project["checks"][1];
    assert_eq!(check["policy"], serde_json::from_str::<Value>(POLICY).unwrap());
    assert!(after.contains("\"max\": 50.0"), "numbers stay as they are written");
    let keys: Vec<&String> = check.as_object().unwrap().keys().collect();
    assert_eq!(keys.len(), 8, "{keys:?}");
}

#[test]
fn a_check_that_is_there_gets_the_new_policy() {
    let room = room();
    assert_eq!(room.run(&format!("{ADD} --ci")).code, 0);
    room.write("policy.json", POLICY.replace("50.0", "90").as_bytes());
    let ran = room.run(ADD);
    let wanted = "check ck-tool-policy on failure mode fm-breaks-a-tool-policy: does not run on \
                  every change\nbreaks the policy in 2 of 4 traces\n";
    assert_eq!(ran.out, wanted, "{}", ran.err);
    let project: Value = serde_json::from_str(&room.read("pm/project.json")).unwrap();
    assert_eq!(project["checks"].as_array().unwrap().len(), 2);
    assert_eq!(project["checks"][1]["policy"]["rules"][0]["max"], 90);
    assert_eq!(project["checks"][1]["ci"], false);
    let ran = room.run(&format!("{ADD} --mode fm-rude"));
    assert!(
        ran.out.starts_with("new check ck-tool-policy-2 on failure mode fm-rude"),
        "{}",
        ran.out
    );
    let project: Value = serde_json::from_str(&room.read("pm/project.json")).unwrap();
    assert_eq!(project["modes"][0]["template"], "policy");
    assert_eq!(project["modes"][0]["own"], json!({"z": 1, "a": 2}));
}

#[test]
fn what_may_not_be_written_is_not() {
    let room = room();
    room.write("native.yaml", b"lawbook: 1\ndefault: deny\n");
    room.write("bad.json", POLICY.replace("arg-max", "arg-mx").as_bytes());
    let before = room.read("pm/project.json");
    for (line, wanted) in [
        (
            "project add pm/project.json --policy native.yaml",
            "`lawbook policy convert … --to pmstack`",
        ),
        ("project add pm/project.json --policy bad.json", "rule `cap` has no known `type`"),
        (
            "project add pm/project.json --policy policy.json --mode fm-rud",
            "did you mean `fm-rude`?",
        ),
        ("project add policy.json --policy policy.json", "its format is `pmstack.policy/1`"),
    ] {
        let ran = room.run(line);
        assert_eq!(ran.code, 2, "{line}");
        assert!(ran.err.contains(wanted), "{line}\n{}", ran.err);
    }
    let lock = format!("{{\"pid\": {}, \"url\": \"http://127.0.0.1:4173\"}}", std::process::id());
    room.write("pm/.studio.json", lock.as_bytes());
    let ran = room.run(ADD);
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("the studio has it open"), "{}", ran.err);
    assert_eq!(room.read("pm/project.json"), before);
    // One that was left behind by a studio that is gone stops nothing.
    room.write("pm/.studio.json", b"{\"pid\": 2147483646}");
    assert_eq!(room.run(ADD).code, 0);
}

#[test]
fn checks_are_exported_and_run_over_fresh_traces() {
    let room = room();
    let ran = room.run("project export pm/project.json --out evals/checks.json");
    assert_eq!((ran.code, ran.out.as_str()), (0, "evals/checks.json: 1 check on every change\n"));
    assert_eq!(room.run(&format!("{ADD} --ci")).code, 0);
    assert_eq!(room.run("project export pm/project.json --out evals/checks.json").code, 0);
    let checks: Value = serde_json::from_str(&room.read("evals/checks.json")).unwrap();
    assert_eq!(checks["format"], "pmstack.checks/1");
    assert_eq!(checks["product"], "Shop agent");
    assert_eq!(checks["experience"]["userLabel"], "shopper");
    assert_eq!(checks["checks"][1]["policy"]["rules"][0]["id"], "cap");
    let ran = room.run("project check evals/checks.json");
    assert!(ran.code == 2 && ran.err.contains("--traces"), "{}", ran.err);
    let ran = room.run("project check evals/checks.json --traces fresh.jsonl");
    assert_eq!(ran.code, 1, "{}{}", ran.out, ran.err);
    let wanted = "\
1 policy check, 4 traces

Check            Fails  Errors
ck-tool-policy  3 of 4       0

ck-tool-policy fails: t-2, t-3, t-4
ck-short was not run: it is a code check, and only policies are run
1 of 4 traces pass every check that was run
";
    assert_eq!(ran.out, wanted);
    let ran = room.run("project check evals/checks.json --traces fresh.jsonl --format json");
    let result: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(result["schema"], "lawbook.project_check/1");
    assert_eq!(result["checks"][1]["fails"], json!(["t-2", "t-3", "t-4"]));
    assert_eq!(result["checks"][0]["run"], false);
}

#[test]
fn exit_codes_say_what_stands_first() {
    let room = room();
    assert_eq!(room.run(&format!("{ADD} --ci")).code, 0);
    room.write("good.jsonl", lines(&traces()[..1]).as_bytes());
    let expected = |id: &str| {
        let mut line = traces()[1].clone();
        line["id"] = json!(id);
        line["expected"] = json!({"modes": {"fm-breaks-a-tool-policy": "pass"}});
        format!("{line}\n")
    };
    room.write("back.jsonl", expected("t-2").as_bytes());
    room.write("fine.jsonl", expected("t-1").as_bytes());
    room.write("gone.jsonl", expected("t-9").as_bytes());
    room.write("silent.jsonl", lines(&[trace("t", "chat", &[])]).as_bytes());
    room.write("broken.jsonl", format!("{}nonsense\n", lines(&traces()[..1])).as_bytes());
    let check = "project check pm/project.json";
    for (more, code) in [
        ("", 1),
        ("--traces good.jsonl", 3),
        ("--traces good.jsonl --only-policies", 0),
        ("--only-policies --max-fail 3", 0),
        ("--only-policies --max-fail 2", 1),
        ("--only-policies --max-fail-rate 0.75", 0),
        ("--only-policies --max-fail-rate 0.7", 1),
        ("--only-policies --max-fail-rate 1.5", 2),
        ("--only-policies --max-fail 1 --max-fail-rate 0.5", 2),
        ("--only-policies --expect fine.jsonl", 0),
        ("--only-policies --expect back.jsonl", 1),
        ("--only-policies --expect gone.jsonl", 0),
        ("--only-policies --expect fine.jsonl --max-fail 2", 1),
        ("--traces silent.jsonl --only-policies", 3),
        ("--traces broken.jsonl --only-policies", 2),
        ("--traces broken.jsonl --only-policies --allow-unreadable", 0),
        ("--traces nowhere.jsonl", 2),
    ] {
        let ran = room.run(&format!("{check} {more}"));
        assert_eq!(ran.code, code, "{more}\n{}{}", ran.out, ran.err);
    }
    let ran = room.run(&format!("{check} --only-policies --expect gone.jsonl"));
    assert!(ran.err.contains("regression traces that are not there: t-9"), "{}", ran.err);
}

#[test]
fn a_check_that_cannot_run_is_an_error_before_a_failure() {
    let room = room();
    assert_eq!(room.run(&format!("{ADD} --ci")).code, 0);
    let whole = room.read("pm/project.json");
    room.write("pm/project.json", whole.replace("\"arg-max\"", "\"arg-mx\"").as_bytes());
    let ran = room.run("project check pm/project.json --only-policies");
    assert_eq!(ran.code, 2, "{}", ran.out);
    assert!(
        ran.out.contains("ck-tool-policy could not be run: its policy is refused"),
        "{}",
        ran.out
    );
    assert!(ran.out.contains("0 of 4 traces pass every check"), "{}", ran.out);
    let named = whole.replace("\"ruleIds\": []", "\"ruleIds\": [\"cap\", \"cpa\"]");
    room.write("pm/project.json", named.as_bytes());
    let ran = room.run("project check pm/project.json --only-policies");
    assert_eq!(ran.code, 2, "{}", ran.out);
    let wanted = "could not be run: `ruleIds` names what its policy has not: `cpa`";
    assert!(ran.out.contains(wanted), "{}", ran.out);
}

#[test]
fn a_check_is_about_some_rules_and_some_traces() {
    let room = room();
    assert_eq!(room.run(&format!("{ADD} --ci")).code, 0);
    let whole = room.read("pm/project.json");
    let fails = |project: &str| {
        room.write("pm/project.json", project.as_bytes());
        let ran = room.run("project check pm/project.json --only-policies --format json");
        let result: Value = serde_json::from_str(&ran.out).unwrap();
        result["checks"][0]["fails"].clone()
    };
    assert_eq!(fails(&whole.replace("\"ruleIds\": []", "\"ruleIds\": [\"cap\"]")), json!(["t-2"]));
    let when = |path: &str, equals: &str| {
        let when = format!("\"when\": {{\"path\": \"{path}\", \"equals\": {equals}}}");
        fails(&whole.replace("\"when\": null", &when))
    };
    assert_eq!(when("metadata.channel", "\"sms\""), json!(["t-2"]));
    assert_eq!(when("metadata.channel", "\"chat\""), json!(["t-3", "t-4"]));
    assert_eq!(when("metadata.nothing", "null"), json!(["t-2", "t-3", "t-4"]));
    assert_eq!(when("metadata.nothing", "\"x\""), json!([]));
}

#[test]
fn traces_of_a_project_may_stand_in_a_file_under_other_names() {
    let room = room();
    assert_eq!(room.run(&format!("{ADD} --ci")).code, 0);
    let renamed: Vec<Value> = traces()
        .into_iter()
        .map(|it| json!({"key": it["id"], "metadata": it["metadata"], "talk": it["messages"]}))
        .collect();
    room.write("pm/traces.jsonl", lines(&renamed).as_bytes());
    let mut project: Value = serde_json::from_str(&room.read("pm/project.json")).unwrap();
    project["tracesFile"] = json!("traces.jsonl");
    project.as_object_mut().unwrap().remove("traces");
    project["experience"]["fieldMap"] = json!({"id": "key", "messages": "talk"});
    room.write("pm/project.json", project.to_string().as_bytes());
    let ran = room.run("project check pm/project.json --only-policies");
    assert!(ran.out.contains("ck-tool-policy fails: t-2, t-3, t-4"), "{}{}", ran.out, ran.err);
    assert_eq!(ran.code, 1);
}
