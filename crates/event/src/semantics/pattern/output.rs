//! The two translations of one pattern, written side by side.

use std::fmt::Write;

/// A part that matches nothing but the empty text, and that no engine takes for missing.
pub(super) const EMPTY: &str = r"[\s\S]{0}";

/// What a translator writes.
#[derive(Debug)]
pub(super) struct Output {
    /// For the linear engine; none once something stands in the pattern that it cannot do.
    pub linear: Option<String>,
    /// For the backtracking engine.
    pub backtracking: String,
    /// The linear translation is right only on texts that do not end in a line break.
    pub has_end_anchor: bool,
    /// The linear translation is right only on texts with undisputed word characters.
    pub has_word_boundary: bool,
}

/// A place in both translations.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Mark {
    linear: usize,
    backtracking: usize,
}

impl Output {
    pub fn new() -> Self {
        Output {
            linear: Some(String::new()),
            backtracking: String::new(),
            has_end_anchor: false,
            has_word_boundary: false,
        }
    }

    /// Writes the same for both.
    pub fn push(&mut self, text: &str) {
        if let Some(linear) = &mut self.linear {
            linear.push_str(text);
        }
        self.backtracking.push_str(text);
    }

    /// Writes the one thing for the linear engine and the other for the backtracking one.
    pub fn push_each(&mut self, linear: &str, backtracking: &str) {
        if let Some(out) = &mut self.linear {
            out.push_str(linear);
        }
        self.backtracking.push_str(backtracking);
    }

    /// Writes what only the backtracking engine can do.
    pub fn push_backtracking(&mut self, text: &str) {
        self.linear = None;
        self.backtracking.push_str(text);
    }

    pub fn mark(&self) -> Mark {
        Mark {
            linear: self.linear.as_ref().map_or(0, String::len),
            backtracking: self.backtracking.len(),
        }
    }

    /// Puts `before` in front of what was written since `mark`, and `after` behind it.
    pub fn wrap(&mut self, mark: Mark, before: &str, after: &str) {
        self.wrap_each(mark, before, after, after);
    }

    /// As [`Output::wrap`], with an end of its own for the backtracking engine.
    pub fn wrap_each(&mut self, mark: Mark, before: &str, linear: &str, backtracking: &str) {
        if let Some(out) = &mut self.linear {
            out.insert_str(mark.linear.min(out.len()), before);
            out.push_str(linear);
        }
        self.backtracking.insert_str(mark.backtracking.min(self.backtracking.len()), before);
        self.backtracking.push_str(backtracking);
    }
}

/// A character as either engine reads it, inside a class or outside.
pub(super) fn push_char(out: &mut String, it: char) {
    if it.is_ascii_alphanumeric() {
        out.push(it);
    } else {
        let _ = write!(out, "\\x{{{:x}}}", u32::from(it));
    }
}
