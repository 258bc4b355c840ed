//! opencode: a script of ours, which it loads at its start and which asks for each call.

use lawbook_diag::Problem;
use lawbook_event::json::{Value, Writer};

use crate::host::{
    Ability, Around, Asked, Entry, Failing, Heard, Host, Output, Place, Say, Setup, Told, Versions,
};
use crate::input::{NAME, args, event, returned, text};

/// The host.
pub struct Opencode;

const ABILITIES: &[Ability] = &[Ability {
    event: "*",
    mode: "*",
    place: "*",
    versions: Versions::Every,
    asks: false,
    why: "a script of opencode can stop a call and can't have it asked about",
}];

const SETUP: Setup = Setup {
    user: Place {
        variable: Some(("OPENCODE_CONFIG_DIR", "plugins/lawbook.js")),
        home: ".config/opencode/plugins/lawbook.js",
    },
    project: ".opencode/plugins/lawbook.js",
    managed: None,
    entry: Entry::Script(include_str!("opencode/script.js")),
    events: &["tool.execute.before", "tool.execute.after", "chat.message", "event"],
    gates: &["tool.execute.before"],
    other_options: "",
    switches: &[],
    notes: &["opencode reads scripts when it starts: start it again"],
};

impl Host for Opencode {
    fn name(&self) -> &'static str {
        "opencode"
    }

    fn title(&self) -> &'static str {
        "opencode"
    }

    fn page(&self) -> &'static str {
        include_str!("opencode.md")
    }

    fn abilities(&self) -> &'static [Ability] {
        ABILITIES
    }

    fn failing(&self) -> Failing {
        Failing::Blocks { since: "in every version" }
    }

    fn setup(&self) -> &'static Setup {
        &SETUP
    }

    fn read(&self, input: Value<'_>, _around: &Around) -> Result<Heard, Problem> {
        let event = event(input, "hook")?;
        let told = match event.as_str() {
            "session.created" => Told::Begun,
            "chat.message" => Told::User(text(input, "text").unwrap_or_default()),
            "message.completed" => Told::Agent(text(input, "text").unwrap_or_default()),
            "tool.execute.before" => Told::Call(asked(input)?),
            "tool.execute.after" => Told::Result {
                call: asked(input)?,
                text: returned(input.get("output")),
                error: input.get("error").and_then(Value::as_bool) == Some(true),
            },
            "session.deleted" => Told::Ended,
            _ => Told::Nothing,
        };
        Ok(Heard {
            event,
            session: text(input, "session"),
            cwd: text(input, "directory"),
            workspace: text(input, "worktree").or_else(|| text(input, "directory")),
            told,
            ..Heard::default()
        })
    }

    fn write(&self, event: &str, say: &Say) -> Output {
        match (event, say) {
            ("tool.execute.before", Say::Deny(reason) | Say::Ask(reason)) => {
                let mut writer = Writer::new();
                writer.object().key("decision").string("deny").key("reason").string(reason);
                writer.end_object();
                Output::json(writer.finish())
            }
            (_, Say::Deny(reason) | Say::Ask(reason)) => Output::block(reason),
            (_, Say::Note(note)) => Output { stderr: format!("{note}\n"), ..Output::silent() },
            (_, Say::Nothing | Say::Allow) => Output::silent(),
        }
    }
}

fn asked(input: Value<'_>) -> Result<Asked, Problem> {
    let Some(tool) = text(input, "tool") else {
        return Err(Problem::new(NAME, "no_tool", "it names no tool in `tool`"));
    };
    let id = text(input, "call");
    Ok(Asked { id, tool, server: None, args: args(input.get("args")) })
}
