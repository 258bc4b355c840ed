//! The same call with the same result three times in a row.

use std::collections::BTreeMap;

use lawbook_event::{ArgsState, PYTHON, python};

use crate::words::folded;
use crate::{Check, Given, Group, Run, Step, Told, json};

/// So many occurrences in a row are a loop.
const TIMES: usize = 3;

/// So many characters of the arguments are quoted.
const ARGS_CHARS: usize = 60;

/// The check.
pub struct RepeatedCall;

impl Check for RepeatedCall {
    fn name(&self) -> &'static str {
        "repeated_call"
    }

    fn page(&self) -> &'static str {
        include_str!("repeated_call.md")
    }

    fn group(&self) -> Group {
        Group::Rule
    }

    fn of(&self, run: &Run<'_>, _: &Given<'_>) -> Option<Told> {
        if run.steps.len() < TIMES {
            return Some(Told::clean_unless(run.gap(), "fewer than 3 tool calls"));
        }
        let groups = groups(run);
        let repeated = groups.iter().find_map(|group| Some((group, group.repeated(is_same)?)));
        if let Some((group, window)) = repeated {
            return Some(Told::wrong(reason(group, window)));
        }
        // What was not recorded may have been the same.
        let maybe = groups.iter().find(|group| group.repeated(may_be_same).is_some());
        let maybe = maybe.map(|group| group.tool).or_else(|| unplaced(run, &groups));
        Some(match maybe {
            Some(tool) => Told::unknown(format!(
                "calls of '{tool}' may repeat: their arguments or results were not recorded"
            )),
            None => Told::clean_unless(run.gap(), "no repeated calls without progress"),
        })
    }
}

/// The calls of one tool with the same arguments, in order.
struct Calls<'r> {
    tool: &'r str,
    args: String,
    steps: Vec<(&'r Step<'r>, Option<String>)>,
}

impl<'r> Calls<'r> {
    /// The first successive calls whose results are the same.
    fn repeated(
        &self,
        same: impl Fn(&Option<String>, &Option<String>) -> bool,
    ) -> Option<&[(&'r Step<'r>, Option<String>)]> {
        self.steps.windows(TIMES).find(|window| {
            window.iter().zip(window.iter().skip(1)).all(|(one, other)| same(&one.1, &other.1))
        })
    }
}

fn is_same(one: &Option<String>, other: &Option<String>) -> bool {
    one.is_some() && one == other
}

fn may_be_same(one: &Option<String>, other: &Option<String>) -> bool {
    one.is_none() || other.is_none() || one == other
}

/// A tool of which calls whose arguments are not recorded may belong to the largest group, and make
/// it large enough.
fn unplaced<'r>(run: &'r Run<'r>, groups: &[Calls<'r>]) -> Option<&'r str> {
    let mut sizes: BTreeMap<&str, usize> = BTreeMap::new();
    for group in groups {
        let size = sizes.entry(group.tool).or_default();
        *size = (*size).max(group.steps.len());
    }
    let unseen = run.steps.iter().filter(|it| it.args_state != ArgsState::Whole);
    unseen.map(|it| it.tool).find(|tool| {
        let size = sizes.entry(tool).or_default();
        *size = size.saturating_add(1);
        *size >= TIMES
    })
}

/// The groups in the order of their first call, of calls whose arguments are known.
fn groups<'r>(run: &'r Run<'r>) -> Vec<Calls<'r>> {
    let mut places: BTreeMap<(&str, String), usize> = BTreeMap::new();
    let mut groups: Vec<Calls<'r>> = Vec::new();
    let told = run.steps.iter().filter(|it| it.args_state == ArgsState::Whole);
    for step in told {
        let args = normalised(step.args);
        let place = *places.entry((step.tool, args.clone())).or_insert(groups.len());
        if place == groups.len() {
            groups.push(Calls { tool: step.tool, args, steps: Vec::new() });
        }
        if let Some(group) = groups.get_mut(place) {
            group.steps.push((step, step.is_recorded().then(|| folded(step.result()))));
        }
    }
    groups
}

/// Arguments that mean the same as one text: JSON by sorted keys, anything else by its words.
fn normalised(args: &str) -> String {
    let trimmed = PYTHON.trim(args);
    let looks = json::stands_in(trimmed, '{', '}') || json::stands_in(trimmed, '[', ']');
    if let Some(document) = looks.then(|| json::read(trimmed)).flatten() {
        return python::dumps_sorted(document.root());
    }
    folded(args)
}

fn reason(group: &Calls<'_>, window: &[(&Step<'_>, Option<String>)]) -> String {
    let args: String = group.args.chars().take(ARGS_CHARS).collect();
    let steps: Vec<String> = window.iter().map(|(step, _)| step.number.to_string()).collect();
    format!(
        "Tool '{}' with arguments {args} issued >= 3 times (steps {}) where all 3 responses are \
         identical after whitespace normalization.",
        group.tool,
        steps.join(", ")
    )
}
