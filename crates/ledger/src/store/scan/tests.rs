use super::{Bytes, Found, Stored, Torn, Walked, walk};
use crate::store::frame::{LeafRecord, file_header, frame_len, leaf_hash, push_frame};

const ID: [u8; 16] = [9; 16];

/// A segment of batches, each given by the lengths of its entries, with all leaf records or fewer.
fn segment(batches: &[&[usize]], records: usize) -> (Vec<u8>, Vec<u8>, Vec<usize>) {
    let mut bytes = file_header(b"LAWBSEG1", ID, 10).to_vec();
    let mut leaves = file_header(b"LAWBLEA1", ID, 10).to_vec();
    let (mut index, mut offsets) = (10, Vec::new());
    for batch in batches {
        let base = index;
        for len in *batch {
            let entry = vec![b'a' + (index % 20) as u8; *len];
            offsets.push(bytes.len());
            push_frame(&mut bytes, index, base, index % 3, &entry);
            if offsets.len() <= records {
                let record =
                    LeafRecord { leaf: leaf_hash(&entry), tag: index % 3, len: *len as u32 };
                leaves.extend_from_slice(&record.bytes(index));
            }
            index += 1;
        }
    }
    bytes.resize(8192, 0);
    (bytes, leaves, offsets)
}

fn walked<'b>(segment: &'b [u8], leaves: &'b [u8], next: Option<u64>) -> (Vec<Found<'b>>, Walked) {
    let mut found = Vec::new();
    let walked = walk(Bytes { segment, leaves, first: 10, next }, |it| found.push(it));
    (found, walked)
}

