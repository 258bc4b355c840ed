//! The file that says which rules of a policy flagged no good trace.

use std::path::Path;

use lawbook_diag::Problem;
use lawbook_event::json::{Document, Grammar, Limits, Value};

use crate::fields::file_text;
use lawbook::digest;

/// The name and version of the file's form.
pub const SCHEMA: &str = "lawbook.proven/1";

/// What such a file holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Proven {
    /// `sha256:` and the digest of the file itself.
    pub digest: String,
    /// The digest of the policy.
    pub policy: String,
    /// The rules that flagged no good trace.
    pub rules: Vec<String>,
    /// The rules that did.
    pub flagged_good: Vec<String>,
    /// How many labels that rests on.
    pub labels: u64,
}

impl Proven {
    /// Reads a file.
    ///
    /// # Errors
    /// When it can't be read or is no such file.
    pub fn load(path: &Path) -> Result<Self, Problem> {
        let text = file_text(path)?;
        let name = path.display().to_string();
        let wrong = |why: &str| {
            let message = format!("this does not say which rules are proven: {why}");
            Problem::new(&name, "no_proven", message)
                .help("write it with `lawbook agreement … --proven-out FILE`")
        };
        let document = Document::parse(&text, Grammar::Strict, &Limits::DEFAULT)
            .map_err(|error| wrong(&error.to_string()))?;
        let root = document.root();
        if root.get("schema").and_then(Value::as_str) != Some(SCHEMA) {
            return Err(wrong(&format!("its `schema` is not `{SCHEMA}`")));
        }
        let policy = root.get("policy").and_then(Value::as_str);
        let policy = policy.ok_or_else(|| wrong("it names no policy"))?.to_owned();
        let rules = root.get("rules").filter(|it| it.is_array());
        let rules = rules.ok_or_else(|| wrong("it lists no rules"))?.items();
        let labels = root.get("labels").and_then(Value::number_text).unwrap_or_default();
        let flagged = root.get("flagged_good").into_iter().flat_map(Value::entries);
        Ok(Proven {
            digest: digest(text.as_bytes()),
            policy,
            rules: rules.filter_map(Value::as_str).map(str::to_owned).collect(),
            flagged_good: flagged.map(|it| it.0.to_owned()).collect(),
            labels: labels.parse().unwrap_or_default(),
        })
    }
}
