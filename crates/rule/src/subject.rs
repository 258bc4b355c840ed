//! Whom a call is about, by the arguments that name a person or an account.

use std::borrow::Cow;
use std::collections::BTreeMap;

use lawbook_event::json::Value;

use crate::wire::{Broken, Coded, Reader, Writer};
use crate::{Asked, Fields, Identity};

/// Words in the name of an argument that names whom a call is about.
const WORDS: [&str; 14] = [
    "account",
    "applicant",
    "client",
    "customer",
    "email",
    "guest",
    "member",
    "passenger",
    "patient",
    "phone",
    "subscriber",
    "tenant",
    "traveler",
    "user",
];

/// The arguments of a call that name whom it is about, by the words of their names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Subject {
    /// Each name once with its value, in the order of the names.
    named: Vec<(Identity, Identity)>,
}

impl Subject {
    /// The subject of a call.
    pub fn of(asked: &Asked<'_>) -> Self {
        let keys = asked.args.keys();
        let named = named(asked).into_iter();
        let named = named.map(|(name, value)| (keys.identity(&name), keys.identity(&value)));
        Subject { named: named.collect() }
    }

    /// The first argument in which two calls differ that carry it both, by its place among those
    /// of this one.
    pub fn differs(&self, other: &Subject) -> Option<usize> {
        let differs = |(name, value): &(Identity, Identity)| {
            other.named.iter().any(|it| it.0 == *name && it.1 != *value)
        };
        self.named.iter().position(differs)
    }

    /// The name of the argument at a place, in words joined by `_`.
    pub fn name(asked: &Asked<'_>, place: usize) -> Option<String> {
        named(asked).into_keys().nth(place)
    }
}

fn named<'a>(asked: &'a Asked<'_>) -> BTreeMap<String, Cow<'a, str>> {
    let values = asked.manner.values;
    let Fields::Object(root) = asked.args.fields(values) else { return BTreeMap::new() };
    let scalar = |it: &Value<'_>| !it.is_object() && !it.is_array();
    let entries = root.entries().filter(|it| scalar(&it.1));
    let named = entries.filter_map(|(name, value)| {
        let words = words(name);
        words.iter().find(|it| WORDS.contains(&it.as_str()))?;
        Some((words.join("_"), values.cap_key(value)?))
    });
    named.collect()
}

impl Coded for Subject {
    fn write(&self, out: &mut Writer) {
        out.each(self.named.iter());
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, Broken> {
        from.each().map(|named| Subject { named })
    }
}

/// The words of a name in lower case: `customerId` and `customer-id` have two.
pub(crate) fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut last = ' ';
    for it in name.chars() {
        let begins = !last.is_alphanumeric() || (last.is_lowercase() && it.is_uppercase());
        if it.is_alphanumeric() {
            if begins {
                words.push(String::new());
            }
            if let Some(word) = words.last_mut() {
                word.extend(it.to_lowercase());
            }
        }
        last = it;
    }
    words
}

#[cfg(test)]
mod tests {
    use super::words;

    #[test]
    fn names_are_split_however_they_are_joined() {
        for name in ["customerId", "customer_id", "Customer-ID", "customer.id"] {
            assert_eq!(words(name), ["customer", "id"], "{name}");
        }
        assert_eq!(words("userEmail2"), ["user", "email2"]);
    }
}
