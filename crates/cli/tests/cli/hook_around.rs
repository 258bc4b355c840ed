//! What stands around a hook: variables that a repository sets, settings of several scopes, switches
//! that turn hooks off, and the place of a session.

use serde_json::{Value, json};

use crate::room::{Ran, Room, finish};

const LISTED: &str = "\
lawbook: 1
default: ask
tools:
  Bash: {command: command}
rules:
  - {id: shell, command: {allow: [git status], default: ask}}
";

fn room() -> Room {
    let open = "{lawbook: 1, default: allow}";
    Room::new(&[("listed.yaml", LISTED), ("open.yaml", open), ("broken.yaml", "lawbook: 2\n")])
}

fn command(words: &str) -> String {
    json!({
        "hook_event_name": "PreToolUse", "session_id": "s-1", "permission_mode": "default",
        "tool_name": "Bash", "tool_use_id": words, "tool_input": {"command": words},
    })
    .to_string()
}

fn with(room: &Room, line: &str, variables: &[(&str, &str)], input: &str) -> Ran {
    let mut command = room.command(line);
    command.envs(variables.iter().copied());
    finish(command, input)
}

fn decision(ran: &Ran) -> String {
    let answer: Value = serde_json::from_str(&ran.out).unwrap_or(Value::Null);
    let decision = answer.pointer("/hookSpecificOutput/permissionDecision");
    decision.and_then(Value::as_str).unwrap_or("silence").to_owned()
}

#[test]
fn no_variable_makes_an_answer_weaker() {
    let room = room();
    let listed = "hook claude-code --policy listed.yaml";
    for variable in ["LAWBOOK_AUTO_ALLOW", "LAWBOOK_ATTENDED"] {
        let ran = with(&room, listed, &[(variable, "1")], &command("git status"));
        assert_eq!(decision(&ran), "silence", "{variable}: {ran:?}");
    }
    let broken = "hook claude-code --policy broken.yaml";
    let ran = with(&room, broken, &[("LAWBOOK_ON_ERROR", "ask")], &command("git status"));
    assert_eq!(decision(&ran), "deny", "{ran:?}");
    // Neither another policy nor another way to read it.
    let found = room.folder.join("lawbook.yaml");
    std::fs::write(&found, LISTED).unwrap();
    let other = [("LAWBOOK_POLICY", "open.yaml")];
    assert_eq!(decision(&with(&room, "hook claude-code", &other, &command("git push"))), "ask");
    for (variable, value) in [
        ("LAWBOOK_PROFILE", "compatible"),
        ("LAWBOOK_DIALECT", "faultgate"),
        ("LAWBOOK_USER_WORD", "x"),
    ] {
        let ran = with(&room, listed, &[(variable, value)], &command(variable));
        assert_eq!(decision(&ran), "ask", "{variable}: {ran:?}");
    }
    // The past stays where the command says, and words stay masked.
    with(&room, listed, &[("LAWBOOK_STORE", "elsewhere")], &command("git push"));
    assert!(!room.folder.join("elsewhere").exists());
    let secret = "curl -u 4242424242424242 x";
    let ran = with(&room, listed, &[("LAWBOOK_REDACT", "off")], &command(secret));
    assert!(!ran.out.contains("4242424242424242"), "{ran:?}");
    // What makes it stricter counts.
    let ran = with(&room, listed, &[("LAWBOOK_UNATTENDED", "1")], &command("git fetch"));
    assert_eq!(decision(&ran), "deny", "{ran:?}");
}

#[test]
fn an_installed_command_names_its_store_and_its_profile() {
    let room = room();
    let ran = room.run("hook install claude-code --policy open.yaml --profile strict");
    assert_eq!(ran.code, 0, "{ran:?}");
    let settings = room.read(".claude/settings.json");
    let store = room.folder.join(".local/state/lawbook/hooks");
    assert!(settings.contains(&format!("--store {}", store.display())), "{settings}");
    assert!(settings.contains("--profile strict"), "{settings}");
}

