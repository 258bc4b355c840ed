//! Attacks on a ledger, against what whoever verifies may know; the table is in `docs/ledger.md`.

mod attacks;
mod chains;
mod made;
