//! One report of a run.

use std::io;
use std::path::{Path, PathBuf};

use lawbook_diag::Problem;
use lawbook_report::{Closing, Header, Options, Reporter, SessionReport, Written};

use crate::output::{Output, is_stdout, unwritable};

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
    pub fn session(&self, header: &Header, session: &SessionReport<'_>, text: &mut String) {
        if self.reporter.writes(session, self.options) {
            if !text.is_empty() {
                text.push_str(self.reporter.between());
            }
            self.reporter.session(header, session, self.options, text);
        }
    }
}

/// A report that is being written.
pub struct Sheet {
    form: Form,
    place: Option<PathBuf>,
    output: Output,
    written: Written,
    failed: Option<io::Error>,
}

impl Sheet {
    /// A report of which nothing is written. Without a place it goes to standard output.
    ///
    /// # Errors
    /// When nothing can be written there.
    pub fn open(form: Form, place: Option<PathBuf>) -> Result<Self, Problem> {
        let output = Output::open(place.as_deref())?;
        Ok(Sheet { form, place, output, written: Written::default(), failed: None })
    }

    /// Whether somebody may be reading it as it comes.
    pub fn is_for_people(&self) -> bool {
        self.form.reporter.name() == "text" && self.place.as_deref().is_none_or(is_stdout)
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
        let (bound, between) = (self.form.reporter.bound(), self.form.reporter.between());
        let mut written = std::mem::take(&mut self.written);
        for piece in written.take(bound, between, text) {
            self.write(piece);
        }
        self.written = written;
    }

    /// Writes what stands after the sessions and ends the report.
    ///
    /// # Errors
    /// When it could not be written: with the problem to tell, if there is one. A reader that went
    /// away is no news to anybody.
    pub fn end(mut self, header: &Header, closing: &Closing) -> Result<(), Option<Problem>> {
        let closing = Closing { written: std::mem::take(&mut self.written), ..closing.clone() };
        let mut text = String::new();
        self.form.reporter.end(header, &closing, self.form.options, &mut text);
        self.write(&text);
        let Sheet { place, output, failed, .. } = self;
        let ended = failed.map_or_else(|| output.finish(), Err);
        ended.map_err(|error| {
            let gone = error.kind() == io::ErrorKind::BrokenPipe;
            (!gone).then(|| unwritable(place.as_deref().unwrap_or(Path::new("-")), &error))
        })
    }

    fn write(&mut self, text: &str) {
        if self.failed.is_none() {
            self.failed = self.output.write(text).err();
        }
    }
}
