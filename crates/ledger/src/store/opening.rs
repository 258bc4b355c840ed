//! Opening a ledger: reading the log, judging what does not hold, and making good what a crash left.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::entry::{Head, Links};
use super::frame::{
    FILE_HEADER, FRAME_MIN, Id, LEAF_RECORD, Leaf, LeafRecord, agent_tag, file_header, has_header,
};
use super::io::{How, Io, read_whole, write_all};
use super::log::{LEAVES_MAGIC, LOG, SEGMENT_MAGIC, Segment, Tail, leaves_name, segment_name};
use super::report::{Fault, Opened, Stops, What};
use super::scan::{Bytes, Found, Stored, Walked, walk};
use super::texts::zero;
use super::{SEGMENT_BYTES_MAX, listed, report};
use crate::error::{Code, Error};

/// What is kept of an agent in memory.
#[derive(Debug)]
pub(super) struct Agent {
    /// Its name; `None` while only damaged entries of it were seen.
    pub name: Option<Arc<str>>,
    pub head: Head,
    /// Whether the leaf hash of its newest entry was lost, so that nothing can be held against it.
    pub unsure: bool,
    /// Why nothing is added to its record.
    pub stopped: Option<String>,
    /// What waits for the disk: entries, their bytes, and bytes of texts.
    pub waiting: [usize; 3],
}

impl Agent {
    pub fn new(name: Option<Arc<str>>) -> Self {
        Agent { name, head: Head::NONE, unsure: false, stopped: None, waiting: [0; 3] }
    }
}

/// The log as it was read.
pub(super) struct Log {
    pub segments: Vec<Segment>,
    /// By tag.
    pub agents: BTreeMap<u64, Agent>,
    pub next: u64,
    pub tail: Option<Tail>,
    /// Why the store as a whole accepts nothing.
    pub stopped: Option<String>,
}

/// Reads the log; with `repair`, makes good what a crash left.
pub(super) fn open_log(
    io: &Arc<dyn Io>,
    id: Id,
    repair: bool,
    opened: &mut Opened,
) -> Result<Log, Error> {
    let log =
        Log { segments: Vec::new(), agents: BTreeMap::new(), next: 0, tail: None, stopped: None };
    let mut reading = Reading { io: io.clone(), id, repair, log, links: Links::default(), opened };
    let mut firsts = listed(&**io, LOG, ".seg")?;
    firsts.extend(listed(&**io, LOG, ".leaf")?);
    firsts.sort_unstable();
    firsts.dedup();
    for (place, first) in firsts.iter().enumerate() {
        reading.segment(*first, firsts.get(place.saturating_add(1)).copied())?;
    }
    if repair {
        io.sync_dir(LOG).map_err(|e| Error::io("sync", LOG, &e))?;
    }
    Ok(reading.log)
}

struct Reading<'r> {
    io: Arc<dyn Io>,
    id: Id,
    repair: bool,
    log: Log,
    links: Links,
    opened: &'r mut Opened,
}

/// The files of one segment.
struct Files {
    first: u64,
    segment: Vec<u8>,
    leaves: Vec<u8>,
    /// Whether the file of leaf hashes has its header.
    leaves_headed: bool,
}

/// What walking a segment leaves to do.
#[derive(Default)]
struct ToDo {
    segment: Option<Segment>,
    /// Leaf records that are missing or damaged, with the entry's hash.
    records: Vec<(u64, LeafRecord)>,
    /// Whether some entry is damaged.
    damaged: bool,
    /// Base and offset of the first frame of the last batch.
    batch: Option<(u64, usize)>,
}

