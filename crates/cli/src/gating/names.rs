//! Which checks are asked, and the names under which things are shown.

use lawbook_checks::{CHECKS, Check, Group, named};
use lawbook_diag::{Problem, nearest};
use lawbook_mask::{Mask, Mode as MaskMode};
use lawbook_report::CheckLine;

use crate::masking;

/// The name of the rules among the checks.
pub const POLICY: &str = "policy";

/// The check after which the rules stand in reports.
const BEFORE_POLICY: &str = "abstention";

/// What is asked.
#[derive(Clone, Copy)]
pub enum Asked {
    /// The rules.
    Policy,
    /// A check.
    Check(&'static dyn Check),
}

impl Asked {
    /// Its name.
    pub fn name(&self) -> &'static str {
        match self {
            Asked::Policy => POLICY,
            Asked::Check(check) => check.name(),
        }
    }

    /// Whether it needs a judge.
    pub fn is_judged(&self) -> bool {
        self.is_of(Group::Judge)
    }

    /// Whether it is a check of this group.
    pub fn is_of(&self, group: Group) -> bool {
        matches!(self, Asked::Check(check) if check.group() == group)
    }
}

/// The checks that are wanted and can run, and a note for each that can't. Without names, all.
///
/// # Errors
/// For a name that no check has, and when nothing is left to run.
pub fn chosen(
    wanted: &[String],
    golden: bool,
    outcomes: bool,
    judge: bool,
) -> Result<(Vec<Asked>, Vec<String>), Vec<Problem>> {
    let names: Vec<&str> = wanted.iter().map(|it| it.trim()).collect();
    let all = names.iter().all(|it| it.is_empty());
    let mut asked = Vec::new();
    let mut problems = Vec::new();
    if all {
        asked = everything();
    } else {
        for name in names {
            match one(name) {
                Some(it) => asked.push(it),
                None => problems.push(unknown(name)),
            }
        }
    }
    let mut notes = Vec::new();
    asked.retain(|it| match needs(it, golden, outcomes, judge) {
        None => true,
        Some(what) => {
            if !all {
                notes.push(format!("{} is left out: it needs {what}", it.name()));
            }
            false
        }
    });
    if asked.is_empty() && problems.is_empty() {
        problems.push(
            Problem::new("--checks", "no_check", "this leaves nothing to run")
                .help("leave `--checks` out, or give what the checks need"),
        );
    }
    if problems.is_empty() { Ok((asked, notes)) } else { Err(problems) }
}

fn everything() -> Vec<Asked> {
    let mut out = Vec::new();
    for check in CHECKS {
        out.push(Asked::Check(*check));
        if check.name() == BEFORE_POLICY {
            out.push(Asked::Policy);
        }
    }
    out
}

fn one(name: &str) -> Option<Asked> {
    if name == POLICY { Some(Asked::Policy) } else { named(name).map(Asked::Check) }
}

/// What a check lacks, if anything.
fn needs(asked: &Asked, golden: bool, outcomes: bool, judge: bool) -> Option<&'static str> {
    let Asked::Check(check) = asked else { return None };
    match check.group() {
        Group::Rule => None,
        Group::Golden => (!golden).then_some("`--golden`"),
        Group::Outcome => (!outcomes).then_some("`--outcomes`"),
        Group::Judge => (!judge).then_some("`--judge`"),
    }
}

fn unknown(name: &str) -> Problem {
    let names: Vec<&str> = everything().iter().map(Asked::name).collect();
    let help = match nearest(name, names.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("there are {}", names.join(", ")),
    };
    Problem::new("--checks", "unknown_name", format!("there is no check `{name}`")).help(help)
}

/// Whether a check can only say nothing because the recording lacks something.
pub fn is_of_the_recording(check: &str) -> bool {
    named(check).is_some_and(|it| it.group() == Group::Rule)
}

/// Whether a check only advises: a judge's word alone blocks no release.
pub fn is_advice(check: &str) -> bool {
    named(check).is_some_and(|it| it.group() == Group::Judge)
}

/// Whether one of the checks looks at the answer for what is expected of it.
pub fn asks_for_answer(lines: &[CheckLine]) -> bool {
    lines.iter().any(|it| named(it.check).is_some_and(|it| it.group() == Group::Golden))
}

/// A key as reports show it: one that the mask would change stands for itself no more. In
/// faultgate's own writing anybody can confirm a guess at it, else only who has the secret.
pub fn shown_key(mask: &Mask, key: &str) -> String {
    match mask.mode() {
        MaskMode::Compatible => mask.key(key).into_owned(),
        _ => masking::key(key).into_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::chosen;

    fn names(wanted: &[&str], golden: bool, outcomes: bool) -> Result<Vec<&'static str>, String> {
        let wanted: Vec<String> = wanted.iter().map(|it| (*it).to_owned()).collect();
        match chosen(&wanted, golden, outcomes, false) {
            Ok((asked, _)) => Ok(asked.iter().map(|it| it.name()).collect()),
            Err(problems) => Err(problems[0].message.clone()),
        }
    }

    #[test]
    fn without_names_everything_runs_that_can() {
        let rules = names(&[], false, false).unwrap();
        assert_eq!(rules[..3], ["search_loop", "abstention", "policy"]);
        assert!(!rules.contains(&"wrong_answer") && !rules.contains(&"outcome"));
        assert_eq!(names(&[""], false, false).unwrap(), rules);
        assert!(names(&[], true, true).unwrap().contains(&"wrong_answer"));
    }

    #[test]
    fn names_keep_their_order_and_an_unknown_one_is_told() {
        assert_eq!(
            names(&["policy", " abstention"], false, false).unwrap(),
            ["policy", "abstention"]
        );
        assert_eq!(names(&["policey"], false, false).unwrap_err(), "there is no check `policey`");
        assert_eq!(names(&["policy", ""], false, false).unwrap_err(), "there is no check ``");
        assert_eq!(names(&["outcome"], false, false).unwrap_err(), "this leaves nothing to run");
    }
}
