//! Who signs: a seed in this process, or whatever else keeps a key.

use ed25519_dalek::{Signer as _, SigningKey};

use super::key::{BadKey, KeyUse, PublicKey};

/// A signer that gave no signature, or a wrong one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignError(String);

impl SignError {
    /// An error that says why.
    #[must_use]
    pub fn new(why: impl Into<String>) -> Self {
        SignError(why.into())
    }
}

impl std::fmt::Display for SignError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for SignError {}

/// Something that signs with one key.
///
/// One key signs one sort of thing: checkpoints, cosignatures, grants and tokens have keys of
/// their own, so that no message of one sort can be shown as another.
pub trait Signer {
    /// The key that its signatures are checked with.
    fn public(&self) -> &PublicKey;

    /// The Ed25519 signature over `message`.
    ///
    /// # Errors
    /// When there is none to be had.
    fn sign(&self, message: &[u8]) -> Result<[u8; 64], SignError>;
}

/// A key whose secret seed is in this process; it is wiped when dropped.
pub struct SeedSigner {
    key: SigningKey,
    public: PublicKey,
}

impl SeedSigner {
    /// A signer from its 32 secret bytes.
    ///
    /// # Errors
    /// When `name` can't name a key.
    pub fn new(name: &str, usage: KeyUse, seed: &[u8; 32]) -> Result<Self, BadKey> {
        let key = SigningKey::from_bytes(seed);
        let public = PublicKey::new(name, usage, key.verifying_key().as_bytes())?;
        Ok(SeedSigner { key, public })
    }
}

impl Signer for SeedSigner {
    fn public(&self) -> &PublicKey {
        &self.public
    }

    fn sign(&self, message: &[u8]) -> Result<[u8; 64], SignError> {
        Ok(self.key.sign(message).to_bytes())
    }
}

impl std::fmt::Debug for SeedSigner {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "SeedSigner({})", self.public)
    }
}

/// Signs, and checks what came back: a signer outside this process may hold another key.
pub(super) fn signed(signer: &dyn Signer, message: &[u8]) -> Result<[u8; 64], SignError> {
    let signature = signer.sign(message)?;
    if signer.public().verifies(message, &signature) {
        Ok(signature)
    } else {
        Err(SignError::new(format!("the signature is not that of `{}`", signer.public())))
    }
}
