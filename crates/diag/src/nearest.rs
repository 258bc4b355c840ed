//! The nearest of a list of words, for "did you mean".

/// The candidate that is fewest edits away from `word`, if it is near enough to be meant.
///
/// Distance is Levenshtein's, over characters; near enough is a third of the word's length, at
/// least one and at most three edits. On a tie the earlier candidate wins.
///
/// ```
/// assert_eq!(lawbook_diag::nearest("aruments", ["tools", "arguments"]), Some("arguments"));
/// assert_eq!(lawbook_diag::nearest("zebra", ["tools", "arguments"]), None);
/// ```
#[must_use]
pub fn nearest<'c>(word: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<&'c str> {
    let length = word.chars().count();
    if length > 64 {
        return None;
    }
    let most = length.div_ceil(3).clamp(1, 3);
    candidates
        .into_iter()
        .map(|it| (distance(word, it), it))
        .filter(|&(edits, _)| edits <= most)
        .min_by_key(|&(edits, _)| edits)
        .map(|(_, it)| it)
}

fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, from) in a.chars().enumerate() {
        let mut diagonal = row.first().copied().unwrap_or_default();
        let mut left = i.saturating_add(1);
        if let Some(first) = row.first_mut() {
            *first = left;
        }
        for (cell, to) in row.iter_mut().skip(1).zip(&b) {
            let above = *cell;
            let swapped = diagonal.saturating_add(usize::from(from != *to));
            *cell = swapped.min(above.saturating_add(1)).min(left.saturating_add(1));
            diagonal = above;
            left = *cell;
        }
    }
    row.last().copied().unwrap_or_default()
}
