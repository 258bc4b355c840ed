//! Whom a call is about, by the arguments that name a person or an account.

use std::collections::BTreeMap;

use lawbook_event::json::Value;

use crate::{Asked, Fields};

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
    named: BTreeMap<String, String>,
}

impl Subject {
    /// The subject of a call.
    pub fn of(asked: &Asked<'_>) -> Self {
        let values = asked.manner.values;
        let Fields::Object(root) = asked.args.fields(values) else { return Subject::default() };
        let scalar = |it: &Value<'_>| !it.is_object() && !it.is_array();
        let entries = root.entries().filter(|it| scalar(&it.1));
        let named = entries.filter_map(|(name, value)| {
            let words = words(name);
            words.iter().find(|it| WORDS.contains(&it.as_str()))?;
            Some((words.join("_"), values.cap_key(value)?.into_owned()))
        });
        Subject { named: named.collect() }
    }

    /// The first argument in which two calls differ that carry it both.
    pub fn differs<'s>(&'s self, other: &Subject) -> Option<&'s str> {
        let differs = |(name, value): &(&String, &String)| {
            other.named.get(*name).is_some_and(|it| it != *value)
        };
        self.named.iter().find(differs).map(|it| it.0.as_str())
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
