//! What we say about a session or a policy: verdicts, findings, unknowns and problems.
//!
//! Nothing here decides, and nothing here renders.

mod finding;
mod nearest;
mod problem;
mod verdict;

pub use finding::{Evidence, Finding, Mode, Unknown};
pub use nearest::nearest;
pub use problem::{Problem, Span, place};
pub use verdict::Verdict;
