//! An entry's own members that the store reads: whose it is, its number, and what came before.

use std::borrow::Cow;

use lawbook_event::json::{Buffers, Document, Grammar, Limits, Writer};

use super::frame::{ENTRY_BYTES_MAX, Leaf};
use crate::error::{Code, Error};

/// An agent's name may have this many bytes.
pub const AGENT_BYTES_MAX: usize = 128;
/// The agent that is the ledger itself. No other name begins with `@`.
pub const LEDGER_AGENT: &str = "@ledger";

/// An entry has this many brackets inside each other at most.
const DEPTH_MAX: usize = 64;

/// What `prev` names in an agent's first entry.
pub const NO_LEAF: Leaf = [0; 32];

/// Where an agent's chain ends: what its next entry continues.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Head {
    /// The number of its next entry.
    pub next_seq: u64,
    /// The leaf hash of its newest entry; zeros when it has none.
    pub leaf: Leaf,
}

impl Head {
    /// The head of an agent that has no entry.
    pub const NONE: Head = Head { next_seq: 0, leaf: NO_LEAF };
}

/// What an entry says of its place in its agent's chain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    /// Whose entry it is.
    pub agent: String,
    /// Its number among the agent's.
    pub seq: u64,
    /// The leaf hash of the agent's entry before.
    pub prev: Leaf,
}

/// Reads links one after the other, with allocations of its own.
#[derive(Debug, Default)]
pub struct Links {
    buffers: Buffers,
}

impl Links {
    /// Reads the link of an entry.
    ///
    /// # Errors
    /// `too_large` and `entry_invalid`.
    pub fn read(&mut self, bytes: &[u8]) -> Result<Link, Error> {
        if bytes.len() > ENTRY_BYTES_MAX {
            let message = format!("an entry of {} bytes; {ENTRY_BYTES_MAX} fit", bytes.len());
            return Err(Error::new(Code::TooLarge, message));
        }
        let text = std::str::from_utf8(bytes).map_err(|e| invalid(&format!("no UTF-8: {e}")))?;
        let limits = Limits { depth_max: DEPTH_MAX, ..Limits::DEFAULT };
        let text = Cow::Borrowed(text);
        let document = Document::parse_with(text, Grammar::Strict, &limits, &mut self.buffers)
            .map_err(|e| invalid(&e.to_string()))?;
        let link = link(&document);
        self.buffers = document.reuse();
        link
    }
}

fn link(document: &Document<'_>) -> Result<Link, Error> {
    let root = document.root();
    if !root.is_object() {
        return Err(invalid("it is no object"));
    }
    if let Some((key, _)) = document.duplicate_key() {
        return Err(invalid(&format!("`{key}` stands twice")));
    }
    let string = |key: &str| root.get(key).and_then(lawbook_event::json::Value::as_str);
    let agent = string("agent").ok_or_else(|| invalid("`agent` must be a text"))?;
    named(agent)?;
    let seq = root.get("seq").and_then(lawbook_event::json::Value::number_text);
    let seq = seq.and_then(|it| it.parse().ok());
    let seq = seq.ok_or_else(|| invalid("`seq` must be a whole number"))?;
    let prev = string("prev").and_then(leaf_of);
    let prev = prev.ok_or_else(|| invalid("`prev` must be 64 lower-case hex digits"))?;
    Ok(Link { agent: agent.to_owned(), seq, prev })
}

/// Whether an agent may have that name.
pub(super) fn named(agent: &str) -> Result<(), Error> {
    if agent.is_empty() || agent.len() > AGENT_BYTES_MAX {
        return Err(invalid(&format!("`agent` must have 1 to {AGENT_BYTES_MAX} bytes")));
    }
    Ok(())
}

fn invalid(why: &str) -> Error {
    Error::new(Code::EntryInvalid, format!("not an entry: {why}"))
}

/// The hex digits of some bytes.
#[must_use]
pub fn hex(bytes: &[u8]) -> String {
    let digit = |it: u8| char::from_digit(u32::from(it), 16).unwrap_or('0');
    bytes.iter().flat_map(|it| [digit(it >> 4), digit(it & 15)]).collect()
}

