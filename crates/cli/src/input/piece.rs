//! A piece of an input, and reading the sessions in it.

use std::io::Read;
use std::sync::Arc;

use lawbook_diag::Problem;
use lawbook_event::json::Buffers;
use lawbook_trace::{Limits, Lines, Parsed, Reader, Readings, Session, Source, Untold};

use super::project::complete;
use crate::pipeline::{Spare, spread};

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
    Whole(Whole),
    /// An input that could not be opened or read.
    Broken(Problem),
}

/// A whole input, whose sessions can only be told when all of it is there.
pub struct Whole {
    /// The input.
    pub source: Arc<Source>,
    /// What follows its beginning.
    pub rest: Box<dyn Read + Send>,
    /// Who reads it, if the caller says so.
    pub forced: Option<&'static dyn Reader>,
}

/// Reads the sessions of a piece.
pub fn read(
    piece: Piece,
    buffer: &mut Vec<u8>,
    buffers: &mut Buffers,
    wanted: Readings,
    out: &mut dyn FnMut(Session<'_>),
) -> Vec<Problem> {
    match piece {
        Piece::Broken(problem) => vec![problem],
        Piece::Lines { source, reader, first } => {
            lines(&source, reader, first, buffer, (buffers, wanted), out)
        }
        Piece::Whole(mut whole) => match whole.fill(buffer) {
            Err(problem) => vec![problem],
            Ok(mut problems) => {
                let (forced, source) = (whole.forced, &whole.source);
                let limits = Limits::default();
                problems.extend(lawbook_trace::read(buffer, forced, wanted, source, &limits, out));
                problems
            }
        },
    }
}

/// Sessions of a whole input that are worked on together.
const BATCH: usize = 16;

impl Whole {
    /// Reads all of it. Problems with a file that it names come back.
    fn fill(&mut self, buffer: &mut Vec<u8>) -> Result<Vec<Problem>, Problem> {
        match self.rest.read_to_end(buffer) {
            Ok(_) => Ok(complete(&self.source, buffer)),
            Err(error) => Err(unreadable(&self.source, &error)),
        }
    }

    /// Finds the sessions, and tells them and makes something of them in batches, on threads that
    /// are spare too.
    /// The results come in the order of the sessions.
    pub fn spread<R: Send>(
        mut self,
        buffer: &mut Vec<u8>,
        wanted: Readings,
        spare: &Spare,
        work: impl Fn(&[Session<'_>]) -> R + Sync,
    ) -> (Vec<R>, Vec<Problem>) {
        let mut problems = match self.fill(buffer) {
            Ok(problems) => problems,
            Err(problem) => return (Vec::new(), vec![problem]),
        };
        let source = self.source;
        let limits = Limits::default();
        let contents = match lawbook_trace::open(buffer, &source, &limits) {
            Ok(contents) => contents,
            Err(problem) => {
                problems.push(problem);
                return (Vec::new(), problems);
            }
        };
        let parsed = spare.lend(|both| Parsed::of(&contents, self.forced, &source, &limits, both));
        let make = |out: &mut dyn FnMut(Vec<_>)| {
            let mut batch = Vec::with_capacity(BATCH);
            let problems = parsed.find(wanted, &source, &mut |session| {
                batch.push(session);
                if batch.len() >= BATCH {
                    out(std::mem::replace(&mut batch, Vec::with_capacity(BATCH)));
                }
            });
            out(batch);
            problems
        };
        let (done, more) = spread(spare, make, |batch: Vec<Untold<'_>>| {
            let told: Vec<Session<'_>> = batch.into_iter().map(Untold::tell).collect();
            work(&told)
        });
        problems.extend(more);
        (done, problems)
    }
}

fn lines(
    source: &Source,
    reader: &'static dyn Reader,
    first: u32,
    block: &[u8],
    (buffers, wanted): (&mut Buffers, Readings),
    out: &mut dyn FnMut(Session<'_>),
) -> Vec<Problem> {
    let mut problems = Vec::new();
    for line in Lines::new(block, first, source) {
        match line {
            Ok(line) => problems.extend(reader.read_line(
                line.text,
                line.number,
                buffers,
                wanted,
                source,
                out,
            )),
            Err(problem) => problems.push(problem),
        }
    }
    problems
}

/// The problem of an input that stopped giving bytes.
pub fn unreadable(source: &Source, error: &std::io::Error) -> Problem {
    Problem::new(source.name.clone(), "unreadable", format!("it can't be read: {error}"))
}
