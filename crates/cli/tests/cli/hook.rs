//! `lawbook hook`: what hosts are told when something goes wrong, and settings that are changed and
//! put back.

use std::process::{Command, Stdio};
use std::time::Instant;

use serde_json::Value;

use crate::room::{Ran, Room, finish};

const POLICY: &str = "\
lawbook: 1
default: ask
tools:
  Read: {access: read}
rules:
  - {id: one, at_most: {tools: [Deploy], max: 1}}
";

const HOSTS: [&str; 5] = ["claude-code", "codex", "cursor", "gemini-cli", "opencode"];

fn room() -> Room {
    Room::new(&[("policy.yaml", POLICY), ("broken.yaml", "lawbook: 1\ndefault: perhaps\n")])
}

fn asks(tool: &str, id: &str) -> String {
    format!(
        r#"{{"hook_event_name":"PreToolUse","session_id":"s-1","permission_mode":"default","tool_name":"{tool}","tool_use_id":"{id}","tool_input":{{}}}}"#
    )
}

fn decision(ran: &Ran) -> String {
    let answer: Value = serde_json::from_str(&ran.out).unwrap_or(Value::Null);
    let decision = answer.pointer("/hookSpecificOutput/permissionDecision");
    decision.and_then(Value::as_str).unwrap_or("silence").to_owned()
}

/// The command line that settings of Claude Code hold for an event.
fn installed(room: &Room, event: &str) -> String {
    let settings: Value = serde_json::from_str(&room.read(".claude/settings.json")).unwrap();
    let place = format!("/hooks/{event}/0/hooks/0/command");
    settings.pointer(&place).and_then(Value::as_str).unwrap().to_owned()
}

fn shell(room: &Room, line: &str, input: &str) -> Ran {
    let mut command = Command::new("sh");
    command.arg("-c").arg(line).current_dir(&room.folder).env("HOME", &room.folder);
    command.env_remove("XDG_STATE_HOME").env("CLAUDE_CODE_ENTRYPOINT", "cli");
    finish(command, input)
}

#[test]
fn the_exit_code_is_zero_or_two_whatever_goes_wrong() {
    let room = room();
    for (flags, input) in [
        ("--policy policy.yaml", asks("Read", "a")),
        ("--policy policy.yaml", asks("Edit", "b")),
        ("--policy broken.yaml", asks("Read", "c")),
        ("--policy nowhere.yaml", asks("Read", "d")),
        ("", asks("Read", "e")),
        ("--policy policy.yaml", "nonsense".to_owned()),
        ("--policy policy.yaml", String::new()),
        ("--policy policy.yaml --no-such-flag", asks("Read", "f")),
        ("--policy policy.yaml --store policy.yaml/x", asks("Deploy", "g")),
        ("--policy policy.yaml --on-error perhaps", asks("Read", "h")),
    ] {
        for host in HOSTS {
            let ran = room.run_with(&format!("hook {host} {flags}"), &input);
            assert!(ran.code == 0 || ran.code == 2, "{host} {flags}: {ran:?}");
            assert!(ran.code == 0 || !ran.err.is_empty(), "{host} {flags}: {ran:?}");
        }
    }
    assert_eq!(room.run("hook claude --policy policy.yaml").code, 2);
}

#[test]
fn a_missing_or_broken_policy_denies_and_says_so() {
    let room = room();
    for policy in ["broken.yaml", "nowhere.yaml"] {
        let ran = room.run_with(&format!("hook claude-code --policy {policy}"), &asks("Read", "a"));
        assert_eq!((decision(&ran).as_str(), ran.code), ("deny", 0), "{ran:?}");
        assert!(ran.out.contains(policy), "{ran:?}");
    }
    let line = "hook claude-code --policy broken.yaml --on-error ask";
    assert_eq!(decision(&room.run_with(line, &asks("Read", "a"))), "ask");
}

#[test]
fn an_unusable_store_denies_what_looks_back_and_nothing_else() {
    let room = room();
    let line = "hook claude-code --policy policy.yaml --store policy.yaml/x";
    assert_eq!(decision(&room.run_with(line, &asks("Deploy", "a"))), "deny");
    room.write("plain.yaml", b"{lawbook: 1, default: ask, tools: {Read: {access: read}}}");
    let line = "hook claude-code --policy plain.yaml --store policy.yaml/x";
    assert_eq!(decision(&room.run_with(line, &asks("Read", "a"))), "silence");
}

#[test]
fn an_input_that_never_ends_is_a_block() {
    let room = room();
    let mut command = room.command("hook claude-code --policy policy.yaml");
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let begun = Instant::now();
    let mut child = command.spawn().unwrap();
    let open = child.stdin.take();
    let code = child.wait().unwrap().code();
    drop(open);
    assert_eq!(code, Some(2));
    assert!(begun.elapsed().as_secs() < 10, "the host would have lost its patience");
}

