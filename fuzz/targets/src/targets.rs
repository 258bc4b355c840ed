//! The shelf of targets.

pub mod json;
pub mod pattern;
pub mod policies;
pub mod readers;

use crate::Target;

/// Every target, by name.
pub const ALL: &[Target] = &[json::TARGET, pattern::TARGET, policies::TARGET, readers::TARGET];
