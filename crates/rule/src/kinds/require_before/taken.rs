//! What `require_before` takes from what happens.

use crate::Key;
use crate::subject::Subject;
use crate::wire::{Broken, Coded, Reader, Writer};

/// What `require_before` takes from what happens.
#[derive(Clone, Debug, PartialEq)]
pub struct Taken(pub(super) What);

/// The sorts of it.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum What {
    /// A call whose key could not be read.
    Unplaced { step: u32, first: bool, voids: bool },
    /// A call that others rest on.
    Called(Called),
    /// Its answer.
    Answered { step: u32, met: Option<Met>, voids: bool },
}

/// A call that others rest on.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Called {
    pub key: Key,
    pub step: u32,
    pub message: u64,
    pub tool: Box<str>,
    /// It may be what is asked for.
    pub first: Option<First>,
    /// It takes away what stood before: at once, or if its answer lets it.
    pub voids: Option<bool>,
}

/// A call that may be what is asked for.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct First {
    pub met: Met,
    /// Its answer changes nothing.
    pub settled: bool,
    pub subject: Option<Subject>,
}

/// Whether a call is what is asked for.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Met {
    Yes,
    No(Wrong),
    Untold,
}

/// What is wrong with a call.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Wrong {
    Failed,
    Pending,
    /// The result lacks the text that it must contain.
    Without,
    NotJson,
    /// The result does not hold what it must, in words.
    Said(Box<str>),
    /// The same without what it holds: the demand's place.
    Unmet(u32),
}

impl Coded for Wrong {
    fn write(&self, out: &mut Writer) {
        match self {
            Wrong::Failed => out.byte(0),
            Wrong::Pending => out.byte(1),
            Wrong::Without => out.byte(2),
            Wrong::NotJson => out.byte(3),
            Wrong::Said(why) => {
                out.byte(4);
                why.write(out);
            }
            Wrong::Unmet(place) => {
                out.byte(5);
                place.write(out);
            }
        }
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, Broken> {
        match from.byte()? {
            0 => Ok(Wrong::Failed),
            1 => Ok(Wrong::Pending),
            2 => Ok(Wrong::Without),
            3 => Ok(Wrong::NotJson),
            4 => Coded::read(from).map(Wrong::Said),
            5 => Coded::read(from).map(Wrong::Unmet),
            _ => Err(Broken),
        }
    }
}

impl Coded for Met {
    fn write(&self, out: &mut Writer) {
        match self {
            Met::Yes => out.byte(0),
            Met::No(wrong) => {
                out.byte(1);
                wrong.write(out);
            }
            Met::Untold => out.byte(2),
        }
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, Broken> {
        match from.byte()? {
            0 => Ok(Met::Yes),
            1 => Coded::read(from).map(Met::No),
            2 => Ok(Met::Untold),
            _ => Err(Broken),
        }
    }
}

impl Coded for First {
    fn write(&self, out: &mut Writer) {
        self.met.write(out);
        self.settled.write(out);
        self.subject.write(out);
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, Broken> {
        Ok(First {
            met: Coded::read(from)?,
            settled: Coded::read(from)?,
            subject: Coded::read(from)?,
        })
    }
}

impl Coded for Taken {
    fn write(&self, out: &mut Writer) {
        match &self.0 {
            What::Unplaced { step, first, voids } => {
                out.byte(0);
                step.write(out);
                (*first, *voids).write(out);
            }
            What::Called(Called { key, step, message, tool, first, voids }) => {
                out.byte(1);
                key.write(out);
                (*step, *message).write(out);
                tool.write(out);
                first.write(out);
                voids.write(out);
            }
            What::Answered { step, met, voids } => {
                out.byte(2);
                step.write(out);
                met.write(out);
                voids.write(out);
            }
        }
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, Broken> {
        Ok(Taken(match from.byte()? {
            0 => What::Unplaced {
                step: Coded::read(from)?,
                first: Coded::read(from)?,
                voids: Coded::read(from)?,
            },
            1 => What::Called(Called {
                key: Coded::read(from)?,
                step: Coded::read(from)?,
                message: Coded::read(from)?,
                tool: Coded::read(from)?,
                first: Coded::read(from)?,
                voids: Coded::read(from)?,
            }),
            2 => What::Answered {
                step: Coded::read(from)?,
                met: Coded::read(from)?,
                voids: Coded::read(from)?,
            },
            _ => return Err(Broken),
        }))
    }
}
