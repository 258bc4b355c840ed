//! `lawbook ledger show`: entries as they are stored.

use std::path::PathBuf;

use clap::Args;
use lawbook_diag::Problem;
use lawbook_event::json::{Document, Grammar, Limits, Value, Writer};
use lawbook_ledger::lineage_log::Record;
use lawbook_ledger::tlog::leaf_hash;
use lawbook_ledger::verify::{Ledger, Unreadable};
use lawbook_report::{quote, shown};

use super::files;
use super::masked::masked;
use super::source::{Folder, Sort, sort};
use super::verify::each_line;
use crate::commands::rule::written;
use crate::commands::{Format, stopped};
use crate::exit::Exit;
use crate::masking;
use crate::moment;

/// Print entries as they are stored.
#[derive(Debug, Args)]
pub struct ShowArgs {
    /// The folder of a ledger, or a log of lineage
    #[arg(value_name = "LEDGER")]
    pub ledger: PathBuf,
    /// Only the entries of this agent
    #[arg(long, value_name = "AGENT")]
    pub agent: Option<String>,
    /// The place of the first entry, from 0
    #[arg(long, value_name = "INDEX", default_value_t = 0)]
    pub from: u64,
    /// How many entries at most
    #[arg(long, value_name = "COUNT", default_value_t = 100)]
    pub limit: u64,
    /// Print the exact bytes of the one entry at `--from`, and nothing else
    #[arg(long, conflicts_with_all = ["agent", "limit"])]
    pub raw: bool,
    /// How the entries are printed
    #[arg(long, value_enum, default_value_t, env = "LAWBOOK_FORMAT", hide_env = true)]
    pub format: Format,
}

/// One entry, or why it can't be shown.
struct Shown {
    index: u64,
    agent: Option<String>,
    kind: Option<String>,
    seq: Option<u64>,
    at: Option<String>,
    hash: Option<String>,
    /// The entry's JSON text, or what is wrong with it.
    entry: Result<String, String>,
}

/// Runs the command.
pub fn run(args: &ShowArgs) -> Exit {
    let all = sort(&args.ledger).and_then(|sort| match sort {
        Sort::Ledger => entries(args),
        Sort::Lineage => records(args),
        Sort::Lineages => {
            let problem = files::problem(&args.ledger, "no_entries", "this is a folder of logs");
            Err(problem.help("name one of its files"))
        }
        Sort::Receipt => {
            let message = "a receipt holds no entries";
            Err(files::problem(&args.ledger, "no_entries", message))
        }
    });
    let (all, more) = match all {
        Ok(all) => all,
        Err(problem) => return stopped(&[problem]),
    };
    let damaged = if all.iter().any(|it| it.entry.is_err()) { Exit::Found } else { Exit::Clean };
    let text = match args.format {
        _ if args.raw => match all.first().map(|it| &it.entry) {
            Some(Ok(entry)) => entry.clone(),
            _ => return stopped(&[nothing(args)]),
        },
        Format::Text => text(&all, more),
        Format::Json => json(&all, more),
    };
    written(&text).max(damaged)
}

fn nothing(args: &ShowArgs) -> Problem {
    let message = format!("entry {} can't be read", args.from);
    files::problem(&args.ledger, "no_entry", message)
}

fn limit(args: &ShowArgs) -> u64 {
    if args.raw { 1 } else { args.limit }
}

fn entries(args: &ShowArgs) -> Result<(Vec<Shown>, bool), Problem> {
    let mut folder = Folder::open(&args.ledger)?;
    let (mut out, mut more) = (Vec::new(), false);
    let mut bytes = Vec::new();
    for index in args.from..folder.size() {
        bytes.clear();
        let entry = match folder.entry(index, &mut bytes) {
            Ok(()) => entry(index, &bytes),
            Err(Unreadable::Failed(why)) => {
                return Err(files::problem(&args.ledger, "unreadable", why));
            }
            Err(Unreadable::Missing) => none(index, "it is missing".to_string()),
            Err(Unreadable::Damaged(why)) => none(index, why),
        };
        if args.agent.is_some() && args.agent != entry.agent {
            continue;
        }
        more = out.len() as u64 >= limit(args);
        if more {
            break;
        }
        out.push(entry);
    }
    Ok((out, more))
}

