//! The nodes of a document: one piece, or two where its text was read in two halves.

use super::node::{Node, Tag};

/// The index of the first node of a second piece. No first piece is as long.
pub(super) const SECOND: u32 = 1 << 28;

/// From where on a text is large.
const LARGE_BYTES: usize = 1 << 20;

/// Nodes one after another, and the strings among them that had to be decoded.
#[derive(Debug, Default)]
pub(super) struct Piece {
    pub nodes: Vec<Node>,
    pub decoded: String,
    /// Where each decoded string begins.
    pub marks: Vec<u32>,
}

/// The allocations of a document, kept for the next one.
#[derive(Debug, Default)]
pub struct Buffers {
    pub(super) first: Piece,
    pub(super) second: Piece,
}

impl Piece {
    pub(super) fn clear(&mut self) {
        self.nodes.clear();
        self.decoded.clear();
        self.marks.clear();
    }

    /// Room for a large text, whose tape would be copied again and again while it grows. What is
    /// not used costs no memory, and a machine that has no such room lets it grow.
    pub(super) fn make_room(&mut self, text: &str) {
        if text.len() >= LARGE_BYTES {
            let _ = self.nodes.try_reserve(text.len() / 8);
            let _ = self.decoded.try_reserve(text.len() / 16);
        }
    }

    fn string(&self, mark: u32) -> &str {
        let place = |mark: u32| self.marks.get(mark as usize).map(|it| *it as usize);
        let start = place(mark).unwrap_or_default();
        let end = place(mark.wrapping_add(1)).unwrap_or(self.decoded.len());
        self.decoded.get(start..end).unwrap_or_default()
    }
}

impl Buffers {
    /// Room for a small text, so that its tape does not grow step by step.
    pub(super) fn for_text(text: &str) -> Self {
        let nodes = Vec::with_capacity((text.len() / 6).clamp(8, 256));
        Buffers { first: Piece { nodes, ..Piece::default() }, second: Piece::default() }
    }

    pub(super) fn clear(&mut self) {
        self.first.clear();
        self.second.clear();
    }

    #[inline]
    pub(super) fn node(&self, index: u32) -> Option<Node> {
        match self.first.nodes.get(index as usize) {
            Some(node) => Some(*node),
            None => self.second.nodes.get(self.later(index)).copied(),
        }
    }

    #[inline]
    pub(super) fn node_mut(&mut self, index: u32) -> Option<&mut Node> {
        let later = self.later(index);
        match self.first.nodes.get_mut(index as usize) {
            Some(node) => Some(node),
            None => self.second.nodes.get_mut(later),
        }
    }

    /// The place in the second piece of a node that is not in the first one. What follows the last
    /// node of the first piece is the second one here: the first stood for the list that both
    /// pieces hold a part of.
    #[inline]
    fn later(&self, index: u32) -> usize {
        match index.checked_sub(SECOND) {
            Some(place) => place as usize,
            None => (index as usize).wrapping_sub(self.first.nodes.len()).wrapping_add(1),
        }
    }

    /// Whether a key is this name.
    #[inline]
    pub(super) fn is_named(&self, text: &str, key: Node, name: &str) -> bool {
        if key.tag() != Tag::Plain {
            return self.string(text, key) == name;
        }
        let (start, end) = (key.start.wrapping_add(1), key.end.wrapping_sub(1));
        text.as_bytes().get(start as usize..end as usize) == Some(name.as_bytes())
    }

    /// The decoded text of a string node; empty for any other.
    #[inline]
    pub(super) fn string<'d>(&'d self, text: &'d str, node: Node) -> &'d str {
        match node.tag() {
            Tag::Plain => {
                let (start, end) = (node.start.wrapping_add(1), node.end.wrapping_sub(1));
                text.get(start as usize..end as usize).unwrap_or_default()
            }
            Tag::Decoded => match node.link.checked_sub(SECOND) {
                Some(mark) => self.second.string(mark),
                None => self.first.string(node.link),
            },
            _ => "",
        }
    }
}
