//! A bar that shows how far a long run is, on a terminal only.

use std::io::IsTerminal;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

/// A run that is shorter shows no bar.
const PATIENCE: Duration = Duration::from_millis(400);

/// How far a run is.
pub struct Progress {
    started: Instant,
    wanted: bool,
    /// The bytes of all inputs, where they are known before they are read.
    total: Option<u64>,
    bar: Option<ProgressBar>,
    bytes: u64,
    sessions: u64,
}

impl Progress {
    /// A bar, if standard error is a terminal and the report does not go to the same one.
    #[must_use]
    pub fn new(total: Option<u64>, report_on_terminal: bool) -> Self {
        let wanted = std::io::stderr().is_terminal() && !report_on_terminal;
        Progress { started: Instant::now(), wanted, total, bar: None, bytes: 0, sessions: 0 }
    }

    /// Takes in that so much more was judged.
    pub fn add(&mut self, bytes: usize, sessions: u64) {
        self.bytes = self.bytes.saturating_add(u64::try_from(bytes).unwrap_or(u64::MAX));
        self.sessions = self.sessions.saturating_add(sessions);
        if !self.wanted || self.started.elapsed() < PATIENCE {
            return;
        }
        let total = self.total;
        let bar = self.bar.get_or_insert_with(|| bar(total));
        bar.set_position(self.bytes);
        bar.set_message(format!("{} sessions", self.sessions));
    }
}

fn bar(total: Option<u64>) -> ProgressBar {
    let (bar, template) = match total {
        Some(total) => (ProgressBar::new(total), "{bar:30} {percent:>3}%  {msg}"),
        None => (ProgressBar::no_length(), "{spinner} {msg}"),
    };
    match ProgressStyle::with_template(template) {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
