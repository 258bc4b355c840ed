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
                engine.faces(call).opened(Keys::default(), |opened| {
                    for face in opened {
                        places.extend(tried_by(engine, event, face, &session));
                    }
                });
            }
            What::End(_) => places.extend(on_the_run(engine)),
            _ => {}
        }
    }
    let named = |place| engine.rule(place).map(|(it, _, rule)| (it.layer, rule.id.clone()));
    places.into_iter().filter_map(named).collect()
}

/// The rules that had something to judge in one face of a call.
fn tried_by<'a>(
    engine: &'a Engine,
    event: &'a Event<'_>,
    face: &'a Opened<'a>,
    session: &'a Session,
) -> impl Iterator<Item = usize> + 'a {
    let judged = face.plan.concerns.iter().filter(|it| it.roles.has(0));
    judged.filter_map(move |concern| {
        let (_, policy, rule) = engine.rule(concern.rule)?;
        let asked = face.asked(event.at, event.message, session, policy.manner);
        let (roles, told) = engine.roles(concern, rule, &asked);
        let concerned = (roles.has(0) || !told) && applies(rule, &asked);
        concerned.then_some(concern.rule)
    })
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
