//! A disk in memory that fails and crashes on purpose: the same numbers give the same faults.
//!
//! What a process sees and what a crash leaves are kept apart. A crash leaves each sector that was
//! written and not synced as it was or as it was to be, by chance, and a chance part of what was
//! made, renamed and removed since a folder was synced. A sync that fails leaves what was written in
//! sight, and never writes it, as Linux does.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::io::{How, Io, IoFile};

/// What a disk writes in one piece, in bytes.
const SECTOR: usize = 512;

/// How often each fault comes, in 10,000 operations.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Faults {
    /// A write that writes a part and then fails.
    pub write: u32,
    /// A write that takes fewer bytes than it is given, and no fault.
    pub short: u32,
    /// A sync that fails.
    pub sync: u32,
    /// A rename, a removal or a file that can't be made.
    pub name: u32,
    /// Room that is not there.
    pub full: u32,
    /// A crash of the machine.
    pub crash: u32,
}

/// A disk in memory. Clones are the same disk.
#[derive(Clone)]
pub struct SimDisk {
    world: Arc<Mutex<World>>,
}

struct World {
    dice: u64,
    faults: Faults,
    crashed: bool,
    /// Files by number, which stays when a file gets another name.
    files: Vec<Content>,
    /// The names that a process sees.
    names: BTreeMap<String, usize>,
    /// The names that a crash leaves.
    durable: BTreeMap<String, usize>,
    /// What was done to names and not synced, oldest first.
    undone: Vec<Naming>,
    /// Locks that are held, and in which life of the machine.
    locks: BTreeSet<String>,
    life: u64,
    happened: BTreeMap<&'static str, u64>,
}

#[derive(Clone)]
enum Naming {
    Made(String, usize),
    Renamed(String, String),
    Removed(String),
}

impl Naming {
    fn folder(&self) -> &str {
        let (Naming::Made(name, _) | Naming::Renamed(name, _) | Naming::Removed(name)) = self;
        folder(name)
    }

    fn apply(&self, names: &mut BTreeMap<String, usize>) {
        match self {
            Naming::Made(name, file) => {
                names.insert(name.clone(), *file);
            }
            Naming::Renamed(from, to) => {
                if let Some(file) = names.remove(from) {
                    names.insert(to.clone(), file);
                }
            }
            Naming::Removed(name) => {
                names.remove(name);
            }
        }
    }
}

fn folder(name: &str) -> &str {
    name.rsplit_once('/').map_or("", |it| it.0)
}

#[derive(Default)]
struct Content {
    seen: Vec<u8>,
    durable: Vec<u8>,
    /// Sectors that were written and not synced.
    dirty: BTreeSet<usize>,
}

impl Content {
    fn write(&mut self, bytes: &[u8], at: usize) {
        let end = at.saturating_add(bytes.len());
        if self.seen.len() < end {
            self.seen.resize(end, 0);
        }
        if let Some(place) = self.seen.get_mut(at..end) {
            place.copy_from_slice(bytes);
        }
        self.dirty.extend(at / SECTOR..end.div_ceil(SECTOR));
    }

    /// Takes a sector over to what a crash leaves.
    fn settle(&mut self, sector: usize) {
        let from = sector.saturating_mul(SECTOR);
        let end = from.saturating_add(SECTOR).min(self.seen.len());
        if self.durable.len() < end {
            self.durable.resize(end, 0);
        }
        let pair = self.durable.get_mut(from..end).zip(self.seen.get(from..end));
        if let Some((to, from)) = pair {
            to.copy_from_slice(from);
        }
    }
}

impl World {
    fn below(&mut self, n: u32) -> u32 {
        self.dice ^= self.dice >> 12;
        self.dice ^= self.dice << 25;
        self.dice ^= self.dice >> 27;
        let high = self.dice.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33;
        u32::try_from(high).unwrap_or(0).checked_rem(n).unwrap_or(0)
    }

    fn chance(&mut self, name: &'static str, in_10_000: u32) -> bool {
        let comes = in_10_000 > 0 && self.below(10_000) < in_10_000;
        if comes {
            self.count(name);
        }
        comes
    }

    fn count(&mut self, name: &'static str) {
        let count = self.happened.entry(name).or_default();
        *count = count.saturating_add(1);
    }

    /// The beginning of each operation: nothing works after a crash.
    fn step(&mut self) -> io::Result<()> {
        if !self.crashed && self.chance("crash", self.faults.crash) {
            self.crash();
        }
        if self.crashed { Err(io::Error::other("the machine crashed")) } else { Ok(()) }
    }

