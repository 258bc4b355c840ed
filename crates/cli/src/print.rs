//! What is said on standard error.

use lawbook_diag::Problem;
use lawbook_report::shown;

use crate::masking;

/// Says what stops a run.
pub fn error(problem: &Problem) {
    let problem = masking::problem(problem);
    anstream::eprintln!("\u{1b}[1;31merror\u{1b}[0m {}", lines(&problem));
}

/// Says something that stops nothing.
pub fn note(text: &str) {
    anstream::eprintln!("\u{1b}[2mnote\u{1b}[0m {}", shown(&masking::text(text)));
}

fn lines(problem: &Problem) -> String {
    let place = match (problem.line, problem.column) {
        (Some(line), Some(column)) => format!(":{line}:{column}"),
        (Some(line), None) => format!(":{line}"),
        (None, _) => String::new(),
    };
    let mut out = format!("{}{place}: {}", shown(&problem.source), shown(&problem.message));
    if let Some(help) = &problem.help {
        out.push_str(&format!("\n  help: {}", shown(help)));
    }
    out
}

/// A number with its word, as in `1 call` and `2 calls`.
#[must_use]
pub fn counted<N: std::fmt::Display + PartialEq + From<u8>>(number: N, word: &str) -> String {
    if number == N::from(1) { format!("1 {word}") } else { format!("{number} {word}s") }
}
