//! How a native policy writes rules over commands.

use lawbook_event::Path;
use lawbook_shell::{
    Arity, Glob, Matcher, MatcherError, Pick, Prefix, Rule, Rules, Shell, Verdict,
};

use super::Command;
use crate::params::{Definition, Field, Params, Scalar, Shape};
use crate::{Body, Kind, ToolName, Tools, command_tools};

/// How many words an action may have.
const ACTION_WORDS_MAX: usize = 8;

const FIELDS: &[Field] = &[
    Field::optional(
        "tools",
        Shape::Tools,
        "The tools that run commands; if left out, those of the table and of known coding agents.",
    ),
    Field::optional(
        "arg",
        Shape::Path,
        "The argument that holds it; if left out, what the table says, else those of known agents.",
    ),
    Field::optional(
        "allow",
        Shape::Texts,
        "Commands that may run: leading words with options anywhere, or a pattern with `*`.",
    ),
    Field::optional("ask", Shape::Texts, "Commands that need a person's yes."),
    Field::optional("deny", Shape::Texts, "Commands that may not run."),
    Field::optional(
        "entries",
        Shape::Entries(ENTRY),
        "Rules with a verdict of their own, in order, behind those of the lists.",
    ),
    Field::optional(
        "pick",
        Shape::OneOf(&["strictest", "first", "last"]),
        "Which of several rules that match decides; `strictest` if left out.",
    ),
    Field::optional(
        "default",
        Shape::OneOf(&["ask", "deny", "allow"]),
        "What becomes of a command that no rule matches; `ask` if left out.",
    ),
    Field::optional(
        "write_roots",
        Shape::Texts,
        "Folders that commands may write to, absolute or relative to the workspace, which is `.`.",
    ),
    Field::optional(
        "shell",
        Shape::OneOf(&["bash", "zsh", "powershell", "cmd"]),
        "The shell that runs them; the one that the tool's name tells, else bash, if left out.",
    ),
    Field::optional(
        "arity",
        Shape::Wholes,
        "Programs and words that lead, each with how many words make the action, for `answers`.",
    ),
    Field::optional(
        "optional",
        Shape::Bool,
        "Whether a call without a command passes; it does not if left out.",
    ),
];

const ENTRY: &[Field] = &[
    Field::required("verdict", Shape::OneOf(&["allow", "ask", "deny"]), "What it says."),
    Field::optional("command", Shape::Text, "Leading words, or a pattern with `*`."),
    Field::optional("flags", Shape::Texts, "Options that must all stand there, in any order."),
    Field::optional("regex", Shape::Text, "Instead: a pattern over the words of the command."),
];

/// How a native policy writes it.
#[derive(Debug)]
pub struct Native;

impl Definition for Native {
    fn name(&self) -> &'static str {
        Command::NAME
    }

    fn page(&self) -> &'static str {
        include_str!("../command.md")
    }

    fn fields(&self) -> &'static [Field] {
        FIELDS
    }

    fn build(&self, params: &mut Params<'_>) -> Option<Box<dyn Body>> {
        let arg = params.path("arg");
        let declared = declared(params);
        let tools = if params.has("tools") { params.tools("tools") } else { every(&declared) };
        let rules = rules(params)?;
        let shell = params.text("shell").and_then(shell);
        let arity = arity(params);
        let optional = params.flag("optional").unwrap_or(false);
        Some(Box::new(Command {
            tools,
            arg,
            declared,
            optional,
            shell,
            rules,
            arity,
            names_entries: false,
        }))
    }
}

/// The actions of programs that a policy knows.
fn arity(params: &mut Params<'_>) -> Arity {
    let mut arity = Arity::default();
    let Some(node) = params.node("arity") else { return arity };
    for entry in node.entries() {
        let prefix: Vec<&str> = entry.key.split_whitespace().collect();
        let Some(Scalar::Number(text)) = entry.value.scalar() else { continue };
        let Ok(words) = text.parse::<usize>() else { continue };
        if prefix.is_empty() || words < prefix.len() || words > ACTION_WORDS_MAX {
            let message = format!("`{}` can't have an action of {words} words", entry.key);
            let help = format!("count the words of the prefix too, at most {ACTION_WORDS_MAX}");
            params.refuse_at(entry.value.span, message, help);
            continue;
        }
        arity.add(&prefix.join(" "), words);
    }
    arity
}