#[cfg(unix)]
#[test]
fn an_answer_that_nobody_reads_is_a_block() {
    let room = room();
    let mut command = room.command("hook claude-code --policy policy.yaml");
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    drop(child.stdout.take());
    let mut input = child.stdin.take().unwrap();
    std::io::Write::write_all(&mut input, asks("Edit", "a").as_bytes()).unwrap();
    drop(input);
    assert_eq!(child.wait().unwrap().code(), Some(2));
}

#[cfg(unix)]
#[test]
fn an_installed_command_blocks_when_its_program_is_gone_killed_or_falls() {
    let room = room();
    assert_eq!(room.run("hook install claude-code --policy policy.yaml").code, 0);
    let line = installed(&room, "PreToolUse");
    let program = std::fs::canonicalize(env!("CARGO_BIN_EXE_lawbook")).unwrap();
    let program = program.display().to_string();
    assert!(line.starts_with(&program), "{line}");
    assert_eq!(decision(&shell(&room, &line, &asks("Edit", "a"))), "ask");
    for (name, text) in [("kill", "kill -9 $$"), ("fall", "exit 101"), ("one", "exit 1")] {
        let path = room.folder.join(name);
        room.write(name, format!("#!/bin/sh\n{text}\n").as_bytes());
        let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
        std::fs::set_permissions(&path, mode).unwrap();
        let line = line.replace(&program, &path.display().to_string());
        let ran = shell(&room, &line, &asks("Read", "b"));
        assert_eq!(ran.code, 2, "{name}: {ran:?}");
        assert!(ran.err.contains("could not answer"), "{name}: {ran:?}");
    }
    let gone = line.replace(&program, "/nowhere/lawbook");
    assert_eq!(shell(&room, &gone, &asks("Read", "c")).code, 2);
    // What waits for no verdict stops nothing.
    let stop = installed(&room, "Stop").replace(&program, "/nowhere/lawbook");
    assert_eq!(shell(&room, &stop, "{}").code, 0);
}

#[test]
fn settings_are_changed_and_put_back_to_the_byte() {
    let before = "{\n  // mine\n  \"model\": \"x\",\n}\n";
    for (host, file) in [
        ("claude-code", ".claude/settings.json"),
        ("codex", ".codex/hooks.json"),
        ("cursor", ".cursor/hooks.json"),
        ("gemini-cli", ".gemini/settings.json"),
    ] {
        let room = room();
        room.write(file, before.as_bytes());
        let install = format!("hook install {host} --policy policy.yaml");
        let dry = room.run(&format!("{install} --dry-run"));
        assert!(dry.code == 0 && dry.out.contains("\n+") && room.read(file) == before, "{dry:?}");
        assert_eq!(room.run(&install).code, 0);
        let after = room.read(file);
        assert!(after.contains("// mine") && after.contains("lawbook"), "{after}");
        assert!(room.run(&install).out.contains("set up already"), "{host}");
        assert_eq!(room.read(file), after);
        assert_eq!(room.run(&format!("hook status {host}")).code, 0, "{host}");
        assert_eq!(room.run(&format!("hook uninstall {host}")).code, 0);
        assert_eq!(room.read(file), before);
    }
}

#[test]
fn an_installed_command_has_the_flags_that_it_was_set_up_with() {
    let room = Room::new(&[("fg.json", crate::room::FAULTGATE)]);
    let flags = "--profile compatible --redact off --unattended";
    let ran = room.run(&format!("hook install claude-code --policy fg.json {flags}"));
    assert_eq!(ran.code, 0, "{}", ran.err);
    let line = installed(&room, "PreToolUse");
    for flag in ["--profile compatible", "--redact off", "--unattended"] {
        assert!(line.replace(['\'', '"'], "").contains(flag), "{flag}: {line}");
    }
}

#[test]
fn what_was_not_there_is_taken_away_again() {
    let room = room();
    let install = "hook install opencode --project --policy policy.yaml";
    assert_eq!(room.run(install).code, 0);
    let script = room.read(".opencode/plugins/lawbook.js");
    assert!(script.contains("\"hook\",\"opencode\",\"--policy\""), "{script}");
    assert_eq!(room.run("hook uninstall opencode --project").code, 0);
    assert!(!room.folder.join(".opencode/plugins/lawbook.js").exists());
}

#[test]
fn settings_that_others_changed_keep_their_changes() {
    let room = room();
    room.run("hook install claude-code --policy policy.yaml");
    let text = room.read(".claude/settings.json");
    let changed = text.replacen('{', "{\n  \"theirs\": true,", 1);
    room.write(".claude/settings.json", changed.as_bytes());
    let status = room.run("hook status claude-code");
    assert!(status.code == 1 && status.out.contains("CHANGED: settings"), "{status:?}");
    assert_eq!(room.run("hook uninstall claude-code").code, 0);
    let left: Value = serde_json::from_str(&room.read(".claude/settings.json")).unwrap();
    assert_eq!(left, serde_json::json!({"theirs": true}));
}

