//! What surrounds the records of an input: compression, a byte order mark, one document or many,
//! a table.

mod csv;
pub(crate) mod gzip;
mod lines;
mod yaml;
mod zip;

use std::borrow::Cow;

use lawbook_diag::Problem;
use lawbook_event::json::{self, Document, Grammar, Halves, JsonError, JsonErrorKind};

pub use lines::{Line, Lines, block_end};

use crate::{Part, Source};

/// Does two things at the same time, the first of them on another thread: what a caller who has a
/// spare one gives.
pub type Both<'a> = &'a dyn Fn(&mut (dyn FnMut() + Send), &mut dyn FnMut());

/// The bounds of one input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes that a compressed input may unpack to. Default 1 GiB.
    pub gzip_bytes_max: usize,
    /// How many times its own size a compressed input may unpack to. Default 200: traces compress
    /// 5 to 40 times, a bomb a thousand times.
    pub gzip_ratio_max: usize,
    /// Bytes of one YAML document. Default 64 MiB: only recorded HTTP exchanges are YAML.
    pub yaml_bytes_max: usize,
    /// The bounds of each document.
    pub json: json::Limits,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            gzip_bytes_max: 1 << 30,
            gzip_ratio_max: 200,
            yaml_bytes_max: 1 << 26,
            json: json::Limits::DEFAULT,
        }
    }
}

/// How documents stand in an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// One JSON document, unless another follows it.
    Document,
    /// One JSON document on each line.
    Lines,
    /// Several JSON documents one after another, over any number of lines.
    Concatenation,
    /// One YAML document with recorded HTTP exchanges.
    Yaml,
}

/// An opened input.
#[derive(Debug)]
pub struct Contents<'b> {
    text: Cow<'b, str>,
    form: Form,
    /// Whether nothing was taken off: no compression and no byte order mark.
    bare: bool,
    /// Lines that are not UTF-8, found while opening.
    problems: Vec<Problem>,
}

/// Opens an input: unpacks it, drops a byte order mark, checks the encoding, finds the form.
///
/// # Errors
/// When nothing of the input can be read: it is empty, is not UTF-8 in its only document, or does
/// not unpack within the limits.
pub fn open<'b>(
    bytes: &'b [u8],
    source: &Source,
    limits: &Limits,
) -> Result<Contents<'b>, Problem> {
    let unpacked = match gzip::unpack(bytes, source, limits)? {
        Some(unpacked) => Some(unpacked),
        None => zip::unpack(bytes, source, limits)?,
    };
    let (bytes, packed) = match unpacked {
        Some(unpacked) => (Cow::Owned(unpacked), true),
        None => (Cow::Borrowed(bytes), false),
    };
    let (bytes, marked) = without_mark(bytes);
    let mut problems = Vec::new();
    let text = decode(bytes, source, &mut problems)?;
    if text.trim().is_empty() && problems.is_empty() {
        return Err(Problem::new(source.name.clone(), "empty", "the input is empty")
            .help("give a file that holds at least one trace"));
    }
    if csv::is_table(&text, &source.name) {
        let text = Cow::Owned(csv::to_lines(&text, source, &mut problems));
        return Ok(Contents { text, form: Form::Lines, bare: false, problems });
    }
    let form = form_of(&text, &limits.json);
    Ok(Contents { text, form, bare: !packed && !marked, problems })
}

const MARK: &[u8] = b"\xEF\xBB\xBF";

fn without_mark(bytes: Cow<'_, [u8]>) -> (Cow<'_, [u8]>, bool) {
    match bytes {
        Cow::Borrowed(all) => match all.strip_prefix(MARK) {
            Some(rest) => (Cow::Borrowed(rest), true),
            None => (Cow::Borrowed(all), false),
        },
        Cow::Owned(mut all) => {
            let marked = all.starts_with(MARK);
            if marked {
                all.drain(..MARK.len());
            }
            (Cow::Owned(all), marked)
        }
    }
}

