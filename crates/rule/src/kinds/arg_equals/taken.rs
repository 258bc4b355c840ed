//! What `arg_equals` takes from what happens.

use super::VALUES_MAX;
use crate::wire::{Broken, Coded, Reader, Writer};
use crate::{Identity, Key, Sought};

/// What `arg_equals` takes from what happens.
#[derive(Clone, Debug, PartialEq)]
pub struct Taken(pub(super) What);

/// The sorts of it.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum What {
    /// A source whose key could not be read.
    Unplaced { step: u32 },
    /// A source is asked.
    Asked(Source),
    /// It is answered; nothing where the answer is none, no values where they can't be told.
    Answered { step: u32, newest: Option<Option<Values>> },
}

/// A call whose result others must equal.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Source {
    pub key: Key,
    pub step: u32,
    pub message: u64,
}

/// The values that a result holds at a place, mostly one.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Values {
    pub first: Option<Identity>,
    pub others: Vec<Identity>,
    /// There were more than are kept.
    pub cut: bool,
}

impl Values {
    pub fn hold(&self, wanted: Sought<'_>) -> bool {
        self.first.iter().chain(&self.others).any(|it| it.is(wanted))
    }
}

impl Coded for Values {
    fn write(&self, out: &mut Writer) {
        self.first.write(out);
        out.each(self.others.iter());
        self.cut.write(out);
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, Broken> {
        let (first, others) = (Coded::read(from)?, from.each()?);
        let values = Values { first, others, cut: Coded::read(from)? };
        if values.others.len() < VALUES_MAX { Ok(values) } else { Err(Broken) }
    }
}

impl Coded for Taken {
    fn write(&self, out: &mut Writer) {
        match &self.0 {
            What::Unplaced { step } => {
                out.byte(0);
                step.write(out);
            }
            What::Asked(Source { key, step, message }) => {
                out.byte(1);
                key.write(out);
                (*step, *message).write(out);
            }
            What::Answered { step, newest } => {
                out.byte(2);
                step.write(out);
                newest.write(out);
            }
        }
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, Broken> {
        Ok(Taken(match from.byte()? {
            0 => What::Unplaced { step: Coded::read(from)? },
            1 => What::Asked(Source {
                key: Coded::read(from)?,
                step: Coded::read(from)?,
                message: Coded::read(from)?,
            }),
            2 => What::Answered { step: Coded::read(from)?, newest: Coded::read(from)? },
            _ => return Err(Broken),
        }))
    }
}
