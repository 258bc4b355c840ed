//! What loggers put around messages: a time, a direction, a connection.

use lawbook_event::Time;
use lawbook_event::json::Value;

use crate::entries::{Entry, object, text, time};

/// Keys under which a logger puts the message.
const INNER_KEYS: [&str; 8] =
    ["msg", "message", "payload", "data", "body", "frame", "rpc", "content"];
const TIME_KEYS: [&str; 6] = ["ts", "timestamp", "time", "at", "@timestamp", "date"];
const DIRECTION_KEYS: [&str; 6] = ["dir", "direction", "from", "side", "source", "sender"];
const SESSION_KEYS: [&str; 5] =
    ["sessionId", "session_id", "mcp_session_id", "mcpSessionId", "Mcp-Session-Id"];
const SERVER_KEYS: [&str; 4] = ["server", "server_name", "serverName", "mcp_server"];

/// One message of JSON-RPC, with what its logger says of it.
#[derive(Clone, Debug)]
pub struct Frame<'d> {
    /// The message.
    pub message: Value<'d>,
    /// Its record.
    pub entry: Entry<'d>,
    /// The place of its record among all; the messages of one list have the same.
    pub record: usize,
    /// When.
    pub time: Option<Time>,
    /// The logger's word for the direction.
    pub direction: Option<&'d str>,
    /// The session of the transport.
    pub session: Option<&'d str>,
    /// The server, where the logger names it.
    pub server: Option<&'d str>,
}

impl Frame<'_> {
    /// The method that a message calls.
    pub fn method_of(message: Value<'_>) -> Option<&str> {
        text(message, "method")
    }
}

/// The messages in a record: the record itself, or what stands in its envelope; each may be a list.
pub fn messages(record: Value<'_>) -> impl Iterator<Item = Value<'_>> {
    let inner = if record.is_array() || record.get("jsonrpc").is_some() {
        Some(record)
    } else if record.get("role").is_some() {
        // A message of a conversation is no envelope, whatever a tool returned in it.
        None
    } else {
        let held = INNER_KEYS.iter().filter_map(|key| record.get(key));
        held.into_iter().find(|it| it.get("jsonrpc").is_some() || is_list(*it))
    };
    let list = inner.filter(|it| it.is_array());
    let alone = inner.filter(|it| it.is_object());
    let items = list.into_iter().flat_map(Value::items);
    alone.into_iter().chain(items.filter(|it| it.get("jsonrpc").is_some()))
}

fn is_list(value: Value<'_>) -> bool {
    value.items().any(|it| it.get("jsonrpc").is_some())
}

/// Adds the messages of a record.
pub fn open<'d>(entry: &Entry<'d>, frames: &mut Vec<Frame<'d>>) {
    let record = entry.value;
    let around = Some(record).filter(|it| it.is_object() && it.get("jsonrpc").is_none());
    let find = |keys: &[&str]| around.and_then(|it| keys.iter().find_map(|key| text(it, key)));
    let headers = around.and_then(|it| object(it, "headers"));
    let header = headers.and_then(|it| {
        let mut all = it.entries();
        all.find(|(key, _)| key.eq_ignore_ascii_case("mcp-session-id"))?.1.as_str()
    });
    let number = frames.last().map_or(0, |it| it.record.saturating_add(1));
    for message in messages(record) {
        frames.push(Frame {
            message,
            entry: *entry,
            record: number,
            time: around.and_then(|it| TIME_KEYS.iter().find_map(|key| time(it, key))),
            direction: find(&DIRECTION_KEYS),
            session: find(&SESSION_KEYS).or(header),
            server: find(&SERVER_KEYS),
        });
    }
}
