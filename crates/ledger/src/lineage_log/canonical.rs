//! The bytes that are hashed: no white space, members sorted at every depth, numbers untouched.

use lawbook_event::json::{Entries, Items, Kind, Value, write_string};

/// What is open: the rest of a list, or of an object in its order.
enum Open<'d> {
    Array(Items<'d>),
    Object(std::vec::IntoIter<(&'d str, Value<'d>)>),
}

/// Appends the canonical text of a value. Nothing recurses, so depth costs no stack.
pub fn canonical(out: &mut String, value: Value<'_>) {
    let mut open: Vec<Open<'_>> = Vec::new();
    let mut next = Some(value);
    // Whether the container on top has written a member already.
    let mut comma = false;
    loop {
        if let Some(value) = next.take() {
            comma = true;
            match value.kind() {
                Kind::String => write_string(out, value.as_str().unwrap_or_default()),
                Kind::Array => {
                    out.push('[');
                    open.push(Open::Array(value.items()));
                    comma = false;
                }
                Kind::Object => {
                    out.push('{');
                    open.push(Open::Object(sorted(value.entries())));
                    comma = false;
                }
                Kind::Null | Kind::Bool | Kind::Number => out.push_str(value.raw()),
            }
        }
        let Some(top) = open.last_mut() else { return };
        let (key, member, end) = match top {
            Open::Array(items) => (None, items.next(), ']'),
            Open::Object(entries) => match entries.next() {
                Some((key, value)) => (Some(key), Some(value), '}'),
                None => (None, None, '}'),
            },
        };
        if member.is_none() {
            out.push(end);
            open.pop();
            comma = true;
            continue;
        }
        if comma {
            out.push(',');
        }
        if let Some(key) = key {
            write_string(out, key);
            out.push(':');
        }
        next = member;
    }
}

/// Members by the bytes of their names.
fn sorted<'d>(entries: Entries<'d>) -> std::vec::IntoIter<(&'d str, Value<'d>)> {
    let mut all: Vec<_> = entries.collect();
    all.sort_by_key(|it| it.0);
    all.into_iter()
}
