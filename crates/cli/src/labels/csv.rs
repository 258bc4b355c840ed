//! Labels as CSV: a head with the columns `id` and `verdict`, quotes as RFC 4180 has them.

use lawbook_diag::Problem;
use lawbook_trace::parse_time;

use super::own::{FORM, KEYS};
use super::{Label, Labels, no_verdict, split, verdict};

/// A row, and the line that it starts on.
type Row = (u32, Vec<String>);

/// The columns that a table must have.
const NEEDED: [&str; 2] = ["id", "verdict"];

/// Whether a text starts with the head of such a table, or its file is named as one.
pub fn fits(source: &str, text: &str) -> bool {
    let head = rows(text.lines().next().unwrap_or_default());
    let is_column = |cell: &String| NEEDED.iter().any(|it| cell.trim().eq_ignore_ascii_case(it));
    source.to_lowercase().ends_with(".csv")
        || head.first().is_some_and(|it| it.1.iter().any(is_column))
}

/// Reads the table; everything that is wrong is told with its line.
pub fn read(source: &str, text: &str) -> Result<Labels, Vec<Problem>> {
    let mut labels = Labels { source: source.to_owned(), form: FORM, ..Labels::default() };
    let mut problems = Vec::new();
    let mut rows = rows(text).into_iter();
    let (_, head) = rows.next().unwrap_or_default();
    let head: Vec<String> = head.iter().map(|it| it.trim().to_lowercase()).collect();
    for name in head.iter().filter(|it| !KEYS.contains(&it.as_str())) {
        let message = format!("unknown column `{name}`; known: {}", KEYS.join(", "));
        problems.push(Problem::new(source, "unknown_key", message).at(1, 1));
    }
    for name in NEEDED.iter().filter(|it| !head.iter().any(|cell| cell == *it)) {
        let message = format!("the column `{name}` is missing");
        let help = "the head must be `id,verdict`, perhaps with `modes`, `note`, `at` and `split`";
        problems.push(Problem::new(source, "missing_column", message).at(1, 1).help(help));
    }
    if !problems.is_empty() {
        return Err(problems);
    }
    for (line, row) in rows {
        match label(&head, &row) {
            Ok(label) => labels.labels.push(label),
            Err(message) => problems.push(Problem::new(source, "no_label", message).at(line, 1)),
        }
    }
    if problems.is_empty() { Ok(labels) } else { Err(problems) }
}

fn label(head: &[String], row: &[String]) -> Result<Label, String> {
    if row.len() > head.len() {
        return Err(format!("the row has {} cells and the head {}", row.len(), head.len()));
    }
    let cell = |name: &str| {
        let place = head.iter().position(|it| it == name);
        place.and_then(|it| row.get(it)).map(|it| it.trim().to_owned()).unwrap_or_default()
    };
    let (id, word, at) = (cell("id"), cell("verdict"), cell("at"));
    let verdict = verdict(&word).ok_or_else(|| no_verdict(&word))?;
    let time = parse_time(&at);
    if id.is_empty() {
        return Err("a label needs the `id` of its trace".to_owned());
    }
    if time.is_none() && !at.is_empty() {
        return Err(format!("`at` is `{at}`, which is no time"));
    }
    let (modes, note, split_of) = (split(&cell("modes")), cell("note"), cell("split"));
    Ok(Label { id, verdict, modes, note, at: time, split: split_of, ..Label::default() })
}

/// The rows of a table; empty ones are left out.
fn rows(text: &str) -> Vec<Row> {
    let mut rows = Vec::new();
    let mut row: Vec<String> = Vec::new();
    let mut cell = String::new();
    let (mut line, mut start, mut quoted) = (1_u32, 1_u32, false);
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        line = line.saturating_add(u32::from(c == '\n'));
        match c {
            '"' if quoted && chars.peek() == Some(&'"') => {
                chars.next();
                cell.push('"');
            }
            '"' if quoted => quoted = false,
            '"' if cell.trim().is_empty() => {
                cell.clear();
                quoted = true;
            }
            ',' if !quoted => row.push(std::mem::take(&mut cell)),
            '\r' if !quoted => {}
            '\n' if !quoted => {
                row.push(std::mem::take(&mut cell));
                end(&mut rows, start, std::mem::take(&mut row));
                start = line;
            }
            c => cell.push(c),
        }
    }
    row.push(cell);
    end(&mut rows, start, row);
    rows
}

fn end(rows: &mut Vec<Row>, line: u32, row: Vec<String>) {
    if row.iter().any(|it| !it.trim().is_empty()) {
        rows.push((line, row));
    }
}
