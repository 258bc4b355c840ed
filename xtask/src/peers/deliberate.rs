//! The differences from a peer that are meant, each with its reason, from one file.

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
    /// A text that stands in what the peer was given or said, on one line.
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

    /// Whether a difference at a place is meant, given what the peer read and said.
    pub fn covers(&self, place: &str, texts: &[&str]) -> bool {
        let fits = |it: &&Row| it.place == place && texts.iter().any(|t| t.contains(&it.marker));
        self.rows.iter().any(|it| fits(&it))
    }
}
