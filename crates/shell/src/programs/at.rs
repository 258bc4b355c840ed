//! at and batch: they run what they read, later.

use super::{Call, Found, Program, Run};

/// The program.
pub(super) static PROGRAM: At = At;

/// It runs what it reads.
pub(super) struct At;

impl Program for At {
    fn names(&self) -> &'static [&'static str] {
        &["at", "batch"]
    }

    fn is_opaque(&self) -> bool {
        true
    }

    fn drinks(&self, _name: &str) -> bool {
        true
    }

    fn look(&self, call: &Call<'_>, found: &mut Found) {
        found.unseen(call, "its input");
        let fed = call.fed().map(crate::Word::shown).chain([call.piped.to_owned()]);
        for text in fed.filter(|it| !it.is_empty()) {
            found.runs.push(Run::Code { text, own: true });
        }
    }
}
