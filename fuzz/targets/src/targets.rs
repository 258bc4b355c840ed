//! The shelf of targets.

pub mod json;
pub mod notes;
pub mod pattern;
pub mod policies;
pub mod questions;
pub mod readers;
pub mod shell;

use crate::Target;

/// Every target, by name.
pub const ALL: &[Target] = &[
    json::TARGET,
    notes::TARGET,
    pattern::TARGET,
    policies::TARGET,
    questions::TARGET,
    readers::TARGET,
    shell::TARGET,
];
