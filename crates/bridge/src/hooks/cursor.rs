//! Cursor: hooks of `hooks.json`.

use lawbook_diag::Problem;
use lawbook_event::json::{Value, Writer};

use crate::host::{
    Ability, Around, Asked, Entry, Failing, Heard, Host, Output, Place, Say, Setup, Told, Versions,
};
use crate::input::{NAME, args, call, event, one, returned, text};

/// The host.
pub struct Cursor;

const ATTENDED: &str = "attended";

const fn row(event: &'static str, mode: &'static str, asks: bool, why: &'static str) -> Ability {
    // Its hooks came with this version, and it tells its version with each event.
    let versions = match asks {
        true => Versions::Since { first: "1.7.0", untold: false },
        false => Versions::Every,
    };
    Ability { event, mode, place: "*", versions, asks, why }
}

const UNTOLD: &str = "a hook is not told whether Cursor asks a person or reviews calls by itself";

const ABILITIES: &[Ability] = &[
    row("beforeShellExecution", ATTENDED, true, "whoever set it up says that a person is there"),
    row("beforeMCPExecution", ATTENDED, true, "whoever set it up says that a person is there"),
    row("beforeShellExecution", "*", false, UNTOLD),
    row("beforeMCPExecution", "*", false, UNTOLD),
    row("*", "*", false, "Cursor asks before commands and MCP tools alone"),
];

const SETUP: Setup = Setup {
    user: Place { variable: None, home: ".cursor/hooks.json" },
    project: ".cursor/hooks.json",
    managed: Some(if cfg!(target_os = "macos") {
        "/Library/Application Support/Cursor/hooks.json"
    } else {
        "/etc/cursor/hooks.json"
    }),
    entry: Entry::Commands { options: r#""timeout":10,"failClosed":true"# },
    events: &[
        "sessionStart",
        "beforeSubmitPrompt",
        "preToolUse",
        "beforeShellExecution",
        "beforeMCPExecution",
        "beforeReadFile",
        "postToolUse",
        "postToolUseFailure",
        "afterShellExecution",
        "afterMCPExecution",
        "afterFileEdit",
        "afterAgentResponse",
        "subagentStart",
        "subagentStop",
        "stop",
        "sessionEnd",
    ],
    gates: &["preToolUse", "beforeShellExecution", "beforeMCPExecution", "beforeReadFile"],
    other_options: r#""timeout":10"#,
    switches: &[],
    notes: &[
        "versions of Cursor that don't know `failClosed` let a call run when a hook takes too long",
        "Cursor asks a person only with `--attended`, which says that one is there and that calls \
         are not reviewed automatically",
    ],
};

impl Host for Cursor {
    fn name(&self) -> &'static str {
        "cursor"
    }

    fn title(&self) -> &'static str {
        "Cursor"
    }

    fn page(&self) -> &'static str {
        include_str!("cursor.md")
    }

    fn abilities(&self) -> &'static [Ability] {
        ABILITIES
    }

    fn failing(&self) -> Failing {
        Failing::Blocks { since: "where it knows `failClosed`" }
    }

    fn takes_allow(&self) -> bool {
        true
    }

    fn setup(&self) -> &'static Setup {
        &SETUP
    }

    fn read(&self, input: Value<'_>, around: &Around) -> Result<Heard, Problem> {
        let event = event(input, "hook_event_name")?;
        let told = told(&event, input)?;
        let root = input.get("workspace_roots").and_then(|it| it.item(0)).and_then(Value::as_str);
        let workspace = root.map(str::to_owned);
        Ok(Heard {
            session: text(input, "parent_conversation_id")
                .or_else(|| text(input, "conversation_id"))
                .or_else(|| text(input, "session_id")),
            cwd: text(input, "cwd").or_else(|| workspace.clone()),
            workspace,
            version: text(input, "cursor_version"),
            mode: around.attended.then(|| ATTENDED.to_owned()),
            told,
            event,
            ..Heard::default()
        })
    }

    fn write(&self, event: &str, say: &Say) -> Output {
        match (event, say) {
            (
                "preToolUse"
                | "beforeShellExecution"
                | "beforeMCPExecution"
                | "beforeReadFile"
                | "subagentStart",
                say,
            ) => match say {
                Say::Allow => permission("allow", None),
                Say::Ask(reason) => permission("ask", Some(reason)),
                Say::Deny(reason) => permission("deny", Some(reason)),
                // Where failures block, an empty answer is one.
                Say::Nothing | Say::Note(_) => Output::json("{}".to_owned()),
            },
            (_, Say::Deny(reason) | Say::Ask(reason)) => Output::block(reason),
            (_, Say::Nothing | Say::Allow) => Output::json("{}".to_owned()),
            (_, Say::Note(note)) => {
                Output { stderr: format!("{note}\n"), ..Output::json("{}".to_owned()) }
            }
        }
    }
}

