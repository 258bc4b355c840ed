//! Requests and responses, as recorders lay them out.

use lawbook_event::json::Value;

use super::body::Body;
use crate::entries::{list, object, text};

/// One request and the response to it.
#[derive(Clone, Copy, Debug)]
pub struct Exchange<'d> {
    request: Option<Value<'d>>,
    response: Option<Value<'d>>,
}

/// The exchanges of a cassette, or of an HTTP archive.
pub fn exchanges(root: Value<'_>) -> impl Iterator<Item = Exchange<'_>> {
    let archive = || object(root, "log").and_then(|it| list(it, "entries"));
    let keyed = ["interactions", "http_interactions"].iter().find_map(|key| list(root, key));
    let all = keyed.or_else(archive).into_iter().flat_map(Value::items);
    all.map(|it| Exchange { request: object(it, "request"), response: object(it, "response") })
}

impl<'d> Exchange<'d> {
    /// Whether it is laid out as recorders do.
    pub fn is_whole(&self) -> bool {
        let named = |it: Value<'d>| text(it, "uri").or_else(|| text(it, "url")).is_some();
        self.request.is_some_and(named) && self.response.is_some()
    }

    /// The body of the request.
    pub fn asked(&self) -> Option<Body<'d>> {
        Body::of(self.request?)
    }

    /// The body of the response.
    pub fn answered(&self) -> Option<Body<'d>> {
        Body::of(self.response?)
    }
}
