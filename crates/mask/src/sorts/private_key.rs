//! Blocks that hold a private key, from their first line to their last.

use std::ops::Range;

use crate::Mode;
use crate::text::find_from;

const BEGIN: &str = "-----BEGIN ";
const END: &str = "-----END ";
const RULE: &str = "-----";

/// Characters between `BEGIN` and the end of that line, at most.
const LABEL_MAX: usize = 64;

/// A block that is cut off is masked to the end of the text.
pub fn find(text: &str, _: Mode, out: &mut Vec<Range<usize>>) {
    let mut from = 0;
    while let Some(start) = find_from(text, BEGIN, from) {
        let body = start.saturating_add(BEGIN.len());
        from = body;
        if !is_private(text, body) {
            continue;
        }
        let end = end(text, body);
        out.push(start..end);
        from = end;
    }
}

fn is_private(text: &str, body: usize) -> bool {
    let rest = text.get(body..).unwrap_or_default();
    let label = rest.char_indices().nth(LABEL_MAX).map_or(Some(rest), |it| rest.get(..it.0));
    label.and_then(|it| it.split_once(RULE)).is_some_and(|it| it.0.contains("PRIVATE KEY"))
}

fn end(text: &str, body: usize) -> usize {
    let past = |what: &str, from: usize| {
        find_from(text, what, from).map(|it| it.saturating_add(what.len()))
    };
    past(END, body).and_then(|last| past(RULE, last)).unwrap_or(text.len())
}
