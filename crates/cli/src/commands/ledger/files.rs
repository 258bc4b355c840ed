//! Small files beside a ledger: checkpoints, keys and lists of keys, read within a bound and
//! written so that a crash leaves the old one or the new one.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::Path;

use lawbook_diag::Problem;

/// The largest file that is read beside a ledger, in bytes.
pub const ASIDE_BYTES_MAX: u64 = 1 << 20;

/// The checkpoint in a ledger's folder.
pub const CHECKPOINT: &str = "checkpoint";

/// The text of a file; `-` is standard input.
///
/// # Errors
/// When it can't be read, is too large, or is no UTF-8.
pub fn text(path: &Path) -> Result<String, Problem> {
    let read = if path.as_os_str() == "-" {
        bounded(io::stdin().lock())
    } else {
        File::open(path).and_then(bounded)
    };
    let bytes = read.map_err(|error| unreadable(path, &error))?;
    String::from_utf8(bytes).map_err(|_| problem(path, "unreadable", "this is no UTF-8"))
}

fn bounded(from: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    from.take(ASIDE_BYTES_MAX.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > ASIDE_BYTES_MAX {
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, "it is too large"));
    }
    Ok(bytes)
}

/// Replaces a file, so that it lasts.
///
/// # Errors
/// When it can't be written; the old file is then still there.
pub fn replace(path: &Path, text: &str) -> Result<(), Problem> {
    durably(path, text.as_bytes()).map_err(|error| unwritable(path, &error))
}

/// Replaces a file, so that it lasts, and tells what the disk says.
///
/// # Errors
/// When it can't be written; the old file is then still there.
pub fn durably(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut name = path.file_name().unwrap_or_default().to_os_string();
    name.push(".new");
    let beside = path.with_file_name(name);
    let mut file = File::create(&beside)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    drop(file);
    std::fs::rename(&beside, path)?;
    synced(path)
}

/// Makes the name of a file last, where folders can be synced.
fn synced(path: &Path) -> io::Result<()> {
    let folder = path.parent().filter(|it| !it.as_os_str().is_empty());
    if cfg!(unix) { File::open(folder.unwrap_or(Path::new(".")))?.sync_all() } else { Ok(()) }
}

/// Writes a file that must not be there yet and that nobody else may read.
///
/// # Errors
/// When it is there, or can't be written.
pub fn secret(path: &Path, text: &str) -> Result<(), Problem> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let write = |mut file: File| {
        file.write_all(text.as_bytes())?;
        file.sync_all()
    };
    let written = options.open(path).and_then(write).and_then(|()| synced(path));
    written.map_err(|error| unwritable(path, &error))
}

/// A problem with a file.
pub fn problem(path: &Path, code: &'static str, message: impl Into<String>) -> Problem {
    Problem::new(path.display().to_string(), code, message)
}

fn unreadable(path: &Path, error: &io::Error) -> Problem {
    problem(path, "unreadable", format!("it can't be read: {error}"))
}

fn unwritable(path: &Path, error: &io::Error) -> Problem {
    problem(path, "unwritable", format!("it can't be written: {error}"))
}
