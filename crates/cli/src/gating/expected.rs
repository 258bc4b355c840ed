//! What somebody stated of a scenario, as a band remembers it: enough to tell that it is another
//! statement now, and too little to read it.

use std::collections::{BTreeMap, BTreeSet};

use lawbook_checks::{Given, Run};
use lawbook_event::json::Writer;
use lawbook_mask::{Mask, Mode};
use lawbook_report::quote;
use sha2::{Digest, Sha256};

use super::Runs;
use super::band::Own;

/// What is stated of one run beside its recording.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Expected {
    /// The digest of the answer that is expected.
    pub golden: Option<String>,
    /// Whether it is stated what the run came to. What it came to is news of each release.
    pub outcome: bool,
}

/// What is stated of each scenario of which anything is. Several runs may differ in their prompts.
pub type Stated = BTreeMap<String, BTreeSet<Expected>>;

impl Expected {
    /// What is stated of a run.
    pub fn of(run: &Run<'_>, given: &Given<'_>) -> Self {
        Expected {
            golden: given.golden.and_then(|it| it.of(run)).map(answer),
            outcome: given.outcomes.is_some_and(|it| it.of(run).is_some()),
        }
    }

    /// Whether nothing is stated.
    pub fn is_nothing(&self) -> bool {
        *self == Expected::default()
    }
}

/// The digest of an expected answer. Whatever the mask finds is taken out of it first, since a
/// telephone number is guessed from its digest in seconds.
fn answer(expected: &str) -> String {
    digest(&Mask::new(Mode::Builtin).text(expected))
}

/// The digest of a text.
pub fn digest(text: &str) -> String {
    let digest = Sha256::digest(text.as_bytes());
    let hex: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
    format!("sha256:{hex}")
}

/// What is stated of the scenarios of these runs that a band keeps.
pub fn stated(runs: &[Runs], kept: impl Fn(&String) -> bool) -> Stated {
    let mut out = Stated::new();
    for (key, tally) in runs.iter().flat_map(|it| &it.scenarios).filter(|it| kept(it.0)) {
        out.entry(key.clone()).or_default().extend(tally.expected.iter().cloned());
    }
    out.retain(|_, it| it.iter().any(|it| !it.is_nothing()));
    out
}

/// The scenarios of a band of which something else is stated now, each with what has changed.
pub fn changed<'r>(own: &Own, was: &Stated, now: &'r Runs) -> Vec<(&'r str, &'static str)> {
    let nothing = BTreeSet::from([Expected::default()]);
    let mut out = Vec::new();
    for (key, tally) in &now.scenarios {
        let was = match was.get(key) {
            Some(was) => was,
            None if own.counts.contains_key(key) => &nothing,
            // A suite may grow.
            None => continue,
        };
        let other = tally.expected.iter().find(|it| !was.contains(*it));
        out.extend(other.map(|it| (key.as_str(), difference(was, it))));
    }
    out
}

fn difference(was: &BTreeSet<Expected>, now: &Expected) -> &'static str {
    let golden = !was.iter().any(|it| it.golden == now.golden);
    let had_answer = was.iter().any(|it| it.golden.is_some());
    match (golden, had_answer, &now.golden) {
        (true, _, None) => "no answer is expected of it any more",
        (true, true, Some(_)) => "another answer is expected of it",
        (true, false, Some(_)) => "no answer was expected of it",
        (false, ..) if now.outcome => "its outcome was not stated",
        (false, ..) => "its outcome is not stated any more",
    }
}

/// Writes what is stated of each scenario.
pub fn write(it: &mut Writer, stated: &Stated) {
    it.array();
    for (key, runs) in stated {
        it.object().key("scenario").raw(&quote(key)).key("runs").array();
        for run in runs {
            it.object().key("golden");
            match &run.golden {
                Some(digest) => it.raw(&quote(digest)),
                None => it.null(),
            };
            it.key("outcome").bool(run.outcome).end_object();
        }
        it.end_array().end_object();
    }
    it.end_array();
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{Expected, answer, difference};

    fn said(golden: &[Option<&str>], outcome: bool) -> BTreeSet<Expected> {
        let of = |it: &Option<&str>| Expected { golden: it.map(answer), outcome };
        golden.iter().map(of).collect()
    }

    #[test]
    fn a_digest_shows_no_number_that_could_be_guessed() {
        assert_eq!(answer("call +1 212 555 0100"), answer("call +1 212 555 0199"));
        assert_ne!(answer("Paris"), answer("Lyon"));
        assert!(answer("Paris").starts_with("sha256:") && answer("Paris").len() == 71);
    }

    #[test]
    fn what_has_changed_is_said() {
        for (was, now, wanted) in [
            (said(&[Some("a")], false), (Some("b"), false), "another answer is expected of it"),
            (said(&[Some("a")], false), (None, false), "no answer is expected of it any more"),
            (said(&[None], false), (Some("a"), false), "no answer was expected of it"),
            (said(&[None], true), (None, false), "its outcome is not stated any more"),
            (said(&[Some("a"), None], false), (None, true), "its outcome was not stated"),
        ] {
            let now = Expected { golden: now.0.map(answer), outcome: now.1 };
            assert_eq!(difference(&was, &now), wanted, "{was:?} {now:?}");
        }
    }
}
