//! The entries of an object that a reader with one value per key sees.

use crate::json::Value;

/// The entries of `value`: the last value of each key, at the place of the key's first one.
pub(super) fn unique_entries<'d>(value: Value<'d>) -> Vec<(&'d str, Value<'d>)> {
    let mut entries: Vec<(&str, Value<'_>)> = value.entries().collect();
    if value.document().duplicate_key().is_none() {
        return entries;
    }
    // Equal keys stand together after the sort, earlier places first.
    let mut places: Vec<(&str, usize)> = entries.iter().map(|(key, _)| *key).zip(0..).collect();
    places.sort_unstable();
    let mut keep = vec![true; entries.len()];
    for run in places.chunk_by(|a, b| a.0 == b.0) {
        let ([(_, first), .., (_, last)], Some((_, later))) = (run, run.split_first()) else {
            continue;
        };
        let last = entries.get(*last).copied();
        if let (Some(slot), Some(last)) = (entries.get_mut(*first), last) {
            *slot = last;
        }
        for (_, place) in later {
            if let Some(keep) = keep.get_mut(*place) {
                *keep = false;
            }
        }
    }
    let mut keep = keep.into_iter();
    entries.retain(|_| keep.next().unwrap_or(true));
    entries
}

/// As [`unique_entries`], sorted by key.
pub(super) fn sorted_entries<'d>(value: Value<'d>) -> Vec<(&'d str, Value<'d>)> {
    let mut entries = unique_entries(value);
    entries.sort_by_key(|(key, _)| *key);
    entries
}
