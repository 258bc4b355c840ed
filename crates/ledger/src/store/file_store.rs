//! The store in a folder: many writers, of whom one writes and syncs for all.

use std::collections::BTreeMap;
use std::sync::{Arc, Condvar, Mutex, PoisonError};

use super::entry::{LEDGER_AGENT, Links, entry_bytes, hex};
use super::frame::{FILE_HEADER, Id, Leaf, agent_tag, array_at, file_header, leaf_hash};
use super::inner::{Inner, locked};
use super::io::{Disk, Io, read_whole};
use super::log::{LOG, Places, Writer};
use super::opening::open_log;
use super::queue::Queue;
use super::report::Opened;
use super::secrets::{self, Kept};
use super::snapshots::{self, SNAPSHOTS};
use super::texts;
use super::{Entries, Entry, Head, Secret, Store, Ticket, Waits, cuts, stopped};
use crate::error::{Code, Error};

/// A segment has at least this many bytes.
pub const SEGMENT_BYTES_MIN: u64 = 4 << 10;
/// A segment has at most this many bytes.
pub const SEGMENT_BYTES_MAX: u64 = 1 << 30;

const LEDGER: &str = "ledger";
const LEDGER_NEW: &str = "ledger.new";
const LEDGER_MAGIC: &[u8; 8] = b"LAWBLOG1";
const FOLDERS: [&str; 4] = [LOG, "texts", "secrets", SNAPSHOTS];

/// How a ledger is opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// How long new segments and files of texts are, in bytes, from [`SEGMENT_BYTES_MIN`] to
    /// [`SEGMENT_BYTES_MAX`].
    pub segment_bytes: u64,
    /// Now, in nanoseconds since 1970, UTC: the time of the ledger's own entries.
    pub at: i64,
}

impl Options {
    /// Segments of 64 MiB.
    #[must_use]
    pub fn at(at: i64) -> Self {
        Options { segment_bytes: 64 << 20, at }
    }
}

/// A ledger in a folder.
///
/// ```
/// use lawbook_ledger::store::{Entry, FileStore, Options, Store, entry_bytes};
///
/// # fn main() -> Result<(), lawbook_ledger::Error> {
/// # let folder = std::env::temp_dir().join(format!("lawbook-ledger-doc-{}", std::process::id()));
/// let now = 1_767_225_600_000_000_000;
/// let store = FileStore::create(&folder, &Options::at(now))?;
/// let genesis = entry_bytes("support", &store.head("support")?, now, "genesis", |_| {});
/// let placed = store.submit(Entry::new(genesis.clone()))?.wait()?;
/// assert_eq!(store.entry(placed.index)?, genesis);
/// # drop(store);
/// # let _ = std::fs::remove_dir_all(&folder);
/// # Ok(())
/// # }
/// ```
pub struct FileStore {
    inner: Arc<Inner>,
    opened: Opened,
    /// Held while the store lives; none when it is only read.
    _lock: Option<Box<dyn Send + Sync>>,
}

thread_local! {
    /// Allocations for reading the links of entries.
    static LINKS: std::cell::RefCell<Links> = std::cell::RefCell::default();
}

impl FileStore {
    /// Makes a ledger in a folder that has none.
    ///
    /// # Errors
    /// `foreign` when there is one or something else; `locked`, `disk_full`, `io`.
    pub fn create(folder: &std::path::Path, options: &Options) -> Result<Self, Error> {
        Self::create_on(Arc::new(Disk::at(folder)), options)
    }

    /// Opens a ledger to write to it, and makes good what a crash left.
    ///
    /// # Errors
    /// `absent` when there is none; `locked`; `foreign`; `damaged` when its files can't be put
    /// together; `disk_full`, `io`.
    pub fn open(folder: &std::path::Path, options: &Options) -> Result<Self, Error> {
        Self::open_on(Arc::new(Disk::at(folder)), options)
    }

    /// Opens the ledger in a folder, or makes it where there is none.
    ///
    /// # Errors
    /// As [`open`](FileStore::open) and [`create`](FileStore::create).
    pub fn open_or_create(folder: &std::path::Path, options: &Options) -> Result<Self, Error> {
        Self::open_or_create_on(Arc::new(Disk::at(folder)), options)
    }

    /// Opens a ledger to read it: nothing is changed, nothing accepted, and no lock taken.
    ///
    /// # Errors
    /// As [`open`](FileStore::open), without `locked`.
    pub fn read(folder: &std::path::Path) -> Result<Self, Error> {
        Self::read_on(Arc::new(Disk::at(folder)))
    }

