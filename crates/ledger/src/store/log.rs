//! The files of the log: names, where entries lie, reading one, and writing at the end.

use std::sync::{Arc, Mutex, PoisonError, RwLock};

use super::frame::{
    FILE_HEADER, FRAME_HEADER, FrameHeader, Id, LEAF_RECORD, Leaf, LeafRecord, file_header,
    frame_len, push_frame,
};
use super::io::{How, Io, IoFile, read_some, write_all};
use crate::error::{Code, Error};

pub(super) const SEGMENT_MAGIC: &[u8; 8] = b"LAWBSEG1";
pub(super) const LEAVES_MAGIC: &[u8; 8] = b"LAWBLEA1";
/// The folder of the log.
pub(super) const LOG: &str = "log";

/// An offset that stands for an entry that is damaged or gone.
const NOWHERE: u32 = u32::MAX;

pub(super) fn segment_name(first: u64) -> String {
    format!("{LOG}/{first:020}.seg")
}

pub(super) fn leaves_name(first: u64) -> String {
    format!("{LOG}/{first:020}.leaf")
}

/// Where the entries of one segment lie.
#[derive(Debug)]
pub(super) struct Segment {
    pub first: u64,
    offsets: Vec<u32>,
}

impl Segment {
    pub fn new(first: u64) -> Self {
        Segment { first, offsets: Vec::new() }
    }

    /// Adds the next entry; `None` for one that can't be read.
    pub fn push(&mut self, offset: Option<usize>) {
        let offset = offset.and_then(|it| u32::try_from(it).ok()).unwrap_or(NOWHERE);
        self.offsets.push(offset);
    }

    fn next(&self) -> u64 {
        self.first.saturating_add(self.offsets.len() as u64)
    }
}

/// Where all durable entries lie, and how they are read.
pub(super) struct Places {
    io: Arc<dyn Io>,
    segments: RwLock<Vec<Segment>>,
    /// The files that were read last.
    open: Mutex<Option<(String, Arc<dyn IoFile>)>>,
}

impl Places {
    pub fn new(io: Arc<dyn Io>, segments: Vec<Segment>) -> Self {
        Places { io, segments: RwLock::new(segments), open: Mutex::new(None) }
    }

    /// The segment that holds an index, and where in it the entry begins.
    fn find(&self, index: u64) -> Option<(u64, u32)> {
        let segments = self.segments.read().unwrap_or_else(PoisonError::into_inner);
        let after = segments.partition_point(|it| it.first <= index);
        let segment = segments.get(after.checked_sub(1)?)?;
        let place = usize::try_from(index.checked_sub(segment.first)?).ok()?;
        Some((segment.first, *segment.offsets.get(place)?))
    }

    /// Adds what was made durable.
    fn extend(&self, first: u64, offsets: impl Iterator<Item = usize>) {
        let mut segments = self.segments.write().unwrap_or_else(PoisonError::into_inner);
        if segments.last().is_none_or(|it| it.first != first) {
            segments.push(Segment::new(first));
        }
        let Some(last) = segments.last_mut() else { return };
        for offset in offsets {
            last.push(Some(offset));
        }
    }

    /// One past the last durable index.
    pub fn size(&self) -> u64 {
        let segments = self.segments.read().unwrap_or_else(PoisonError::into_inner);
        segments.last().map_or(0, Segment::next)
    }

    fn file(&self, name: &str) -> Result<Arc<dyn IoFile>, Error> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, file)) = open.as_ref().filter(|it| it.0 == name) {
            return Ok(file.clone());
        }
        let file = self.io.open(name, How::Read).map_err(|e| Error::io("open", name, &e))?;
        let file: Arc<dyn IoFile> = Arc::from(file);
        *open = Some((name.to_owned(), file.clone()));
        Ok(file)
    }

    /// The bytes of an entry.
    pub fn entry(&self, index: u64) -> Result<Vec<u8>, Error> {
        let (first, offset) = self.find(index).ok_or_else(|| missing(index))?;
        let name = segment_name(first);
        let damaged = || {
            let message = format!("entry {index} in `{name}` is damaged or gone");
            Error::new(Code::Damaged, message)
        };
        if offset == NOWHERE {
            return Err(damaged());
        }
        let file = self.file(&name)?;
        let reading = |e| Error::io("read", &name, &e);
        let mut frame = vec![0; 1_024];
        let read = read_some(&*file, &mut frame, u64::from(offset)).map_err(reading)?;
        frame.truncate(read);
        let header = FrameHeader::read(&frame).filter(|it| it.index == index);
        let header = header.ok_or_else(damaged)?;
        if header.frame_len() > frame.len() {
            frame.resize(header.frame_len(), 0);
            read_some(&*file, &mut frame, u64::from(offset)).map_err(reading)?;
        }
        header.body(&frame).ok_or_else(damaged)?;
        frame.truncate(FRAME_HEADER.saturating_add(header.len as usize));
        frame.drain(..FRAME_HEADER);
        Ok(frame)
    }

    /// The leaf hash of an entry, as it stands beside the log.
    pub fn leaf(&self, index: u64) -> Result<Leaf, Error> {
        Ok(self.record(index)?.leaf)
    }

    /// Place and agent tag of an entry.
    pub fn placed(&self, index: u64) -> Result<(super::Placed, u64), Error> {
        let record = self.record(index)?;
        Ok((super::Placed { index, leaf: record.leaf }, record.tag))
    }

    fn record(&self, index: u64) -> Result<LeafRecord, Error> {
        let (first, _) = self.find(index).ok_or_else(|| missing(index))?;
        let name = leaves_name(first);
        let file = self.file(&name)?;
        let mut record = [0; LEAF_RECORD];
        let at = record_at(index.saturating_sub(first));
        read_some(&*file, &mut record, at).map_err(|e| Error::io("read", &name, &e))?;
        let record = LeafRecord::read(&record, index);
        let message = || format!("the leaf hash of entry {index} in `{name}` is damaged");
        record.ok_or_else(|| Error::new(Code::Damaged, message()))
    }
}

