//! Sessions between two processes: one file each, of lines that are only added to.

mod line;
mod record;

use std::fmt;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use lawbook_event::Time;

pub use record::Record;

/// How long a session is kept after its last event, in days.
pub const KEPT_DAYS: u64 = 7;

/// How many bytes the store of one session may have. Past it, the session is not whole.
pub const STORE_BYTES_MAX: u64 = 64 * 1024 * 1024;

/// How long a text of one record may be, in bytes. Longer ones are left out.
pub const RECORD_BYTES_MAX: usize = 64 * 1024;

/// How long another process may hold a session.
const LOCK_MILLIS_MAX: u64 = 3_000;

/// The folder of all sessions.
#[derive(Clone, Debug)]
pub struct Store {
    root: PathBuf,
}

/// One session, held until it is dropped.
#[derive(Debug)]
pub struct Stored {
    file: File,
    /// What is known of it, in order.
    pub records: Vec<(Time, Record)>,
    /// Nothing was there before.
    pub fresh: bool,
    chain: String,
    bytes: u64,
}

/// Why a session can't be had.
#[derive(Debug)]
pub struct StoreError {
    path: PathBuf,
    why: String,
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path.display(), self.why)
    }
}

impl Store {
    /// The store in a folder, which need not be there yet.
    #[must_use]
    pub fn at(root: impl Into<PathBuf>) -> Self {
        Store { root: root.into() }
    }

    /// Its folder.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The file of a session. Ids of others never become names of files.
    #[must_use]
    pub fn file(&self, host: &str, session: &str) -> PathBuf {
        let digest = lawbook::digest(session.as_bytes());
        let name = digest.trim_start_matches("sha256:").get(..32).unwrap_or_default().to_owned();
        self.root.join(host).join(name).with_extension("jsonl")
    }

    /// Whether there is anything of a session.
    #[must_use]
    pub fn has(&self, host: &str, session: &str) -> bool {
        std::fs::metadata(self.file(host, session)).is_ok_and(|it| it.len() > 0)
    }

    /// Takes hold of a session.
    ///
    /// # Errors
    /// When its file can't be read and written, is a link, or is held by another process for long.
    pub fn open(&self, host: &str, session: &str) -> Result<Stored, StoreError> {
        let path = self.file(host, session);
        let failed = |why: String| StoreError { path: path.clone(), why };
        let told = |error: io::Error| failed(error.to_string());
        own_folder(&self.root).map_err(told)?;
        own_folder(&self.root.join(host)).map_err(told)?;
        if std::fs::symlink_metadata(&path).is_ok_and(|it| !it.is_file()) {
            return Err(failed("it is no plain file".to_owned()));
        }
        let mut options = OpenOptions::new();
        options.read(true).append(true).create(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let file = options.open(&path).map_err(told)?;
        lock(&file).map_err(failed)?;
        let age = file.metadata().and_then(|it| it.modified()).map_err(told)?.elapsed();
        if age.is_ok_and(|it| it > kept()) {
            file.set_len(0).map_err(told)?;
        }
        Stored::read(file).map_err(told)
    }

    /// Removes the sessions that are older than [`KEPT_DAYS`].
    pub fn sweep(&self) {
        for path in self.files() {
            let modified = std::fs::metadata(&path).and_then(|it| it.modified());
            if modified.is_ok_and(|it| it.elapsed().is_ok_and(|age| age > kept())) {
                // Whoever can't remove it now can later.
                std::fs::remove_file(&path).ok();
            }
        }
    }

    /// The files of all sessions, in the order of their names.
    #[must_use]
    pub fn files(&self) -> Vec<PathBuf> {
        let list = |folder: &Path| std::fs::read_dir(folder).into_iter().flatten().flatten();
        let folders = list(&self.root).map(|it| it.path()).filter(|it| it.is_dir());
        let mut files: Vec<PathBuf> =
            folders.flat_map(|it| list(&it).map(|it| it.path())).collect();
        files.retain(|it| it.extension().is_some_and(|it| it == "jsonl"));
        files.sort();
        files
    }

    /// What one file of a session holds.
    #[must_use]
    pub fn records(path: &Path) -> Vec<(Time, Record)> {
        let mut bytes = Vec::new();
        let read = File::open(path).and_then(|it| it.take(STORE_BYTES_MAX).read_to_end(&mut bytes));
        match read {
            Ok(_) => line::read(&bytes).records,
            Err(_) => Vec::new(),
        }
    }
}

impl Stored {
    fn read(mut file: File) -> io::Result<Self> {
        let mut bytes = Vec::new();
        file.seek(SeekFrom::Start(0))?;
        let length = file.metadata()?.len();
        (&mut file).take(STORE_BYTES_MAX).read_to_end(&mut bytes)?;
        let read = line::read(&bytes);
        let whole = u64::try_from(read.bytes).unwrap_or(u64::MAX);
        let mut stored = Stored {
            file,
            fresh: length == 0,
            records: read.records,
            chain: read.chain,
            bytes: whole,
        };
        if whole < length {
            // A torn or changed line and all behind it is no record any more.
            stored.file.set_len(whole)?;
            let at = stored.records.last().map_or(Time { nanos: 0 }, |it| it.0);
            stored.add(at, Record::Gap { why: "its store was cut or changed".to_owned() })?;
        }
        Ok(stored)
    }

    /// Adds a record.
    ///
    /// # Errors
    /// When it can't be written: then it is not known either.
    pub fn add(&mut self, at: Time, record: Record) -> io::Result<()> {
        let (line, chain) = line::write(at, &record, &self.chain);
        let length = u64::try_from(line.len()).unwrap_or(u64::MAX);
        if self.bytes.saturating_add(length) > STORE_BYTES_MAX {
            return Err(io::Error::other("the session has more events than its store may hold"));
        }
        self.file.write_all(line.as_bytes())?;
        self.bytes = self.bytes.saturating_add(length);
        self.chain = chain;
        self.records.push((at, record));
        Ok(())
    }

    /// The secret that digests of this session are made with.
    #[must_use]
    pub fn salt(&self) -> &str {
        let salts = self.records.iter().rev().filter_map(|(_, it)| match it {
            Record::Start { salt, .. } => Some(salt.as_str()),
            _ => None,
        });
        salts.into_iter().next().unwrap_or_default()
    }
}

fn kept() -> Duration {
    Duration::from_secs(KEPT_DAYS.saturating_mul(24 * 60 * 60))
}

/// A folder that nobody but its owner can look into.
fn own_folder(path: &Path) -> io::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let there = std::fs::symlink_metadata(path)?;
        if !there.is_dir() {
            return Err(io::Error::other("it is a link"));
        }
        if there.permissions().mode() & 0o077 != 0 {
            std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o700))?;
        }
    }
    Ok(())
}

#[expect(clippy::disallowed_methods, reason = "two hooks of one session wait for each other")]
fn lock(file: &File) -> Result<(), String> {
    let begun = SystemTime::now();
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(()),
            Err(TryLockError::Error(error)) => return Err(error.to_string()),
            Err(TryLockError::WouldBlock) => {}
        }
        let waited = begun.elapsed().unwrap_or_default();
        if waited > Duration::from_millis(LOCK_MILLIS_MAX) {
            return Err("another process holds it".to_owned());
        }
        std::thread::sleep(Duration::from_millis(2));
    }
}

#[cfg(test)]
mod tests;
