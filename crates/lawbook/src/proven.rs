//! The rules that flagged no good trace, as `lawbook agreement` writes them down.

use lawbook_diag::Problem;
use lawbook_event::json::{Document, Grammar, Limits, Value};

use crate::Error;

/// The rules that were held against reviewed traces and flagged no good one.
///
/// ```
/// let text = r#"{"schema": "lawbook.proven/1", "policy": "sha256:0", "rules": ["cap"]}"#;
/// let proven = lawbook::Proven::read("proven.json", text)?;
/// assert!(proven.has("cap"));
/// # Ok::<(), lawbook::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Proven {
    /// The digest of the policy they were proven in.
    pub policy: String,
    /// Their ids, in the order of the file.
    pub rules: Vec<String>,
    /// The rules that flagged a good trace.
    pub flagged_good: Vec<String>,
    /// How many labels that rests on.
    pub labels: u64,
}

impl Proven {
    /// The name and version of the file's form.
    pub const SCHEMA: &str = "lawbook.proven/1";

    /// Reads the text of such a file; `source` is its name in problems.
    ///
    /// # Errors
    /// When it is no such file.
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
        if said != Some(Self::SCHEMA) {
            return Err(wrong("wrong_schema", format!("the file is no `{}`", Self::SCHEMA)));
        }
        let policy = root.get("policy").and_then(Value::as_str);
        let list = root.get("rules").filter(|it| it.is_array());
        let rules: Option<Vec<String>> =
            list.and_then(|it| it.items().map(|it| it.as_str().map(str::to_owned)).collect());
        match (policy, rules) {
            (Some(policy), Some(rules)) => {
                let flagged = root.get("flagged_good").into_iter().flat_map(Value::entries);
                let labels = root.get("labels").and_then(Value::number_text).unwrap_or_default();
                Ok(Proven {
                    policy: policy.to_owned(),
                    rules,
                    flagged_good: flagged.map(|it| it.0.to_owned()).collect(),
                    labels: labels.parse().unwrap_or_default(),
                })
            }
            (None, _) => Err(wrong("wrong_shape", "`policy` is no digest".to_owned())),
            (_, None) => Err(wrong("wrong_shape", "`rules` is no list of rule ids".to_owned())),
        }
    }

    /// Whether a rule of this id is among them.
    #[must_use]
    pub fn has(&self, id: &str) -> bool {
        self.rules.iter().any(|it| it == id)
    }
}