/// The leaf hash that hex digits spell.
#[must_use]
pub fn leaf_of(text: &str) -> Option<Leaf> {
    let digits: &[u8; 64] = text.as_bytes().try_into().ok()?;
    let value = |digit: u8| match digit {
        b'0'..=b'9' => digit.checked_sub(b'0'),
        b'a'..=b'f' => digit.checked_sub(b'a' - 10),
        _ => None,
    };
    let mut leaf = NO_LEAF;
    for (byte, pair) in leaf.iter_mut().zip(digits.as_chunks::<2>().0) {
        let [high, low] = *pair;
        *byte = (value(high)? << 4) | value(low)?;
    }
    Some(leaf)
}

/// The bytes of an entry: the members that all have, then those that `members` writes.
///
/// `at` is in nanoseconds since 1970, UTC. Whether the entry fits its agent's chain and its bound is
/// checked where it is submitted.
///
/// ```
/// use lawbook_ledger::store::{Head, entry_bytes};
///
/// let bytes = entry_bytes("support", &Head::NONE, 1_767_225_600_000_000_000, "genesis", |it| {
///     it.key("name").string("support agent");
/// });
/// assert!(bytes.starts_with(br#"{"v":1,"agent":"support","seq":0,"prev":"0000"#));
/// ```
#[must_use]
pub fn entry_bytes(
    agent: &str,
    head: &Head,
    at: i64,
    kind: &str,
    members: impl FnOnce(&mut Writer),
) -> Vec<u8> {
    let mut writer = Writer::new();
    writer.object().key("v").number(1).key("agent").string(agent);
    writer.key("seq").number(head.next_seq).key("prev").string(&hex(&head.leaf));
    writer.key("at").raw(&at.to_string()).key("kind").string(kind);
    members(&mut writer);
    writer.end_object();
    writer.finish().into_bytes()
}

#[cfg(test)]
mod tests {
    use super::{AGENT_BYTES_MAX, ENTRY_BYTES_MAX, Head, Links, entry_bytes, hex, leaf_of};
    use crate::error::Code;

    #[test]
    fn an_entry_says_where_it_stands() {
        let head = Head { next_seq: 3, leaf: [0xab; 32] };
        let bytes = entry_bytes("a\"b", &head, -5, "asked", |it| {
            it.key("step").number(7);
        });
        let link = Links::default().read(&bytes).unwrap();
        assert_eq!((link.agent.as_str(), link.seq, link.prev), ("a\"b", 3, [0xab; 32]));
    }

    #[test]
    fn hex_reads_back_and_has_one_spelling() {
        let leaf: [u8; 32] = std::array::from_fn(|it| it as u8 * 7);
        assert_eq!(leaf_of(&hex(&leaf)), Some(leaf));
        assert_eq!(leaf_of(&hex(&leaf).to_uppercase()), None);
        assert_eq!(leaf_of("00"), None);
    }

    #[test]
    fn what_is_no_entry_is_refused() {
        let zeros = "0".repeat(64);
        let name =
            |len: usize| format!(r#"{{"agent":"{}","seq":0,"prev":"{zeros}"}}"#, "x".repeat(len));
        let mut links = Links::default();
        assert!(links.read(name(AGENT_BYTES_MAX).as_bytes()).is_ok());
        for bad in [
            name(AGENT_BYTES_MAX + 1),
            name(0),
            "[]".to_owned(),
            String::new(),
            format!(r#"{{"agent":"a","seq":0.5,"prev":"{zeros}"}}"#),
            format!(r#"{{"agent":"a","seq":-1,"prev":"{zeros}"}}"#),
            format!(r#"{{"agent":"a","seq":0,"prev":"{zeros}0"}}"#),
            format!(r#"{{"agent":"a","seq":0,"prev":"{zeros}","x":{{"y":1,"y":1}}}}"#),
            format!(r#"{{"agent":1,"seq":0,"prev":"{zeros}"}}"#),
            format!("{{\"x\":{}", "[".repeat(100_000 / 2)),
        ] {
            assert_eq!(links.read(bad.as_bytes()).unwrap_err().code(), Code::EntryInvalid, "{bad}");
        }
        assert_eq!(links.read(b"{\"a\xff\":1}").unwrap_err().code(), Code::EntryInvalid);
        let long = vec![b' '; ENTRY_BYTES_MAX + 1];
        assert_eq!(links.read(&long).unwrap_err().code(), Code::TooLarge);
    }
}