#[test]
fn a_changed_policy_is_noticed_and_refused_where_it_is_pinned() {
    let room = room();
    assert_eq!(room.run("hook install claude-code --policy policy.yaml --pin").code, 0);
    let line = installed(&room, "PreToolUse");
    room.write("policy.yaml", b"{lawbook: 1, default: allow}");
    let status = room.run("hook status claude-code");
    assert!(status.code == 1 && status.out.contains("CHANGED: policy"), "{status:?}");
    let ran = shell(&room, &line, &asks("Read", "a"));
    assert_eq!(decision(&ran), "deny");
    assert!(ran.out.contains("set up with"), "{ran:?}");
}

#[test]
fn a_policy_that_can_not_be_used_is_not_set_up() {
    let room = room();
    assert_eq!(room.run("hook install claude-code --policy broken.yaml").code, 2);
    assert!(!room.folder.join(".claude/settings.json").exists());
}

/// What an agent would do to get out of its rules.
#[test]
fn an_agent_can_not_change_what_holds_it() {
    let room = room();
    room.write("plain.yaml", b"{lawbook: 1, default: allow}");
    let here = room.folder.display();
    let store = format!("{here}/.local/state/lawbook/hooks");
    let asked = [
        (
            "Bash",
            "command",
            "lawbook hook claude-code --policy plain.yaml < forged.json".to_owned(),
        ),
        ("Bash", "command", "echo '{}' | lawbook hook claude-code".to_owned()),
        ("Write", "file_path", format!("{here}/.claude/settings.json")),
        ("Edit", "file_path", format!("{here}/plain.yaml")),
        ("Write", "file_path", ".claude/settings.local.json".to_owned()),
        ("Bash", "command", "echo '{}' > ~/.claude/settings.json".to_owned()),
        ("Bash", "command", format!("rm -rf {store}")),
        ("Bash", "command", format!("cp /bin/true {}", env!("CARGO_BIN_EXE_lawbook"))),
    ];
    for (at, (tool, key, value)) in asked.into_iter().enumerate() {
        let mut asked: Value = serde_json::from_str(&asks(tool, &format!("a{at}"))).unwrap();
        asked["cwd"] = here.to_string().into();
        asked["tool_input"] = serde_json::json!({key: value, "content": "x"});
        let ran = room.run_with("hook claude-code --policy plain.yaml", &asked.to_string());
        assert_eq!(decision(&ran), "deny", "{tool} {value}: {ran:?}");
        assert!(ran.out.contains("protected") || ran.out.contains("not for agents"), "{ran:?}");
    }
    let ran = room.run_with("hook claude-code --policy plain.yaml", &asks("Edit", "b"));
    assert_eq!(decision(&ran), "silence", "{ran:?}");
}

#[test]
fn auto_allow_lets_listed_commands_run_and_no_others() {
    let room = room();
    let policy = "lawbook: 1\ndefault: ask\ntools:\n  Bash: {command: command}\nrules:\n  - id: shell\n    command: {allow: [git status], default: ask}\n";
    room.write("shell.yaml", policy.as_bytes());
    for (command, wanted) in
        [("git status -s", "allow"), ("git push", "ask"), ("git status && git push", "ask")]
    {
        let mut asked: Value = serde_json::from_str(&asks("Bash", command)).unwrap();
        asked["tool_input"] = serde_json::json!({"command": command});
        let line = "hook claude-code --policy shell.yaml --auto-allow";
        let ran = room.run_with(line, &asked.to_string());
        assert_eq!(decision(&ran), wanted, "{command}: {ran:?}");
    }
}

#[test]
fn status_shows_how_often_people_are_asked() {
    let room = room();
    for (tool, id) in [("Read", "a"), ("Edit", "b"), ("Read", "c"), ("Read", "d")] {
        room.run_with("hook claude-code --policy policy.yaml", &asks(tool, id));
    }
    let status = room.run("hook status claude-code");
    assert!(status.out.contains("4 calls, 1 asked about (25.0 %)"), "{status:?}");
}

#[test]
fn the_sessions_of_agents_are_found_and_judged() {
    let room = room();
    let line = r#"{"type":"assistant","uuid":"u","parentUuid":null,"version":"2.1.0","sessionId":"s-1","message":{"id":"m","role":"assistant","content":[{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"rm -rf ~"}}]}}"#;
    room.write(".claude/projects/shop/s-1.jsonl", format!("{line}\n").as_bytes());
    let ran = room.run("check --agents --since 30d");
    assert_eq!(ran.code, 1, "{ran:?}");
    assert!(ran.err.contains("Claude Code: 1 file"), "{ran:?}");
    let ran = room.run("check --agents --policy policy.yaml --format json");
    assert!(ran.out.contains("\"asks\":1") || ran.out.contains("\"asks\": 1"), "{ran:?}");
    let empty = Room::new(&[]);
    assert_eq!(empty.run("check --agents").code, 3);
    assert_eq!(empty.run("check").code, 2);
}
