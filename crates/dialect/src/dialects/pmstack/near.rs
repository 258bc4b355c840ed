//! Keys that are probably meant for another, by pmstack's own measure.

/// Keys of up to so many letters are near at one edit, longer ones at two.
const SHORT_MAX: usize = 4;

/// Longer words are near to no key.
const WORD_MAX: usize = 40;

/// The known key that a word is probably meant for: the same in another case, or one or two edits
/// away. The nearest wins; of several the first.
pub(super) fn meant<'k>(word: &str, known: &[&'k str]) -> Option<&'k str> {
    if word.chars().count() > WORD_MAX {
        return None;
    }
    let edits = known.iter().map(|key| {
        let same = key.to_lowercase() == word.to_lowercase();
        (if same { 0 } else { distance(word, key) }, *key)
    });
    let most = |key: &str| if key.chars().count() <= SHORT_MAX { 1 } else { 2 };
    edits.filter(|it| it.0 <= most(it.1)).min_by_key(|it| it.0).map(|it| it.1)
}

/// How many letters must be put in, taken out, replaced, or swapped with their neighbour.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for (row, from) in a.iter().enumerate() {
        let mut here = vec![row.saturating_add(1)];
        for (column, to) in b.iter().enumerate() {
            let at = |cells: &[usize], back: usize| {
                let place = column.saturating_add(1).checked_sub(back);
                place.and_then(|it| cells.get(it)).copied().unwrap_or(usize::MAX)
            };
            let replaced = at(&last, 1).saturating_add(usize::from(from != to));
            let mut least = replaced.min(at(&last, 0).saturating_add(1));
            least = least.min(at(&here, 1).saturating_add(1));
            let swaps = column.checked_sub(1).and_then(|it| b.get(it)) == Some(from)
                && row.checked_sub(1).and_then(|it| a.get(it)) == Some(to);
            if swaps {
                least = least.min(at(&before, 2).saturating_add(1));
            }
            here.push(least);
        }
        before = std::mem::replace(&mut last, here);
    }
    last.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::{distance, meant};
    use crate::dialects::pmstack::keys::{RULE, TOOL, TOP};

    #[test]
    fn edits_are_counted_as_pmstack_counts_them() {
        for (a, b, edits) in
            [("tools", "tools", 0), ("tolos", "tools", 1), ("ca", "abc", 3), ("", "ab", 2)]
        {
            assert_eq!(distance(a, b), edits, "{a} {b}");
        }
    }

    #[test]
    fn near_keys_are_told_from_far_ones() {
        for (word, known, key) in [
            ("Tools", TOP, Some("tools")),
            ("rulse", TOP, Some("rules")),
            ("onlyListedTool", TOP, Some("onlyListedTools")),
            ("version", TOP, None),
            ("owner", TOP, None),
            ("mas", RULE, Some("max")),
            ("mix", RULE, Some("max")),
            ("miss", RULE, None),
            ("tool", RULE, Some("tools")),
            ("severity", RULE, None),
            ("argpaht", RULE, Some("argPath")),
            ("maxPerTrce", TOOL, Some("maxPerTrace")),
            ("owner", TOOL, None),
        ] {
            assert_eq!(meant(word, known), key, "{word}");
        }
    }
}
