//! The names of the readings that the same bytes of a recording may have.

/// What one system makes of a recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    /// The best reading there is.
    Full,
    /// What faultgate makes of the same bytes, faults included.
    Faultgate,
    /// What pmstack makes of the same bytes, faults included.
    Pmstack,
}

/// The readings that are wanted of one recording.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Readings {
    bits: u8,
}

impl Readings {
    /// The full reading alone.
    pub const FULL: Readings = Readings { bits: bit(Reading::Full) };

    /// The same and one more.
    #[must_use]
    pub const fn and(self, reading: Reading) -> Self {
        Readings { bits: self.bits | bit(reading) }
    }

    /// Whether a reading is wanted.
    #[must_use]
    pub const fn has(self, reading: Reading) -> bool {
        self.bits & bit(reading) != 0
    }

    /// Whether a reading is wanted and no other.
    #[must_use]
    pub const fn only(self, reading: Reading) -> bool {
        self.bits == bit(reading)
    }
}

impl From<Reading> for Readings {
    fn from(reading: Reading) -> Self {
        Readings::default().and(reading)
    }
}

const fn bit(reading: Reading) -> u8 {
    match reading {
        Reading::Full => 1,
        Reading::Faultgate => 2,
        Reading::Pmstack => 4,
    }
}
