//! A piece of an input, and reading the sessions in it.

use std::io::Read;
use std::sync::Arc;

use lawbook_diag::Problem;
use lawbook_event::json::Buffers;
use lawbook_trace::{Limits, Lines, Reader, Reading, Session, Source};

/// A piece of an input.
pub enum Piece {
    /// Whole lines, each with whole sessions. The bytes lie in the buffer.
    Lines {
        /// The input.
        source: Arc<Source>,
        /// Who reads the lines.
        reader: &'static dyn Reader,
        /// The number of the first line.
        first: u32,
    },
    /// A whole input. Its beginning lies in the buffer.
    Whole {
        /// The input.
        source: Arc<Source>,
        /// What follows the beginning.
        rest: Box<dyn Read + Send>,
        /// Who reads it, if the caller says so.
        forced: Option<&'static dyn Reader>,
    },
    /// An input that could not be opened or read.
    Broken(Problem),
}

/// Which readings of the same bytes are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Readings {
    /// The full one.
    pub full: bool,
    /// The one that faultgate makes.
    pub faultgate: bool,
}

/// Reads the sessions of a piece. Each comes with the reading that it was made under; nothing is
/// said of the reading where all readings are the same, as they are in files of lines.
pub fn read(
    piece: Piece,
    buffer: &mut Vec<u8>,
    buffers: &mut Buffers,
    readings: Readings,
    out: &mut dyn FnMut(Option<Reading>, Session<'_>),
) -> Vec<Problem> {
    match piece {
        Piece::Broken(problem) => vec![problem],
        Piece::Lines { source, reader, first } => {
            lines(&source, reader, first, buffer, buffers, out)
        }
        Piece::Whole { source, mut rest, forced } => match rest.read_to_end(buffer) {
            Err(error) => vec![unreadable(&source, &error)],
            Ok(_) => whole(&source, forced, buffer, readings, out),
        },
    }
}

fn lines(
    source: &Source,
    reader: &'static dyn Reader,
    first: u32,
    block: &[u8],
    buffers: &mut Buffers,
    out: &mut dyn FnMut(Option<Reading>, Session<'_>),
) -> Vec<Problem> {
    let mut problems = Vec::new();
    for line in Lines::new(block, first, source) {
        match line {
            Ok(line) => problems.extend(reader.read_line(
                line.text,
                line.number,
                buffers,
                Reading::Full,
                source,
                &mut |session| out(None, session),
            )),
            Err(problem) => problems.push(problem),
        }
    }
    problems
}

fn whole(
    source: &Source,
    forced: Option<&'static dyn Reader>,
    bytes: &[u8],
    readings: Readings,
    out: &mut dyn FnMut(Option<Reading>, Session<'_>),
) -> Vec<Problem> {
    let mut problems = Vec::new();
    let wanted = [(readings.faultgate, Reading::Faultgate), (readings.full, Reading::Full)];
    for reading in wanted.into_iter().filter(|it| it.0).map(|it| it.1) {
        // Both readings meet the same problems, so those of the last one are enough.
        problems = lawbook_trace::read(
            bytes,
            forced,
            reading,
            source,
            &Limits::default(),
            &mut |session| out(Some(reading), session),
        );
    }
    problems
}

/// The problem of an input that stopped giving bytes.
pub fn unreadable(source: &Source, error: &std::io::Error) -> Problem {
    Problem::new(source.name.clone(), "unreadable", format!("it can't be read: {error}"))
}
