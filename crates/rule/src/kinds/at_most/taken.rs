//! What `at_most` takes from what happens.

use lawbook_event::Time;

use crate::Key;
use crate::wire::{Broken, Coded, Reader, Writer};

/// What `at_most` takes from what happens.
#[derive(Clone, Debug, PartialEq)]
pub struct Taken(pub(super) What);

/// The sorts of it.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum What {
    /// A call that counts for a key which could not be read.
    Unplaced { step: u32 },
    /// A call that counts.
    Counted(Counted),
    /// The answer to one of those, and whether it is not counted after all.
    Answered { step: u32, left_out: bool },
    /// The user spoke.
    Turn,
    /// The user may have spoken.
    MaybeTurn,
    /// A call that did not happen looked into the window at this time.
    Looked { key: Key, at: Time },
}

/// A call that counts.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Counted {
    pub step: u32,
    pub key: Key,
    /// The turn or message that it counts in.
    pub era: u64,
    pub at: Option<Time>,
    pub listing: Listing,
    /// It may still turn out to have failed.
    pub fails_later: bool,
}

/// Which steps are listed as evidence.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Listing {
    /// All.
    All,
    /// All up to the first that is one too many.
    UpToTheFirst,
    /// The newest few.
    Newest,
    /// None: they are steps of other sessions.
    None,
}

impl Coded for Listing {
    fn write(&self, out: &mut Writer) {
        out.byte(match self {
            Listing::All => 0,
            Listing::UpToTheFirst => 1,
            Listing::Newest => 2,
            Listing::None => 3,
        });
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, Broken> {
        match from.byte()? {
            0 => Ok(Listing::All),
            1 => Ok(Listing::UpToTheFirst),
            2 => Ok(Listing::Newest),
            3 => Ok(Listing::None),
            _ => Err(Broken),
        }
    }
}

impl Coded for Taken {
    fn write(&self, out: &mut Writer) {
        match &self.0 {
            What::Unplaced { step } => {
                out.byte(0);
                step.write(out);
            }
            What::Counted(Counted { step, key, era, at, listing, fails_later }) => {
                out.byte(1);
                step.write(out);
                key.write(out);
                era.write(out);
                at.write(out);
                listing.write(out);
                fails_later.write(out);
            }
            What::Answered { step, left_out } => {
                out.byte(2);
                (*step, *left_out).write(out);
            }
            What::Turn => out.byte(3),
            What::Looked { key, at } => {
                out.byte(4);
                key.write(out);
                at.write(out);
            }
            What::MaybeTurn => out.byte(5),
        }
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, Broken> {
        Ok(Taken(match from.byte()? {
            0 => What::Unplaced { step: Coded::read(from)? },
            1 => What::Counted(Counted {
                step: Coded::read(from)?,
                key: Coded::read(from)?,
                era: Coded::read(from)?,
                at: Coded::read(from)?,
                listing: Coded::read(from)?,
                fails_later: Coded::read(from)?,
            }),
            2 => What::Answered { step: Coded::read(from)?, left_out: Coded::read(from)? },
            3 => What::Turn,
            4 => What::Looked { key: Coded::read(from)?, at: Coded::read(from)? },
            5 => What::MaybeTurn,
            _ => return Err(Broken),
        }))
    }
}
