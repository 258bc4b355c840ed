//! The ids of traces: their own, or a hash of what they hold.

use std::borrow::Cow;
use std::collections::BTreeMap;

use lawbook_event::JAVASCRIPT;
use lawbook_event::json::{Kind, Value, Writer};

/// The keys under which an id may stand, best first. Case does not count in a key, and spaces and
/// hyphens count as underscores.
const KEYS: [&str; 5] = ["id", "trace_id", "traceid", "session_id", "conversation_id"];

/// The ids of a file that are taken.
#[derive(Debug, Default)]
pub struct Ids {
    /// Each id, and the number that its last repetition got.
    taken: BTreeMap<String, u32>,
}

impl Ids {
    /// The id that a trace gets: its own, or one with a number where it is taken.
    pub fn give<'d>(&mut self, own: Cow<'d, str>) -> Cow<'d, str> {
        let Some(last) = self.taken.get(&*own).copied() else {
            self.taken.insert(own.to_string(), 1);
            return own;
        };
        let mut number = last.saturating_add(1);
        while self.taken.contains_key(&format!("{own}-{number}")) {
            number = number.saturating_add(1);
        }
        let given = format!("{own}-{number}");
        self.taken.insert(own.into_owned(), number);
        self.taken.insert(given.clone(), 1);
        Cow::Owned(given)
    }
}

/// The id that a trace has by itself. `mapped` is looked at first.
pub fn own<'d>(trace: Value<'d>, mapped: Option<Value<'d>>) -> Cow<'d, str> {
    if let Some(id) = mapped.filter(|it| !it.is_null() && it.as_str() != Some("")) {
        return JAVASCRIPT.text(id);
    }
    if let Some(text) = trace.as_str() {
        let mut writer = Writer::new();
        writer.object().key("text").string(text).end_object();
        return of_hash(&writer.finish());
    }
    let object = trace;
    let id = KEYS.iter().find_map(|key| object.entries().find_map(|it| id_under(key, it)));
    id.unwrap_or_else(|| of_hash(&JAVASCRIPT.show(object)))
}

fn of_hash(json: &str) -> Cow<'static, str> {
    Cow::Owned(format!("t-{:08x}", hash(json)))
}

fn id_under<'d>(key: &str, (name, value): (&str, Value<'d>)) -> Option<Cow<'d, str>> {
    let same =
        |(a, b): (u8, u8)| a == if b == b' ' || b == b'-' { b'_' } else { b.to_ascii_lowercase() };
    let name = name.as_bytes();
    if name.len() != key.len() || !key.bytes().zip(name.iter().copied()).all(same) {
        return None;
    }
    let is_id = match value.kind() {
        Kind::Null | Kind::Array | Kind::Object => false,
        Kind::String => value.as_str() != Some(""),
        Kind::Bool | Kind::Number => true,
    };
    is_id.then(|| JAVASCRIPT.text(value))
}

/// The first half of a 53-bit hash over UTF-16 units, as pmstack has it (cyrb53, seed 0).
fn hash(text: &str) -> u32 {
    let (mut one, mut two) = (0xDEAD_BEEF_u32, 0x41C6_CE57_u32);
    for unit in text.encode_utf16() {
        one = (one ^ u32::from(unit)).wrapping_mul(2_654_435_761);
        two = (two ^ u32::from(unit)).wrapping_mul(1_597_334_677);
    }
    (one ^ (one >> 16)).wrapping_mul(2_246_822_507)
        ^ (two ^ (two >> 13)).wrapping_mul(3_266_489_909)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeated_ids_get_numbers() {
        let mut ids = Ids::default();
        let given: Vec<_> =
            ["a", "a", "a-2", "a", "b"].iter().map(|it| ids.give(Cow::Borrowed(it))).collect();
        assert_eq!(given, ["a", "a-2", "a-2-2", "a-3", "b"]);
    }
}
