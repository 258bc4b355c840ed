//! What a release is not gated with: another policy or other checks than its band was made under.

use lawbook_diag::Problem;

use super::GateArgs;
use crate::gating::{BandFile, Gating, PolicyMark, marks};

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
    if band.judge != gating.judge_name() {
        let (was, now) = (&band.judge, gating.judge_name());
        warnings
            .push(format!("the band was made with the judge `{was}`, and this gate asks `{now}`"));
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

fn digests(marks: &[PolicyMark]) -> Vec<(&str, &str)> {
    marks.iter().map(|it| (it.digest.as_str(), it.profile.as_str())).collect()
}
