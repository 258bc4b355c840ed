//! The methods of MCP, and who calls them.

use lawbook_event::json::Value;

use crate::entries::{list, object};

/// Who sent a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Side {
    /// The client, on behalf of the agent.
    Client,
    /// A server that offers tools.
    Server,
}

/// Beginnings of methods that clients call.
const OF_CLIENT: [&str; 8] = [
    "tools/",
    "resources/",
    "prompts/",
    "completion/",
    "logging/",
    "notifications/initialized",
    "notifications/roots/",
    "initialize",
];

/// Beginnings of methods that servers call.
const OF_SERVER: [&str; 8] = [
    "sampling/",
    "elicitation/",
    "roots/",
    "notifications/message",
    "notifications/tools/",
    "notifications/resources/",
    "notifications/prompts/",
    "notifications/elicitation/",
];

/// Who calls a method, where only one side does.
pub fn side(method: &str) -> Option<Side> {
    let one_of = |all: &[&str]| all.iter().any(|it| method.starts_with(it));
    if one_of(&OF_SERVER) { Some(Side::Server) } else { one_of(&OF_CLIENT).then_some(Side::Client) }
}

/// Whether a method is one of MCP. Other protocols over JSON-RPC begin with `initialize` too.
pub fn is_mcp(method: &str, message: Value<'_>) -> bool {
    if method == "initialize" {
        let params = object(message, "params");
        return params.is_some_and(|it| it.get("protocolVersion").is_some());
    }
    side(method).is_some() || method.starts_with("notifications/")
}

/// Whether an answer is one that only MCP gives.
pub fn is_result(message: Value<'_>) -> bool {
    object(message, "result").is_some_and(|result| {
        let named = object(result, "serverInfo").is_some();
        let tools = list(result, "tools")
            .and_then(|it| it.item(0))
            .is_some_and(|it| it.get("inputSchema").is_some());
        named || tools || of_tool(result)
    })
}

/// Whether a result is one of a tool, and not of what a server asked the client for.
pub fn of_tool(result: Value<'_>) -> bool {
    let has = |key: &str| result.get(key).is_some();
    list(result, "content").is_some() || has("structuredContent") || has("isError")
}
