//! The dialects that are read, in the order in which a file is tried on them.

mod claude_code;
mod codesmith;
mod exec_rules;
mod faultgate;
mod gemini_cli;
mod lawbook;
mod lineage;
mod opencode;
mod pmstack;

use lawbook_diag::{Problem, nearest};
use lawbook_rule::{Policy, Profile};

use crate::convert::Exchange;
use crate::lint::Lint;
use crate::load::Options;
use crate::outline::Outline;
use crate::permissions;

pub use lawbook::parse;
pub(crate) use lawbook::{CONSENT, fields, problem, problems, tree};
pub use lineage::WINDOW_SECS_MAX;

/// The rules of a file, and everything that is wrong with it.
pub(crate) type Lowered = (Option<Policy>, Vec<Problem>);

/// How a file of a dialect looks.
type Look = fn(&Outline) -> bool;

/// A file format for policies.
#[derive(Debug)]
pub struct Dialect {
    /// Its name, as `--dialect` takes it.
    pub name: &'static str,
    /// Its page, in Markdown.
    pub page: &'static str,
    /// The keys that a file of it may have.
    pub(crate) keys: &'static [&'static str],
    /// Whether it refuses a byte order mark itself, as its own system does.
    pub(crate) takes_mark: bool,
    /// Whether a file is written in it.
    pub(crate) fits: Look,
    /// Lowers a file to rules; the policy is good only if there is no problem.
    pub(crate) lower: fn(&str, &str, &Options<'_>) -> Lowered,
    /// Tells what is allowed in a file and probably not meant.
    pub(crate) lint: fn(&str, &str) -> Vec<Lint>,
    /// How it takes part in conversions, if it does.
    pub(crate) exchange: Option<Exchange>,
}

/// The name of the native dialect.
pub(crate) const NATIVE: &str = "lawbook";

/// Every dialect.
pub const DIALECTS: &[Dialect] = &[
    Dialect {
        name: "lawbook",
        page: include_str!("dialects/lawbook.md"),
        keys: lawbook::KEYS,
        takes_mark: false,
        fits: |outline| outline.has("lawbook"),
        lower: lawbook::lower,
        lint: lawbook::lint,
        exchange: Some(Exchange { read: lawbook::read_rules, write: Some(lawbook::write_rules) }),
    },
    Dialect {
        name: "pmstack",
        page: include_str!("dialects/pmstack.md"),
        keys: pmstack::KEYS,
        takes_mark: false,
        fits: |it| it.value("format").is_some_and(|it| it.starts_with("pmstack.policy/")),
        lower: pmstack::lower,
        lint: pmstack::lint,
        exchange: Some(Exchange { read: pmstack::read_rules, write: Some(pmstack::write_rules) }),
    },
    Dialect {
        name: "lineage",
        page: include_str!("dialects/lineage.md"),
        keys: lineage::KEYS,
        takes_mark: false,
        fits: is_lineage,
        lower: |source, text, options| {
            lineage::lower(source, text, options.profile.unwrap_or(Profile::Compatible))
        },
        lint: lineage::lint,
        exchange: Some(Exchange { read: lineage::read_rules, write: Some(lineage::write_rules) }),
    },
    Dialect {
        name: "claude_code",
        page: include_str!("dialects/claude_code.md"),
        keys: claude_code::KEYS,
        takes_mark: false,
        fits: |outline| outline.has("permissions"),
        lower: |source, text, _| permissions::lower(claude_code::read, source, text),
        lint: |source, text| permissions::lint(claude_code::read, source, text),
        exchange: Some(Exchange {
            read: |source, text| permissions::sketch(claude_code::read, source, text),
            write: None,
        }),
    },
    Dialect {
        name: "opencode",
        page: include_str!("dialects/opencode.md"),
        keys: opencode::KEYS,
        takes_mark: false,
        fits: |outline| outline.has("permission"),
        lower: |source, text, _| permissions::lower(opencode::read, source, text),
        lint: |source, text| permissions::lint(opencode::read, source, text),
        exchange: Some(Exchange {
            read: |source, text| permissions::sketch(opencode::read, source, text),
            write: None,
        }),
    },
    Dialect {
        name: "exec_rules",
        page: include_str!("dialects/exec_rules.md"),
        keys: exec_rules::KEYS,
        takes_mark: false,
        fits: |outline| outline.calls_prefix_rule,
        lower: |source, text, _| permissions::lower(exec_rules::read, source, text),
        lint: |source, text| permissions::lint(exec_rules::read, source, text),
        exchange: Some(Exchange {
            read: |source, text| permissions::sketch(exec_rules::read, source, text),
            write: None,
        }),
    },
    Dialect {
        name: "gemini_cli",
        page: include_str!("dialects/gemini_cli.md"),
        keys: gemini_cli::KEYS,
        takes_mark: false,
        fits: |outline| outline.has_table("[rule]"),
        lower: |source, text, _| permissions::lower(gemini_cli::read, source, text),
        lint: |source, text| permissions::lint(gemini_cli::read, source, text),
        exchange: Some(Exchange {
            read: |source, text| permissions::sketch(gemini_cli::read, source, text),
            write: None,
        }),
    },
    Dialect {
        name: "codesmith",
        page: include_str!("dialects/codesmith.md"),
        keys: codesmith::KEYS,
        takes_mark: false,
        fits: |it| it.tables.iter().any(|it| it.starts_with("rules.")),
        lower: |source, text, _| permissions::lower(codesmith::read, source, text),
        lint: |source, text| permissions::lint(codesmith::read, source, text),
        exchange: Some(Exchange {
            read: |source, text| permissions::sketch(codesmith::read, source, text),
            write: None,
        }),
    },
    Dialect {
        name: "faultgate",
        page: include_str!("dialects/faultgate.md"),
        keys: faultgate::KEYS,
        takes_mark: true,
        fits: |outline| outline.is_json && outline.only(faultgate::KEYS),
        lower: |source, text, options| {
            faultgate::lower(source, text, options.profile.unwrap_or(Profile::Compatible))
        },
        lint: faultgate::lint,
        exchange: Some(Exchange {
            read: faultgate::read_rules,
            write: Some(faultgate::write_rules),
        }),
    },
];

fn is_lineage(outline: &Outline) -> bool {
    outline.has("budget") || outline.has("scar_limit")
}

/// The dialect of a name.
pub(crate) fn named(source: &str, name: &str) -> Result<&'static Dialect, Problem> {
    if let Some(found) = DIALECTS.iter().find(|it| it.name == name) {
        return Ok(found);
    }
    let names: Vec<&str> = DIALECTS.iter().map(|it| it.name).collect();
    let help = match nearest(name, names.iter().copied()) {
        Some(meant) => format!("did you mean `{meant}`?"),
        None => format!("known dialects: {}", names.join(", ")),
    };
    Err(Problem::new(source, "unknown_dialect", format!("unknown dialect `{name}`")).help(help))
}
