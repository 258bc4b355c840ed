//! What a release is not gated with: another policy, other checks or other statements on its
//! scenarios than its band was made under.

use lawbook_diag::Problem;

use super::GateArgs;
use crate::gating::{BandFile, Gating, PolicyMark, Runs, changed, marks};
use crate::print::counted;

/// What should be known before the verdict.
///
/// # Errors
/// When the band was made under something else, and nobody said that this is meant.
pub fn judge(
    args: &GateArgs,
    band: &BandFile,
    gating: &Gating,
) -> Result<Vec<String>, Vec<Problem>> {
    let mut warnings = Vec::new();
    let mut problems = Vec::new();
    let own = band.own.as_ref();
    let (was, now) = (own.map(|it| it.policies.clone()).unwrap_or_default(), marks(gating));
    let dropped = gating.policies.is_built_in() && !was.is_empty();
    let other = own.is_some_and(|it| {
        digests(&was) != digests(&now)
            || it.rules != gating.selection.rules
            || it.ignore != gating.selection.ignore
    });
    let source = args.band.display().to_string();
    if dropped {
        let message = "the band was made under a policy, and this gate has none";
        if args.without_policy {
            warnings.push(format!("{message}: nothing blocks the release"));
        } else {
            let problem = Problem::new(&source, "without_policy", message);
            problems
                .push(problem.help("name the policy with `--policy`, or say `--without-policy`"));
        }
    } else if other {
        let message = "the band was made under another policy, or other rules of it";
        if args.other_policy {
            warnings.push(format!("{message}, so its rates may not be comparable"));
        } else {
            let problem = Problem::new(&source, "other_policy", message);
            problems.push(problem.help("make the band again, or say `--other-policy`"));
        }
    }
    if own.is_none() && !gating.compatible {
        let message = "the band does not say under which policy it was made, so that is not known";
        warnings.push(message.to_owned());
    }
    if let Some(message) = other_judge(band, gating) {
        // Where a judge only advises, and where faultgate made the band, faultgate's warning is
        // enough.
        if gating.compatible && own.is_some() && !args.other_answers {
            let problem = Problem::new(&source, "other_judge", message);
            problems.push(problem.help("make the band again, or say `--other-answers`"));
        } else {
            warnings.push(message);
        }
    }
    let unsaid = own.is_none_or(|it| it.expected.is_none());
    if unsaid && gating.asks_for_statements() && !gating.compatible {
        let message = "the band does not say what was expected of its scenarios, so whether that \
                       has changed is not known";
        warnings.push(message.to_owned());
    }
    let checks: Vec<String> = gating.checks.iter().map(|it| (*it).to_owned()).collect();
    if checks != band.checks {
        let message = format!("the band was made with the checks {}", band.checks.join(", "));
        if gating.compatible {
            warnings.push(format!("{message}, and this gate asks {}", checks.join(", ")));
        } else {
            let problem = Problem::new(&source, "other_checks", message);
            problems.push(problem.help("make the band again, or name its checks with `--checks`"));
        }
    }
    if problems.is_empty() { Ok(warnings) } else { Err(problems) }
}

/// What should be known of the statements on scenarios, once all runs were seen.
///
/// # Errors
/// When something else is stated of a scenario of the band, and nobody said that this is meant.
pub fn statements(
    args: &GateArgs,
    band: &BandFile,
    now: &Runs,
) -> Result<Option<String>, Vec<Problem>> {
    let own = band.own.as_ref();
    let Some((own, was)) = own.and_then(|it| Some((it, it.expected.as_ref()?))) else {
        return Ok(None);
    };
    let changed = changed(own, was, now);
    let Some((scenario, what)) = changed.first() else { return Ok(None) };
    let message = format!(
        "of {} of the band something else is stated than it was made with, as of `{scenario}`: \
         {what}",
        counted(u64::try_from(changed.len()).unwrap_or(u64::MAX), "scenario")
    );
    if args.other_answers {
        return Ok(Some(format!("{message}; so rates may not be comparable")));
    }
    let problem = Problem::new(args.band.display().to_string(), "other_answers", message);
    Err(vec![problem.help("make the band again, or say `--other-answers`")])
}

/// How the judge is another than that of the band.
fn other_judge(band: &BandFile, gating: &Gating) -> Option<String> {
    let (was, now) = (&band.judge, gating.judge_name());
    if was != now {
        return Some(format!(
            "the band was made with the judge `{was}`, and this gate asks `{now}`"
        ));
    }
    let was = band.own.as_ref()?.judge_question.as_ref()?;
    let other = gating.judge_question().is_some_and(|now| now != *was);
    other.then(|| format!("the judge `{now}` is asked another question than for the band"))
}

fn digests(marks: &[PolicyMark]) -> Vec<(&str, &str)> {
    marks.iter().map(|it| (it.digest.as_str(), it.profile.as_str())).collect()
}
