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
    /// For the linear engine again: matches wherever the pattern does, and elsewhere too.
    /// Look-around, anchors and boundaries are left out, a back-reference is anything.
    pub superset: String,
    /// The linear translation is right only on texts that do not end in a line break.
    pub has_end_anchor: bool,
    /// The linear translation is right only on texts with undisputed word characters.
    pub has_word_boundary: bool,
}

/// A place in all translations.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Mark {
    linear: usize,
    backtracking: usize,
    superset: usize,
}

impl Output {
    pub fn new() -> Self {
        Output {
            linear: Some(String::new()),
            backtracking: String::new(),
            superset: String::new(),
            has_end_anchor: false,
            has_word_boundary: false,
        }
    }

    /// Writes the same for all.
    pub fn push(&mut self, text: &str) {
        self.push_assertion(text, text);
        self.superset.push_str(text);
    }

    /// Writes what has no width: one form for the linear engine, one for the backtracking one.
    pub fn push_assertion(&mut self, linear: &str, backtracking: &str) {
        if let Some(out) = &mut self.linear {
            out.push_str(linear);
        }
        self.backtracking.push_str(backtracking);
    }

    /// Writes what only the backtracking engine can do, and something that matches no less.
    pub fn push_backtracking(&mut self, text: &str, superset: &str) {
        self.linear = None;
        self.backtracking.push_str(text);
        self.superset.push_str(superset);
    }

    pub fn mark(&self) -> Mark {
        Mark {
            linear: self.linear.as_ref().map_or(0, String::len),
            backtracking: self.backtracking.len(),
            superset: self.superset.len(),
        }
    }

    /// Puts `before` in front of what was written since `mark`, and `after` behind it.
    pub fn wrap(&mut self, mark: Mark, before: &str, after: &str) {
        self.wrap_each(mark, before, after, after);
    }

    /// As [`Output::wrap`], with an end of its own for the backtracking engine.
    pub fn wrap_each(&mut self, mark: Mark, before: &str, linear: &str, backtracking: &str) {
        let around = |out: &mut String, at: usize, after: &str| {
            out.insert_str(at.min(out.len()), before);
            out.push_str(after);
        };
        if let Some(out) = &mut self.linear {
            around(out, mark.linear, linear);
        }
        around(&mut self.backtracking, mark.backtracking, backtracking);
        around(&mut self.superset, mark.superset, linear);
    }

    /// Makes what was written since `mark` atomic.
    pub fn wrap_atomic(&mut self, mark: Mark) {
        self.linear = None;
        self.backtracking.insert_str(mark.backtracking.min(self.backtracking.len()), "(?>");
        self.backtracking.push(')');
    }

    /// Drops from the superset what was written since `mark`.
    pub fn forget(&mut self, mark: Mark) {
        self.superset.truncate(mark.superset);
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