fn missing(index: u64) -> Error {
    Error::new(Code::Missing, format!("there is no entry {index}"))
}

fn record_at(place: u64) -> u64 {
    place.saturating_mul(LEAF_RECORD as u64).saturating_add(FILE_HEADER as u64)
}

/// What is written: an entry that has its index.
#[derive(Debug)]
pub(super) struct Placed {
    pub bytes: Vec<u8>,
    pub tag: u64,
    pub leaf: Leaf,
}

/// The end of the log, where the leader writes.
pub(super) struct Writer {
    io: Arc<dyn Io>,
    id: Id,
    segment_bytes: u64,
    tail: Option<Tail>,
}

/// The last segment.
pub(super) struct Tail {
    pub segment: Box<dyn IoFile>,
    pub leaves: Box<dyn IoFile>,
    pub first: u64,
    /// Where the next frame begins.
    pub end: u64,
    /// How long the file is.
    pub len: u64,
}

impl Writer {
    pub fn new(io: Arc<dyn Io>, id: Id, segment_bytes: u64, tail: Option<Tail>) -> Self {
        Writer { io, id, segment_bytes, tail }
    }

    /// Writes a batch whose first index is `base` and makes it durable.
    pub fn batch(&mut self, places: &Places, base: u64, batch: &[Placed]) -> Result<(), Error> {
        let room: usize = batch.iter().map(|it| frame_len(it.bytes.len())).sum();
        let mut frames = Vec::with_capacity(room);
        let mut records = Vec::with_capacity(batch.len().saturating_mul(LEAF_RECORD));
        let mut starts = Vec::with_capacity(batch.len());
        for (entry, index) in batch.iter().zip(base..) {
            starts.push(frames.len());
            push_frame(&mut frames, index, base, entry.tag, &entry.bytes);
            let len = u32::try_from(entry.bytes.len()).unwrap_or(u32::MAX);
            let record = LeafRecord { leaf: entry.leaf, tag: entry.tag, len };
            records.extend_from_slice(&record.bytes(index));
        }
        let tail = self.room_for(base, frames.len() as u64)?;
        let (name, leaves) = (segment_name(tail.first), leaves_name(tail.first));
        write_all(&*tail.segment, &frames, tail.end).map_err(|e| Error::io("write", &name, &e))?;
        tail.segment.sync().map_err(|e| Error::io("sync", &name, &e))?;
        let at = record_at(base.saturating_sub(tail.first));
        write_all(&*tail.leaves, &records, at).map_err(|e| Error::io("write", &leaves, &e))?;
        let end = usize::try_from(tail.end).unwrap_or(usize::MAX);
        places.extend(tail.first, starts.iter().map(|it| it.saturating_add(end)));
        tail.end = tail.end.saturating_add(frames.len() as u64);
        Ok(())
    }

    /// The segment to write to: the last one, or a new one when it is full.
    fn room_for(&mut self, base: u64, bytes: u64) -> Result<&mut Tail, Error> {
        let fits = |it: &&mut Tail| it.end.saturating_add(bytes) <= it.len;
        if self.tail.as_mut().filter(fits).is_none() {
            self.close()?;
            let header = FILE_HEADER as u64;
            let len = self.segment_bytes.max(bytes.saturating_add(header));
            let tail = make_segment(&*self.io, self.id, base, len)?;
            self.tail = Some(tail);
        }
        let none = || Error::new(Code::Stopped, "the log has no segment");
        self.tail.as_mut().ok_or_else(none)
    }

    /// Makes the leaf hashes of the last segment durable.
    pub fn close(&mut self) -> Result<(), Error> {
        if let Some(tail) = &self.tail {
            let name = leaves_name(tail.first);
            tail.leaves.sync().map_err(|e| Error::io("sync", &name, &e))?;
        }
        Ok(())
    }
}

/// Makes an empty segment and its file of leaf hashes, durably.
fn make_segment(io: &dyn Io, id: Id, first: u64, len: u64) -> Result<Tail, Error> {
    let (name, leaves_name) = (segment_name(first), leaves_name(first));
    let segment = make_file(io, &name, &file_header(SEGMENT_MAGIC, id, first), Some(len))?;
    let leaves = make_file(io, &leaves_name, &file_header(LEAVES_MAGIC, id, first), None)?;
    io.sync_dir(LOG).map_err(|e| Error::io("sync", LOG, &e))?;
    Ok(Tail { segment, leaves, first, end: FILE_HEADER as u64, len })
}

/// Makes a file with its header, synced; its name is durable once the folder is synced.
pub(super) fn make_file(
    io: &dyn Io,
    name: &str,
    header: &[u8],
    len: Option<u64>,
) -> Result<Box<dyn IoFile>, Error> {
    let file = io.open(name, How::Make).map_err(|e| Error::io("make", name, &e))?;
    if let Some(len) = len {
        file.allocate(len).map_err(|e| Error::io("make room in", name, &e))?;
    }
    write_all(&*file, header, 0).map_err(|e| Error::io("write", name, &e))?;
    file.sync().map_err(|e| Error::io("sync", name, &e))?;
    Ok(file)
}
