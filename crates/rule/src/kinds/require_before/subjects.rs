//! Whom the earlier calls were about that did what was asked for.

use std::collections::{BTreeMap, VecDeque};

use crate::Asked;
use crate::subject::Subject;

/// How many different subjects are remembered; the oldest give way.
pub const SUBJECTS_MAX: usize = 64;

/// The subjects of calls that did what was asked for.
#[derive(Clone, Debug, Default)]
pub(super) struct Subjects {
    met: VecDeque<(u64, Subject)>,
    open: BTreeMap<u32, (u64, Subject)>,
}

crate::coded!(Subjects { met, open });

impl Subjects {
    /// Takes in a call that is not answered yet.
    pub fn asked(&mut self, step: u32, message: u64, subject: Subject) {
        self.open.insert(step, (message, subject));
    }

    /// Takes in whether a call did what was asked for.
    pub fn answered(&mut self, step: u32, met: bool) {
        let Some(call) = self.open.remove(&step).filter(|_| met) else { return };
        self.met.retain(|it| *it != call);
        if self.met.len() >= SUBJECTS_MAX {
            self.met.pop_front();
        }
        self.met.push_back(call);
    }

    /// The argument in which a call differs from every one that did what was asked for.
    pub fn stranger(&self, asked: &Asked<'_>) -> Option<String> {
        let subject = Subject::of(asked);
        let mut differs = None;
        for (_, other) in self.met.iter().filter(|it| it.0 != asked.message) {
            differs = Some(subject.differs(other)?);
        }
        differs.and_then(|it| Subject::name(asked, it))
    }
}
