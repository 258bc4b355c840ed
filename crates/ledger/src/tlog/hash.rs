//! The hashes of RFC 6962, section 2.1: leaves and nodes can't be taken for each other.

use base64ct::{Base64, Encoding};
use sha2::{Digest, Sha256};

/// The root of a tree without leaves: the SHA-256 of nothing.
pub const EMPTY_ROOT: Hash = Hash([
    0xe3, 0xb0, 0xc4, 0x42, 0x98, 0xfc, 0x1c, 0x14, 0x9a, 0xfb, 0xf4, 0xc8, 0x99, 0x6f, 0xb9, 0x24,
    0x27, 0xae, 0x41, 0xe4, 0x64, 0x9b, 0x93, 0x4c, 0xa4, 0x95, 0x99, 0x1b, 0x78, 0x52, 0xb8, 0x55,
]);

/// A SHA-256 hash.
///
/// ```
/// use lawbook_ledger::tlog::{Hash, leaf_hash};
///
/// let hash = leaf_hash(b"");
/// assert_eq!(hash.to_string().get(..8), Some("6e340b9c"));
/// assert_eq!(Hash::from_hex(&hash.to_string()), Some(hash));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Hash(pub [u8; 32]);

impl Hash {
    /// Reads standard base64 with padding, 44 characters; anything else is none.
    #[must_use]
    pub fn from_base64(text: &str) -> Option<Self> {
        let mut out = [0; 32];
        match Base64::decode(text, &mut out) {
            Ok(bytes) if bytes.len() == 32 => Some(Hash(out)),
            _ => None,
        }
    }

    /// Standard base64 with padding.
    #[must_use]
    pub fn to_base64(self) -> String {
        Base64::encode_string(&self.0)
    }

    /// Reads 64 lower-case hexadecimal digits; anything else is none.
    #[must_use]
    pub fn from_hex(text: &str) -> Option<Self> {
        hex_bytes(text).map(Hash)
    }
}

/// Reads lower-case hexadecimal digits, two for each byte.
pub(crate) fn hex_bytes<const N: usize>(text: &str) -> Option<[u8; N]> {
    let mut out = [0; N];
    let (pairs, rest) = text.as_bytes().as_chunks::<2>();
    if pairs.len() != N || !rest.is_empty() {
        return None;
    }
    for (slot, [high, low]) in out.iter_mut().zip(pairs) {
        *slot = (nibble(*high)? << 4) | nibble(*low)?;
    }
    Some(out)
}

fn nibble(digit: u8) -> Option<u8> {
    match digit {
        b'0'..=b'9' => digit.checked_sub(b'0'),
        b'a'..=b'f' => digit.checked_sub(b'a' - 10),
        _ => None,
    }
}

/// Lower-case hexadecimal.
impl std::fmt::Display for Hash {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl std::fmt::Debug for Hash {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{self}")
    }
}

/// The hash of an entry: SHA-256 of a zero byte and the entry.
#[must_use]
pub fn leaf_hash(entry: &[u8]) -> Hash {
    let mut sha = Sha256::new();
    sha.update([0]);
    sha.update(entry);
    Hash(sha.finalize().into())
}

/// The hash of two neighbours: SHA-256 of a one byte and both.
#[must_use]
pub fn node_hash(left: Hash, right: Hash) -> Hash {
    let mut bytes = [1_u8; 65];
    let (_, both) = bytes.split_at_mut(1);
    let (first, second) = both.split_at_mut(32);
    first.copy_from_slice(&left.0);
    second.copy_from_slice(&right.0);
    Hash(Sha256::digest(bytes).into())
}
