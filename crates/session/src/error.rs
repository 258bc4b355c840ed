//! Why an agent could not be asked, told or looked at.

use std::fmt;

/// An operation that did not happen. Nothing was recorded, unless the code is `not_durable`.
///
/// The codes of misuse are lineage's own: `unknown_action`, `invalid_state`, `already_terminated`,
/// `agent_exists`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    code: &'static str,
    message: String,
    help: Option<String>,
}

impl Error {
    /// An error in words.
    pub(crate) fn new(code: &'static str, message: impl Into<String>) -> Self {
        Error { code, message: message.into(), help: None }
    }

    /// The same with the way out.
    #[must_use]
    pub(crate) fn help(self, help: impl Into<String>) -> Self {
        Error { help: Some(help.into()), ..self }
    }

    /// What sort of error it is, as in `conflict` or `unknown_action`.
    #[must_use]
    pub fn code(&self) -> &'static str {
        self.code
    }

    /// What went wrong.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }

    /// The way out, where there is one.
    #[must_use]
    pub fn way_out(&self) -> Option<&str> {
        self.help.as_deref()
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        match &self.help {
            Some(help) => write!(f, "; {help}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Error {}
