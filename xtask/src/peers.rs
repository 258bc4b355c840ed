//! What Lawbook is compared with: the systems whose files it reads, and recordings of others.

pub mod checks;
pub mod commands;
pub mod corpus;
mod deliberate;
pub mod faultgate;
pub mod gate;
pub mod hooks;
pub mod lineage;
pub mod oracles;
pub mod owner;
mod pair;
mod parity;
pub mod pmstack;
pub mod published;
mod python;
mod recut;
pub mod reports;
pub mod same_run;
pub mod shell;
pub mod shell_cases;
pub mod truncation;
mod truth;
