//! Reading all sessions of all inputs, one after another.

use lawbook_diag::Problem;
use lawbook_event::json::Buffers;
use lawbook_trace::{Reading, Session};

use super::{Inputs, Readings, read};
use crate::pipeline::Feed;

/// A session with the reading that it was made under, or what could not be read.
pub type Read<'a, 's> = Result<(Option<Reading>, &'a Session<'s>), Problem>;

/// Hands on every session of every input, and every problem after the sessions of its piece.
pub fn each(mut inputs: Inputs, readings: Readings, mut take: impl FnMut(Read<'_, '_>)) {
    let (mut buffer, mut buffers) = (Vec::new(), Buffers::default());
    while let Some(piece) = inputs.next(&mut buffer) {
        let problems = read(piece, &mut buffer, &mut buffers, readings, &mut |reading, session| {
            take(Ok((reading, &session)));
        });
        problems.into_iter().for_each(|it| take(Err(it)));
    }
}
