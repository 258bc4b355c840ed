//! A folder of files and the binary run in it.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

/// A folder of its own, removed in the end.
pub struct Room {
    pub folder: PathBuf,
}

/// How a run ended.
#[derive(Debug)]
pub struct Ran {
    pub code: i32,
    pub out: String,
    pub err: String,
}

static ROOMS: AtomicU32 = AtomicU32::new(0);

impl Room {
    pub fn new(files: &[(&str, &str)]) -> Self {
        let number = ROOMS.fetch_add(1, Ordering::Relaxed);
        let name = format!("lawbook-cli-{}-{number}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&folder).unwrap();
        let room = Room { folder };
        for (name, text) in files {
            room.write(name, text.as_bytes());
        }
        room
    }

    pub fn write(&self, name: &str, bytes: &[u8]) {
        let path = self.folder.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    }

    pub fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.folder.join(name)).unwrap()
    }

    pub fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(&self.folder).unwrap();
        let mut names: Vec<String> =
            entries.map(|it| it.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    pub fn command(&self, line: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_lawbook"));
        for (key, _) in std::env::vars().filter(|it| it.0.starts_with("LAWBOOK_")) {
            command.env_remove(key);
        }
        // The settings of whoever runs the tests stay as they are.
        for key in ["CLAUDE_CONFIG_DIR", "CODEX_HOME", "GEMINI_CLI_HOME", "OPENCODE_CONFIG_DIR"] {
            command.env_remove(key);
        }
        // Claude Code in a terminal.
        command.env("CLAUDE_CODE_ENTRYPOINT", "cli").env_remove("XDG_STATE_HOME");
        command.env("HOME", &self.folder);
        command.args(line.split_whitespace()).current_dir(&self.folder);
        command
    }

    pub fn run(&self, line: &str) -> Ran {
        self.run_with(line, "")
    }

    pub fn run_with(&self, line: &str, stdin: &str) -> Ran {
        finish(self.command(line), stdin)
    }
}

/// Runs a command and waits for it.
pub fn finish(mut command: Command, stdin: &str) -> Ran {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    // A command that does not read its input closes it, which is no failure of the test.
    let _ = child.stdin.take().unwrap().write_all(stdin.as_bytes());
    let output = child.wait_with_output().unwrap();
    Ran {
        code: output.status.code().unwrap_or(-1),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

impl Drop for Room {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// A session of one call, as a line of chat messages.
pub fn line(id: &str, tool: &str, args: &str) -> String {
    let args = serde_json::Value::String(args.to_owned());
    format!(
        "{{\"id\":\"{id}\",\"messages\":[{{\"role\":\"user\",\"content\":\"go\"}},\
         {{\"role\":\"assistant\",\"tool_calls\":[{{\"id\":\"c1\",\"type\":\"function\",\
         \"function\":{{\"name\":\"{tool}\",\"arguments\":{args}}}}}]}},\
         {{\"role\":\"tool\",\"tool_call_id\":\"c1\",\"content\":\"ok\"}},\
         {{\"role\":\"assistant\",\"content\":\"done\"}}]}}\n"
    )
}

/// A native policy with a cap on `pay.amount`.
pub const CAP: &str = "\
lawbook: 1
name: caps
default: allow
rules:
  - id: cap
    why: more needs a manager
    arg_range: {tools: [pay], arg: amount, max: 10}
  - {id: ask-first, verdict: ask, never: {tools: [send]}}
";

/// The same cap as faultgate writes it.
pub const FAULTGATE: &str = r#"{"limits": [{"tool": "pay", "arg": "amount", "max": 10}]}"#;
