//! Reading all sessions of all inputs, one after another.

use lawbook_diag::Problem;
use lawbook_event::json::Buffers;
use lawbook_trace::{Readings, Session};

use super::{Inputs, read};
use crate::pipeline::Feed;

/// A session, or what could not be read.
pub type Read<'a, 's> = Result<&'a Session<'s>, Problem>;

/// Hands on every session of every input under the full reading, and every problem after the
/// sessions of its piece.
pub fn each(inputs: Inputs, take: impl FnMut(Read<'_, '_>)) {
    each_under(inputs, Readings::FULL, take);
}

/// The same under the readings that are wanted.
pub fn each_under(mut inputs: Inputs, wanted: Readings, mut take: impl FnMut(Read<'_, '_>)) {
    let (mut buffer, mut buffers) = (Vec::new(), Buffers::default());
    while let Some(piece) = inputs.next(&mut buffer) {
        let problems = read(piece, &mut buffer, &mut buffers, wanted, &mut |it| take(Ok(&it)));
        problems.into_iter().for_each(|it| take(Err(it)));
    }
}
