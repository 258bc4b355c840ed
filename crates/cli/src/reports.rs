//! The reports that one run writes: each in its own format, to its own place, from one judgement.

mod audit;
mod flags;
mod sheet;

use lawbook_diag::Problem;
use lawbook_report::{Closing, Header};

pub use audit::{Audit, Kept, again};
pub use flags::ReportArgs;
pub use sheet::Form;

use crate::exit::Exit;
use sheet::Sheet;

/// The reports of a run, the main one first and those of an audit last.
pub struct Reports {
    sheets: Vec<Sheet>,
    audit: Option<Audit>,
}

impl Reports {
    /// Reports of which nothing is written.
    pub(crate) fn new(sheets: Vec<Sheet>, audit: Option<Audit>) -> Self {
        Reports { sheets, audit }
    }

    /// Whether a person who reads standard error can't read the same in a report.
    pub fn are_for_machines(&self) -> bool {
        !self.sheets.iter().any(Sheet::is_for_people)
    }

    /// Whether what was written so far could be written.
    pub fn hold(&self) -> bool {
        self.sheets.iter().all(Sheet::holds)
    }

    /// Writes what stands before the sessions.
    pub fn begin(&mut self, header: &Header) {
        self.sheets.iter_mut().for_each(|it| it.begin(header));
    }

    /// Writes sessions: their text in each form.
    pub fn sessions(&mut self, texts: &[String]) {
        for (sheet, text) in self.sheets.iter_mut().zip(texts) {
            sheet.sessions(text);
        }
    }

    /// Writes what stands after the sessions and ends every report.
    ///
    /// # Errors
    /// When a report can't be written: with what is to be told of it, which is nothing where a
    /// reader went away.
    pub fn end(self, header: &Header, closing: &Closing, exit: Exit) -> Result<(), Vec<Problem>> {
        let failed: Vec<Option<Problem>> =
            self.sheets.into_iter().filter_map(|it| it.end(header, closing).err()).collect();
        if !failed.is_empty() {
            return Err(failed.into_iter().flatten().collect());
        }
        self.audit.map_or(Ok(()), |it| it.end(exit).map_err(|it| vec![it]))
    }
}
