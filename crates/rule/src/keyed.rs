//! What a rule remembers by key, within a bound.

use std::fmt;
use std::hash::{DefaultHasher, Hasher};
use std::sync::LazyLock;

use compact_str::CompactString;
use hashbrown::HashTable;
use lawbook_event::Seal;

use crate::wire::{Broken, Coded, Reader, Writer, rising};

/// How many keys one rule keeps in one scope. Past it the rule answers unknown.
pub const KEYS_MAX: usize = 100_000;

/// How the identities of texts are made: without a seal a text is its own, with one its digest is.
#[derive(Clone, Copy, Default)]
pub struct Keys<'s> {
    seal: Option<&'s dyn Seal>,
}

/// What a text is known by: all that rules keep of a value. Two identities are equal where their
/// texts are and both were made in the same way.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Identity {
    /// The text itself.
    Text(CompactString),
    /// What a seal made of it.
    Digest([u8; 16]),
}

/// A text whose identity is looked for among kept ones.
#[derive(Clone, Copy, Debug)]
pub enum Sought<'t> {
    /// The text itself.
    Text(&'t str),
    /// What a seal made of it.
    Digest([u8; 16]),
}

/// The identity of a value, hashed once for all rules that look it up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Key {
    identity: Identity,
    hash: u64,
}

impl fmt::Debug for Keys<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Keys").field("sealed", &self.is_sealed()).finish()
    }
}

impl<'s> Keys<'s> {
    /// Identities are what this seal makes of texts.
    #[must_use]
    pub fn sealed(seal: &'s dyn Seal) -> Self {
        Keys { seal: Some(seal) }
    }

    /// The same where there is a seal; otherwise identities are the texts.
    #[must_use]
    pub fn of(seal: Option<&'s dyn Seal>) -> Self {
        Keys { seal }
    }

    /// Whether texts must not be kept.
    #[must_use]
    pub fn is_sealed(self) -> bool {
        self.seal.is_some()
    }

    /// The key of a text.
    #[must_use]
    pub fn key(self, text: &str) -> Key {
        Key::of(self.identity(text))
    }

    /// The identity of a text.
    #[must_use]
    pub fn identity(self, text: &str) -> Identity {
        match self.seal {
            None => Identity::Text(CompactString::new(text)),
            Some(seal) => Identity::Digest(seal.seal(text)),
        }
    }

    /// A text to compare kept identities with.
    #[must_use]
    pub fn sought(self, text: &str) -> Sought<'_> {
        match self.seal {
            None => Sought::Text(text),
            Some(seal) => Sought::Digest(seal.seal(text)),
        }
    }
}

impl Identity {
    /// Whether it is the identity of this text.
    #[must_use]
    pub fn is(&self, sought: Sought<'_>) -> bool {
        match (self, sought) {
            (Identity::Text(own), Sought::Text(text)) => own == text,
            (Identity::Digest(own), Sought::Digest(digest)) => *own == digest,
            (Identity::Text(_), Sought::Digest(_)) | (Identity::Digest(_), Sought::Text(_)) => {
                false
            }
        }
    }
}

impl Key {
    /// The key that all calls share where nothing tells them apart. It is no text's, so no seal
    /// changes it.
    #[must_use]
    pub fn shared() -> Self {
        // It is asked for at each call of each rule that counts all calls together.
        static SHARED: LazyLock<Key> =
            LazyLock::new(|| Key::of(Identity::Text(CompactString::const_new(""))));
        SHARED.clone()
    }

    /// The key of an identity.
    #[must_use]
    pub fn of(identity: Identity) -> Self {
        // The hasher's own keys are fixed, so that a key means the same on every machine.
        let mut hasher = DefaultHasher::new();
        match &identity {
            Identity::Text(text) => hasher.write(text.as_bytes()),
            Identity::Digest(digest) => hasher.write(digest),
        }
        Key { hash: hasher.finish(), identity }
    }

    /// What it is the key of.
    #[must_use]
    pub fn identity(&self) -> &Identity {
        &self.identity
    }

    /// The text, where no seal hides it.
    #[must_use]
    pub fn text(&self) -> Option<&str> {
        match &self.identity {
            Identity::Text(text) => Some(text),
            Identity::Digest(_) => None,
        }
    }
}

