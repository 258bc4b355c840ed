//! The review that is kept beside the report.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use lawbook_diag::Problem;
use lawbook_report::{Header, PolicyLine};
use lawbook_trace::Session;

use super::judge::Judged;
use crate::masking;
use crate::policies::Selection;
use crate::print::counted;
use crate::review::{Editor, Found, Gathered, Key, Mark, Review, is_open, key};

/// The review file, as it was before the run.
pub struct Keeping {
    path: PathBuf,
    review: Review,
}

/// What is needed to keep a review beside the report.
pub struct Reviewing {
    sessions: BTreeSet<String>,
    /// Findings that are real, so that no edit is wanted.
    real: BTreeSet<Key>,
    editor: Editor,
}

impl Reviewing {
    /// A review that holds this much already.
    fn new(review: &Review, editor: Editor) -> Self {
        let real = review.findings.iter().filter(|it| it.mark == Mark::Real);
        Reviewing {
            sessions: review.sessions(),
            real: real.map(|it| it.key.clone()).collect(),
            editor,
        }
    }

    /// What the review should know of a session.
    #[must_use]
    pub fn gather(&self, session: &Session<'_>, judged: &Judged) -> Gathered {
        let mut gathered = Gathered::default();
        let id = masking::key(&session.id);
        if self.sessions.contains(&*id) {
            gathered.judged.insert(id.into_owned());
            gathered.unknown(&session.id, &judged.unknown);
        }
        for finding in judged.findings.iter().filter(|it| is_open(it)) {
            let wanted = !self.real.contains(&key(&session.id, finding));
            let edit = wanted.then(|| self.editor.edit(session, finding)).flatten();
            gathered.found.push(Found::new(&session.id, finding, edit));
        }
        gathered
    }
}

impl Keeping {
    /// Reads the file; one that is not there yet is empty.
    ///
    /// # Errors
    /// For everything that is wrong with it.
    pub fn load(path: &Path) -> Result<Self, Vec<Problem>> {
        let mut review = Review::load_or_new(path)?;
        for entry in &mut review.findings {
            entry.key = std::mem::take(&mut entry.key).masked();
        }
        Ok(Keeping { path: path.to_owned(), review })
    }

    /// What workers need to know of it.
    #[must_use]
    pub fn reviewing(&self, editor: Editor) -> Reviewing {
        Reviewing::new(&self.review, editor)
    }

    /// Writes what a run saw, and says what is left.
    ///
    /// # Errors
    /// When the file can't be written.
    pub fn keep(
        mut self,
        seen: Gathered,
        header: &Header,
        selection: &Selection,
    ) -> Result<Vec<String>, Problem> {
        let policy = |it: &PolicyLine| (it.source.clone(), it.digest.clone());
        self.review.policies = header.policies.iter().map(policy).collect();
        let beyond = self.review.merge(seen, |rule| selection.wants(rule));
        self.review.save(&self.path)?;
        let name = self.path.display();
        let mut said = vec![format!("{name}: {}", self.review.standing().line())];
        if beyond > 0 {
            let more = counted(beyond, "more finding");
            said.push(format!("{name} is full: {more} had no room"));
        }
        Ok(said)
    }
}
