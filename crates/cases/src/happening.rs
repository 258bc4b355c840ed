//! One event of a story, as its file writes it.

use lawbook_event::{Severity, Time};
use serde::{Deserialize, Deserializer};
use serde_json::Value;

use crate::case::{Expect, Expectation};
use crate::of_agents::{OfAgents, actor, effect, severity};
use crate::timing;

/// One event of a story, with its place in the file.
#[derive(Clone, Debug)]
pub struct Happening {
    /// What happens.
    pub step: Step,
    /// When.
    pub at: Option<Time>,
    /// What must be said of it.
    pub expect: Option<Expect>,
    /// Its line in the case.
    pub line: u32,
}

/// What can happen in a story.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// The agent asks for a tool.
    Call(Asking),
    /// The user speaks.
    User(String),
    /// The agent speaks.
    Agent(String),
    /// A tool answers.
    Result(Returned),
    /// A person says yes.
    Approve {
        /// The call.
        id: String,
        /// Who.
        by: String,
    },
    /// A person says no.
    Reject {
        /// The call.
        id: String,
        /// Who.
        by: String,
        /// Why.
        reason: String,
        /// What it does to the agent.
        scar: Option<Severity>,
    },
    /// The session ends: `finished` or `error`.
    End(String),
    /// Something that happens to an agent beside its calls.
    OfAgents(OfAgents),
    /// Nothing happens: the agent is looked at.
    Standing(Standing),
}

/// A call, as a story writes it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Asking {
    /// The tool.
    pub tool: String,
    /// The text of the arguments.
    pub args: String,
    /// `cut` or `unrecorded`.
    pub args_state: Option<String>,
    /// The caller's id.
    pub id: Option<String>,
    /// The message that it shares with others.
    pub batch: Option<String>,
    /// The server that offers the tool.
    pub server: Option<String>,
    /// What its caller says that it costs.
    pub cost: Option<u64>,
    /// False if the recording shows that it did not run.
    pub ran: bool,
    /// How often it is made.
    pub repeat: u32,
}

/// A result, as a story writes it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Returned {
    /// The call.
    pub id: String,
    /// The text.
    pub text: String,
    /// The error flag.
    pub error: Option<bool>,
    /// The work is not done yet.
    pub pending: bool,
    /// Whether the text was recorded.
    pub recorded: bool,
}

/// What a standing `expect` compares.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs, reason = "the names are the glossary's")]
pub struct Standing {
    pub alive: Option<bool>,
    pub reason: Option<String>,
    pub budget: Option<u64>,
    pub spent: Option<u64>,
    pub remaining: Option<u64>,
    pub scar_score: Option<u64>,
    pub scars: Option<u64>,
    pub allowed: Option<u64>,
    pub denied: Option<u64>,
    pub pending: Option<u64>,
}

/// Every key that an event may have.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Raw {
    call: Option<String>,
    user: Option<String>,
    agent: Option<String>,
    result: Option<String>,
    approve: Option<String>,
    reject: Option<String>,
    outcome: Option<String>,
    fact: Option<String>,
    scar: Option<String>,
    terminate: Option<String>,
    restart: Option<bool>,
    end: Option<String>,
    at: Option<String>,
    #[serde(default, deserialize_with = "there")]
    args: Option<Value>,
    args_text: Option<String>,
    args_state: Option<String>,
    id: Option<String>,
    batch: Option<String>,
    server: Option<String>,
    cost: Option<u64>,
    ran: Option<bool>,
    repeat: Option<u32>,
    #[serde(default, deserialize_with = "there")]
    value: Option<Value>,
    value_text: Option<String>,
    error: Option<bool>,
    state: Option<String>,
    recorded: Option<bool>,
    by: Option<String>,
    reason: Option<String>,
    status: Option<String>,
    detail: Option<String>,
    role: Option<String>,
    of: Option<String>,
    expect: Option<Value>,
}

/// Keeps `null` apart from a key that is not there.
fn there<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(from).map(Some)
}

