//! The model itself: order, ties and repeated ids.

use std::borrow::Cow;

use lawbook_event::What;

use super::{Span, Trace, tell};
use crate::Readings;
use crate::attr::{Attr, Attrs};

fn span(
    id: &'static str,
    times: (i128, i128),
    attrs: &[(&'static str, &'static str)],
) -> Span<'static> {
    let mut all = Attrs::default();
    for (key, value) in attrs {
        all.set(*key, Attr::text(*value));
    }
    Span {
        id: Cow::Borrowed(id),
        parent: Some(Cow::Borrowed("p")),
        name: Cow::Borrowed("execute_tool t"),
        start: times.0,
        end: times.1,
        attrs: all,
        code: 0,
        message: Cow::Borrowed(""),
    }
}

/// Calls as `c1`, answers as `a1`, in order.
fn order(spans: Vec<Span<'static>>) -> String {
    let trace = Trace::by_start(Cow::Borrowed("t"), spans);
    let words: Vec<String> = tell(&trace, Readings::default())
        .iter()
        .filter_map(|event| match &event.what {
            What::Call(call) => Some(format!("c{}", call.step)),
            What::Answer { step, .. } => Some(format!("a{step}")),
            _ => None,
        })
        .collect();
    words.join(" ")
}

#[test]
fn answers_stand_where_the_spans_end() {
    assert_eq!(
        order(vec![span("a", (1, 9), &[]), span("b", (2, 3), &[]), span("c", (4, 5), &[])]),
        "c1 c2 a2 c3 a3 a1"
    );
    // At equal times the answer comes first; an end before the start is no earlier than the call.
    assert_eq!(
        order(vec![span("a", (1, 2), &[]), span("b", (2, 0), &[]), span("c", (2, 2), &[])]),
        "c1 a1 c2 a2 c3 a3"
    );
}

#[test]
fn the_last_span_of_an_id_tells_the_time_and_the_first_one_the_rest() {
    let spans = vec![
        span("a", (1, 2), &[("faultgate.confirmed", "true")]),
        span("b", (3, 4), &[]),
        span("a", (5, 6), &[("error.type", "late")]),
    ];
    let trace = Trace::by_start(Cow::Borrowed("t"), spans);
    let calls: Vec<(String, bool)> = tell(&trace, Readings::default())
        .into_iter()
        .filter_map(|event| match event.what {
            What::Call(call) => Some((call.step_id.into_owned(), call.confirmed)),
            _ => None,
        })
        .collect();
    assert_eq!(calls, [("b".to_owned(), false), ("a".to_owned(), true), ("a".to_owned(), true)]);
}

#[test]
fn the_answer_of_a_message_call_stands_where_it_is_first_carried() {
    let chat = |id, times, key, json| {
        let mut span = span(id, times, &[("gen_ai.operation.name", "chat")]);
        span.attrs.set(key, Attr::text(json));
        span
    };
    let call = r#"[{"role": "assistant", "parts": [{"type": "tool_call", "id": "1", "name": "x", "arguments": {}}, {"type": "tool_call", "id": "2", "name": "x", "arguments": {}}]}]"#;
    let answer = r#"[{"role": "tool", "parts": [{"type": "tool_call_response", "id": "1", "result": "r"}]}]"#;
    let spans = vec![
        chat("m1", (1, 2), "gen_ai.output.messages", call),
        chat("m2", (3, 4), "gen_ai.input.messages", answer),
        chat("m3", (3, 5), "gen_ai.output.messages", call),
    ];
    // Both calls of an id are answered by its last response.
    assert_eq!(order(spans), "c1 c2 a1 c3 a3 c4");
}
