//! Codex: hooks of `hooks.json`.

use lawbook_diag::Problem;
use lawbook_event::json::{Value, Writer};

use super::claude_code::{decision, message};
use crate::host::{
    Ability, Around, Asked, Entry, Failing, Heard, Host, Off, Output, Place, Say, Setup, Switch,
    Told, Versions,
};
use crate::input::{call, event, returned, text};

/// The host.
pub struct Codex;

const ABILITIES: &[Ability] = &[Ability {
    event: "*",
    mode: "*",
    place: "*",
    versions: Versions::Every,
    asks: false,
    why: "Codex reads `ask` from a hook and runs the call",
}];

const SETUP: Setup = Setup {
    user: Place { variable: Some(("CODEX_HOME", "hooks.json")), home: ".codex/hooks.json" },
    project: ".codex/hooks.json",
    managed: Some("/etc/codex/hooks.json"),
    entry: Entry::Groups { options: r#""timeout":10"# },
    events: &[
        "SessionStart",
        "UserPromptSubmit",
        "PreToolUse",
        "PermissionRequest",
        "PostToolUse",
        "SubagentStart",
        "SubagentStop",
        "Stop",
    ],
    gates: &["PreToolUse", "PermissionRequest"],
    other_options: r#""timeout":10"#,
    switches: &[
        Switch { file: "config.toml", keys: &["features", "hooks"], off: Off::Is(false) },
        Switch { file: "config.toml", keys: &["features", "codex_hooks"], off: Off::Is(false) },
        Switch { file: "requirements.toml", keys: &["features", "hooks"], off: Off::Is(false) },
        Switch {
            file: "requirements.toml",
            keys: &["allow_managed_hooks_only"],
            off: Off::Is(true),
        },
    ],
    notes: &[
        "Codex runs a hook only once you have trusted it: open `/hooks` in Codex and trust it; \
         `codex exec` leaves out what is not trusted without a word",
        "Codex lets a call run when a hook takes too long, and nothing can be set against it",
        "versions before 0.124.0 need `hooks = true` under `[features]` in config.toml",
    ],
};

impl Host for Codex {
    fn name(&self) -> &'static str {
        "codex"
    }

    fn title(&self) -> &'static str {
        "Codex"
    }

    fn page(&self) -> &'static str {
        include_str!("codex.md")
    }

    fn abilities(&self) -> &'static [Ability] {
        ABILITIES
    }

    fn failing(&self) -> Failing {
        Failing::Opens
    }

    fn takes_allow(&self) -> bool {
        true
    }

    fn setup(&self) -> &'static Setup {
        &SETUP
    }

    fn read(&self, input: Value<'_>, _around: &Around) -> Result<Heard, Problem> {
        let event = event(input, "hook_event_name")?;
        let told = match event.as_str() {
            "SessionStart" => match input.get("source").and_then(Value::as_str) {
                Some("startup" | "clear") => Told::Begun,
                Some("compact") => Told::Other,
                _ => Told::Resumed,
            },
            "UserPromptSubmit" => Told::User(text(input, "prompt").unwrap_or_default()),
            "PreToolUse" => Told::Call(call(input)?),
            "PermissionRequest" => Told::Again(wanted(input)?),
            "PostToolUse" => {
                let response = input.get("tool_response");
                let code = response.and_then(|it| it.get("exit_code"));
                let failed = code.and_then(Value::number_text).is_some_and(|it| it != "0");
                Told::Result { call: call(input)?, text: returned(response), error: failed }
            }
            "Stop" => match text(input, "last_assistant_message") {
                Some(words) => Told::Agent(words),
                None => Told::Other,
            },
            "SubagentStart" | "SubagentStop" => Told::Other,
            _ => Told::Nothing,
        };
        let cwd = text(input, "cwd");
        Ok(Heard {
            event,
            session: text(input, "session_id"),
            workspace: cwd.clone(),
            cwd,
            transcript: text(input, "transcript_path"),
            mode: text(input, "permission_mode"),
            told,
            ..Heard::default()
        })
    }

    fn write(&self, event: &str, say: &Say) -> Output {
        match (event, say) {
            ("PreToolUse", Say::Ask(reason) | Say::Deny(reason)) => decision(event, "deny", reason),
            // Before a tool Codex knows no `allow` but with changed arguments.
            ("PermissionRequest", Say::Allow) => behaviour("allow", None),
            ("PermissionRequest", Say::Deny(reason)) => behaviour("deny", Some(reason)),
            // The person is about to be asked by Codex itself.
            ("PermissionRequest", Say::Ask(_)) => Output::silent(),
            (_, Say::Deny(reason) | Say::Ask(reason)) => Output::block(reason),
            (_, Say::Note(note)) => message(note),
            (_, Say::Nothing | Say::Allow) => Output::silent(),
        }
    }
}

/// The call that Codex is about to ask a person about. It adds a description of its own.
fn wanted(input: Value<'_>) -> Result<Asked, Problem> {
    let asked = call(input)?;
    let command = input.get("tool_input").and_then(|it| text(it, "command"));
    Ok(match command {
        Some(command) => Asked { args: crate::input::one("command", &command), ..asked },
        None => asked,
    })
}

fn behaviour(behaviour: &str, message: Option<&str>) -> Output {
    let mut writer = Writer::new();
    writer.object().key("hookSpecificOutput").object();
    writer.key("hookEventName").string("PermissionRequest").key("decision").object();
    writer.key("behavior").string(behaviour);
    if let Some(message) = message {
        writer.key("message").string(message);
    }
    writer.end_object().end_object().end_object();
    Output::json(writer.finish())
}
