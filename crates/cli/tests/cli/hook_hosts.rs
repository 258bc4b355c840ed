//! Every host, and everything that may go wrong around it: no policy, no program, a hang, nobody to
//! ask, and an agent that turns on what holds it.

use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::room::{Ran, Room, finish};

const POLICY: &str = "{lawbook: 1, default: ask}";
const OPEN: &str = "{lawbook: 1, default: allow}";

/// A host: what it sends before a command and before a file is written, and its settings.
struct Host {
    name: &'static str,
    settings: &'static str,
    /// The event whose answer counts.
    gate: &'static str,
    command: fn(&str) -> Value,
    write: fn(&str) -> Value,
    /// Where an answer says that the call may not run.
    denies: &'static str,
}

const HOSTS: [Host; 5] = [
    Host {
        name: "claude-code",
        settings: ".claude/settings.json",
        gate: "PreToolUse",
        command: |it| tool("PreToolUse", "Bash", json!({"command": it})),
        write: |it| tool("PreToolUse", "Write", json!({"file_path": it, "content": "x"})),
        denies: "/hookSpecificOutput/permissionDecision",
    },
    Host {
        name: "codex",
        settings: ".codex/hooks.json",
        gate: "PreToolUse",
        command: |it| tool("PreToolUse", "Bash", json!({"command": it})),
        write: |it| {
            let patch = format!("*** Begin Patch\n*** Add File: {it}\n+x\n*** End Patch\n");
            tool("PreToolUse", "apply_patch", json!({"command": patch}))
        },
        denies: "/hookSpecificOutput/permissionDecision",
    },
    Host {
        name: "cursor",
        settings: ".cursor/hooks.json",
        gate: "beforeShellExecution",
        command: |it| json!({"hook_event_name": "beforeShellExecution", "command": it}),
        write: |it| tool("preToolUse", "Write", json!({"file_path": it, "content": "x"})),
        denies: "/permission",
    },
    Host {
        name: "gemini-cli",
        settings: ".gemini/settings.json",
        gate: "BeforeTool",
        command: |it| tool("BeforeTool", "run_shell_command", json!({"command": it})),
        write: |it| tool("BeforeTool", "write_file", json!({"file_path": it, "content": "x"})),
        denies: "/decision",
    },
    Host {
        name: "opencode",
        settings: ".opencode/plugins/lawbook.js",
        gate: "tool.execute.before",
        command: |it| json!({"tool": "bash", "args": {"command": it}}),
        write: |it| json!({"tool": "write", "args": {"filePath": it, "content": "x"}}),
        denies: "/decision",
    },
];

fn tool(event: &str, tool: &str, input: Value) -> Value {
    json!({"hook_event_name": event, "tool_name": tool, "tool_input": input})
}

impl Host {
    /// What it sends, with what it always says.
    fn told(&self, room: &Room, mut asked: Value) -> String {
        static CALLS: AtomicU32 = AtomicU32::new(0);
        let here = room.folder.display().to_string();
        // An id that was used already is refused, whatever it asks for.
        let id = format!("c-{}", CALLS.fetch_add(1, Ordering::Relaxed));
        for (key, value) in [
            ("session_id", "s-1"),
            ("conversation_id", "s-1"),
            ("session", "s-1"),
            ("tool_use_id", &*id),
            ("call", &*id),
            ("permission_mode", "default"),
            ("hook", self.gate),
            ("cwd", &here),
            ("directory", &here),
            ("worktree", &here),
        ] {
            asked[key] = value.into();
        }
        asked["workspace_roots"] = json!([here]);
        asked.to_string()
    }

    fn line(&self, rest: &str) -> String {
        format!("hook {} {rest}", self.name)
    }

    fn stops(&self, ran: &Ran) -> bool {
        let answer: Value = serde_json::from_str(&ran.out).unwrap_or(Value::Null);
        ran.code == 2 || answer.pointer(self.denies) == Some(&Value::from("deny"))
    }

    /// The command line that its settings hold for what stops calls.
    fn installed(&self, room: &Room) -> String {
        let settings: Value = serde_json::from_str(&room.read(self.settings)).unwrap();
        let entries = settings.pointer(&format!("/hooks/{}", self.gate)).unwrap();
        command(entries).unwrap()
    }
}

fn command(entries: &Value) -> Option<String> {
    match entries {
        Value::Array(items) => items.iter().find_map(command),
        Value::Object(fields) => match fields.get("command") {
            Some(Value::String(line)) => Some(line.clone()),
            _ => fields.values().find_map(command),
        },
        _ => None,
    }
}

fn room() -> Room {
    let broken = "lawbook: 1\ndefault: perhaps\n";
    Room::new(&[("policy.yaml", POLICY), ("open.yaml", OPEN), ("broken.yaml", broken)])
}

