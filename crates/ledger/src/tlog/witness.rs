//! The witness: it remembers the newest checkpoint of each log, and signs only what grows out of
//! it (C2SP tlog-witness).

use std::collections::BTreeMap;

use super::checkpoint::{Checkpoint, CheckpointError, number};
use super::hash::{EMPTY_ROOT, Hash};
use super::key::PublicKey;
use super::note::{NOTE_BYTES_MAX, Note};
use super::proof::check_consistency;
use super::signer::Signer;

/// The most hashes of a consistency proof in a request.
pub const WITNESS_PROOF_MAX: usize = 63;

/// The largest request that is read, in bytes.
pub const WITNESS_REQUEST_BYTES_MAX: usize = NOTE_BYTES_MAX;

/// What a witness remembers of a log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Head {
    /// How many entries it had.
    pub size: u64,
    /// The root of their tree.
    pub root: Hash,
}

impl Head {
    /// What is remembered of a log that was never seen.
    pub const NONE: Head = Head { size: 0, root: EMPTY_ROOT };
}

/// A memory that could not be read or written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeadsError(pub String);

impl std::fmt::Display for HeadsError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for HeadsError {}

/// Where a witness remembers heads.
pub trait Heads {
    /// The newest head of a log; [`Head::NONE`] if it was never seen.
    ///
    /// # Errors
    /// When the memory can't be read.
    fn newest(&self, origin: &str) -> Result<Head, HeadsError>;

    /// Replaces `old` by `new`, so that it lasts. False, and nothing is written, if the newest
    /// head is not `old` any more.
    ///
    /// # Errors
    /// When the memory can't be written; then nothing may be signed.
    fn advance(&mut self, origin: &str, old: Head, new: Head) -> Result<bool, HeadsError>;
}

/// Heads in memory, which last as long as the process.
#[derive(Clone, Debug, Default)]
pub struct HeadsInMemory(BTreeMap<String, Head>);

impl Heads for HeadsInMemory {
    fn newest(&self, origin: &str) -> Result<Head, HeadsError> {
        Ok(self.0.get(origin).copied().unwrap_or(Head::NONE))
    }

    fn advance(&mut self, origin: &str, old: Head, new: Head) -> Result<bool, HeadsError> {
        if self.newest(origin)? != old {
            return Ok(false);
        }
        self.0.insert(origin.to_string(), new);
        Ok(true)
    }
}

/// What a witness answers, with the status code of HTTP that says so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// 200: signature lines for the checkpoint.
    Cosigned(String),
    /// 400: the request can't be read, or the old size is beyond the new one.
    Bad(&'static str),
    /// 403: no known key of the log has signed.
    Unsigned,
    /// 404: the log is not one that it watches.
    Unknown,
    /// 409: the old size is not the newest that it has seen, which is this one; or the size is
    /// the same and the root another.
    Conflict(u64),
    /// 422: the proof does not show that the log has only grown.
    Unproved,
    /// 500: the memory or the signer failed; nothing was signed.
    Failed(String),
}

impl Answer {
    /// The status code.
    #[must_use]
    pub fn status(&self) -> u16 {
        match self {
            Answer::Cosigned(_) => 200,
            Answer::Bad(_) => 400,
            Answer::Unsigned => 403,
            Answer::Unknown => 404,
            Answer::Conflict(_) => 409,
            Answer::Unproved => 422,
            Answer::Failed(_) => 500,
        }
    }

    /// The type of the body.
    #[must_use]
    pub fn content_type(&self) -> &'static str {
        match self {
            Answer::Conflict(_) => "text/x.tlog.size",
            _ => "text/plain; charset=utf-8",
        }
    }

    /// The body.
    #[must_use]
    pub fn body(&self) -> String {
        match self {
            Answer::Cosigned(lines) => lines.clone(),
            Answer::Bad(why) => format!("{why}\n"),
            Answer::Unsigned => "no known key of the log has signed\n".to_string(),
            Answer::Unknown => "this log is not watched\n".to_string(),
            Answer::Conflict(size) => format!("{size}\n"),
            Answer::Unproved => "the proof does not hold\n".to_string(),
            Answer::Failed(why) => format!("{why}\n"),
        }
    }
}