/// The text of an input. A line that is not UTF-8 becomes a problem and an empty line, unless it
/// is the only one.
fn decode<'b>(
    bytes: Cow<'b, [u8]>,
    source: &Source,
    problems: &mut Vec<Problem>,
) -> Result<Cow<'b, str>, Problem> {
    // A large text is looked through once only.
    let bytes = match bytes {
        Cow::Borrowed(all) => match simdutf8::basic::from_utf8(all) {
            Ok(text) => return Ok(Cow::Borrowed(text)),
            Err(_) => bytes,
        },
        Cow::Owned(all) => match String::from_utf8(all) {
            Ok(text) => return Ok(Cow::Owned(text)),
            Err(error) => Cow::Owned(error.into_bytes()),
        },
    };
    let mut text = String::with_capacity(bytes.len());
    let mut number = 1;
    for line in Lines::new(&bytes, 1, source) {
        match line {
            Ok(line) => {
                while number < line.number {
                    text.push('\n');
                    number = number.saturating_add(1);
                }
                text.push_str(line.text);
            }
            Err(problem) => problems.push(problem),
        }
    }
    match problems.first() {
        Some(first) if text.trim().is_empty() => Err(first.clone()),
        _ => Ok(Cow::Owned(text)),
    }
}

/// The form of a text, found without reading all of it where that is possible. A document that
/// another one follows is told apart when it is parsed.
fn form_of(text: &str, limits: &json::Limits) -> Form {
    if yaml::holds_exchanges(text) {
        return Form::Yaml;
    }
    let begun = text.trim_start();
    let end = memchr::memchr(b'\n', begun.as_bytes());
    let (first, others) = end.and_then(|it| begun.split_at_checked(it)).unwrap_or((begun, ""));
    if others.trim().is_empty() {
        return Form::Document;
    }
    match Document::parse(first, Grammar::Python, limits).map_err(|error| error.kind) {
        Ok(_) => return Form::Lines,
        Err(JsonErrorKind::Trailing) => return Form::Concatenation,
        Err(_) if !later_lines(others, limits) => return Form::Document,
        Err(_) => {}
    }
    match Document::parse(text, Grammar::Python, limits).map_err(|error| error.kind) {
        Ok(_) => Form::Document,
        Err(JsonErrorKind::Trailing) => Form::Concatenation,
        Err(_) => Form::Lines,
    }
}

/// Whether the next line that is not blank holds a whole object, so that only the first is broken.
fn later_lines(others: &str, limits: &json::Limits) -> bool {
    let next = others.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    next.trim_start().starts_with('{') && Document::parse(next, Grammar::Python, limits).is_ok()
}

/// Reads one document, a large one in two halves where they can be read at the same time.
fn one_document<'t>(
    text: &'t str,
    limits: &json::Limits,
    both: Option<Both<'_>>,
) -> Result<Document<'t>, JsonError> {
    let halves = both.and_then(|both| Some((both, Halves::of(text, Grammar::Python, limits)?)));
    let Some((both, halves)) = halves else {
        return Document::parse(text, Grammar::Python, limits);
    };
    let (mut first, mut second) = (None, None);
    both(&mut || second = Some(halves.second()), &mut || first = Some(halves.first()));
    match (first, second) {
        (Some(first), Some(second)) => first.join(second),
        _ => Document::parse(text, Grammar::Python, limits),
    }
}

