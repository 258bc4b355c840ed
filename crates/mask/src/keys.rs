//! The few digits that tell masked names apart.

use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest, Sha256};

/// Digits of a digest that stand behind a masked name.
const DIGITS: usize = 8;

/// As faultgate writes it: whoever guesses the name can confirm it.
pub fn plain(raw: &str) -> String {
    hex(&Sha256::digest(raw.as_bytes()))
}

/// Under a secret, so that a guess can't be confirmed without it.
pub fn keyed(secret: &[u8; 32], raw: &str) -> String {
    // A key of any length is accepted, so the other arm is never taken.
    match Hmac::<Sha256>::new_from_slice(secret) {
        Ok(mac) => hex(&mac.chain_update(raw.as_bytes()).finalize().into_bytes()),
        Err(_) => String::new(),
    }
}

fn hex(digest: &[u8]) -> String {
    let digits = digest.iter().flat_map(|it| [it >> 4, it & 15]);
    digits.take(DIGITS).filter_map(|it| char::from_digit(u32::from(it), 16)).collect()
}
