//! `lawbook rule`: the page of a rule kind.

use std::io::Write;

use clap::Args;
use lawbook_diag::{Problem, nearest};
use lawbook_report::quote;
use lawbook_rule::kinds::{KINDS, OWN_PAGES};

use crate::commands::{Format, stopped};
use crate::exit::Exit;

/// Print the page of a rule kind, or list the kinds.
#[derive(Debug, Args)]
pub struct RuleArgs {
    /// The kind; without one all kinds are listed
    #[arg(value_name = "KIND")]
    pub kind: Option<String>,
    /// How the list is printed
    #[arg(long, value_enum, default_value_t, env = "LAWBOOK_FORMAT", hide_env = true)]
    pub format: Format,
}

/// Runs the command.
pub fn run(args: &RuleArgs) -> Exit {
    let Some(kind) = &args.kind else { return listed(args.format) };
    match pages().find(|it| it.0 == kind) {
        Some((name, text)) => written(&page(args.format, name, text)),
        None => stopped(&[unknown(kind)]),
    }
}

/// The name and the page of every kind: those that a policy can name, then the engine's own.
fn pages() -> impl Iterator<Item = (&'static str, &'static str)> {
    KINDS.iter().map(|it| (it.name(), it.page())).chain(OWN_PAGES.iter().copied())
}

fn page(format: Format, name: &str, page: &str) -> String {
    match format {
        Format::Text => format!("{}\n", page.trim_end()),
        Format::Json => format!("{{\"kind\":{},\"page\":{}}}\n", quote(name), quote(page)),
    }
}

fn listed(format: Format) -> Exit {
    let mut out = String::new();
    match format {
        Format::Text => {
            let width = pages().map(|it| it.0.len()).max().unwrap_or(0);
            for (name, page) in pages() {
                out.push_str(&format!("{name:width$}  {}\n", sentence(page)));
            }
            out.push_str("\n`lawbook rule KIND` prints a page\n");
        }
        Format::Json => {
            let one = |name: &str, page: &str| {
                format!("{{\"kind\":{},\"about\":{}}}", quote(name), quote(&sentence(page)))
            };
            let all: Vec<String> = pages().map(|it| one(it.0, it.1)).collect();
            out.push_str(&format!("{{\"kinds\":[{}]}}\n", all.join(",")));
        }
    }
    written(&out)
}

/// The first sentence under the heading of a page.
fn sentence(page: &str) -> String {
    let mut lines = page.lines().skip_while(|it| it.trim().is_empty() || it.starts_with('#'));
    let paragraph: Vec<&str> = lines.by_ref().take_while(|it| !it.trim().is_empty()).collect();
    let text = paragraph.join(" ");
    text.split_once(". ").map_or(text.as_str(), |(first, _)| first).trim_end_matches('.').to_owned()
}

fn unknown(kind: &str) -> Problem {
    let problem = Problem::new("rule", "unknown_kind", format!("there is no rule kind `{kind}`"));
    match nearest(kind, pages().map(|it| it.0)) {
        Some(near) => problem.help(format!("did you mean `{near}`?")),
        None => problem.help("`lawbook rule` lists them"),
    }
}

/// Writes a result to standard output.
pub fn written(text: &str) -> Exit {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Ok(()) => Exit::Clean,
        Err(_) => Exit::Unusable,
    }
}

#[cfg(test)]
mod tests {
    use super::sentence;

    #[test]
    fn the_first_sentence_stands_under_the_heading() {
        assert_eq!(sentence("# x\n\nOne thing\nholds. And more.\n\nElse.\n"), "One thing holds");
    }
}
