//! Where entries lie: files that outlive a crash, behind a trait.
