//! Every session of some inputs, asked on all cores and handed on in the order of the input.

use lawbook_diag::Problem;
use lawbook_event::json::Buffers;
use lawbook_trace::{Reader, Session};

use super::{Gating, Line};
use crate::input::{Inputs, Piece, Place, read};
use crate::pipeline;

/// Hands on what is said of every session, and every problem after the sessions of its piece.
/// When `take` says no, nothing more is begun.
pub fn walk(
    gating: &Gating,
    places: Vec<Place>,
    forced: Option<&'static dyn Reader>,
    jobs: usize,
    mut take: impl FnMut(Result<Line, Problem>) -> bool,
) {
    let wanted = gating.wanted();
    pipeline::run(
        Inputs::new(places, forced),
        jobs,
        Buffers::default,
        |piece, buffer, buffers, spare| match piece {
            Piece::Whole(whole) => {
                let (batches, problems) = whole.spread(buffer, wanted, spare, |it| {
                    it.iter().map(|it| gating.of(it)).collect::<Vec<Line>>()
                });
                (batches.into_iter().flatten().collect(), problems)
            }
            piece => {
                let mut lines = Vec::new();
                let mut out = |session: Session<'_>| lines.push(gating.of(&session));
                let problems = read(piece, buffer, buffers, wanted, &mut out);
                (lines, problems)
            }
        },
        |(lines, problems): (Vec<Line>, Vec<Problem>)| {
            let lines = lines.into_iter().map(Ok);
            let mut wanted = true;
            lines.chain(problems.into_iter().map(Err)).for_each(|it| wanted &= take(it));
            wanted
        },
    );
}