    /// As [`create`](FileStore::create), on any [`Io`].
    ///
    /// # Errors
    /// The same.
    pub fn create_on(io: Arc<dyn Io>, options: &Options) -> Result<Self, Error> {
        for dir in [""].iter().chain(&FOLDERS) {
            io.make_dir(dir).map_err(|e| Error::io("make the folder", dir, &e))?;
        }
        let lock = lock(&*io)?;
        if read_id(&*io, LEDGER)?.is_some() {
            return Err(Error::new(Code::Foreign, "there is a ledger in this folder"));
        }
        // What was begun and not finished goes on, with the same id.
        let id = match read_id(&*io, LEDGER_NEW) {
            Ok(Some(id)) => id,
            _ => {
                if !io.list(LOG).map_err(|e| Error::io("list", LOG, &e))?.is_empty() {
                    let message = format!("there is a log in this folder and no file `{LEDGER}`");
                    return Err(Error::new(Code::Foreign, message));
                }
                let id = io.random().map_err(|e| Error::io("get random bytes for", LEDGER, &e))?;
                let id: Id = array_at(&id, 0);
                let header = file_header(LEDGER_MAGIC, id, 0);
                let named = format!("{LEDGER_NEW}.new");
                match io.remove(LEDGER_NEW) {
                    Err(e) if e.kind() != std::io::ErrorKind::NotFound => {
                        return Err(Error::io("remove", &named, &e));
                    }
                    _ => {}
                }
                secrets::replace(&*io, "", LEDGER_NEW, &header)?;
                id
            }
        };
        let store = Self::build(io.clone(), id, Some(lock), options)?;
        if store.size() > 1 {
            let message = format!("there is a log in this folder and no file `{LEDGER}`");
            return Err(Error::new(Code::Foreign, message));
        }
        if store.size() == 0 {
            store.own("genesis", options.at, |it| {
                it.key("ledger").string(&hex(&id));
            })?;
        }
        io.rename(LEDGER_NEW, LEDGER).map_err(|e| Error::io("rename", LEDGER_NEW, &e))?;
        io.sync_dir("").map_err(|e| Error::io("sync", "the folder", &e))?;
        Ok(store)
    }

    /// As [`open`](FileStore::open), on any [`Io`].
    ///
    /// # Errors
    /// The same.
    pub fn open_on(io: Arc<dyn Io>, options: &Options) -> Result<Self, Error> {
        let id = read_id(&*io, LEDGER)?.ok_or_else(absent)?;
        let lock = lock(&*io)?;
        // A crash may have come between the new name of the file and its being durable.
        io.sync_dir("").map_err(|e| Error::io("sync", "the folder", &e))?;
        for dir in FOLDERS {
            io.make_dir(dir).map_err(|e| Error::io("make the folder", dir, &e))?;
            secrets::tidy(&*io, dir)?;
            io.sync_dir(dir).map_err(|e| Error::io("sync", dir, &e))?;
        }
        let store = Self::build(io, id, Some(lock), options)?;
        if store.size() == 0 {
            return Err(Error::new(Code::Damaged, "all entries of the ledger are gone"));
        }
        if let Some(torn) = store.opened.torn {
            store.own("repair", options.at, |it| {
                it.key("cut_index").number(torn.index).key("segment").number(torn.segment);
                it.key("offset").number(torn.offset).key("bytes").number(torn.bytes);
            })?;
        }
        if store.opened.torn.is_none_or(|it| store.size() > it.index) {
            cuts::remove(&*store.inner.io, LOG)?;
        }
        Ok(store)
    }

    /// As [`open_or_create`](FileStore::open_or_create), on any [`Io`].
    ///
    /// # Errors
    /// The same.
    pub fn open_or_create_on(io: Arc<dyn Io>, options: &Options) -> Result<Self, Error> {
        match Self::open_on(io.clone(), options) {
            Err(error) if error.code() == Code::Absent => Self::create_on(io, options),
            other => other,
        }
    }

    /// As [`read`](FileStore::read), on any [`Io`].
    ///
    /// # Errors
    /// The same.
    pub fn read_on(io: Arc<dyn Io>) -> Result<Self, Error> {
        let id = read_id(&*io, LEDGER)?.ok_or_else(absent)?;
        Self::build(io, id, None, &Options::at(0))
    }