/// What each event may have beside `at`.
const KEYS: &[(&str, &[&str])] = &[
    (
        "call",
        &[
            "args",
            "args_text",
            "args_state",
            "id",
            "batch",
            "server",
            "cost",
            "ran",
            "repeat",
            "expect",
        ],
    ),
    ("user", &[]),
    ("agent", &[]),
    ("result", &["value", "value_text", "error", "state", "recorded", "expect"]),
    ("approve", &["by", "expect"]),
    ("reject", &["by", "reason", "scar", "expect"]),
    ("outcome", &["status", "detail", "role", "expect"]),
    ("fact", &["value"]),
    ("scar", &["reason", "of", "expect"]),
    ("terminate", &["by", "expect"]),
    ("restart", &[]),
    ("end", &["expect"]),
    ("expect", &[]),
];

impl Step {
    /// Reads one event.
    pub fn read(raw: Raw, line: u32) -> Result<Happening, String> {
        let present = raw.present();
        let (head, may) = KEYS
            .iter()
            .find(|(head, _)| present.contains(head))
            .ok_or("an event needs one of `call`, `user`, `agent`, `result`, `approve`, `reject`, `outcome`, `fact`, `scar`, `terminate`, `restart`, `end`, `expect`")?;
        if let Some(extra) = present.iter().find(|it| *it != head && !may.contains(it)) {
            return Err(format!("`{extra}` means nothing beside `{head}`"));
        }
        let at = raw.at.as_deref().map(timing::read).transpose()?;
        let alone = *head == "expect";
        let expect = match &raw.expect {
            Some(value) if !alone => Some(expect(value)?),
            _ => None,
        };
        let step = raw.step(head)?;
        Ok(Happening { step, at, expect, line })
    }
}

