//! Texts that belong to entries, apart from the log, so that they can be erased.

mod opening;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

pub(super) use opening::open;

use super::crc;
use super::frame::{FILE_HEADER, Id, Leaf, array_at, file_header, padded, u32_at, u64_at};
use super::io::{How, Io, IoFile, read_some, write_all};
use super::log::make_file;
use crate::error::{Code, Error};

/// One text may have this many bytes.
pub const TEXT_BYTES_MAX: usize = 4 << 20;

const MAGIC: &[u8; 8] = b"LAWBTXT1";
const TEXTS: &str = "texts";
const HEADER: usize = 80;
const STATE: usize = 72;
const ERASED: u8 = 0;
const KEPT: u8 = 1;
const ERASING: u8 = 2;

fn name_of(number: u64) -> String {
    format!("{TEXTS}/{number:020}.txt")
}

/// A text that is to be written.
#[derive(Debug)]
pub(super) struct NewText<'t> {
    pub index: u64,
    pub leaf: Leaf,
    pub tag: u64,
    pub late: bool,
    pub bytes: &'t [u8],
}

/// What a frame's header says.
#[derive(Debug, Clone, Copy)]
struct Header {
    late: bool,
    len: u32,
    crc: u32,
    index: u64,
    leaf: Leaf,
    tag: u64,
    batch: u64,
    state: u8,
}

impl Header {
    fn read(bytes: &[u8]) -> Option<Self> {
        let head: &[u8; HEADER] = bytes.first_chunk()?;
        let late = match head.first_chunk::<4>()? {
            b"TEXT" => false,
            b"LATE" => true,
            _ => return None,
        };
        let sum = crc::more(crc::crc32c(head.get(..12)?), head.get(16..STATE)?);
        let len = u32_at(head, 4);
        let held = sum == u32_at(head, 12) && len as usize <= TEXT_BYTES_MAX;
        let state = *head.get(STATE)?;
        held.then(|| Header {
            late,
            len,
            crc: u32_at(head, 8),
            index: u64_at(head, 16),
            leaf: array_at(head, 24),
            tag: u64_at(head, 56),
            batch: u64_at(head, 64),
            state,
        })
    }
}

fn frame_len(len: usize) -> usize {
    padded(len.saturating_add(HEADER))
}

fn push_frame(out: &mut Vec<u8>, text: &NewText<'_>, batch: u64) {
    let from = out.len();
    out.extend_from_slice(if text.late { b"LATE" } else { b"TEXT" });
    let len = u32::try_from(text.bytes.len()).unwrap_or(u32::MAX);
    out.extend_from_slice(&len.to_le_bytes());
    out.extend_from_slice(&crc::crc32c(text.bytes).to_le_bytes());
    let sum = crc::crc32c(out.get(from..).unwrap_or_default());
    let mut rest = Vec::with_capacity(HEADER);
    rest.extend_from_slice(&text.index.to_le_bytes());
    rest.extend_from_slice(&text.leaf);
    rest.extend_from_slice(&text.tag.to_le_bytes());
    rest.extend_from_slice(&batch.to_le_bytes());
    out.extend_from_slice(&crc::more(sum, &rest).to_le_bytes());
    out.extend_from_slice(&rest);
    out.extend_from_slice(&[KEPT, 0, 0, 0, 0, 0, 0, 0]);
    out.extend_from_slice(text.bytes);
    out.resize(from.saturating_add(frame_len(text.bytes.len())), 0);
}

/// Where a text lies.
#[derive(Debug, Clone, Copy)]
struct Place {
    file: u64,
    offset: u64,
    len: u32,
    crc: u32,
    tag: u64,
    kept: bool,
}

/// All texts of a ledger.
pub(super) struct Texts {
    io: Arc<dyn Io>,
    id: Id,
    file_bytes: u64,
    places: BTreeMap<u64, Place>,
    tail: Option<Tail>,
    next_file: u64,
}

struct Tail {
    file: Box<dyn IoFile>,
    number: u64,
    end: u64,
    len: u64,
}

impl Texts {
    /// The entries that have a text, erased or not.
    pub fn indexes(&self) -> BTreeSet<u64> {
        self.places.keys().copied().collect()
    }