impl Coded for Identity {
    fn write(&self, out: &mut Writer) {
        match self {
            Identity::Text(text) => {
                out.byte(0);
                out.text(text);
            }
            Identity::Digest(digest) => {
                out.byte(1);
                out.raw(digest);
            }
        }
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, Broken> {
        match from.byte()? {
            0 => from.text().map(|it| Identity::Text(CompactString::new(it))),
            1 => Ok(Identity::Digest(from.raw(16)?.try_into().map_err(|_| Broken)?)),
            _ => Err(Broken),
        }
    }
}

impl Coded for Key {
    fn write(&self, out: &mut Writer) {
        self.identity.write(out);
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, Broken> {
        Identity::read(from).map(Key::of)
    }
}

/// A map from keys to what is remembered of them.
///
/// It can be asked for one key and never iterated, so nothing can depend on its order; written to
/// bytes, it is in the order of keys. Once a key
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
    pub fn place(&mut self, key: Key) -> Option<&mut V> {
        let hash = key.hash;
        let same = |it: &(u64, Box<(Key, V)>)| it.0 == hash && it.1.0 == key;
        if self.entries.find(hash, same).is_none() && self.entries.len() >= KEYS_MAX {
            self.full = true;
            return None;
        }
        let entry = self.entries.entry(hash, same, |it| it.0);
        let entry = entry.or_insert_with(|| (hash, Box::new((key.clone(), V::default()))));
        Some(&mut entry.into_mut().1.1)
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

impl<V: Coded> Coded for Keyed<V> {
    fn write(&self, out: &mut Writer) {
        let mut entries: Vec<&(Key, V)> = self.entries.iter().map(|it| &*it.1).collect();
        entries.sort_unstable_by(|a, b| a.0.identity.cmp(&b.0.identity));
        self.full.write(out);
        out.whole(u64::try_from(entries.len()).unwrap_or(u64::MAX));
        for (key, value) in entries {
            key.write(out);
            value.write(out);
        }
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, Broken> {
        let full = Coded::read(from)?;
        let read: Vec<(Key, V)> = from.each()?;
        rising(read.iter().map(|it| &it.0.identity))?;
        if read.len() > KEYS_MAX {
            return Err(Broken);
        }
        let mut entries = HashTable::with_capacity(read.len());
        for (key, value) in read {
            let hash = key.hash;
            entries.insert_unique(hash, (hash, Box::new((key, value))), |it| it.0);
        }
        Ok(Keyed { entries, full })
    }
}

#[cfg(test)]
mod tests {
    use lawbook_event::Seal;

    use super::{Identity, KEYS_MAX, Key, Keyed, Keys};
    use crate::wire::{Coded, Reader, Writer};

    struct Sums;

    impl Seal for Sums {
        fn seal(&self, text: &str) -> [u8; 16] {
            text.bytes().map(u128::from).sum::<u128>().to_be_bytes()
        }
    }

    #[test]
    fn a_full_map_says_so() {
        let mut map: Keyed<u8> = Keyed::default();
        let key = |text: &str| Keys::default().key(text);
        for n in 0..KEYS_MAX {
            assert!(map.place(key(&n.to_string())).is_some());
        }
        assert!(!map.is_full());
        assert!(map.place(key("one more")).is_none());
        assert!(map.is_full() && map.get(&key("0")).is_some());
        assert!(map.get(&key("one more")).is_none());
    }

    /// What rules remember of one key lies close together, which more bytes would undo.
    #[test]
    fn a_digest_takes_no_more_room_than_a_text() {
        assert_eq!(size_of::<Identity>(), size_of::<compact_str::CompactString>());
        assert_eq!(size_of::<Option<Identity>>(), size_of::<Identity>());
    }

    #[test]
    fn equal_maps_are_equal_bytes_whatever_came_first() {
        let keys = Keys::default();
        let written = |texts: &[&str]| {
            let mut map: Keyed<u64> = Keyed::default();
            for text in texts {
                *map.place(keys.key(text)).unwrap() = text.len() as u64;
            }
            let mut out = Writer::default();
            map.write(&mut out);
            out.into_bytes()
        };
        let bytes = written(&["ann", "bo", "", "charles"]);
        assert_eq!(bytes, written(&["charles", "", "bo", "ann"]));
        let map = Keyed::<u64>::read(&mut Reader::new(&bytes)).unwrap();
        assert_eq!(map.get(&keys.key("charles")), Some(&7));
        assert_eq!(map.get(&keys.key("dan")), None);
        for end in 0..bytes.len() {
            assert!(Keyed::<u64>::read(&mut Reader::new(&bytes[..end])).is_err(), "{end}");
        }
        // The same key twice, and keys that run back.
        for bad in [&[0, 2, 0, 1, 97, 5, 0, 1, 97, 6][..], &[0, 2, 0, 1, 98, 5, 0, 1, 97, 6]] {
            assert!(Keyed::<u64>::read(&mut Reader::new(bad)).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn a_sealed_key_holds_no_text_and_comes_back_from_bytes() {
        let sealed = Keys::sealed(&Sums);
        for key in [Keys::default().key("ann"), sealed.key("ann"), Key::shared()] {
            let mut out = Writer::default();
            key.write(&mut out);
            let bytes = out.into_bytes();
            assert_eq!(Key::read(&mut Reader::new(&bytes)), Ok(key));
        }
        assert_eq!(sealed.key("ann").text(), None);
        assert!(sealed.key("ann").identity().is(sealed.sought("ann")));
        assert!(!sealed.key("ann").identity().is(Keys::default().sought("ann")));
        assert_ne!(sealed.key(""), Key::shared());
    }
}