    /// Reads all that is there; with a lock, what a crash left is made good.
    fn build(
        io: Arc<dyn Io>,
        id: Id,
        lock: Option<Box<dyn Send + Sync>>,
        options: &Options,
    ) -> Result<Self, Error> {
        let mut opened = Opened::default();
        let repair = lock.is_some();
        let log = open_log(&io, id, repair, &mut opened)?;
        let places = Places::new(io.clone(), log.segments);
        let bytes = options.segment_bytes.clamp(SEGMENT_BYTES_MIN, SEGMENT_BYTES_MAX);
        let leaf = |index| places.leaf(index).ok();
        let texts = texts::open(&io, id, bytes, &leaf, repair, &mut opened)?;
        secrets::check(&*io, repair, &mut opened)?;
        let mut stop = log.stopped.map(|it| stopped(&it));
        if !repair {
            stop.get_or_insert_with(|| {
                Error::new(Code::Stopped, "the ledger is open to be read alone")
            });
        }
        let queue = Queue::new(log.agents, log.next, texts.indexes(), stop);
        let inner = Inner {
            io: io.clone(),
            id,
            queue: Mutex::new(queue),
            changed: Condvar::new(),
            writer: Mutex::new(Writer::new(io, id, bytes, log.tail)),
            texts: Mutex::new(texts),
            snapshots: Mutex::new(()),
            places,
            writable: repair,
        };
        Ok(FileStore { inner: Arc::new(inner), opened, _lock: lock })
    }

    /// Records an entry of the ledger itself.
    fn own(
        &self,
        kind: &str,
        at: i64,
        members: impl FnOnce(&mut lawbook_event::json::Writer),
    ) -> Result<(), Error> {
        let tag = agent_tag(LEDGER_AGENT);
        let mut queue = locked(&self.inner.queue);
        if queue.stopped.is_some() {
            // The ledger is stopped as a whole: it is told, and can't be recorded.
            return Ok(());
        }
        let head = match queue.head(LEDGER_AGENT, tag) {
            Err(e) if e.code() == Code::AgentStopped => return Ok(()),
            other => other?,
        };
        let bytes = entry_bytes(LEDGER_AGENT, &head, at, kind, members);
        let link = Links::default().read(&bytes)?;
        let leaf = leaf_hash(&bytes);
        let (_, number) = queue.take(Entry::new(bytes), &link, tag, leaf)?;
        drop(queue);
        self.inner.wait(number)
    }

    /// What opening found.
    #[must_use]
    pub fn opened(&self) -> &Opened {
        &self.opened
    }

    /// The ledger's id.
    #[must_use]
    pub fn id(&self) -> Id {
        self.inner.id
    }

    /// The names of all agents that have an entry, sorted, each with its head and why it is stopped,
    /// if it is.
    #[must_use]
    pub fn agents(&self) -> Vec<(String, Head, Option<String>)> {
        let queue = locked(&self.inner.queue);
        let named = queue
            .agents
            .values()
            .filter_map(|it| Some((it.name.as_ref()?.to_string(), it.head, it.stopped.clone())));
        let mut agents: Vec<_> = named.collect();
        agents.sort_unstable_by(|a, b| a.0.cmp(&b.0));
        agents
    }
}

impl std::fmt::Debug for FileStore {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("FileStore").field("id", &hex(&self.inner.id)).finish_non_exhaustive()
    }
}

