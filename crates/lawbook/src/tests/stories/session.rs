//! A live session as a door for stories.

use lawbook_cases::{Asking, Happening, Heard, Mode, Run, Standing, Step, Subject};
use lawbook_engine::Engine;
use lawbook_event::{ArgsState, Call as Happened, Event, Start as Begun, What};

use super::{START, heard, of_life, policy};
use crate::answer::Draft;
use crate::{Call, Session, Start};

/// The subject.
pub struct Told;

impl Subject for Told {
    fn name(&self) -> &'static str {
        "session"
    }

    fn cannot(&self, step: &Step) -> Option<&'static str> {
        match step {
            Step::Call(Asking { cost: Some(_), .. }) => Some("costs need an agent"),
            Step::Call(Asking { ran: false, .. }) => Some("a session is asked before calls run"),
            Step::Call(Asking { args_state: Some(state), .. }) if state == "cut" => {
                Some("a host has the arguments whole or not at all")
            }
            Step::Reject { scar: Some(_), .. } => Some("marks need an agent"),
            Step::OfAgents(_) => Some("an agent needs a ledger"),
            Step::Standing(standing) => {
                let bare = Standing { pending: standing.pending, ..Standing::default() };
                (*standing != bare).then_some("what an agent has left needs an agent")
            }
            _ => None,
        }
    }

    fn cannot_carry(
        &self,
        engine: &Engine,
        mode: Mode,
        story: &[Happening],
    ) -> Option<&'static str> {
        let observed = mode == Mode::Observe;
        let observed = observed.then_some("at a live door the verdict decides what happens");
        observed.or_else(|| of_life(engine, story))
    }

    fn begin<'e>(&self, engine: &'e Engine, _mode: Mode) -> Box<dyn Run + 'e> {
        let session = Session::begin(&policy(engine), &Start::default(), START).unwrap();
        Box::new(Telling { session, engine, message: 0 })
    }
}

struct Telling<'e> {
    session: Session,
    engine: &'e Engine,
    message: u64,
}

impl Run for Telling<'_> {
    fn tell(&mut self, event: &Event<'_>) -> Heard {
        if event.message != self.message {
            self.session.close_message();
            self.message = event.message;
        }
        match &event.what {
            What::Start(start) => self.begin(start),
            What::Call(call) => self.call(event, call),
            what => {
                let said = self.session.tell(event.at, what.clone());
                let misuse = said.misuse.map(|it| it.code());
                let mut draft = Draft::default();
                draft.said(said);
                Heard { misuse, ..heard(&self.session.answer(draft)) }
            }
        }
    }

    fn pending(&self) -> usize {
        self.session.waiting()
    }
}

impl Telling<'_> {
    fn begin(&mut self, start: &Begun<'_>) -> Heard {
        self.session = Session::begin(&policy(self.engine), &given(start), START).unwrap();
        Heard::default()
    }

    fn call(&mut self, event: &Event<'_>, call: &Happened<'_>) -> Heard {
        let id = format!("c{}", call.step);
        let asked = match call.args.state {
            ArgsState::Whole => Call::new(&*id, &*call.tool, &*call.args.text),
            ArgsState::Unrecorded | ArgsState::Cut => Call::unrecorded(&*id, &*call.tool),
        };
        let asked = match &call.server {
            Some(server) => asked.server(&**server),
            None => asked,
        };
        let mut draft = Draft::default();
        self.session.ask(&asked, event.at, &mut draft);
        heard(&self.session.answer(draft))
    }
}

/// The start of a story as a host states it.
fn given(start: &Begun<'_>) -> Start {
    let mut given = Start::new(&*start.id).metadata(&*start.metadata);
    let attributes: serde_json::Map<String, serde_json::Value> =
        serde_json::from_str(&start.attributes).unwrap_or_default();
    for (name, value) in attributes {
        given = given.attribute_json(name, value.to_string());
    }
    if let Some(cwd) = &start.cwd {
        given = given.cwd(&**cwd);
    }
    if let Some(workspace) = &start.workspace {
        given = given.workspace(&**workspace);
    }
    given
}
