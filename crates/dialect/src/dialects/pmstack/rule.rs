//! What several readers of a pmstack rule ask of it.

use lawbook_event::json::Value;

use super::keys::Type;

/// The flags that pmstack keeps of those that a rule names.
pub(super) fn flags(rule: Value<'_>) -> String {
    let named = rule.get("flags").and_then(Value::as_str).unwrap_or_default();
    named.chars().filter(|it| matches!(it, 'i' | 'm' | 's' | 'u')).collect()
}

/// The tool that a rule waits for or compares with, and does not cover by `"*"`.
pub(super) fn waits_for<'d>(rule: Value<'d>, kind: &Type) -> Option<Value<'d>> {
    let value = rule.get(kind.waits_for?)?;
    let tool = if value.is_object() { value.get("tool")? } else { value };
    tool.as_str().map(|_| tool)
}

/// Every place where a rule names a tool.
pub(super) fn tool_names<'d>(rule: Value<'d>, kind: &Type) -> Vec<Value<'d>> {
    let tools = rule.get("tools").filter(|it| it.is_array());
    let listed = tools.into_iter().flat_map(Value::items).filter(|it| it.as_str().is_some());
    listed.chain(waits_for(rule, kind)).collect()
}
