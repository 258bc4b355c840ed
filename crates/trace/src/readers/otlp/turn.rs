//! What a model received and answered, from all the places where exporters write it.

use super::indexed;
use super::logs::{self, Said};
use super::record::Record;
use crate::attr::Attr;
use crate::dialog::{self, Message, Role};
use crate::faultgate::wanted_text;
use crate::run::Turn;

const INPUT_KEYS: [&str; 4] = [
    "gen_ai.input.messages",
    "gcp.vertex.agent.llm_request",
    "ai.prompt.messages",
    "pydantic_ai.all_messages",
];
/// Attributes that hold what was answered and nothing else.
const ANSWER_KEYS: [&str; 3] =
    ["gen_ai.output.messages", "gen_ai.completion", "ai.response.object"];
const OUTPUT_KEYS: [&str; 2] = ["gen_ai.output.messages", "gcp.vertex.agent.llm_response"];

/// The turn of a span. `root` says that it stands on top of its trace.
pub fn turn(record: &Record<'_>, said: &[&Said<'_>], root: bool) -> Turn {
    let (mut input, mut output) = (Vec::new(), Vec::new());
    by_key(record, &INPUT_KEYS, Role::User, &mut input);
    by_key(record, &OUTPUT_KEYS, Role::Agent, &mut output);
    let (mut event_input, mut event_output) = (Vec::new(), Vec::new());
    for (name, attrs) in &record.events {
        logs::add(name, attrs, None, &mut event_input, &mut event_output);
    }
    for said in said {
        logs::add(&said.name, &said.attrs, said.body.as_ref(), &mut event_input, &mut event_output);
    }
    // The user's words are taken from wherever they stand first; the rest would repeat them.
    if input.is_empty() {
        input = event_input;
    }
    if output.is_empty() {
        output = event_output;
    }
    if input.is_empty() {
        input = flat(record, &["gen_ai.prompt.", "llm.input_messages."], Role::User);
    }
    if output.is_empty() {
        output = flat(record, &["gen_ai.completion.", "llm.output_messages."], Role::Agent);
    }
    if output.is_empty() {
        output = vercel(record);
    }
    plain(record, root, &mut input, &mut output);
    // What was dropped may have been words, and come after those that stand here.
    if record.dropped {
        input.push(Message::unheard(Role::User));
        output.push(Message::unheard(Role::Agent));
    }
    Turn { input, output }
}

fn by_key(record: &Record<'_>, keys: &[&str], speaker: Role, out: &mut Vec<Message>) {
    for key in keys {
        if let Some(text) = record.attrs.get(key).map(Attr::plain) {
            *out = logs::parsed(&text, speaker);
            if !out.is_empty() {
                return;
            }
        }
    }
}

fn flat(record: &Record<'_>, prefixes: &[&str], speaker: Role) -> Vec<Message> {
    prefixes
        .iter()
        .map(|prefix| indexed::messages(&record.attrs, prefix, speaker))
        .find(|messages| !messages.is_empty())
        .unwrap_or_default()
}

/// Vercel's kit writes text and calls apart.
fn vercel(record: &Record<'_>) -> Vec<Message> {
    let mut messages = Vec::new();
    if let Some(text) = record.attrs.text("ai.response.text").filter(|text| !text.is_empty()) {
        messages.push(Message::text(Role::Agent, text));
    }
    if let Some(calls) = record.attrs.get("ai.response.toolCalls") {
        let calls = logs::parsed(&calls.plain(), Role::Agent);
        match messages.last_mut() {
            Some(last) => last.items.extend(calls.into_iter().flat_map(|it| it.items)),
            None => messages = calls,
        }
    }
    messages
}

/// Texts without structure: prompts of older conventions, and the values of a whole run.
fn plain(record: &Record<'_>, root: bool, input: &mut Vec<Message>, output: &mut Vec<Message>) {
    let model = record
        .attrs
        .text("openinference.span.kind")
        .is_some_and(|kind| kind.eq_ignore_ascii_case("LLM"));
    if input.is_empty() {
        let text = record.attrs.text("gen_ai.prompt").or_else(|| record.attrs.text("user_prompt"));
        if let Some(text) = text {
            input.extend(logs::parsed(text, Role::User));
        } else if model {
            by_key(record, &["input.value"], Role::User, input);
        } else if root {
            input.extend(whole(record, "input.value", Role::User, "user"));
        }
    }
    if output.is_empty() {
        if let Some(text) = record.attrs.text("gen_ai.completion") {
            output.extend(logs::parsed(text, Role::Agent));
        } else if model {
            by_key(record, &["output.value"], Role::Agent, output);
        } else if root {
            output.extend(whole(record, "output.value", Role::Agent, "assistant"));
            if output.is_empty() {
                output.extend(
                    record.attrs.text("final_result").map(|it| Message::text(Role::Agent, it)),
                );
            }
        }
    }
    if output.iter().all(|message| message.items.is_empty()) {
        output.extend(bare(record, root));
    }
}

/// An answer that is JSON and holds no messages, as it stands.
fn bare(record: &Record<'_>, root: bool) -> Option<Message> {
    let whole_run = root.then_some("output.value");
    let keys = ANSWER_KEYS.into_iter().chain(whole_run);
    keys.filter_map(|key| record.attrs.get(key)).find_map(|value| {
        let document = value.document()?;
        dialog::is_bare(document.root()).then(|| Message::text(Role::Agent, value.plain()))
    })
}

/// The words of one side in the value of a whole run.
fn whole(record: &Record<'_>, key: &str, role: Role, word: &str) -> Option<Message> {
    let value = record.attrs.get(key)?;
    let text = match value.document() {
        Some(document) if document.root().is_object() || document.root().is_array() => {
            wanted_text(Some(document.root()), word)
        }
        _ => value.plain().into_owned(),
    };
    (!text.trim().is_empty()).then(|| Message::text(role, text))
}
