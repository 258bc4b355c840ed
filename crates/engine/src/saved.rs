//! A state as bytes and back, so that a cache can keep what was folded from many notes.

use lawbook_event::Start;
use lawbook_rule::{Broken, Coded, Key, Past, Reader, Session, Writer, coded};

use crate::life::Life;
use crate::state::{Fate, HeldCall, State, skeleton};
use crate::{Door, Engine, FoldError};

/// The version of the bytes that states are written to, which is their first byte. It counts up when
/// what the engine or any kind remembers changes, and states of another version are refused: they
/// are caches, and what they were folded from is still there.
pub const STATE_VERSION: u8 = 2;

impl State {
    /// The state as bytes. What lies apart is not in it: the seal, the arguments of calls that wait
    /// or were refused, and what the session began with.
    ///
    /// ```
    /// use lawbook_engine::{Door, Engine, State};
    ///
    /// let engine = Engine::new(Vec::new(), None);
    /// let bytes = State::new(&engine, Door::Live).encode(&engine);
    /// assert_eq!(engine.decode_state(&bytes)?.encode(&engine), bytes);
    /// assert!(engine.decode_state(&bytes[1..]).is_err());
    /// # Ok::<(), lawbook_engine::FoldError>(())
    /// ```
    #[must_use]
    pub fn encode(&self, engine: &Engine) -> Vec<u8> {
        let mut out = Writer::default();
        out.byte(STATE_VERSION);
        self.door.write(&mut out);
        engine.marks().write(&mut out);
        let rules = (0..).map_while(|it| Some((engine.rule(it)?.2, self.memories.get(it)?)));
        for (rule, memory) in rules {
            let mut own = Writer::default();
            rule.body.write_memory(memory, &mut own);
            out.run(&own.into_bytes());
        }
        self.session.is_wordless().write(&mut out);
        (self.bare || !self.session.says_nothing()).write(&mut out);
        self.open.write(&mut out);
        self.overfull.write(&mut out);
        let held: Vec<Held> = self.held.values().map(Held::of).collect();
        held.write(&mut out);
        self.let_go.write(&mut out);
        self.calls.write(&mut out);
        self.seen.write(&mut out);
        self.happened.write(&mut out);
        self.unreported.write(&mut out);
        self.life.write(&mut out);
        let Past { session, times, life } = self.unseen;
        [session, times, life].iter().for_each(|it| it.write(&mut out));
        out.into_bytes()
    }
}

impl Engine {
    /// The state that bytes hold, without a seal ([`State::sealed`]). What lies apart is given back
    /// as to a folded one, by [`State::restore_start`] and [`State::restore_call`].
    ///
    /// # Errors
    /// The bytes are no state, one of another version, or one of other policies.
    pub fn decode_state(&self, bytes: &[u8]) -> Result<State, FoldError> {
        let mut from = Reader::new(bytes);
        if from.byte()? != STATE_VERSION {
            return Err(Broken.into());
        }
        let mut state = State::new(self, Door::read(&mut from)?);
        if Vec::<String>::read(&mut from)? != self.marks() {
            return Err(Broken.into());
        }
        for (place, memory) in state.memories.iter_mut().enumerate() {
            let (_, _, rule) = self.rule(place).ok_or(Broken)?;
            let mut own = Reader::new(from.run()?);
            *memory = rule.body.read_memory(&mut own)?;
            own.end()?;
        }
        let wordless = Coded::read(&mut from)?;
        state.session = Session::new(&Start { wordless, ..Start::default() });
        state.bare = Coded::read(&mut from)?;
        state.open = Coded::read(&mut from)?;
        state.overfull = Coded::read(&mut from)?;
        for held in Vec::<Held>::read(&mut from)? {
            state.held.insert(held.step, held.call());
        }
        state.let_go = Coded::read(&mut from)?;
        state.calls = Coded::read(&mut from)?;
        state.seen = Coded::read(&mut from)?;
        state.happened = Coded::read(&mut from)?;
        state.unreported = Coded::read(&mut from)?;
        state.life = Coded::read(&mut from)?;
        let mut flag = || bool::read(&mut from);
        state.unseen = Past { session: flag()?, times: flag()?, life: flag()? };
        from.end()?;
        Ok(state)
    }

    /// What tells the policies apart that a state belongs to: their digests, and the ids and kinds
    /// of all rules.
    fn marks(&self) -> Vec<String> {
        let digests = self.layers().iter().map(|it| it.digest.clone());
        let rules = (0..).map_while(|it| self.rule(it));
        let rules = rules.map(|(_, _, rule)| format!("{} {}", rule.body.name(), rule.id));
        digests.chain(rules).collect()
    }
}

coded!(Life { ended, allowed, denied, pending, score, scars });

/// A waiting or refused call, as far as it is not kept apart.
struct Held {
    step: u32,
    tool: String,
    at: Option<lawbook_event::Time>,
    message: u64,
    waits: bool,
    approved_by: Vec<Key>,
}

coded!(Held { step, tool, at, message, waits, approved_by });

impl Held {
    fn of(held: &HeldCall) -> Self {
        Held {
            step: held.call.step,
            tool: held.call.tool.to_string(),
            at: held.at,
            message: held.message,
            waits: held.fate == Fate::Waiting,
            approved_by: held.approved_by.clone(),
        }
    }

    fn call(self) -> HeldCall {
        HeldCall {
            call: skeleton(self.step, &self.tool),
            at: self.at,
            message: self.message,
            fate: if self.waits { Fate::Waiting } else { Fate::Refused },
            approved_by: self.approved_by,
        }
    }
}

impl Coded for Door {
    fn write(&self, out: &mut Writer) {
        (*self == Door::Live).write(out);
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, Broken> {
        Ok(if bool::read(from)? { Door::Live } else { Door::Recorded })
    }
}
