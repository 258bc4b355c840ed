//! Agents hold: against attacks, wrong hands on the disk, crashes, and many threads at once.

mod approvals;
mod bounds;
mod broken;
mod erased;
mod flaky;
mod ledger;
mod lives;
mod made;
mod once;
mod parallel;
mod simulator;
