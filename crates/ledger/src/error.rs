//! The one error of this crate: a code for programs and a message for people.

use std::fmt;

/// What kind of failure it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Code {
    /// Somebody else has the ledger open.
    Locked,
    /// There is no ledger in this folder.
    Absent,
    /// The folder holds something that is no ledger of this version.
    Foreign,
    /// An entry breaks its form.
    EntryInvalid,
    /// An entry does not continue its agent's chain.
    Chain,
    /// Something is larger than its bound.
    TooLarge,
    /// Too much waits for the disk already.
    Busy,
    /// Something about this agent's record is wrong, and nothing is added to it.
    AgentStopped,
    /// The store accepts nothing until it is opened again.
    Stopped,
    /// An entry or a text is not what was stored.
    Damaged,
    /// It was erased.
    Erased,
    /// There is none with this number or name.
    Missing,
    /// The disk is full.
    DiskFull,
    /// Reading, writing or syncing failed.
    Io,
}

impl Code {
    /// The code as it stands in reports.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Code::Locked => "locked",
            Code::Absent => "absent",
            Code::Foreign => "foreign",
            Code::EntryInvalid => "entry_invalid",
            Code::Chain => "chain",
            Code::TooLarge => "too_large",
            Code::Busy => "busy",
            Code::AgentStopped => "agent_stopped",
            Code::Stopped => "stopped",
            Code::Damaged => "damaged",
            Code::Erased => "erased",
            Code::Missing => "missing",
            Code::DiskFull => "disk_full",
            Code::Io => "io",
        }
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// What went wrong, for a program and for a person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error {
    code: Code,
    message: String,
}

impl Error {
    /// An error with its code; the message is lower case and has no full stop.
    #[must_use]
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Error { code, message: message.into() }
    }

    /// What the system said while we did something to a file.
    #[must_use]
    pub fn io(doing: &str, path: &str, error: &std::io::Error) -> Self {
        let full = matches!(
            error.kind(),
            std::io::ErrorKind::StorageFull | std::io::ErrorKind::QuotaExceeded
        );
        let code = if full { Code::DiskFull } else { Code::Io };
        Error { code, message: format!("can't {doing} `{path}`: {error}") }
    }

    /// What kind of failure it is.
    #[must_use]
    pub fn code(&self) -> Code {
        self.code
    }

    /// What went wrong, in words.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {}
