//! Where a report goes: standard output, or a file that is there only once it is whole.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use lawbook_diag::Problem;

/// Where a report goes.
pub enum Output {
    /// Standard output.
    Stdout(io::StdoutLock<'static>),
    /// A file, written beside its place and moved there at the end.
    File(Partial),
}

/// A file that is being written.
pub struct Partial {
    writer: Option<BufWriter<File>>,
    partial: PathBuf,
    place: PathBuf,
}

impl Output {
    /// Standard output, or the file of this name.
    ///
    /// # Errors
    /// When nothing can be written beside the file.
    pub fn open(file: Option<&Path>) -> Result<Self, Problem> {
        let Some(place) = file else { return Ok(Output::Stdout(io::stdout().lock())) };
        let name = place.file_name().unwrap_or_default().to_string_lossy();
        let partial = place.with_file_name(format!(".{name}.{}.partial", std::process::id()));
        let file = File::create(&partial).map_err(|error| unwritable(place, &error))?;
        let writer = Some(BufWriter::new(file));
        Ok(Output::File(Partial { writer, partial, place: place.to_owned() }))
    }

    /// Writes text.
    ///
    /// # Errors
    /// When it can't be written.
    pub fn write(&mut self, text: &str) -> io::Result<()> {
        match self {
            Output::Stdout(out) => out.write_all(text.as_bytes()),
            Output::File(Partial { writer: Some(writer), .. }) => writer.write_all(text.as_bytes()),
            Output::File(_) => Ok(()),
        }
    }

    /// Ends the report: a file moves to its place.
    ///
    /// # Errors
    /// When it can't be written or moved.
    pub fn finish(mut self) -> io::Result<()> {
        match &mut self {
            Output::Stdout(out) => out.flush(),
            Output::File(partial) => {
                if let Some(writer) = partial.writer.take() {
                    writer.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()?;
                    std::fs::rename(&partial.partial, &partial.place)?;
                }
                Ok(())
            }
        }
    }
}

impl Drop for Partial {
    fn drop(&mut self) {
        if self.writer.take().is_some() {
            // The report is not whole; what could be written of it is no use to anybody.
            let _ = std::fs::remove_file(&self.partial);
        }
    }
}

/// The problem of a report that can't be written.
#[must_use]
pub fn unwritable(place: &Path, error: &io::Error) -> Problem {
    Problem::new(place.display().to_string(), "unwritable", format!("it can't be written: {error}"))
        .help("name a file in a folder that is there and that you may write to")
}
