//! Cases: each says in one sentence what must hold, no two say the same, and names carry no
//! numbers.

use std::collections::BTreeMap;

use crate::repo::Repo;

/// Looks through every case.
pub fn check(repo: &Repo) -> Vec<String> {
    let mut out = Vec::new();
    let mut seen: BTreeMap<String, &str> = BTreeMap::new();
    for path in repo.under("conformance", ".yaml") {
        let text = repo.text(path);
        for about in abouts(&text) {
            if !about.ends_with('.') || !about.starts_with(char::is_uppercase) {
                out.push(format!("{path}: `{about}` is not a sentence"));
            }
            if let Some(first) = seen.insert(about.clone(), path) {
                out.push(format!("{path} says the same as {first}: {about}"));
            }
        }
        if !text.starts_with("about: ") {
            out.push(format!("{path} must begin with `about:`"));
        }
        let stem = path.rsplit('/').next().unwrap_or_default();
        if stem.split(['_', '.']).any(|it| it.len() > 2 && it.chars().all(|c| c.is_ascii_digit())) {
            out.push(format!("{path}: a number is no name"));
        }
    }
    for path in &repo.files {
        let known = [".yaml", ".json", ".jsonl", ".tsv", ".md"].iter().any(|it| path.ends_with(it));
        if path.starts_with("conformance/") && !known {
            out.push(format!("{path}: a case is a `.yaml` file"));
        }
    }
    out
}

/// What the cases in a file are about.
fn abouts(text: &str) -> Vec<String> {
    let strip = |it: &str| it.trim_start_matches(['-', ' ']).strip_prefix("about: ").map(unquote);
    text.lines().filter_map(strip).collect()
}

fn unquote(text: &str) -> String {
    text.trim_matches('"').to_string()
}

#[cfg(test)]
mod tests {
    use super::abouts;

    #[test]
    fn the_sentences_of_a_table_are_found() {
        let text = "about: One.\ncases:\n  - about: \"Two.\"\n";
        assert_eq!(abouts(text), ["One.", "Two."]);
    }
}
