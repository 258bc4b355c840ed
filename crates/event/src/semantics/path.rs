//! A path into a value: `customer.id`, `items[*].price`.

use std::ops::Range;

/// A path, split once and followed often.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Path {
    text: String,
    /// The parts between dots, and nothing else about them.
    dotted: Vec<Range<usize>>,
    /// The parts between dots and brackets.
    steps: Vec<Step>,
}

/// One step of a path that knows brackets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// A key of an object, or the place of an item: a range of the path's text.
    Key(Range<usize>),
    /// `[*]`: every item of a list.
    Every,
}

impl Path {
    /// Splits a path. Every text is a path.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        let mut dotted = Vec::new();
        let mut from = 0;
        for part in text.split('.') {
            let end = part.len().wrapping_add(from);
            dotted.push(from..end);
            from = end.wrapping_add(1);
        }
        let steps = dotted.iter().flat_map(|part| bracket_steps(text, part.clone())).collect();
        Path { text: text.to_owned(), dotted, steps }
    }

    /// The path as it was written.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The parts between dots.
    pub fn parts(&self) -> impl DoubleEndedIterator<Item = &str> + Clone {
        self.dotted.iter().map(|range| self.at(range))
    }

    /// Whether the path can mean several values.
    #[must_use]
    pub fn is_plural(&self) -> bool {
        self.steps.contains(&Step::Every)
    }

    pub(super) fn steps(&self) -> &[Step] {
        &self.steps
    }

    pub(super) fn at(&self, range: &Range<usize>) -> &str {
        self.text.get(range.clone()).unwrap_or_default()
    }
}

/// The steps of one part: `items[0][*]` has three. A part with odd brackets is a plain key.
fn bracket_steps(text: &str, part: Range<usize>) -> Vec<Step> {
    let whole = vec![Step::Key(part.clone())];
    let Some(part_text) = text.get(part.clone()) else { return whole };
    let Some(open) = part_text.find('[') else { return whole };
    let mut steps = Vec::new();
    if open > 0 {
        steps.push(Step::Key(part.start..part.start.wrapping_add(open)));
    }
    let mut at = open;
    while at < part_text.len() {
        let rest = part_text.get(at..).unwrap_or_default();
        let (Some(inner), Some(close)) = (rest.strip_prefix('['), rest.find(']')) else {
            return whole;
        };
        let from = part.start.wrapping_add(at).wrapping_add(1);
        steps.push(match inner.get(..close.wrapping_sub(1)) {
            Some("*") => Step::Every,
            Some(digits) if is_place(digits) => Step::Key(from..from.wrapping_add(digits.len())),
            _ => return whole,
        });
        at = at.wrapping_add(close).wrapping_add(1);
    }
    steps
}

fn is_place(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::{Path, Step};

    #[test]
    fn splits_dots_and_brackets() {
        let steps = |text: &str| -> Vec<String> {
            let path = Path::parse(text);
            let show = |step: &Step| match step {
                Step::Key(range) => path.at(range).to_owned(),
                Step::Every => "[*]".to_owned(),
            };
            path.steps().iter().map(show).collect()
        };
        assert_eq!(steps("a"), ["a"]);
        assert_eq!(steps("a.b"), ["a", "b"]);
        assert_eq!(steps("items[*].price"), ["items", "[*]", "price"]);
        assert_eq!(steps("items[0][12].x"), ["items", "0", "12", "x"]);
        assert_eq!(steps("[*]"), ["[*]"]);
        assert_eq!(steps("a[b].c"), ["a[b]", "c"]);
        assert_eq!(steps("a[0"), ["a[0"]);
        assert_eq!(steps("a[]"), ["a[]"]);
        assert_eq!(steps("a]b"), ["a]b"]);
        assert_eq!(steps(""), [""]);
        assert_eq!(steps("a..é"), ["a", "", "é"]);
        let path = Path::parse("items[*].é");
        assert_eq!(path.parts().collect::<Vec<_>>(), ["items[*]", "é"]);
        assert!(path.is_plural() && !Path::parse("a.b").is_plural());
    }
}
