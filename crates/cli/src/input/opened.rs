//! Opening inputs and cutting them into pieces. Files are read in blocks and never mapped, since
//! a file that is cut while it is mapped would end the process.

use std::fs::File;
use std::io::{self, Read};
use std::sync::Arc;

use lawbook_event::json::{Document, Grammar};
use lawbook_trace::{Limits, Lines, Reader, Shape, Source, block_end, detect};

use super::Place;
use super::piece::{Piece, Whole, unreadable};
use crate::pipeline::Feed;

/// Bytes of a block. It fits the cache of a core with the tape of one line beside it.
const BLOCK_BYTES: usize = 512 * 1024;

/// Inputs that are read one after another.
pub struct Inputs {
    places: std::vec::IntoIter<Place>,
    forced: Option<&'static dyn Reader>,
    open: Option<Open>,
}

/// A file of lines that is being read.
struct Open {
    source: Arc<Source>,
    reader: &'static dyn Reader,
    rest: Box<dyn Read + Send>,
    /// The beginning of a line whose end is not read yet.
    carry: Vec<u8>,
    /// The number of the next line.
    line: u32,
}

impl Inputs {
    /// Inputs in this order. `forced` reads all of them, whatever they look like.
    #[must_use]
    pub fn new(places: Vec<Place>, forced: Option<&'static dyn Reader>) -> Self {
        Inputs { places: places.into_iter(), forced, open: None }
    }

    fn begin(&mut self, place: &Place, buffer: &mut Vec<u8>) -> Piece {
        let source = Arc::new(Source::new(place.name()));
        let rest = open(place);
        let mut rest = match rest {
            Ok(rest) => rest,
            Err(error) => return Piece::Broken(unreadable(&source, &error)),
        };
        buffer.clear();
        let ends_a_line = match head(&mut *rest, buffer, bytes(place)) {
            Ok(it) => it,
            Err(error) => return Piece::Broken(unreadable(&source, &error)),
        };
        let reader = if ends_a_line { lines_reader(buffer, self.forced) } else { None };
        match reader {
            None => Piece::Whole(Whole { source, rest, forced: self.forced }),
            Some(reader) => {
                if buffer.starts_with(b"\xEF\xBB\xBF") {
                    buffer.drain(..3);
                }
                let mut open = Open { source, reader, rest, carry: Vec::new(), line: 1 };
                let piece = open.cut(buffer);
                self.open = Some(open);
                piece
            }
        }
    }
}

impl Feed for Inputs {
    type Piece = Piece;

    fn next(&mut self, buffer: &mut Vec<u8>) -> Option<Piece> {
        if let Some(open) = &mut self.open {
            if let Some(piece) = open.next(buffer) {
                return Some(piece);
            }
            self.open = None;
        }
        let place = self.places.next()?;
        Some(self.begin(&place, buffer))
    }
}

impl Open {
    fn next(&mut self, buffer: &mut Vec<u8>) -> Option<Piece> {
        buffer.clear();
        buffer.append(&mut self.carry);
        loop {
            let before = buffer.len();
            if let Err(error) = fill(&mut *self.rest, buffer) {
                // What follows can't be read, so this file is done.
                self.rest = Box::new(io::empty());
                return Some(Piece::Broken(unreadable(&self.source, &error)));
            }
            let ended = buffer.len() == before;
            if ended && buffer.is_empty() {
                return None;
            }
            let more = buffer.get(before..).unwrap_or_default();
            if ended || memchr::memchr(b'\n', more).is_some() {
                return Some(self.cut(buffer));
            }
        }
    }

    /// Leaves whole lines in the buffer and keeps the rest for the next block. At the end of the
    /// file the last line may have no end.
    fn cut(&mut self, buffer: &mut Vec<u8>) -> Piece {
        let end = block_end(buffer);
        if end > 0 {
            self.carry.extend_from_slice(buffer.get(end..).unwrap_or_default());
            buffer.truncate(end);
        }
        let first = self.line;
        let lines = memchr::memchr_iter(b'\n', buffer).count();
        self.line = first.saturating_add(u32::try_from(lines).unwrap_or(u32::MAX));
        Piece::Lines { source: self.source.clone(), reader: self.reader, first }
    }
}