impl Drop for FileStore {
    /// Writes what waits and makes the leaf hashes durable. An error changes nothing that was
    /// acknowledged, and the next opening tells.
    fn drop(&mut self) {
        let running = locked(&self.inner.queue).stopped.is_none();
        if running && self.inner.flush().is_ok() {
            let _ = locked(&self.inner.writer).close();
        }
        let mut queue = locked(&self.inner.queue);
        queue.fail(Error::new(Code::Stopped, "the ledger was closed"));
        self.inner.changed.notify_all();
        // The lock is given back when nobody writes.
        while queue.leading {
            queue = self.inner.changed.wait(queue).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

fn absent() -> Error {
    Error::new(Code::Absent, "there is no ledger in this folder")
}

fn lock(io: &dyn Io) -> Result<Box<dyn Send + Sync>, Error> {
    io.lock("lock").map_err(|e| match e.kind() {
        std::io::ErrorKind::WouldBlock => {
            Error::new(Code::Locked, "the ledger is open in another process or store")
        }
        _ => Error::io("lock", "lock", &e),
    })
}

fn read_id(io: &dyn Io, name: &str) -> Result<Option<Id>, Error> {
    let bytes = match read_whole(io, name, FILE_HEADER as u64) {
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        other => other.map_err(|e| Error::io("read", name, &e))?,
    };
    let id: Id = array_at(&bytes, 8);
    if bytes != file_header(LEDGER_MAGIC, id, 0) {
        let message = format!("`{name}` is not of a ledger of this version");
        return Err(Error::new(Code::Foreign, message));
    }
    Ok(Some(id))
}

impl Store for FileStore {
    fn submit(&self, entry: Entry) -> Result<Ticket, Error> {
        let link = LINKS.with_borrow_mut(|it| it.read(&entry.bytes))?;
        if link.agent.starts_with('@') {
            let message =
                format!("no agent's name begins with `@`: `{}`", link.agent.escape_debug());
            return Err(Error::new(Code::EntryInvalid, message));
        }
        let (tag, leaf) = (agent_tag(&link.agent), leaf_hash(&entry.bytes));
        let (placed, number) = locked(&self.inner.queue).take(entry, &link, tag, leaf)?;
        Ok(Ticket::new(placed, number, self.inner.clone()))
    }

    fn head(&self, agent: &str) -> Result<Head, Error> {
        let tag = agent_tag(agent);
        locked(&self.inner.queue).head(agent, tag)
    }

    fn size(&self) -> u64 {
        self.inner.places.size()
    }

    fn agent_count(&self) -> usize {
        locked(&self.inner.queue).agent_count(agent_tag(LEDGER_AGENT))
    }

    fn entry(&self, index: u64) -> Result<Vec<u8>, Error> {
        self.inner.places.entry(index)
    }

    fn leaf(&self, index: u64) -> Result<Leaf, Error> {
        self.inner.places.leaf(index)
    }

    fn entries(&self, from: u64) -> Entries<'_> {
        Entries::new(self, from)
    }

    fn put_text(&self, index: u64, text: Vec<u8>) -> Result<Ticket, Error> {
        let mut queue = locked(&self.inner.queue);
        let (placed, tag) = match queue.waiting(index) {
            Some(found) => found,
            None => self.inner.places.placed(index)?,
        };
        let number = queue.take_text(placed, tag, text)?;
        Ok(Ticket::new(placed, number, self.inner.clone()))
    }

    fn text(&self, index: u64) -> Result<Vec<u8>, Error> {
        locked(&self.inner.texts).read(index)
    }

    fn erase(&self, index: u64) -> Result<u64, Error> {
        self.inner.may_write()?;
        // A store that was stopped when it was opened erases too.
        let _ = self.inner.flush();
        let count = self.inner.with_texts(|it| it.erase(&[index]))?;
        self.inner.lost_nothing()?;
        Ok(count)
    }

    fn erase_before(&self, agents: &BTreeMap<String, u64>) -> Result<u64, Error> {
        self.inner.may_write()?;
        let _ = self.inner.flush();
        let before = agents.iter().map(|(name, index)| (agent_tag(name), *index)).collect();
        let count = self.inner.with_texts(|it| {
            let indexes = it.of_agents(&before);
            it.erase(&indexes)
        })?;
        for agent in agents.keys().filter(|_| count > 0) {
            snapshots::remove(&*self.inner.io, agent)?;
        }
        self.inner.lost_nothing()?;
        Ok(count)
    }

    fn erase_agent(&self, agent: &str) -> Result<u64, Error> {
        let count = self.erase_before(&BTreeMap::from([(agent.to_owned(), u64::MAX)]))?;
        snapshots::remove(&*self.inner.io, agent)?;
        self.inner.lost_nothing()?;
        Ok(count)
    }

    fn flush(&self) -> Result<(), Error> {
        self.inner.flush()
    }

    fn secret(&self, agent: &str) -> Result<Kept, Error> {
        secrets::read(&*self.inner.io, agent)
    }

    fn make_secret(&self, agent: &str) -> Result<Secret, Error> {
        super::entry::named(agent)?;
        self.inner.may_write()?;
        let _one = locked(&self.inner.texts);
        secrets::make(&*self.inner.io, agent)
    }

    fn share_secret(&self, from: &str, to: &str) -> Result<Secret, Error> {
        super::entry::named(to)?;
        self.inner.may_write()?;
        let _one = locked(&self.inner.texts);
        secrets::share(&*self.inner.io, from, to)
    }

    fn erase_secret(&self, agent: &str) -> Result<bool, Error> {
        self.inner.may_write()?;
        let _one = locked(&self.inner.texts);
        secrets::erase(&*self.inner.io, agent)
    }

    fn put_snapshot(&self, agent: &str, size: u64, bytes: &[u8]) -> Result<(), Error> {
        self.inner.may_write()?;
        let leaf = match size.checked_sub(1) {
            Some(last) => self.inner.places.leaf(last)?,
            None => [0; 32],
        };
        // A large snapshot must not hold up those who write texts.
        let _one = locked(&self.inner.snapshots);
        snapshots::put(&*self.inner.io, self.inner.id, agent, (size, leaf), bytes)
    }

    fn snapshot(&self, agent: &str) -> Option<(u64, Vec<u8>)> {
        let leaf = |index| self.inner.places.leaf(index).ok();
        snapshots::read(&*self.inner.io, self.inner.id, agent, &leaf)
    }
}
