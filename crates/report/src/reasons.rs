//! The first reasons of each check that found something, so that memory does not grow with the input.

use std::collections::BTreeMap;

use crate::unseen::cut;
use crate::{CheckLine, SessionReport};

/// Reasons that are kept of one check; the gate counts the rest.
pub const REASONS_MAX: usize = 3;

/// The first reasons of each check, by its name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reasons(BTreeMap<&'static str, Vec<Reason>>);

/// Why a check found something, fit for printing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason {
    /// The scenario, or else the session.
    pub scenario: String,
    /// What was seen.
    pub said: String,
}

impl Reasons {
    /// The first reasons of a check.
    #[must_use]
    pub fn of(&self, check: &str) -> &[Reason] {
        self.0.get(check).map(Vec::as_slice).unwrap_or_default()
    }

    /// Takes in a session. What the policy says stands among the findings already.
    pub(crate) fn add(&mut self, session: &SessionReport<'_>) {
        for it in session.checks.iter().filter(|it| it.detected && !it.is_policy()) {
            let reasons = self.0.entry(it.check).or_default();
            if reasons.len() < REASONS_MAX {
                reasons.push(Reason::new(session, it));
            }
        }
    }

    /// Takes in the reasons of later sessions.
    pub(crate) fn merge(&mut self, later: Reasons) {
        for (check, more) in later.0 {
            let reasons = self.0.entry(check).or_default();
            let room = REASONS_MAX.saturating_sub(reasons.len());
            reasons.extend(more.into_iter().take(room));
        }
    }
}

impl Reason {
    fn new(session: &SessionReport<'_>, it: &CheckLine) -> Self {
        let scenario = cut(session.scenario.unwrap_or(session.id));
        Reason { scenario, said: cut(&it.reason) }
    }
}

#[cfg(test)]
mod tests {
    use super::{REASONS_MAX, Reasons};
    use crate::{CheckLine, SessionReport};

    fn reasons(from: usize, number: usize) -> Reasons {
        let mut reasons = Reasons::default();
        for it in from..from + number {
            let line = |check, detected| CheckLine {
                check,
                detected,
                confidence: 1.0,
                reason: format!("reason {it}"),
            };
            let checks =
                [line("policy", true), line("search_loop", true), line("truncation", false)];
            let name = format!("s{it}");
            let session =
                SessionReport { id: "id", scenario: Some(&name), ..SessionReport::of_the_run() };
            reasons.add(&SessionReport { checks: &checks, ..session });
        }
        reasons
    }

    #[test]
    fn the_first_reasons_are_kept_in_order_and_those_of_the_policy_are_not() {
        let mut all = reasons(0, 2);
        all.merge(reasons(2, 9));
        assert_eq!(all, reasons(0, 11));
        let said: Vec<&str> = all.of("search_loop").iter().map(|it| &*it.said).collect();
        assert_eq!(said, ["reason 0", "reason 1", "reason 2"]);
        assert_eq!(said.len(), REASONS_MAX);
        assert!(all.of("policy").is_empty() && all.of("truncation").is_empty());
    }
}
