//! What users wait for, measured beside a peer or a limit in the same run.
//!
//! Each benchmark is a program of its own under `src/bin`, named by what a user waits for. Figures
//! of two machines can't be compared; the ratios can.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

pub mod agents;
pub mod chat;
pub mod counting;
pub mod durable;
pub mod rates;
pub mod spans;

/// Where generated inputs lie: the build folder, so that `cargo clean` takes them away.
///
/// # Errors
/// When the folder can't be made.
pub fn inputs() -> std::io::Result<PathBuf> {
    let target = std::env::var_os("CARGO_TARGET_DIR")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../target"), PathBuf::from);
    let folder = target.join("bench");
    std::fs::create_dir_all(&folder)?;
    Ok(folder)
}

/// The median time of several runs.
pub fn median(runs: usize, mut run: impl FnMut()) -> Duration {
    let mut times: Vec<Duration> = (0..runs.max(1))
        .map(|_| {
            let start = Instant::now();
            run();
            start.elapsed()
        })
        .collect();
    times.sort_unstable();
    times[times.len() / 2]
}

/// The least time of several runs: what a run costs where others share the machine.
pub fn least(runs: usize, mut run: impl FnMut()) -> Duration {
    let each = (0..runs.max(1)).map(|_| median(1, &mut run));
    each.min().unwrap_or_default()
}

/// The quantile of sorted figures.
#[must_use]
pub fn quantile(sorted: &[f64], share: f64) -> f64 {
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::cast_precision_loss)]
    let place = (share * (sorted.len().saturating_sub(1)) as f64) as usize;
    sorted[place]
}

/// A small generator of numbers (xorshift64*), so that every run measures the same input.
#[derive(Debug)]
pub struct Dice(u64);

impl Dice {
    /// A generator that always gives the same numbers for a seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// A number below `n`.
    pub fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) % n
    }
}