    /// Writes a batch and makes it durable.
    pub fn batch(&mut self, batch: &[NewText<'_>]) -> Result<(), Error> {
        let bytes: usize = batch.iter().map(|it| frame_len(it.bytes.len())).sum();
        let tail = self.room_for(bytes as u64)?;
        let (from, number) = (tail.end, tail.number);
        let mut frames = Vec::with_capacity(bytes);
        let mut places = Vec::with_capacity(batch.len());
        for text in batch {
            let offset = from.saturating_add(frames.len() as u64);
            push_frame(&mut frames, text, from);
            let len = u32::try_from(text.bytes.len()).unwrap_or(u32::MAX);
            let crc = crc::crc32c(text.bytes);
            let place = Place { file: number, offset, len, crc, tag: text.tag, kept: true };
            places.push((text.index, place));
        }
        let name = name_of(number);
        write_all(&*tail.file, &frames, from).map_err(|e| Error::io("write", &name, &e))?;
        tail.file.sync().map_err(|e| Error::io("sync", &name, &e))?;
        tail.end = from.saturating_add(frames.len() as u64);
        self.places.extend(places);
        Ok(())
    }

    fn room_for(&mut self, bytes: u64) -> Result<&mut Tail, Error> {
        let fits = |it: &&mut Tail| it.end.saturating_add(bytes) <= it.len;
        if self.tail.as_mut().filter(fits).is_none() {
            let header = FILE_HEADER as u64;
            let len = self.file_bytes.max(bytes.saturating_add(header));
            let number = self.next_file;
            let name = name_of(number);
            let head = file_header(MAGIC, self.id, number);
            let file = make_file(&*self.io, &name, &head, Some(len))?;
            self.io.sync_dir(TEXTS).map_err(|e| Error::io("sync", TEXTS, &e))?;
            self.next_file = number.saturating_add(1);
            self.tail = Some(Tail { file, number, end: header, len });
        }
        let none = || Error::new(Code::Stopped, "there is no file for texts");
        self.tail.as_mut().ok_or_else(none)
    }

    /// The text of an entry.
    pub fn read(&self, index: u64) -> Result<Vec<u8>, Error> {
        let none = || Error::new(Code::Missing, format!("entry {index} has no text"));
        let place = self.places.get(&index).ok_or_else(none)?;
        if !place.kept {
            return Err(Error::new(Code::Erased, format!("the text of entry {index} was erased")));
        }
        let name = name_of(place.file);
        let file = self.io.open(&name, How::Read).map_err(|e| Error::io("open", &name, &e))?;
        let mut bytes = vec![0; place.len as usize];
        let at = place.offset.saturating_add(HEADER as u64);
        let read = read_some(&*file, &mut bytes, at).map_err(|e| Error::io("read", &name, &e))?;
        bytes.truncate(read);
        if bytes.len() != place.len as usize || crc::crc32c(&bytes) != place.crc {
            let message = format!("the text of entry {index} in `{name}` is damaged");
            return Err(Error::new(Code::Damaged, message));
        }
        Ok(bytes)
    }

    /// The entries before an index of each agent that have a text.
    pub fn of_agents(&self, before: &BTreeMap<u64, u64>) -> Vec<u64> {
        let last = before.values().copied().max().unwrap_or_default();
        let theirs = |index: u64, tag: u64| before.get(&tag).is_some_and(|it| index < *it);
        let kept = self.places.range(..last).filter(|it| it.1.kept && theirs(*it.0, it.1.tag));
        kept.map(|(index, _)| *index).collect()
    }

    /// Erases the texts of some entries from the disk; those without one are passed over.
    pub fn erase(&mut self, indexes: &[u64]) -> Result<u64, Error> {
        let found = indexes.iter().filter_map(|it| Some((*it, *self.places.get(it)?)));
        let found: Vec<(u64, Place)> = found.filter(|(_, it)| it.kept).collect();
        let spots: Vec<Spot> = found.iter().map(|(_, it)| it.spot()).collect();
        erase(&*self.io, &spots)?;
        for (index, _) in &found {
            if let Some(place) = self.places.get_mut(index) {
                place.kept = false;
            }
        }
        Ok(found.len() as u64)
    }
}

impl Place {
    fn spot(&self) -> Spot {
        Spot { file: self.file, offset: self.offset, len: u64::from(self.len) }
    }
}

/// A frame that is to be erased.
#[derive(Debug, Clone, Copy)]
struct Spot {
    file: u64,
    offset: u64,
    len: u64,
}

/// Marks frames as being erased, durably, then makes their texts zeros, durably, and only then marks
/// them as erased: whatever a crash or a failed sync leaves, opening can finish it.
fn erase(io: &dyn Io, spots: &[Spot]) -> Result<(), Error> {
    let numbers: BTreeSet<u64> = spots.iter().map(|it| it.file).collect();
    for number in numbers {
        let name = name_of(number);
        let failed = |e| Error::io("erase in", &name, &e);
        let file = io.open(&name, How::Write).map_err(failed)?;
        let here = || spots.iter().filter(|it| it.file == number);
        let mark = |state: u8| {
            here().try_for_each(|spot| {
                write_all(&*file, &[state], spot.offset.saturating_add(STATE as u64))
            })
        };
        mark(ERASING).map_err(failed)?;
        file.sync().map_err(failed)?;
        for spot in here() {
            zero(&*file, spot.offset.saturating_add(HEADER as u64), spot.len).map_err(failed)?;
        }
        file.sync().map_err(failed)?;
        // Where this mark is lost, opening makes zeros of zeros.
        mark(ERASED).map_err(failed)?;
    }
    Ok(())
}

/// Makes a part of a file zeros.
pub(super) fn zero(file: &dyn IoFile, mut at: u64, len: u64) -> std::io::Result<()> {
    let zeros = vec![0; usize::try_from(len.min(1 << 20)).unwrap_or(1 << 20)];
    let end = at.saturating_add(len);
    while at < end {
        let left = usize::try_from(end.saturating_sub(at)).unwrap_or(usize::MAX);
        let piece = zeros.get(..left).unwrap_or(&zeros);
        write_all(file, piece, at)?;
        at = at.saturating_add(piece.len() as u64);
    }
    Ok(())
}
