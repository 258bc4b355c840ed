//! Chat sessions as JSON lines, made up here.

use std::fmt::Write as _;
use std::io::{BufWriter, Write};
use std::path::Path;

use crate::Dice;

const WORDS: [&str; 24] = [
    "order",
    "refund",
    "please",
    "customer",
    "Grüße",
    "the",
    "parcel",
    "returned",
    "warehouse",
    "café",
    "delivery",
    "amount",
    "confirmed",
    "«later»",
    "status",
    "shipment",
    "invoice",
    "left",
    "account",
    "naïve",
    "checked",
    "window",
    "policy",
    "日本",
];
const TOOLS: [&str; 6] =
    ["lookup_order", "verify_identity", "issue_refund", "send_message", "get_policy", "close_case"];

fn prose(dice: &mut Dice, words: u64) -> String {
    let mut text = String::new();
    for n in 0..words {
        let at = usize::try_from(dice.below(WORDS.len() as u64)).unwrap_or_default();
        text.push_str(WORDS[at]);
        text.push_str(if n % 13 == 12 { ".\\n" } else { " " });
    }
    text
}

/// One session of messages in the format of OpenAI's chat completions, as one line.
#[must_use]
pub fn session(dice: &mut Dice, number: u64) -> String {
    let mut line = format!("{{\"id\":\"s-{number}\",\"messages\":[");
    let _ = write!(line, "{{\"role\":\"system\",\"content\":\"{}\"}}", prose(dice, 120));
    let rounds = 1 + dice.below(10);
    for round in 0..rounds {
        let _ = write!(line, ",{{\"role\":\"user\",\"content\":\"{}\"}}", prose(dice, 30));
        let calls = 1 + dice.below(2);
        let _ = write!(line, ",{{\"role\":\"assistant\",\"content\":null,\"tool_calls\":[");
        for call in 0..calls {
            let tool = TOOLS[usize::try_from(dice.below(6)).unwrap_or_default()];
            let (amount, order) = (dice.below(900), dice.below(10_000));
            let note = prose(dice, 12);
            let _ = write!(
                line,
                "{}{{\"id\":\"call_{round}_{call}\",\"type\":\"function\",\"function\":{{\"name\":\
                 \"{tool}\",\"arguments\":\"{{\\\"order_id\\\": \\\"W{order}\\\", \\\"amount\\\": \
                 {amount}.50, \\\"customer\\\": {{\\\"id\\\": \\\"C-{number}\\\"}}, \\\"note\\\": \
                 \\\"{}\\\"}}\"}}}}",
                if call == 0 { "" } else { "," },
                note.replace('\\', "\\\\"),
            );
        }
        line.push_str("]}");
        for call in 0..calls {
            let body = prose(dice, 90);
            let _ = write!(
                line,
                ",{{\"role\":\"tool\",\"tool_call_id\":\"call_{round}_{call}\",\"content\":\
                 \"{{\\\"status\\\": \\\"ok\\\", \\\"detail\\\": \\\"{}\\\"}}\"}}",
                body.replace('\\', "\\\\"),
            );
        }
        let _ = write!(line, ",{{\"role\":\"assistant\",\"content\":\"{}\"}}", prose(dice, 40));
    }
    line.push_str("]}\n");
    line
}

/// Writes sessions until a file has so many bytes; how many sessions that were.
///
/// # Errors
/// When the file can't be written.
pub fn write(path: &Path, bytes: u64) -> std::io::Result<u64> {
    let mut file = BufWriter::new(std::fs::File::create(path)?);
    let mut dice = Dice::new(7);
    let (mut written, mut sessions) = (0, 0);
    while written < bytes {
        let line = session(&mut dice, sessions);
        file.write_all(line.as_bytes())?;
        written += line.len() as u64;
        sessions += 1;
    }
    file.flush()?;
    Ok(sessions)
}

/// Twenty rules as a native policy, of the sort that a support agent's owner writes.
#[must_use]
pub fn policy() -> String {
    let mut text = String::from("lawbook: 1\nname: twenty rules\ndefault: allow\nrules:\n");
    let rules = [
        "arg_range: {tools: [issue_refund], arg: amount, min: 0, max: 950}",
        "arg_range: {tools: [issue_refund], arg: amount, max: 2000}",
        "arg_required: {tools: [issue_refund], args: [order_id, amount]}",
        "arg_required: {tools: [lookup_order], args: [order_id]}",
        "arg_size: {tools: [send_message], max_chars: 20000}",
        "arg_never_matches: {tools: [send_message], pattern: \"\\\\bpassword\\\\b\"}",
        "arg_never_matches: {tools: [issue_refund, close_case], pattern: \"(?i)gift card\"}",
        "never: {tools: [delete_account]}",
        "never: {tools: [export_all]}",
        "at_most: {tools: [issue_refund], max: 40, per: order_id}",
        "at_most: {tools: [issue_refund], max: 60}",
        "at_most: {tools: [send_message], max: 60, per: turn}",
        "at_most: {tools: [issue_refund, close_case], max: 60, per: batch}",
        "at_most: {tools: [verify_identity], max: 60, per: tool}",
        "arg_range: {tools: [close_case], arg: amount, max: 2000}",
        "arg_required: {tools: [close_case], args: [order_id]}",
        "arg_size: {tools: [issue_refund], arg: note, max_chars: 20000}",
        "arg_required: {tools: [verify_identity], args: [customer.id]}",
        "arg_range: {tools: [get_policy], arg: amount, min: 0}",
        "arg_never_matches: {tools: [get_policy], pattern: \"BEGIN [A-Z]+ PRIVATE KEY\"}",
    ];
    for (place, rule) in rules.iter().enumerate() {
        let _ = writeln!(text, "  - id: rule-{place}\n    {rule}");
    }
    text
}