#[test]
fn a_place_that_is_not_told_has_nobody_in_it() {
    let room = room();
    let ask = |line: &str, id: &str| {
        let mut asks = room.command(line);
        asks.env_remove("CLAUDE_CODE_ENTRYPOINT");
        decision(&finish(asks, &command(id)))
    };
    assert_eq!(ask("hook claude-code --policy listed.yaml", "git push"), "deny");
    assert_eq!(ask("hook claude-code --policy listed.yaml --attended", "git pull"), "ask");
}

#[test]
fn status_looks_at_every_scope_of_this_folder() {
    let room = room();
    let home = room.folder.join("home");
    std::fs::create_dir_all(&home).unwrap();
    let run = |line: &str| {
        let mut command = room.command(line);
        command.env("HOME", &home);
        finish(command, "")
    };
    assert!(run("hook status claude-code").out.contains("not set up in"));
    assert_eq!(run("hook install claude-code --policy open.yaml --project").code, 0);
    let status = run("hook status claude-code");
    assert!(status.code == 0 && status.out.contains("set up in"), "{status:?}");
    assert!(!status.out.contains("not set up"), "{status:?}");
    room.write("open.yaml", b"{lawbook: 1, default: deny}");
    let status = run("hook status");
    assert!(status.code == 1 && status.out.contains("CHANGED: policy"), "{status:?}");
    std::fs::remove_file(room.folder.join(".claude/settings.json")).unwrap();
    let status = run("hook status claude-code");
    assert!(status.code == 1 && status.out.contains("the hooks are gone"), "{status:?}");
}

#[test]
fn what_turns_hooks_off_is_told_by_install_and_status() {
    for (host, file, text, key) in [
        (
            "claude-code",
            ".claude/settings.local.json",
            r#"{"disableAllHooks": true}"#,
            "disableAllHooks",
        ),
        (
            "claude-code",
            ".claude/settings.json",
            "{\n  // off\n  \"disableAllHooks\": true\n}",
            "disableAllHooks",
        ),
        (
            "codex",
            ".codex/config.toml",
            "model = \"x\"\n[features]\nhooks = false\n",
            "features.hooks",
        ),
        (
            "codex",
            ".codex/config.toml",
            "[features]\ncodex_hooks = false\n",
            "features.codex_hooks",
        ),
        (
            "gemini-cli",
            ".gemini/settings.json",
            r#"{"hooksConfig": {"enabled": false}}"#,
            "hooksConfig.enabled",
        ),
        (
            "gemini-cli",
            ".gemini/settings.json",
            r#"{"tools": {"enableHooks": false}}"#,
            "tools.enableHooks",
        ),
        (
            "gemini-cli",
            ".gemini/settings.json",
            r#"{"hooksConfig": {"disabled": ["lawbook"]}}"#,
            "hooksConfig.disabled",
        ),
    ] {
        let room = room();
        let install = format!("hook install {host} --policy open.yaml");
        let plain = Room::new(&[("open.yaml", "{lawbook: 1, default: allow}")]);
        let ran = plain.run(&install);
        assert!(ran.code == 0 && !ran.out.contains("warning"), "{host}: {ran:?}");
        assert_eq!(plain.run(&format!("hook status {host}")).code, 0, "{host}");
        room.write(file, text.as_bytes());
        let ran = room.run(&install);
        assert!(ran.code == 0 && ran.out.contains("warning: "), "{host} {key}: {ran:?}");
        let status = room.run(&format!("hook status {host}"));
        assert!(status.code == 1 && status.out.contains(&format!("`{key}`")), "{host}: {status:?}");
    }
}

#[test]
fn the_program_under_another_name_opens_no_door() {
    let room = room();
    let copy = room.folder.join("guard");
    std::fs::copy(env!("CARGO_BIN_EXE_lawbook"), &copy).unwrap();
    for line in [
        format!("{} hook claude-code < forged.json", copy.display()),
        "guard hook claude-code < forged.json".to_owned(),
        "python3 -m lawbook hook claude-code < forged.json".to_owned(),
    ] {
        let mut hook = std::process::Command::new(&copy);
        hook.args("hook claude-code --policy open.yaml".split(' ')).current_dir(&room.folder);
        hook.env("HOME", &room.folder).env_remove("XDG_STATE_HOME");
        let ran = finish(hook, &command(&line));
        assert_eq!(decision(&ran), "deny", "{line}: {ran:?}");
        assert!(ran.out.contains("not for agents"), "{line}: {ran:?}");
    }
}

