//! What a person's yes is bound to, and when two requests are the same one.

use lawbook_event::Time;
use lawbook_ledger::store::hex;
use sha2::{Digest, Sha256};

use crate::Error;

/// The scheme of the digest that approvals carry. A digest of another scheme is refused by name.
pub const BINDING_SCHEME: &str = "v1";

/// All that a yes covers. Whoever says it has seen exactly this.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bound<'a> {
    pub agent: &'a str,
    pub action: u64,
    pub server: Option<&'a str>,
    pub tool: &'a str,
    /// The arguments, byte for byte.
    pub args: &'a str,
    pub cost: u64,
    pub expires: Option<Time>,
}

impl Bound<'_> {
    /// The digest that an approval must name: the scheme, a colon and 64 hexadecimal digits.
    ///
    /// Each part stands behind its length, so that no two requests read as one.
    pub fn digest(&self) -> String {
        let mut hash = Sha256::new();
        hash.update(b"lawbook-approval-v1\n");
        let action = self.action.to_string();
        let cost = self.cost.to_string();
        let expires = self.expires.map(|it| it.nanos.to_string());
        for part in [
            Some(self.agent),
            Some(&action),
            self.server,
            Some(self.tool),
            Some(self.args),
            Some(&cost),
            expires.as_deref(),
        ] {
            match part {
                Some(part) => {
                    hash.update(u64::try_from(part.len()).unwrap_or(u64::MAX).to_be_bytes());
                    hash.update(part.as_bytes());
                }
                None => hash.update([0xff; 8]),
            }
        }
        format!("{BINDING_SCHEME}:{}", hex(&hash.finalize()))
    }

    /// Whether a digest that somebody saw is this one.
    pub fn matches(&self, seen: &str) -> Result<(), Error> {
        match seen.split_once(':') {
            Some((scheme, _)) if scheme != BINDING_SCHEME => Err(Error::new(
                "other_scheme",
                format!("the digest is of the scheme `{}`", short(scheme)),
            )
            .help("look at the request again and approve what is shown now")),
            _ if seen == self.digest() => Ok(()),
            _ => Err(Error::new("other_request", "what was approved is not what waits")
                .help("look at the request again and approve what is shown now")),
        }
    }
}

fn short(text: &str) -> String {
    text.chars().take(16).collect()
}

#[cfg(test)]
mod tests {
    use lawbook_event::Time;

    use super::Bound;

    const BOUND: Bound<'static> = Bound {
        agent: "desk-1",
        action: 4,
        server: None,
        tool: "wire",
        args: r#"{"to": "DE1", "amount": 10}"#,
        cost: 1,
        expires: None,
    };

    #[test]
    fn every_part_is_bound_and_no_two_requests_read_as_one() {
        let others = [
            Bound { agent: "desk-14", ..BOUND },
            Bound { action: 41, ..BOUND },
            Bound { server: Some(""), ..BOUND },
            Bound { server: Some("wire"), tool: "", ..BOUND },
            Bound { tool: "wire ", ..BOUND },
            Bound { args: r#"{"to": "DE1", "amount":  10}"#, ..BOUND },
            Bound { cost: 2, ..BOUND },
            Bound { expires: Some(Time { nanos: 0 }), ..BOUND },
        ];
        for (place, other) in others.iter().enumerate() {
            assert_ne!(other.digest(), BOUND.digest(), "{place}");
            assert_eq!(other.matches(&BOUND.digest()).unwrap_err().code(), "other_request");
        }
        assert!(BOUND.matches(&BOUND.digest()).is_ok());
    }

    #[test]
    fn a_digest_of_another_scheme_is_refused_by_name() {
        let error = BOUND.matches("v0:00ff").unwrap_err();
        assert_eq!(error.code(), "other_scheme");
        assert!(error.to_string().contains("`v0`"));
        assert_eq!(BOUND.matches("rubbish").unwrap_err().code(), "other_request");
    }
}
