//! The inputs of a command: files, globs and standard input, opened one after another and cut into
//! pieces that can be read on any core.

mod each;
mod list;
mod opened;
mod piece;
mod project;

pub use each::{each, each_under};
pub use list::{list, near, stdin_twice};
pub use opened::Inputs;
pub use piece::{Piece, read};
pub use project::user_label;

/// Where an input comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// Standard input.
    Stdin,
    /// A file.
    File(std::path::PathBuf),
}

impl Place {
    /// The name in reports.
    #[must_use]
    pub fn name(&self) -> String {
        match self {
            Place::Stdin => "-".to_owned(),
            Place::File(path) => path.display().to_string(),
        }
    }

    /// Its bytes, where they are known before it is read.
    #[must_use]
    pub fn bytes(&self) -> Option<u64> {
        match self {
            Place::Stdin => None,
            Place::File(path) => std::fs::metadata(path).ok().map(|it| it.len()),
        }
    }
}
