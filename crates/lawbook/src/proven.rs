//! The rules that flagged no good trace, as `lawbook agreement` writes them down.

use std::collections::BTreeSet;

use lawbook_diag::Problem;
use lawbook_event::json::{Document, Grammar, Limits, Value};

use crate::Error;

const SCHEMA: &str = "lawbook.proven/1";

/// The rules that were held against reviewed traces and flagged no good one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Proven {
    /// The digest of the policy they were proven in.
    pub policy: String,
    /// Their ids.
    pub rules: BTreeSet<String>,
}

impl Proven {
    /// Reads the text of a `lawbook.proven/1` file; `source` is its name in problems.
    pub fn read(source: &str, text: &str) -> Result<Self, Error> {
        let wrong = |code, message: String| {
            Error::from(
                Problem::new(source, code, message)
                    .help("write the file with `lawbook agreement --proven-out`"),
            )
        };
        let document = Document::parse(text, Grammar::Strict, &Limits::DEFAULT)
            .map_err(|error| wrong("not_json", error.to_string()))?;
        if let Some((key, _)) = document.duplicate_key() {
            return Err(wrong("duplicate_key", format!("`{key}` stands twice")));
        }
        let root = document.root();
        let said = root.get("schema").and_then(Value::as_str);
        if said != Some(SCHEMA) {
            return Err(wrong("wrong_schema", format!("the file is no `{SCHEMA}`")));
        }
        let policy = root.get("policy").and_then(Value::as_str);
        let list = root.get("rules").filter(|it| it.is_array());
        let rules: Option<BTreeSet<String>> =
            list.and_then(|it| it.items().map(|it| it.as_str().map(str::to_owned)).collect());
        match (policy, rules) {
            (Some(policy), Some(rules)) => Ok(Proven { policy: policy.to_owned(), rules }),
            (None, _) => Err(wrong("wrong_shape", "`policy` is no digest".to_owned())),
            (_, None) => Err(wrong("wrong_shape", "`rules` is no list of rule ids".to_owned())),
        }
    }
}
