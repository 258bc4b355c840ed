//! The walk over messages: what each of them is made of, in pmstack's order.

use std::borrow::Cow;

use lawbook_event::JAVASCRIPT;
use lawbook_event::json::{Kind, Value};

use super::content::{text, text_of_part, text_of_parts};
use super::key::Key;
use super::step::{Request, Returned, Step, Steps, Who};
use super::trace::is_truthy;

/// Walks over one message, which stands at `at` of all lists together.
pub fn message<'d>(at: usize, message: Value<'d>, out: &mut impl Steps<'d>) {
    if let Some(text) = message.as_str() {
        let (who, is_blank) = (Who::User, JAVASCRIPT.trim(text).is_empty());
        let said = Step::Said { who, text: Cow::Borrowed(text) };
        out.step(at, message, if is_blank { Step::Blank } else { said });
        return;
    }
    if !message.is_object() {
        return;
    }
    let fields = Fields::read(message);
    match fields.kind {
        Some("function_call") => {
            let id = fields.call_id.or(fields.id);
            let request =
                Request { id, name: fields.name, args: fields.arguments, filed: Some(id) };
            out.step(at, message, Step::Call { nth: 0, request });
        }
        Some("function_call_output") => {
            let returned = Returned {
                id: fields.call_id,
                name: fields.name,
                sought: fields.call_id,
                content: fields.output,
                failed: false,
            };
            out.step(at, message, Step::Result { nth: None, returned });
        }
        Some("reasoning") => out.step(at, message, Step::Note { nth: None, source: message }),
        _ => spoken(at, message, &fields, out),
    }
}

/// The fields of a message that matter, found in one pass over its keys. Values that are null
/// count as absent, but not in ids and names.
#[derive(Debug)]
struct Fields<'d> {
    kind: Option<&'d str>,
    role: [Option<Value<'d>>; 3],
    content: [Option<Value<'d>>; 4],
    tool_calls: Option<Value<'d>>,
    function_call: Option<Value<'d>>,
    arguments: Option<Value<'d>>,
    output: Option<Value<'d>>,
    tool_call_id: Key<'d>,
    call_id: Key<'d>,
    id: Key<'d>,
    name: Key<'d>,
}

impl<'d> Fields<'d> {
    fn read(message: Value<'d>) -> Self {
        let mut fields = Fields {
            kind: None,
            role: [None; 3],
            content: [None; 4],
            tool_calls: None,
            function_call: None,
            arguments: None,
            output: None,
            tool_call_id: Key::Undefined,
            call_id: Key::Undefined,
            id: Key::Undefined,
            name: Key::Undefined,
        };
        let [role, speaker, author] = &mut fields.role;
        let [content, text, inner, transcript] = &mut fields.content;
        for (key, value) in message.entries() {
            match key {
                "type" => fields.kind = value.as_str(),
                "role" => *role = Some(value),
                "speaker" => *speaker = Some(value),
                "author" => *author = Some(value),
                "content" => *content = Some(value),
                "text" => *text = Some(value),
                "message" => *inner = Some(value),
                "transcript" => *transcript = Some(value),
                "tool_calls" => fields.tool_calls = Some(value),
                "function_call" => fields.function_call = Some(value).filter(|it| it.is_object()),
                "arguments" => fields.arguments = Some(value),
                "output" => fields.output = Some(value),
                "tool_call_id" => fields.tool_call_id = Key::of(Some(value)),
                "call_id" => fields.call_id = Key::of(Some(value)),
                "id" => fields.id = Key::of(Some(value)),
                "name" => fields.name = Key::of(Some(value)),
                _ => {}
            }
        }
        fields
    }

    fn content(&self) -> Option<Value<'d>> {
        self.content.iter().flatten().find(|it| !it.is_null()).copied()
    }

    /// The first role that is there; one that is no text says nothing.
    fn role(&self) -> Option<Role<'d>> {
        let role = self.role.iter().flatten().find(|it| !it.is_null())?;
        Role::of(JAVASCRIPT.trim(role.as_str()?))
    }
}

/// Who a message is from.
enum Role<'d> {
    Of(Who<'d>),
    Tool,
}

impl<'d> Role<'d> {
    /// The role that a word names; nothing for an empty one.
    fn of(word: &'d str) -> Option<Self> {
        let is = |words: &[&str]| words.iter().any(|it| it.eq_ignore_ascii_case(word));
        Some(match () {
            () if is(&["assistant", "agent", "bot", "ai", "model"]) => {
                Role::Of(Who::Agent("assistant"))
            }
            () if is(&["user", "caller", "customer", "human"]) => Role::Of(Who::User),
            () if is(&["system", "developer"]) => Role::Of(Who::System),
            () if is(&["tool", "function", "ipython"]) => Role::Tool,
            () if word.is_empty() => return None,
            () => Role::Of(Who::Agent(word)),
        })
    }
}

