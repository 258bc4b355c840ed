//! Reading all sessions of all inputs, one after another.

use lawbook_diag::Problem;
use lawbook_event::json::Buffers;
use lawbook_trace::{Readings, Session};

use super::{Inputs, read};
use crate::pipeline::Feed;

/// A session under the full reading, or what could not be read.
pub type Read<'a, 's> = Result<&'a Session<'s>, Problem>;

/// Hands on every session of every input, and every problem after the sessions of its piece.
pub fn each(mut inputs: Inputs, mut take: impl FnMut(Read<'_, '_>)) {
    let (mut buffer, mut buffers) = (Vec::new(), Buffers::default());
    while let Some(piece) = inputs.next(&mut buffer) {
        let problems =
            read(piece, &mut buffer, &mut buffers, Readings::FULL, &mut |it| take(Ok(&it)));
        problems.into_iter().for_each(|it| take(Err(it)));
    }
}
