//! The seam to the disk: what the store does to files, so that a test can stand in for the disk.

use std::fmt;
use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

/// How a file is opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum How {
    /// To read what is there.
    Read,
    /// To read and write what is there.
    Write,
    /// To make it; it is an error if it is there.
    Make,
}

/// A folder on a disk. Names are relative to it, with `/` between folder and file.
pub trait Io: Send + Sync + fmt::Debug {
    /// Makes the folder of that name, and those above it; one that is there is fine.
    ///
    /// # Errors
    /// What the system says.
    fn make_dir(&self, name: &str) -> io::Result<()>;

    /// The names of the files in a folder, sorted.
    ///
    /// # Errors
    /// What the system says; `NotFound` when there is no such folder.
    fn list(&self, dir: &str) -> io::Result<Vec<String>>;

    /// Opens a file.
    ///
    /// # Errors
    /// What the system says.
    fn open(&self, name: &str, how: How) -> io::Result<Box<dyn IoFile>>;

    /// Gives a file another name; a file that has that name is replaced.
    ///
    /// # Errors
    /// What the system says.
    fn rename(&self, from: &str, to: &str) -> io::Result<()>;

    /// Removes a file.
    ///
    /// # Errors
    /// What the system says.
    fn remove(&self, name: &str) -> io::Result<()>;

    /// Makes what was made, renamed and removed in a folder durable.
    ///
    /// # Errors
    /// What the system says.
    fn sync_dir(&self, dir: &str) -> io::Result<()>;

    /// Makes the file if need be and takes its exclusive lock, which holds while the value lives.
    ///
    /// # Errors
    /// `WouldBlock` when somebody has it; else what the system says.
    fn lock(&self, name: &str) -> io::Result<Box<dyn Send + Sync>>;

    /// Random bytes that nobody can guess.
    ///
    /// # Errors
    /// When the system has none.
    fn random(&self) -> io::Result<[u8; 32]>;
}

/// An open file, read and written at places.
pub trait IoFile: Send + Sync {
    /// Reads at a place; fewer bytes than asked for are no error, and 0 is the end.
    ///
    /// # Errors
    /// What the system says.
    fn read_at(&self, into: &mut [u8], at: u64) -> io::Result<usize>;

    /// Writes at a place; fewer bytes than given are no error.
    ///
    /// # Errors
    /// What the system says.
    fn write_at(&self, bytes: &[u8], at: u64) -> io::Result<usize>;

    /// Makes the file that long, with zeros behind what it holds and the room taken from the disk.
    ///
    /// # Errors
    /// What the system says; `StorageFull` when there is no room.
    fn allocate(&self, len: u64) -> io::Result<()>;

    /// How long it is.
    ///
    /// # Errors
    /// What the system says.
    fn size(&self) -> io::Result<u64>;

    /// Makes what was written durable, and the length.
    ///
    /// # Errors
    /// What the system says.
    fn sync(&self) -> io::Result<()>;
}

/// Writes all bytes at a place.
///
/// # Errors
/// What the system says, and `WriteZero` when it takes nothing.
pub fn write_all(file: &dyn IoFile, mut bytes: &[u8], mut at: u64) -> io::Result<()> {
    while !bytes.is_empty() {
        match file.write_at(bytes, at) {
            Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
            Ok(n) => {
                bytes = bytes.get(n..).unwrap_or_default();
                at = at.saturating_add(n as u64);
            }
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            Err(e) => return Err(e),
        }
    }
    Ok(())
}

/// Reads as many bytes as there are at a place, up to what is asked for.
///
/// # Errors
/// What the system says.
pub fn read_some(file: &dyn IoFile, into: &mut [u8], at: u64) -> io::Result<usize> {
    let mut done = 0_usize;
    while let Some(rest) = into.get_mut(done..).filter(|it| !it.is_empty()) {
        match file.read_at(rest, at.saturating_add(done as u64)) {
            Ok(0) => break,
            Ok(n) => done = done.saturating_add(n),
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            Err(e) => return Err(e),
        }
    }
    Ok(done)
}

/// Reads a whole file that is at most `max` bytes long.
///
/// # Errors
/// What the system says, and `FileTooLarge`.
pub fn read_whole(io: &dyn Io, name: &str, max: u64) -> io::Result<Vec<u8>> {
    let file = io.open(name, How::Read)?;
    let size = file.size()?;
    if size > max {
        return Err(io::ErrorKind::FileTooLarge.into());
    }
    let mut bytes = vec![0; usize::try_from(size).unwrap_or(usize::MAX)];
    let read = read_some(&*file, &mut bytes, 0)?;
    bytes.truncate(read);
    Ok(bytes)
}

/// A real folder.
#[derive(Debug, Clone)]
pub struct Disk {
    root: PathBuf,
}

impl Disk {
    /// The folder at a path, which need not be there yet.
    #[must_use]
    pub fn at(root: impl Into<PathBuf>) -> Self {
        Disk { root: root.into() }
    }

    fn path(&self, name: &str) -> PathBuf {
        if name.is_empty() { self.root.clone() } else { self.root.join(name) }
    }
}

impl Io for Disk {
    fn make_dir(&self, name: &str) -> io::Result<()> {
        let mut builder = std::fs::DirBuilder::new();
        builder.recursive(true);
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        builder.create(self.path(name))?;
        // Its name is durable before anything in it is.
        match self.path(name).parent().filter(|it| !it.as_os_str().is_empty()) {
            Some(above) => sync_folder(above),
            None => sync_folder(Path::new(".")),
        }
    }

