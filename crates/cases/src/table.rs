//! Running a table: each policy file is accepted or refused as it says.

use lawbook_dialect::{Options, load};
use serde_json::Value;

use crate::case::{Entry, Table};
use crate::run::{Difference, Told, ended};

/// Runs a table.
pub fn run(source: &str, table: &Table) -> Vec<Told> {
    let told = |entry: &Entry, line: u32| {
        let options = Options { dialect: Some(&table.dialect), ..Options::default() };
        let loaded = load(source, entry.policy_text.as_bytes(), &options);
        let said = loaded.problems.first().map(|it| it.message.clone());
        let differences = difference(entry, loaded.policy.is_some(), said.as_deref());
        let at = |it: Difference| it.at(line, "entry");
        Told { about: entry.about.clone(), ended: ended(differences.into_iter().map(at).collect()) }
    };
    let line = |it: u64| u32::try_from(it).unwrap_or(u32::MAX);
    table.entries.iter().map(|it| told(&it.value, line(it.referenced.line()))).collect()
}

fn difference(entry: &Entry, accepted: bool, said: Option<&str>) -> Option<Difference> {
    let got = said.unwrap_or(if accepted { "accepted" } else { "refused" });
    match (entry.accepted, &entry.refused) {
        (Some(true), None) if accepted => None,
        (Some(true), None) => Some(Difference::new("policy", "accepted", got)),
        (None, Some(Value::Bool(true))) if !accepted => None,
        (None, Some(Value::Bool(true))) => Some(Difference::new("policy", "refused", got)),
        (None, Some(Value::String(message))) if !accepted && Some(message.as_str()) == said => None,
        (None, Some(Value::String(message))) => Some(Difference::new("policy", message, got)),
        _ => Some(Difference::new("entry", "`accepted: true` or `refused`", "neither or both")),
    }
}
