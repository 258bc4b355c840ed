//! What `confirm` takes from what happens.

use crate::Key;
use crate::spoken::{Figures, Wording};
use crate::wire::{Broken, Coded, Reader, Writer};

/// What `confirm` takes from what happens.
#[derive(Clone, Debug, PartialEq)]
pub struct Taken(pub(super) What);

/// The sorts of it.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum What {
    /// A call that needs a yes, or the tool that gives one.
    Asked { key: Key, call: Call, spends: bool, grants: Grants },
    /// The tool's answer.
    Answered { step: u32, ok: bool },
    /// Any call, where words are the yes.
    Called { message: u64, spends: bool },
    /// The agent's words.
    Proposed { message: u64, words: Wording },
    /// The user's words: with a yes, the amounts of money beside it.
    Replied { message: u64, yes: Option<Figures> },
    /// The agent's words, where only the newest message counts.
    Spoke { message: u64, asks: bool },
    /// The user's words, where only the newest message counts.
    Heard { yes: bool },
    /// A call that needs a yes, and whose arguments don't show which it spends.
    Unplaced { step: u32 },
    /// Words of which not all is recorded, of the user or of the agent.
    Unheard { message: u64, user: bool },
}

/// A call and its message.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Call {
    pub step: u32,
    pub message: u64,
}

/// Whether a call of the tool that gives the yes is one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Grants {
    Nothing,
    Now,
    /// Its answer will tell.
    Later,
}

impl Coded for Call {
    fn write(&self, out: &mut Writer) {
        (self.step, self.message).write(out);
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, Broken> {
        Coded::read(from).map(|(step, message)| Call { step, message })
    }
}

impl Coded for Grants {
    fn write(&self, out: &mut Writer) {
        out.byte(match self {
            Grants::Nothing => 0,
            Grants::Now => 1,
            Grants::Later => 2,
        });
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, Broken> {
        match from.byte()? {
            0 => Ok(Grants::Nothing),
            1 => Ok(Grants::Now),
            2 => Ok(Grants::Later),
            _ => Err(Broken),
        }
    }
}

impl Coded for Taken {
    fn write(&self, out: &mut Writer) {
        match &self.0 {
            What::Asked { key, call, spends, grants } => {
                out.byte(0);
                key.write(out);
                call.write(out);
                spends.write(out);
                grants.write(out);
            }
            What::Answered { step, ok } => {
                out.byte(1);
                (*step, *ok).write(out);
            }
            What::Called { message, spends } => {
                out.byte(2);
                (*message, *spends).write(out);
            }
            What::Proposed { message, words } => {
                out.byte(3);
                message.write(out);
                words.write(out);
            }
            What::Replied { message, yes } => {
                out.byte(4);
                message.write(out);
                yes.write(out);
            }
            What::Spoke { message, asks } => {
                out.byte(5);
                (*message, *asks).write(out);
            }
            What::Heard { yes } => {
                out.byte(6);
                yes.write(out);
            }
            What::Unheard { message, user } => {
                out.byte(7);
                (*message, *user).write(out);
            }
            What::Unplaced { step } => {
                out.byte(8);
                step.write(out);
            }
        }
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, Broken> {
        Ok(Taken(match from.byte()? {
            0 => What::Asked {
                key: Coded::read(from)?,
                call: Coded::read(from)?,
                spends: Coded::read(from)?,
                grants: Coded::read(from)?,
            },
            1 => What::Answered { step: Coded::read(from)?, ok: Coded::read(from)? },
            2 => What::Called { message: Coded::read(from)?, spends: Coded::read(from)? },
            3 => What::Proposed { message: Coded::read(from)?, words: Coded::read(from)? },
            4 => What::Replied { message: Coded::read(from)?, yes: Coded::read(from)? },
            5 => What::Spoke { message: Coded::read(from)?, asks: Coded::read(from)? },
            6 => What::Heard { yes: Coded::read(from)? },
            7 => What::Unheard { message: Coded::read(from)?, user: Coded::read(from)? },
            8 => What::Unplaced { step: Coded::read(from)? },
            _ => return Err(Broken),
        }))
    }
}
