//! The body of a request or a response, as text.

use std::borrow::Cow;

use lawbook_event::json::Value;

use crate::container::gzip;
use crate::entries::{object, text};
use crate::{Limits, Source, encoding};

/// A body as it was recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Body<'d> {
    /// Text.
    Text(&'d str),
    /// Bytes in base64.
    Base64(&'d str),
}

impl<'d> Body<'d> {
    /// The body of one side of an exchange, if it has one.
    pub fn of(side: Value<'d>) -> Option<Self> {
        // Some recorders keep what they parsed instead of the text.
        if let Some(parsed) = object(side, "parsed_body") {
            return Some(Body::Text(parsed.raw()));
        }
        if let Some(content) = object(side, "postData").or_else(|| object(side, "content")) {
            let words = text(content, "text")?;
            let packed = text(content, "encoding") == Some("base64");
            return Some(if packed { Body::Base64(words) } else { Body::Text(words) });
        }
        let body = side.get("body")?;
        let inner = body.get("string").unwrap_or(body);
        let base64 = text(inner, "base64").or_else(|| text(body, "base64_string"));
        match (base64, inner.as_str()) {
            (Some(digits), _) => Some(Body::Base64(digits)),
            (None, Some(words)) => Some(Body::Text(words)),
            // A recorder of JSON may leave the body as it is.
            (None, None) => {
                (inner.is_object() && !inner.is_empty() && body.get("encoding").is_none())
                    .then_some(Body::Text(inner.raw()))
            }
        }
    }

    /// The text, unpacked; why it can't be read otherwise.
    pub fn text(self, source: &Source) -> Result<Cow<'d, str>, &'static str> {
        let digits = match self {
            Body::Text(words) => return Ok(Cow::Borrowed(words)),
            Body::Base64(digits) => digits,
        };
        let bytes = encoding::base64(digits).ok_or("is not base64")?;
        let bytes = match gzip::unpack(&bytes, source, &Limits::default()) {
            Ok(Some(unpacked)) => unpacked,
            Ok(None) => bytes,
            Err(_) => return Err("does not unpack"),
        };
        let text = String::from_utf8(bytes);
        text.map(Cow::Owned).map_err(|_| "is packed in a way that is not known, or is not UTF-8")
    }
}
