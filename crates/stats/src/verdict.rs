//! What a gate can say of a release.

/// The verdict on a release, the policy left aside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Nothing speaks against it.
    Pass,
    /// The runs don't tell a drop from noise.
    Inconclusive,
    /// It is worse than its baseline.
    Fail,
}

impl Verdict {
    /// The word that reports print.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Verdict::Pass => "PASS",
            Verdict::Inconclusive => "INCONCLUSIVE",
            Verdict::Fail => "FAIL",
        }
    }
}
