//! Tool names as people see them, and calls that hide behind a dispatcher.

use std::sync::LazyLock;

use unicode_general_category::{GeneralCategory, get_general_category};
use unicode_normalization::UnicodeNormalization;

use crate::json::{Kind, Value};

/// What a name looks like: two names that a person could take for one have one skeleton.
///
/// Case, white space around it, invisible characters, compatibility forms (NFKC) and look-alikes
/// (UTS 39, ASCII ones included: `1`, `I` and `l`; `0` and `o`; `rn` and `m`) make no difference.
/// Skeletons are for comparing, not for showing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skeleton {
    whole: String,
    /// Where the tool's own name begins, behind `mcp__server__` or `server.`.
    tool_at: usize,
}

impl Skeleton {
    /// The skeleton of a name.
    #[must_use]
    pub fn new(name: &str) -> Self {
        if name.is_ascii() {
            return from_lower(name.bytes().map(|byte| char::from(byte.to_ascii_lowercase())));
        }
        let visible: String = name.nfkc().filter(|it| !is_invisible(*it)).collect();
        let one_case = visible.to_uppercase().to_lowercase();
        let plain: String = unicode_security::confusable_detection::skeleton(&one_case).collect();
        from_lower(plain.to_lowercase().chars())
    }

    /// All of it.
    #[must_use]
    pub fn whole(&self) -> &str {
        &self.whole
    }

    /// The tool's own name.
    #[must_use]
    pub fn tool(&self) -> &str {
        self.whole.get(self.tool_at..).unwrap_or_default()
    }

    /// The server in front of it; empty when the name says none.
    #[must_use]
    pub fn server(&self) -> &str {
        self.whole.get(..self.tool_at).unwrap_or_default()
    }

    /// Whether both mean one tool: the same name, and the same server where both say one.
    #[must_use]
    pub fn means(&self, other: &Skeleton) -> bool {
        let (here, there) = (self.server(), other.server());
        self.tool() == other.tool() && (here.is_empty() || there.is_empty() || here == there)
    }
}

/// The skeleton of a tool's own name.
#[must_use]
pub fn skeleton(name: &str) -> String {
    Skeleton::new(name).tool().to_owned()
}

/// The rest of the way for a name in lower case: ASCII look-alikes to one form, prefix found.
fn from_lower(name: impl Iterator<Item = char>) -> Skeleton {
    let visible: String = name.filter(|it| *it == ' ' || !is_invisible(*it)).collect();
    let visible = visible.trim();
    let prefix = visible.len().saturating_sub(without_prefix(visible).len());
    let server = one_form(visible.get(..prefix).unwrap_or_default());
    let tool = one_form(visible.get(prefix..).unwrap_or_default());
    let tool_at = server.len();
    Skeleton { whole: server + &tool, tool_at }
}

fn one_form(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    for it in name.chars() {
        match it {
            'i' | '1' | '|' => out.push('l'),
            '0' => out.push('o'),
            'm' => out.push_str("rn"),
            _ => out.push(it),
        }
    }
    out
}

/// The tool's own name behind its server's. A pattern that would lose all but its star keeps it.
fn without_prefix(name: &str) -> &str {
    // Behind UTS 39 an `m` is `rn` already.
    let server = name.strip_prefix("mcp__").or_else(|| name.strip_prefix("rncp__"));
    let tool = match server {
        Some(rest) => rest.split_once("__").map(|it| it.1),
        None => name.rsplit_once('.').map(|it| it.1),
    };
    tool.filter(|tool| !tool.is_empty() && !tool.contains('*')).unwrap_or(name)
}

fn is_invisible(it: char) -> bool {
    use GeneralCategory::{Control, Format, LineSeparator, ParagraphSeparator};
    let is_ignorable = matches!(
        it,
        '\u{34f}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
            | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{ffa0}' | '\u{e0000}'..='\u{e0fff}'
    );
    is_ignorable
        || matches!(get_general_category(it), Control | Format | LineSeparator | ParagraphSeparator)
}

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

