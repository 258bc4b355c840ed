//! Step and message ids, and words about ids and states that many formats share.

use std::borrow::Cow;

/// The id of a message: `m{i}`.
pub fn message(at: usize) -> Cow<'static, str> {
    match SMALL.get(at) {
        Some(id) => Cow::Borrowed(id),
        None => Cow::Owned(format!("m{at}")),
    }
}

/// The id of a call in a message: `m{i}.c{k}`.
pub fn call(at: usize, nth: usize) -> Cow<'static, str> {
    Cow::Owned(format!("m{at}.c{nth}"))
}

/// The first ids, so that most sessions need no allocation for them.
const SMALL: [&str; 32] = [
    "m0", "m1", "m2", "m3", "m4", "m5", "m6", "m7", "m8", "m9", "m10", "m11", "m12", "m13", "m14",
    "m15", "m16", "m17", "m18", "m19", "m20", "m21", "m22", "m23", "m24", "m25", "m26", "m27",
    "m28", "m29", "m30", "m31",
];

/// Whether an id is one that exporters write when they know none.
pub fn placeholder(id: &str) -> bool {
    matches!(id, "" | "<not specified>" | "None" | "null" | "unknown")
}

/// Whether an id is that of an item of OpenAI's Responses API, which some exporters write where the
/// id of the call should stand.
pub fn of_item(id: &str) -> bool {
    id.starts_with("fc_")
}

/// Whether a state says that the call was stopped before it ran.
pub fn did_not_run(state: &str) -> bool {
    const WORDS: [&str; 9] = [
        "rejected",
        "reject",
        "denied",
        "deny",
        "cancelled",
        "canceled",
        "blocked",
        "aborted",
        "skipped",
    ];
    WORDS.iter().any(|word| state.eq_ignore_ascii_case(word))
}

/// The tool that a span's name names.
pub fn tool_of_span(name: &str) -> Cow<'_, str> {
    const PREFIXES: [&str; 4] = ["execute_tool ", "running tool: ", "tools/call ", "tool: "];
    let name = PREFIXES.iter().find_map(|prefix| name.strip_prefix(prefix)).unwrap_or(name);
    Cow::Borrowed(name.strip_suffix(".tool").unwrap_or(name))
}
