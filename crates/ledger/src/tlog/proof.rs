//! Checking proofs, as RFC 9162 lays it out step by step (sections 2.1.3.2 and 2.1.4.2).

use super::hash::{EMPTY_ROOT, Hash, node_hash};

/// A proof that does not show what it should.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mismatch {
    /// The sizes or the index can't be.
    Sizes,
    /// The proof has too few hashes or too many.
    Length,
    /// The hashes lead to another root.
    Root,
}

impl std::fmt::Display for Mismatch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Mismatch::Sizes => "no tree has such sizes",
            Mismatch::Length => "the proof has the wrong number of hashes",
            Mismatch::Root => "the proof leads to another root",
        })
    }
}

impl std::error::Error for Mismatch {}

/// Checks that `leaf` stands at `index` in the tree of `size` leaves with this root.
///
/// # Errors
/// When it does not, or `proof` does not show it.
pub fn check_inclusion(
    leaf: Hash,
    index: u64,
    size: u64,
    proof: &[Hash],
    root: Hash,
) -> Result<(), Mismatch> {
    if index >= size {
        return Err(Mismatch::Sizes);
    }
    let (mut at, mut last) = (index, size.saturating_sub(1));
    let mut hash = leaf;
    for step in proof {
        if last == 0 {
            return Err(Mismatch::Length);
        }
        if at & 1 == 1 || at == last {
            hash = node_hash(*step, hash);
            while at & 1 == 0 && at != 0 {
                (at, last) = (at >> 1, last >> 1);
            }
        } else {
            hash = node_hash(hash, *step);
        }
        (at, last) = (at >> 1, last >> 1);
    }
    if last != 0 {
        return Err(Mismatch::Length);
    }
    if hash == root { Ok(()) } else { Err(Mismatch::Root) }
}

/// Checks that the tree of `old` leaves is the beginning of the tree of `new` leaves.
///
/// From the empty tree every tree grows, and a tree grows from itself; both with an empty proof.
///
/// # Errors
/// When it is not, or `proof` does not show it.
pub fn check_consistency(
    old: u64,
    new: u64,
    proof: &[Hash],
    old_root: Hash,
    new_root: Hash,
) -> Result<(), Mismatch> {
    if old > new {
        return Err(Mismatch::Sizes);
    }
    if old == 0 || old == new {
        let roots = if old == new { old_root == new_root } else { old_root == EMPTY_ROOT };
        return match (proof, roots) {
            ([], true) => Ok(()),
            ([], false) => Err(Mismatch::Root),
            _ => Err(Mismatch::Length),
        };
    }
    let mut steps = proof.iter().copied();
    let (mut at, mut last) = (old.saturating_sub(1), new.saturating_sub(1));
    while at & 1 == 1 {
        (at, last) = (at >> 1, last >> 1);
    }
    // A tree whose size is a power of two is a subtree of the new one, so its root is the start.
    let first = if old.is_power_of_two() { Some(old_root) } else { steps.next() };
    let first = first.ok_or(Mismatch::Length)?;
    let (mut before, mut after) = (first, first);
    for step in steps {
        if last == 0 {
            return Err(Mismatch::Length);
        }
        if at & 1 == 1 || at == last {
            before = node_hash(step, before);
            after = node_hash(step, after);
            while at & 1 == 0 && at != 0 {
                (at, last) = (at >> 1, last >> 1);
            }
        } else {
            after = node_hash(after, step);
        }
        (at, last) = (at >> 1, last >> 1);
    }
    if last != 0 {
        return Err(Mismatch::Length);
    }
    if before == old_root && after == new_root { Ok(()) } else { Err(Mismatch::Root) }
}