fn damaged(found: &[Found<'_>]) -> Vec<u64> {
    found.iter().filter(|it| it.body.is_none()).map(|it| it.index).collect()
}

#[test]
fn a_whole_segment_is_read_to_its_end() {
    let (bytes, leaves, offsets) = segment(&[&[20, 33], &[100]], 3);
    let (found, walked) = walked(&bytes, &leaves, None);
    assert_eq!(found.iter().map(|it| it.offset).collect::<Vec<_>>(), offsets);
    assert!(found.iter().all(|it| it.hash == it.leaf() && it.hash.is_some()));
    assert_eq!((walked.end, walked.next, walked.torn), (offsets[2] + frame_len(100), 13, None));
}

#[test]
fn a_last_batch_that_is_half_there_is_torn() {
    // No leaf record of the last batch: nothing says that it was durable.
    let (mut bytes, leaves, offsets) = segment(&[&[20], &[50, 60, 70]], 1);
    bytes[offsets[2] + 45] ^= 1;
    let (found, walked) = walked(&bytes, &leaves, None);
    assert_eq!(found.len(), 2);
    let end = offsets[3] + 40 + 70;
    let torn = Torn { index: 12, offset: offsets[2] as u64, bytes: (end - offsets[2]) as u64 };
    assert_eq!(walked, Walked { end: offsets[2], next: 12, torn: Some(torn) });
}

#[test]
fn a_frame_that_a_later_batch_stands_on_is_damaged_and_not_torn() {
    let (mut bytes, _, offsets) = segment(&[&[20], &[50, 60], &[70]], 0);
    bytes[offsets[1] + 45] ^= 1;
    let (found, walked) = walked(&bytes, &[], None);
    assert_eq!(damaged(&found), [11]);
    assert_eq!((found[1].tag, found[1].leaf()), (Some(2), None));
    assert_eq!((walked.next, walked.torn), (14, None));
}

#[test]
fn a_frame_with_a_leaf_record_is_damaged_even_at_the_end() {
    let (mut bytes, leaves, offsets) = segment(&[&[20], &[50]], 2);
    for at in [offsets[1], offsets[1] + 4, offsets[1] + 9, offsets[1] + 60] {
        bytes[at] ^= 0x40;
        let (found, walked) = walked(&bytes, &leaves, None);
        assert_eq!(damaged(&found), [11]);
        assert_eq!(found[1].tag, Some(2));
        assert!(matches!(found[1].record, Stored::Holds(_)));
        assert_eq!((walked.end, walked.torn), (offsets[1] + frame_len(50), None));
    }
}

#[test]
fn a_tail_that_was_cut_off_is_told_by_the_leaf_records() {
    let (mut bytes, leaves, offsets) = segment(&[&[20], &[50], &[60]], 3);
    bytes[offsets[1]..].fill(0);
    let (found, end) = walked(&bytes, &leaves, None);
    assert_eq!((damaged(&found), end.next, end.torn), (vec![11, 12], 13, None));
    bytes.truncate(offsets[1]);
    let (found, end) = walked(&bytes, &leaves, None);
    assert_eq!((damaged(&found), end.next, end.torn), (vec![11, 12], 13, None));
    let (found, _) = walked(&[], &leaves, None);
    assert_eq!(damaged(&found), [10, 11, 12]);
}

#[test]
fn frames_behind_a_broken_header_are_found_again() {
    // Two headers in a row are gone, and so are all leaf records.
    let (mut bytes, _, offsets) = segment(&[&[20], &[50], &[60], &[70], &[80]], 0);
    bytes[offsets[1]..offsets[1] + 8].fill(0xff);
    bytes[offsets[2]..offsets[2] + 8].fill(0xff);
    let (found, walked) = walked(&bytes, &[], None);
    assert_eq!(damaged(&found), [11, 12]);
    assert_eq!((found[3].offset, walked.next), (offsets[3], 15));
}

#[test]
fn in_a_segment_that_others_follow_nothing_is_torn() {
    let (mut bytes, _, offsets) = segment(&[&[20], &[50]], 0);
    bytes[offsets[1] + 45] ^= 1;
    let (found, end) = walked(&bytes, &[], Some(12));
    assert_eq!((damaged(&found), end.next, end.torn), (vec![11], 12, None));
    bytes[offsets[1]..].fill(0);
    let (found, end) = walked(&bytes, &[], Some(12));
    assert_eq!((damaged(&found), end.next, end.torn), (vec![11], 12, None));
}

#[test]
fn any_bytes_are_walked_to_an_end() {
    let (whole, leaves, _) = segment(&[&[20], &[50, 60], &[70], &[8, 9, 10]], 5);
    let mut state = 1_u64;
    let mut roll = move |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (state >> 33) as usize % below
    };
    for _ in 0..3_000 {
        let (mut bytes, mut leaves) = (whole.clone(), leaves.clone());
        for _ in 0..=roll(4) {
            let at = roll(900);
            bytes[at] = roll(256) as u8;
            let at = roll(leaves.len());
            leaves[at] = roll(256) as u8;
        }
        bytes.truncate(bytes.len() - roll(2) * roll(8192));
        let next = [None, Some(17), Some(12), Some(40)][roll(4)];
        let (found, walked) = walked(&bytes, &leaves, next);
        let indexes: Vec<u64> = found.iter().map(|it| it.index).collect();
        assert_eq!(indexes, (10..walked.next).collect::<Vec<_>>());
        // What is handed over is what was stored: a checksum guards every byte of it.
        for it in found.iter().filter(|it| it.body.is_some()) {
            assert_eq!(it.body.unwrap()[0], b'a' + (it.index % 20) as u8);
        }
    }
}

#[test]
fn a_frame_that_names_an_impossible_index_proves_nothing() {
    let (mut bytes, leaves, offsets) = segment(&[&[20], &[50]], 2);
    let mut forged = Vec::new();
    push_frame(&mut forged, 1 << 60, 1 << 60, 0, b"{}");
    let at = offsets[1] + frame_len(50) + 8;
    bytes[at..at + forged.len()].copy_from_slice(&forged);
    let (_, walked) = walked(&bytes, &leaves, None);
    assert_eq!((walked.next, walked.torn.map(|it| it.index)), (12, Some(12)));
}
