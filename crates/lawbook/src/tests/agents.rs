//! Agents hold: against attacks, wrong hands on the disk, crashes, and many threads at once.

mod approvals;
mod bounds;
mod erased;
mod ledger;
mod lives;
mod made;
mod parallel;
mod simulator;
