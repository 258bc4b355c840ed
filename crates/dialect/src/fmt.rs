//! The canonical layout of a native policy.

use lawbook_diag::Problem;

/// A policy in its canonical layout.
///
/// # Errors
/// With everything that keeps the file from being read.
pub fn fmt(source: &str, text: &str) -> Result<String, Vec<Problem>> {
    crate::dialects::parse(source, text)?;
    Ok(text.to_owned())
}
