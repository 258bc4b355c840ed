//! Parts of a content, in camel case as the API writes them and in snake case as Python does.

use std::borrow::Cow;

use lawbook_event::Answer;
use lawbook_event::json::Value;

use crate::chat::{Request, Returned};
use crate::entries::{object, text};
use crate::{content, names};

/// What tools that the provider runs itself are called.
const CODE: &str = "code_execution";

fn either<'d>(part: Value<'d>, camel: &str, snake: &str) -> Option<Value<'d>> {
    object(part, camel).or_else(|| object(part, snake))
}

/// The call in a part.
pub fn asked<'d>(part: Value<'d>) -> Option<Request<'d>> {
    if let Some(call) = either(part, "functionCall", "function_call") {
        let tool = text(call, "name").unwrap_or("");
        return Some(Request {
            id: text(call, "id").map(Cow::Borrowed),
            server: names::server(tool).map(Cow::Borrowed),
            tool: Cow::Borrowed(tool),
            args: content::args(call.get("args")),
            ..Request::default()
        });
    }
    let code = either(part, "executableCode", "executable_code")?;
    Some(Request {
        tool: Cow::Borrowed(CODE),
        args: content::args(Some(code)),
        ..Request::default()
    })
}

/// The result in a part.
pub fn returned<'d>(part: Value<'d>) -> Option<Returned<'d>> {
    let response = either(part, "functionResponse", "function_response")?;
    let text_of = answer_text(response.get("response"));
    let answer = Answer {
        recorded: text_of.is_some(),
        text: text_of.unwrap_or_default(),
        ..Answer::default()
    };
    Some(Returned {
        id: text(response, "id").map(Cow::Borrowed),
        tool: text(response, "name").map(Cow::Borrowed),
        answer,
        stopped: false,
    })
}

/// What a function returned: inside the key that says so, or the whole object.
pub fn answer_text(response: Option<Value<'_>>) -> Option<Cow<'_, str>> {
    content::result(response.map(content::unwrapped))
}

/// What the provider's own run of code returned.
pub fn code_answer(part: Value<'_>) -> Option<Answer<'_>> {
    let result = either(part, "codeExecutionResult", "code_execution_result")?;
    let output = content::result(result.get("output"));
    let error = match text(result, "outcome") {
        Some("OUTCOME_OK") => Some(false),
        Some("OUTCOME_FAILED" | "OUTCOME_DEADLINE_EXCEEDED") => Some(true),
        _ => None,
    };
    let (recorded, text) = (output.is_some(), output.unwrap_or_default());
    Some(Answer { recorded, text, error, ..Answer::default() })
}

/// The words of a part; thoughts are nobody's words.
pub fn words(part: Value<'_>) -> Option<Cow<'_, str>> {
    if part.get("thought").and_then(Value::as_bool) == Some(true) {
        return None;
    }
    part.as_str().or_else(|| text(part, "text")).map(Cow::Borrowed)
}
