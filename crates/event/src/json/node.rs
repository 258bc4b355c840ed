//! One entry of the tape: sixteen bytes that say where a value stands and what it is.

/// A value, a key, or an open or closed container.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    /// The first byte of the value in the text.
    pub start: u32,
    /// The byte after its last.
    pub end: u32,
    /// Containers: the node after the last one inside (while open: the parent).
    /// Decoded strings: the place in the list of marks. Other strings: a fingerprint.
    pub link: u32,
    /// The tag in the low four bits, the number of items or entries above them.
    word: u32,
}

/// What a node is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Tag {
    Null,
    False,
    True,
    Number,
    /// A string that stands in the text as it is.
    Plain,
    /// A string with escapes, decoded into the side buffer.
    Decoded,
    Array,
    Object,
}

impl Node {
    /// What a tape without nodes would hold.
    pub const NULL: Node = Node { start: 0, end: 0, link: 0, word: 0 };

    #[inline]
    pub fn new(tag: Tag, start: usize, end: usize, link: u32) -> Self {
        Node { start: start as u32, end: end as u32, link, word: tag as u32 }
    }

    #[inline]
    pub fn tag(self) -> Tag {
        match self.word & 0xF {
            0 => Tag::Null,
            1 => Tag::False,
            2 => Tag::True,
            3 => Tag::Number,
            4 => Tag::Plain,
            5 => Tag::Decoded,
            6 => Tag::Array,
            _ => Tag::Object,
        }
    }

    #[inline]
    pub fn is_object(self) -> bool {
        self.word & 0xF == Tag::Object as u32
    }

    #[inline]
    pub fn count(self) -> u32 {
        self.word >> 4
    }

    #[inline]
    pub fn set_count(&mut self, count: u32) {
        self.word = (self.word & 0xF) | (count << 4);
    }

    /// Whether a key can be the one of this fingerprint.
    #[inline]
    pub fn may_be(self, print: u32) -> bool {
        self.link == print || self.tag() != Tag::Plain
    }

    /// The node that follows this value and everything inside it.
    #[inline]
    pub fn next(self, index: u32) -> u32 {
        match self.tag() {
            Tag::Array | Tag::Object => self.link,
            _ => index.wrapping_add(1),
        }
    }
}
