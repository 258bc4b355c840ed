//! Drafts to commands, once the whole text is known.

use std::collections::BTreeSet;

use super::Parser;
use super::draft::{Draft, Function};
use crate::{Command, Script};

/// What a parser that has read its whole text found.
pub fn script(parser: Parser<'_>) -> Script {
    let Parser { mut drafts, functions, bodies, unclear, shells, pipes, .. } = parser;
    feed(&mut drafts, &functions);
    let fork_bomb = functions.iter().any(|it| is_fork_bomb(&drafts, it));
    let commands = drafts.into_iter().map(|it| complete(it, &bodies)).collect();
    let functions = functions.into_iter().filter_map(|it| it.name).collect();
    Script { commands, unclear, fork_bomb, functions, shells, pipes }
}

fn complete(draft: Draft, bodies: &[crate::Word]) -> Command {
    Command {
        assignments: draft.assignments,
        words: draft.words,
        redirects: draft.redirects.into_iter().map(|it| it.complete(bodies)).collect(),
        place: draft.place,
        source: draft.source,
    }
}

/// What a pipe feeds to a call of a function, it feeds to the commands of its body.
fn feed(drafts: &mut [Draft], functions: &[Function]) {
    if functions.is_empty() {
        return;
    }
    let fed = drafts.iter().filter(|it| it.place.fed);
    let fed: BTreeSet<String> = fed.filter_map(program).collect();
    for function in
        functions.iter().filter(|it| it.name.as_ref().is_some_and(|it| fed.contains(it)))
    {
        let body = drafts.iter_mut().take(function.drafts.end);
        for draft in body.skip(function.drafts.start) {
            draft.place.fed = true;
        }
    }
}

/// Whether the body pipes a call of the function into another in the background, and the function
/// is called behind its definition.
fn is_fork_bomb(drafts: &[Draft], function: &Function) -> bool {
    let Some(name) = &function.name else { return false };
    let calls = |it: &&Draft| program(it).as_ref() == Some(name);
    let body = drafts.get(function.drafts.clone()).unwrap_or_default();
    let behind = drafts.get(function.drafts.end..).unwrap_or_default();
    let called = behind.iter().any(|it| calls(&it) && it.source.start >= function.end);
    let fed = |it: &&Draft| it.place.fed && it.place.background;
    let mut fed = body.iter().filter(calls).filter(fed);
    called
        && fed.any(|fed| {
            let feeds =
                |it: &&Draft| it.pipeline == fed.pipeline && it.source.start < fed.source.start;
            body.iter().filter(calls).any(|it| feeds(&it))
        })
}

fn program(draft: &Draft) -> Option<String> {
    draft.words.first().and_then(crate::Word::literal)
}
