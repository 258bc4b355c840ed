//! What a rule remembers by key, within a bound.

use std::borrow::Borrow;
use std::hash::{DefaultHasher, Hasher};

use compact_str::CompactString;
use hashbrown::HashTable;

/// How many keys one rule keeps in one scope. Past it the rule answers unknown.
pub const KEYS_MAX: usize = 100_000;

/// The identity of a value, hashed once for all rules that look it up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Key {
    text: CompactString,
    hash: u64,
}

impl Key {
    /// The key of a text.
    #[must_use]
    pub fn new(text: &str) -> Self {
        // The hasher's own keys are fixed, so that a key means the same on every machine.
        let mut hasher = DefaultHasher::new();
        hasher.write(text.as_bytes());
        Key { text: CompactString::new(text), hash: hasher.finish() }
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }
}

impl Borrow<str> for Key {
    fn borrow(&self) -> &str {
        &self.text
    }
}

/// A map from keys to what is remembered of them.
///
/// It can be asked for one key and never iterated, so nothing can depend on its order. Once a key
/// found no room the map is full for good: what it doesn't hold is then unknown, not absent.
///
/// Entries lie on the heap and the table holds their hashes: what several rules remember of one
/// key is made at about the same time and so lies close together, which is what a look-up among
/// many keys costs.
#[derive(Clone, Debug)]
pub struct Keyed<V> {
    entries: HashTable<(u64, Box<(Key, V)>)>,
    full: bool,
}

impl<V> Default for Keyed<V> {
    fn default() -> Self {
        Keyed { entries: HashTable::new(), full: false }
    }
}

impl<V: Default> Keyed<V> {
    /// What is remembered of a key.
    #[must_use]
    pub fn get(&self, key: &Key) -> Option<&V> {
        let same = |it: &(u64, Box<(Key, V)>)| it.0 == key.hash && it.1.0 == *key;
        self.entries.find(key.hash, same).map(|it| &it.1.1)
    }

    /// The place of a key, made if there is room for it.
    pub fn place(&mut self, key: &Key) -> Option<&mut V> {
        if self.get(key).is_none() {
            if self.entries.len() >= KEYS_MAX {
                self.full = true;
                return None;
            }
            let entry = Box::new((key.clone(), V::default()));
            self.entries.insert_unique(key.hash, (key.hash, entry), |it| it.0);
        }
        self.get_mut(key)
    }

    /// The place of a key that is already there.
    pub fn get_mut(&mut self, key: &Key) -> Option<&mut V> {
        let same = |it: &(u64, Box<(Key, V)>)| it.0 == key.hash && it.1.0 == *key;
        self.entries.find_mut(key.hash, same).map(|it| &mut it.1.1)
    }

    /// Whether a key found no room, so that an absent key says nothing.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.full
    }
}

#[cfg(test)]
mod tests {
    use super::{KEYS_MAX, Key, Keyed};

    #[test]
    fn a_full_map_says_so() {
        let mut map: Keyed<u8> = Keyed::default();
        for n in 0..KEYS_MAX {
            assert!(map.place(&Key::new(&n.to_string())).is_some());
        }
        assert!(!map.is_full());
        assert!(map.place(&Key::new("one more")).is_none());
        assert!(map.is_full() && map.get(&Key::new("0")).is_some());
        assert!(map.get(&Key::new("one more")).is_none());
    }
}
