//! Grants: a signed, single-use permission that a backend redeems before it runs an action.
//!
//! A grant is two parts of base64url with a dot between: a JSON text and an Ed25519 signature over
//! `lawbook-grant-v1`, a line feed and that text. The backend runs what stands in the grant, never
//! what came beside it.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD as BASE64;
use lawbook_event::Time;
use serde::{Deserialize, Serialize};

use crate::Error;

/// How long a grant may be, in bytes; arguments beyond it are not granted but run by their host.
pub const GRANT_BYTES_MAX: usize = 262_144;

/// What stands before the text under the signature, so that no other signature reads as a grant.
const CONTEXT: &[u8] = b"lawbook-grant-v1\n";

/// What a backend may run, once.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Grant {
    /// The agent that asked.
    pub agent: String,
    /// The action, as in `act-4`.
    pub action: String,
    /// The server that offers the tool, where the request named one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub server: Option<String>,
    /// The tool.
    pub tool: String,
    /// The arguments, byte for byte as they were judged.
    pub args: String,
    /// The backend that it is for.
    pub audience: String,
    /// When it ends, in seconds since 1970, UTC.
    pub expires_unix_secs: i64,
    /// The leaf hash of the entry that allows it.
    pub entry: String,
}

/// Signs grants. The key is no other key of the server: neither of checkpoints nor of tokens.
pub trait GrantKey: Send + Sync {
    /// The signature over these bytes.
    ///
    /// # Errors
    /// When the key can't be reached.
    fn sign(&self, bytes: &[u8]) -> Result<[u8; 64], Error>;

    /// Whether a signature over these bytes is this key's.
    fn verify(&self, bytes: &[u8], signature: &[u8; 64]) -> bool;
}

impl Grant {
    /// The grant as text.
    pub(crate) fn sealed(&self, key: &dyn GrantKey) -> Result<String, Error> {
        let text = serde_json::to_vec(self);
        let text = text.map_err(|it| Error::new("unwritable", it.to_string()))?;
        if text.len() > GRANT_BYTES_MAX {
            let message = format!("the grant would be longer than {GRANT_BYTES_MAX} bytes");
            return Err(Error::new("too_large", message));
        }
        let signature = key.sign(&[CONTEXT, &text].concat())?;
        Ok(format!("{}.{}", BASE64.encode(text), BASE64.encode(signature)))
    }

    /// The grant that a text is, signed by the key, for this audience and not over yet.
    pub(crate) fn opened(
        sealed: &str,
        key: &dyn GrantKey,
        audience: &str,
        now: Time,
    ) -> Result<Self, Error> {
        let forged = || Error::new("bad_grant", "the grant is not of this server");
        if sealed.len() > GRANT_BYTES_MAX.saturating_mul(2) {
            return Err(forged());
        }
        let (text, signature) = sealed.split_once('.').ok_or_else(forged)?;
        let text = BASE64.decode(text).map_err(|_| forged())?;
        let signature = BASE64.decode(signature).map_err(|_| forged())?;
        let signature = <[u8; 64]>::try_from(signature).map_err(|_| forged())?;
        if !key.verify(&[CONTEXT, &text].concat(), &signature) {
            return Err(forged());
        }
        let grant: Grant = serde_json::from_slice(&text).map_err(|_| forged())?;
        if grant.audience != audience {
            let message = format!("the grant is for `{}`", grant.audience);
            return Err(Error::new("other_audience", message));
        }
        let now_unix_secs = now.nanos.div_euclid(1_000_000_000);
        if grant.expires_unix_secs <= now_unix_secs {
            let late = now_unix_secs.saturating_sub(grant.expires_unix_secs);
            return Err(Error::new("expired", format!("the grant ended {late} s ago"))
                .help("ask for the action again"));
        }
        Ok(grant)
    }
}