/// The tool that a known dispatcher runs, with its arguments as text where there are any.
///
/// `args` are the dispatcher's own arguments. None when `tool` is no dispatcher that is known,
/// or names no tool. What comes out may be a dispatcher again.
#[must_use]
pub fn dispatched<'d>(tool: &str, args: Value<'d>) -> Option<(String, Option<&'d str>)> {
    static SKELETONS: LazyLock<Vec<String>> =
        LazyLock::new(|| DISPATCHERS.iter().map(|name| skeleton(name)).collect());
    if !SKELETONS.contains(&skeleton(tool)) {
        return None;
    }
    let named = NAME_KEYS.iter().find_map(|key| args.get(key).and_then(Value::as_str));
    let inner = named.filter(|name| !name.trim().is_empty())?;
    let inner_args = ARGS_KEYS.iter().find_map(|key| args.get(key).filter(|it| !it.is_null()));
    let text = inner_args.map(|value| match value.kind() {
        Kind::String => value.as_str().unwrap_or_default(),
        _ => value.raw(),
    });
    Some((inner.to_owned(), text))
}

#[cfg(test)]
mod tests {
    use super::{Skeleton, dispatched, skeleton};
    use crate::json::{Document, Grammar, Limits};

    #[test]
    fn dressed_names_have_one_skeleton() {
        let cases = [
            ("delete_user", "Delete_User"),
            ("delete_user", " delete_user"),
            ("delete_user", "delete_user\n"),
            ("delete_user", "delete\u{200b}_user"),
            ("delete_user", "delete_us\u{0435}r"),
            ("delete_user", "ｄｅｌｅｔｅ_ｕｓｅｒ"),
            ("delete_user", "deIete_user"),
            ("delete_user", "de1ete_user"),
            ("delete_user", "mcp__admin__delete_user"),
            ("delete_user", "MCP__admin__DELETE_USER"),
            ("delete_user", "admin.delete_user"),
            ("delete_user", "mcp__\u{430}dmin__delete_user"),
            ("delete_user", "\u{202e}delete_user\u{ad}"),
            ("delete_user", "delete_user\u{fe0f}"),
            ("move_funds", "rnove_funds"),
            ("move_funds", "m\u{43e}ve_funds"),
            ("straße", "STRASSE"),
            ("issue_refund", "ıssue_refund"),
        ];
        for (plain, dressed) in cases {
            assert_eq!(skeleton(plain), skeleton(dressed), "{dressed:?}");
        }
    }

    #[test]
    fn a_server_that_both_name_must_be_the_same() {
        for (one, other, means) in [
            ("files.delete", "delete", true),
            ("delete", "users.delete", true),
            ("files.delete", "users.delete", false),
            ("mcp__files__delete", "MCP__Files__Delete", true),
            ("mcp__files__delete", "mcp__users__delete", false),
        ] {
            assert_eq!(Skeleton::new(one).means(&Skeleton::new(other)), means, "{one} {other}");
        }
    }

    #[test]
    fn different_names_stay_apart() {
        let cases = [
            ("delete_user", "delete_users"),
            ("delete_user", "delete-user"),
            ("delete_user", "undelete_user"),
            ("get", "set"),
            ("mcp__a__b__c", "c"),
            ("mcp__github__*", "*"),
            ("github.*", "*"),
            ("x.", ""),
        ];
        for (one, other) in cases {
            assert_ne!(skeleton(one), skeleton(other), "{one} {other}");
        }
    }

    #[test]
    fn dispatchers_are_unwrapped() {
        let cases = [
            (
                "call_tool",
                r#"{"name": "refund", "arguments": {"amount": 5.00}}"#,
                Some(("refund", Some(r#"{"amount": 5.00}"#))),
            ),
            (
                "Execute_Tool",
                r#"{"tool": "refund", "args": "{\"a\": 1}"}"#,
                Some(("refund", Some(r#"{"a": 1}"#))),
            ),
            (
                "use_mcp_tool",
                r#"{"server_name": "s", "tool_name": "refund", "arguments": null}"#,
                Some(("refund", None)),
            ),
            ("mcp__hub__call_tool", r#"{"name": "refund"}"#, Some(("refund", None))),
            ("call_tool", r#"{"name": " "}"#, None),
            ("call_tool", r#"{"arguments": {}}"#, None),
            ("call_tool", "[1]", None),
            ("refund", r#"{"name": "x"}"#, None),
        ];
        for (tool, args, expected) in cases {
            let doc = Document::parse(args, Grammar::Strict, &Limits::DEFAULT).unwrap();
            let found = dispatched(tool, doc.root());
            assert_eq!(found.as_ref().map(|(name, args)| (&**name, *args)), expected, "{tool}");
        }
    }
}