/// The tools that the policy's table gives a command to.
fn declared(params: &Params<'_>) -> Vec<(ToolName, Path)> {
    let commands = params.defaults().commands.iter();
    commands.map(|(tool, arg)| (ToolName::new(tool.as_str()), Path::parse(arg))).collect()
}

/// Those tools, and those of known coding agents.
fn every(declared: &[(ToolName, Path)]) -> Tools {
    let known = command_tools();
    let named = declared.iter().map(|it| &it.0).chain(known.names());
    Tools::Named(named.cloned().collect())
}

fn rules(params: &mut Params<'_>) -> Option<Rules> {
    let mut entries = Vec::new();
    let mut sound = true;
    for (name, verdict) in
        [("allow", Verdict::Allow), ("ask", Verdict::Ask), ("deny", Verdict::Deny)]
    {
        for (text, span) in params.texts(name) {
            match matcher(text) {
                Ok(matcher) => entries.push(Rule { matcher, verdict, text: text.to_owned() }),
                Err(error) => {
                    sound = false;
                    params.refuse_at(span, error.message, error.help);
                }
            }
        }
    }
    let pick = match params.text("pick") {
        Some("first") => Pick::First,
        Some("last") => Pick::Last,
        _ => Pick::Strictest,
    };
    if pick != Pick::Strictest && !entries.is_empty() {
        let help = "write all rules under `entries`, in the order that is meant";
        params.refuse("pick", "`allow`, `ask` and `deny` have no order among each other", help);
    }
    let written = params.node("entries").map_or(0, |it| it.items().len());
    let read = params.each("entries", entry);
    sound &= read.len() == written;
    entries.extend(read);
    let write_roots = params.texts("write_roots").into_iter().map(|it| it.0.to_owned()).collect();
    let otherwise = params.text("default").and_then(verdict).unwrap_or(Verdict::Ask);
    sound.then_some(Rules { entries, pick, otherwise, write_roots })
}

fn entry(params: &mut Params<'_>) -> Option<Rule> {
    let verdict = verdict(params.text("verdict")?)?;
    let flags: Vec<String> = params.texts("flags").into_iter().map(|it| it.0.to_owned()).collect();
    let key = params.one_key(&["command", "regex"])?;
    let text = params.text(key)?;
    let matcher = if key == "regex" { Matcher::regex(text) } else { matcher(text) };
    let matcher = match (matcher, flags.as_slice()) {
        (Err(error), _) => {
            params.refuse(key, error.message, error.help);
            return None;
        }
        (Ok(matcher), []) => matcher,
        (Ok(Matcher::Prefix(prefix)), _) => {
            if let Some(odd) = flags.iter().find(|it| !it.starts_with('-')) {
                let help = "words that are no options belong to `command`";
                params.refuse("flags", format!("`{odd}` is no option"), help);
                return None;
            }
            Matcher::Prefix(prefix.with_options(flags.iter().cloned()))
        }
        (Ok(_), _) => {
            let help = "name the words that lead, and under `flags` the options";
            params.refuse("flags", "`flags` go with plain words, not with a pattern", help);
            return None;
        }
    };
    let text = std::iter::once(text).chain(flags.iter().map(String::as_str));
    Some(Rule { matcher, verdict, text: text.collect::<Vec<_>>().join(" ") })
}

/// A rule as a policy writes it: a pattern where it holds a `*`, else words that lead.
pub(crate) fn matcher(text: &str) -> Result<Matcher, MatcherError> {
    if text.contains('*') {
        return Ok(Matcher::Glob(Glob { text: text.to_owned(), question: false }));
    }
    Prefix::parse(text).map(Matcher::Prefix)
}

fn verdict(word: &str) -> Option<Verdict> {
    match word {
        "allow" => Some(Verdict::Allow),
        "ask" => Some(Verdict::Ask),
        "deny" => Some(Verdict::Deny),
        _ => None,
    }
}

fn shell(word: &str) -> Option<Shell> {
    match word {
        "bash" => Some(Shell::Bash),
        "zsh" => Some(Shell::Zsh),
        "powershell" => Some(Shell::PowerShell),
        "cmd" => Some(Shell::Cmd),
        _ => None,
    }
}