    fn list(&self, dir: &str) -> io::Result<Vec<String>> {
        let mut names = Vec::new();
        for item in std::fs::read_dir(self.path(dir))? {
            let item = item?;
            if item.file_type()?.is_file() {
                names.push(item.file_name().to_string_lossy().into_owned());
            }
        }
        names.sort_unstable();
        Ok(names)
    }

    fn open(&self, name: &str, how: How) -> io::Result<Box<dyn IoFile>> {
        let mut options = OpenOptions::new();
        options.read(true);
        match how {
            How::Read => &mut options,
            How::Write => options.write(true),
            How::Make => options.write(true).create_new(true),
        };
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        Ok(Box::new(DiskFile(options.open(self.path(name))?)))
    }

    fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        std::fs::rename(self.path(from), self.path(to))
    }

    fn remove(&self, name: &str) -> io::Result<()> {
        std::fs::remove_file(self.path(name))
    }

    fn sync_dir(&self, dir: &str) -> io::Result<()> {
        sync_folder(&self.path(dir))
    }

    #[allow(
        clippy::disallowed_methods,
        reason = "nothing tells that a process which is being started runs its program"
    )]
    fn lock(&self, name: &str) -> io::Result<Box<dyn Send + Sync>> {
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let file = options.open(self.path(name))?;
        for _ in 0..LOCK_TRIES {
            match file.try_lock() {
                Ok(()) => return Ok(Box::new(file)),
                Err(TryLockError::WouldBlock) => std::thread::sleep(LOCK_PAUSE),
                Err(TryLockError::Error(e)) => return Err(e),
            }
        }
        Err(io::ErrorKind::WouldBlock.into())
    }

    fn random(&self) -> io::Result<[u8; 32]> {
        let mut bytes = [0; 32];
        getrandom::fill(&mut bytes).map_err(|e| io::Error::other(e.to_string()))?;
        Ok(bytes)
    }
}

/// How often a lock is tried for before it counts as somebody's. Where a process is being started,
/// it holds a copy of every open file of the one that starts it until it runs its own program, so a
/// lock that was let go may seem to be held for a moment.
const LOCK_TRIES: u32 = 50;

/// The pause between two tries.
const LOCK_PAUSE: std::time::Duration = std::time::Duration::from_millis(2);

#[cfg(unix)]
fn sync_folder(path: &Path) -> io::Result<()> {
    File::open(path)?.sync_all()
}

/// Other systems have no way to sync a folder; their file systems order what is done in it.
#[cfg(not(unix))]
fn sync_folder(_path: &Path) -> io::Result<()> {
    Ok(())
}

struct DiskFile(File);

impl IoFile for DiskFile {
    #[cfg(unix)]
    fn read_at(&self, into: &mut [u8], at: u64) -> io::Result<usize> {
        std::os::unix::fs::FileExt::read_at(&self.0, into, at)
    }

    #[cfg(unix)]
    fn write_at(&self, bytes: &[u8], at: u64) -> io::Result<usize> {
        std::os::unix::fs::FileExt::write_at(&self.0, bytes, at)
    }

    #[cfg(windows)]
    fn read_at(&self, into: &mut [u8], at: u64) -> io::Result<usize> {
        std::os::windows::fs::FileExt::seek_read(&self.0, into, at)
    }

    #[cfg(windows)]
    fn write_at(&self, bytes: &[u8], at: u64) -> io::Result<usize> {
        std::os::windows::fs::FileExt::seek_write(&self.0, bytes, at)
    }

    fn allocate(&self, len: u64) -> io::Result<()> {
        let have = self.size()?;
        if have >= len {
            return Ok(());
        }
        #[cfg(target_os = "linux")]
        {
            use rustix::fs::{FallocateFlags, fallocate};
            use rustix::io::Errno;
            match fallocate(&self.0, FallocateFlags::empty(), 0, len) {
                Ok(()) => return Ok(()),
                Err(Errno::OPNOTSUPP | Errno::NOSYS) => {}
                Err(e) => return Err(e.into()),
            }
        }
        let zeros = vec![0; 1 << 20];
        let mut at = have;
        while at < len {
            let left = usize::try_from(len.saturating_sub(at)).unwrap_or(usize::MAX);
            let piece = zeros.get(..left).unwrap_or(&zeros);
            write_all(self, piece, at)?;
            at = at.saturating_add(piece.len() as u64);
        }
        Ok(())
    }

    fn size(&self) -> io::Result<u64> {
        Ok(self.0.metadata()?.len())
    }

    fn sync(&self) -> io::Result<()> {
        self.0.sync_data()
    }
}

#[cfg(test)]
mod tests {
    use super::{Disk, Io};

    #[test]
    fn a_lock_that_is_let_go_a_moment_later_is_had() {
        let name = format!("lawbook-ledger-lock-{}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&folder).unwrap();
        let held = Disk::at(&folder).lock("lock").unwrap();
        let both = std::sync::Barrier::new(2);
        std::thread::scope(|scope| {
            let second = scope.spawn(|| {
                both.wait();
                Disk::at(&folder).lock("lock").map(drop)
            });
            both.wait();
            drop(held);
            second.join().unwrap().unwrap();
        });
        let _held = Disk::at(&folder).lock("lock").unwrap();
        let refused = Disk::at(&folder).lock("lock").map(drop).unwrap_err();
        assert_eq!(refused.kind(), std::io::ErrorKind::WouldBlock);
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
