//! One line of a store: a record, its time, and a digest over it and all lines before it.

use lawbook_event::Time;
use lawbook_event::json::{Document, Grammar, Limits, Value, Writer};

use super::Record;

/// How many digits of a digest a line ends with.
const DIGITS: usize = 16;

/// What bytes hold, up to the first line that is none.
pub struct Read {
    pub records: Vec<(Time, Record)>,
    pub chain: String,
    /// How many bytes are whole lines that follow each other.
    pub bytes: usize,
}

/// Reads lines until one does not follow from those before it.
pub fn read(bytes: &[u8]) -> Read {
    let mut read = Read { records: Vec::new(), chain: String::new(), bytes: 0 };
    for line in bytes.split_inclusive(|it| *it == b'\n') {
        let Some((record, chain)) = one(line, &read.chain) else { break };
        read.records.push(record);
        read.chain = chain;
        read.bytes = read.bytes.saturating_add(line.len());
    }
    read
}

fn one(line: &[u8], chain: &str) -> Option<((Time, Record), String)> {
    let line = std::str::from_utf8(line).ok()?.strip_suffix("\"}\n")?;
    let (rest, digest) = line.split_at_checked(line.len().checked_sub(DIGITS)?)?;
    let body = rest.strip_suffix(",\"h\":\"")?;
    if digest != follow(chain, body) {
        return None;
    }
    let text = format!("{body}}}");
    let document = Document::parse(&text, Grammar::Strict, &Limits::DEFAULT).ok()?;
    let root = document.root();
    let nanos = root.get("t").and_then(Value::number_text)?.parse().ok()?;
    Some(((Time { nanos }, Record::read(root)?), digest.to_owned()))
}

/// The line of a record that follows a digest, and the digest that it ends with.
pub fn write(at: Time, record: &Record, chain: &str) -> (String, String) {
    let mut writer = Writer::new();
    writer.object().key("t").raw(&at.nanos.to_string());
    record.write(&mut writer);
    let body = writer.finish();
    let digest = follow(chain, &body);
    (format!("{body},\"h\":\"{digest}\"}}\n"), digest)
}

fn follow(chain: &str, body: &str) -> String {
    let digest = lawbook::digest(format!("{chain}{body}").as_bytes());
    digest.trim_start_matches("sha256:").get(..DIGITS).unwrap_or_default().to_owned()
}
