//! The differences from a peer that are meant, each with its reason, from one file.

use super::pair::Difference;
use crate::repo::Repo;

/// The file.
pub const FILE: &str = "xtask/peers/deliberate.tsv";

/// Every row of the file.
#[derive(Default)]
pub struct Deliberate {
    rows: Vec<Row>,
}

struct Row {
    /// Where the difference shows: `policy`, `settled`, `at_call`, `live`.
    place: String,
    /// A text that stands in every line that differs.
    marker: String,
}

impl Deliberate {
    /// Reads the file: a heading, then `place`, `marker` and `reason` between tabs.
    pub fn read(repo: &Repo) -> Result<Deliberate, String> {
        let text = repo.text(FILE);
        let mut rows = Vec::new();
        for (number, line) in text.lines().enumerate().skip(1) {
            let cells: Vec<&str> = line.split('\t').collect();
            let [place, marker, reason] = cells.as_slice() else {
                return Err(format!("{FILE}:{}: a row has three cells", number + 1));
            };
            if marker.is_empty() || !reason.ends_with('.') {
                return Err(format!("{FILE}:{}: a row has a marker and a reason", number + 1));
            }
            rows.push(Row { place: (*place).to_string(), marker: (*marker).to_string() });
        }
        Ok(Deliberate { rows })
    }

    /// Whether a difference is meant: everything that only the peer says bears the mark, and so
    /// does what we say where the peer says nothing.
    pub fn covers(&self, it: &Difference) -> bool {
        let theirs = only_in(&it.theirs, &it.ours);
        let lines = if theirs.is_empty() || it.place == "policy" {
            only_in(&it.ours, &it.theirs)
        } else {
            theirs
        };
        let bears = |row: &Row| lines.iter().all(|line| line.contains(&row.marker));
        !lines.is_empty() && self.rows.iter().any(|row| row.place == it.place && bears(row))
    }
}

/// The lines of one list that the other doesn't have.
pub fn only_in<'l>(list: &'l str, other: &str) -> Vec<&'l str> {
    let other: Vec<&str> = other.lines().collect();
    list.lines().filter(|it| !other.contains(it)).collect()
}

#[cfg(test)]
mod tests {
    use super::{Deliberate, Difference, Row};

    fn covers(theirs: &str, ours: &str) -> bool {
        let row = Row { place: "settled".to_string(), marker: "wart".to_string() };
        let (theirs, ours) = (theirs.to_string(), ours.to_string());
        Deliberate { rows: vec![row] }.covers(&Difference { place: "settled", theirs, ours })
    }

    #[test]
    fn a_mark_covers_its_own_lines_and_no_others() {
        assert!(covers("a\nb wart", "a\nb"));
        assert!(!covers("a\nb wart", "b wart"));
        assert!(!covers("a", "b"));
    }
}
