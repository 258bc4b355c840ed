//! Running a recording: it is read, checked, and the list of findings is compared.

use lawbook_diag::Problem;
use lawbook_engine::check;
use lawbook_trace::{Limits, Source, named, read};

use crate::case::Recording;
use crate::policy::{engine, policy};
use crate::run::{Difference, Ended, Settings, ended, given};
use crate::{Subject, compare, timing};

/// Runs a recording.
pub fn run(
    source: &str,
    case: &Recording,
    subject: &dyn Subject,
    settings: &Settings,
) -> Result<Ended, Problem> {
    if subject.name() != "replay" {
        return Ok(Ended::Skipped("a recording needs the subject `replay`"));
    }
    let policy = policy(source, &case.wanted, settings)?;
    let reading = policy.reading;
    let engine = engine(policy, Some(timing::START));
    let forced = case.trace_format.as_deref().map(|it| known(source, it)).transpose()?;
    let (name, bytes) = given(source, &case.trace, &settings.folder)?;
    let (mut findings, mut unknowns) = (Vec::new(), Vec::new());
    let problems = read(
        &bytes,
        forced,
        reading.into(),
        &Source::new(name),
        &Limits::default(),
        &mut |session| {
            let checked = check(&engine, &session.events);
            findings.extend(checked.findings);
            unknowns.extend(checked.unknowns);
        },
    );
    let mut differences = compare::settled(&case.settled, &findings);
    if let Some(wanted) = &case.unknown {
        differences.extend(compare::unknown(wanted, &unknowns));
    }
    let unread =
        problems.iter().map(|it| Difference::new("reading", "no problem", &it.to_string()));
    differences.extend(unread);
    Ok(ended(differences))
}

/// The reader of this name.
pub fn known(source: &str, name: &str) -> Result<&'static dyn lawbook_trace::Reader, Problem> {
    named(name).ok_or_else(|| {
        Problem::new(source, "unknown_format", format!("`{name}` is no trace format"))
    })
}
