//! A bar that shows how far a long run is, on a terminal only.

use std::io::IsTerminal;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

/// A run that is shorter shows no bar.
const PATIENCE: Duration = Duration::from_millis(400);

/// How far a run is.
pub struct Progress {
    started: Instant,
    bar: Option<ProgressBar>,
    wanted: bool,
    sessions: u64,
}

impl Progress {
    /// A bar, if standard error is a terminal and the report does not go to the same one.
    #[must_use]
    pub fn new(report_on_terminal: bool) -> Self {
        let wanted = std::io::stderr().is_terminal() && !report_on_terminal;
        Progress { started: Instant::now(), bar: None, wanted, sessions: 0 }
    }

    /// Takes in that so many sessions more were judged.
    pub fn add(&mut self, sessions: u64) {
        self.sessions = self.sessions.saturating_add(sessions);
        if !self.wanted || self.started.elapsed() < PATIENCE {
            return;
        }
        let bar = self.bar.get_or_insert_with(|| {
            let bar = ProgressBar::no_length();
            if let Ok(style) = ProgressStyle::with_template("{spinner} {pos} sessions ({per_sec})")
            {
                bar.set_style(style);
            }
            bar
        });
        bar.set_position(self.sessions);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