#[test]
fn no_policy_and_a_broken_one_stop_every_host() {
    let room = room();
    for host in &HOSTS {
        let asked = host.told(&room, (host.command)("ls"));
        let open = room.run_with(&host.line("--policy open.yaml"), &asked);
        assert!(open.code == 0 && !host.stops(&open), "{}: {open:?}", host.name);
        for policy in ["nowhere.yaml", "broken.yaml"] {
            let ran = room.run_with(&host.line(&format!("--policy {policy}")), &asked);
            assert!(host.stops(&ran), "{} {policy}: {ran:?}", host.name);
        }
    }
}

#[test]
fn where_nobody_is_asked_what_needs_a_person_stops() {
    let room = room();
    for host in &HOSTS {
        let mut command = room.command(&host.line("--policy policy.yaml"));
        command.env("CLAUDE_CODE_ENTRYPOINT", "sdk-cli");
        let ran = finish(command, &host.told(&room, (host.command)("make deploy")));
        assert!(host.stops(&ran) && ran.out.contains("needs a person"), "{}: {ran:?}", host.name);
    }
}

#[test]
fn an_agent_can_not_forge_a_call_or_write_the_settings_of_any_host() {
    let room = room();
    for host in &HOSTS {
        let forged = format!("lawbook hook {} --policy open.yaml < forged.json", host.name);
        let settings = format!("{}/{}", room.folder.display(), host.settings);
        let written = format!("echo '{{}}' > {}", host.settings);
        let gone = format!("rm -f {settings}");
        let moved = format!("mv {} away", host.settings.split('/').next().unwrap());
        for asked in [
            (host.command)(&forged),
            (host.command)(&format!("sh -c '{forged}'")),
            (host.command)(&written),
            (host.command)(&gone),
            (host.command)(&moved),
            (host.write)(&settings),
            (host.write)(host.settings),
        ] {
            let asked = host.told(&room, asked);
            let ran = room.run_with(&host.line("--policy open.yaml"), &asked);
            assert!(host.stops(&ran), "{} {asked}: {ran:?}", host.name);
        }
        let harmless = host.told(&room, (host.write)("notes.txt"));
        let ran = room.run_with(&host.line("--policy open.yaml"), &harmless);
        assert!(!host.stops(&ran), "{}: {ran:?}", host.name);
    }
}

#[test]
fn an_input_that_never_ends_stops_every_host_before_its_patience_ends() {
    let room = room();
    let begun = Instant::now();
    let start = |host: &Host| -> Child {
        let mut command = room.command(&host.line("--policy open.yaml"));
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command.spawn().unwrap()
    };
    let mut children: Vec<Child> = HOSTS.iter().map(start).collect();
    for (child, host) in children.iter_mut().zip(&HOSTS) {
        let open = child.stdin.take();
        assert_eq!(child.wait().unwrap().code(), Some(2), "{}", host.name);
        drop(open);
    }
    // Each host waits for ten seconds, as its settings say.
    assert!(begun.elapsed() < Duration::from_secs(10));
}

#[cfg(unix)]
#[test]
fn a_program_that_is_gone_killed_or_falls_stops_every_host_with_settings() {
    let program = std::fs::canonicalize(env!("CARGO_BIN_EXE_lawbook")).unwrap();
    let program = program.display().to_string();
    for host in HOSTS.iter().filter(|it| it.settings.ends_with(".json")) {
        let room = room();
        let ran = room.run(&format!("hook install {} --policy open.yaml", host.name));
        assert_eq!(ran.code, 0, "{}: {ran:?}", host.name);
        assert!(room.read(host.settings).contains("\"timeout\""), "{}", host.name);
        let line = host.installed(&room);
        assert!(line.contains(&program), "{line}");
        for (name, text) in [("kill", "kill -9 $$"), ("fall", "exit 101"), ("one", "exit 1")] {
            room.write(name, format!("#!/bin/sh\n{text}\n").as_bytes());
            let path = room.folder.join(name);
            let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
            std::fs::set_permissions(&path, mode).unwrap();
        }
        for name in ["kill", "fall", "one", "nowhere"] {
            let path = room.folder.join(name).display().to_string();
            let mut command = Command::new("sh");
            command.arg("-c").arg(line.replace(&program, &path)).env("HOME", &room.folder);
            let ran = finish(command, &host.told(&room, (host.command)("ls")));
            assert_eq!(ran.code, 2, "{} {name}: {ran:?}", host.name);
        }
    }
}

/// The script of opencode says so itself, and needs no settings.
#[test]
fn the_script_of_opencode_takes_no_answer_for_a_no() {
    let room = room();
    assert_eq!(room.run("hook install opencode --project --policy open.yaml").code, 0);
    let script = room.read(HOSTS[4].settings);
    for part in ["timeout: TIMEOUT_MS", "done.error || done.status !== 0", "can't be read"] {
        assert!(script.contains(part), "{part}");
    }
}
