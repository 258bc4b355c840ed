//! YAML documents with recorded HTTP exchanges, as JSON.

use lawbook_diag::Problem;
use lawbook_event::json::Writer;
use saphyr_parser::{Event, Parser, ScalarStyle, Tag};

use super::Limits;
use crate::Source;

/// How many lines are looked at for the key that holds the exchanges.
const HEAD_LINES: usize = 16;

/// Whether a text is YAML as recorders of HTTP write it: a key of theirs stands near the start.
pub fn holds_exchanges(text: &str) -> bool {
    let mut head = text.lines().take(HEAD_LINES);
    let marked = |line: &str| {
        let key = line.trim_end().strip_suffix(':');
        matches!(key, Some("interactions" | "http_interactions"))
    };
    !text.trim_start().starts_with(['{', '[', '"']) && head.any(marked)
}

/// The document as JSON. Binary text becomes an object with the key `base64`. What could repeat
/// itself without end, an alias, is refused.
pub fn to_json(text: &str, source: &Source, limits: &Limits) -> Result<String, Problem> {
    if text.len() > limits.yaml_bytes_max {
        let message = format!("the YAML is longer than {} bytes", limits.yaml_bytes_max);
        return Err(Problem::new(source.name.clone(), "too_large", message)
            .help("cut the recording into smaller ones"));
    }
    let depth_max = limits.json.depth_max;
    let mut build = Build { writer: Writer::new(), open: Vec::new(), depth_max, documents: 0 };
    for event in Parser::new_from_str(text) {
        let (taken, at) = match event {
            Ok((event, span)) => (build.take(event), span.start),
            Err(error) => (Err(error.info().to_owned()), *error.marker()),
        };
        if let Err(why) = taken {
            let message = format!("this YAML can't be read: {why}");
            let line = u32::try_from(at.line()).unwrap_or(u32::MAX);
            let column = u32::try_from(at.col()).unwrap_or(u32::MAX).saturating_add(1);
            return Err(Problem::new(source.name.clone(), "not_yaml", message)
                .at(line, column)
                .help("record the exchanges again, or write them as JSON"));
        }
    }
    Ok(build.writer.finish())
}

/// What is open in the document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Open {
    List,
    /// A map that awaits a key.
    Key,
    /// A map that awaits a value.
    Value,
}

struct Build {
    writer: Writer,
    open: Vec<Open>,
    depth_max: usize,
    documents: u32,
}

impl Build {
    fn take(&mut self, event: Event<'_>) -> Result<(), String> {
        let awaits_key = self.open.last() == Some(&Open::Key);
        match event {
            Event::DocumentStart(_) if self.documents > 0 => {
                return Err("a second document".to_owned());
            }
            Event::DocumentStart(_) => self.documents = 1,
            Event::Scalar(text, _, _, _) if awaits_key => {
                self.writer.key(&text);
                self.turn();
            }
            Event::SequenceStart(..) | Event::MappingStart(..) if awaits_key => {
                return Err("a key must be text".to_owned());
            }
            Event::Alias(_) => return Err("an alias".to_owned()),
            Event::Scalar(text, style, _, tag) => {
                self.scalar(&text, style, tag.as_deref());
                self.turn();
            }
            Event::SequenceStart(..) => {
                self.writer.array();
                self.open(Open::List)?;
            }
            Event::MappingStart(..) => {
                self.writer.object();
                self.open(Open::Key)?;
            }
            Event::SequenceEnd => {
                self.writer.end_array();
                self.close();
            }
            Event::MappingEnd => {
                self.writer.end_object();
                self.close();
            }
            _ => {}
        }
        Ok(())
    }

    fn open(&mut self, open: Open) -> Result<(), String> {
        self.open.push(open);
        if self.open.len() > self.depth_max {
            Err("it is nested too deep".to_owned())
        } else {
            Ok(())
        }
    }

    fn close(&mut self) {
        self.open.pop();
        self.turn();
    }

    /// After a key comes a value, and after a value a key.
    fn turn(&mut self) {
        if let Some(open) = self.open.last_mut() {
            *open = match *open {
                Open::List => Open::List,
                Open::Key => Open::Value,
                Open::Value => Open::Key,
            };
        }
    }

    fn scalar(&mut self, text: &str, style: ScalarStyle, tag: Option<&Tag>) {
        let writer = &mut self.writer;
        if tag.is_some_and(|it| it.suffix == "binary" || it.suffix.ends_with("/binary")) {
            let digits: String = text.split_ascii_whitespace().collect();
            writer.object().key("base64").string(&digits).end_object();
        } else if style != ScalarStyle::Plain {
            writer.string(text);
        } else if matches!(text, "" | "~" | "null") {
            writer.raw("null");
        } else if matches!(text, "true" | "false") || is_whole_number(text) {
            writer.raw(text);
        } else {
            writer.string(text);
        }
    }
}

/// Whether a text is a whole number in JSON as well.
fn is_whole_number(text: &str) -> bool {
    const DIGITS: usize = 18;
    let digits = text.bytes().all(|it| it.is_ascii_digit());
    digits && text.len() <= DIGITS && (text == "0" || !text.starts_with('0'))
}
