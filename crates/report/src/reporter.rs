//! What every report format can do: write a report piece by piece, so that nothing is held.

use crate::{Bound, Closing, Header, Report, SessionReport};

/// How a report is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Whether words are coloured.
    pub colour: bool,
    /// Whether there are several policies, so that a finding must say whose it is.
    pub layers: bool,
    /// Whether a report for people lists every finding, session by session.
    pub all: bool,
    /// Whether a session of which a rule asks for a person's yes has failed.
    pub asks_fail: bool,
}

/// One format of reports.
pub trait Reporter: Sync {
    /// The name, as `--format` takes it.
    fn name(&self) -> &'static str;

    /// The page that says what it writes.
    fn page(&self) -> &'static str;

    /// Writes what stands before the sessions.
    fn begin(&self, header: &Header, options: Options, out: &mut String);

    /// Whether a session is written at all.
    fn writes(&self, session: &SessionReport<'_>, options: Options) -> bool;

    /// What stands between two sessions.
    fn between(&self) -> &'static str;

    /// Writes one session. It does not depend on other sessions, so that they can be written on
    /// several cores at once.
    fn session(
        &self,
        header: &Header,
        session: &SessionReport<'_>,
        options: Options,
        out: &mut String,
    );

    /// What becomes of the sessions.
    fn bound(&self) -> Bound {
        Bound::None
    }

    /// Writes what stands after the sessions.
    fn end(&self, header: &Header, closing: &Closing, options: Options, out: &mut String);

    /// Writes a whole report.
    fn report(&self, report: &Report<'_>, options: Options, out: &mut String) {
        let header = &report.header;
        self.begin(header, options, out);
        let mut closing = report.closing.clone();
        for session in report.sessions.iter().filter(|it| self.writes(it, options)) {
            let mut text = String::new();
            self.session(header, session, options, &mut text);
            let now = closing.written.take(self.bound(), self.between(), &text);
            now.into_iter().for_each(|it| out.push_str(it));
        }
        self.end(header, &closing, options, out);
    }
}
