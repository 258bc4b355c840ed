//! What a judge's reply says, read with patience: whatever is no clear yes is no yes.

use lawbook_event::json::{Document, Grammar, Limits, Value};
use lawbook_event::{PYTHON, python};

use crate::Told;

/// A longer reply of an endpoint is not read.
pub const REPLY_BYTES_MAX: usize = 1 << 20;

const REASON_CHARS: usize = 200;
const UNREADABLE_CHARS: usize = 100;

/// What the reply of an endpoint says of the run; nothing where it is no reply of a model.
#[must_use]
pub fn told(reply: &str) -> Option<Told> {
    if reply.len() > REPLY_BYTES_MAX {
        return None;
    }
    let document = Document::parse(reply, Grammar::Python, &Limits::DEFAULT).ok()?;
    let choice = document.root().get("choices")?.item(0)?;
    Some(said(choice.get("message")?.get("content")?.as_str()?))
}

/// What a model's text says.
fn said(text: &str) -> Told {
    let inner = unfenced(text);
    let document = Document::parse(inner, Grammar::Python, &Limits::DEFAULT).ok();
    let root = document.as_ref().map(Document::root).filter(|it| it.is_object());
    let Some(root) = root else {
        return Told::unknown(format!("unparseable judge output: {}", cut(text, UNREADABLE_CHARS)));
    };
    let reason = root.get("reason").map(python::text).unwrap_or_default();
    Told {
        detected: root.get("detected").and_then(Value::as_bool) == Some(true),
        confidence: root.get("confidence").and_then(confidence).unwrap_or_default(),
        reason: cut(&reason, REASON_CHARS),
    }
}

/// A number from 0 to 1; anything beyond is the nearer end.
fn confidence(value: Value<'_>) -> Option<f64> {
    let text = value.number_text().or_else(|| value.as_str())?;
    let number: f64 = text.trim().parse().ok()?;
    number.is_finite().then(|| number.clamp(0.0, 1.0))
}

/// What stands inside a code fence, where the text is one.
fn unfenced(text: &str) -> &str {
    let text = PYTHON.trim(text);
    let Some(inner) = text.strip_prefix("```") else { return text };
    let inner = inner.split_once('\n').map_or(inner, |(_, rest)| rest);
    PYTHON.trim(inner.trim_end().trim_end_matches("```"))
}

fn cut(text: &str, chars: usize) -> String {
    text.chars().take(chars).collect()
}
