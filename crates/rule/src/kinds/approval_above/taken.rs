//! What `approval_above` takes from what happens.

use lawbook_event::Number;

use crate::subject::Subject;
use crate::wire::{Broken, Coded, Reader, Writer};
use crate::{Identity, Key};

/// What `approval_above` takes from what happens.
#[derive(Clone, Debug)]
pub struct Taken(pub(super) What);

/// The sorts of it.
#[derive(Clone, Debug)]
pub(super) enum What {
    Called {
        step: u32,
        /// The approval that the call spends: its key and the step of its request.
        spent: Option<(Key, u32)>,
        /// The request for approval that the call is, where it shows what it is bound to.
        request: Option<Option<(Key, Grant)>>,
    },
    Answered {
        step: u32,
        answer: Answer,
    },
    /// A call whose arguments are not recorded, so that it may have spent any approval.
    Unread {
        step: u32,
        request: Option<Option<(Key, Grant)>>,
    },
}

/// What an answer says to a request.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Answer {
    /// Yes, to so much.
    Granted(Covers),
    Refused,
    /// It was not recorded.
    Untold,
    Neither,
    /// Whether it succeeded, where that is all that counts.
    Succeeded(bool),
}

/// A request for approval.
#[derive(Clone, Debug)]
pub(super) struct Grant {
    pub step: u32,
    pub message: u64,
    pub covers: Covers,
    pub subject: Subject,
    /// The arguments that it is bound to, by their places, with their values.
    pub bound: Vec<(u32, Identity)>,
}

/// Which numbers a request covers.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Covers {
    /// It names none, so any.
    Any,
    /// This and smaller ones.
    UpTo(Number),
    /// What it names is not a number.
    Nothing,
}

impl Grant {
    /// Whether it serves a call of this message with this number and about this subject.
    pub fn fits(&self, message: u64, number: Option<&Number>, subject: &Subject) -> bool {
        let enough = match (&self.covers, number) {
            (Covers::Any, _) => true,
            (Covers::UpTo(most), Some(number)) => !number.compare(most).is_gt(),
            (Covers::UpTo(_), None) | (Covers::Nothing, _) => false,
        };
        self.message != message && enough && subject.differs(&self.subject).is_none()
    }
}

impl Covers {
    /// The same without how the number was written. One that can't be written down covers nothing.
    pub fn bare(self) -> Self {
        match self {
            Covers::UpTo(number) => {
                Number::of_value_text(&number.value_text()).map_or(Covers::Nothing, Covers::UpTo)
            }
            Covers::Any | Covers::Nothing => self,
        }
    }
}

impl Coded for Covers {
    fn write(&self, out: &mut Writer) {
        match self {
            Covers::Any => out.byte(0),
            Covers::UpTo(number) => {
                out.byte(1);
                out.text(&number.value_text());
            }
            Covers::Nothing => out.byte(2),
        }
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, Broken> {
        match from.byte()? {
            0 => Ok(Covers::Any),
            1 => Number::of_value_text(from.text()?).map(Covers::UpTo).ok_or(Broken),
            2 => Ok(Covers::Nothing),
            _ => Err(Broken),
        }
    }
}

impl Coded for Grant {
    fn write(&self, out: &mut Writer) {
        (self.step, self.message).write(out);
        self.covers.write(out);
        self.subject.write(out);
        out.each(self.bound.iter());
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, Broken> {
        Ok(Grant {
            step: Coded::read(from)?,
            message: Coded::read(from)?,
            covers: Coded::read(from)?,
            subject: Coded::read(from)?,
            bound: from.each()?,
        })
    }
}

impl Coded for Answer {
    fn write(&self, out: &mut Writer) {
        match self {
            Answer::Granted(covers) => {
                out.byte(0);
                covers.write(out);
            }
            Answer::Refused => out.byte(1),
            Answer::Untold => out.byte(2),
            Answer::Neither => out.byte(3),
            Answer::Succeeded(ok) => {
                out.byte(4);
                ok.write(out);
            }
        }
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, Broken> {
        match from.byte()? {
            0 => Coded::read(from).map(Answer::Granted),
            1 => Ok(Answer::Refused),
            2 => Ok(Answer::Untold),
            3 => Ok(Answer::Neither),
            4 => Coded::read(from).map(Answer::Succeeded),
            _ => Err(Broken),
        }
    }
}

impl Coded for Taken {
    fn write(&self, out: &mut Writer) {
        match &self.0 {
            What::Called { step, spent, request } => {
                out.byte(0);
                step.write(out);
                spent.write(out);
                request.write(out);
            }
            What::Answered { step, answer } => {
                out.byte(1);
                step.write(out);
                answer.write(out);
            }
            What::Unread { step, request } => {
                out.byte(2);
                step.write(out);
                request.write(out);
            }
        }
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, Broken> {
        Ok(Taken(match from.byte()? {
            0 => What::Called {
                step: Coded::read(from)?,
                spent: Coded::read(from)?,
                request: Coded::read(from)?,
            },
            1 => What::Answered { step: Coded::read(from)?, answer: Coded::read(from)? },
            2 => What::Unread { step: Coded::read(from)?, request: Coded::read(from)? },
            _ => return Err(Broken),
        }))
    }
}