    fn crash(&mut self) {
        self.crashed = true;
        let done = self.below(u32::try_from(self.undone.len()).unwrap_or(0).saturating_add(1));
        for naming in self.undone.iter().take(done as usize) {
            naming.apply(&mut self.durable);
        }
        self.undone.clear();
        // In some crashes much of what was not synced is there, in others little.
        let share = self.below(11);
        for number in 0..self.files.len() {
            let Some(file) = self.files.get_mut(number) else { continue };
            let dirty = std::mem::take(&mut file.dirty);
            let long = file.seen.len();
            for sector in dirty {
                let settles = self.below(10) < share;
                if let Some(file) = self.files.get_mut(number).filter(|_| settles) {
                    file.settle(sector);
                }
            }
            let keep = self.below(2) == 0;
            if let Some(file) = self.files.get_mut(number) {
                if keep && file.durable.len() < long {
                    file.durable.resize(long, 0);
                }
                file.seen.clone_from(&file.durable);
            }
        }
        self.names.clone_from(&self.durable);
        self.locks.clear();
        self.life = self.life.saturating_add(1);
    }

    fn file(&mut self, number: usize) -> io::Result<&mut Content> {
        self.files.get_mut(number).ok_or_else(|| io::ErrorKind::NotFound.into())
    }
}

impl SimDisk {
    /// An empty disk whose chances follow from a seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        let world = World {
            dice: seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1,
            faults: Faults::default(),
            crashed: false,
            files: Vec::new(),
            names: BTreeMap::new(),
            durable: BTreeMap::new(),
            undone: Vec::new(),
            locks: BTreeSet::new(),
            life: 0,
            happened: BTreeMap::new(),
        };
        SimDisk { world: Arc::new(Mutex::new(world)) }
    }

    fn world(&self) -> MutexGuard<'_, World> {
        self.world.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sets how often faults come.
    pub fn faults(&self, faults: Faults) {
        self.world().faults = faults;
    }

    /// Stops the machine: what was not synced is there or not, by chance.
    pub fn crash(&self) {
        let mut world = self.world();
        if !world.crashed {
            world.crash();
        }
    }

    /// Starts the machine again, if it crashed.
    pub fn restart(&self) {
        self.world().crashed = false;
    }

    /// How often each fault came.
    #[must_use]
    pub fn happened(&self) -> BTreeMap<&'static str, u64> {
        self.world().happened.clone()
    }

    /// The names of all files.
    #[must_use]
    pub fn names(&self) -> Vec<String> {
        self.world().names.keys().cloned().collect()
    }

    /// What stands in a file; empty when there is none.
    #[must_use]
    pub fn contents(&self, name: &str) -> Vec<u8> {
        let world = self.world();
        let file = world.names.get(name).and_then(|it| world.files.get(*it));
        file.map(|it| it.seen.clone()).unwrap_or_default()
    }

    /// Puts bytes in the place of a file, durably, past all faults: somebody's hand on the disk.
    pub fn put(&self, name: &str, bytes: Vec<u8>) {
        let mut world = self.world();
        let number = world.files.len();
        let content = Content { durable: bytes.clone(), seen: bytes, dirty: BTreeSet::new() };
        world.files.push(content);
        world.names.insert(name.to_owned(), number);
        world.durable.insert(name.to_owned(), number);
    }

    /// Takes a file away, durably, past all faults.
    pub fn take(&self, name: &str) {
        let mut world = self.world();
        world.names.remove(name);
        world.durable.remove(name);
    }

    /// Whether some bytes stand anywhere on the disk, in files without a name too.
    #[must_use]
    pub fn holds(&self, bytes: &[u8]) -> bool {
        let world = self.world();
        let mut all = world.files.iter().flat_map(|it| [&it.seen, &it.durable]);
        all.any(|it| it.windows(bytes.len().max(1)).any(|part| part == bytes))
    }
}

impl std::fmt::Debug for SimDisk {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("SimDisk")
    }
}

impl Io for SimDisk {
    fn make_dir(&self, _name: &str) -> io::Result<()> {
        self.world().step()
    }

    fn list(&self, dir: &str) -> io::Result<Vec<String>> {
        let mut world = self.world();
        world.step()?;
        let inside = world.names.keys().filter(|it| folder(it) == dir);
        Ok(inside.filter_map(|it| it.rsplit('/').next()).map(str::to_owned).collect())
    }

    fn open(&self, name: &str, how: How) -> io::Result<Box<dyn IoFile>> {
        let mut world = self.world();
        world.step()?;
        let found = world.names.get(name).copied();
        let number = match (how, found) {
            (How::Make, Some(_)) => return Err(io::ErrorKind::AlreadyExists.into()),
            (How::Make, None) => {
                let faults = world.faults;
                if world.chance("name", faults.name) {
                    return Err(io::Error::other("injected: can't be made"));
                }
                let number = world.files.len();
                world.files.push(Content::default());
                world.names.insert(name.to_owned(), number);
                world.undone.push(Naming::Made(name.to_owned(), number));
                number
            }
            (_, Some(number)) => number,
            (_, None) => return Err(io::ErrorKind::NotFound.into()),
        };
        Ok(Box::new(SimFile { disk: self.clone(), number, life: world.life }))
    }

    fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        let mut world = self.world();
        world.step()?;
        let faults = world.faults;
        if world.chance("name", faults.name) {
            return Err(io::Error::other("injected: can't be renamed"));
        }
        if !world.names.contains_key(from) {
            return Err(io::ErrorKind::NotFound.into());
        }
        let naming = Naming::Renamed(from.to_owned(), to.to_owned());
        naming.apply(&mut world.names);
        world.undone.push(naming);
        Ok(())
    }

    fn remove(&self, name: &str) -> io::Result<()> {
        let mut world = self.world();
        world.step()?;
        if !world.names.contains_key(name) {
            return Err(io::ErrorKind::NotFound.into());
        }
        let faults = world.faults;
        if world.chance("name", faults.name) {
            return Err(io::Error::other("injected: can't be removed"));
        }
        let naming = Naming::Removed(name.to_owned());
        naming.apply(&mut world.names);
        world.undone.push(naming);
        Ok(())
    }

    fn sync_dir(&self, dir: &str) -> io::Result<()> {
        let mut world = self.world();
        world.step()?;
        let faults = world.faults;
        if world.chance("sync", faults.sync) {
            return Err(io::Error::other("injected: the folder can't be synced"));
        }
        let undone = std::mem::take(&mut world.undone);
        for naming in undone {
            if naming.folder() == dir {
                naming.apply(&mut world.durable);
            } else {
                world.undone.push(naming);
            }
        }
        Ok(())
    }

    fn lock(&self, name: &str) -> io::Result<Box<dyn Send + Sync>> {
        let mut world = self.world();
        world.step()?;
        if !world.locks.insert(name.to_owned()) {
            return Err(io::ErrorKind::WouldBlock.into());
        }
        Ok(Box::new(Lock { disk: self.clone(), name: name.to_owned(), life: world.life }))
    }

    fn random(&self) -> io::Result<[u8; 32]> {
        let mut world = self.world();
        world.step()?;
        Ok(std::array::from_fn(|_| u8::try_from(world.below(256)).unwrap_or(0)))
    }
}

struct Lock {
    disk: SimDisk,
    name: String,
    life: u64,
}

impl Drop for Lock {
    fn drop(&mut self) {
        let mut world = self.disk.world();
        if world.life == self.life {
            world.locks.remove(&self.name);
        }
    }
}

struct SimFile {
    disk: SimDisk,
    number: usize,
    life: u64,
}

impl SimFile {
    fn world(&self) -> io::Result<MutexGuard<'_, World>> {
        let mut world = self.disk.world();
        world.step()?;
        if world.life != self.life {
            return Err(io::Error::other("the machine was started again"));
        }
        Ok(world)
    }
}

impl IoFile for SimFile {
    fn read_at(&self, into: &mut [u8], at: u64) -> io::Result<usize> {
        let mut world = self.world()?;
        let file = world.file(self.number)?;
        let at = usize::try_from(at).unwrap_or(usize::MAX);
        let from = file.seen.get(at..).unwrap_or_default();
        let mut read = 0_usize;
        for (to, from) in into.iter_mut().zip(from) {
            *to = *from;
            read = read.saturating_add(1);
        }
        Ok(read)
    }

    fn write_at(&self, bytes: &[u8], at: u64) -> io::Result<usize> {
        let mut world = self.world()?;
        let faults = world.faults;
        let part = world.below(u32::try_from(bytes.len()).unwrap_or(u32::MAX)) as usize;
        let at = usize::try_from(at).unwrap_or(usize::MAX);
        let failed = world.chance("write", faults.write);
        let short = !failed && world.chance("short", faults.short) && part > 0;
        let taken = if failed || short { part } else { bytes.len() };
        world.file(self.number)?.write(bytes.get(..taken).unwrap_or_default(), at);
        if failed {
            return Err(io::Error::other("injected: can't be written"));
        }
        Ok(taken)
    }

    fn allocate(&self, len: u64) -> io::Result<()> {
        let mut world = self.world()?;
        let faults = world.faults;
        if world.chance("full", faults.full) {
            return Err(io::ErrorKind::StorageFull.into());
        }
        let len = usize::try_from(len).unwrap_or(usize::MAX);
        let file = world.file(self.number)?;
        if file.seen.len() < len {
            file.seen.resize(len, 0);
        }
        Ok(())
    }

    fn size(&self) -> io::Result<u64> {
        let mut world = self.world()?;
        Ok(world.file(self.number)?.seen.len() as u64)
    }

    fn sync(&self) -> io::Result<()> {
        let mut world = self.world()?;
        let faults = world.faults;
        if world.chance("sync", faults.sync) {
            // The pages count as clean from now on, and a chance part of them was written.
            let dirty = std::mem::take(&mut world.file(self.number)?.dirty);
            for sector in dirty {
                if world.below(2) == 0 {
                    world.file(self.number)?.settle(sector);
                }
            }
            return Err(io::Error::other("injected: can't be synced"));
        }
        let file = world.file(self.number)?;
        for sector in std::mem::take(&mut file.dirty) {
            file.settle(sector);
        }
        let long = file.seen.len();
        file.durable.resize(long, 0);
        Ok(())
    }
}
