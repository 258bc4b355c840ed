//! The bytes of headers, frames and leaf records, as FORMAT.md gives them.

use sha2::{Digest, Sha256};

use super::crc;

/// The bytes before an entry.
pub const FRAME_HEADER: usize = 40;
/// The bytes of a header of a file.
pub const FILE_HEADER: usize = 64;
/// The bytes of one leaf record.
pub const LEAF_RECORD: usize = 48;
/// An entry may have this many bytes, so that a 16-bit length holds it.
pub const ENTRY_BYTES_MAX: usize = 65_535;

/// The hash of an entry in the tree, and what the next entry of its agent names.
pub type Leaf = [u8; 32];
/// The id of a ledger.
pub type Id = [u8; 16];

/// The leaf hash of some bytes: SHA-256 of a zero byte and them (RFC 6962, section 2.1).
#[must_use]
pub fn leaf_hash(bytes: &[u8]) -> Leaf {
    Sha256::new().chain_update([0]).chain_update(bytes).finalize().into()
}

/// The tag of an agent: the first eight bytes of the hash of its name.
#[must_use]
pub fn agent_tag(agent: &str) -> u64 {
    let hash: [u8; 32] = Sha256::digest(agent).into();
    u64_at(&hash, 0)
}

/// The number of bytes up to the next multiple of eight.
#[must_use]
pub fn padded(len: usize) -> usize {
    len.saturating_add(7) & !7
}

/// Four bytes at a place, as a number; zero past the end.
#[must_use]
pub fn u32_at(bytes: &[u8], at: usize) -> u32 {
    let four = bytes.get(at..).and_then(<[u8]>::first_chunk).copied();
    u32::from_le_bytes(four.unwrap_or_default())
}

/// Eight bytes at a place, as a number; zero past the end.
#[must_use]
pub fn u64_at(bytes: &[u8], at: usize) -> u64 {
    let eight = bytes.get(at..).and_then(<[u8]>::first_chunk).copied();
    u64::from_le_bytes(eight.unwrap_or_default())
}

/// The bytes at a place; zeros where there are none.
#[must_use]
pub fn array_at<const N: usize>(bytes: &[u8], at: usize) -> [u8; N] {
    bytes.get(at..).and_then(<[u8]>::first_chunk).copied().unwrap_or([0; N])
}

/// The header of a file: what it is, of which ledger, and its number.
#[must_use]
pub fn file_header(magic: &[u8; 8], id: Id, number: u64) -> [u8; FILE_HEADER] {
    let mut out = Vec::with_capacity(FILE_HEADER);
    out.extend_from_slice(magic);
    out.extend_from_slice(&id);
    out.extend_from_slice(&number.to_le_bytes());
    out.resize(60, 0);
    out.extend_from_slice(&crc::crc32c(&out).to_le_bytes());
    array_at(&out, 0)
}

/// Whether a file begins with that header.
#[must_use]
pub fn has_header(bytes: &[u8], magic: &[u8; 8], id: Id, number: u64) -> bool {
    bytes.starts_with(&file_header(magic, id, number))
}

/// What a frame's header says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FrameHeader {
    /// How long the entry is.
    pub len: u32,
    /// The checksum of the entry.
    pub crc: u32,
    /// The entry's index.
    pub index: u64,
    /// The index of the first entry of its batch.
    pub base: u64,
    /// Whose it is.
    pub tag: u64,
}

impl FrameHeader {
    /// Reads a header, if its checksum holds and what it says is possible.
    #[must_use]
    pub fn read(bytes: &[u8]) -> Option<Self> {
        let head: &[u8; FRAME_HEADER] = bytes.first_chunk()?;
        let it = FrameHeader {
            len: u32_at(head, 0),
            crc: u32_at(head, 4),
            index: u64_at(head, 8),
            base: u64_at(head, 16),
            tag: u64_at(head, 24),
        };
        let possible = it.len > 0 && it.len as usize <= ENTRY_BYTES_MAX && it.base <= it.index;
        let summed = u32_at(head, 32) == crc::crc32c(head.get(..32)?) && u32_at(head, 36) == 0;
        (possible && summed).then_some(it)
    }

    /// How many bytes the frame takes, padding included.
    #[must_use]
    pub fn frame_len(&self) -> usize {
        frame_len(self.len as usize)
    }

    /// The entry behind the header, if it is as it was stored.
    #[must_use]
    pub fn body<'b>(&self, frame: &'b [u8]) -> Option<&'b [u8]> {
        let end = FRAME_HEADER.checked_add(self.len as usize)?;
        let body = frame.get(FRAME_HEADER..end)?;
        (crc::crc32c(body) == self.crc).then_some(body)
    }
}

