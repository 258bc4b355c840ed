//! Whom a command believes: keys from flags and from a list.

use std::path::PathBuf;

use clap::Args;
use lawbook_diag::Problem;
use lawbook_ledger::tlog::{PublicKey, Trust};

use super::files;

/// The keys that are believed.
#[derive(Debug, Args)]
pub struct TrustedArgs {
    /// A public key of the log, as `NAME+ID+BASE64`; for a log of lineage its 64 hexadecimal digits
    #[arg(long, value_name = "KEY")]
    pub key: Option<String>,
    /// A list of the keys of logs and witnesses (C2SP tlog-policy)
    #[arg(long, value_name = "FILE", conflicts_with = "key")]
    pub keys: Option<PathBuf>,
}

impl TrustedArgs {
    /// The keys; without flags nobody is believed.
    ///
    /// # Errors
    /// When a key or the list can't be read.
    pub fn trust(&self) -> Result<Trust, Problem> {
        if let Some(file) = &self.keys {
            let text = files::text(file)?;
            return Trust::read(&text).map_err(|error| {
                let line = u32::try_from(error.line).unwrap_or(u32::MAX);
                files::problem(file, "bad_keys", error.message).at(line, 1)
            });
        }
        let Some(key) = &self.key else { return Ok(Trust::default()) };
        let key: PublicKey = key.parse().map_err(|error| {
            Problem::new("--key", "bad_key", format!("`{key}` is no public key: {error}"))
                .help("`lawbook ledger key NAME --seed FILE` prints it")
        })?;
        Ok(Trust::of(key))
    }
}
