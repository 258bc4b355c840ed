//! A session as it was seen so far: taken hold of, begun where it is new, and marked where
//! something of it was missed.

use lawbook::Time;

use crate::fold::last;
use crate::host::{Heard, Host, Told};
use crate::store::{Record, Store, Stored};
use crate::transcript::{answered, is_empty_of_calls, origins};

/// Takes hold of the session that an input belongs to.
///
/// # Errors
/// When its store can't be used.
pub fn seen(
    store: &Store,
    host: &dyn Host,
    id: &str,
    heard: &Heard,
    now: Time,
) -> Result<Stored, String> {
    let origin = match store.has(host.name(), id) {
        true => None,
        false => origin(store, host, id, heard),
    };
    let mut stored = store.open(host.name(), id).map_err(|it| it.to_string())?;
    let written = match (stored.fresh, origin) {
        (true, Some(records)) => {
            records.into_iter().try_for_each(|(at, record)| stored.add(at, record))
        }
        (true, None) => begin(&mut stored, heard, now),
        (false, _) => missed(&mut stored, host, heard, now),
    };
    written.map_err(|it| it.to_string())?;
    if matches!(heard.told, Told::Begun) {
        store.sweep();
    }
    Ok(stored)
}

/// The records of the session that this one goes on from.
fn origin(store: &Store, host: &dyn Host, id: &str, heard: &Heard) -> Option<Vec<(Time, Record)>> {
    if matches!(heard.told, Told::Begun) {
        return None;
    }
    let named = heard.origin.iter().cloned();
    let found = heard.transcript.iter().flat_map(|it| origins(it, id));
    let origin = named.chain(found).find(|it| store.has(host.name(), it))?;
    // It is let go of again before this one is taken hold of, so that two never wait for each other.
    Some(store.open(host.name(), &origin).ok()?.records)
}

/// Begins a session. One whose beginning was not seen is not whole.
fn begin(stored: &mut Stored, heard: &Heard, now: Time) -> std::io::Result<()> {
    let (cwd, workspace) = (heard.cwd.clone(), heard.workspace.clone());
    stored.add(now, Record::Start { salt: salt(), cwd, workspace })?;
    let empty = heard.transcript.as_deref().and_then(is_empty_of_calls);
    let whole = match heard.told {
        Told::Begun => true,
        Told::User(_) => empty != Some(false),
        _ => empty == Some(true),
    };
    if whole {
        return Ok(());
    }
    stored.add(now, Record::Gap { why: "its beginning was not seen".to_owned() })
}

/// Marks a session of which the host knows calls that its store does not.
fn missed(stored: &mut Stored, host: &dyn Host, heard: &Heard, now: Time) -> std::io::Result<()> {
    // A session that ended or was resumed is looked at again; in between, calls are looked at.
    let looks = host.name() == "claude-code" && (heard.waits() || heard.told == Told::Resumed);
    let Some(transcript) = heard.transcript.as_deref().filter(|_| looks) else { return Ok(()) };
    let known = |id: &String| last(&stored.records, id).is_some();
    if answered(transcript).iter().all(known) || is_marked(stored) {
        return Ok(());
    }
    stored.add(now, Record::Gap { why: "its host knows calls that were not seen".to_owned() })
}

fn is_marked(stored: &Stored) -> bool {
    stored.records.iter().any(|it| matches!(it.1, Record::Gap { .. }))
}

/// A secret that nobody else has.
fn salt() -> String {
    use std::hash::{BuildHasher, RandomState};
    let random = || RandomState::new().hash_one(0_u8);
    format!("{:016x}{:016x}", random(), random())
}
