//! What pmstack finds in a trace before it walks over it: the lists of messages, the shape, the
//! input and the output.

use std::borrow::Cow;

use super::super::project::Mapped;
use lawbook_event::JAVASCRIPT;
use lawbook_event::json::{Kind, Value, Writer};

/// A trace as pmstack is given it.
#[derive(Clone, Copy, Debug)]
pub struct Trace<'d> {
    /// The object; none where a bare list of messages stands for a trace.
    pub object: Option<Value<'d>>,
    /// What is read in the place of what the object has.
    pub mapped: Mapped<'d>,
}

/// What a trace is, by its looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    Responses,
    Anthropic,
    OpenAi,
    Chat,
    Steps,
    InputOutput,
    Text,
    Unknown,
}

impl Form {
    /// The word that pmstack has for it.
    pub fn word(self) -> &'static str {
        match self {
            Form::Responses => "openai-responses",
            Form::Anthropic => "anthropic",
            Form::OpenAi => "openai",
            Form::Chat => "chat",
            Form::Steps => "steps",
            Form::InputOutput => "io",
            Form::Text => "text",
            Form::Unknown => "unknown",
        }
    }
}

const RESPONSES_LISTS: [&str; 4] = ["items", "messages", "input", "output"];
const ANTHROPIC_BLOCKS: [&str; 4] = ["tool_use", "tool_result", "thinking", "redacted_thinking"];

impl<'d> Trace<'d> {
    /// The value of a top-level key that is there and not null.
    pub fn get(&self, key: &str) -> Option<Value<'d>> {
        let own = || self.object.and_then(|it| it.get(key));
        self.mapped.get(key).or_else(own).filter(|it| !it.is_null())
    }

    /// The trace as the text of a JSON object that has this id.
    pub fn recording(&self, id: &str) -> Cow<'d, str> {
        if let Some(text) = self.object.and_then(Value::as_str) {
            let mut writer = Writer::new();
            writer.object().key("id").string(id).key("text").string(text).end_object();
            return Cow::Owned(writer.finish());
        }
        let Some(object) = self.object else {
            let mut writer = Writer::new();
            writer.object().key("id").string(id);
            writer.key("messages").raw(self.mapped.messages.map_or("[]", Value::raw));
            writer.end_object();
            return Cow::Owned(writer.finish());
        };
        if object.get("id").is_some_and(|it| JAVASCRIPT.text(it) == id) {
            return Cow::Borrowed(object.raw());
        }
        // The last of equal keys counts.
        let mut writer = Writer::new();
        writer.object();
        object.entries().for_each(|(key, value)| _ = writer.key(key).raw(value.raw()));
        writer.key("id").string(id).end_object();
        Cow::Owned(writer.finish())
    }

    fn list(&self, key: &str) -> Option<Value<'d>> {
        self.get(key).filter(|it| it.is_array())
    }

    /// The lists that are walked as one list of messages, and whether they are Responses items.
    pub fn lists(&self) -> (Vec<Value<'d>>, bool) {
        let lists: Vec<_> = RESPONSES_LISTS.iter().filter_map(|key| self.list(key)).collect();
        if lists.iter().any(|list| list.items().any(is_item)) {
            return (lists, true);
        }
        (self.list("messages").into_iter().collect(), false)
    }

    /// The log of steps.
    pub fn steps(&self) -> Option<Value<'d>> {
        self.list("steps")
    }

    /// The shape. `responses` says whether its lists hold Responses items.
    pub fn form(&self, responses: bool) -> Form {
        if responses {
            return Form::Responses;
        }
        if let Some(messages) = self.list("messages").filter(|it| !it.is_empty()) {
            return match () {
                () if messages.items().any(has_blocks) => Form::Anthropic,
                () if messages.items().any(has_calls) => Form::OpenAi,
                () => Form::Chat,
            };
        }
        match () {
            () if self.steps().is_some_and(|it| !it.is_empty()) => Form::Steps,
            () if self.asked().is_some() || self.answered().is_some() => Form::InputOutput,
            () if self.text().is_some() => Form::Text,
            () => Form::Unknown,
        }
    }

    /// The input of the trace, where it counts as the user's words.
    pub fn input(&self, responses: bool) -> Option<Cow<'d, str>> {
        if responses {
            return self.get("input")?.as_str().map(Cow::Borrowed);
        }
        self.asked().map(|it| JAVASCRIPT.text(it))
    }

    /// The output of the trace, where it has one of its own.
    pub fn output(&self, responses: bool) -> Option<Value<'d>> {
        if responses && self.list("output").is_some() {
            return None;
        }
        let has_steps = self.list("messages").is_some() || self.list("steps").is_some();
        let text = || if responses || has_steps { None } else { self.text() };
        self.answered().or_else(text)
    }

    fn asked(&self) -> Option<Value<'d>> {
        let plain = |it: &Value<'d>| !matches!(it.kind(), Kind::Array | Kind::Object);
        ["input", "question", "prompt"].iter().find_map(|key| self.get(key).filter(plain))
    }

    fn answered(&self) -> Option<Value<'d>> {
        let text = |key: &&str| self.get(key).filter(|it| it.kind() == Kind::String);
        self.get("output").or_else(|| ["answer", "completion"].iter().find_map(text))
    }

    fn text(&self) -> Option<Value<'d>> {
        let whole = self.object.filter(|it| it.kind() == Kind::String);
        let text = |key: &&str| self.get(key).filter(|it| it.kind() == Kind::String);
        whole.or_else(|| ["text", "content", "transcript"].iter().find_map(text))
    }
}

fn is_item(item: Value<'_>) -> bool {
    match item.get("type").and_then(Value::as_str) {
        Some("function_call" | "function_call_output" | "reasoning") => true,
        Some("message") => item.get("role").is_some_and(is_truthy),
        _ => false,
    }
}

fn has_blocks(message: Value<'_>) -> bool {
    let kind = |block: Value<'_>| {
        block.get("type").and_then(Value::as_str).is_some_and(|it| ANTHROPIC_BLOCKS.contains(&it))
    };
    message.get("content").is_some_and(|it| it.items().any(kind))
}

fn has_calls(message: Value<'_>) -> bool {
    message.entries().any(|(key, value)| match key {
        "tool_calls" => value.is_array(),
        "role" => value.as_str() == Some("tool"),
        "function_call" | "tool_call_id" => is_truthy(value),
        _ => false,
    })
}

/// What JavaScript takes for true.
pub fn is_truthy(value: Value<'_>) -> bool {
    match value.kind() {
        Kind::Null => false,
        Kind::Bool => value.as_bool() == Some(true),
        Kind::Number => value.raw().parse::<f64>().is_ok_and(|it| it != 0.0),
        Kind::String => value.as_str() != Some(""),
        Kind::Array | Kind::Object => true,
    }
}
