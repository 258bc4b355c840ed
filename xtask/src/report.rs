//! What a run of steps prints: each step with its time, and one closing line.

use std::time::Instant;

/// The steps so far.
#[derive(Default)]
pub struct Report {
    passed: u64,
    failed: u64,
    skipped: Vec<String>,
}

impl Report {
    /// Runs one step and counts it.
    pub fn step(&mut self, name: &str, work: impl FnOnce(&mut Report) -> Result<(), String>) {
        println!("\n== {name}");
        let start = Instant::now();
        let skipped = self.skipped.len();
        let outcome = work(self);
        let secs = start.elapsed().as_secs_f64();
        match outcome {
            Ok(()) if self.skipped.len() > skipped => println!("== {name}: skipped"),
            Ok(()) => {
                self.passed += 1;
                println!("== {name}: passed in {secs:.1} s");
            }
            Err(message) => {
                self.failed += 1;
                println!("{message}\n== {name}: FAILED after {secs:.1} s");
            }
        }
    }

    /// Counts tests that a step ran.
    pub fn count(&mut self, passed: u64, failed: u64) {
        self.passed += passed;
        self.failed += failed;
    }

    /// Notes what a step could not do here, and why.
    pub fn skip(&mut self, what: impl Into<String>) {
        let what = what.into();
        println!("skipped: {what}");
        self.skipped.push(what);
    }

    /// Prints the closing lines; true when nothing failed.
    pub fn close(self) -> bool {
        println!();
        for what in &self.skipped {
            println!("skipped: {what}");
        }
        println!("{} passed, {} failed", self.passed, self.failed);
        self.failed == 0
    }
}
