//! Keys that sign notes: their names, their short ids, and how they are written down.

use base64ct::{Base64, Encoding};
use ed25519_dalek::{Signature, VerifyingKey};
use sha2::{Digest, Sha256};

/// The longest name of a key, in bytes.
pub const KEY_NAME_BYTES_MAX: usize = 255;

/// What a key signs, by the byte that signed-note assigns to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum KeyUse {
    /// 0x01: a log signs the text of a note.
    Log,
    /// 0x04: a witness signs a time and the text of a checkpoint.
    Witness,
}

impl KeyUse {
    fn byte(self) -> u8 {
        match self {
            KeyUse::Log => 1,
            KeyUse::Witness => 4,
        }
    }
}

/// A text that names no key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BadKey(&'static str);

impl std::fmt::Display for BadKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.0)
    }
}

impl std::error::Error for BadKey {}

/// A public key with its name: the `vkey` of signed-note, `NAME+ID+BASE64`.
///
/// ```
/// use lawbook_ledger::tlog::PublicKey;
///
/// let text = "sum.golang.org+033de0ae+Ac4zctda0e5eza+HJyk9SxEdh+s3Ux18htTTAD8OuAn8";
/// let key: PublicKey = text.parse().unwrap();
/// assert_eq!(key.name(), "sum.golang.org");
/// assert_eq!(key.to_string(), text);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicKey {
    name: String,
    id: [u8; 4],
    usage: KeyUse,
    key: VerifyingKey,
}

impl PublicKey {
    /// A key from its 32 bytes.
    ///
    /// # Errors
    /// When the name is empty, too long, or holds a space, a `+` or a control character, or the
    /// bytes are no key of Ed25519, or a weak one.
    pub fn new(name: &str, usage: KeyUse, bytes: &[u8; 32]) -> Result<Self, BadKey> {
        if !is_name(name) {
            return Err(BadKey("the name of a key holds no spaces and no `+`"));
        }
        let key = VerifyingKey::from_bytes(bytes).map_err(|_| BadKey("this is no Ed25519 key"))?;
        if key.is_weak() {
            return Err(BadKey("anybody can sign for this key"));
        }
        Ok(PublicKey { name: name.to_string(), id: key_id(name, usage, bytes), usage, key })
    }

    /// Its name; that of a log's key is the log's origin.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The first four bytes of SHA-256 over name, line feed, use and key.
    #[must_use]
    pub fn id(&self) -> [u8; 4] {
        self.id
    }

    /// What it signs.
    #[must_use]
    pub fn usage(&self) -> KeyUse {
        self.usage
    }

    /// The 32 bytes.
    #[must_use]
    pub fn bytes(&self) -> &[u8; 32] {
        self.key.as_bytes()
    }

    /// Whether `signature` is this key's over `message`, by the strict reading of RFC 8032.
    #[must_use]
    pub fn verifies(&self, message: &[u8], signature: &[u8; 64]) -> bool {
        self.key.verify_strict(message, &Signature::from_bytes(signature)).is_ok()
    }
}

impl std::fmt::Display for PublicKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut bytes = vec![self.usage.byte()];
        bytes.extend_from_slice(self.bytes());
        let id = u32::from_be_bytes(self.id);
        write!(f, "{}+{id:08x}+{}", self.name, Base64::encode_string(&bytes))
    }
}

impl std::str::FromStr for PublicKey {
    type Err = BadKey;

    fn from_str(text: &str) -> Result<Self, BadKey> {
        const SHAPE: BadKey = BadKey("a public key is written `NAME+ID+BASE64`");
        let (name, rest) = text.split_once('+').ok_or(SHAPE)?;
        let (id, key) = rest.split_once('+').ok_or(SHAPE)?;
        let id: [u8; 4] = super::hash::hex_bytes(id).ok_or(SHAPE)?;
        let bytes = Base64::decode_vec(key).map_err(|_| SHAPE)?;
        let (usage, key) = bytes.split_first().ok_or(SHAPE)?;
        let usage = match usage {
            1 => KeyUse::Log,
            4 => KeyUse::Witness,
            _ => return Err(BadKey("the key is of a sort that is not read here")),
        };
        let key = key.try_into().map_err(|_| BadKey("an Ed25519 key has 32 bytes"))?;
        let key = PublicKey::new(name, usage, key)?;
        if key.id != id {
            return Err(BadKey("the id is not that of this name and key"));
        }
        Ok(key)
    }
}

/// Whether a text can name a key or stand as the origin of one of our logs.
#[must_use]
pub fn is_name(name: &str) -> bool {
    let bad = |it: char| it.is_whitespace() || it.is_control() || it == '+';
    !name.is_empty() && name.len() <= KEY_NAME_BYTES_MAX && !name.contains(bad)
}

fn key_id(name: &str, usage: KeyUse, key: &[u8; 32]) -> [u8; 4] {
    let mut sha = Sha256::new();
    sha.update(name.as_bytes());
    sha.update([b'\n', usage.byte()]);
    sha.update(key);
    let [a, b, c, d, ..]: [u8; 32] = sha.finalize().into();
    [a, b, c, d]
}
