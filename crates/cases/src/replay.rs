//! The engine itself as a door: a recording told at the time, or a live session without a ledger,
//! which is taken up again from what was noted of its events.

use std::borrow::Cow;

use lawbook_engine::{Door, Engine, Note, Standing, State, without_hindsight};
use lawbook_event::{Call, Event, Start, What};

use crate::case::Mode;
use crate::subject::{Heard, Run, Subject};
use crate::{Asking, OfAgents, Step};

/// The subject.
#[derive(Clone, Copy, Debug, Default)]
pub struct Replay;

impl Subject for Replay {
    fn name(&self) -> &'static str {
        "replay"
    }

    fn cannot(&self, step: &Step) -> Option<&'static str> {
        match step {
            Step::OfAgents(OfAgents::Fact) => Some("facts need a rule that reads them"),
            _ => None,
        }
    }

    fn begin<'e>(&self, engine: &'e Engine, mode: Mode) -> Box<dyn Run + 'e> {
        let door = match mode {
            Mode::Enforce => Door::Live,
            Mode::Observe => Door::Recorded,
        };
        Box::new(Session::new(engine, door))
    }
}

/// The same door, closed and opened again before every event.
#[derive(Clone, Copy, Debug, Default)]
pub struct Restarted;

/// How often one story may make a call where everything before is folded for each.
const REPEAT_MAX: u32 = 200;

impl Subject for Restarted {
    fn name(&self) -> &'static str {
        "replay, restarted before every event"
    }

    fn cannot(&self, step: &Step) -> Option<&'static str> {
        match step {
            Step::Call(Asking { repeat: REPEAT_MAX.., .. }) => {
                Some("each of so many calls would fold all before it")
            }
            _ => Replay.cannot(step),
        }
    }

    fn begin<'e>(&self, engine: &'e Engine, mode: Mode) -> Box<dyn Run + 'e> {
        let door = match mode {
            Mode::Enforce => Door::Live,
            Mode::Observe => Door::Recorded,
        };
        Box::new(Session { restarts: true, ..Session::new(engine, door) })
    }
}

struct Session<'e> {
    engine: &'e Engine,
    door: Door,
    state: State,
    kept: Kept,
    /// It is taken up again before every event.
    restarts: bool,
}

impl<'e> Session<'e> {
    fn new(engine: &'e Engine, door: Door) -> Self {
        let (state, kept) = (State::new(engine, door), Kept::default());
        Session { engine, door, state, kept, restarts: false }
    }
}

/// What a session is taken up again from: the notes of all events as bytes, and what lies apart.
#[derive(Default)]
struct Kept {
    notes: Vec<Vec<u8>>,
    start: Option<Start<'static>>,
    calls: Vec<Call<'static>>,
}

impl Kept {
    fn keep(&mut self, event: &Event<'_>, note: &Note) {
        self.notes.push(note.encode());
        match &event.what {
            What::Start(start) => self.start = Some(owned(start)),
            What::Call(call) => self.calls.push(call.clone().into_owned()),
            _ => {}
        }
    }

    /// The state that all of it gives; none where a note can't be folded, which a story would then
    /// tell by what it expects.
    fn state(&self, engine: &Engine, door: Door) -> Option<State> {
        let mut state = State::new(engine, door);
        for note in &self.notes {
            engine.fold(&mut state, &Note::decode(note).ok()?).ok()?;
        }
        if let Some(start) = &self.start {
            state.restore_start(start);
        }
        for call in &self.calls {
            state.restore_call(call.step, call.clone());
        }
        Some(state)
    }
}

fn owned(start: &Start<'_>) -> Start<'static> {
    let text = |it: &Cow<'_, str>| Cow::Owned(it.clone().into_owned());
    Start {
        id: text(&start.id),
        attributes: text(&start.attributes),
        metadata: text(&start.metadata),
        cwd: start.cwd.as_ref().map(text),
        workspace: start.workspace.as_ref().map(text),
        home: start.home.as_ref().map(text),
        wordless: start.wordless,
        dropped: start.dropped,
        recording: text(&start.recording),
        normalised: text(&start.normalised),
    }
}

impl Run for Session<'_> {
    fn tell(&mut self, event: &Event<'_>) -> Heard {
        if self.restarts {
            self.restart();
        }
        let event = without_hindsight(event);
        let judgement = self.engine.judge(&self.state, &event);
        let note = self.engine.advance_noting(&mut self.state, &event, &judgement);
        self.kept.keep(&event, &note);
        let findings = judgement.held.into_iter().map(|it| it.finding);
        Heard {
            verdict: judgement.verdict,
            findings: findings.filter(|it| it.counts()).collect(),
            unknowns: judgement.unknowns,
            misuse: judgement.misuse.map(|it| it.code()),
            charge: judgement.charge,
        }
    }

    fn pending(&self) -> usize {
        self.state.waiting()
    }

    fn restart(&mut self) {
        let again = self.kept.state(self.engine, self.door);
        // A door that can't be opened again has no agent, which every standing then shows.
        self.state = again.unwrap_or_else(|| State::new(self.engine, self.door));
    }

    fn standing(&self) -> Option<Standing> {
        Some(self.state.standing(self.engine))
    }
}
