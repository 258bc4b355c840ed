//! What of an agent must be hidden in its record and be found again: keys, and how conversations
//! began.

use chacha20poly1305::aead::{Aead, KeyInit};
use chacha20poly1305::{XChaCha20Poly1305, XNonce};
use lawbook_event::Seal;
use lawbook_ledger::store::{HmacSeal, Secret};

const NONCE_BYTES: usize = 24;

/// The seal of one agent.
#[derive(Clone)]
pub(crate) struct Sealer {
    hashes: HmacSeal,
    cipher: XChaCha20Poly1305,
}

impl Sealer {
    /// The seal under an agent's secret.
    pub fn new(secret: &Secret) -> Self {
        let hashes = HmacSeal::new(secret);
        let cipher = XChaCha20Poly1305::new(&secret.key("lawbook box v1").into());
        Sealer { hashes, cipher }
    }

    /// The digest by which an entry names its texts.
    pub fn text_digest(&self, text: &[u8]) -> [u8; 32] {
        self.hashes.text_digest(text)
    }

    /// Text that only this agent's secret opens; none where no randomness is to be had.
    pub fn shut(&self, text: &[u8]) -> Option<Vec<u8>> {
        let mut nonce = [0; NONCE_BYTES];
        getrandom::fill(&mut nonce).ok()?;
        let shut = self.cipher.encrypt(&XNonce::from(nonce), text).ok()?;
        Some([&nonce[..], &shut].concat())
    }

    /// The text again.
    pub fn open(&self, shut: &[u8]) -> Option<Vec<u8>> {
        let (nonce, shut) = shut.split_at_checked(NONCE_BYTES)?;
        let nonce = <[u8; NONCE_BYTES]>::try_from(nonce).ok()?;
        self.cipher.decrypt(&XNonce::from(nonce), shut).ok()
    }
}

impl Seal for Sealer {
    fn seal(&self, text: &str) -> [u8; 16] {
        self.hashes.seal(text)
    }
}

#[cfg(test)]
mod tests {
    use lawbook_ledger::store::Secret;

    use super::Sealer;

    #[test]
    fn what_was_shut_is_opened_by_its_own_secret_alone() {
        let sealer = Sealer::new(&Secret::from_bytes([1; 32]));
        let shut = sealer.shut(b"C-17").unwrap();
        assert_ne!(shut, sealer.shut(b"C-17").unwrap(), "equal texts must not look alike");
        assert_eq!(sealer.open(&shut).as_deref(), Some(&b"C-17"[..]));
        assert_eq!(Sealer::new(&Secret::from_bytes([2; 32])).open(&shut), None);
        let mut bent = shut.clone();
        bent[30] ^= 1;
        assert_eq!(sealer.open(&bent), None);
        assert_eq!(sealer.open(b"short"), None);
    }
}
