//! Reading the files of texts at opening, and finishing what a crash left.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{
    ERASED, HEADER, Header, KEPT, MAGIC, Place, Spot, TEXTS, Tail, Texts, erase, frame_len,
    name_of, zero,
};
use crate::error::Error;
use crate::store::crc;
use crate::store::frame::{FILE_HEADER, Id, Leaf, has_header};
use crate::store::io::{How, Io, read_whole, write_all};
use crate::store::report::{Fault, Opened, Stops, What};
use crate::store::{SEGMENT_BYTES_MAX, cuts, listed};

/// Reads all texts at opening.
///
/// `leaf` gives the leaf hash of an entry that is in the log. With `repair`, what a crash left is
/// finished: half erased texts, texts of lost batches, and the last batch, which is written again.
pub(in crate::store) fn open(
    io: &Arc<dyn Io>,
    id: Id,
    file_bytes: u64,
    leaf: &dyn Fn(u64) -> Option<Leaf>,
    repair: bool,
    opened: &mut Opened,
) -> Result<Texts, Error> {
    let mut texts =
        Texts { io: io.clone(), id, file_bytes, places: BTreeMap::new(), tail: None, next_file: 0 };
    let begun = cuts::read(&**io, TEXTS)?;
    let numbers = listed(&**io, TEXTS, ".txt")?;
    for (place, number) in numbers.iter().enumerate() {
        let last = place.saturating_add(1) == numbers.len();
        let mut read = read_file(&texts, *number, last, leaf, opened)?;
        // What an opening before this one began to cut: nothing was written since.
        let here = begun.as_chunks::<3>().0.iter().filter(|[file, ..]| file == number);
        read.torn.extend(here.map(|[_, at, len]| (*at, *len)));
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
    if repair {
        cuts::remove(&**io, TEXTS)?;
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
            kept: header.state == KEPT,
        };
        let left = text.is_some_and(|it| it.iter().any(|byte| *byte != 0));
        if leaf(header.index) != Some(header.leaf) {
            // Its batch was lost, and its index may be another entry's now.
            if header.state != ERASED || left {
                opened.texts_cut = opened.texts_cut.saturating_add(1);
                read.erase.push(spot);
            }
            continue;
        }
        let held = text.is_some_and(|it| crc::crc32c(it) == header.crc);
        if !place.kept {
            if header.state != ERASED || left {
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
            if !self.torn.is_empty() {
                let all = self.torn.iter().flat_map(|(at, len)| [number, *at, *len]);
                cuts::put(io, TEXTS, &all.collect::<Vec<_>>())?;
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
