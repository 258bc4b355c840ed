//! How verdicts agree with the labels that people gave to the same traces.

use crate::Rate;

/// What a person said of a trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Truth {
    /// Nothing is wrong with it. This is the positive class.
    Good,
    /// Something is.
    Problem,
}

/// Labelled traces by what the person said and what the policy said.
///
/// ```
/// use lawbook_stats::{Agreement, Rate, Truth};
///
/// let mut seen = Agreement::default();
/// seen.add(Truth::Good, false);
/// seen.add(Truth::Good, true);
/// seen.add(Truth::Problem, true);
/// assert_eq!(seen.agrees(), Rate { count: 1, total: 2 });
/// assert_eq!(seen.catches(), Rate { count: 1, total: 1 });
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Agreement {
    /// Good traces that the policy lets pass: true positives.
    pub good_passed: u64,
    /// Good traces that the policy flags: false negatives.
    pub good_flagged: u64,
    /// Problem traces that the policy lets pass: false positives.
    pub problem_passed: u64,
    /// Problem traces that the policy flags: true negatives.
    pub problem_flagged: u64,
}

impl Agreement {
    /// Takes in a trace.
    pub fn add(&mut self, truth: Truth, flagged: bool) {
        let cell = match (truth, flagged) {
            (Truth::Good, false) => &mut self.good_passed,
            (Truth::Good, true) => &mut self.good_flagged,
            (Truth::Problem, false) => &mut self.problem_passed,
            (Truth::Problem, true) => &mut self.problem_flagged,
        };
        *cell = cell.saturating_add(1);
    }

    /// Good traces.
    #[must_use]
    pub fn good(&self) -> u64 {
        self.good_passed.saturating_add(self.good_flagged)
    }

    /// Problem traces.
    #[must_use]
    pub fn problem(&self) -> u64 {
        self.problem_flagged.saturating_add(self.problem_passed)
    }

    /// All traces that were compared.
    #[must_use]
    pub fn compared(&self) -> u64 {
        self.good().saturating_add(self.problem())
    }

    /// How many of the problem traces the policy flags.
    #[must_use]
    pub fn catches(&self) -> Rate {
        Rate { count: self.problem_flagged, total: self.problem() }
    }

    /// How many of the good traces the policy lets pass.
    #[must_use]
    pub fn agrees(&self) -> Rate {
        Rate { count: self.good_passed, total: self.good() }
    }
}

#[cfg(test)]
mod tests {
    use super::{Agreement, Truth};
    use crate::Rate;

    #[test]
    fn each_trace_falls_into_one_cell() {
        let mut seen = Agreement::default();
        let traces = [(Truth::Good, false, 11), (Truth::Good, true, 1), (Truth::Problem, true, 5)];
        for (truth, flagged, times) in traces {
            (0..times).for_each(|_| seen.add(truth, flagged));
        }
        assert_eq!(
            (seen.good_passed, seen.good_flagged, seen.problem_passed, seen.problem_flagged),
            (11, 1, 0, 5)
        );
        assert_eq!((seen.good(), seen.problem(), seen.compared()), (12, 5, 17));
        assert_eq!(seen.agrees(), Rate { count: 11, total: 12 });
        assert_eq!(seen.catches(), Rate { count: 5, total: 5 });
    }

    #[test]
    fn without_labels_there_is_no_rate() {
        let nothing = Agreement::default();
        assert_eq!((nothing.agrees().percent(), nothing.catches().interval()), (None, None));
    }
}
