//! What a verification says, as text and as `lawbook.ledger_verify/1`.

use lawbook_event::json::Writer;
use lawbook_report::{quote, shown};

use crate::commands::Format;
use crate::exit::Exit;
use crate::masking;
use crate::print::counted;

/// One statement: a word for programs, a sentence for people.
#[derive(Debug, Default)]
pub struct Statement {
    /// The word.
    pub code: &'static str,
    /// The sentence.
    pub message: String,
    /// What would help.
    pub help: Option<&'static str>,
    /// The place of the entry, from 0.
    pub index: Option<u64>,
    /// The agent that it concerns.
    pub agent: Option<String>,
}

impl Statement {
    /// A statement about the whole.
    pub fn new(code: &'static str, message: impl ToString) -> Self {
        Statement { code, message: message.to_string(), ..Statement::default() }
    }

    fn json(&self, writer: &mut Writer) {
        writer.object().key("code").string(self.code).key("message");
        writer.raw(&quote(&masking::text(&self.message)));
        match self.index {
            Some(index) => writer.key("index").number(index),
            None => writer.key("index").null(),
        };
        match &self.agent {
            Some(agent) => writer.key("agent").raw(&quote(&masking::key(agent))),
            None => writer.key("agent").null(),
        };
        match self.help {
            Some(help) => writer.key("help").string(help),
            None => writer.key("help").null(),
        };
        writer.end_object();
    }
}

/// What was verified.
#[derive(Debug, Default)]
pub struct Told {
    /// What was read, as it was named.
    pub path: String,
    /// `ledger`, `lineage` or `receipt`.
    pub sort: &'static str,
    /// How many entries there are.
    pub entries: u64,
    /// The origin of the log, or the agent of a log of lineage.
    pub log: Option<String>,
    /// The root of the tree, or the head of a log of lineage.
    pub head: Option<String>,
    /// What is wrong.
    pub findings: Vec<Statement>,
    /// How many findings are not listed.
    pub more: u64,
    /// What holds.
    pub proved: Vec<Statement>,
    /// What could not be proved.
    pub unproved: Vec<Statement>,
    /// What can't be told at all.
    pub limits: Vec<Statement>,
}

impl Told {
    /// How the run ends.
    pub fn exit(&self) -> Exit {
        if !self.findings.is_empty() {
            Exit::Found
        } else if self.unproved.is_empty() {
            Exit::Clean
        } else {
            Exit::Unknown
        }
    }

    fn result(&self) -> &'static str {
        match self.exit() {
            Exit::Clean => "proved",
            Exit::Found => "wrong",
            _ => "unproved",
        }
    }

    /// What is printed.
    pub fn printed(&self, format: Format) -> String {
        match format {
            Format::Text => self.text(),
            Format::Json => self.json(),
        }
    }

    fn text(&self) -> String {
        let what = match self.sort {
            "lineage" => "a log of lineage",
            "receipt" => "a receipt",
            _ => "a ledger",
        };
        let mut out = format!("{}: {what}", shown(&self.path));
        if let Some(log) = &self.log {
            out.push_str(&format!(" of {}", shown(log)));
        }
        out.push_str(&format!(", {}\n", count(self.entries)));
        if let Some(head) = &self.head {
            out.push_str(&format!("  head {}\n", shown(head)));
        }
        for it in &self.findings {
            let place = it.index.map_or(String::new(), |it| format!("entry {it}: "));
            out.push_str(&format!("wrong       {place}{}\n", shown(&masking::text(&it.message))));
        }
        if self.more > 0 {
            out.push_str(&format!("wrong       {} more\n", self.more));
        }
        for it in &self.proved {
            out.push_str(&format!("proved      {}\n", shown(&masking::text(&it.message))));
        }
        for it in &self.unproved {
            out.push_str(&format!("not proved  {}\n", shown(&masking::text(&it.message))));
            if let Some(help) = it.help {
                out.push_str(&format!("            {help}\n"));
            }
        }
        for it in &self.limits {
            out.push_str(&format!("note        {}\n", shown(&masking::text(&it.message))));
        }
        out
    }

    fn json(&self) -> String {
        let mut writer = Writer::new();
        writer.object().key("schema").string("lawbook.ledger_verify/1");
        writer.key("path").raw(&quote(&self.path)).key("sort").string(self.sort);
        writer.key("result").string(self.result()).key("entries").number(self.entries);
        for (key, value) in [("log", &self.log), ("head", &self.head)] {
            match value {
                Some(value) => writer.key(key).raw(&quote(value)),
                None => writer.key(key).null(),
            };
        }
        let lists = [
            ("findings", &self.findings),
            ("proved", &self.proved),
            ("unproved", &self.unproved),
            ("limits", &self.limits),
        ];
        for (key, list) in lists {
            writer.key(key).array();
            list.iter().for_each(|it| it.json(&mut writer));
            writer.end_array();
        }
        writer.key("more").number(self.more).end_object();
        format!("{}\n", writer.finish())
    }
}

/// A number of entries, with its word.
pub fn count(entries: u64) -> String {
    match entries {
        1 => "1 entry".to_string(),
        _ => format!("{entries} entries"),
    }
}

/// A number of bytes, with its word.
pub fn bytes(count: usize) -> String {
    counted(count as u64, "byte")
}
