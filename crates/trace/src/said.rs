//! Texts that tools returned, to tell them from what a person said.

use std::collections::BTreeMap;

/// How many texts with the same fingerprint are compared; beyond it they count as equal.
const SAME_PRINT_MAX: usize = 16;

/// A set of borrowed texts that costs little to fill.
#[derive(Debug, Default)]
pub struct Said<'d> {
    texts: Vec<&'d str>,
    prints: BTreeMap<u64, Vec<&'d str>>,
}

impl<'d> Said<'d> {
    /// Adds a text; white space around it does not count.
    pub fn add(&mut self, text: &'d str) {
        self.texts.push(text.trim());
    }

    /// Whether a text was added. An empty one never was.
    pub fn contains(&mut self, text: &str) -> bool {
        let text = text.trim();
        if text.is_empty() {
            return false;
        }
        for added in self.texts.drain(..) {
            let same = self.prints.entry(print_of(added)).or_default();
            if same.len() <= SAME_PRINT_MAX {
                same.push(added);
            }
        }
        self.prints
            .get(&print_of(text))
            .is_some_and(|same| same.len() > SAME_PRINT_MAX || same.contains(&text))
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
        said.add(" yes\n");
        said.add("");
        said.add("a long result that says much");
        assert!(said.contains("yes"));
        assert!(!said.contains("Yes"));
        assert!(!said.contains(" "));
        assert!(said.contains("a long result that says much "));
        said.add("later");
        assert!(said.contains("later"));
    }

    #[test]
    fn too_many_alike_count_as_equal() {
        let texts: Vec<String> = (0..100).map(|it| format!("12345678{it:03}12345678")).collect();
        let mut said = Said::default();
        texts.iter().for_each(|text| said.add(text));
        assert!(said.contains("12345678xyz12345678"));
        assert!(!said.contains("12345678xyz1234567!"));
    }
}
