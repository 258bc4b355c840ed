//! Texts that belong to entries, apart from the log, so that they can be erased.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::crc;
use super::frame::{
    FILE_HEADER, Id, Leaf, array_at, file_header, has_header, padded, u32_at, u64_at,
};
use super::io::{How, Io, IoFile, read_some, read_whole, write_all};
use super::log::make_file;
use super::report::{Fault, Opened, Stops, What};
use super::{SEGMENT_BYTES_MAX, listed};
use crate::error::{Code, Error};

/// One text may have this many bytes.
pub const TEXT_BYTES_MAX: usize = 4 << 20;

const MAGIC: &[u8; 8] = b"LAWBTXT1";
const TEXTS: &str = "texts";
const HEADER: usize = 80;
const STATE: usize = 72;

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
    kept: bool,
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
        let kept = head.get(STATE).is_some_and(|it| *it != 0);
        held.then(|| Header {
            late,
            len,
            crc: u32_at(head, 8),
            index: u64_at(head, 16),
            leaf: array_at(head, 24),
            tag: u64_at(head, 56),
            batch: u64_at(head, 64),
            kept,
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
    out.extend_from_slice(&[1, 0, 0, 0, 0, 0, 0, 0]);
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

    /// The entries of an agent that have a text.
    pub fn of_agent(&self, tag: u64) -> Vec<u64> {
        let kept = self.places.iter().filter(|(_, it)| it.tag == tag && it.kept);
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

/// Marks frames as erased, durably, and only then makes their texts zeros, durably: whatever a crash
/// leaves, opening can finish it.
fn erase(io: &dyn Io, spots: &[Spot]) -> Result<(), Error> {
    let numbers: BTreeSet<u64> = spots.iter().map(|it| it.file).collect();
    for number in numbers {
        let name = name_of(number);
        let failed = |e| Error::io("erase in", &name, &e);
        let file = io.open(&name, How::Write).map_err(failed)?;
        let here = || spots.iter().filter(|it| it.file == number);
        for spot in here() {
            write_all(&*file, &[0], spot.offset.saturating_add(STATE as u64)).map_err(failed)?;
        }
        file.sync().map_err(failed)?;
        for spot in here() {
            zero(&*file, spot.offset.saturating_add(HEADER as u64), spot.len).map_err(failed)?;
        }
        file.sync().map_err(failed)?;
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

/// Reads all texts at opening.
///
/// `leaf` gives the leaf hash of an entry that is in the log. With `repair`, what a crash left is
/// finished: half erased texts, texts of lost batches, and the last batch, which is written again.
pub(super) fn open(
    io: &Arc<dyn Io>,
    id: Id,
    file_bytes: u64,
    leaf: &dyn Fn(u64) -> Option<Leaf>,
    repair: bool,
    opened: &mut Opened,
) -> Result<Texts, Error> {
    let mut texts =
        Texts { io: io.clone(), id, file_bytes, places: BTreeMap::new(), tail: None, next_file: 0 };
    let numbers = listed(&**io, TEXTS, ".txt")?;
    for (place, number) in numbers.iter().enumerate() {
        let last = place.saturating_add(1) == numbers.len();
        let read = read_file(&texts, *number, last, leaf, opened)?;
        if repair {
            read.repair(&**io, *number)?;
        }
        if last && !read.headed && read.places.is_empty() && read.erase.is_empty() {
            // What a crash left of making a file.
            if repair {
                let name = name_of(*number);
                io.remove(&name).map_err(|e| Error::io("remove", &name, &e))?;
                io.sync_dir(TEXTS).map_err(|e| Error::io("sync", TEXTS, &e))?;
            }
            break;
        }
        texts.places.extend(read.places);
        texts.next_file = number.saturating_add(1);
        if let Some((end, len)) = read.goes_on.filter(|_| last && repair) {
            let name = name_of(*number);
            let file = io.open(&name, How::Write).map_err(|e| Error::io("open", &name, &e))?;
            texts.tail = Some(Tail { file, number: *number, end, len });
        }
    }
    Ok(texts)
}

/// What reading one file found.
struct Read {
    bytes: Vec<u8>,
    places: Vec<(u64, Place)>,
    /// Frames that are to be erased, or whose erasing is to be finished.
    erase: Vec<Spot>,
    /// Where the last batch begins and ends; `None` when nothing is to be written again.
    batch: Option<(u64, u64)>,
    /// Parts of the last batch that no frame begins.
    torn: Vec<(u64, u64)>,
    /// Whether its header is right.
    headed: bool,
    /// End and length, if the next text can go here.
    goes_on: Option<(u64, u64)>,
}

fn read_file(
    texts: &Texts,
    number: u64,
    last: bool,
    leaf: &dyn Fn(u64) -> Option<Leaf>,
    opened: &mut Opened,
) -> Result<Read, Error> {
    let name = name_of(number);
    let bytes = read_whole(&*texts.io, &name, SEGMENT_BYTES_MAX);
    let bytes = bytes.map_err(|e| Error::io("read", &name, &e))?;
    let headed = has_header(&bytes, MAGIC, texts.id, number);
    let fault = |what, index, offset| Fault {
        what,
        stops: Stops::Nothing,
        index,
        agent: None,
        file: name.clone(),
        offset,
    };
    let frames = frames(&bytes);
    let end =
        frames.last().map_or(FILE_HEADER, |(at, it)| at.saturating_add(frame_len(it.len as usize)));
    let last_batch = frames.last().map(|(_, it)| it.batch).filter(|_| last);
    let mut read = Read {
        places: Vec::with_capacity(frames.len()),
        erase: Vec::new(),
        batch: last_batch.map(|from| (from, end as u64)),
        torn: Vec::new(),
        headed,
        goes_on: None,
        bytes: Vec::new(),
    };
    let unfinished = last && frames.is_empty();
    if !headed && !unfinished {
        opened.fault(fault(What::Header, None, 0));
    }
    let mut expected = FILE_HEADER;
    for (at, header) in &frames {
        // Zeros are what was cut after an earlier crash.
        let gap = bytes.get(expected..*at).unwrap_or_default();
        if gap.iter().any(|it| *it != 0) {
            if last_batch.is_some_and(|it| it <= expected as u64) {
                opened.texts_cut = opened.texts_cut.saturating_add(1);
                read.torn.push((expected as u64, gap.len() as u64));
            } else {
                opened.fault(fault(What::Text, None, expected as u64));
            }
        }
        expected = at.saturating_add(frame_len(header.len as usize));
        let from = at.saturating_add(HEADER);
        let text = bytes.get(from..).and_then(|it| it.get(..header.len as usize));
        let (offset, len) = (*at as u64, header.len);
        let spot = Spot { file: number, offset, len: u64::from(len) };
        let mut place = Place {
            file: number,
            offset,
            len,
            crc: header.crc,
            tag: header.tag,
            kept: header.kept,
        };
        if leaf(header.index) != Some(header.leaf) {
            // Its batch was lost, and its index may be another entry's now.
            if header.kept || text.is_some_and(|it| it.iter().any(|byte| *byte != 0)) {
                opened.texts_cut = opened.texts_cut.saturating_add(1);
                read.erase.push(spot);
            }
            continue;
        }
        let held = text.is_some_and(|it| crc::crc32c(it) == header.crc);
        if !header.kept {
            if text.is_some_and(|it| it.iter().any(|byte| *byte != 0)) {
                read.erase.push(spot);
            }
        } else if !held && header.late && last_batch == Some(header.batch) {
            opened.texts_cut = opened.texts_cut.saturating_add(1);
            read.erase.push(spot);
            place.kept = false;
        } else if !held {
            opened.fault(fault(What::Text, Some(header.index), offset));
        }
        read.places.push((header.index, place));
    }
    let rest = bytes.get(end..).unwrap_or_default();
    let dirty = rest.iter().rposition(|it| *it != 0);
    if let Some(dirty) = dirty.filter(|_| last) {
        opened.texts_cut = opened.texts_cut.saturating_add(1);
        read.torn.push((end as u64, (dirty as u64).saturating_add(1)));
    } else if dirty.is_some() {
        opened.fault(fault(What::Text, None, end as u64));
    }
    if headed && last {
        read.goes_on = Some((end as u64, bytes.len() as u64));
    }
    read.bytes = bytes;
    Ok(read)
}

impl Read {
    fn repair(&self, io: &dyn Io, number: u64) -> Result<(), Error> {
        let name = name_of(number);
        let failed = |e| Error::io("repair", &name, &e);
        if self.goes_on.is_some() || self.batch.is_some() || !self.torn.is_empty() {
            let file = io.open(&name, How::Write).map_err(failed)?;
            // A sync that failed may have left the header and the last batch in memory alone.
            if self.goes_on.is_some() {
                let header = self.bytes.get(..FILE_HEADER).unwrap_or_default();
                write_all(&*file, header, 0).map_err(failed)?;
            }
            if let Some((from, to)) = self.batch {
                let range = usize::try_from(from).ok().zip(usize::try_from(to).ok());
                let again = range.and_then(|(from, to)| self.bytes.get(from..to));
                write_all(&*file, again.unwrap_or_default(), from).map_err(failed)?;
            }
            for (at, len) in &self.torn {
                zero(&*file, *at, *len).map_err(failed)?;
            }
            file.sync().map_err(failed)?;
        }
        erase(io, &self.erase)
    }
}

/// The frames of a file and where they begin, those behind damage too.
fn frames(bytes: &[u8]) -> Vec<(usize, Header)> {
    let mut out = Vec::new();
    let mut at = FILE_HEADER;
    while let Some(rest) = bytes.get(at..).filter(|it| it.len() >= HEADER) {
        let zeros = rest.as_chunks::<8>().0.iter().take_while(|it| **it == [0; 8]).count();
        let header = if zeros == 0 { Header::read(rest) } else { None };
        let header = header.filter(|it| frame_len(it.len as usize) <= rest.len());
        match header {
            Some(header) => {
                out.push((at, header));
                at = at.saturating_add(frame_len(header.len as usize));
            }
            None => at = at.saturating_add(zeros.max(1).saturating_mul(8)),
        }
    }
    out
}
