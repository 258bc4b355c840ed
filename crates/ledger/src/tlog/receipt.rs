//! Receipts: that one entry stands in a log, checkable without the log (C2SP tlog-proof).

use base64ct::{Base64, Encoding};

use super::checkpoint::{Checkpoint, CheckpointError, number};
use super::hash::Hash;
use super::key::PublicKey;
use super::note::{NOTE_BYTES_MAX, Note};
use super::proof::{Mismatch, check_inclusion};

/// The first line of a receipt.
const HEADER: &str = "c2sp.org/tlog-proof@v1";

/// The most hashes of one proof: no tree of 64-bit sizes needs more.
pub const PROOF_HASHES_MAX: usize = 64;

/// A receipt that shows nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReceiptError {
    /// It is no receipt.
    Shape,
    /// Its checkpoint is none, or not signed by a known key.
    Checkpoint(CheckpointError),
    /// The entry does not stand there.
    Proof(Mismatch),
}

impl std::fmt::Display for ReceiptError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            ReceiptError::Shape => f.write_str("this is no receipt"),
            ReceiptError::Checkpoint(error) => write!(f, "{error}"),
            ReceiptError::Proof(error) => write!(f, "{error}"),
        }
    }
}

impl std::error::Error for ReceiptError {}

/// The place of an entry, its path to the root, and the signed root.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Receipt {
    /// Bytes that nobody has signed; ours have none.
    pub extra: Option<Vec<u8>>,
    /// The place of the entry in the log, from 0.
    pub index: u64,
    /// The path, the leaf's neighbour first.
    pub proof: Vec<Hash>,
    /// The checkpoint with its signatures.
    pub note: Note,
}

impl Receipt {
    /// Reads a receipt; nothing in it may be believed before [`Receipt::check`].
    ///
    /// # Errors
    /// When it is none.
    pub fn read(text: &str) -> Result<Self, ReceiptError> {
        if text.len() > NOTE_BYTES_MAX {
            return Err(ReceiptError::Shape);
        }
        let (head, note) = text.split_once("\n\n").ok_or(ReceiptError::Shape)?;
        let (extra, index, proof) = Self::head(head).ok_or(ReceiptError::Shape)?;
        let note = Note::read(note).map_err(|it| ReceiptError::Checkpoint(it.into()))?;
        Ok(Receipt { extra, index, proof, note })
    }

    #[allow(clippy::type_complexity, reason = "the parts of the struct, once")]
    fn head(head: &str) -> Option<(Option<Vec<u8>>, u64, Vec<Hash>)> {
        let mut lines = head.split('\n').peekable();
        lines.next().filter(|it| *it == HEADER)?;
        let extra = match lines.peek()?.strip_prefix("extra ") {
            Some(base64) => {
                lines.next();
                Some(Base64::decode_vec(base64).ok()?)
            }
            None => None,
        };
        let index = number(lines.next()?.strip_prefix("index ")?)?;
        let mut proof = Vec::new();
        for line in lines {
            if proof.len() == PROOF_HASHES_MAX {
                return None;
            }
            proof.push(Hash::from_base64(line)?);
        }
        Some((extra, index, proof))
    }

    /// Checks that an entry with this leaf hash stands in the log of these keys, and gives the
    /// checkpoint that says so.
    ///
    /// # Errors
    /// When no known key of the log has signed, or the entry does not stand there.
    pub fn check(&self, leaf: Hash, keys: &[PublicKey]) -> Result<Checkpoint, ReceiptError> {
        let checkpoint = Checkpoint::of(&self.note).map_err(ReceiptError::Checkpoint)?;
        checkpoint.check(&self.note, keys).map_err(ReceiptError::Checkpoint)?;
        check_inclusion(leaf, self.index, checkpoint.size, &self.proof, checkpoint.root)
            .map_err(ReceiptError::Proof)?;
        Ok(checkpoint)
    }
}

/// The text of the receipt.
impl std::fmt::Display for Receipt {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        writeln!(f, "{HEADER}")?;
        if let Some(extra) = &self.extra {
            writeln!(f, "extra {}", Base64::encode_string(extra))?;
        }
        writeln!(f, "index {}", self.index)?;
        self.proof.iter().try_for_each(|it| writeln!(f, "{}", it.to_base64()))?;
        write!(f, "\n{}", self.note)
    }
}
