//! Finding a key that stands twice in one object.

use super::node::{Node, Tag};
use super::tape::Buffers;

/// Up to this many entries keys are compared pair by pair; beyond it they are sorted.
const PAIRWISE_MAX: usize = 16;

/// The first key node of the object at `object` that repeats an earlier one.
/// `tape` holds the whole object.
pub(super) fn repeated_key(text: &str, buffers: &Buffers, object: u32, count: u32) -> Option<u32> {
    match count {
        0 | 1 => None,
        _ if count as usize <= PAIRWISE_MAX => pairwise(text, buffers, object),
        _ => sorted(text, buffers, object, count),
    }
}

fn pairwise(text: &str, buffers: &Buffers, object: u32) -> Option<u32> {
    let mut seen = [(0_u32, Node::NULL); PAIRWISE_MAX];
    for ((index, node), have) in keys(buffers, object).zip(0_usize..) {
        let print = fingerprint(text, buffers, node);
        let earlier = seen.get(..have).unwrap_or_default();
        let same = |(other, earlier): &(u32, Node)| {
            *other == print && buffers.string(text, *earlier) == buffers.string(text, node)
        };
        if earlier.iter().any(same) {
            return Some(index);
        }
        if let Some(slot) = seen.get_mut(have) {
            *slot = (print, node);
        }
    }
    None
}

fn sorted(text: &str, buffers: &Buffers, object: u32, count: u32) -> Option<u32> {
    let mut all = Vec::with_capacity(count as usize);
    for (index, node) in keys(buffers, object) {
        all.push((fingerprint(text, buffers, node), buffers.string(text, node), index));
    }
    all.sort_unstable();
    let repeats = all.windows(2).filter_map(|pair| match pair {
        [(print, key, _), (print_after, key_after, index)] => {
            (print == print_after && key == key_after).then_some(*index)
        }
        _ => None,
    });
    repeats.min()
}

fn keys(buffers: &Buffers, object: u32) -> impl Iterator<Item = (u32, Node)> {
    let mut index = object.wrapping_add(1);
    std::iter::from_fn(move || {
        let key = (index, buffers.node(index)?);
        let value = index.wrapping_add(1);
        index = buffers.node(value)?.next(value);
        Some(key)
    })
}

/// A number that differs for most different keys and is the same for equal ones.
fn fingerprint(text: &str, buffers: &Buffers, key: Node) -> u32 {
    match key.tag() {
        Tag::Plain => key.link,
        _ => print_of(buffers.string(text, key).as_bytes()),
    }
}

/// The fingerprint of a key's bytes: its length, its first and its last ones.
#[inline]
pub(super) const fn print_of(key: &[u8]) -> u32 {
    let ends = match (key.first_chunk::<4>(), key.last_chunk::<4>()) {
        (Some(first), Some(last)) => {
            u32::from_le_bytes(*first) ^ u32::from_le_bytes(*last).rotate_left(15)
        }
        _ => short(key),
    };
    ends ^ (key.len() as u32).rotate_right(7)
}

const fn short(key: &[u8]) -> u32 {
    let (mut sum, mut rest) = (0_u32, key);
    while let Some((byte, after)) = rest.split_first() {
        sum = (sum << 8) | *byte as u32;
        rest = after;
    }
    sum
}