/// The smallest frame: one byte in it.
pub const FRAME_MIN: usize = 48;

/// How many bytes a frame takes around an entry of that length.
#[must_use]
pub fn frame_len(entry_len: usize) -> usize {
    padded(entry_len.saturating_add(FRAME_HEADER))
}

/// Appends a frame.
pub fn push_frame(out: &mut Vec<u8>, index: u64, base: u64, tag: u64, entry: &[u8]) {
    let from = out.len();
    let len = u32::try_from(entry.len()).unwrap_or(u32::MAX);
    out.extend_from_slice(&len.to_le_bytes());
    out.extend_from_slice(&crc::crc32c(entry).to_le_bytes());
    out.extend_from_slice(&index.to_le_bytes());
    out.extend_from_slice(&base.to_le_bytes());
    out.extend_from_slice(&tag.to_le_bytes());
    let sum = crc::crc32c(out.get(from..).unwrap_or_default());
    out.extend_from_slice(&sum.to_le_bytes());
    out.extend_from_slice(&[0; 4]);
    out.extend_from_slice(entry);
    out.resize(from.saturating_add(frame_len(entry.len())), 0);
}

/// One record beside the segment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LeafRecord {
    /// The entry's hash.
    pub leaf: Leaf,
    /// Whose it is.
    pub tag: u64,
    /// How long the entry is.
    pub len: u32,
}

impl LeafRecord {
    /// Its bytes.
    #[must_use]
    pub fn bytes(&self, index: u64) -> [u8; LEAF_RECORD] {
        let mut out = Vec::with_capacity(LEAF_RECORD);
        out.extend_from_slice(&self.leaf);
        out.extend_from_slice(&self.tag.to_le_bytes());
        out.extend_from_slice(&self.len.to_le_bytes());
        let sum = crc::more(crc::crc32c(&index.to_le_bytes()), &out);
        out.extend_from_slice(&sum.to_le_bytes());
        array_at(&out, 0)
    }

    /// Reads the record of an index, if its checksum holds.
    #[must_use]
    pub fn read(bytes: &[u8], index: u64) -> Option<Self> {
        let bytes: &[u8; LEAF_RECORD] = bytes.first_chunk()?;
        let it =
            LeafRecord { leaf: array_at(bytes, 0), tag: u64_at(bytes, 32), len: u32_at(bytes, 40) };
        let possible = it.len > 0 && it.len as usize <= ENTRY_BYTES_MAX;
        (possible && it.bytes(index) == *bytes).then_some(it)
    }
}

#[cfg(test)]
mod tests {
    use super::{
        FILE_HEADER, FRAME_MIN, FrameHeader, LeafRecord, file_header, frame_len, has_header,
        push_frame,
    };

    #[test]
    fn a_frame_reads_back_and_no_flipped_bit_goes_unseen() {
        let mut frame = Vec::new();
        push_frame(&mut frame, 7, 5, 99, b"{\"v\":1}");
        assert_eq!((frame.len(), FRAME_MIN), (48, frame_len(1)));
        let header = FrameHeader::read(&frame).unwrap();
        assert_eq!((header.index, header.base, header.tag, header.len), (7, 5, 99, 7));
        assert_eq!(header.body(&frame), Some(&b"{\"v\":1}"[..]));
        for bit in 0..(40 + 7) * 8 {
            let mut bad = frame.clone();
            bad[bit / 8] ^= 1 << (bit % 8);
            let read = FrameHeader::read(&bad).and_then(|it| it.body(&bad).map(<[u8]>::to_vec));
            assert_eq!(read, None, "bit {bit}");
        }
    }

    #[test]
    fn a_leaf_record_belongs_to_one_index() {
        let record = LeafRecord { leaf: [3; 32], tag: 4, len: 5 };
        let bytes = record.bytes(6);
        assert_eq!(LeafRecord::read(&bytes, 6), Some(record));
        assert_eq!(LeafRecord::read(&bytes, 7), None);
        assert_eq!(LeafRecord::read(&[0; 48], 0), None);
    }

    #[test]
    fn a_header_belongs_to_one_ledger_and_one_number() {
        let header = file_header(b"LAWBSEG1", [1; 16], 2);
        assert_eq!(header.len(), FILE_HEADER);
        assert!(has_header(&header, b"LAWBSEG1", [1; 16], 2));
        assert!(!has_header(&header, b"LAWBSEG1", [2; 16], 2));
        assert!(!has_header(&header, b"LAWBSEG1", [1; 16], 3));
        assert!(!has_header(&header, b"LAWBLEA1", [1; 16], 2));
    }
}
