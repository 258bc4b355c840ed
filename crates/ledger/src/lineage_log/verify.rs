//! Verifying a log line by line, in memory that does not grow with it.

use super::record::Record;
use crate::tlog::{Hash, KeyUse, PublicKey, hex_bytes};

/// What is wrong with a line, or with the log as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The log holds nothing.
    Empty,
    /// The line is longer than a line may be.
    TooLong,
    /// The line is no JSON, or nested too deeply.
    NotJson,
    /// The line is not exactly the eight members, each once and of its sort.
    Shape,
    /// The first record is no genesis that names the log and a key.
    NoGenesis,
    /// A genesis stands where none may.
    GenesisAgain,
    /// The log declares another key than the one that is trusted.
    OtherKey,
    /// The log says that it is another agent's.
    OtherLog,
    /// The number is not the next one.
    Seq,
    /// The hash of the record before is another one.
    PrevHash,
    /// The hash is not that of what the line says.
    Hash,
    /// The signature is not the declared key's.
    Signature,
    /// A record that was there at an earlier time is missing.
    Truncated,
    /// A record is another one than at an earlier time.
    Rewritten,
}

impl Fault {
    /// The fault as one word, for programs.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Fault::Empty => "empty",
            Fault::TooLong => "too_long",
            Fault::NotJson => "not_json",
            Fault::Shape => "shape",
            Fault::NoGenesis => "no_genesis",
            Fault::GenesisAgain => "genesis_again",
            Fault::OtherKey => "other_key",
            Fault::OtherLog => "other_log",
            Fault::Seq => "seq",
            Fault::PrevHash => "prev_hash",
            Fault::Hash => "hash",
            Fault::Signature => "signature",
            Fault::Truncated => "truncated",
            Fault::Rewritten => "rewritten",
        }
    }
}

impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Fault::Empty => "the log holds no record",
            Fault::TooLong => "the line is too long",
            Fault::NotJson => "the line is no JSON",
            Fault::Shape => "the line is not the eight members of a record, each once",
            Fault::NoGenesis => "the first record is no genesis that names its log and key",
            Fault::GenesisAgain => "a second genesis",
            Fault::OtherKey => "the log declares another key than the trusted one",
            Fault::OtherLog => "the log says that it is another agent's",
            Fault::Seq => "the number is not the next one",
            Fault::PrevHash => "the record does not follow the one before",
            Fault::Hash => "the hash is not that of the record",
            Fault::Signature => "the signature is not that of the declared key",
            Fault::Truncated => "the log is shorter than it was",
            Fault::Rewritten => "the record is another one than it was",
        })
    }
}

/// A record that was seen: its number and hash, `SEQ:HASH` in text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Head {
    /// The number of the record, from 0.
    pub seq: u64,
    /// Its hash.
    pub hash: Hash,
}

impl std::fmt::Display for Head {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}", self.seq, self.hash)
    }
}

impl std::str::FromStr for Head {
    type Err = Fault;

    fn from_str(text: &str) -> Result<Self, Fault> {
        let (seq, hash) = text.split_once(':').ok_or(Fault::Shape)?;
        let seq = crate::tlog::number(seq).ok_or(Fault::Shape)?;
        Ok(Head { seq, hash: Hash::from_hex(hash).ok_or(Fault::Shape)? })
    }
}

/// What is known of a log from elsewhere.
#[derive(Clone, Debug, Default)]
pub struct Expected {
    /// The key of the guard, 32 bytes.
    pub key: Option<[u8; 32]>,
    /// Whose log it is.
    pub log_id: Option<String>,
    /// A record that was in it at an earlier time.
    pub head: Option<Head>,
}

/// What is wrong, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The line, from 1; 0 for an empty log.
    pub line: u64,
    /// What.
    pub fault: Fault,
}

/// What was verified.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// How many records hold.
    pub records: u64,
    /// Whose log it says it is.
    pub log_id: Option<String>,
    /// The key that it declares, in hexadecimal.
    pub public_key: Option<String>,
    /// Whether that key is one that was trusted before; if not, the log only vouches for itself.
    pub key_trusted: bool,
    /// Whether an earlier record was compared; if not, a cut tail or a restored backup shows
    /// nowhere.
    pub head_compared: bool,
    /// The last record that holds.
    pub head: Option<Head>,
    /// The first line whose time lies before that of the line above it. Times are signed, but
    /// whoever holds the key chooses them.
    pub time_goes_back: Option<u64>,
    /// The first thing that is wrong.
    pub failure: Option<Failure>,
}