fn none(index: u64, why: String) -> Shown {
    let entry = Err(why);
    Shown { index, agent: None, kind: None, seq: None, at: None, hash: None, entry }
}

fn entry(index: u64, bytes: &[u8]) -> Shown {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return none(index, "it is no UTF-8".to_string());
    };
    let Ok(document) = Document::parse(text, Grammar::Strict, &Limits::DEFAULT) else {
        return none(index, "it is no JSON".to_string());
    };
    let root = document.root();
    let string = |name: &str| root.get(name).and_then(Value::as_str).map(str::to_string);
    let number = |name: &str| root.get(name).and_then(Value::number_text);
    let at = number("at").and_then(|it| it.parse().ok());
    Shown {
        index,
        agent: string("agent"),
        kind: string("kind"),
        seq: number("seq").and_then(|it| it.parse().ok()),
        at: at.map(|nanos| moment::text(lawbook_event::Time { nanos })),
        hash: Some(leaf_hash(bytes).to_string()),
        entry: Ok(text.to_string()),
    }
}

fn records(args: &ShowArgs) -> Result<(Vec<Shown>, bool), Problem> {
    let (mut out, mut more, mut index) = (Vec::new(), false, 0_u64);
    each_line(&args.ledger, |line| {
        let shown = match Record::read(line) {
            Ok(it) => Shown {
                index,
                agent: Some(it.actor),
                kind: Some(it.kind),
                seq: Some(it.seq),
                at: Some(it.timestamp),
                hash: Some(it.hash.to_string()),
                entry: Ok(String::from_utf8_lossy(line).into_owned()),
            },
            Err(fault) => none(index, fault.to_string()),
        };
        let meant = args.agent.is_none() || args.agent == shown.agent;
        if index >= args.from && meant {
            more = out.len() as u64 >= limit(args);
            if more {
                return false;
            }
            out.push(shown);
        }
        index = index.saturating_add(1);
        true
    })?;
    Ok((out, more))
}

fn text(all: &[Shown], more: bool) -> String {
    let mut out = String::new();
    for it in all {
        let mut line = it.index.to_string();
        for part in [&it.at, &it.agent, &it.kind].into_iter().flatten() {
            line.push_str(&format!("  {}", shown(&masking::text(part))));
        }
        let damaged = |why: &String| format!("damaged: {}", masking::text(why));
        let entry = it.entry.as_ref().map_or_else(damaged, |it| masked(it));
        out.push_str(&format!("{line}\n    {}\n", shown(&entry)));
    }
    if all.is_empty() {
        out.push_str("no entries\n");
    } else if more {
        out.push_str("there are more; `--from` and `--limit` show them\n");
    }
    out
}

fn json(all: &[Shown], more: bool) -> String {
    let mut writer = Writer::new();
    writer.object().key("schema").string("lawbook.ledger_show/1").key("entries").array();
    for it in all {
        writer.object().key("index").number(it.index);
        match it.seq {
            Some(seq) => writer.key("seq").number(seq),
            None => writer.key("seq").null(),
        };
        let texts = [("agent", &it.agent), ("kind", &it.kind), ("at", &it.at), ("hash", &it.hash)];
        for (key, value) in texts {
            match value {
                Some(value) => writer.key(key).raw(&quote(&masking::text(value))),
                None => writer.key(key).null(),
            };
        }
        match &it.entry {
            Ok(entry) => writer.key("entry").raw(&quote(&masked(entry))).key("damaged").null(),
            Err(why) => writer.key("entry").null().key("damaged").raw(&quote(&masking::text(why))),
        };
        writer.end_object();
    }
    writer.end_array().key("more").bool(more).end_object();
    format!("{}\n", writer.finish())
}
