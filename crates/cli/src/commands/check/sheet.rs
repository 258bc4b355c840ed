//! The reports that one run writes: each in its own format, to its own place, from one judgement.

use std::io;
use std::path::PathBuf;

use lawbook_diag::Problem;
use lawbook_report::{Closing, Header, Options, Reporter, SessionReport};

use crate::output::{Output, unwritable};

/// How one report is written.
#[derive(Clone, Copy)]
pub struct Form {
    /// Its format.
    pub reporter: &'static dyn Reporter,
    /// How it is written.
    pub options: Options,
}

impl Form {
    /// Adds what is written of a session to the text of earlier ones.
    pub fn session(&self, session: &SessionReport<'_>, text: &mut String) {
        if self.reporter.writes(session, self.options) {
            if !text.is_empty() {
                text.push_str(self.reporter.between());
            }
            self.reporter.session(session, self.options, text);
        }
    }
}

/// A report that is being written.
pub struct Sheet {
    form: Form,
    place: Option<PathBuf>,
    output: Output,
    /// Whether a session stands in it already.
    wrote: bool,
    failed: Option<io::Error>,
}

impl Sheet {
    /// A report of which nothing is written. Without a place it goes to standard output.
    ///
    /// # Errors
    /// When nothing can be written there.
    pub fn open(form: Form, place: Option<PathBuf>) -> Result<Self, Problem> {
        let output = Output::open(place.as_deref())?;
        Ok(Sheet { form, place, output, wrote: false, failed: None })
    }

    /// Whether a person who reads standard error can't read the same in the report.
    pub fn is_for_machines(&self) -> bool {
        self.form.reporter.name() != "text"
    }

    /// Whether what was written so far could be written.
    pub fn holds(&self) -> bool {
        self.failed.is_none()
    }

    /// Writes what stands before the sessions.
    pub fn begin(&mut self, header: &Header) {
        let mut text = String::new();
        self.form.reporter.begin(header, self.form.options, &mut text);
        self.write(&text);
    }

    /// Writes some sessions; nothing if there is no text of them.
    pub fn sessions(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        if self.wrote {
            self.write(self.form.reporter.between());
        }
        self.wrote = true;
        self.write(text);
    }

    /// Writes what stands after the sessions.
    pub fn end(&mut self, header: &Header, closing: &Closing) {
        let mut text = String::new();
        self.form.reporter.end(header, closing, self.form.options, &mut text);
        self.write(&text);
    }

    /// Ends the report. A reader that went away is no news to anybody.
    ///
    /// # Errors
    /// With the problem to tell, if there is one to tell, when it could not be written.
    pub fn finish(self) -> Result<(), Option<Problem>> {
        let Sheet { place, output, failed, .. } = self;
        let error = match failed {
            Some(error) => error,
            None => match output.finish() {
                Ok(()) => return Ok(()),
                Err(error) => error,
            },
        };
        let gone = error.kind() == io::ErrorKind::BrokenPipe;
        let place = place.unwrap_or_else(|| "-".into());
        Err((!gone).then(|| unwritable(&place, &error)))
    }

    fn write(&mut self, text: &str) {
        if self.failed.is_none()
            && let Err(error) = self.output.write(text)
        {
            self.failed = Some(error);
        }
    }
}
