//! What is taken out of the JSON that hosts send.

use std::borrow::Cow;

use lawbook_diag::Problem;
use lawbook_event::json::{Document, Grammar, Kind, Limits, Value, Writer};

use crate::host::Asked;

/// The name of the input in problems.
pub const NAME: &str = "input";

/// Reads an input. Two readers must not read it differently, so no key stands twice.
pub fn document(text: &str) -> Result<Document<'_>, Problem> {
    let document = Document::parse(text, Grammar::Strict, &Limits::DEFAULT)
        .map_err(|error| Problem::new(NAME, "not_json", format!("it is no JSON: {error}")))?;
    if let Some((key, _)) = document.duplicate_key() {
        let message = format!("`{key}` stands twice in one object");
        return Err(Problem::new(NAME, "duplicate_key", message));
    }
    if !document.root().is_object() {
        return Err(Problem::new(NAME, "wrong_shape", "it is no JSON object"));
    }
    Ok(document)
}

/// A text that is not empty.
pub fn text(value: Value<'_>, key: &str) -> Option<String> {
    value.get(key)?.as_str().filter(|it| !it.is_empty()).map(str::to_owned)
}

/// The event that an input is about.
pub fn event(input: Value<'_>, key: &str) -> Result<String, Problem> {
    text(input, key).ok_or_else(|| {
        let message = format!("it does not say its event in `{key}`");
        Problem::new(NAME, "no_event", message)
    })
}

/// A tool and its arguments, as most hosts tell them.
pub fn call(input: Value<'_>) -> Result<Asked, Problem> {
    let Some(tool) = text(input, "tool_name") else {
        return Err(Problem::new(NAME, "no_tool", "it names no tool in `tool_name`"));
    };
    let id = text(input, "tool_use_id");
    Ok(Asked { id, server: server(&tool), args: args(input.get("tool_input")), tool })
}

/// The text of arguments: a text as it stands, anything else as its JSON.
pub fn args(value: Option<Value<'_>>) -> String {
    match value.map(|it| (it, it.kind())) {
        None | Some((_, Kind::Null)) => String::new(),
        Some((it, Kind::String)) => it.as_str().unwrap_or_default().to_owned(),
        Some((it, _)) => it.raw().to_owned(),
    }
}

/// Arguments of one text.
pub fn one(key: &str, value: &str) -> String {
    let mut writer = Writer::new();
    writer.object().key(key).string(value).end_object();
    writer.finish()
}

/// The server in a name such as `mcp__server__tool`.
fn server(tool: &str) -> Option<String> {
    let (server, name) = tool.strip_prefix("mcp__")?.split_once("__")?;
    (!server.is_empty() && !name.is_empty()).then(|| server.to_owned())
}

/// What a tool returned, as the model is shown it: a text, the texts of a list of blocks, what a
/// command printed, or the JSON of anything else.
pub fn returned(value: Option<Value<'_>>) -> Option<String> {
    let value = value.filter(|it| !it.is_null())?;
    if let Some(text) = value.as_str() {
        return Some(text.to_owned());
    }
    let printed = [value.get("stdout"), value.get("stderr")];
    if let [Some(out), Some(err)] = printed.map(|it| it.and_then(Value::as_str)) {
        let parts = [out, err].into_iter().filter(|it| !it.is_empty());
        return Some(parts.collect::<Vec<&str>>().join("\n"));
    }
    let blocks = value.get("content").filter(|it| it.is_array()).unwrap_or(value);
    if blocks.is_array() && !blocks.is_empty() {
        let texts: Option<Vec<&str>> =
            blocks.items().map(|it| it.get("text").and_then(Value::as_str)).collect();
        if let Some(texts) = texts {
            return Some(texts.join("\n"));
        }
    }
    Some(value.raw().to_owned())
}

/// The text as it is told to people: one line, and not longer than a reason should be.
pub fn line(text: &str) -> Cow<'_, str> {
    if text.contains(char::is_control) {
        return Cow::Owned(text.replace(char::is_control, " "));
    }
    Cow::Borrowed(text)
}
