//! How large a JSON text may be.

/// The bounds of one document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of text. Default 1 GiB: offsets are 32 bits wide, and one value is never larger.
    pub bytes_max: usize,
    /// Open brackets at one place. Default 512: no format goes beyond 100, and later readers of a
    /// value may be less careful with their stack than this one.
    pub depth_max: usize,
    /// Values and keys. Default 64 Mi: the tape is then at most 1 GiB.
    pub nodes_max: usize,
}

impl Limits {
    /// What is used when nothing else is said.
    pub const DEFAULT: Limits = Limits { bytes_max: 1 << 30, depth_max: 512, nodes_max: 1 << 26 };

    /// Beyond this a 32-bit offset or a 28-bit count would not hold.
    pub(super) const BYTES_HARD_MAX: usize = (u32::MAX - 1) as usize;
    pub(super) const NODES_HARD_MAX: usize = (1 << 28) - 1;

    /// Bytes that can be read.
    pub(super) fn bytes_max(&self) -> usize {
        self.bytes_max.min(Self::BYTES_HARD_MAX)
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self::DEFAULT
    }
}
