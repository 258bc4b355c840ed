//! Where a report goes: standard output, or a file that changes only once the report is whole.

use std::ffi::OsString;
use std::fs::{File, Metadata, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use lawbook_diag::Problem;

/// Symbolic links that are followed one after another.
const LINKS_MAX: usize = 40;

/// Where a report goes.
pub enum Output {
    /// Standard output.
    Stdout(io::StdoutLock<'static>),
    /// What is no regular file, as a device or a pipe: it can't be replaced, so it is written as
    /// the report comes.
    Direct(BufWriter<File>),
    /// A file, written beside its place and moved there at the end.
    File(Partial),
}

/// A file that is being written.
pub struct Partial {
    writer: Option<BufWriter<File>>,
    partial: PathBuf,
    place: PathBuf,
    moved: bool,
}

impl Output {
    /// Standard output, or the file of this name; `-` is standard output too.
    ///
    /// # Errors
    /// When nothing can be written there.
    pub fn open(file: Option<&Path>) -> Result<Self, Problem> {
        match file {
            None => Ok(Output::Stdout(io::stdout().lock())),
            Some(file) if is_stdout(file) => Ok(Output::Stdout(io::stdout().lock())),
            Some(file) => opened(file).map_err(|error| unwritable(file, &error)),
        }
    }

    /// Writes text.
    ///
    /// # Errors
    /// When it can't be written.
    pub fn write(&mut self, text: &str) -> io::Result<()> {
        match self {
            Output::Stdout(out) => out.write_all(text.as_bytes()),
            Output::Direct(writer) => writer.write_all(text.as_bytes()),
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
            Output::Direct(writer) => writer.flush(),
            Output::File(partial) => partial.finish(),
        }
    }
}

/// Writes a whole file; it changes only once all of it is there.
///
/// # Errors
/// When it can't be written.
pub fn replace(file: &Path, text: &str) -> Result<(), Problem> {
    let mut output = Output::open(Some(file))?;
    output.write(text).and_then(|()| output.finish()).map_err(|error| unwritable(file, &error))
}

/// Whether the word for an output means standard output.
#[must_use]
pub fn is_stdout(file: &Path) -> bool {
    file == Path::new("-") || file == Path::new("/dev/stdout")
}

fn opened(file: &Path) -> io::Result<Output> {
    let there = match std::fs::metadata(file) {
        Ok(there) => Some(there),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(error),
    };
    if there.is_some() {
        // A folder, or a file that its owner protects, is refused here and not replaced.
        let writable = OpenOptions::new().write(true).open(file)?;
        if !there.as_ref().is_some_and(Metadata::is_file) {
            return Ok(Output::Direct(BufWriter::new(writable)));
        }
    }
    Partial::beside(target(file)?, there.as_ref()).map(Output::File)
}

/// The file that is meant, behind all symbolic links, whether it is there or not.
fn target(file: &Path) -> io::Result<PathBuf> {
    let mut place = file.to_owned();
    for _ in 0..LINKS_MAX {
        match std::fs::read_link(&place) {
            // A link is read from the folder that it stands in.
            Ok(next) => place = place.parent().unwrap_or(Path::new("")).join(next),
            Err(_) => return Ok(place),
        }
    }
    Err(io::Error::other("too many symbolic links"))
}

impl Partial {
    /// A new file beside its place, with the mode of the one that it will replace.
    fn beside(place: PathBuf, there: Option<&Metadata>) -> io::Result<Self> {
        let mut name = OsString::from(".");
        name.push(place.file_name().unwrap_or_default());
        name.push(format!(".{}.partial", std::process::id()));
        let partial = place.with_file_name(name);
        let file = OpenOptions::new().write(true).create_new(true).open(&partial)?;
        let made = Partial { writer: Some(BufWriter::new(file)), partial, place, moved: false };
        if let Some(there) = there {
            std::fs::set_permissions(&made.partial, there.permissions())?;
        }
        Ok(made)
    }

    fn finish(&mut self) -> io::Result<()> {
        let Some(writer) = self.writer.take() else { return Ok(()) };
        writer.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()?;
        std::fs::rename(&self.partial, &self.place)?;
        self.moved = true;
        Ok(())
    }
}

impl Drop for Partial {
    fn drop(&mut self) {
        if !self.moved {
            // The report is not whole; what could be written of it is no use to anybody. The file
            // is closed first, since some systems remove no open file.
            drop(self.writer.take());
            let _ = std::fs::remove_file(&self.partial);
        }
    }
}

/// The problem of a report that would replace what it is made from.
///
/// # Errors
/// When the output is one of the files that are read.
pub fn apart(file: Option<&Path>, mut read: impl Iterator<Item = PathBuf>) -> Result<(), Problem> {
    let Some(file) = file.filter(|it| !is_stdout(it)) else { return Ok(()) };
    let Ok(place) = std::fs::canonicalize(file) else { return Ok(()) };
    match read.find(|it| std::fs::canonicalize(it).is_ok_and(|it| it == place)) {
        None => Ok(()),
        Some(input) => {
            let message = format!("the report would replace `{}`, which is read", input.display());
            Err(Problem::new(file.display().to_string(), "output_is_input", message)
                .help("name another file with `--output`"))
        }
    }
}

/// The problem of a report that can't be written.
#[must_use]
pub fn unwritable(place: &Path, error: &io::Error) -> Problem {
    Problem::new(place.display().to_string(), "unwritable", format!("it can't be written: {error}"))
        .help("name a file in a folder that is there and that you may write to")
}
