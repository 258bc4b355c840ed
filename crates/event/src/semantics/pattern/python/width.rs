//! How many characters a part of a pattern can match; Python's look-behinds need to know.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Width {
    low: u64,
    high: u64,
}

impl Width {
    pub const ZERO: Width = Width { low: 0, high: 0 };
    pub const ONE: Width = Width { low: 1, high: 1 };

    pub fn is_zero(self) -> bool {
        self.high == 0
    }

    pub fn is_fixed(self) -> bool {
        self.low == self.high
    }

    /// The one after the other.
    pub fn then(self, next: Width) -> Width {
        Width { low: self.low.saturating_add(next.low), high: self.high.saturating_add(next.high) }
    }

    /// The one or the other.
    pub fn or(self, other: Width) -> Width {
        Width { low: self.low.min(other.low), high: self.high.max(other.high) }
    }

    /// Repeated `low` to `high` times; no upper bound is none.
    pub fn times(self, low: u32, high: Option<u32>) -> Width {
        let most = match high {
            Some(high) => self.high.saturating_mul(u64::from(high)),
            None if self.high == 0 => 0,
            None => u64::MAX,
        };
        Width { low: self.low.saturating_mul(u64::from(low)), high: most }
    }

    /// Instead of `repeated`, which stood last.
    pub fn replace(self, repeated: Width, by: Width) -> Width {
        let before = Width {
            low: self.low.saturating_sub(repeated.low),
            high: self.high.saturating_sub(repeated.high),
        };
        before.then(by)
    }
}
