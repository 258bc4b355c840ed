//! A set of steps, kept as runs of neighbours.

use std::collections::BTreeMap;

use lawbook_rule::{Broken, Coded, Reader, Writer};

/// How many runs of neighbouring steps a set keeps. Past it the oldest is let go, so that what was
/// said of it last stands: nothing more can be said of those steps.
///
/// ```
/// assert_eq!(lawbook_engine::RUNS_MAX, 10_000);
/// ```
pub const RUNS_MAX: usize = 10_000;

/// A set of steps. What happens in order costs one run, however long.
#[derive(Clone, Debug, Default)]
pub(crate) struct Steps {
    /// The first step of each run with its last.
    runs: BTreeMap<u32, u32>,
}

impl Steps {
    /// Whether a step is in it.
    pub fn has(&self, step: u32) -> bool {
        self.run(step).is_some()
    }

    fn run(&self, step: u32) -> Option<(u32, u32)> {
        let (first, last) = self.runs.range(..=step).next_back()?;
        (*last >= step).then_some((*first, *last))
    }

    /// Puts a step into it.
    pub fn insert(&mut self, step: u32) {
        // Nearly every step is the one after the last.
        if let Some(mut newest) = self.runs.last_entry()
            && newest.get().checked_add(1) == Some(step)
        {
            newest.insert(step);
            return;
        }
        if self.has(step) {
            return;
        }
        let before = step.checked_sub(1).and_then(|it| self.run(it)).map(|it| it.0);
        let after = step.checked_add(1).and_then(|it| self.runs.remove(&it));
        self.runs.insert(before.unwrap_or(step), after.unwrap_or(step));
        if self.runs.len() > RUNS_MAX {
            self.runs.pop_first();
        }
    }

    /// Takes a step out of it.
    pub fn remove(&mut self, step: u32) {
        let Some((first, last)) = self.run(step) else { return };
        self.runs.remove(&first);
        if first < step {
            self.runs.insert(first, step.saturating_sub(1));
        }
        if step < last {
            self.runs.insert(step.saturating_add(1), last);
        }
        if self.runs.len() > RUNS_MAX {
            self.runs.pop_first();
        }
    }
}

impl Coded for Steps {
    fn write(&self, out: &mut Writer) {
        self.runs.write(out);
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, Broken> {
        let runs: BTreeMap<u32, u32> = Coded::read(from)?;
        let apart = runs.iter().zip(runs.keys().skip(1)).all(|((_, last), next)| last < next);
        let runs_forward = runs.iter().all(|(first, last)| first <= last);
        let fits = apart && runs_forward && runs.len() <= RUNS_MAX;
        if fits { Ok(Steps { runs }) } else { Err(Broken) }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{RUNS_MAX, Steps};

    #[test]
    fn it_is_a_set() {
        let (mut steps, mut plain) = (Steps::default(), BTreeSet::new());
        let mut seed = 7u32;
        for _ in 0..20_000 {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let step = (seed >> 8) % 60;
            if seed.is_multiple_of(3) {
                steps.remove(step);
                plain.remove(&step);
            } else {
                steps.insert(step);
                plain.insert(step);
            }
            assert!((0..62).all(|it| steps.has(it) == plain.contains(&it)), "{steps:?}");
        }
        steps.insert(u32::MAX);
        assert!(steps.has(u32::MAX));
    }

    #[test]
    fn past_the_bound_the_oldest_run_is_let_go() {
        let mut steps = Steps::default();
        let many = u32::try_from(RUNS_MAX).unwrap();
        (0..=many).for_each(|it| steps.insert(it * 2));
        assert!(!steps.has(0) && steps.has(2) && steps.has(many * 2));
    }
}
