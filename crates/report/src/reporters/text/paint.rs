//! Colours of the text report, or none.

use lawbook_diag::Verdict;

use crate::Options;

/// Writes words in colour, or plainly.
#[derive(Clone, Copy, Debug)]
pub struct Paint {
    colour: bool,
}

impl Paint {
    /// Colours as the options say.
    pub fn new(options: Options) -> Self {
        Paint { colour: options.colour }
    }

    /// A word that the eye should find.
    pub fn strong(self, text: &str) -> String {
        self.with("1", text)
    }

    /// A word that the eye should pass over.
    pub fn dim(self, text: &str) -> String {
        self.with("2", text)
    }

    /// A word about something that is not known.
    pub fn unknown(self, text: &str) -> String {
        self.with("1;35", text)
    }

    /// A word in the colour of a verdict.
    pub fn verdict(self, verdict: Verdict, text: &str) -> String {
        match verdict {
            Verdict::Allow => self.with("32", text),
            Verdict::Ask => self.with("1;33", text),
            Verdict::Deny => self.with("1;31", text),
        }
    }

    fn with(self, code: &str, text: &str) -> String {
        if self.colour { format!("\u{1b}[{code}m{text}\u{1b}[0m") } else { text.to_owned() }
    }
}
