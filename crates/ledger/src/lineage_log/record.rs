//! One line of a log.

use lawbook_event::json::{Document, Grammar, Limits, Value};
use sha2::{Digest, Sha256};

use super::PREFIX;
use super::canonical::canonical;
use super::verify::Fault;
use crate::tlog::{Hash, hex_bytes};

/// The longest line that is read, in bytes.
pub const LINE_BYTES_MAX: usize = 16 << 20;

/// The most brackets that are open at one place of a line, as in serde_json.
pub const DEPTH_MAX: usize = 128;

/// The members of a line, in the order in which lineage writes them.
const MEMBERS: [&str; 8] =
    ["seq", "timestamp", "actor", "kind", "payload", "prev_hash", "hash", "signature"];

/// A line that has the shape of a record; whether it is true, only its hash and signature say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// Its place, from 0.
    pub seq: u64,
    /// When it was written, as it is written: RFC 3339 in UTC.
    pub timestamp: String,
    /// Who wrote it; the agent, in a guard's log.
    pub actor: String,
    /// What it is.
    pub kind: String,
    /// The JSON text of what it says, as it stands in the line.
    pub payload: String,
    /// The hash of the record before; zeros in the first.
    pub prev_hash: Hash,
    /// The hash that it says it has.
    pub hash: Hash,
    /// The signature over the bytes of the hash.
    pub signature: [u8; 64],
    /// The hash that it has.
    pub computed: Hash,
    /// The `log_id` and `public_key` of its payload, if it has them.
    pub(super) declared: Option<(String, String)>,
}

impl Record {
    /// Reads a line without its end.
    ///
    /// # Errors
    /// [`Fault::TooLong`], [`Fault::NotJson`] or [`Fault::Shape`].
    pub fn read(line: &[u8]) -> Result<Self, Fault> {
        if line.len() > LINE_BYTES_MAX {
            return Err(Fault::TooLong);
        }
        let text = std::str::from_utf8(line).map_err(|_| Fault::NotJson)?;
        let limits = Limits { depth_max: DEPTH_MAX, ..Limits::DEFAULT };
        let document =
            Document::parse(text, Grammar::Strict, &limits).map_err(|_| Fault::NotJson)?;
        // Two readers read a repeated member or half a surrogate pair differently.
        if document.duplicate_key().is_some() || document.lone_surrogate() {
            return Err(Fault::Shape);
        }
        Self::of(document.root()).ok_or(Fault::Shape)
    }

    fn of(line: Value<'_>) -> Option<Self> {
        if line.len() != MEMBERS.len() {
            return None;
        }
        let text = |name: &str| line.get(name)?.as_str();
        let seq = line.get("seq")?.number_text()?;
        let payload = line.get("payload")?;
        let declared = |name: &str| payload.get(name)?.as_str().map(str::to_string);
        Some(Record {
            seq: seq.parse().ok()?,
            timestamp: text("timestamp")?.to_string(),
            actor: text("actor")?.to_string(),
            kind: text("kind")?.to_string(),
            payload: payload.raw().to_string(),
            prev_hash: Hash::from_hex(text("prev_hash")?)?,
            hash: Hash::from_hex(text("hash")?)?,
            signature: hex_bytes(text("signature")?)?,
            computed: hash(line),
            declared: declared("log_id").zip(declared("public_key")),
        })
    }
}

/// The hash over all members but hash and signature.
fn hash(line: Value<'_>) -> Hash {
    let signed = |it: &(&str, Value<'_>)| it.0 != "hash" && it.0 != "signature";
    let mut members: Vec<_> = line.entries().filter(signed).collect();
    members.sort_by_key(|it| it.0);
    let mut text = String::with_capacity(line.raw().len());
    for (name, value) in members {
        text.push(if text.is_empty() { '{' } else { ',' });
        text.push('"');
        text.push_str(name);
        text.push_str("\":");
        canonical(&mut text, value);
    }
    text.push('}');
    let mut sha = Sha256::new();
    sha.update(PREFIX);
    sha.update(text.as_bytes());
    Hash(sha.finalize().into())
}

/// Whether the first line of a file is one that lineage writes: an object with the eight members.
#[must_use]
pub fn looks_like_lineage(line: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(line) else { return false };
    let limits = Limits { depth_max: DEPTH_MAX, bytes_max: LINE_BYTES_MAX, ..Limits::DEFAULT };
    let Ok(document) = Document::parse(text, Grammar::Strict, &limits) else { return false };
    let root = document.root();
    MEMBERS.iter().all(|it| root.get(it).is_some())
}
