//! `lawbook check`: exit codes, selection, layers, and what the report says.

use crate::room::{CAP, FAULTGATE, Room, line};

fn room() -> Room {
    let room = Room::new(&[("cap.yaml", CAP), ("fg.json", FAULTGATE)]);
    room.write("clean.jsonl", line("s1", "pay", r#"{"amount": 1}"#).repeat(2).as_bytes());
    room.write("deny.jsonl", line("s2", "pay", r#"{"amount": 99}"#).repeat(2).as_bytes());
    room.write("ask.jsonl", line("s3", "send", "{}").repeat(2).as_bytes());
    room.write(
        "silent.jsonl",
        "{\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}]}\n".repeat(2).as_bytes(),
    );
    let broken = format!("{}not json\n", line("s2", "pay", r#"{"amount": 99}"#));
    room.write("broken.jsonl", broken.as_bytes());
    room
}

#[test]
fn exit_codes_are_two_before_one_before_three_before_zero() {
    let room = room();
    let table = [
        ("check clean.jsonl", 0),
        ("check deny.jsonl", 1),
        ("check ask.jsonl", 0),
        ("check ask.jsonl --fail-on ask", 1),
        ("check silent.jsonl", 3),
        ("check silent.jsonl --allow-unknown", 3),
        ("check silent.jsonl clean.jsonl", 3),
        ("check silent.jsonl clean.jsonl --allow-unknown", 0),
        ("check silent.jsonl deny.jsonl", 1),
        ("check broken.jsonl", 2),
        ("check broken.jsonl --allow-unreadable", 1),
        ("check broken.jsonl silent.jsonl --allow-unreadable --exit-zero", 0),
        ("check broken.jsonl --exit-zero", 2),
        ("check deny.jsonl --exit-zero", 0),
        ("check silent.jsonl --exit-zero", 0),
        ("check nowhere.jsonl", 2),
        ("check clean.jsonl --jobs 0", 2),
    ];
    for (words, code) in table {
        let ran = room.run(&format!("{words} --policy cap.yaml"));
        assert_eq!(ran.code, code, "{words}\n{}{}", ran.out, ran.err);
    }
}

#[test]
fn no_calls_at_all_is_three_in_every_profile() {
    let room = room();
    for policy in ["cap.yaml", "fg.json", "fg.json --profile strict"] {
        let ran = room.run(&format!("check silent.jsonl --policy {policy}"));
        assert_eq!(ran.code, 3, "{policy}");
        assert!(ran.out.contains("note the input holds no calls"), "{}", ran.out);
    }
}

#[test]
fn a_finding_is_told_with_place_message_rule_and_reason() {
    let ran = room().run("check deny.jsonl --policy cap.yaml");
    let wanted = "\
rule cap (arg_range): 2 findings in 2 sessions
  why: more needs a manager
  session s2  step m1.c0  pay.amount 99 > max 10
  session s2  step m1.c0  pay.amount 99 > max 10

2 sessions, 2 calls: 2 findings in 2 sessions
breaks the policy in 2 of 2 traces
";
    assert!(ran.out.contains(wanted), "{}", ran.out);
    assert!(ran.out.contains("what a clean result does not prove"), "{}", ran.out);
    assert!(!ran.out.contains('\u{1b}'), "no colour where nobody sees it");
}

#[test]
fn all_lists_every_finding_with_its_source() {
    let ran = room().run("check deny.jsonl --policy cap.yaml --all");
    let wanted = "\
session s2 (deny.jsonl:1): deny
  deny step 1 pay: pay.amount 99 > max 10 [cap]
    why: more needs a manager
";
    assert!(ran.out.contains(wanted), "{}", ran.out);
    assert!(ran.out.contains("2 findings in 2 sessions\n  rule cap  2\n"), "{}", ran.out);
}

#[test]
fn a_rule_has_at_most_ten_lines_however_many_workers_there_are() {
    let room = room();
    let lines: String =
        (0..20_000).map(|it| line(&format!("s{it}"), "pay", r#"{"amount": 99}"#)).collect();
    room.write("many.jsonl", lines.as_bytes());
    let one = room.run("check many.jsonl --policy cap.yaml --jobs 1");
    assert!(one.out.contains("  session s9  step"), "{}", one.out);
    assert!(one.out.contains("  and 19990 more; `--all` lists them\n"), "{}", one.out);
    assert_eq!(one.out, room.run("check many.jsonl --policy cap.yaml --jobs 3").out);
}

#[test]
fn clean_sessions_are_counted_and_not_listed() {
    let ran = room().run("check clean.jsonl --policy cap.yaml");
    assert!(!ran.out.contains("session s1"), "{}", ran.out);
    assert!(ran.out.contains("2 sessions, 2 calls: 0 findings in 0 sessions\n"), "{}", ran.out);
}

#[test]
fn faultgate_policies_are_compatible_and_the_report_says_what_strict_adds() {
    let room = room();
    let repeated = line("s9", "pay", r#"{"amount": 99, "amount": 1}"#).repeat(2);
    room.write("repeated.jsonl", repeated.as_bytes());
    let ran = room.run("check repeated.jsonl --policy fg.json");
    assert_eq!(ran.code, 0, "{}", ran.out);
    assert!(ran.out.contains("would add 2 findings\n"), "{}", ran.out);
    let ran = room.run("check repeated.jsonl --policy fg.json --profile strict");
    assert_eq!(ran.code, 1, "{}", ran.out);
    assert!(!ran.out.contains("would add"), "{}", ran.out);
}

#[test]
fn rules_are_chosen_with_and_without_index() {
    let room = room();
    let table = [
        ("--policy fg.json --rules limits", 1),
        ("--policy fg.json --rules limits[0]", 1),
        ("--policy fg.json --ignore limits", 0),
        ("--policy cap.yaml --rules ran_anyway,waiver", 0),
        ("--policy fg.json --rules deny_patterns", 0),
        ("--policy cap.yaml --rules cap", 1),
        ("--policy cap.yaml --ignore cap,ask-first", 0),
    ];
    for (words, code) in table {
        let ran = room.run(&format!("check deny.jsonl {words}"));
        assert_eq!(ran.code, code, "{words}\n{}{}", ran.out, ran.err);
    }
}

#[test]
fn an_unknown_rule_stops_a_native_run_and_is_noted_in_a_compatible_one() {
    let room = room();
    let ran = room.run("check deny.jsonl --policy cap.yaml --rules caps");
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("no policy has a rule `caps`"), "{}", ran.err);
    assert!(ran.err.contains("did you mean `cap`?"), "{}", ran.err);
    let ran = room.run("check deny.jsonl --policy fg.json --ignore nothing");
    assert_eq!(ran.code, 1);
    assert!(ran.out.contains("note no policy has a rule `nothing`"), "{}", ran.out);
}

#[test]
fn a_later_policy_only_tightens() {
    let room = room();
    room.write("open.yaml", b"lawbook: 1\ndefault: allow\n");
    let ran = room.run("check deny.jsonl --policy cap.yaml --policy open.yaml");
    assert_eq!(ran.code, 1);
    let ran = room.run("check deny.jsonl --policy open.yaml --policy cap.yaml --policy fg.json");
    assert!(ran.out.contains("policy 1 open.yaml"), "{}", ran.out);
    let first = ran.out.find("rule cap of policy 2 (arg_range)").unwrap();
    let second = ran.out.find("rule limits[0] of policy 3 (arg_range)").unwrap();
    assert!(first < second, "{}", ran.out);
}

#[test]
fn a_policy_is_found_above_and_else_the_default_patterns_judge() {
    let room = room();
    room.write("deep/er/deny.jsonl", line("s", "pay", r#"{"amount": 99}"#).repeat(2).as_bytes());
    let mut command = room.command("check deny.jsonl");
    command.current_dir(room.folder.join("deep/er"));
    let ran = crate::room::finish(command, "");
    assert_eq!(ran.code, 0, "{}", ran.out);
    assert!(ran.out.contains("faultgate's default denied patterns alone"), "{}", ran.out);
    room.write("lawbook.yaml", CAP.as_bytes());
    let mut command = room.command("check deny.jsonl");
    command.current_dir(room.folder.join("deep/er"));
    let ran = crate::room::finish(command, "");
    assert_eq!(ran.code, 1, "{}", ran.out);
    assert!(ran.out.contains("note policy found at "), "{}", ran.out);
}

#[test]
fn the_environment_mirrors_flags_and_flags_win() {
    let room = room();
    let mut command = room.command("check deny.jsonl");
    command.env("LAWBOOK_POLICY", "cap.yaml").env("LAWBOOK_EXIT_ZERO", "1");
    assert_eq!(crate::room::finish(command, "").code, 0);
    let mut command = room.command("check deny.jsonl --policy cap.yaml");
    command.env("LAWBOOK_POLICY", "nowhere.yaml").env("LAWBOOK_FORMAT", "json");
    let ran = crate::room::finish(command, "");
    assert_eq!(ran.code, 1, "{}", ran.err);
    assert!(ran.out.starts_with("{\"schema\":\"lawbook.report/1\""), "{}", ran.out);
}

#[test]
fn only_new_findings_are_reported_beside_a_known_report() {
    let room = room();
    let made = room.run("check deny.jsonl --policy cap.yaml --format json --output known.json");
    assert_eq!((made.code, made.out.as_str()), (1, ""));
    let ran = room.run("check deny.jsonl --policy cap.yaml --known known.json");
    assert_eq!(ran.code, 0, "{}", ran.out);
    assert!(ran.out.contains("note 2 known findings are left out"), "{}", ran.out);
    room.write("more.jsonl", line("new", "pay", r#"{"amount": 99}"#).repeat(2).as_bytes());
    let ran = room.run("check deny.jsonl more.jsonl --policy cap.yaml --known known.json");
    assert_eq!(ran.code, 1);
    assert!(ran.out.contains("session new") && !ran.out.contains("session s2"), "{}", ran.out);
    room.run("check deny.jsonl --policy cap.yaml --format jsonl --output known.jsonl");
    let ran = room.run("check deny.jsonl --policy cap.yaml --known known.jsonl");
    assert_eq!(ran.code, 0, "{}", ran.out);
    let ran = room.run("check deny.jsonl --policy cap.yaml --known cap.yaml");
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("this is no report"), "{}", ran.err);
}

#[test]
fn sessions_are_grouped_by_an_attribute() {
    let room = room();
    let with = |version: &str, amount: u32| {
        let line = line("s", "pay", &format!("{{\"amount\": {amount}}}"));
        line.replacen('{', &format!("{{\"attributes\":{{\"agent.version\":\"{version}\"}},"), 1)
    };
    let text = [with("1", 99), with("2", 1), with("1", 2), line("s", "pay", "{}")].concat();
    room.write("groups.jsonl", text.as_bytes());
    let ran = room.run("check groups.jsonl --policy fg.json --group-by agent.version");
    let wanted = "\
by `agent.version`:
  group (none)  0 findings in 0 of 1 session
  group 1       1 finding in 1 of 2 sessions
  group 2       0 findings in 0 of 1 session
";
    assert!(ran.out.contains(wanted), "{}", ran.out);
}

#[test]
fn a_report_in_a_file_is_whole_or_not_there() {
    let room = room();
    let ran = room.run("check deny.jsonl --policy cap.yaml --output report.txt");
    assert_eq!((ran.code, ran.out.as_str()), (1, ""));
    assert!(room.read("report.txt").contains("2 findings in 2 sessions"));
    let before = room.read("report.txt");
    let ran = room.run("check deny.jsonl --policy nowhere.yaml --output report.txt");
    assert_eq!(ran.code, 2);
    assert_eq!(room.read("report.txt"), before);
    let ran = room.run("check deny.jsonl --policy cap.yaml --output no/such/folder.txt");
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("it can't be written"), "{}", ran.err);
    assert!(room.names().iter().all(|it| !it.contains("partial")), "{:?}", room.names());
}

#[test]
fn a_reader_that_goes_away_is_no_crash() {
    let room = room();
    let lines: String =
        (0..20_000).map(|it| line(&format!("s{it}"), "pay", r#"{"amount": 99}"#)).collect();
    room.write("many.jsonl", lines.as_bytes());
    let mut command = room.command("check many.jsonl --policy cap.yaml --format jsonl");
    command.stdin(std::process::Stdio::null());
    command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped());
    let mut child = command.spawn().unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
}

#[test]
fn words_of_a_trace_reach_the_terminal_harmlessly() {
    let room = room();
    let evil = r#"{"amount": "::error::\u001b[2J\n::add-mask::x##vso[task]"}"#;
    room.write("evil.jsonl", line("::warning::x", "pay", evil).repeat(2).as_bytes());
    for format in ["text", "json", "jsonl"] {
        let ran = room.run(&format!("check evil.jsonl --policy cap.yaml --format {format}"));
        assert_eq!(ran.code, 1, "{}", ran.out);
        assert!(ran.out.lines().all(|it| !it.trim_start().starts_with("::")), "{}", ran.out);
        assert!(!ran.out.contains('\u{1b}') && !ran.out.contains("##"), "{}", ran.out);
    }
}

#[test]
fn commands_that_are_written_as_text_are_judged() {
    let policy = "{lawbook: 1, default: allow, rules: [{id: shell, command: {default: allow}}]}";
    let room = Room::new(&[("shell.yaml", policy)]);
    let run = r#"{"instance_id": "t-1", "history": [], "trajectory": [
        {"action": "ls", "observation": "a", "response": "", "thought": ""},
        {"action": "rm -rf /", "observation": "", "response": "", "thought": ""}]}"#;
    room.write("t.traj", run.as_bytes());
    let ran = room.run("check t.traj --policy shell.yaml");
    assert!(ran.code == 1 && ran.out.contains("shell"), "{}{}", ran.out, ran.err);
}
