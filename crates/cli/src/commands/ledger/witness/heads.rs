//! What a witness remembers: one small file for each log, replaced so that it lasts.

use std::fs::File;
use std::path::{Path, PathBuf};

use lawbook_diag::Problem;
use lawbook_ledger::tlog::{Checkpoint, Head, Heads, HeadsError, Note, leaf_hash};

use crate::commands::ledger::files;

/// Heads in a folder that one process has for itself.
#[derive(Debug)]
pub struct HeadsInFolder {
    folder: PathBuf,
    /// Locked as long as this lives, so that no second witness signs from the same memory.
    _lock: File,
}

impl HeadsInFolder {
    /// Opens the folder, which is made if it is not there.
    ///
    /// # Errors
    /// When it can't be used, or another process has it.
    pub fn open(folder: &Path) -> Result<Self, Problem> {
        let unusable = |error: &dyn std::fmt::Display| {
            files::problem(folder, "unusable", format!("the state can't be used: {error}"))
        };
        std::fs::create_dir_all(folder).map_err(|it| unusable(&it))?;
        let lock = File::create(folder.join("lock")).map_err(|it| unusable(&it))?;
        if lock.try_lock().is_err() {
            return Err(files::problem(folder, "locked", "another witness has this state"));
        }
        Ok(HeadsInFolder { folder: folder.to_path_buf(), _lock: lock })
    }

    fn file(&self, origin: &str) -> PathBuf {
        // The name of a log can hold anything, and its hash can't.
        self.folder.join(format!("{}.head", leaf_hash(origin.as_bytes())))
    }
}

impl Heads for HeadsInFolder {
    fn newest(&self, origin: &str) -> Result<Head, HeadsError> {
        let file = self.file(origin);
        match file.try_exists() {
            Ok(false) => return Ok(Head::NONE),
            Ok(true) => {}
            Err(error) => return Err(HeadsError(error.to_string())),
        }
        // A memory that can't be read is no empty one: signing on would be going back.
        let (name, head) = read_head(&file).map_err(|it| HeadsError(it.message))?;
        if name == origin {
            Ok(head)
        } else {
            Err(HeadsError(format!("the memory of `{origin}` is that of `{name}`")))
        }
    }

    fn advance(&mut self, origin: &str, old: Head, new: Head) -> Result<bool, HeadsError> {
        if self.newest(origin)? != old {
            return Ok(false);
        }
        let text = Checkpoint::new(origin, new.size, new.root).text();
        files::durably(&self.file(origin), text.as_bytes())
            .map_err(|error| HeadsError(error.to_string()))?;
        Ok(true)
    }
}

/// The log and the head that a file of a witness names.
///
/// # Errors
/// When it can't be read.
pub fn read_head(file: &Path) -> Result<(String, Head), Problem> {
    let text = files::text(file)?;
    let note = Note::new(&text).ok();
    let checkpoint = note.and_then(|it| Checkpoint::of(&it).ok());
    let checkpoint = checkpoint
        .ok_or_else(|| files::problem(file, "bad_head", "this is not what a witness remembers"))?;
    let head = Head { size: checkpoint.size, root: checkpoint.root };
    Ok((checkpoint.origin, head))
}
