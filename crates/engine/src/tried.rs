//! Which rules a recording puts to the test at all. A rule that nothing concerned was not right, it
//! was not asked.

use std::collections::BTreeSet;
use std::sync::Arc;

use lawbook_event::{Event, What};
use lawbook_rule::{Applies, Asked, Keys, Rule, Session, Tools};

use crate::Engine;
use crate::index::Opened;

/// The rules that had something to judge, each with its policy, counted from 0: a call of their
/// tools to which their condition applies, or, where they judge no calls, the end of the run.
#[must_use]
pub fn tried(engine: &Engine, events: &[Event<'_>]) -> BTreeSet<(usize, Arc<str>)> {
    let mut session = Session::default();
    let mut places = BTreeSet::new();
    for event in events {
        match &event.what {
            What::Start(start) => session = Session::new(start),
            What::Call(call) => {
                let faces = engine.faces(call);
                for opened in faces.iter().map(|it| Opened::new(it, Keys::default())) {
                    for concern in opened.plan.concerns.iter().filter(|it| it.roles.has(0)) {
                        let Some((_, policy, rule)) = engine.rule(concern.rule) else { continue };
                        let manner = policy.manner;
                        let asked = opened.asked(event.at, event.message, &session, manner);
                        let (roles, told) = engine.roles(concern, rule, &asked);
                        if (roles.has(0) || !told) && applies(rule, &asked) {
                            places.insert(concern.rule);
                        }
                    }
                }
            }
            What::End(_) => places.extend(on_the_run(engine)),
            _ => {}
        }
    }
    let named = |place| engine.rule(place).map(|(it, _, rule)| (it.layer, rule.id.clone()));
    places.into_iter().filter_map(named).collect()
}

fn applies(rule: &Rule, asked: &Asked<'_>) -> bool {
    rule.when.as_ref().is_none_or(|it| it.applies(asked) == Applies::Yes)
}

/// The rules that judge the end of a run and no calls.
fn on_the_run(engine: &Engine) -> impl Iterator<Item = usize> + '_ {
    let placed = engine.placed().iter().enumerate();
    let no_tool = |it: &Tools| matches!(it, Tools::Named(names) if names.is_empty());
    placed.filter(|(_, it)| it.watches.end).map(|it| it.0).filter(move |place| {
        engine.rule(*place).is_some_and(|(_, policy, rule)| {
            rule.body.roles(policy.manner).first().is_none_or(|it| no_tool(it.tools))
        })
    })
}
