//! One message, whichever way it is spelled.

use lawbook_event::json::Value;

use crate::entries::{object, text};

/// Who speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A person.
    Human,
    /// The model.
    Ai,
    /// A piece of what the model is saying.
    AiChunk,
    /// A tool.
    Tool,
    /// A message that takes another one out of the state.
    Remove,
    /// Instructions and the like.
    Other,
}

/// A message: who speaks, and the object that holds its fields.
#[derive(Clone, Copy, Debug)]
pub struct Message<'d> {
    /// Who speaks.
    pub kind: Kind,
    /// Its fields.
    pub body: Value<'d>,
}

impl<'d> Message<'d> {
    /// The message in a value, as LangChain itself spells it: `dumpd`, `messages_to_dict`, or
    /// `model_dump`.
    pub fn own(value: Value<'d>) -> Option<Self> {
        if value.get("lc").is_some() {
            let class = value.get("id")?.items().last()?.as_str()?;
            let body = object(value, "kwargs")?;
            return Some(Message { kind: Kind::of_class(class)?, body });
        }
        let kind = Kind::of_type(text(value, "type")?)?;
        if let Some(body) = object(value, "data") {
            return body.get("content").map(|_| Message { kind, body });
        }
        let speaks = value.get("content").is_some() && value.get("role").is_none();
        (speaks || kind == Kind::Remove).then_some(Message { kind, body: value })
    }

    /// The message in a value that stands among others, perhaps in OpenAI's spelling.
    pub fn any(value: Value<'d>) -> Option<Self> {
        Message::own(value).or_else(|| {
            let kind = match text(value, "role")? {
                "user" | "human" => Kind::Human,
                "assistant" | "ai" => Kind::Ai,
                "tool" | "function" => Kind::Tool,
                _ => Kind::Other,
            };
            Some(Message { kind, body: value })
        })
    }

    /// Its own id, which checkpoints repeat.
    pub fn id(&self) -> Option<&'d str> {
        text(self.body, "id").filter(|it| !it.is_empty())
    }
}

impl Kind {
    fn of_type(word: &str) -> Option<Self> {
        Some(match word {
            "human" => Kind::Human,
            "ai" => Kind::Ai,
            "tool" | "function" => Kind::Tool,
            "system" | "developer" | "chat" => Kind::Other,
            "remove" => Kind::Remove,
            class => return Kind::of_class(class),
        })
    }

    fn of_class(class: &str) -> Option<Self> {
        Some(match class.strip_suffix("Chunk").unwrap_or(class) {
            "HumanMessage" => Kind::Human,
            "AIMessage" if class.ends_with("Chunk") => Kind::AiChunk,
            "AIMessage" => Kind::Ai,
            "ToolMessage" | "FunctionMessage" => Kind::Tool,
            "SystemMessage" | "ChatMessage" => Kind::Other,
            "RemoveMessage" => Kind::Remove,
            _ => return None,
        })
    }
}
