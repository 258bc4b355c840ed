//! With which key a command signs: a file with a seed, or a program that keeps the key.

use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use clap::Args;
use lawbook_diag::Problem;
use lawbook_ledger::tlog::{Hash, KeyUse, PublicKey, SeedSigner, SignError, Signer};

use super::files;

/// The most bytes that a program may answer with; a signature has 64.
pub const SIGNER_BYTES_MAX: usize = 64;

/// Which key signs.
#[derive(Debug, Args)]
#[group(required = true, multiple = true)]
pub struct SigningArgs {
    /// A file with the 32 secret bytes of a key, as `lawbook ledger key` writes it
    #[arg(long, value_name = "FILE", conflicts_with = "signer")]
    pub seed: Option<PathBuf>,
    /// A program that signs: it gets the bytes on standard input and writes the 64 bytes of an
    /// Ed25519 signature to standard output. Words are parted at spaces
    #[arg(long, value_name = "COMMAND", requires = "signer_key")]
    pub signer: Option<String>,
    /// The public key that the program signs with, as `NAME+ID+BASE64`
    #[arg(long, value_name = "KEY", requires = "signer")]
    pub signer_key: Option<PublicKey>,
}

impl SigningArgs {
    /// The signer, for a key of this name where a seed has none of its own.
    ///
    /// # Errors
    /// When the seed can't be read, or the name can't name a key.
    pub fn signer(
        &self,
        name: &str,
        usage: KeyUse,
    ) -> Result<Box<dyn Signer + Send + Sync>, Problem> {
        if let (Some(command), Some(key)) = (&self.signer, &self.signer_key) {
            if key.usage() != usage || key.name() != name {
                let message = format!("`{key}` is not the key of `{name}` for this use");
                return Err(Problem::new("--signer-key", "wrong_key", message));
            }
            return Ok(Box::new(Program { command: command.clone(), public: key.clone() }));
        }
        match &self.seed {
            Some(file) => {
                seeded(file, name, usage).map(|it| Box::new(it) as Box<dyn Signer + Send + Sync>)
            }
            None => Err(Problem::new("--seed", "no_key", "there is no key to sign with")
                .help("give `--seed FILE`, or `--signer COMMAND` with `--signer-key KEY`")),
        }
    }
}

/// The signer of a seed in a file.
///
/// # Errors
/// When the file holds no seed, or the name can't name a key.
pub fn seeded(file: &Path, name: &str, usage: KeyUse) -> Result<SeedSigner, Problem> {
    let text = files::text(file)?;
    let Some(Hash(seed)) = Hash::from_hex(text.trim_ascii()) else {
        return Err(files::problem(file, "no_seed", "this is no seed of 64 hexadecimal digits")
            .help("make one with `lawbook ledger key NAME --seed FILE`"));
    };
    SeedSigner::new(name, usage, &seed).map_err(|error| bad_name(name, &error.to_string()))
}

/// A name that can't name a key.
pub fn bad_name(name: &str, why: &str) -> Problem {
    Problem::new("NAME", "bad_name", format!("`{name}` names no key: {why}"))
}

/// A program that signs.
struct Program {
    command: String,
    public: PublicKey,
}

impl Signer for Program {
    fn public(&self) -> &PublicKey {
        &self.public
    }

    fn sign(&self, message: &[u8]) -> Result<[u8; 64], SignError> {
        let failed = |why: String| SignError::new(format!("`{}` {why}", self.command));
        let mut words = self.command.split_whitespace();
        let program = words.next().ok_or_else(|| failed("names no program".to_string()))?;
        let mut child = Command::new(program)
            .args(words)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| failed(format!("can't be started: {error}")))?;
        // A checkpoint is smaller than any pipe, so writing it first can't block for ever.
        if let Some(mut stdin) = child.stdin.take() {
            stdin.write_all(message).map_err(|error| failed(format!("reads nothing: {error}")))?;
        }
        let mut answer = Vec::new();
        if let Some(stdout) = child.stdout.take() {
            let bound = (SIGNER_BYTES_MAX as u64).saturating_add(1);
            let read = stdout.take(bound).read_to_end(&mut answer);
            read.map_err(|error| failed(format!("answers nothing: {error}")))?;
        }
        let status = child.wait().map_err(|error| failed(error.to_string()))?;
        if !status.success() {
            return Err(failed(format!("ended with {status}")));
        }
        let count = answer.len();
        answer.try_into().map_err(|_| failed(format!("answered {count} bytes, and not 64")))
    }
}
