//! Reading one segment against its leaf hashes: which frames hold, where the log ends, and whether
//! what does not hold was torn by a crash or damaged later.

use super::frame::{
    FILE_HEADER, FRAME_HEADER, FRAME_MIN, FrameHeader, LEAF_RECORD, Leaf, LeafRecord, frame_len,
    leaf_hash,
};

/// A segment's bytes, its leaf records, and what is known of its neighbours.
#[derive(Debug, Clone, Copy)]
pub struct Bytes<'b> {
    /// The whole file, header included; empty where the file is gone.
    pub segment: &'b [u8],
    /// The whole file of leaf hashes; empty where it is gone or of another ledger.
    pub leaves: &'b [u8],
    /// The index of the first entry.
    pub first: u64,
    /// The first index of the next segment; `None` for the last one.
    pub next: Option<u64>,
}

/// One entry as it was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Found<'b> {
    /// Its index.
    pub index: u64,
    /// Where its frame begins, or should.
    pub offset: usize,
    /// Its bytes, unless they are damaged or gone.
    pub body: Option<&'b [u8]>,
    /// Whose it is, where header or leaf record say so.
    pub tag: Option<u64>,
    /// The hash of its bytes, where they hold.
    pub hash: Option<Leaf>,
    /// The first index of its batch, where the header says so.
    pub base: Option<u64>,
    /// What its leaf record says.
    pub record: Stored,
}

impl Found<'_> {
    /// The leaf hash that stands in the tree: the stored one, else that of the bytes.
    #[must_use]
    pub fn leaf(&self) -> Option<Leaf> {
        match self.record {
            Stored::Holds(record) => Some(record.leaf),
            Stored::Missing | Stored::Damaged => self.hash,
        }
    }
}

/// A leaf record as it was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stored {
    /// It is there and its checksum holds.
    Holds(LeafRecord),
    /// It is not there yet.
    Missing,
    /// Something else is there.
    Damaged,
}

/// What a crash left at the end of the log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Torn {
    /// The index that was being written.
    pub index: u64,
    /// Where in the segment.
    pub offset: u64,
    /// From there to the last byte that is not zero.
    pub bytes: u64,
}

/// Where the walk ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Walked {
    /// Where the next frame would begin.
    pub end: usize,
    /// The next index.
    pub next: u64,
    /// What a crash left.
    pub torn: Option<Torn>,
}

/// Walks the frames and hands each entry over, in order, without a gap.
///
/// It looks at each byte a bounded number of times, whatever is damaged.
pub fn walk<'b>(bytes: Bytes<'b>, mut take: impl FnMut(Found<'b>)) -> Walked {
    let mut durable = bytes.next.unwrap_or_else(|| recorded_until(&bytes));
    let mut proved = bytes.next.is_some();
    let mut ahead = Ahead { segment: bytes.segment, first: bytes.first, found: None };
    let (mut at, mut index) = (FILE_HEADER, bytes.first);
    loop {
        if bytes.next == Some(index) {
            return Walked { end: at, next: index, torn: None };
        }
        let header = header_at(bytes.segment, at).filter(|it| it.index == index);
        let record = record_at(&bytes, index);
        let frame = bytes.segment.get(at..).unwrap_or_default();
        if let Some((header, body)) = header.and_then(|it| Some((it, it.body(frame)?))) {
            let hash = Some(leaf_hash(body));
            let (tag, base) = (Some(header.tag), Some(header.base));
            take(Found { index, offset: at, body: Some(body), tag, hash, base, record });
            at = at.saturating_add(header.frame_len());
            index = index.saturating_add(1);
            continue;
        }
        if durable <= index && !proved {
            durable = durable.max(proved_until(bytes.segment, bytes.first, at));
            proved = true;
        }
        if durable <= index {
            return Walked { end: at, next: index, torn: torn(bytes.segment, at, index) };
        }
        // The entry was durable once, so it is damaged.
        let from_record = match record {
            Stored::Holds(record) => Some(record),
            Stored::Missing | Stored::Damaged => None,
        };
        let tag = header.map(|it| it.tag).or(from_record.map(|it| it.tag));
        let base = header.map(|it| it.base);
        take(Found { index, offset: at, body: None, tag, hash: None, base, record });
        index = index.saturating_add(1);
        let len = header.map(|it| it.frame_len());
        let len = len.or(from_record.map(|it| frame_len(it.len as usize)));
        // Without a length the next frame that holds says where to go on; without one, the others
        // are damaged where they lie.
        at = match len {
            Some(len) => at.saturating_add(len),
            None => match ahead.next(at, index) {
                Some((found, offset)) if found == index => offset,
                _ => at,
            },
        };
    }
}

