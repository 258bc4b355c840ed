//! Notes of reviewers on problem traces in which the policy finds nothing: the rules that nobody
//! wrote down may be among them.

use std::collections::BTreeSet;
use std::path::Path;

use lawbook_diag::Problem;

use super::compare::Agreed;
use crate::labels::{Labels, Verdict};
use crate::policies::Policies;
use crate::review::{NoteCounts, Noted, Review};

/// Adds the notes of this time to a review, and says how far they are sorted.
///
/// # Errors
/// When the file can't be written.
pub fn keep(
    mut review: Review,
    file: &Path,
    labels: &Labels,
    agreed: &Agreed,
    policies: &Policies,
) -> Result<NoteCounts, Problem> {
    let flagged = agreed.seen.iter().filter(|it| !it.1.flagged.is_empty());
    let found: BTreeSet<String> = flagged.map(|it| it.0.clone()).collect();
    let problem = labels.labels.iter().filter(|it| {
        let explicit = || it.explicit.values().any(|it| *it == lawbook_stats::Truth::Problem);
        agreed.seen.contains_key(&it.id) && (it.verdict == Verdict::Problem || explicit())
    });
    let noted = problem.map(|it| Noted {
        trace: it.id.clone(),
        said: it.note.clone(),
        modes: it.modes.clone(),
        ..Noted::default()
    });
    review.merge_notes(noted.collect(), &found);
    if review.policies.is_empty() {
        let policy = |it: &lawbook_report::PolicyLine| (it.source.clone(), it.digest.clone());
        review.policies = policies.lines.iter().map(policy).collect();
    }
    review.save(file)?;
    Ok(review.note_counts())
}
