//! Several patterns searched for together.

use super::Pattern;

/// Several patterns, with one search that rules out all of them on most texts.
#[derive(Clone, Debug)]
pub struct PatternSet {
    patterns: Vec<Pattern>,
    /// Found wherever any of the patterns is; none where that could not be built.
    screen: Option<regex::Regex>,
    is_local: bool,
}

impl PatternSet {
    /// Puts patterns together, in order.
    #[must_use]
    pub fn new(patterns: Vec<Pattern>) -> Self {
        let screens: Option<Vec<&str>> = patterns.iter().map(|it| it.engine.screen()).collect();
        let screen = screens.and_then(|it| regex::Regex::new(&it.join("|")).ok());
        let is_local = patterns.iter().all(|it| it.engine.is_local());
        PatternSet { patterns, screen, is_local }
    }

    /// The patterns.
    #[must_use]
    pub fn patterns(&self) -> &[Pattern] {
        &self.patterns
    }

    /// Whether a match within a part of a text is a match in the whole of it, which look-around,
    /// anchors and word boundaries would undo.
    #[must_use]
    pub fn is_local(&self) -> bool {
        self.is_local
    }

    /// Whether any of the patterns may match; false is sure.
    #[must_use]
    pub fn may_match(&self, text: &str) -> bool {
        self.screen.as_ref().is_none_or(|it| it.is_match(text))
    }
}

#[cfg(test)]
mod tests {
    use super::PatternSet;
    use crate::{EXACT, PYTHON, PatternUse};

    #[test]
    fn the_screen_lets_every_match_through() {
        let sources = [r"\.\./", "file://", r"^a$", r"\bkey\b", r"(?<!x)y", "(?x) q # r"];
        let patterns: Vec<_> = sources
            .iter()
            .flat_map(|it| {
                let of = |semantics: &dyn crate::Semantics| {
                    semantics.pattern(it, true, PatternUse::Deny)
                };
                [of(EXACT), of(PYTHON)]
            })
            .flatten()
            .collect();
        for text in ["../x", "FILE://x", "a", "a\n", "the Key", "y", "Q", "nothing of it"] {
            for pattern in &patterns {
                let alone = PatternSet::new(vec![pattern.clone()]);
                assert!(!pattern.is_match(text) || alone.may_match(text), "{text}");
            }
            let set = PatternSet::new(patterns.clone());
            assert!(set.may_match(text) || !patterns.iter().any(|it| it.is_match(text)), "{text}");
        }
    }

    #[test]
    fn local_patterns_are_told_apart() {
        for (source, local) in [
            (r"/home/[^/]+", true),
            ("^a", false),
            ("a$", false),
            (r"\bkey", false),
            ("(?=a)", false),
        ] {
            let pattern = EXACT.pattern(source, false, PatternUse::Deny).unwrap();
            assert_eq!(PatternSet::new(vec![pattern]).is_local(), local, "{source}");
        }
    }
}
