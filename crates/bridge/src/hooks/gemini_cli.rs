//! Gemini CLI: hooks of `settings.json`.

use lawbook_diag::Problem;
use lawbook_event::json::{Value, Writer};

use super::claude_code::message;
use crate::host::{
    Ability, Around, Asked, Entry, Failing, Heard, Host, Off, Output, Place, Say, Setup, Switch,
    Told, Versions,
};
use crate::input::{call, event, text};

/// The host.
pub struct GeminiCli;

const ABILITIES: &[Ability] = &[Ability {
    event: "*",
    mode: "*",
    place: "*",
    versions: Versions::Every,
    asks: false,
    why: "older versions of Gemini CLI run a call that a hook wants asked about, and a hook is not \
          told the version",
}];

/// The file of its settings, in whatever folder.
const FILE: &str = "settings.json";

const SETUP: Setup = Setup {
    user: Place { variable: None, home: ".gemini/settings.json" },
    project: ".gemini/settings.json",
    managed: Some(if cfg!(target_os = "macos") {
        "/Library/Application Support/GeminiCli/settings.json"
    } else {
        "/etc/gemini-cli/settings.json"
    }),
    entry: Entry::Groups { options: r#""name":"lawbook","timeout":10000"# },
    events: &["SessionStart", "BeforeAgent", "BeforeTool", "AfterTool", "AfterAgent", "SessionEnd"],
    gates: &["BeforeTool"],
    other_options: r#""name":"lawbook","timeout":10000"#,
    switches: &[
        Switch { file: FILE, keys: &["hooksConfig", "enabled"], off: Off::Is(false) },
        Switch { file: FILE, keys: &["hooksConfig", "disabled"], off: Off::Names },
        Switch { file: FILE, keys: &["hooks", "enabled"], off: Off::Is(false) },
        Switch { file: FILE, keys: &["hooks", "disabled"], off: Off::Names },
        Switch { file: FILE, keys: &["tools", "enableHooks"], off: Off::Is(false) },
    ],
    notes: &["Gemini CLI lets a call run when a hook takes too long, and nothing can be set \
              against it"],
};

impl Host for GeminiCli {
    fn name(&self) -> &'static str {
        "gemini-cli"
    }

    fn title(&self) -> &'static str {
        "Gemini CLI"
    }

    fn page(&self) -> &'static str {
        include_str!("gemini_cli.md")
    }

    fn abilities(&self) -> &'static [Ability] {
        ABILITIES
    }

    fn failing(&self) -> Failing {
        Failing::Opens
    }

    fn setup(&self) -> &'static Setup {
        &SETUP
    }

    fn read(&self, input: Value<'_>, _around: &Around) -> Result<Heard, Problem> {
        let event = event(input, "hook_event_name")?;
        let told = match event.as_str() {
            "SessionStart" => match input.get("source").and_then(Value::as_str) {
                Some("startup" | "clear") => Told::Begun,
                _ => Told::Resumed,
            },
            "BeforeAgent" => Told::User(text(input, "prompt").unwrap_or_default()),
            "AfterAgent" => match text(input, "prompt_response") {
                Some(words) => Told::Agent(words),
                None => Told::Other,
            },
            "BeforeTool" => Told::Call(named(input)?),
            "AfterTool" => {
                let response = input.get("tool_response");
                let error = response.and_then(|it| it.get("error")).is_some_and(|it| !it.is_null());
                Told::Result { call: named(input)?, text: returned(response), error }
            }
            "SessionEnd" => Told::Ended,
            _ => Told::Nothing,
        };
        let cwd = text(input, "cwd");
        Ok(Heard {
            event,
            session: text(input, "session_id"),
            workspace: cwd.clone(),
            cwd,
            transcript: text(input, "transcript_path"),
            told,
            ..Heard::default()
        })
    }

    fn write(&self, event: &str, say: &Say) -> Output {
        match (event, say) {
            ("BeforeTool", Say::Deny(reason) | Say::Ask(reason)) => {
                let mut writer = Writer::new();
                writer.object().key("decision").string("deny").key("reason").string(reason);
                writer.end_object();
                Output::json(writer.finish())
            }
            (_, Say::Deny(reason) | Say::Ask(reason)) => Output::block(reason),
            (_, Say::Note(note)) => message(note),
            (_, Say::Nothing | Say::Allow) => Output::silent(),
        }
    }
}

/// A call, with the server that Gemini CLI tells apart from the tool.
fn named(input: Value<'_>) -> Result<Asked, Problem> {
    let asked = call(input)?;
    let server = input.get("mcp_context").and_then(|it| text(it, "server_name"));
    Ok(Asked { server: server.or(asked.server.clone()), ..asked })
}

fn returned(response: Option<Value<'_>>) -> Option<String> {
    let response = response?;
    let shown = response.get("llmContent").filter(|it| !it.is_null());
    crate::input::returned(shown.or(Some(response)))
}
