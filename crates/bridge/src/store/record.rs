//! What is kept of one event: no text that no rule needs.

use lawbook::Verdict;
use lawbook_event::json::{Value, Writer};

/// What is kept of one event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Record {
    /// The session began, or is seen for the first time.
    Start {
        /// The secret that digests of this session are made with.
        salt: String,
        /// The folder that it works in.
        cwd: Option<String>,
        /// The folder that it may work in.
        workspace: Option<String>,
    },
    /// Something of the session was not seen, or is not known any more.
    Gap {
        /// What, as the end of a sentence.
        why: String,
    },
    /// Words of the user.
    User(String),
    /// Words of the agent.
    Agent(String),
    /// A call, with the verdict that it was given.
    Call {
        /// Its id.
        id: String,
        /// The tool.
        tool: String,
        /// The server that offers it.
        server: Option<String>,
        /// Its arguments, where a rule needs them.
        args: Option<String>,
        /// A digest of tool and arguments under the session's secret.
        key: String,
        /// What was said of it.
        verdict: Verdict,
    },
    /// A call that the host asked a person about ran: the person said yes.
    Approval {
        /// The call.
        id: String,
    },
    /// A tool returned.
    Result {
        /// The call.
        id: String,
        /// What it returned, where a rule needs it.
        text: Option<String>,
        /// Whether it failed.
        error: bool,
    },
    /// Something else happened.
    Other(String),
}

impl Record {
    pub(super) fn write(&self, writer: &mut Writer) {
        match self {
            Record::Start { salt, cwd, workspace } => {
                writer.key("e").string("start").key("salt").string(salt);
                optional(writer, "cwd", cwd.as_deref());
                optional(writer, "workspace", workspace.as_deref());
            }
            Record::Gap { why } => text(writer, "gap", why),
            Record::User(words) => text(writer, "user", words),
            Record::Agent(words) => text(writer, "agent", words),
            Record::Call { id, tool, server, args, key, verdict } => {
                writer.key("e").string("call").key("id").string(id).key("tool").string(tool);
                optional(writer, "server", server.as_deref());
                optional(writer, "args", args.as_deref());
                writer.key("key").string(key).key("verdict").string(verdict.word());
            }
            Record::Approval { id } => text(writer, "approval", id),
            Record::Result { id, text, error } => {
                writer.key("e").string("result").key("id").string(id);
                optional(writer, "text", text.as_deref());
                writer.key("error").bool(*error);
            }
            Record::Other(event) => text(writer, "other", event),
        }
    }

    pub(super) fn read(root: Value<'_>) -> Option<Record> {
        let text = |key: &str| root.get(key).and_then(Value::as_str).map(str::to_owned);
        let word = || text("x");
        Some(match root.get("e")?.as_str()? {
            "start" => {
                let (cwd, workspace) = (text("cwd"), text("workspace"));
                Record::Start { salt: text("salt")?, cwd, workspace }
            }
            "gap" => Record::Gap { why: word()? },
            "user" => Record::User(word()?),
            "agent" => Record::Agent(word()?),
            "call" => Record::Call {
                id: text("id")?,
                tool: text("tool")?,
                server: text("server"),
                args: text("args"),
                key: text("key")?,
                verdict: verdict(root.get("verdict")?.as_str()?)?,
            },
            "approval" => Record::Approval { id: word()? },
            "result" => Record::Result {
                id: text("id")?,
                text: text("text"),
                error: root.get("error")?.as_bool()?,
            },
            "other" => Record::Other(word()?),
            _ => return None,
        })
    }
}

fn verdict(word: &str) -> Option<Verdict> {
    [Verdict::Allow, Verdict::Ask, Verdict::Deny].into_iter().find(|it| it.word() == word)
}

fn text(writer: &mut Writer, event: &str, text: &str) {
    writer.key("e").string(event).key("x").string(text);
}

fn optional(writer: &mut Writer, key: &str, text: Option<&str>) {
    if let Some(text) = text {
        writer.key(key).string(text);
    }
}
