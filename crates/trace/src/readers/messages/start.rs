//! What a session says of itself beside its messages.

use std::borrow::Cow;

use lawbook_event::Start;
use lawbook_event::json::{Value, Writer};

/// The keys under which a session's own id may stand, best first.
const ID_KEYS: [&str; 7] =
    ["id", "session_id", "sessionId", "conversation_id", "thread_id", "trace_id", "task_id"];

/// The start of a session that this object is, and how it says that it ended.
pub fn start<'d>(around: Option<Value<'d>>, place: &str) -> (Start<'d>, Cow<'d, str>) {
    let mut start = Start::default();
    let mut termination = Cow::Borrowed("");
    let Some(around) = around else {
        start.id = Cow::Owned(place.to_owned());
        return (start, termination);
    };
    let text = |key: &str| around.get(key).and_then(Value::as_str).map(Cow::Borrowed);
    start.id = id(around).unwrap_or_else(|| Cow::Owned(place.to_owned()));
    start.cwd = text("cwd");
    start.workspace = text("workspace");
    if let Some(metadata) = around.get("metadata").filter(|it| it.is_object()) {
        start.metadata = Cow::Borrowed(metadata.raw());
    }
    start.attributes = attributes(around);
    if let Some(said) = text("termination_reason").or_else(|| text("termination")) {
        termination = said;
    }
    (start, termination)
}

fn id<'d>(around: Value<'d>) -> Option<Cow<'d, str>> {
    let (key, own) = ID_KEYS.iter().find_map(|key| {
        let value = around.get(key)?;
        let text = value.as_str().or_else(|| value.number_text())?;
        (!text.is_empty()).then_some((*key, text))
    })?;
    // Benchmark results repeat a task in several trials under one task id.
    match around.get("trial").and_then(Value::number_text) {
        Some(trial) if key == "task_id" => Some(Cow::Owned(format!("{own}.{trial}"))),
        _ => Some(Cow::Borrowed(own)),
    }
}

/// The session's attributes; a top-level `user` names the end user of the request.
fn attributes<'d>(around: Value<'d>) -> Cow<'d, str> {
    let given = around.get("attributes").filter(|it| it.is_object());
    let Some(user) = around.get("user").and_then(Value::as_str) else {
        return given.map_or(Cow::Borrowed(""), |it| Cow::Borrowed(it.raw()));
    };
    let mut writer = Writer::new();
    writer.object();
    for (key, value) in given.into_iter().flat_map(Value::entries) {
        writer.key(key).raw(value.raw());
    }
    for key in ["user", "enduser.id"] {
        if given.and_then(|it| it.get(key)).is_none() {
            writer.key(key).string(user);
        }
    }
    writer.end_object();
    Cow::Owned(writer.finish())
}