/// One past the highest index of which a leaf record holds: all before it were durable.
fn recorded_until(bytes: &Bytes<'_>) -> u64 {
    let records = bytes.leaves.get(FILE_HEADER..).unwrap_or_default();
    let (records, _) = records.as_chunks::<LEAF_RECORD>();
    let held = records.iter().enumerate().rposition(|(place, record)| {
        let index = bytes.first.saturating_add(place as u64);
        LeafRecord::read(record, index).is_some()
    });
    held.map_or(bytes.first, |place| bytes.first.saturating_add(place as u64).saturating_add(1))
}

fn record_at(bytes: &Bytes<'_>, index: u64) -> Stored {
    let place = usize::try_from(index.saturating_sub(bytes.first)).unwrap_or(usize::MAX);
    let at = place.saturating_mul(LEAF_RECORD).saturating_add(FILE_HEADER);
    let record = bytes.leaves.get(at..).and_then(|it| it.get(..LEAF_RECORD));
    let Some(record) = record else { return Stored::Missing };
    match LeafRecord::read(record, index) {
        Some(record) => Stored::Holds(record),
        None if record.iter().all(|it| *it == 0) => Stored::Missing,
        None => Stored::Damaged,
    }
}

fn header_at(segment: &[u8], at: usize) -> Option<FrameHeader> {
    let header = FrameHeader::read(segment.get(at..)?)?;
    let end = at.checked_add(FRAME_HEADER)?.checked_add(header.len as usize)?;
    (end <= segment.len()).then_some(header)
}

/// The frames that hold from a place on, wherever they begin.
///
/// Text can't look like a frame: a header has bytes of zero, and JSON has none.
fn holding(segment: &[u8], first: u64, from: usize) -> impl Iterator<Item = (FrameHeader, usize)> {
    let mut at = from;
    std::iter::from_fn(move || {
        loop {
            let rest = segment.get(at..).filter(|it| it.len() >= FRAME_HEADER)?;
            // Most of a segment is room: zeros are skipped quickly.
            let zeros = rest.as_chunks::<8>().0.iter().take_while(|it| **it == [0; 8]).count();
            let offset = at;
            at = at.saturating_add(zeros.max(1).saturating_mul(8));
            let header = if zeros == 0 { header_at(segment, offset) } else { None };
            // Before a frame there is room for so many others and no more.
            let room = offset.saturating_sub(FILE_HEADER) / FRAME_MIN;
            let last = first.saturating_add(room as u64);
            let held = header.filter(|it| it.index <= last && it.body(rest).is_some());
            if let Some(header) = held {
                at = offset.saturating_add(header.frame_len());
                return Some((header, offset));
            }
        }
    })
}

/// One past the highest index that a frame behind a place says was durable before it was begun.
fn proved_until(segment: &[u8], first: u64, from: usize) -> u64 {
    holding(segment, first, from).map(|(header, _)| header.base).max().unwrap_or(0)
}

/// The next frame that holds, looked for once and kept.
struct Ahead<'b> {
    segment: &'b [u8],
    first: u64,
    found: Option<Option<(u64, usize)>>,
}

impl Ahead<'_> {
    /// Index and offset of the first frame at or behind a place that holds and comes at or after an
    /// index.
    fn next(&mut self, at: usize, index: u64) -> Option<(u64, usize)> {
        let stale = match self.found {
            None => true,
            Some(None) => false,
            Some(Some((found, offset))) => found < index || offset < at,
        };
        if stale {
            let mut frames =
                holding(self.segment, self.first, at).map(|(header, at)| (header.index, at));
            self.found = Some(frames.find(|(found, _)| *found >= index));
        }
        self.found.flatten()
    }
}

fn torn(segment: &[u8], at: usize, index: u64) -> Option<Torn> {
    let rest = segment.get(at..).unwrap_or_default();
    let last = rest.iter().rposition(|it| *it != 0)?;
    Some(Torn { index, offset: at as u64, bytes: (last as u64).saturating_add(1) })
}

#[cfg(test)]
mod tests;