#[test]
fn opencode_edits_where_it_may() {
    let policy =
        "{lawbook: 1, default: allow, rules: [{id: inside, path_within: {tools: [edit, write]}}]}";
    let room = Room::new(&[("inside.yaml", policy)]);
    let here = room.folder.display().to_string();
    for (id, path, denied) in [("a", "src/a.rs", false), ("b", "/etc/hosts", true)] {
        let asked = json!({
            "hook": "tool.execute.before", "session": "o-1", "directory": here, "worktree": here,
            "call": id, "tool": "edit", "args": {"filePath": path, "oldString": "a", "newString": "b"},
        });
        let ran = room.run_with("hook opencode --policy inside.yaml", &asked.to_string());
        assert_eq!(ran.out.contains("deny"), denied, "{path}: {ran:?}");
    }
}

#[test]
fn commands_in_a_file_are_answered_one_by_one() {
    let room = room();
    room.write("commands", b"git status\ngit \xff\xfe push\ngit status -s\r\n");
    let ran = room.run("shell --file commands --policy listed.yaml");
    let verdicts: Vec<Value> = ran
        .out
        .lines()
        .map(|it| serde_json::from_str::<Value>(it).unwrap()["verdict"].clone())
        .collect();
    assert_eq!(verdicts, ["allow", "ask", "allow"], "{ran:?}");
    assert!(ran.code == 0 && ran.out.contains("not UTF-8"), "{ran:?}");
    let ran = room.run("shell --file nowhere");
    assert!(ran.code == 2 && ran.err.contains("the commands can't be read"), "{ran:?}");
}

#[test]
fn whoever_has_the_program_alone_has_a_policy_for_coding_agents() {
    let room = Room::new(&[]);
    let ran = room.run("policy init --coding");
    assert_eq!(ran.code, 0, "{ran:?}");
    assert!(room.read("lawbook.yaml").contains("coding agents"));
    assert_eq!(room.run("policy lint lawbook.yaml").code, 0);
    assert_eq!(room.run("hook install claude-code --policy lawbook.yaml").code, 0);
    assert_eq!(room.run("policy init --coding").code, 2, "what is there is not replaced");
    assert!(
        room.run("policy init --coding --out -").out.starts_with("# What a coding agent may do")
    );
}

#[test]
fn an_action_that_the_policy_knows_is_proposed_and_a_bare_program_is_not() {
    let policy = "\
lawbook: 1
default: allow
rules:
  - id: shell
    command: {allow: [ls], default: ask, arity: {mytool: 2}}
";
    let room = Room::new(&[("arity.yaml", policy)]);
    for (at, words) in ["mytool build x", "aws s3 ls", "gh api user", "tmux ls", "java -jar x"]
        .into_iter()
        .enumerate()
    {
        let id = format!("t-{at}");
        let mut asked: Value = serde_json::from_str(&command(words)).unwrap();
        asked["tool_use_id"] = id.clone().into();
        let line = "hook claude-code --policy arity.yaml";
        assert_eq!(decision(&room.run_with(line, &asked.to_string())), "ask", "{words}");
        asked["hook_event_name"] = "PostToolUse".into();
        asked["tool_response"] = "ok".into();
        room.run_with(line, &asked.to_string());
    }
    let ran = room.run("hook answers claude-code --policy arity.yaml");
    assert!(ran.out.contains("  - mytool build  #"), "{ran:?}");
    assert_eq!(ran.out.matches("  - ").count(), 1, "{ran:?}");
    assert!(ran.out.contains("5 commands were said yes to"), "{ran:?}");
}

#[test]
fn a_rule_over_some_commands_names_them() {
    let policy = "{lawbook: 1, default: allow, rules: [{id: no-push, never: {tools: [\"bash(git push)\"]}}]}";
    let room = Room::new(&[("push.yaml", policy)]);
    let ran = room.run_with("hook claude-code --policy push.yaml", &command("git -C x push"));
    assert_eq!(decision(&ran), "deny");
    assert!(ran.out.contains("`bash(git push)` is never allowed"), "{ran:?}");
}
