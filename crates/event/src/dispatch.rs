//! Calls that hide behind a tool which runs another tool.

use crate::json::{Kind, Value, Writer};

/// Tools whose arguments name the tool that really runs.
pub const DISPATCHERS: [&str; 16] = [
    "call_tool",
    "calltool",
    "dispatch_tool",
    "execute_tool",
    "executetool",
    "invoke_tool",
    "invoketool",
    "mcp_call",
    "mcp_call_tool",
    "mcp_tool_call",
    "run_tool",
    "runtool",
    "tool_call",
    "tools/call",
    "use_mcp_tool",
    "use_tool",
];

/// Where a dispatcher names the tool, the more telling key first.
const NAME_KEYS: [&str; 5] = ["tool_name", "toolName", "tool", "name", "function"];

/// Where it holds the tool's arguments.
const ARGS_KEYS: [&str; 8] =
    ["arguments", "args", "input", "parameters", "params", "tool_input", "tool_args", "kwargs"];

/// What a dispatcher's arguments say of the call that it runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Dispatched {
    /// They name no tool.
    Nothing,
    /// They name one tool and its arguments.
    Call {
        /// The tool.
        tool: String,
        /// Its arguments as text.
        args: String,
    },
    /// Which tool runs, or with which arguments, depends on who reads them.
    Ambiguous,
}

/// Reads the arguments of a dispatcher. What comes out may be a dispatcher again.
///
/// Several names or several sets of arguments are ambiguous, and where no key holds the arguments,
/// they are what stands beside the name.
#[must_use]
pub fn dispatched(args: Value<'_>) -> Dispatched {
    let filled = |keys: &[&'static str]| -> Vec<(&'static str, Value<'_>)> {
        let found = keys.iter().filter_map(|key| args.get(key).map(|it| (*key, it)));
        found.filter(|(_, it)| !it.is_null()).collect()
    };
    let names: Vec<(&str, &str)> = filled(&NAME_KEYS)
        .into_iter()
        .filter_map(|(key, it)| it.as_str().map(|name| (key, name)))
        .filter(|(_, name)| !name.trim().is_empty())
        .collect();
    let (name_key, tool) = match names.as_slice() {
        [] => return Dispatched::Nothing,
        [one] => *one,
        [first, others @ ..] if others.iter().all(|it| it.1 == first.1) => *first,
        _ => return Dispatched::Ambiguous,
    };
    let inner = match filled(&ARGS_KEYS).as_slice() {
        [] => beside(args, name_key),
        [(_, value)] => match value.kind() {
            Kind::String => value.as_str().unwrap_or_default().to_owned(),
            _ => value.raw().to_owned(),
        },
        _ => return Dispatched::Ambiguous,
    };
    Dispatched::Call { tool: tool.to_owned(), args: inner }
}

/// The members that stand beside the name of the tool.
fn beside(args: Value<'_>, name_key: &str) -> String {
    let own = |key: &str| key == name_key || ARGS_KEYS.contains(&key);
    let mut writer = Writer::new();
    writer.object();
    for (key, value) in args.entries().filter(|(key, _)| !own(key)) {
        writer.key(key).raw(value.raw());
    }
    writer.end_object();
    writer.finish()
}

#[cfg(test)]
mod tests {
    use super::{Dispatched, dispatched};
    use crate::json::{Document, Grammar, Limits};

    #[test]
    fn what_runs_is_read_or_ambiguous() {
        let call =
            |tool: &str, args: &str| Dispatched::Call { tool: tool.into(), args: args.into() };
        for (text, expected) in [
            (
                r#"{"name": "refund", "arguments": {"amount": 5.00}}"#,
                call("refund", r#"{"amount": 5.00}"#),
            ),
            (r#"{"tool": "refund", "args": "{\"a\": 1}"}"#, call("refund", r#"{"a": 1}"#)),
            (
                r#"{"server_name": "s", "tool_name": "refund", "arguments": null}"#,
                call("refund", r#"{"server_name":"s"}"#),
            ),
            (r#"{"name": "refund", "amount": 900}"#, call("refund", r#"{"amount":900}"#)),
            (r#"{"name": "refund"}"#, call("refund", "{}")),
            (r#"{"name": " "}"#, Dispatched::Nothing),
            (r#"{"arguments": {}}"#, Dispatched::Nothing),
            (r#"{"tool_name": "lookup", "name": "drop_db"}"#, Dispatched::Ambiguous),
            (
                r#"{"name": "pay", "arguments": {"amount": 1}, "args": {"amount": 900}}"#,
                Dispatched::Ambiguous,
            ),
        ] {
            let document = Document::parse(text, Grammar::Strict, &Limits::DEFAULT).unwrap();
            assert_eq!(dispatched(document.root()), expected, "{text}");
        }
    }
}
