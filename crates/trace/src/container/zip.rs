//! Taking the logs out of a zip archive: the `.eval` files of Inspect.

use std::collections::BTreeMap;
use std::io::Read;

use flate2::read::DeflateDecoder;
use lawbook_diag::Problem;
use ruzstd::decoding::StreamingDecoder;

use super::Limits;
use super::gzip::allowed;
use crate::Source;

const MAGIC: &[u8] = b"PK\x03\x04";
/// The end of an archive: its mark, its bytes, and how long a note may stand behind it.
const END: &[u8] = b"PK\x05\x06";
const END_BYTES: usize = 22;
const NOTE_MAX: usize = 65_535;
const ENTRY: &[u8] = b"PK\x01\x02";
const ENTRY_BYTES: usize = 46;
const LOCAL_BYTES: usize = 30;
/// What a member's size reads where the archive is made for files beyond 4 GiB.
const BEYOND: u32 = u32::MAX;

/// A member as the list at the end of the archive has it.
#[derive(Clone, Copy, Debug)]
struct Member<'b> {
    name: &'b [u8],
    encrypted: bool,
    method: u16,
    crc: u32,
    packed: u32,
    offset: u32,
}

/// The logs of an archive, one on each line; nothing when the input is no zip archive.
pub fn unpack(bytes: &[u8], source: &Source, limits: &Limits) -> Result<Option<Vec<u8>>, Problem> {
    if !bytes.starts_with(MAGIC) {
        return Ok(None);
    }
    let fails = |error: Failure| error.problem(source);
    let members = members(bytes).ok_or(Failure::Broken).map_err(fails)?;
    let chosen = chosen(&members);
    if chosen.is_empty() {
        return Err(Failure::NoLog.problem(source));
    }
    let max = allowed(bytes, limits);
    let mut text = Vec::new();
    for member in chosen {
        let start = text.len();
        member.unpack(bytes, max, &mut text).map_err(fails)?;
        let own = text.get_mut(start..).unwrap_or_default();
        // A line end inside a JSON text is white space and may be any other.
        own.iter_mut().filter(|it| matches!(**it, b'\n' | b'\r')).for_each(|it| *it = b' ');
        text.push(b'\n');
    }
    Ok(Some(text))
}

/// Why an archive can't be read.
#[derive(Clone, Copy, Debug)]
enum Failure {
    Broken,
    Encrypted,
    Method,
    NoLog,
    TooLarge,
}

impl Failure {
    fn problem(self, source: &Source) -> Problem {
        let (code, message, help) = match self {
            Failure::Broken => (
                "zip_broken",
                "the zip archive does not unpack",
                "copy the file again; it may be cut",
            ),
            Failure::Encrypted => (
                "zip_broken",
                "the zip archive is encrypted",
                "unpack it yourself and give its files",
            ),
            Failure::Method => (
                "zip_broken",
                "the zip archive is packed in a way that is not known",
                "unpack it yourself and give its files",
            ),
            Failure::NoLog => (
                "zip_unknown",
                "the zip archive is no log of Inspect",
                "unpack it yourself and give its files",
            ),
            Failure::TooLarge => (
                "zip_too_large",
                "the zip archive unpacks to more than is allowed",
                "unpack it yourself if you trust it",
            ),
        };
        Problem::new(source.name.clone(), code, message).help(help)
    }
}

/// The members that hold a log: what is said of all samples, then the samples. The newest of a name
/// counts, as an archive that is written to grows at its end.
fn chosen<'b>(members: &[Member<'b>]) -> Vec<Member<'b>> {
    let newest: BTreeMap<&[u8], usize> =
        members.iter().enumerate().map(|(at, member)| (member.name, at)).collect();
    let named = |name: &[u8]| newest.get(name).and_then(|at| members.get(*at)).copied();
    // An eval that was broken off has written only how it began.
    let header = named(b"header.json").or_else(|| named(b"_journal/start.json"));
    let is_sample =
        |it: &Member<'_>| it.name.starts_with(b"samples/") && it.name.ends_with(b".json");
    let samples = members
        .iter()
        .enumerate()
        .filter(|(at, member)| is_sample(member) && newest.get(member.name) == Some(at));
    header.into_iter().chain(samples.map(|(_, member)| *member)).collect()
}

