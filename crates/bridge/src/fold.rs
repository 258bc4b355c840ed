//! From the records of a session to its state: nothing is judged twice.

use lawbook::{Call, Error, Policy, Session, Start, Time, ToolResult, Verdict};

use crate::store::Record;

/// The session as it stands after some records.
///
/// # Errors
/// When a session of the policy can't begin.
pub fn fold<'r>(
    policy: &Policy,
    (id, home): (&str, Option<&str>),
    records: impl Iterator<Item = &'r (Time, Record)> + Clone,
    at: Time,
) -> Result<Session, Error> {
    let mut start = home.iter().fold(Start::new(id), |it, folder| it.home(*folder));
    let mut begun = None;
    let mut partial = true;
    for (time, record) in records.clone() {
        match record {
            Record::Start { cwd, workspace, .. } => {
                if begun.is_none() {
                    begun = Some(*time);
                    partial = false;
                }
                start = cwd.iter().fold(start, |it, folder| it.cwd(folder));
                start = workspace.iter().fold(start, |it, folder| it.workspace(folder));
            }
            Record::Gap { .. } => partial = true,
            _ => {}
        }
    }
    let mut session = Session::begin(policy, &start.partial(partial), begun.unwrap_or(at))?;
    for (time, record) in records {
        take(&mut session, record, *time)?;
    }
    Ok(session)
}

fn take(session: &mut Session, record: &Record, at: Time) -> Result<(), Error> {
    match record {
        Record::User(words) => session.user(words, at)?,
        Record::Agent(words) => session.agent(words, at)?,
        Record::Call { id, tool, server, args, verdict, .. } => {
            session.recall(&call(id, tool, server.as_deref(), args.as_deref()), *verdict, at)?;
        }
        // A yes to a call that does not wait any more changes nothing.
        Record::Approval { id } => drop(session.approve(id, "host", at)),
        Record::Result { id, text, error } => {
            drop(session.result(id, result(text.as_deref(), *error), at));
        }
        Record::Start { .. } | Record::Gap { .. } | Record::Other(_) => {}
    }
    Ok(())
}

/// A call, whose arguments may have been left out.
pub fn call(id: &str, tool: &str, server: Option<&str>, args: Option<&str>) -> Call {
    let call = match args {
        Some(args) => Call::new(id, tool, args),
        None => Call::unrecorded(id, tool),
    };
    match server {
        Some(server) => call.server(server),
        None => call,
    }
}

/// What a tool returned, which may have been left out.
pub fn result(text: Option<&str>, error: bool) -> ToolResult {
    match text {
        Some(text) => ToolResult::new(text).error(error),
        None => ToolResult::unrecorded().error(error),
    }
}

/// What became of the last call of an id.
pub fn last<'r>(records: &'r [(Time, Record)], id: &str) -> Option<(usize, &'r Record)> {
    let is = |it: &&(Time, Record)| matches!(&it.1, Record::Call { id: own, .. } if own == id);
    let place = records.iter().rposition(|it| is(&it))?;
    records.get(place).map(|it| (place, &it.1))
}

/// Whether a call has returned.
pub fn is_answered(records: &[(Time, Record)], id: &str) -> bool {
    records.iter().any(|(_, it)| matches!(it, Record::Result { id: own, .. } if own == id))
}

/// The newest call of a key that has not returned.
pub fn open_call(records: &[(Time, Record)], wanted: &str) -> Option<String> {
    let calls = records.iter().rev().filter_map(|(_, it)| match it {
        Record::Call { id, key, .. } if key == wanted => Some(id),
        _ => None,
    });
    calls.into_iter().find(|id| !is_answered(records, id)).cloned()
}

/// Whether a call waits for a person.
pub fn waits(records: &[(Time, Record)], id: &str) -> bool {
    let asked = last(records, id)
        .is_some_and(|it| matches!(it.1, Record::Call { verdict: Verdict::Ask, .. }));
    asked && !records.iter().any(|(_, it)| matches!(it, Record::Approval { id: own } if own == id))
}
