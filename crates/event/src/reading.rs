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

/// What some policies look at beside the events of a reading.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordingPart {
    /// The recording itself, as JSON.
    Itself,
    /// What its own system makes of it, as JSON.
    Normalised,
    /// How each turn ended and what the run used, for checks.
    Measures,
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

    /// The same and a part of the recording beside its events.
    #[must_use]
    pub const fn with(self, part: RecordingPart) -> Self {
        Readings { bits: self.bits | part_bit(part) }
    }

    /// The same without a part of the recording that no policy looks at.
    #[must_use]
    pub const fn without(self, part: RecordingPart) -> Self {
        Readings { bits: self.bits & !part_bit(part) }
    }

    /// Whether a part of the recording is wanted beside its events. Its JSON is with pmstack's
    /// reading, unless somebody knows better.
    #[must_use]
    pub const fn has_part(self, part: RecordingPart) -> bool {
        self.bits & part_bit(part) != 0
    }

    /// Whether a reading is wanted.
    #[must_use]
    pub const fn has(self, reading: Reading) -> bool {
        self.bits & bit(reading) & READINGS != 0
    }

    /// Whether a reading is wanted and no other.
    #[must_use]
    pub const fn only(self, reading: Reading) -> bool {
        self.bits & READINGS == bit(reading) & READINGS
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
        Reading::Pmstack => {
            4 | part_bit(RecordingPart::Itself) | part_bit(RecordingPart::Normalised)
        }
    }
}

/// The bits of readings, apart from those of parts.
const READINGS: u8 = 7;

const fn part_bit(part: RecordingPart) -> u8 {
    match part {
        RecordingPart::Itself => 8,
        RecordingPart::Normalised => 16,
        RecordingPart::Measures => 32,
    }
}
