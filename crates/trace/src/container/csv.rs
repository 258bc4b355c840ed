//! Tables of traces, one in each row, written again as one JSON object a line.

use std::borrow::Cow;

use lawbook_diag::Problem;
use lawbook_event::JAVASCRIPT;
use lawbook_event::json::{Document, Grammar, Limits, Writer};

use crate::Source;

/// Columns that are parts of a trace. What stands in any other is metadata.
const COLUMNS: [&str; 18] = [
    "id",
    "title",
    "input",
    "question",
    "prompt",
    "output",
    "answer",
    "completion",
    "text",
    "content",
    "transcript",
    "messages",
    "steps",
    "context",
    "result",
    "metadata",
    "system",
    "items",
];

/// Columns that may hold an id, in lower case and with underscores.
const IDS: [&str; 5] = ["id", "trace_id", "traceid", "session_id", "conversation_id"];

/// Names that no column may have: they mean something else in JavaScript.
const REFUSED: [&str; 3] = ["__proto__", "prototype", "constructor"];

/// How deep the name of a column may nest. Default 8: metadata of metadata is rare already.
pub const NESTED_MAX: usize = 8;

/// How many columns are read. Default 512.
pub const COLUMNS_MAX: usize = 512;

/// Whether a text is a table: its file is named so, or it is no JSON and its first row names a part
/// of a trace.
pub fn is_table(text: &str, name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let name = name.strip_suffix(".gz").unwrap_or(&name);
    if name.ends_with(".csv") {
        return true;
    }
    let is_json = text.trim_start().starts_with(['{', '[']);
    let is_named = [".json", ".jsonl", ".ndjson"].iter().any(|it| name.ends_with(it));
    if is_json || is_named {
        return false;
    }
    let header = Rows::new(text).next();
    header.is_some_and(|it| it.cells.iter().any(|cell| is_part(cell.trim())))
}

fn is_part(name: &str) -> bool {
    let plain = |it: char| if matches!(it, ' ' | '-') { '_' } else { it.to_ascii_lowercase() };
    let id: String = name.chars().map(plain).collect();
    COLUMNS.contains(&name) || IDS.contains(&&*id)
}

/// The table as JSON lines. Each object stands on the line on which its row begins.
pub fn to_lines(text: &str, source: &Source, problems: &mut Vec<Problem>) -> String {
    let mut rows = Rows::new(text);
    let header = rows.next().map(|it| it.cells).unwrap_or_default();
    let read = |it: &String| Column::read(it, source, problems);
    let columns: Vec<Option<Column>> = header.iter().take(COLUMNS_MAX).map(read).collect();
    if header.len() > COLUMNS_MAX {
        let message = format!("the table has {} columns; {COLUMNS_MAX} are read", header.len());
        problems.push(Problem::new(source.name.clone(), "too_large", message).at(1, 1));
    }
    let mut out = String::with_capacity(text.len());
    let mut line = 1;
    for row in rows {
        if row.cells.len() > header.len() {
            let (cells, names) = (row.cells.len(), header.len());
            let message = format!("the row has {cells} cells and the header {names}");
            problems.push(Problem::new(source.name.clone(), "csv", message).at(row.line, 1));
        }
        while line < row.line {
            out.push('\n');
            line = line.saturating_add(1);
        }
        out.push_str(&object(&columns, &row.cells));
    }
    out
}

fn object(columns: &[Option<Column>], cells: &[String]) -> String {
    let mut tree = Branch::default();
    // Metadata stands last.
    for is_metadata in [false, true] {
        for (column, cell) in columns.iter().zip(cells) {
            let Some(column) = column else { continue };
            if column.is_metadata() == is_metadata && !cell.trim().is_empty() {
                tree.put(&column.path, value(cell));
            }
        }
    }
    let mut writer = Writer::new();
    tree.write(&mut writer);
    writer.finish()
}

/// A cell as JSON: its own, where it is a list or an object, else a text.
fn value(cell: &str) -> String {
    let text = JAVASCRIPT.trim(cell);
    let is_json = text.starts_with(['{', '['])
        && Document::parse(text, Grammar::Strict, &Limits::DEFAULT).is_ok();
    if is_json {
        // A line must not end inside it; line ends in texts are escaped already.
        return text.replace(['\n', '\r'], " ");
    }
    let mut writer = Writer::new();
    writer.string(cell);
    writer.finish()
}