fn told(event: &str, input: Value<'_>) -> Result<Told, Problem> {
    Ok(match event {
        "sessionStart" => Told::Begun,
        "beforeSubmitPrompt" => Told::User(text(input, "prompt").unwrap_or_default()),
        "afterAgentResponse" => match text(input, "text") {
            Some(words) => Told::Agent(words),
            None => Told::Other,
        },
        "beforeShellExecution" => Told::Call(command(input)?),
        "beforeMCPExecution" => Told::Call(offered(input)?),
        "beforeReadFile" => Told::Call(file(input)?),
        "preToolUse" => {
            let asked = call(input)?;
            // These are told a second time, by events that can ask.
            match is_told_apart(&asked.tool) {
                true => Told::Again(asked),
                false => Told::Call(asked),
            }
        }
        "afterShellExecution" => Told::Result {
            call: command(input)?,
            text: returned(input.get("output")),
            error: false,
        },
        "afterMCPExecution" => Told::Result {
            call: offered(input)?,
            text: returned(input.get("result_json")),
            error: false,
        },
        "postToolUse" | "postToolUseFailure" => {
            let asked = call(input)?;
            let error = event == "postToolUseFailure";
            if is_told_apart(&asked.tool) && !error {
                return Ok(Told::Nothing);
            }
            let given = input.get("tool_output").or_else(|| input.get("error_message"));
            Told::Result { call: asked, text: returned(given), error }
        }
        "afterFileEdit" | "subagentStart" | "subagentStop" | "stop" => Told::Other,
        "sessionEnd" => Told::Ended,
        _ => Told::Nothing,
    })
}

fn is_told_apart(tool: &str) -> bool {
    matches!(tool, "Shell" | "Read") || tool.starts_with("MCP:") || tool.starts_with("mcp__")
}

fn command(input: Value<'_>) -> Result<Asked, Problem> {
    let command = text(input, "command").ok_or_else(|| missing("command"))?;
    Ok(Asked { tool: "Shell".to_owned(), args: one("command", &command), ..Asked::default() })
}

fn file(input: Value<'_>) -> Result<Asked, Problem> {
    let path = text(input, "file_path").ok_or_else(|| missing("file_path"))?;
    Ok(Asked { tool: "Read".to_owned(), args: one("file_path", &path), ..Asked::default() })
}

fn offered(input: Value<'_>) -> Result<Asked, Problem> {
    let tool = text(input, "tool_name").ok_or_else(|| missing("tool_name"))?;
    Ok(Asked { tool, args: args(input.get("tool_input")), ..Asked::default() })
}

fn missing(key: &str) -> Problem {
    Problem::new(NAME, "missing_key", format!("it has no `{key}`"))
}

fn permission(permission: &str, reason: Option<&str>) -> Output {
    let mut writer = Writer::new();
    writer.object().key("permission").string(permission);
    if let Some(reason) = reason {
        writer.key("user_message").string(reason).key("agent_message").string(reason);
    }
    writer.end_object();
    Output::json(writer.finish())
}