/// Verifies one log, given line by line.
#[derive(Debug)]
pub struct Verifier {
    expected: Expected,
    key: Option<PublicKey>,
    last_time: String,
    report: Report,
}

impl Verifier {
    /// A verifier that has read nothing.
    #[must_use]
    pub fn new(expected: Expected) -> Self {
        let report = Report::default();
        Verifier { expected, key: None, last_time: String::new(), report }
    }

    /// Takes the next line, without its end. Nothing is read any more after a failure.
    ///
    /// # Errors
    /// What is wrong with it, the first time.
    pub fn line(&mut self, line: &[u8]) -> Result<Option<Record>, Failure> {
        if self.report.failure.is_some() {
            return Ok(None);
        }
        let number = self.report.records.saturating_add(1);
        match Record::read(line).and_then(|it| self.record(it, number)) {
            Ok(record) => Ok(Some(record)),
            Err(fault) => {
                let failure = Failure { line: number, fault };
                self.report.failure = Some(failure);
                Err(failure)
            }
        }
    }

    fn record(&mut self, record: Record, number: u64) -> Result<Record, Fault> {
        match (self.report.head, record.kind == "genesis") {
            (None, true) => self.genesis(&record)?,
            (None, false) => return Err(Fault::NoGenesis),
            (Some(_), true) => return Err(Fault::GenesisAgain),
            (Some(_), false) => {}
        }
        if record.seq != self.report.records {
            return Err(Fault::Seq);
        }
        let before = self.report.head.map_or(Hash([0; 32]), |it| it.hash);
        if record.prev_hash != before {
            return Err(Fault::PrevHash);
        }
        if record.hash != record.computed {
            return Err(Fault::Hash);
        }
        let signed = |key: &PublicKey| key.verifies(&record.hash.0, &record.signature);
        if !self.key.as_ref().is_some_and(signed) {
            return Err(Fault::Signature);
        }
        let head = Head { seq: record.seq, hash: record.hash };
        if let Some(earlier) = self.expected.head.filter(|it| it.seq == head.seq) {
            if earlier.hash != head.hash {
                return Err(Fault::Rewritten);
            }
            self.report.head_compared = true;
        }
        if record.timestamp < self.last_time && self.report.time_goes_back.is_none() {
            self.report.time_goes_back = Some(number);
        }
        self.last_time.clone_from(&record.timestamp);
        self.report.head = Some(head);
        self.report.records = number;
        Ok(record)
    }

    fn genesis(&mut self, record: &Record) -> Result<(), Fault> {
        let (log_id, key) = record.declared.clone().ok_or(Fault::NoGenesis)?;
        let bytes: [u8; 32] = hex_bytes(&key).ok_or(Fault::NoGenesis)?;
        if self.expected.key.is_some_and(|it| it != bytes) {
            return Err(Fault::OtherKey);
        }
        if self.expected.log_id.as_ref().is_some_and(|it| *it != log_id) {
            return Err(Fault::OtherLog);
        }
        let public = PublicKey::new("lineage", KeyUse::Log, &bytes);
        self.key = Some(public.map_err(|_| Fault::NoGenesis)?);
        self.report.key_trusted = self.expected.key.is_some();
        self.report.log_id = Some(log_id);
        self.report.public_key = Some(key);
        Ok(())
    }

    /// What was verified, when there are no more lines.
    #[must_use]
    pub fn finish(mut self) -> Report {
        let fault = match (self.report.head, self.expected.head) {
            (None, _) => Some(Fault::Empty),
            (Some(_), Some(_)) if !self.report.head_compared => Some(Fault::Truncated),
            _ => None,
        };
        if let (None, Some(fault)) = (self.report.failure, fault) {
            self.report.failure = Some(Failure { line: self.report.records, fault });
        }
        self.report
    }
}

/// Verifies the bytes of a whole log.
#[must_use]
pub fn verify(log: &[u8], expected: Expected) -> Report {
    let mut verifier = Verifier::new(expected);
    let whole = log.strip_suffix(b"\n").unwrap_or(log);
    if !log.is_empty() {
        for line in whole.split(|it| *it == b'\n') {
            if verifier.line(line).is_err() {
                break;
            }
        }
    }
    verifier.finish()
}
