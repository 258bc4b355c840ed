//! Signatures in formats of ours: every message begins with what it is, so that a signature over
//! one sort of thing is none over another.

use super::key::PublicKey;
use super::signer::{SignError, Signer, signed};

/// Signs a message of ours. What is signed is the line `lawbook grant v1` or `lawbook token v1`, by
/// the use of the key, and then the message.
///
/// # Errors
/// When the signer gives no signature, or its key is a log's or a witness's.
///
/// ```
/// use lawbook_ledger::tlog::{KeyUse, SeedSigner, Signer, check_statement, sign_statement};
///
/// let grants = SeedSigner::new("example.com/grants", KeyUse::Grant, &[7; 32]).unwrap();
/// let signature = sign_statement(&grants, b"call 7 may run").unwrap();
/// assert!(check_statement(grants.public(), b"call 7 may run", &signature));
/// ```
pub fn sign_statement(signer: &dyn Signer, message: &[u8]) -> Result<[u8; 64], SignError> {
    let whole = whole(signer.public(), message);
    let whole = whole.ok_or_else(|| SignError::new("this key signs in formats of others alone"))?;
    signed(signer, &whole)
}

/// Whether `signature` is this key's over a message of ours.
#[must_use]
pub fn check_statement(key: &PublicKey, message: &[u8], signature: &[u8; 64]) -> bool {
    whole(key, message).is_some_and(|it| key.verifies(&it, signature))
}

fn whole(key: &PublicKey, message: &[u8]) -> Option<Vec<u8>> {
    Some([key.usage().context()?.as_bytes(), message].concat())
}
