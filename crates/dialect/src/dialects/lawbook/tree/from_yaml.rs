//! A YAML policy as a tree.

use lawbook_diag::Span;
use lawbook_rule::params::{Fault, Form, Node};
use saphyr_parser::{Event, Parser, ScalarStyle};

use super::build::Build;

/// Reads a text.
pub(super) fn read(text: &str, faults: &mut Vec<Fault>) -> Option<Node> {
    let places = Places::new(text);
    let mut build = Build::new(text);
    let mut documents = 0_usize;
    for event in Parser::new_from_str(text) {
        let taken = match event {
            Ok((Event::DocumentStart(_), at)) => {
                documents = documents.saturating_add(1);
                if documents > 1 { Err(second(places.span(at))) } else { Ok(()) }
            }
            Ok((event, at)) => take(event, places.span(at), &mut build, faults),
            Err(error) => Err(unreadable(text, &places, &error)),
        };
        if let Err(fault) = taken {
            faults.push(fault);
            return None;
        }
    }
    build.finish()
}

fn take(
    event: Event<'_>,
    span: Span,
    build: &mut Build<'_>,
    faults: &mut Vec<Fault>,
) -> Result<(), Fault> {
    let (anchor, tag) = match &event {
        Event::Scalar(_, _, anchor, tag) => (*anchor, tag.as_deref()),
        Event::SequenceStart(anchor, tag) | Event::MappingStart(anchor, tag) => {
            (*anchor, tag.as_deref())
        }
        _ => (0, None),
    };
    if anchor > 0 {
        faults.push(refused(span, "an anchor `&…`"));
    }
    if tag.is_some() {
        faults.push(refused(span, "a tag `!…`"));
    }
    match event {
        Event::Scalar(text, _, _, _) if build.awaits_key() => {
            if text == "<<" {
                faults.push(refused(span, "a merge key `<<`"));
            }
            build.key(text.into_owned(), span);
            Ok(())
        }
        Event::Scalar(text, style, _, _) => {
            let form =
                Form::Scalar { text: text.into_owned(), quoted: style != ScalarStyle::Plain };
            build.add(Node { span, form }, faults)
        }
        Event::SequenceStart(..) | Event::MappingStart(..) if build.awaits_key() => {
            Err(Fault::new(span, "wrong_shape", "a key must be text, not a list or a map")
                .help("put the text in quotes if it holds `[`, `{` or `*`"))
        }
        Event::SequenceStart(..) => build.open_list(span.start),
        Event::MappingStart(..) => build.open_map(span.start),
        Event::SequenceEnd | Event::MappingEnd => build.close(span.end, faults),
        Event::Alias(_) => Err(refused(span, "an alias `*…`")),
        Event::Nothing
        | Event::StreamStart
        | Event::StreamEnd
        | Event::DocumentStart(_)
        | Event::DocumentEnd => Ok(()),
    }
}

fn refused(span: Span, what: &str) -> Fault {
    Fault::new(span, "not_plain_yaml", format!("{what} has no place in a policy"))
        .help("write the value out; put text that starts with `*`, `&` or `!` in quotes")
}

fn second(span: Span) -> Fault {
    Fault::new(span, "second_document", "a second document starts here")
        .help("put each policy in a file of its own; several `--policy` files are layers")
}

fn unreadable(text: &str, places: &Places, error: &saphyr_parser::ScanError) -> Fault {
    let at = places.byte(error.marker().index());
    let message = format!("this is no YAML: {}", error.info());
    Fault::new(Span { start: at, end: at }, "not_yaml", message).help(way_out(
        text,
        at,
        error.info(),
    ))
}

/// What most likely went wrong before a byte at which the reading stopped.
fn way_out(text: &str, at: usize, info: &str) -> &'static str {
    let end =
        text.get(at..).and_then(|it| it.find('\n')).map_or(text.len(), |it| at.saturating_add(it));
    let mut lines =
        text.get(..end).unwrap_or(text).lines().rev().filter(|it| !it.trim().is_empty());
    let near = [lines.next(), lines.next()];
    let mut near = near.into_iter().flatten();
    if info.contains("escape") {
        return "put patterns in single quotes, or write each `\\` as `\\\\`";
    }
    let indent = |line: &str| line.len().saturating_sub(line.trim_start().len());
    if near.clone().any(|it| it.get(..indent(it)).is_some_and(|it| it.contains('\t'))) {
        return "use spaces, not tabs, to indent";
    }
    if near.any(lacks_space) {
        return "put a space after the colon, as in `default: deny`";
    }
    "check the indentation and the quotes on this line and the one before"
}

/// Whether a line starts with a key whose colon touches the value.
fn lacks_space(line: &str) -> bool {
    let line = line.trim_start_matches([' ', '-']);
    line.split_once(':').is_some_and(|(key, value)| {
        let is_key = |it: u8| it.is_ascii_alphanumeric() || matches!(it, b'_' | b'-' | b'.');
        !key.is_empty()
            && key.bytes().all(is_key)
            && value.starts_with(|it: char| !it.is_whitespace() && it != '/')
    })
}

/// From places in characters to places in bytes.
struct Places {
    /// The byte at which each character starts; none where all have one byte.
    starts: Option<Vec<usize>>,
    length: usize,
}

impl Places {
    fn new(text: &str) -> Self {
        let starts = (!text.is_ascii()).then(|| text.char_indices().map(|it| it.0).collect());
        Places { starts, length: text.len() }
    }

    fn byte(&self, character: usize) -> usize {
        match &self.starts {
            None => character.min(self.length),
            Some(starts) => starts.get(character).copied().unwrap_or(self.length),
        }
    }

    fn span(&self, span: saphyr_parser::Span) -> Span {
        Span { start: self.byte(span.start.index()), end: self.byte(span.end.index()) }
    }
}
