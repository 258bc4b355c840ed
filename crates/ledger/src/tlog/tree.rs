//! The tree over leaf hashes: the whole of it for proofs, or its right edge alone for a root.

use super::hash::{EMPTY_ROOT, Hash, node_hash};

/// The right edge of a tree: enough to add leaves and to tell the root, in memory that grows with
/// the logarithm of the size.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Frontier {
    size: u64,
    /// Roots of the complete subtrees, largest first; one for each bit that is set in `size`.
    peaks: Vec<Hash>,
}

impl Frontier {
    /// The edge of an empty tree.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// How many leaves the tree has.
    #[must_use]
    pub fn size(&self) -> u64 {
        self.size
    }

    /// Adds a leaf on the right.
    pub fn push(&mut self, leaf: Hash) {
        let mut node = leaf;
        for _ in 0..self.size.trailing_ones() {
            if let Some(left) = self.peaks.pop() {
                node = node_hash(left, node);
            }
        }
        self.peaks.push(node);
        self.size = self.size.saturating_add(1);
    }

    /// The root of the tree.
    #[must_use]
    pub fn root(&self) -> Hash {
        let mut peaks = self.peaks.iter().rev().copied();
        let last = peaks.next().unwrap_or(EMPTY_ROOT);
        peaks.fold(last, |right, left| node_hash(left, right))
    }
}

/// A whole tree in memory, about 64 bytes for each leaf, which gives proofs in logarithmic time.
///
/// ```
/// use lawbook_ledger::tlog::{Tree, check_inclusion, leaf_hash};
///
/// let leaves = [b"a", b"b", b"c"].map(|it| leaf_hash(it));
/// let tree: Tree = leaves.into_iter().collect();
/// let root = tree.root_at(3).unwrap();
/// let proof = tree.inclusion(1, 3).unwrap();
/// assert!(check_inclusion(leaves[1], 1, 3, &proof, root).is_ok());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Tree {
    /// The complete subtrees, by the logarithm of their number of leaves.
    levels: Vec<Vec<Hash>>,
}

impl Tree {
    /// A tree without leaves.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// How many leaves it has.
    #[must_use]
    pub fn size(&self) -> u64 {
        self.levels.first().map_or(0, |it| it.len() as u64)
    }

    /// Adds a leaf on the right.
    pub fn push(&mut self, leaf: Hash) {
        let mut node = leaf;
        let mut level = 0_usize;
        loop {
            if self.levels.len() <= level {
                self.levels.push(Vec::new());
            }
            let Some(row) = self.levels.get_mut(level) else { return };
            row.push(node);
            let Some([left, right]) = row.last_chunk::<2>() else { return };
            if row.len() % 2 == 1 {
                return;
            }
            node = node_hash(*left, *right);
            level = level.saturating_add(1);
        }
    }

    /// A leaf hash.
    #[must_use]
    pub fn leaf(&self, index: u64) -> Option<Hash> {
        self.complete(0, index)
    }

    /// The root of the complete subtree over the leaves from `index << level` on, `1 << level` of
    /// them.
    #[must_use]
    pub fn complete(&self, level: u8, index: u64) -> Option<Hash> {
        let row = self.levels.get(usize::from(level))?;
        row.get(usize::try_from(index).ok()?).copied()
    }

    /// The root as it was when the tree had `size` leaves; none if it has fewer now.
    #[must_use]
    pub fn root_at(&self, size: u64) -> Option<Hash> {
        if size == 0 { Some(EMPTY_ROOT) } else { self.range(0, size) }
    }

    /// The path from a leaf to the root of the tree of `size` leaves, the leaf's neighbour first;
    /// none if there is no such leaf in it (RFC 9162, section 2.1.3.1).
    #[must_use]
    pub fn inclusion(&self, index: u64, size: u64) -> Option<Vec<Hash>> {
        if index >= size || size > self.size() {
            return None;
        }
        let mut out = Vec::new();
        let (mut from, mut to) = (0_u64, size);
        while to.checked_sub(from)? > 1 {
            let middle = from.checked_add(split(to.checked_sub(from)?))?;
            if index < middle {
                out.push(self.range(middle, to)?);
                to = middle;
            } else {
                out.push(self.range(from, middle)?);
                from = middle;
            }
        }
        out.reverse();
        Some(out)
    }

    /// What shows that the tree of `old` leaves is the beginning of the one of `new` leaves; empty
    /// when `old` is 0 or the same; none if `old` is larger, or `new` is beyond the tree
    /// (RFC 9162, section 2.1.4.1).
    #[must_use]
    pub fn consistency(&self, old: u64, new: u64) -> Option<Vec<Hash>> {
        if old > new || new > self.size() {
            return None;
        }
        if old == 0 || old == new {
            return Some(Vec::new());
        }
        let mut out = Vec::new();
        let (mut from, mut to) = (0_u64, new);
        // What is left of the old tree always begins at `from`; `whole` says that it began at 0.
        let mut whole = true;
        while to != old {
            let middle = from.checked_add(split(to.checked_sub(from)?))?;
            if old <= middle {
                out.push(self.range(middle, to)?);
                to = middle;
            } else {
                out.push(self.range(from, middle)?);
                from = middle;
                whole = false;
            }
        }
        if !whole {
            out.push(self.range(from, to)?);
        }
        out.reverse();
        Some(out)
    }

    /// The hash over the leaves from `from` until `to`, where `from` is where such a subtree can
    /// begin.
    fn range(&self, from: u64, to: u64) -> Option<Hash> {
        let mut peaks = Vec::with_capacity(8);
        let mut at = from;
        while at < to {
            let left = to.checked_sub(at)?;
            let level = u8::try_from(left.ilog2()).ok()?;
            peaks.push(self.complete(level, at >> level)?);
            at = at.checked_add(1_u64.checked_shl(u32::from(level))?)?;
        }
        let mut peaks = peaks.into_iter().rev();
        let last = peaks.next()?;
        Some(peaks.fold(last, |right, left| node_hash(left, right)))
    }
}

impl FromIterator<Hash> for Tree {
    fn from_iter<I: IntoIterator<Item = Hash>>(leaves: I) -> Self {
        let mut tree = Tree::new();
        leaves.into_iter().for_each(|it| tree.push(it));
        tree
    }
}

/// The largest power of two below `size`, which is at least 2.
fn split(size: u64) -> u64 {
    let below = size.saturating_sub(1).max(1);
    1_u64.checked_shl(below.ilog2()).unwrap_or(1)
}
