//! How often an agent may try. What it tries is the rules' affair; that it keeps trying costs disk.

use lawbook_event::Time;

use crate::Error;

/// How many attempts an agent may make in a second, unless its server says otherwise.
pub const ATTEMPTS_PER_SEC_MAX: u32 = 10;
/// How many bytes an agent may send in a minute, unless its server says otherwise.
pub const ATTEMPT_BYTES_PER_MIN_MAX: u32 = 1_048_576;

/// How much an agent may try.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quota {
    /// Attempts in a second; a burst of ten seconds' worth is let through.
    pub attempts_per_sec: u32,
    /// Bytes in a minute.
    pub bytes_per_min: u32,
}

/// For each attempt that an agent may make, so many reports may be given of it: what was said, what
/// tools returned, what came of actions, grants that are used.
pub const REPORTS_PER_ATTEMPT: u32 = 4;
/// For each byte that an agent may send, so many may be reported of it.
pub const REPORT_BYTES_PER_BYTE: u32 = 64;

impl Quota {
    /// How much may be reported of an agent that may try so much. It is another quota, so that an
    /// agent which floods keeps nobody from reporting what it does.
    pub(crate) fn of_reports(self) -> Self {
        Quota {
            attempts_per_sec: self.attempts_per_sec.saturating_mul(REPORTS_PER_ATTEMPT),
            bytes_per_min: self.bytes_per_min.saturating_mul(REPORT_BYTES_PER_BYTE),
        }
    }
}

impl Default for Quota {
    fn default() -> Self {
        Quota { attempts_per_sec: ATTEMPTS_PER_SEC_MAX, bytes_per_min: ATTEMPT_BYTES_PER_MIN_MAX }
    }
}

/// What is left of a quota. Both parts refill with time, so nothing of it needs a record.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Left {
    quota: Quota,
    /// Thousandths of attempts.
    attempts: u64,
    /// Sixty-thousandths of bytes, so that a refill of one millisecond is a whole number.
    bytes: u64,
    since: Option<Time>,
    /// Attempts that were refused and not recorded yet.
    refused: u64,
}

const BURST_SECS: u64 = 10;
const MILLIS_PER_MIN: u64 = 60_000;

impl Left {
    pub fn new(quota: Quota) -> Self {
        let attempts = u64::from(quota.attempts_per_sec).saturating_mul(BURST_SECS * 1_000);
        let bytes = u64::from(quota.bytes_per_min).saturating_mul(MILLIS_PER_MIN);
        Left { quota, attempts, bytes, since: None, refused: 0 }
    }

    /// Takes an attempt of so many bytes at this moment.
    pub fn take(&mut self, bytes: usize, at: Time) -> Result<(), Error> {
        self.refill(at);
        let bytes = u64::try_from(bytes).unwrap_or(u64::MAX).saturating_mul(MILLIS_PER_MIN);
        match (self.attempts.checked_sub(1_000), self.bytes.checked_sub(bytes)) {
            (Some(attempts), Some(bytes)) => {
                (self.attempts, self.bytes) = (attempts, bytes);
                Ok(())
            }
            _ => {
                self.refused = self.refused.saturating_add(1);
                Err(Error::new("too_many_attempts", "the agent tries more often than it may")
                    .help("wait a second, then ask again"))
            }
        }
    }

    /// How many attempts were refused and not recorded yet.
    pub fn turned_away(&self) -> u64 {
        self.refused
    }

    /// They are recorded.
    pub fn told(&mut self) {
        self.refused = 0;
    }

    fn refill(&mut self, at: Time) {
        let since = self.since.replace(at).unwrap_or(at);
        let nanos = u64::try_from(at.nanos.saturating_sub(since.nanos)).unwrap_or_default();
        let millis = nanos / 1_000_000;
        // What is less than a millisecond is not lost: it stays to be counted.
        let rest = i64::try_from(nanos % 1_000_000).unwrap_or_default();
        self.since = Some(Time { nanos: at.nanos.saturating_sub(rest) });
        let full = Left::new(self.quota);
        let attempts = u64::from(self.quota.attempts_per_sec).saturating_mul(millis);
        self.attempts = self.attempts.saturating_add(attempts).min(full.attempts);
        let bytes = u64::from(self.quota.bytes_per_min).saturating_mul(millis);
        self.bytes = self.bytes.saturating_add(bytes).min(full.bytes);
    }
}

#[cfg(test)]
mod tests {
    use lawbook_event::Time;

    use super::{Left, Quota};

    fn at(millis: i64) -> Time {
        Time { nanos: millis * 1_000_000 }
    }

    #[test]
    fn a_flood_is_let_through_as_fast_as_the_quota_and_no_faster() {
        let mut left = Left::new(Quota { attempts_per_sec: 10, bytes_per_min: 1_000_000 });
        let through = (0..100_000).filter(|it| left.take(1, at(it / 10)).is_ok()).count();
        // Ten seconds of calls at ten a second, and the burst.
        assert!((195..=201).contains(&through), "{through}");
    }

    #[test]
    fn bytes_count_and_come_back_and_refusals_are_told_once() {
        let mut left = Left::new(Quota { attempts_per_sec: 1_000, bytes_per_min: 600 });
        assert!(left.take(600, at(0)).is_ok());
        assert!(left.take(1, at(0)).is_err());
        assert!(left.take(601, at(60_000)).is_err(), "more than a minute holds never passes");
        assert!(left.take(100, at(60_000)).is_ok());
        assert_eq!(left.turned_away(), 2, "until it is recorded");
        left.told();
        assert_eq!(left.turned_away(), 0);
    }

    #[test]
    fn many_small_waits_refill_as_one_long_one() {
        let mut left = Left::new(Quota { attempts_per_sec: 10, bytes_per_min: 1_000_000 });
        while left.take(0, at(0)).is_ok() {}
        let waits = |it: i64| Time { nanos: it * 300_000 };
        let through = (1..=1_000).filter(|it| left.take(0, waits(*it)).is_ok()).count();
        assert_eq!(through, 3, "a third of a second at ten a second");
    }
}
