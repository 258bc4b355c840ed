//! A sample of sessions that depends on nothing but the sessions: those whose ids hash lowest.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The sample that was found so far: the key of each session and its number in the input.
#[derive(Debug)]
pub struct Sample {
    size: usize,
    chosen: BTreeSet<(u64, u64)>,
    bar: Bar,
}

/// The key above which a session is not in the sample, shared with the workers.
#[derive(Clone, Debug)]
pub struct Bar(Arc<AtomicU64>);

impl Sample {
    /// A sample of so many sessions.
    #[must_use]
    pub fn new(size: usize) -> Self {
        Sample { size, chosen: BTreeSet::new(), bar: Bar(Arc::new(AtomicU64::new(u64::MAX))) }
    }

    /// The bar that sessions must be under.
    #[must_use]
    pub fn bar(&self) -> Bar {
        self.bar.clone()
    }

    /// Takes in a session, and gives back the number of the one that it drives out, which may be
    /// its own.
    pub fn take(&mut self, key: u64, number: u64) -> Option<u64> {
        self.chosen.insert((key, number));
        if self.chosen.len() <= self.size {
            return None;
        }
        let out = self.chosen.pop_last();
        if let Some((highest, _)) = self.chosen.last() {
            self.bar.0.store(*highest, Ordering::Relaxed);
        }
        out.map(|it| it.1)
    }
}

impl Bar {
    /// Whether a session may still be in the sample.
    #[must_use]
    pub fn may_hold(&self, key: u64) -> bool {
        key <= self.0.load(Ordering::Relaxed)
    }
}

/// The key of a session: FNV-1a over its id and place, mixed once more so that all bits matter.
#[must_use]
pub fn key(id: &str, source: &str) -> u64 {
    let bytes = id.bytes().chain([0]).chain(source.bytes());
    let hash = bytes.fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    let mixed = (hash ^ (hash >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd);
    mixed ^ (mixed >> 33)
}

#[cfg(test)]
mod tests {
    use super::{Sample, key};

    #[test]
    fn the_lowest_keys_stay() {
        let mut sample = Sample::new(3);
        let keys: Vec<u64> = (0..100).map(|it| key(&format!("s{it}"), "t")).collect();
        let mut kept: Vec<u64> = Vec::new();
        for (number, key) in (0..).zip(&keys) {
            kept.push(number);
            if let Some(out) = sample.take(*key, number) {
                kept.retain(|it| *it != out);
            }
        }
        let mut sorted = keys.clone();
        sorted.sort_unstable();
        kept.sort_by_key(|it| keys[usize::try_from(*it).unwrap()]);
        let got: Vec<u64> = kept.iter().map(|it| keys[usize::try_from(*it).unwrap()]).collect();
        assert_eq!(got, sorted[..3]);
        assert!(sample.bar().may_hold(sorted[2]) && !sample.bar().may_hold(sorted[3]));
    }
}
