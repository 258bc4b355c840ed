//! Attributes of a span under their whole names: some dumps take the names apart at their dots.

use std::borrow::Cow;

use lawbook_event::json::Value;

use crate::attr::{Attr, Attrs};

/// How columns begin that hold an attribute each.
pub const COLUMN: &str = "attributes.";
/// Names whose parts are written as objects and lists inside each other.
const NESTED: [&str; 8] =
    ["llm", "openinference", "tool", "input", "output", "session", "user", "gen_ai"];
/// How long a name may be whose value is taken apart.
const NAME_BYTES_MAX: usize = 512;
/// How deep names are put together; what lies deeper stays as it is written.
const DEPTH_MAX: usize = 12;

/// The attributes of a span.
pub fn attributes<'d>(record: Value<'d>) -> Attrs<'d> {
    let mut attrs = Attrs::default();
    let own = record.get("attributes").into_iter().flat_map(Value::entries);
    let columns =
        record.entries().filter_map(|(key, value)| Some((key.strip_prefix(COLUMN)?, value)));
    for (name, value) in own.chain(columns) {
        let first = name.split('.').next().unwrap_or(name);
        if NESTED.contains(&first) && (nests(value, name) || indexed(value, name)) {
            flatten(&mut attrs, name, value);
        } else {
            attrs.set(name, Attr::of(value));
        }
    }
    attrs
}

/// Whether an object under a name holds more names.
fn nests(value: Value<'_>, name: &str) -> bool {
    value.is_object() && NESTED.contains(&name)
}

/// Whether a list holds messages under the names that they have on one level.
fn indexed(value: Value<'_>, name: &str) -> bool {
    let messages = ["llm.input_messages", "llm.output_messages"].contains(&name);
    messages && value.items().next().is_some_and(Value::is_object)
}

/// Sets every value inside under its whole name.
fn flatten<'d>(attrs: &mut Attrs<'d>, name: &str, value: Value<'d>) {
    let mut open = vec![(name.to_owned(), value, DEPTH_MAX)];
    while let Some((name, value, left)) = open.pop() {
        let opened = name.len() <= NAME_BYTES_MAX && opens(value);
        let Some(left) = left.checked_sub(1).filter(|_| opened) else {
            attrs.set(Cow::Owned(name), Attr::of(value));
            continue;
        };
        for (at, item) in value.items().enumerate() {
            open.push((format!("{name}.{at}"), item, left));
        }
        for (key, inner) in value.entries() {
            open.push((format!("{name}.{key}"), inner, left));
        }
    }
}

/// Whether a value holds names: an object, or a list of objects. A value that is JSON by its
/// nature stands there as text.
fn opens(value: Value<'_>) -> bool {
    let objects = || value.items().all(Value::is_object);
    !value.is_empty() && (value.is_object() || (value.is_array() && objects()))
}
