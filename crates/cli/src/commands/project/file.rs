//! A pmstack project or file of checks: its text, and where the parts of it stand.

use std::path::{Path, PathBuf};

use lawbook_diag::{Problem, place};
use lawbook_event::json::{Document, Grammar, Limits, Value};

/// The format of a project.
pub const PROJECT: &str = "pmstack.project/1";

/// The format of a file of checks.
pub const CHECKS: &str = "pmstack.checks/1";

/// The types of checks that a computer runs without a model.
const CODE_TYPES: &[&str] = &["code", "policy", "relevance"];

/// A project or a file of checks.
pub struct PmstackFile {
    /// Where it stands.
    pub path: PathBuf,
    /// Its text, without a byte order mark.
    pub text: String,
    document: Document<'static>,
}

/// A check.
pub struct Check<'f> {
    /// The check itself.
    pub value: Value<'f>,
    /// Its id.
    pub id: &'f str,
    /// Its type.
    pub kind: &'f str,
    /// The failure mode that it is about.
    pub mode: &'f str,
    /// Its name.
    pub name: &'f str,
}

impl PmstackFile {
    /// Reads a file of one of these formats.
    ///
    /// # Errors
    /// When it can't be read, is no JSON, or is in another format.
    pub fn read(path: &Path, formats: &[&str]) -> Result<Self, Problem> {
        let source = path.display().to_string();
        let text = std::fs::read_to_string(path).map_err(|error| {
            Problem::new(&source, "unreadable", format!("it can't be read: {error}"))
        })?;
        let text = text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text);
        let parsed = Document::parse_owned(text.clone(), Grammar::Strict, &Limits::DEFAULT);
        let document = parsed.map_err(|error| {
            let (line, column) = place(&text, error.offset);
            Problem::new(&source, "not_json", format!("this is no JSON: {error}")).at(line, column)
        })?;
        let file = PmstackFile { path: path.to_owned(), text, document };
        let format = file.root().get("format").and_then(Value::as_str).unwrap_or_default();
        if formats.contains(&format) {
            return Ok(file);
        }
        let wanted = formats.join("` or `");
        let message = match format {
            "" => "it names no pmstack format".to_owned(),
            other => format!("its format is `{other}`"),
        };
        Err(Problem::new(source, "other_format", message)
            .help(format!("a file of the format `{wanted}` is needed")))
    }

    /// The whole file.
    pub fn root(&self) -> Value<'_> {
        self.document.root()
    }

    /// Whether it is a project.
    pub fn is_project(&self) -> bool {
        self.root().get("format").and_then(Value::as_str) == Some(PROJECT)
    }

    /// What is known of the product.
    pub fn experience(&self) -> Option<Value<'_>> {
        self.root().get("experience").filter(|it| it.is_object())
    }

    /// What the user is called.
    pub fn user_word(&self) -> &str {
        let word = self.experience().and_then(|it| it.get("userLabel")).and_then(Value::as_str);
        word.map(str::trim).filter(|it| !it.is_empty()).unwrap_or("customer")
    }

    /// The checks that a computer runs, those alone that run on every change if asked.
    pub fn checks(&self, only_ci: bool) -> Vec<Check<'_>> {
        let all = self.root().get("checks").into_iter().flat_map(Value::items);
        let checks = all.filter_map(|value| {
            let text = |key: &str| value.get(key).and_then(Value::as_str);
            let id = text("id")?;
            let (kind, mode) = (text("type").unwrap_or_default(), text("modeId"));
            let name = text("name").unwrap_or(id);
            Some(Check { value, id, kind, mode: mode.unwrap_or_default(), name })
        });
        let is_code = |it: &Check<'_>| CODE_TYPES.contains(&it.kind);
        checks.filter(is_code).filter(|it| !only_ci || it.is_ci()).collect()
    }
}

impl Check<'_> {
    /// Whether it runs on every change.
    pub fn is_ci(&self) -> bool {
        self.value.get("ci").and_then(Value::as_bool) == Some(true)
    }

    /// Whether it is a policy check.
    pub fn is_policy(&self) -> bool {
        self.kind == "policy"
    }

    /// The rules that it is about; all of the policy if there are none.
    pub fn rule_ids(&self) -> Vec<String> {
        let ids = self.value.get("ruleIds").into_iter().flat_map(Value::items);
        ids.filter_map(Value::as_str).map(str::to_owned).collect()
    }
}
