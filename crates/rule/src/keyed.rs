//! What a rule remembers by key, within a bound.

#![allow(clippy::disallowed_types, reason = "look-ups only; nothing here iterates")]

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, DefaultHasher};

/// How many keys one rule keeps in one scope. Past it the rule answers unknown.
pub const KEYS_MAX: usize = 100_000;

/// A map from keys to what is remembered of them.
///
/// It can be asked for one key and never iterated, so nothing can depend on its order. Once a key
/// found no room the map is full for good: what it doesn't hold is then unknown, not absent.
#[derive(Clone, Debug)]
pub struct Keyed<V> {
    entries: HashMap<Box<str>, V, BuildHasherDefault<DefaultHasher>>,
    full: bool,
}

impl<V> Default for Keyed<V> {
    fn default() -> Self {
        Keyed { entries: HashMap::default(), full: false }
    }
}

impl<V: Default> Keyed<V> {
    /// What is remembered of a key.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&V> {
        self.entries.get(key)
    }

    /// The place of a key, made if there is room for it.
    pub fn place(&mut self, key: &str) -> Option<&mut V> {
        if !self.entries.contains_key(key) {
            if self.entries.len() >= KEYS_MAX {
                self.full = true;
                return None;
            }
            self.entries.insert(key.into(), V::default());
        }
        self.entries.get_mut(key)
    }

    /// The place of a key that is already there.
    pub fn get_mut(&mut self, key: &str) -> Option<&mut V> {
        self.entries.get_mut(key)
    }

    /// Whether a key found no room, so that an absent key says nothing.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.full
    }
}

#[cfg(test)]
mod tests {
    use super::{KEYS_MAX, Keyed};

    #[test]
    fn a_full_map_says_so() {
        let mut map: Keyed<u8> = Keyed::default();
        for n in 0..KEYS_MAX {
            assert!(map.place(&n.to_string()).is_some());
        }
        assert!(!map.is_full());
        assert!(map.place("one more").is_none());
        assert!(map.is_full() && map.get("0").is_some() && map.get("one more").is_none());
    }
}
