//! The log of decisions: one line for each call, in the form `lawbook.decision/1`, without any of
//! its arguments.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use lawbook::{Answer, CallAnswer, Error};
use lawbook_diag::Problem;
use lawbook_event::Time;
use lawbook_event::json::Writer;
use lawbook_report::quote;

use crate::masking;
use crate::moment;

/// The name and version of a line.
pub const SCHEMA: &str = "lawbook.decision/1";

/// The longest text of others that a line holds, in characters.
pub const TEXT_CHARS_MAX: usize = 200;

/// A log that lines are appended to.
#[derive(Debug)]
pub struct Log {
    file: File,
    path: PathBuf,
}

impl Log {
    /// Opens a log, which only its owner may read if it is made now.
    ///
    /// # Errors
    /// When nothing can be appended to it.
    pub fn open(path: &Path) -> Result<Self, Problem> {
        match opened(path) {
            Ok(file) => Ok(Log { file, path: path.to_owned() }),
            Err(error) => Err(unwritable(path, &error)),
        }
    }

    /// Writes down what was said of each call.
    ///
    /// # Errors
    /// When it can't be written.
    pub fn answer(&mut self, at: Time, answer: &Answer) -> Result<(), Problem> {
        let lines: String = answer.calls().iter().map(|it| line(at, answer, it)).collect();
        self.append(&lines)
    }

    /// Writes down that nothing could be decided.
    ///
    /// # Errors
    /// When it can't be written.
    pub fn error(&mut self, at: Time, error: &Error) -> Result<(), Problem> {
        let mut writer = Writer::new();
        head(&mut writer, at);
        for key in ["claimed_at", "session", "policy", "call_id", "tool"] {
            writer.key(key).null();
        }
        writer.key("verdict").string("deny");
        writer.key("rules").array().end_array().key("unknown").array().end_array();
        writer.key("error").string(error.code()).end_object();
        self.append(&format!("{}\n", writer.finish()))
    }

    /// One write, so that lines of several processes don't mix.
    fn append(&mut self, lines: &str) -> Result<(), Problem> {
        let written = whole_lines(&mut self.file).and_then(|whole| {
            let text = if whole { lines.to_owned() } else { format!("\n{lines}") };
            Ok(self.file.write(text.as_bytes())? == text.len())
        });
        match written {
            Ok(true) => Ok(()),
            Ok(false) => Err(unwritable(&self.path, &io::Error::other("a part was written"))),
            Err(error) => Err(unwritable(&self.path, &error)),
        }
    }
}

fn opened(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).append(true).create(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

/// Whether a file ends with a whole line. A writer that was stopped may have left a part of one.
fn whole_lines(file: &mut File) -> io::Result<bool> {
    let there = file.metadata()?;
    if !there.is_file() || there.len() == 0 {
        return Ok(true);
    }
    let mut last = [0];
    file.seek(SeekFrom::End(-1))?;
    file.read_exact(&mut last)?;
    Ok(last == *b"\n")
}

fn unwritable(path: &Path, error: &io::Error) -> Problem {
    let message = format!("the decision can't be written down: {error}");
    Problem::new(path.display().to_string(), "unwritable_log", message)
        .help("name a log in a folder that is there and that you may write to")
}

fn head(writer: &mut Writer, at: Time) {
    writer.object().key("schema").string(SCHEMA).key("time").string(&moment::text(at));
}

fn line(at: Time, answer: &Answer, call: &CallAnswer) -> String {
    let mut writer = Writer::new();
    head(&mut writer, at);
    text(&mut writer, "claimed_at", answer.claimed_at());
    let session = answer.session().map(masking::key);
    text(&mut writer, "session", session.as_deref());
    text(&mut writer, "policy", Some(answer.policy()));
    text(&mut writer, "call_id", call.id.as_deref().map(masking::text).as_deref());
    text(&mut writer, "tool", Some(&call.tool));
    writer.key("verdict").string(call.verdict.word());
    ids(&mut writer, "rules", &call.rules);
    ids(&mut writer, "unknown", &call.unknown_rules);
    writer.key("error").null().end_object();
    format!("{}\n", writer.finish())
}

fn text(writer: &mut Writer, key: &str, text: Option<&str>) {
    writer.key(key);
    match text {
        Some(text) => writer.raw(&quote(&cut(text))),
        None => writer.null(),
    };
}

fn ids(writer: &mut Writer, key: &str, ids: &[String]) {
    writer.key(key).array();
    for id in ids {
        writer.raw(&quote(&cut(id)));
    }
    writer.end_array();
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(TEXT_CHARS_MAX) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_that_can_not_be_written_is_a_problem() {
        let here = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml");
        // Opened for reading alone, so that nothing is written to it.
        let mut log = Log { file: File::open(&here).unwrap(), path: here };
        let problem = log.append("{}\n").unwrap_err();
        assert_eq!(problem.code, "unwritable_log");
    }
}
