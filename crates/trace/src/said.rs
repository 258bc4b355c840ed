//! Texts that tools returned, to tell them from what a person said.

use std::borrow::Cow;
use std::collections::BTreeMap;

use memchr::memmem;

use crate::Note;

/// How many texts with the same fingerprint are compared; beyond it they count as equal.
const SAME_PRINT_MAX: usize = 16;
/// A text of at most this many characters must be a whole result: a person's short `yes` may stand
/// in any prose. A longer one is the tool's wherever a result holds it.
const SHORT_CHARS: usize = 24;
/// How much of a text is looked for before the whole of it.
const BEGIN_BYTES: usize = 24;
/// How many bytes of results one session's words are looked for in; beyond it every longer text
/// counts as found.
const SEARCH_BYTES_MAX: usize = 256 << 20;

/// A set of texts that costs little to fill.
#[derive(Debug, Default)]
pub struct Said<'d> {
    texts: Vec<Cow<'d, str>>,
    /// Places in `texts` by fingerprint.
    prints: BTreeMap<u64, Vec<usize>>,
    /// How many texts `prints` holds; the others are added when it is looked at.
    printed: usize,
    searched_bytes: usize,
    unsearched: u32,
}

impl<'d> Said<'d> {
    /// Adds a text; white space around it does not count.
    pub fn add(&mut self, text: Cow<'d, str>) {
        self.texts.push(match text {
            Cow::Borrowed(text) => Cow::Borrowed(text.trim()),
            text => text,
        });
    }

    /// Whether a text was added, or is a longer one inside a text that was. An empty one never was.
    pub fn contains(&mut self, text: &str) -> bool {
        let text = text.trim();
        !text.is_empty() && (self.equals(text) || self.holds(text))
    }

    /// Tells of texts that count as found because the search had reached its bound.
    pub fn note(&self) -> Option<Note> {
        (self.unsearched > 0).then(|| {
            Note::warning(format!(
                "{} text(s) of the user are not counted: there is too much to compare them with",
                self.unsearched
            ))
        })
    }

    fn equals(&mut self, text: &str) -> bool {
        let fresh = self.texts.get(self.printed..).unwrap_or_default();
        for (place, added) in (self.printed..).zip(fresh) {
            let same = self.prints.entry(print_of(added.trim())).or_default();
            if same.len() <= SAME_PRINT_MAX {
                same.push(place);
            }
        }
        self.printed = self.texts.len();
        let is = |place: &usize| self.texts.get(*place).is_some_and(|it| it.trim() == text);
        self.prints
            .get(&print_of(text))
            .is_some_and(|same| same.len() > SAME_PRINT_MAX || same.iter().any(is))
    }

    fn holds(&mut self, text: &str) -> bool {
        if text.chars().nth(SHORT_CHARS).is_none() {
            return false;
        }
        // A long text costs much to prepare for, and its beginning is seldom anywhere.
        let begin = text.as_bytes().get(..BEGIN_BYTES).unwrap_or(text.as_bytes());
        let (begin, mut finder) = (memmem::Finder::new(begin), None);
        for whole in self.texts.iter().filter(|whole| whole.len() > text.len()) {
            self.searched_bytes = self.searched_bytes.saturating_add(whole.len());
            if self.searched_bytes > SEARCH_BYTES_MAX {
                self.unsearched = self.unsearched.saturating_add(1);
                return true;
            }
            if let Some(at) = begin.find(whole.as_bytes()) {
                let rest = whole.as_bytes().get(at..).unwrap_or_default();
                let finder = finder.get_or_insert_with(|| memmem::Finder::new(text));
                if finder.find(rest).is_some() {
                    return true;
                }
            }
        }
        false
    }
}

/// A number made of the length and of the first and last bytes.
fn print_of(text: &str) -> u64 {
    let bytes = text.as_bytes();
    let ends = match (bytes.first_chunk::<8>(), bytes.last_chunk::<8>()) {
        (Some(first), Some(last)) => {
            u64::from_le_bytes(*first) ^ u64::from_le_bytes(*last).rotate_left(29)
        }
        _ => bytes.iter().fold(0, |sum, byte| (sum << 8) | u64::from(*byte)),
    };
    ends ^ (bytes.len() as u64).rotate_right(11)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_found_again() {
        let mut said = Said::default();
        said.add(" yes\n".into());
        said.add("".into());
        said.add("a long result that says much".into());
        said.add(" owned ".to_owned().into());
        assert!(said.contains("yes"));
        assert!(!said.contains("Yes"));
        assert!(!said.contains(" "));
        assert!(said.contains("owned"));
        assert!(said.contains("a long result that says much "));
        said.add("later".into());
        assert!(said.contains("later"));
    }

    #[test]
    fn only_longer_texts_are_found_inside_others() {
        let mut said = Said::default();
        said.add("the guest wrote: yes, please refund the whole order now. Shall I?".into());
        assert!(!said.contains("yes"));
        assert!(!said.contains("yes, please refund the w"));
        assert!(said.contains("yes, please refund the wh"));
        assert!(said.contains(" yes, please refund the whole order now. "));
        assert!(!said.contains("yes, please refund the whole order then."));
    }

    #[test]
    fn beyond_the_bound_every_longer_text_counts_as_found() {
        let mut said = Said::default();
        let result = "nothing of the kind".repeat(4096);
        said.add(result.as_str().into());
        let text = "please refund the whole order";
        for _ in 0..SEARCH_BYTES_MAX / result.len() {
            assert!(!said.contains(text));
        }
        assert_eq!(said.note(), None);
        assert!(said.contains(text) && !said.contains("yes"));
        assert!(said.note().unwrap().message.starts_with("1 text(s)"));
    }

    #[test]
    fn too_many_alike_count_as_equal() {
        let texts: Vec<String> = (0..100).map(|it| format!("12345678{it:03}12345678")).collect();
        let mut said = Said::default();
        texts.iter().for_each(|text| said.add(text.into()));
        assert!(said.contains("12345678xyz12345678"));
        assert!(!said.contains("12345678xyz1234567!"));
    }
}
