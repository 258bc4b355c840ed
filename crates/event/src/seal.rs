//! What stands for a text where the text itself must not be kept.

/// Turns texts into digests under a secret, so that two texts can be told to be the same and
/// neither can be read.
///
/// The same text always gives the same digest, and without the secret neither can be found from
/// the other: an implementation is a keyed hash such as HMAC-SHA-256 under a secret of the agent,
/// cut to its first 16 bytes. With the secret gone, digests say nothing more.
///
/// ```
/// use lawbook_event::Seal;
///
/// /// Reads like a seal and hides nothing: for examples alone.
/// struct Lengths;
///
/// impl Seal for Lengths {
///     fn seal(&self, text: &str) -> [u8; 16] {
///         u128::try_from(text.len()).unwrap_or_default().to_be_bytes()
///     }
/// }
/// assert_eq!(Lengths.seal("abc"), Lengths.seal("xyz"));
/// ```
pub trait Seal: Send + Sync {
    /// The digest of a text: 16 bytes.
    fn seal(&self, text: &str) -> [u8; 16];
}
