//! Keyed digests under an agent's secret: the seal of a text, and the digest that names one.

use hmac::{Hmac, KeyInit, Mac};
use lawbook_event::Seal;
use sha2::Sha256;

/// An agent's secret: 32 random bytes that never leave the machine.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret([u8; 32]);

impl Secret {
    /// A secret that is known already.
    #[must_use]
    pub fn from_bytes(bytes: [u8; 32]) -> Self {
        Secret(bytes)
    }

    /// A key for one purpose, which tells nothing of the secret and of other keys: HMAC-SHA-256 of
    /// the purpose under the secret. Purposes begin with `lawbook ` and end with their version.
    ///
    /// ```
    /// use lawbook_ledger::store::Secret;
    ///
    /// let secret = Secret::from_bytes([7; 32]);
    /// assert_ne!(secret.key("lawbook box v1"), secret.key("lawbook box v2"));
    /// ```
    #[must_use]
    pub fn key(&self, purpose: &str) -> [u8; 32] {
        digest(&keyed(&self.0), purpose.as_bytes())
    }

    pub(super) fn bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl std::fmt::Debug for Secret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Secret(..)")
    }
}

/// Seals under an agent's secret, by HMAC-SHA-256 (RFC 2104).
///
/// ```
/// use lawbook_event::Seal;
/// use lawbook_ledger::store::{HmacSeal, Secret};
///
/// let seal = HmacSeal::new(&Secret::from_bytes([7; 32]));
/// assert_eq!(seal.seal("C-1"), seal.seal("C-1"));
/// assert_ne!(seal.seal("C-1"), HmacSeal::new(&Secret::from_bytes([8; 32])).seal("C-1"));
/// ```
#[derive(Clone)]
pub struct HmacSeal {
    seals: Hmac<Sha256>,
    texts: Hmac<Sha256>,
}

impl HmacSeal {
    /// The seal of a secret.
    #[must_use]
    pub fn new(secret: &Secret) -> Self {
        let key = |name: &str| keyed(&secret.key(name));
        HmacSeal { seals: key("lawbook seal v1"), texts: key("lawbook text v1") }
    }

    /// The digest by which an entry names its text.
    #[must_use]
    pub fn text_digest(&self, text: &[u8]) -> [u8; 32] {
        digest(&self.texts, text)
    }
}

impl std::fmt::Debug for HmacSeal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("HmacSeal(..)")
    }
}

impl Seal for HmacSeal {
    fn seal(&self, text: &str) -> [u8; 16] {
        super::frame::array_at(&digest(&self.seals, text.as_bytes()), 0)
    }
}

fn keyed(key: &[u8; 32]) -> Hmac<Sha256> {
    // A key shorter than a block is filled up with zeros (RFC 2104).
    let mut block = [0; 64];
    for (to, from) in block.iter_mut().zip(key) {
        *to = *from;
    }
    Hmac::new(&block.into())
}

fn digest(key: &Hmac<Sha256>, bytes: &[u8]) -> [u8; 32] {
    key.clone().chain_update(bytes).finalize().into_bytes().into()
}

#[cfg(test)]
mod tests {
    use lawbook_event::Seal;

    use super::{HmacSeal, Secret, digest, keyed};
    use crate::store::hex;

    #[test]
    fn the_digest_is_hmac_sha_256() {
        // RFC 4231, test case 1, its key of 20 bytes filled up with zeros as RFC 2104 has it.
        let mut key = [0; 32];
        key[..20].fill(0x0b);
        let whole = "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7";
        assert_eq!(hex(&digest(&keyed(&key), b"Hi There")), whole);
    }

    #[test]
    fn a_seal_and_the_digest_of_a_text_have_different_keys() {
        let seal = HmacSeal::new(&Secret::from_bytes([1; 32]));
        assert_ne!(seal.seal("x")[..], seal.text_digest(b"x")[..16]);
        assert_ne!(seal.seal("x"), seal.seal("y"));
        assert_eq!(
            format!("{seal:?} {:?}", Secret::from_bytes([1; 32])),
            "HmacSeal(..) Secret(..)"
        );
    }
}
