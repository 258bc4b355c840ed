//! The texts of an audit beside its reports: what was read and written, with digests, and a script
//! that does it again.

use lawbook_diag::Problem;
use lawbook_event::json::Writer;

use crate::object::quote;

/// The name and version of the form of `audit.json`.
const SCHEMA: &str = "lawbook.audit/1";

/// What an audit says of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AuditRecord {
    /// The version of Lawbook.
    pub lawbook: String,
    /// How the run ended.
    pub exit: u8,
    /// Arguments that do the same again.
    pub arguments: Vec<String>,
    /// What was read.
    pub inputs: Vec<AuditInput>,
    /// What was written.
    pub outputs: Vec<AuditOutput>,
}

/// Something that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuditInput {
    /// What it is: `policy`, `trace`, `known`, `band`.
    pub role: &'static str,
    /// Its name, as it was given.
    pub name: String,
    /// `sha256:` and the digest of its bytes; none where it can't be read twice.
    pub digest: Option<String>,
    /// How many bytes it has.
    pub bytes: Option<u64>,
    /// Where the folder holds a copy.
    pub kept: Option<String>,
    /// Whether it is a file, and not standard input or built in.
    pub on_disk: bool,
    /// Whether it was another file once the run had ended.
    pub changed: bool,
}

/// Something that was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuditOutput {
    /// Its name in the folder.
    pub name: String,
    /// `sha256:` and the digest of its bytes.
    pub digest: String,
    /// How many bytes it has.
    pub bytes: u64,
}

/// The text of `audit.json`.
#[must_use]
pub fn audit_manifest(record: &AuditRecord) -> String {
    let mut writer = Writer::new();
    writer.object().key("schema").string(SCHEMA).key("lawbook").raw(&quote(&record.lawbook));
    writer.key("exit").number(u64::from(record.exit)).key("arguments").array();
    for it in &record.arguments {
        writer.raw(&quote(it));
    }
    writer.end_array().key("inputs").array();
    for it in &record.inputs {
        writer.object().key("role").string(it.role).key("name").raw(&quote(&it.name));
        text_or_null(writer.key("digest"), it.digest.as_deref());
        match it.bytes {
            Some(bytes) => writer.key("bytes").number(bytes),
            None => writer.key("bytes").null(),
        };
        text_or_null(writer.key("kept"), it.kept.as_deref());
        writer.key("changed").bool(it.changed).end_object();
    }
    writer.end_array().key("outputs").array();
    for it in &record.outputs {
        writer.object().key("name").raw(&quote(&it.name)).key("digest").raw(&quote(&it.digest));
        writer.key("bytes").number(it.bytes).end_object();
    }
    writer.end_array().end_object();
    let mut text = writer.finish();
    text.push('\n');
    text
}

fn text_or_null(writer: &mut Writer, text: Option<&str>) {
    match text {
        Some(text) => writer.raw(&quote(text)),
        None => writer.null(),
    };
}

/// The text of `reproduce.sh`, for the folder in which the run was started.
///
/// # Errors
/// When a name or an argument can't stand in a script.
pub fn audit_script(record: &AuditRecord) -> Result<String, Problem> {
    let mut out = String::from(HEAD);
    for it in record.inputs.iter().filter(|it| it.on_disk) {
        let hex = it.digest.as_deref().and_then(|it| it.strip_prefix("sha256:"));
        if let Some(hex) = hex {
            out.push_str(&format!("same {hex} {}\n", quoted(&it.name)?));
        }
    }
    if record.inputs.iter().any(|it| it.name == "-") {
        out.push_str("# An input came from standard input: give it again.\n");
    }
    out.push_str("exec \"$LAWBOOK\"");
    for it in &record.arguments {
        out.push(' ');
        out.push_str(&quoted(it)?);
    }
    out.push('\n');
    Ok(out)
}

const HEAD: &str = "\
#!/bin/sh
# Does a check again: looks whether every input is what it was, and judges.
# Start it where the check was started. LAWBOOK names the program.
set -eu
: \"${LAWBOOK:=lawbook}\"
digest() {
  if command -v sha256sum > /dev/null; then sha256sum; else shasum -a 256; fi
}
same() {
  found=$(digest < \"$2\" | cut -d ' ' -f 1)
  if [ \"$found\" != \"$1\" ]; then
    printf 'not what it was: %s\\n' \"$2\" >&2
    exit 2
  fi
}
";

/// A word of a script that means the text and nothing else. Controls are refused: a name with a
/// line break in it is nobody's trace.
fn quoted(text: &str) -> Result<String, Problem> {
    if text.chars().any(char::is_control) {
        let message = format!("`{}` can't stand in the script of an audit", crate::shown(text));
        let problem = Problem::new("--audit", "unquotable", message);
        return Err(problem.help("give the file a name without line breaks and other controls"));
    }
    let plain = |it: char| it.is_ascii_alphanumeric() || matches!(it, '.' | '-' | '_' | '/');
    if !text.is_empty() && text.chars().all(plain) {
        return Ok(text.to_owned());
    }
    Ok(format!("'{}'", text.replace('\'', "'\\''")))
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn a_word_of_the_script_is_the_text_and_nothing_else() {
        let table = [
            ("a/b-1.jsonl", "a/b-1.jsonl"),
            ("", "''"),
            ("a b", "'a b'"),
            ("$(rm -rf x)`y`;&|", "'$(rm -rf x)`y`;&|'"),
            ("it's", "'it'\\''s'"),
            ("*.json", "'*.json'"),
            ("~/x", "'~/x'"),
        ];
        for (text, wanted) in table {
            assert_eq!(quoted(text).unwrap(), wanted);
        }
        for text in ["a\nb", "a\rb", "a\u{1b}[31m", "a\u{0}", "a\u{85}"] {
            assert!(quoted(text).is_err(), "{text:?}");
        }
    }
}