impl Reading<'_> {
    fn segment(&mut self, first: u64, next: Option<u64>) -> Result<(), Error> {
        let name = segment_name(first);
        if first != self.log.next {
            let message =
                format!("`{name}` begins at entry {first}; the next is {}", self.log.next);
            return Err(Error::new(Code::Damaged, message));
        }
        let files = self.read(first)?;
        if let Some(next) = next {
            possible(&files, next)?;
        }
        let headed = has_header(&files.segment, SEGMENT_MAGIC, self.id, first);
        let bytes = Bytes { segment: &files.segment, leaves: &files.leaves, first, next };
        let mut todo = ToDo { segment: Some(Segment::new(first)), ..ToDo::default() };
        let walked = walk(bytes, |found| self.found(&files, &found, &mut todo));
        let empty = walked.next == first;
        if !headed && next.is_none() && empty && walked.torn.is_none() {
            return self.remove(first);
        }
        if !headed {
            self.fault(What::Header, Stops::Nothing, (None, None), &name, 0);
        }
        self.log.next = walked.next;
        self.log.segments.extend(todo.segment.take());
        self.told_records(&files, &todo, next.is_some());
        if let Some(torn) = walked.torn {
            let (index, offset, bytes) = (torn.index, torn.offset, torn.bytes);
            self.opened.torn = Some(report::Tail { index, segment: first, offset, bytes });
        }
        if self.repair {
            self.make_good(&files, &todo, &walked, (next.is_none(), headed))?;
        }
        Ok(())
    }

    fn read(&self, first: u64) -> Result<Files, Error> {
        let read = |name: &str| match read_whole(&*self.io, name, SEGMENT_BYTES_MAX) {
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(Vec::new()),
            other => other.map_err(|e| Error::io("read", name, &e)),
        };
        let segment = read(&segment_name(first))?;
        let mut leaves = read(&leaves_name(first))?;
        let leaves_headed = has_header(&leaves, LEAVES_MAGIC, self.id, first);
        if !leaves_headed {
            leaves.clear();
        }
        Ok(Files { first, segment, leaves, leaves_headed })
    }

    /// Removes what a crash left of making a segment.
    fn remove(&mut self, first: u64) -> Result<(), Error> {
        if !self.repair {
            return Ok(());
        }
        for name in [segment_name(first), leaves_name(first)] {
            match self.io.remove(&name) {
                Err(e) if e.kind() != std::io::ErrorKind::NotFound => {
                    return Err(Error::io("remove", &name, &e));
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn fault(
        &mut self,
        what: What,
        stops: Stops,
        (index, agent): (Option<u64>, Option<String>),
        file: &str,
        offset: u64,
    ) {
        let fault = Fault { what, stops, index, agent, file: file.to_owned(), offset };
        if stops == Stops::Store && self.log.stopped.is_none() {
            self.log.stopped = Some(fault.to_string());
        }
        self.opened.fault(fault);
    }

    /// Takes an entry into the chains.
    fn found(&mut self, files: &Files, found: &Found<'_>, todo: &mut ToDo) {
        let held = found.body.is_some();
        if let Some(segment) = &mut todo.segment {
            segment.push(held.then_some(found.offset));
        }
        if let Some(base) =
            found.base.filter(|_| held && todo.batch.is_none_or(|it| Some(it.0) != found.base))
        {
            todo.batch = Some((base, found.offset));
        }
        let Some((body, hash)) = found.body.zip(found.hash) else {
            todo.damaged = true;
            return self.damaged(files, found);
        };
        let tag = found.tag.unwrap_or_default();
        let len = u32::try_from(body.len()).unwrap_or(u32::MAX);
        let record = LeafRecord { leaf: hash, tag, len };
        let edited = match found.record {
            Stored::Holds(stored) => stored != record,
            Stored::Missing | Stored::Damaged => {
                todo.records.push((found.index, record));
                false
            }
        };
        let leaf = found.leaf().unwrap_or(hash);
        match self.links.read(body) {
            Ok(link) => {
                let own = agent_tag(&link.agent);
                let agent = self.agent(own);
                let (head, name) = (agent.head, Some(link.agent.clone()));
                let unsure = std::mem::take(&mut agent.unsure);
                agent.name.get_or_insert_with(|| Arc::from(&*link.agent));
                agent.head = Head { next_seq: link.seq.saturating_add(1), leaf };
                let what = if edited || own != tag {
                    Some(What::Edited)
                } else if link.seq != head.next_seq {
                    Some(What::Seq)
                } else {
                    (link.prev != head.leaf && !unsure).then_some(What::Prev)
                };
                if let Some(what) = what {
                    self.stop(what, own, name, files, found);
                    if own != tag {
                        self.stop(what, tag, None, files, found);
                    }
                }
            }
            Err(_) => {
                self.continues(tag, leaf);
                let what = if edited { What::Edited } else { What::NotAnEntry };
                self.stop(what, tag, None, files, found);
            }
        }
    }

    fn agent(&mut self, tag: u64) -> &mut Agent {
        self.log.agents.entry(tag).or_insert_with(|| Agent::new(None))
    }

    /// Moves a chain past an entry that can't be read.
    fn continues(&mut self, tag: u64, leaf: Leaf) {
        let head = &mut self.agent(tag).head;
        *head = Head { next_seq: head.next_seq.saturating_add(1), leaf };
    }

    fn damaged(&mut self, files: &Files, found: &Found<'_>) {
        match (found.leaf(), found.tag) {
            (Some(leaf), Some(tag)) => {
                self.continues(tag, leaf);
                self.stop(What::Damaged, tag, None, files, found);
            }
            (_, tag) => {
                if let Some(tag) = tag {
                    self.continues(tag, [0; 32]);
                    self.agent(tag).unsure = true;
                }
                let name = tag.and_then(|it| self.agent(it).name.clone());
                let about = (Some(found.index), name.map(|it| it.to_string()));
                let file = segment_name(files.first);
                self.fault(What::Lost, Stops::Store, about, &file, found.offset as u64);
            }
        }
    }

    fn stop(
        &mut self,
        what: What,
        tag: u64,
        name: Option<String>,
        files: &Files,
        found: &Found<'_>,
    ) {
        let known = self.agent(tag).name.as_ref().map(ToString::to_string);
        let about = (Some(found.index), name.or(known));
        let file = segment_name(files.first);
        let offset = found.offset as u64;
        let fault = Fault {
            what,
            stops: Stops::Agent,
            index: about.0,
            agent: about.1.clone(),
            file: file.clone(),
            offset,
        };
        self.agent(tag).stopped.get_or_insert_with(|| fault.to_string());
        self.opened.fault(fault);
    }

    /// Tells leaf records that are missing or damaged. Those of the last segment were not synced, so
    /// a loss of power may have taken any of them.
    fn told_records(&mut self, files: &Files, todo: &ToDo, followed: bool) {
        let name = leaves_name(files.first);
        if !files.leaves_headed && (followed || !todo.records.is_empty()) {
            self.fault(What::Header, Stops::Nothing, (None, None), &name, 0);
        } else if followed {
            for (index, _) in &todo.records {
                let offset = record_at(files.first, *index).unwrap_or_default() as u64;
                let about = (Some(*index), None);
                self.fault(What::LeafRecord, Stops::Nothing, about, &name, offset);
            }
        } else {
            self.opened.leaves_made = todo.records.len() as u64;
        }
    }

    /// Makes the last segment good and opens it to go on, then its leaf hashes: a leaf record says
    /// that its entry is durable, so it comes after.
    fn make_good(
        &mut self,
        files: &Files,
        todo: &ToDo,
        walked: &Walked,
        (last, headed): (bool, bool),
    ) -> Result<(), Error> {
        let segment = if last { self.last(files, todo, walked)? } else { None };
        if !last && todo.records.is_empty() && files.leaves_headed {
            return Ok(());
        }
        let name = leaves_name(files.first);
        let failed = |e| Error::io("write", &name, &e);
        let leaves = match self.io.open(&name, How::Write) {
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => self.io.open(&name, How::Make),
            other => other,
        };
        let leaves = leaves.map_err(failed)?;
        let mut bytes = files.leaves.clone();
        if !files.leaves_headed {
            bytes = file_header(LEAVES_MAGIC, self.id, files.first).to_vec();
        }
        for (index, record) in &todo.records {
            let Some(at) = record_at(files.first, *index) else { continue };
            let end = at.saturating_add(LEAF_RECORD);
            if bytes.len() < end {
                bytes.resize(end, 0);
            }
            if let Some(place) = bytes.get_mut(at..end) {
                place.copy_from_slice(&record.bytes(*index));
            }
        }
        // All of it, since a sync that failed may have left any of it in memory alone.
        write_all(&*leaves, &bytes, 0).map_err(failed)?;
        leaves.sync().map_err(failed)?;
        // A segment that is damaged is written no more.
        if let Some(segment) = segment.filter(|_| headed && !todo.damaged) {
            let (end, len) = (walked.end as u64, files.segment.len() as u64);
            self.log.tail = Some(Tail { segment, leaves, first: files.first, end, len });
        }
        Ok(())
    }

    fn last(
        &mut self,
        files: &Files,
        todo: &ToDo,
        walked: &Walked,
    ) -> Result<Option<Box<dyn super::io::IoFile>>, Error> {
        let name = segment_name(files.first);
        let failed = |e| Error::io("write", &name, &e);
        let segment = match self.io.open(&name, How::Write) {
            // Only its leaf hashes are left.
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            other => other.map_err(failed)?,
        };
        if let Some(torn) = walked.torn {
            zero(&*segment, torn.offset, torn.bytes).map_err(failed)?;
        }
        // A sync that failed may have left the header and the last batch in memory alone.
        if has_header(&files.segment, SEGMENT_MAGIC, self.id, files.first) {
            let header = file_header(SEGMENT_MAGIC, self.id, files.first);
            write_all(&*segment, &header, 0).map_err(failed)?;
        }
        if let Some((_, from)) = todo.batch.filter(|_| !todo.damaged) {
            let again = files.segment.get(from..walked.end).unwrap_or_default();
            write_all(&*segment, again, from as u64).map_err(failed)?;
        }
        segment.sync().map_err(failed)?;
        Ok(Some(segment))
    }
}

fn record_at(first: u64, index: u64) -> Option<usize> {
    let place = usize::try_from(index.checked_sub(first)?).ok()?;
    place.checked_mul(LEAF_RECORD)?.checked_add(FILE_HEADER)
}

/// Whether a segment can hold entries up to where the next one begins.
fn possible(files: &Files, next: u64) -> Result<(), Error> {
    let frames = files.segment.len().saturating_sub(FILE_HEADER) / FRAME_MIN;
    let records = files.leaves.len().saturating_sub(FILE_HEADER) / LEAF_RECORD;
    let most = files.first.saturating_add(frames.max(records) as u64);
    if next > most {
        let name = segment_name(files.first);
        let message = format!("entries before {next} are missing: `{name}` ends before {most}");
        return Err(Error::new(Code::Damaged, message));
    }
    Ok(())
}
