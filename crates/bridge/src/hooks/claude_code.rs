//! Claude Code: hooks of `settings.json`.

use lawbook_diag::Problem;
use lawbook_event::json::{Value, Writer};

use crate::host::{
    Ability, Around, Entry, Failing, Heard, Host, Off, Output, Place, Say, Setup, Switch, Told,
    Versions,
};
use crate::input::{call, event, returned, text};

/// The host.
pub struct ClaudeCode;

const PLACE: &str = "a terminal";

const fn row(mode: &'static str, place: &'static str, asks: bool, why: &'static str) -> Ability {
    // Hooks can ask since this version. Older ones tell no mode, so a mode that is told shows that
    // the host is not older where its record of the session tells no version.
    let versions = match asks {
        true => Versions::Since { first: "1.0.59", untold: true },
        false => Versions::Every,
    };
    Ability { event: "PreToolUse", mode, place, versions, asks, why }
}

const OLDER: &str = "versions before 1.0.59 can't be made to ask";

const ABILITIES: &[Ability] = &[
    row("default", PLACE, true, "its permission dialog opens"),
    row("acceptEdits", PLACE, true, "its permission dialog opens"),
    row("plan", PLACE, true, "its permission dialog opens"),
    row("default", PLACE, false, OLDER),
    row("acceptEdits", PLACE, false, OLDER),
    row("plan", PLACE, false, OLDER),
    row("auto", "*", false, "in the mode `auto` some versions answer in the person's place"),
    row("bypassPermissions", "*", false, "the mode `bypassPermissions` asks nobody"),
    row("dontAsk", "*", false, "the mode `dontAsk` asks nobody"),
    row("*", PLACE, false, "its mode is not known to ask"),
    row("*", "*", false, "nothing says that it runs in a terminal"),
];

const SETUP: Setup = Setup {
    user: Place {
        variable: Some(("CLAUDE_CONFIG_DIR", "settings.json")),
        home: ".claude/settings.json",
    },
    project: ".claude/settings.json",
    managed: Some(if cfg!(target_os = "macos") {
        "/Library/Application Support/ClaudeCode/managed-settings.json"
    } else {
        "/etc/claude-code/managed-settings.json"
    }),
    entry: Entry::Groups { options: r#""timeout":10,"onFailure":"block""# },
    events: &[
        "SessionStart",
        "UserPromptSubmit",
        "PreToolUse",
        "PostToolUse",
        "PostToolUseFailure",
        "SubagentStart",
        "SubagentStop",
        "Stop",
        "SessionEnd",
    ],
    gates: &["PreToolUse"],
    other_options: r#""timeout":10"#,
    switches: &[
        Switch { file: "settings.json", keys: &["disableAllHooks"], off: Off::Is(true) },
        Switch { file: "settings.local.json", keys: &["disableAllHooks"], off: Off::Is(true) },
        Switch { file: "managed-settings.json", keys: &["disableAllHooks"], off: Off::Is(true) },
        Switch {
            file: "managed-settings.json",
            keys: &["allowManagedHooksOnly"],
            off: Off::Is(true),
        },
    ],
    notes: &[
        "a person is asked only where Claude Code says in `CLAUDE_CODE_ENTRYPOINT` that it runs in \
         a terminal; where your version does not say so and you do sit there, add `--attended`",
        "before version 2.1.295 a hook that takes too long lets the call run",
        "files that a prompt names with `@` are read without a hook",
    ],
};

impl Host for ClaudeCode {
    fn name(&self) -> &'static str {
        "claude-code"
    }

    fn title(&self) -> &'static str {
        "Claude Code"
    }

    fn page(&self) -> &'static str {
        include_str!("claude_code.md")
    }

    fn abilities(&self) -> &'static [Ability] {
        ABILITIES
    }

    fn failing(&self) -> Failing {
        Failing::Blocks { since: "from version 2.1.295 on" }
    }

    fn takes_allow(&self) -> bool {
        true
    }

    fn setup(&self) -> &'static Setup {
        &SETUP
    }

    fn read(&self, input: Value<'_>, around: &Around) -> Result<Heard, Problem> {
        let event = event(input, "hook_event_name")?;
        let told = match event.as_str() {
            "SessionStart" => match input.get("source").and_then(Value::as_str) {
                Some("startup" | "clear") => Told::Begun,
                Some("compact") => Told::Other,
                _ => Told::Resumed,
            },
            "UserPromptSubmit" => Told::User(text(input, "prompt").unwrap_or_default()),
            "PreToolUse" => Told::Call(call(input)?),
            "PostToolUse" => Told::Result {
                call: call(input)?,
                text: returned(input.get("tool_response")),
                error: false,
            },
            "PostToolUseFailure" => {
                Told::Result { call: call(input)?, text: returned(input.get("error")), error: true }
            }
            "Stop" => match text(input, "last_assistant_message") {
                Some(words) => Told::Agent(words),
                None => Told::Other,
            },
            "SubagentStart" | "SubagentStop" => Told::Other,
            "SessionEnd" => Told::Ended,
            _ => Told::Nothing,
        };
        // Its environment says how it was started. Where it does not, nobody is certain to sit
        // there, unless whoever set it up says so.
        let terminal = match around.entry.as_deref() {
            None | Some("") => around.attended,
            Some(entry) => entry == "cli",
        };
        let cwd = text(input, "cwd");
        Ok(Heard {
            event,
            session: text(input, "session_id"),
            workspace: cwd.clone(),
            cwd,
            transcript: text(input, "transcript_path"),
            mode: text(input, "permission_mode"),
            place: terminal.then(|| PLACE.to_owned()),
            told,
            ..Heard::default()
        })
    }

    fn write(&self, event: &str, say: &Say) -> Output {
        match (event, say) {
            ("PreToolUse", Say::Allow) => decision(event, "allow", "listed in the policy"),
            ("PreToolUse", Say::Ask(reason)) => decision(event, "ask", reason),
            ("PreToolUse", Say::Deny(reason)) => decision(event, "deny", reason),
            (_, Say::Deny(reason) | Say::Ask(reason)) => Output::block(reason),
            (_, Say::Note(note)) => message(note),
            (_, Say::Nothing | Say::Allow) => Output::silent(),
        }
    }
}

/// A decision in the form that several hosts share.
pub fn decision(event: &str, decision: &str, reason: &str) -> Output {
    let mut writer = Writer::new();
    writer.object().key("hookSpecificOutput").object();
    writer.key("hookEventName").string(event).key("permissionDecision").string(decision);
    writer.key("permissionDecisionReason").string(reason).end_object().end_object();
    Output::json(writer.finish())
}

/// A message to the person, in the form that several hosts share.
pub fn message(text: &str) -> Output {
    let mut writer = Writer::new();
    writer.object().key("systemMessage").string(text).end_object();
    Output::json(writer.finish())
}
