//! How many yeses are left where calls may have spent some and the recording does not say whose.

/// How many of the yeses under one key calls may have spent whose own key is not recorded. It is
/// brought up to date whenever the yeses under the key change.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Lost {
    /// How many such calls were taken into account.
    seen: u64,
    lost: u64,
}

crate::coded!(Lost { seen, lost });

impl Lost {
    /// How many may be gone, of so many that are kept, after so many such calls in all. Each of
    /// them spent one at most, and none that came later.
    pub fn of(self, calls: u64, kept: usize) -> u64 {
        let fresh = calls.saturating_sub(self.seen);
        self.lost.saturating_add(fresh).min(u64::try_from(kept).unwrap_or(u64::MAX))
    }

    /// Takes such calls into account before the yeses that are kept change.
    pub fn settle(&mut self, calls: u64, kept: usize) {
        *self = Lost { seen: calls, lost: self.of(calls, kept) };
    }

    /// Whether one of the yeses that would serve is left for sure.
    pub fn leaves(self, calls: u64, kept: usize, serving: usize) -> bool {
        u64::try_from(serving).unwrap_or(u64::MAX) > self.of(calls, kept)
    }
}

#[cfg(test)]
mod tests {
    use super::Lost;

    #[test]
    fn a_call_may_have_spent_what_stood_then_and_nothing_later() {
        let mut lost = Lost::default();
        assert!(!lost.leaves(1, 1, 1) && lost.leaves(1, 2, 2));
        lost.settle(1, 1);
        assert!(lost.leaves(1, 2, 2) && !lost.leaves(1, 1, 1));
        lost.settle(1, 0);
        assert!(lost.leaves(1, 1, 1) && !lost.leaves(2, 1, 1));
    }
}
