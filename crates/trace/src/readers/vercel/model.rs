//! Messages as a model receives them: `ModelMessage`, once `CoreMessage`.

use std::collections::BTreeMap;

use lawbook_event::json::Value;

use super::output;
use crate::chat::Chat;
use crate::content;
use crate::ids;
use crate::readers::export::text;

/// Whether a message has a part that no other system writes.
pub fn is_marked(message: Value<'_>) -> bool {
    let parts = message.get("content").into_iter().flat_map(Value::items);
    parts.take(super::LOOK_MAX).any(|part| {
        let kind = text(part, &["type"]).unwrap_or("");
        matches!(kind, "tool-call" | "tool-result") && part.get("toolCallId").is_some()
    })
}

/// Tells a list of messages.
pub fn tell<'d>(chat: &mut Chat<'d>, list: Value<'d>) {
    let mut asked = Asked::default();
    for (at, message) in list.items().enumerate() {
        chat.message(at);
        let before = chat.len();
        let content = message.get("content");
        match text(message, &["role"]) {
            Some("user") => chat.user(None, ids::message(at), content::words(content)),
            Some("assistant") => chat.agent(None, ids::message(at), content::words(content)),
            _ => {}
        }
        let mut calls = 0;
        for part in content.into_iter().flat_map(Value::items) {
            match text(part, &["type"]) {
                Some("tool-call") => {
                    chat.call(None, output::request(part, ids::call(at, calls)));
                    calls = calls.saturating_add(1);
                }
                Some("tool-result") => chat.returned(None, output::returned(part)),
                Some("tool-approval-request") => asked.request(part),
                Some("tool-approval-response") => asked.response(part),
                _ => {}
            }
        }
        if chat.len() == before {
            chat.other(None);
        }
    }
    asked.close(chat);
}

/// The calls for which a person was asked, by the id of the question.
#[derive(Default)]
struct Asked<'d> {
    calls: BTreeMap<&'d str, (&'d str, bool)>,
}

impl<'d> Asked<'d> {
    fn request(&mut self, part: Value<'d>) {
        if let (Some(question), Some(call)) =
            (text(part, &["approvalId"]), text(part, &["toolCallId"]))
        {
            self.calls.insert(question, (call, false));
        }
    }

    fn response(&mut self, part: Value<'d>) {
        let approved = part.get("approved").and_then(Value::as_bool) == Some(true);
        let question = text(part, &["approvalId"]).and_then(|it| self.calls.get_mut(it));
        if let Some((_, yes)) = question {
            *yes = approved;
        }
    }

    /// What nobody approved did not run, whether or not a result says so.
    fn close(self, chat: &mut Chat<'d>) {
        for (call, _) in self.calls.into_values().filter(|(_, approved)| !approved) {
            chat.stop(call);
        }
    }
}