/// Where the cells of a column go.
struct Column {
    path: Vec<String>,
}

impl Column {
    fn read(name: &str, source: &Source, problems: &mut Vec<Problem>) -> Option<Self> {
        let name = name.trim();
        let mut path: Vec<String> =
            name.split('.').filter(|it| !it.is_empty()).map(str::to_owned).collect();
        let is_refused = path.iter().any(|it| REFUSED.contains(&it.as_str()));
        if path.is_empty() || is_refused || path.len() > NESTED_MAX {
            if !name.is_empty() {
                let message = format!("the column `{name}` is left out");
                let problem = Problem::new(source.name.clone(), "csv", message).at(1, 1);
                problems.push(problem.help("give it another name"));
            }
            return None;
        }
        if !name.contains('.') && !is_part(name) {
            let is_channel = name.eq_ignore_ascii_case("channel");
            let own = if is_channel { "channel".to_owned() } else { name.to_owned() };
            path = vec!["metadata".to_owned(), own];
        }
        Some(Column { path })
    }

    fn is_metadata(&self) -> bool {
        self.path.first().is_some_and(|it| it == "metadata")
    }
}

/// An object that is being put together.
#[derive(Default)]
struct Branch {
    entries: Vec<(String, Node)>,
}

enum Node {
    Json(String),
    Branch(Branch),
}

impl Branch {
    fn put(&mut self, path: &[String], json: String) {
        let Some((key, rest)) = path.split_first() else { return };
        let at = self.entries.iter().position(|it| it.0 == *key).unwrap_or_else(|| {
            self.entries.push((key.clone(), Node::Branch(Branch::default())));
            self.entries.len().saturating_sub(1)
        });
        let Some((_, node)) = self.entries.get_mut(at) else { return };
        if rest.is_empty() {
            *node = Node::Json(json);
            return;
        }
        if let Node::Json(json) = node {
            *node = Node::Branch(Branch::of(json));
        }
        if let Node::Branch(branch) = node {
            branch.put(rest, json);
        }
    }

    /// The entries of a JSON object; none of anything else, which is replaced.
    fn of(json: &str) -> Self {
        let document = Document::parse(json, Grammar::Strict, &Limits::DEFAULT);
        let entries = document.iter().flat_map(|it| {
            let own = |(key, value): (&str, lawbook_event::json::Value<'_>)| {
                (key.to_owned(), Node::Json(value.raw().to_owned()))
            };
            it.root().entries().map(own)
        });
        Branch { entries: entries.collect() }
    }

    /// Branches are as deep as names of columns, and those are bounded.
    fn write(&self, writer: &mut Writer) {
        writer.object();
        for (key, node) in &self.entries {
            writer.key(key);
            match node {
                Node::Json(json) => _ = writer.raw(json),
                Node::Branch(branch) => branch.write(writer),
            }
        }
        writer.end_object();
    }
}

/// The rows of a table, blank ones left out: RFC 4180, with any line end.
struct Rows<'t> {
    rest: &'t str,
    line: u32,
}

struct Row {
    cells: Vec<String>,
    /// The line on which it begins.
    line: u32,
}

impl<'t> Rows<'t> {
    fn new(text: &'t str) -> Self {
        Rows { rest: text, line: 1 }
    }

    /// The next cell, and whether the row ends with it.
    fn cell(&mut self) -> (Cow<'t, str>, bool) {
        let mut cell = String::new();
        if let Some(rest) = self.rest.strip_prefix('"') {
            self.rest = rest;
            self.quoted(&mut cell);
        }
        // What follows a closing quote belongs to the cell.
        let end = self.rest.find([',', '\n', '\r']).unwrap_or(self.rest.len());
        let (plain, rest) = self.rest.split_at_checked(end).unwrap_or((self.rest, ""));
        cell.push_str(plain);
        let (rest, ended) = match rest.strip_prefix(',') {
            Some(rest) => (rest, false),
            None => (rest.strip_prefix('\r').unwrap_or(rest), true),
        };
        self.rest = if ended { rest.strip_prefix('\n').unwrap_or(rest) } else { rest };
        if ended {
            self.line = self.line.saturating_add(1);
        }
        (Cow::Owned(cell), ended)
    }

