//! Where a large text may be cut, so that what follows is read while what stands before still is.
//!
//! The cut is a guess: an item of a list seems to begin there. Whoever reads the first half finds
//! out whether it does.

use memchr::memmem;

use super::scan::past_blank;

/// Smaller texts are read in one go.
pub(super) const HALVES_BYTES_MIN: usize = 4 << 20;

/// How many bytes at the beginning show what the lists of a text hold.
const HEAD_BYTES: usize = 4 << 10;

/// How many bytes are searched for the beginning of an item.
const SEARCHED_BYTES: usize = 1 << 20;

/// How many lists are tried that begin there, the outermost first.
const LISTS_TRIED: usize = 4;

/// The place after a comma near the middle of a text, where an item of one of its outermost lists
/// of objects seems to begin.
pub(super) fn cut(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let head = bytes.get(..HEAD_BYTES.min(bytes.len()))?;
    let starts = memchr::memchr_iter(b'[', head).filter_map(|it| first_item(head, it));
    starts.take(LISTS_TRIED).find_map(|start| item_near_the_middle(bytes, start))
}

/// How the items of the list begin that is opened at `at`: a brace and the first key.
fn first_item(head: &[u8], at: usize) -> Option<&[u8]> {
    let brace = past_blank(head, at.wrapping_add(1));
    let key = past_blank(head, brace.wrapping_add(1));
    let is_object = head.get(brace) == Some(&b'{') && head.get(key) == Some(&b'"');
    let length = memchr::memchr(b'"', head.get(key.wrapping_add(1)..)?)?;
    let end = key.wrapping_add(length).wrapping_add(2);
    is_object.then(|| head.get(brace..end))?
}

fn item_near_the_middle(bytes: &[u8], start: &[u8]) -> Option<usize> {
    let middle = bytes.len() / 2;
    let searched = bytes.get(middle..middle.wrapping_add(SEARCHED_BYTES).min(bytes.len()))?;
    memmem::find_iter(searched, start).find_map(|it| {
        let before = bytes.get(..middle.wrapping_add(it))?.trim_ascii_end();
        let (comma, before) = before.split_last()?;
        let follows = *comma == b',' && before.trim_ascii_end().last() == Some(&b'}');
        follows.then(|| before.len().wrapping_add(1))
    })
}