impl Contents<'_> {
    /// How its documents stand.
    #[must_use]
    pub fn form(&self) -> Form {
        self.form
    }

    /// The text of the records.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Parses every document. What cannot be parsed is a problem at its place.
    #[must_use]
    pub fn parts(&self, source: &Source, limits: &Limits) -> (Vec<Part<'_>>, Vec<Problem>) {
        self.parts_with(source, limits, None)
    }

    /// The same, a large document in two halves where `both` is given.
    #[must_use]
    pub fn parts_with(
        &self,
        source: &Source,
        limits: &Limits,
        both: Option<Both<'_>>,
    ) -> (Vec<Part<'_>>, Vec<Problem>) {
        let mut problems = self.problems.clone();
        let parts = match self.form {
            Form::Document => self.document(source, limits, both, &mut problems),
            Form::Lines => self.lines(source, limits, &mut problems),
            Form::Concatenation => self.concatenation(source, limits, &mut problems),
            Form::Yaml => self.yaml(source, limits, &mut problems),
        };
        (parts, problems)
    }

    fn document(
        &self,
        source: &Source,
        limits: &Limits,
        both: Option<Both<'_>>,
        problems: &mut Vec<Problem>,
    ) -> Vec<Part<'_>> {
        match one_document(&self.text, &limits.json, both) {
            Ok(document) => vec![Part { document, line: None, plain: self.bare }],
            Err(error) if error.kind == JsonErrorKind::Trailing => {
                self.concatenation(source, limits, problems)
            }
            Err(error) => {
                problems.push(json_problem(source, &error, 1));
                Vec::new()
            }
        }
    }

    fn yaml(&self, source: &Source, limits: &Limits, problems: &mut Vec<Problem>) -> Vec<Part<'_>> {
        let json = match yaml::to_json(&self.text, source, limits) {
            Ok(json) => json,
            Err(problem) => {
                problems.push(problem);
                return Vec::new();
            }
        };
        match Document::parse_owned(json, Grammar::Python, &limits.json) {
            Ok(document) => vec![Part { document, line: None, plain: false }],
            Err(error) => {
                // Its place would be one in the JSON, which nobody has.
                let problem = json_problem(source, &error, 1);
                problems.push(Problem { line: None, column: None, ..problem });
                Vec::new()
            }
        }
    }

    fn lines(
        &self,
        source: &Source,
        limits: &Limits,
        problems: &mut Vec<Problem>,
    ) -> Vec<Part<'_>> {
        let mut parts = Vec::new();
        for line in Lines::new(self.text.as_bytes(), 1, source).flatten() {
            match Document::parse(line.text, Grammar::Python, &limits.json) {
                Ok(document) => {
                    parts.push(Part { document, line: Some(line.number), plain: false });
                }
                Err(error) => problems.push(json_problem(source, &error, line.number)),
            }
        }
        parts
    }

    fn concatenation(
        &self,
        source: &Source,
        limits: &Limits,
        problems: &mut Vec<Problem>,
    ) -> Vec<Part<'_>> {
        let mut parts = Vec::new();
        let (mut rest, mut line) = (self.text.as_ref(), 1_u32);
        while !rest.trim_start().is_empty() {
            let start = rest.len().saturating_sub(rest.trim_start().len());
            line = line.saturating_add(newlines(rest.get(..start).unwrap_or_default()));
            rest = rest.get(start..).unwrap_or_default();
            let end = match Document::parse(rest, Grammar::Python, &limits.json) {
                Err(error) if error.kind == JsonErrorKind::Trailing => error.offset,
                Ok(_) => rest.len(),
                Err(error) => {
                    problems.push(json_problem(source, &error, line));
                    break;
                }
            };
            let one = rest.get(..end).unwrap_or_default();
            if let Ok(document) = Document::parse(one, Grammar::Python, &limits.json) {
                parts.push(Part { document, line: Some(line), plain: false });
            }
            line = line.saturating_add(newlines(one));
            rest = rest.get(end..).unwrap_or_default();
        }
        parts
    }
}

fn newlines(text: &str) -> u32 {
    u32::try_from(memchr::memchr_iter(b'\n', text.as_bytes()).count()).unwrap_or(u32::MAX)
}

/// The problem of a text that is not JSON. `first` is the line on which the text begins.
#[must_use]
pub fn json_problem(source: &Source, error: &JsonError, first: u32) -> Problem {
    let line =
        u32::try_from(error.line).unwrap_or(u32::MAX).saturating_add(first).saturating_sub(1);
    let column = u32::try_from(error.column).unwrap_or(u32::MAX);
    let said = error.to_string();
    let words = said.split_once(" at line ").map_or(said.as_str(), |(words, _)| words);
    let (code, help) = if error.kind.is_limit() {
        ("too_large", "cut the input into smaller documents; the limits are fixed")
    } else {
        ("not_json", "give a trace file that is JSON or JSON lines")
    };
    Problem::new(source.name.clone(), code, words.to_owned()).at(line, column).help(help)
}

#[cfg(test)]
mod tests;