    fn quoted(&mut self, cell: &mut String) {
        loop {
            let end = self.rest.find('"').unwrap_or(self.rest.len());
            let (text, rest) = self.rest.split_at_checked(end).unwrap_or((self.rest, ""));
            let lines = text.bytes().filter(|it| *it == b'\n').count();
            self.line = self.line.saturating_add(u32::try_from(lines).unwrap_or(u32::MAX));
            cell.push_str(text);
            self.rest = rest.strip_prefix('"').unwrap_or("");
            match self.rest.strip_prefix('"') {
                Some(rest) => {
                    cell.push('"');
                    self.rest = rest;
                }
                None => return,
            }
        }
    }
}

impl Iterator for Rows<'_> {
    type Item = Row;

    fn next(&mut self) -> Option<Row> {
        while !self.rest.is_empty() {
            let mut row = Row { cells: Vec::new(), line: self.line };
            loop {
                let (cell, ended) = self.cell();
                row.cells.push(cell.into_owned());
                if ended {
                    break;
                }
            }
            if row.cells.iter().any(|it| !it.trim().is_empty()) {
                return Some(row);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> (Vec<String>, Vec<String>) {
        let mut problems = Vec::new();
        let lines = to_lines(text, &Source::new("t.csv"), &mut problems);
        let told = problems.iter().map(|it| it.message.clone()).collect();
        (lines.lines().map(str::to_owned).collect(), told)
    }

    #[test]
    fn rows_become_objects_on_their_lines() {
        let (lines, problems) = lines(
            "Session ID, Channel,input,metadata.plan,messages\r\n\
             q1,SMS,\"say \"\"hi\"\"\nthere\",gold,\"[{\"\"role\"\":\"\"user\"\",\n \"\"content\"\":\"\"x\"\"}]\"\r\
             ,,,,\n,web,yo,,{broken",
        );
        assert!(problems.is_empty());
        assert_eq!(
            lines,
            [
                "",
                r#"{"Session ID":"q1","input":"say \"hi\"\nthere","messages":[{"role":"user",  "content":"x"}],"metadata":{"channel":"SMS","plan":"gold"}}"#,
                "",
                "",
                "",
                r#"{"input":"yo","messages":"{broken","metadata":{"channel":"web"}}"#
            ]
        );
    }

    #[test]
    fn columns_nest_merge_and_are_bounded() {
        let deep = ["a"; NESTED_MAX + 1].join(".");
        let (lines, problems) = lines(&format!(
            "metadata,plan,x.y,x.z,__proto__,{deep},\n\"{{\"\"a\"\":1}}\",p,1,2,3,4,5,6"
        ));
        assert_eq!(lines[1], r#"{"x":{"y":"1","z":"2"},"metadata":{"a":1,"plan":"p"}}"#);
        assert_eq!(
            problems,
            [
                "the column `__proto__` is left out".to_owned(),
                format!("the column `{deep}` is left out"),
                "the row has 8 cells and the header 7".to_owned()
            ]
        );
    }

    #[test]
    fn columns_beyond_the_bound_are_left_out() {
        let header: Vec<String> = (0..=COLUMNS_MAX).map(|it| format!("c{it}")).collect();
        let (lines, problems) = lines(&format!("{}\n{}", header.join(","), header.join(",")));
        assert!(lines[1].contains(r#""c511""#) && !lines[1].contains(r#""c512""#));
        assert_eq!(problems, ["the table has 513 columns; 512 are read"]);
    }

    #[test]
    fn tables_are_known_by_name_or_header() {
        for (text, name, wanted) in [
            ("a,b", "x.csv", true),
            ("a,b", "X.CSV.gz", true),
            ("id,messages\n", "-", true),
            ("\"trace id\",b\n", "x.txt", true),
            ("a,b\n", "-", false),
            ("id,b\n", "x.jsonl", false),
            (" {\"id\": 1}", "-", false),
        ] {
            assert_eq!(is_table(text, name), wanted, "{text} {name}");
        }
    }
}
