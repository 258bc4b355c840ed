//! What can be told of the words of a command.

use lawbook_shell::{Dynamic, Piece, Word};

use crate::{Footing, Location};

/// Whether nothing of a word but its `~` is known only when it runs.
pub(super) fn is_told(word: &Word) -> bool {
    word.pieces.iter().all(|it| match it {
        Piece::Literal { .. } => true,
        Piece::Dynamic { what, .. } => *what == Dynamic::Tilde,
    })
}

/// Whether a path names the folder that the agent works in, or one that holds it: what is protected
/// goes with it.
pub(super) fn holds_here(text: &str, here: Footing<'_>) -> bool {
    let (Some(cwd), Ok(place)) = (here.cwd, Location::plain(text, here)) else { return false };
    let place = place.text();
    let rest = cwd.strip_prefix(place.trim_end_matches('/'));
    rest.is_some_and(|it| it.is_empty() || it.starts_with('/'))
}
