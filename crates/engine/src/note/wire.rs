//! A note as bytes: the version, what the event was, the call that happened by it, and what each
//! rule took. `docs/design.md` says why.

use std::sync::Arc;

use lawbook_diag::Verdict;
use lawbook_event::Severity;
use lawbook_rule::{Broken, Coded, Reader, Writer};

use super::{Bears, FoldError, Note, Opens, Sort, Taking};
use crate::life::Termination;

/// The version of the bytes that notes are written to, which is their first byte. It counts up when
/// what the engine or any kind writes changes, and notes of a version that is not known are refused.
pub const NOTE_VERSION: u8 = 1;

impl Note {
    /// The note as bytes.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        let mut out = Writer::default();
        out.byte(NOTE_VERSION);
        self.sort.write(&mut out);
        self.opens.write(&mut out);
        self.bears.write(&mut out);
        out.whole(count(self.taken.len()));
        for (place, taking) in self.taken.iter().enumerate() {
            out.whole(count(taking.rule));
            let before = self.taken.iter().take(place);
            match before.into_iter().position(|it| it.bytes == taking.bytes) {
                // 0 stands for bytes of its own, any other number for those of an earlier one.
                Some(same) => out.whole(count(same).saturating_add(1)),
                None => {
                    out.whole(0);
                    out.run(&taking.bytes);
                }
            }
        }
        out.into_bytes()
    }

    /// The note that bytes hold.
    ///
    /// # Errors
    /// The bytes are no note, or one of a later version.
    pub fn decode(bytes: &[u8]) -> Result<Self, FoldError> {
        let mut from = Reader::new(bytes);
        if from.byte()? != NOTE_VERSION {
            return Err(FoldError(()));
        }
        let (sort, opens) = (Sort::read(&mut from)?, Coded::read(&mut from)?);
        let bears = Coded::read(&mut from)?;
        let mut taken: Vec<Taking> = Vec::new();
        for _ in 0..from.whole()? {
            let rule = place(from.whole()?)?;
            let bytes: Arc<[u8]> = match from.whole()?.checked_sub(1) {
                None => from.run()?.into(),
                Some(same) => taken.get(place(same)?).ok_or(Broken)?.bytes.clone(),
            };
            taken.push(Taking { rule, bytes });
        }
        from.end()?;
        Ok(Note { sort, opens, bears, taken })
    }
}

fn count(number: usize) -> u64 {
    u64::try_from(number).unwrap_or(u64::MAX)
}

fn place(number: u64) -> Result<usize, Broken> {
    usize::try_from(number).map_err(|_| Broken)
}

impl Coded for Opens {
    fn write(&self, out: &mut Writer) {
        self.waits.write(out);
        out.each(self.rules.iter().map(|it| count(*it)).collect::<Vec<u64>>().iter());
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, Broken> {
        let waits = Coded::read(from)?;
        let rules: Result<_, Broken> = from.each::<u64>()?.into_iter().map(place).collect();
        Ok(Opens { waits, rules: rules? })
    }
}

fn verdict(word: &str) -> Result<Verdict, Broken> {
    let all = [Verdict::Allow, Verdict::Ask, Verdict::Deny];
    all.into_iter().find(|it| it.word() == word).ok_or(Broken)
}

impl Coded for Bears {
    fn write(&self, out: &mut Writer) {
        out.text(self.scar.map_or("", Severity::word));
        self.ends.is_some().write(out);
        if let Some(Termination { reason, by }) = &self.ends {
            out.text(reason);
            out.text(by);
        }
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, Broken> {
        let scar = match from.text()? {
            "" => None,
            word => Some(Severity::of(word).ok_or(Broken)?),
        };
        let ends = match bool::read(from)? {
            true => {
                Some(Termination { reason: from.text()?.to_owned(), by: from.text()?.to_owned() })
            }
            false => None,
        };
        Ok(Bears { scar, ends })
    }
}

impl Coded for Sort {
    fn write(&self, out: &mut Writer) {
        match self {
            Sort::Nothing => out.byte(0),
            Sort::Start { wordless, bare } => {
                out.byte(1);
                (*wordless, *bare).write(out);
            }
            Sort::Words => out.byte(2),
            Sort::Happened { step } => {
                out.byte(3);
                step.write(out);
            }
            Sort::Held { step, tool, at, message, waits } => {
                out.byte(4);
                step.write(out);
                out.text(tool);
                at.write(out);
                (*message, *waits).write(out);
            }
            Sort::Answer { step } => {
                out.byte(5);
                step.write(out);
            }
            Sort::Approval { step, verdict, by } => {
                out.byte(6);
                step.write(out);
                out.text(verdict.word());
                out.text(by);
            }
            Sort::Rejection { step } => {
                out.byte(7);
                step.write(out);
            }
            Sort::Outcome { step, harmful } => {
                out.byte(8);
                (*step, *harmful).write(out);
            }
            Sort::Life => out.byte(9),
        }
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, Broken> {
        Ok(match from.byte()? {
            0 => Sort::Nothing,
            1 => Sort::Start { wordless: Coded::read(from)?, bare: Coded::read(from)? },
            2 => Sort::Words,
            3 => Sort::Happened { step: Coded::read(from)? },
            4 => Sort::Held {
                step: Coded::read(from)?,
                tool: from.text()?.to_owned(),
                at: Coded::read(from)?,
                message: Coded::read(from)?,
                waits: Coded::read(from)?,
            },
            5 => Sort::Answer { step: Coded::read(from)? },
            6 => Sort::Approval {
                step: Coded::read(from)?,
                verdict: verdict(from.text()?)?,
                by: from.text()?.to_owned(),
            },
            7 => Sort::Rejection { step: Coded::read(from)? },
            8 => Sort::Outcome { step: Coded::read(from)?, harmful: Coded::read(from)? },
            9 => Sort::Life,
            _ => return Err(Broken),
        })
    }
}