/// The list at the end of an archive.
fn members(bytes: &[u8]) -> Option<Vec<Member<'_>>> {
    let from = bytes.len().saturating_sub(END_BYTES.saturating_add(NOTE_MAX));
    let tail = bytes.get(from..)?;
    let end = memchr::memmem::rfind(tail, END).and_then(|at| tail.get(at..))?;
    let count = usize::from(u16_at(end, 10)?);
    let mut rest = bytes.get(place(u32_at(end, 16)?)..)?;
    let mut members = Vec::with_capacity(count.min(rest.len() / ENTRY_BYTES));
    while members.len() < count {
        let (member, after) = entry(rest)?;
        members.push(member);
        rest = after;
    }
    Some(members)
}

fn entry(bytes: &[u8]) -> Option<(Member<'_>, &[u8])> {
    if !bytes.starts_with(ENTRY) {
        return None;
    }
    let length = |at| u16_at(bytes, at).map(usize::from);
    let (name, extra, note) = (length(28)?, length(30)?, length(32)?);
    let named = ENTRY_BYTES.checked_add(name)?;
    let member = Member {
        name: bytes.get(ENTRY_BYTES..named)?,
        encrypted: u16_at(bytes, 8)? & 1 == 1,
        method: u16_at(bytes, 10)?,
        crc: u32_at(bytes, 16)?,
        packed: u32_at(bytes, 20)?,
        offset: u32_at(bytes, 42)?,
    };
    Some((member, bytes.get(named.checked_add(extra)?.checked_add(note)?..)?))
}

impl Member<'_> {
    /// Adds the unpacked bytes; all members together may have `max`.
    fn unpack(&self, bytes: &[u8], max: usize, out: &mut Vec<u8>) -> Result<(), Failure> {
        if self.encrypted {
            return Err(Failure::Encrypted);
        }
        if self.packed == BEYOND || self.offset == BEYOND {
            return Err(Failure::TooLarge);
        }
        let packed = self.packed(bytes).ok_or(Failure::Broken)?;
        let start = out.len();
        match self.method {
            0 => read(packed, max, out)?,
            8 => read(DeflateDecoder::new(packed), max, out)?,
            20 | 93 => {
                let decoder = StreamingDecoder::new(packed).map_err(|_| Failure::Broken)?;
                read(decoder, max, out)?;
            }
            _ => return Err(Failure::Method),
        }
        let mut crc = flate2::Crc::new();
        crc.update(out.get(start..).unwrap_or_default());
        if crc.sum() == self.crc { Ok(()) } else { Err(Failure::Broken) }
    }

    fn packed<'b>(&self, bytes: &'b [u8]) -> Option<&'b [u8]> {
        let local = bytes.get(place(self.offset)..)?;
        if !local.starts_with(MAGIC) {
            return None;
        }
        let start = LOCAL_BYTES
            .checked_add(usize::from(u16_at(local, 26)?))?
            .checked_add(usize::from(u16_at(local, 28)?))?;
        local.get(start..start.checked_add(place(self.packed))?)
    }
}

fn read(from: impl Read, max: usize, out: &mut Vec<u8>) -> Result<(), Failure> {
    let more = max.saturating_sub(out.len()).saturating_add(1);
    let more = u64::try_from(more).unwrap_or(u64::MAX);
    let read = from.take(more).read_to_end(out);
    if out.len() > max {
        return Err(Failure::TooLarge);
    }
    read.map(drop).map_err(|_| Failure::Broken)
}

fn place(number: u32) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

#[cfg(test)]
mod tests;