fn spoken<'d>(at: usize, message: Value<'d>, fields: &Fields<'d>, out: &mut impl Steps<'d>) {
    let content = fields.content();
    // Without a role it is the user's.
    match fields.role().unwrap_or(Role::Of(Who::User)) {
        Role::Tool => {
            let id = fields.tool_call_id.or(fields.call_id).or(Key::Null);
            let returned = Returned { id, name: fields.name, sought: id, content, failed: false };
            out.step(at, message, Step::Result { nth: None, returned });
        }
        Role::Of(who) => {
            let mut said = |text: Cow<'d, str>, out: &mut _| say(at, message, who, text, out);
            let mut calls = 0;
            match content {
                Some(list) if list.is_array() => {
                    calls = blocks(at, message, list, &mut said, out);
                }
                Some(content) => said(text(content), out),
                None => {}
            }
            requests(at, message, calls, fields, out);
        }
    }
}

fn say<'d>(
    at: usize,
    message: Value<'d>,
    who: Who<'d>,
    text: Cow<'d, str>,
    out: &mut impl Steps<'d>,
) {
    if !JAVASCRIPT.trim(&text).is_empty() {
        out.step(at, message, Step::Said { who, text });
    }
}

/// Walks over the blocks of a content; how many calls they hold comes back. All texts are one
/// step, where the first of them stands.
fn blocks<'d, S: Steps<'d>>(
    at: usize,
    message: Value<'d>,
    list: Value<'d>,
    said: &mut impl FnMut(Cow<'d, str>, &mut S),
    out: &mut S,
) -> usize {
    let (mut calls, mut results, mut notes) = (0_usize, 0_usize, 0_usize);
    let mut is_said = false;
    let next = |count: &mut usize| {
        let nth = *count;
        *count = count.saturating_add(1);
        nth
    };
    for block in list.items() {
        match block.get("type").and_then(Value::as_str) {
            Some("tool_use") => {
                let id = Key::of(block.get("id"));
                let request = Request {
                    id,
                    name: Key::of(block.get("name")),
                    args: block.get("input"),
                    filed: Some(id),
                };
                out.step(at, message, Step::Call { nth: next(&mut calls), request });
            }
            Some("tool_result") => {
                let id = Key::of(block.get("tool_use_id"));
                let returned = Returned {
                    id,
                    name: Key::Null,
                    sought: id,
                    content: block.get("content"),
                    failed: block.get("is_error").is_some_and(is_truthy),
                };
                let nth = Some(next(&mut results));
                out.step(at, message, Step::Result { nth, returned });
            }
            Some("thinking" | "redacted_thinking") => {
                let nth = Some(next(&mut notes));
                out.step(at, message, Step::Note { nth, source: block });
            }
            _ if !is_said && text_of_part(block).is_some() => {
                said(text_of_parts(list), out);
                is_said = true;
            }
            _ => {}
        }
    }
    calls
}

fn requests<'d>(
    at: usize,
    message: Value<'d>,
    mut nth: usize,
    fields: &Fields<'d>,
    out: &mut impl Steps<'d>,
) {
    for call in fields.tool_calls.into_iter().flat_map(Value::items) {
        let request = asked(call);
        out.step(at, message, Step::Call { nth, request });
        nth = nth.saturating_add(1);
    }
    if let Some(call) = fields.function_call {
        let (name, args) = (Key::of(call.get("name")), call.get("arguments"));
        let request = Request { id: Key::Null, name, args, filed: None };
        out.step(at, message, Step::Call { nth, request });
    }
}

fn asked(call: Value<'_>) -> Request<'_> {
    let mut request = Request { id: Key::Undefined, name: Key::Undefined, args: None, filed: None };
    let mut inner = None;
    let (mut arguments, mut input) = (None, None);
    for (key, value) in call.entries() {
        match key {
            "id" => request.id = Key::of(Some(value)),
            "function" => inner = Some(value),
            "name" => request.name = Key::of(Some(value)),
            "arguments" => arguments = some(value),
            "input" => input = some(value),
            _ => {}
        }
    }
    if let Some(inner) = inner {
        let mut own = None;
        for (key, value) in inner.entries() {
            match key {
                "name" => request.name = Key::of(Some(value)).or(request.name),
                "arguments" => own = some(value),
                _ => {}
            }
        }
        arguments = own.or(arguments);
    }
    Request { args: arguments.or(input), filed: Some(request.id), ..request }
}

fn some(value: Value<'_>) -> Option<Value<'_>> {
    (value.kind() != Kind::Null).then_some(value)
}
