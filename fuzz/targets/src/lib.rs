//! Fuzz targets: each takes any bytes and panics when one of its promises does not hold.
//!
//! One file in `targets/` is one target. libFuzzer runs them from the folder above; the program
//! of this package runs all of them for some seconds on a stable compiler.
#![allow(
    clippy::panic,
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a target tells what it found by panicking"
)]

pub mod mutate;
pub mod targets;

/// A target by its name.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// Its name: the file in `targets/` and in `fuzz_targets/`.
    pub name: &'static str,
    /// Tries one input.
    pub run: fn(&[u8]),
    /// Inputs to begin with, beside the files of `conformance/`.
    pub seeds: &'static [&'static str],
    /// How the names of the files end that are seeds too.
    pub seed_files: &'static [&'static str],
}
