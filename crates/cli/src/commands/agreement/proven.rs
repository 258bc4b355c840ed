//! The file that says which rules flagged no good trace, for a guard.

use lawbook_event::json::Writer;
use lawbook_report::quote;

use super::compare::{Agreed, Standing};
use crate::policies::Policies;

/// The text of the file.
pub fn written(policies: &Policies, agreed: &Agreed) -> String {
    let digest = policies.lines.first().map(|it| it.digest.clone()).unwrap_or_default();
    let mut writer = Writer::new();
    writer.object().key("schema").string(lawbook::Proven::SCHEMA);
    writer.key("policy").raw(&quote(&digest)).key("rules").array();
    for rule in agreed.standing(Standing::Proven) {
        writer.raw(&quote(&rule.key.1));
    }
    writer.end_array().key("labels").number(agreed.overall.counts.compared());
    writer.key("flagged_good").object();
    for rule in agreed.standing(Standing::FlaggedGood) {
        writer.key(&rule.key.1).array();
        for id in &rule.compared.wrongly {
            writer.raw(&quote(id));
        }
        writer.end_array();
    }
    writer.end_object().end_object();
    format!("{}\n", writer.finish())
}