/// A request to a witness: from which size on, what shows it, and the checkpoint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WitnessRequest {
    /// The size of the newest checkpoint that the witness has signed.
    pub old: u64,
    /// The consistency proof from there on.
    pub proof: Vec<Hash>,
    /// The checkpoint, signed by its log.
    pub note: Note,
}

impl WitnessRequest {
    /// Reads the body of `add-checkpoint`.
    #[must_use]
    pub fn read(body: &str) -> Option<Self> {
        if body.len() > WITNESS_REQUEST_BYTES_MAX {
            return None;
        }
        let (head, note) = body.split_once("\n\n")?;
        let mut lines = head.split('\n');
        let old = number(lines.next()?.strip_prefix("old ")?)?;
        let mut proof = Vec::new();
        for line in lines {
            if proof.len() == WITNESS_PROOF_MAX {
                return None;
            }
            proof.push(Hash::from_base64(line)?);
        }
        Some(WitnessRequest { old, proof, note: Note::read(note).ok()? })
    }
}

/// The body of the request.
impl std::fmt::Display for WitnessRequest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        writeln!(f, "old {}", self.old)?;
        self.proof.iter().try_for_each(|it| writeln!(f, "{}", it.to_base64()))?;
        write!(f, "\n{}", self.note)
    }
}

/// A witness: the keys of the logs that it watches, and its own.
pub struct Witness<'s> {
    logs: Vec<PublicKey>,
    signer: &'s dyn Signer,
}

impl<'s> Witness<'s> {
    /// A witness of the logs of these keys. A log may have several keys of its name.
    #[must_use]
    pub fn new(logs: Vec<PublicKey>, signer: &'s dyn Signer) -> Self {
        Witness { logs, signer }
    }

    /// Answers `add-checkpoint`, at a time in seconds since 1970. What it has signed it has
    /// remembered before.
    pub fn add_checkpoint(&self, heads: &mut dyn Heads, body: &str, now_secs: u64) -> Answer {
        match WitnessRequest::read(body) {
            Some(request) => self.add(heads, request, now_secs).unwrap_or_else(|it| it),
            None => Answer::Bad("this is no request to a witness"),
        }
    }

    fn add(
        &self,
        heads: &mut dyn Heads,
        mut request: WitnessRequest,
        now_secs: u64,
    ) -> Result<Answer, Answer> {
        let bad = |_| Answer::Bad("the note is no checkpoint");
        let checkpoint = Checkpoint::of(&request.note).map_err(bad)?;
        if !self.logs.iter().any(|it| it.name() == checkpoint.origin) {
            return Err(Answer::Unknown);
        }
        checkpoint.check(&request.note, &self.logs).map_err(|error| match error {
            CheckpointError::Unsigned | CheckpointError::Forged(_) => Answer::Unsigned,
            _ => Answer::Bad("the note is no checkpoint"),
        })?;
        if request.old > checkpoint.size {
            return Err(Answer::Bad("the old size is beyond the checkpoint"));
        }
        let failed = |it: HeadsError| Answer::Failed(it.0);
        let newest = heads.newest(&checkpoint.origin).map_err(failed)?;
        let new = Head { size: checkpoint.size, root: checkpoint.root };
        if newest.size != request.old || (newest.size == new.size && newest.root != new.root) {
            return Err(Answer::Conflict(newest.size));
        }
        check_consistency(newest.size, new.size, &request.proof, newest.root, new.root)
            .map_err(|_| Answer::Unproved)?;
        // Whoever else has advanced in between has won: going back is what must never happen.
        if !heads.advance(&checkpoint.origin, newest, new).map_err(failed)? {
            let now = heads.newest(&checkpoint.origin).map_err(failed)?;
            return Err(Answer::Conflict(now.size));
        }
        let cosigned = request.note.cosign(self.signer, now_secs);
        cosigned.map_err(|it| Answer::Failed(it.to_string()))?;
        Ok(Answer::Cosigned(request.note.lines(|it| it.is_of(self.signer.public()))))
    }
}