impl Raw {
    /// The keys that are there, `at` left out.
    fn present(&self) -> Vec<&'static str> {
        let all = [
            ("call", self.call.is_some()),
            ("user", self.user.is_some()),
            ("agent", self.agent.is_some()),
            ("result", self.result.is_some()),
            ("approve", self.approve.is_some()),
            ("reject", self.reject.is_some()),
            ("outcome", self.outcome.is_some()),
            ("fact", self.fact.is_some()),
            ("scar", self.scar.is_some()),
            ("terminate", self.terminate.is_some()),
            ("restart", self.restart.is_some()),
            ("end", self.end.is_some()),
            ("args", self.args.is_some()),
            ("args_text", self.args_text.is_some()),
            ("args_state", self.args_state.is_some()),
            ("id", self.id.is_some()),
            ("batch", self.batch.is_some()),
            ("server", self.server.is_some()),
            ("cost", self.cost.is_some()),
            ("ran", self.ran.is_some()),
            ("repeat", self.repeat.is_some()),
            ("value", self.value.is_some()),
            ("value_text", self.value_text.is_some()),
            ("error", self.error.is_some()),
            ("state", self.state.is_some()),
            ("recorded", self.recorded.is_some()),
            ("by", self.by.is_some()),
            ("reason", self.reason.is_some()),
            ("status", self.status.is_some()),
            ("detail", self.detail.is_some()),
            ("role", self.role.is_some()),
            ("of", self.of.is_some()),
            ("expect", self.expect.is_some()),
        ];
        all.into_iter().filter(|it| it.1).map(|it| it.0).collect()
    }

    fn step(self, head: &'static str) -> Result<Step, String> {
        Ok(match head {
            "call" => Step::Call(self.asking()?),
            "user" => Step::User(self.user.unwrap_or_default()),
            "agent" => Step::Agent(self.agent.unwrap_or_default()),
            "result" => Step::Result(self.returned()?),
            "approve" => Step::Approve {
                id: self.approve.unwrap_or_default(),
                by: self.by.unwrap_or_default(),
            },
            "reject" => Step::Reject {
                id: self.reject.unwrap_or_default(),
                by: self.by.unwrap_or_default(),
                reason: self.reason.unwrap_or_default(),
                scar: self.scar.as_deref().map(severity).transpose()?,
            },
            "end" => match self.end.as_deref() {
                Some(how @ ("finished" | "error")) => Step::End(how.to_owned()),
                _ => return Err("`end` is `finished` or `error`".to_owned()),
            },
            "expect" => {
                let value = self.expect.unwrap_or_default();
                Step::Standing(serde_json::from_value(value).map_err(|it| it.to_string())?)
            }
            other => Step::OfAgents(self.of_agents(other)?),
        })
    }

    fn of_agents(self, head: &str) -> Result<OfAgents, String> {
        let words = Option::unwrap_or_default;
        Ok(match head {
            "outcome" => OfAgents::Outcome {
                effect: effect(self.status.as_deref())?,
                by: actor(self.role.as_deref())?,
                id: words(self.outcome),
                detail: words(self.detail),
            },
            "scar" => OfAgents::Scar {
                severity: severity(&words(self.scar))?,
                reason: words(self.reason),
                of: self.of,
            },
            "terminate" => {
                OfAgents::Terminate { reason: words(self.terminate), by: words(self.by) }
            }
            "restart" => OfAgents::Restart,
            _ => OfAgents::Fact,
        })
    }

    fn asking(self) -> Result<Asking, String> {
        let args = match (self.args, self.args_text) {
            (Some(_), Some(_)) => return Err("give `args` or `args_text`, not both".to_owned()),
            (Some(Value::Null) | None, None) => String::new(),
            (Some(value @ Value::Object(_)), None) => value.to_string(),
            (Some(_), None) => {
                return Err("`args` is a mapping or null; `args_text` is any text".to_owned());
            }
            (None, Some(text)) => text,
        };
        if let Some(state) = &self.args_state
            && !matches!(state.as_str(), "cut" | "unrecorded")
        {
            return Err("`args_state` is `cut` or `unrecorded`".to_owned());
        }
        if self.repeat == Some(0) {
            return Err("`repeat` is at least 1".to_owned());
        }
        Ok(Asking {
            tool: self.call.unwrap_or_default(),
            args,
            args_state: self.args_state,
            id: self.id,
            batch: self.batch,
            server: self.server,
            cost: self.cost,
            ran: self.ran.unwrap_or(true),
            repeat: self.repeat.unwrap_or(1),
        })
    }

    fn returned(self) -> Result<Returned, String> {
        let text = match (self.value, self.value_text) {
            (Some(_), Some(_)) => return Err("give `value` or `value_text`, not both".to_owned()),
            (Some(Value::String(text)), None) | (None, Some(text)) => text,
            (Some(value), None) => value.to_string(),
            (None, None) => String::new(),
        };
        if self.state.as_deref().is_some_and(|it| it != "pending") {
            return Err("`state` is `pending`".to_owned());
        }
        Ok(Returned {
            id: self.result.unwrap_or_default(),
            text,
            error: self.error,
            pending: self.state.is_some(),
            recorded: self.recorded.unwrap_or(true),
        })
    }
}

fn expect(value: &Value) -> Result<Expect, String> {
    let of = |verdict: &str| -> Result<String, String> {
        match verdict {
            "allow" | "ask" | "deny" => Ok(verdict.to_owned()),
            other => Err(format!("`{other}` is no verdict; write `allow`, `ask` or `deny`")),
        }
    };
    match value {
        Value::String(verdict) => {
            let verdict = Some(of(verdict)?);
            Ok(Expect::Said(Expectation { verdict, ..Expectation::default() }))
        }
        Value::Object(keys) if keys.contains_key("error") => match keys.get("error") {
            Some(Value::String(code)) if keys.len() == 1 => Ok(Expect::Misuse(code.clone())),
            _ => Err("`expect: {error: CODE}` stands alone".to_owned()),
        },
        Value::Object(_) => {
            let said: Expectation =
                serde_json::from_value(value.clone()).map_err(|it| format!("`expect`: {it}"))?;
            said.verdict.as_deref().map(of).transpose()?;
            Ok(Expect::Said(said))
        }
        _ => Err("`expect` is a verdict or a mapping".to_owned()),
    }
}