fn open(place: &Place) -> io::Result<Box<dyn Read + Send>> {
    Ok(match place {
        Place::Stdin => Box::new(io::stdin()),
        Place::File(path) => Box::new(File::open(path)?),
    })
}

/// How many bytes a place holds, where that is known.
fn bytes(place: &Place) -> u64 {
    match place {
        Place::Stdin => 0,
        Place::File(path) => path.metadata().map_or(0, |it| it.len()),
    }
}

/// Reads one block more.
fn fill(from: &mut (dyn Read + Send), buffer: &mut Vec<u8>) -> io::Result<usize> {
    let bytes = u64::try_from(BLOCK_BYTES).unwrap_or(u64::MAX);
    from.take(bytes).read_to_end(buffer)
}

/// Reads until it shows whether more than one line follows, or to the end, and says whether a line
/// ends in what was read. Of so many bytes in all, room is made for those that are not read block
/// by block.
fn head(from: &mut (dyn Read + Send), buffer: &mut Vec<u8>, bytes: u64) -> io::Result<bool> {
    let mut first_line = None;
    loop {
        let before = buffer.len();
        if fill(from, buffer)? == 0 {
            return Ok(first_line.is_some());
        }
        let more = buffer.get(before..).unwrap_or_default();
        if first_line.is_none() {
            let end = memchr::memchr(b'\n', more);
            first_line = end.map(|it| before.saturating_add(it).saturating_add(1));
        }
        let rest = first_line.and_then(|it| buffer.get(it..)).unwrap_or_default();
        if !rest.trim_ascii().is_empty() {
            return Ok(true);
        }
        // A machine that has no such room lets the buffer grow.
        let left = usize::try_from(bytes).unwrap_or(0).saturating_sub(buffer.len());
        let _ = buffer.try_reserve(left.saturating_add(BLOCK_BYTES));
    }
}

/// Who reads the lines of a file that begins like this, if every line of it stands for itself.
/// A file of a single line is a document.
fn lines_reader(head: &[u8], forced: Option<&'static dyn Reader>) -> Option<&'static dyn Reader> {
    let head = head.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(head);
    let nobody = Source::new("");
    let whole = block_end(head);
    let complete = head.get(..whole)?;
    let mut lines = Lines::new(complete, 1, &nobody);
    let first = lines.next()?;
    let alone = lines.next().is_none() && head.get(whole..)?.trim_ascii().is_empty();
    if alone {
        return None;
    }
    let second = Lines::new(complete, 1, &nobody).nth(1);
    // The first line that is known decides, as it does where the whole file is read.
    let shape = [Some(first), second].into_iter().flatten().flatten().find_map(|line| {
        let limits = Limits::default().json;
        let document = Document::parse(line.text, Grammar::Python, &limits).ok()?;
        let root = document.root();
        let reader = forced.or_else(|| detect(root))?;
        let holds = root.is_object() || root.is_array();
        holds.then(|| (reader, reader.shape_of(root)))
    });
    shape.filter(|it| it.1 == Shape::Independent).map(|it| it.0)
}

#[cfg(test)]
mod tests {
    use super::lines_reader;

    const CHAT: &str = r#"{"messages":[{"role":"user","content":"hi"}]}"#;

    const OLD_CODEX: &str = r#"{"id":"s","timestamp":"2025-05-02T08:00:00Z","instructions":null}"#;

    #[test]
    fn lines_are_told_from_documents() {
        let table = [
            (format!("{CHAT}\n{CHAT}\n"), true),
            (format!("\n\n{CHAT}\r\n{CHAT}"), true),
            (format!("\u{feff}{CHAT}\n{CHAT}\n"), true),
            (format!("{{broken\n{CHAT}\n"), true),
            (format!("{CHAT}\n"), false),
            (CHAT.to_owned(), false),
            (format!("[\n{CHAT},\n{CHAT}\n]\n"), false),
            ("{\n\"messages\": []\n}\n".to_owned(), false),
            (format!("{OLD_CODEX}\n{CHAT}\n"), false),
            (String::new(), false),
            ("\n\n".to_owned(), false),
        ];
        for (text, wanted) in table {
            assert_eq!(lines_reader(text.as_bytes(), None).is_some(), wanted, "{text:?}");
        }
    }
}
