//! What a rule kind is: a demand with a memory, and the moments at which it is asked.

use std::any::Any;
use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use lawbook_event::{
    Call, End, Path, RecordingPart, Semantics, Severity, State, SuccessReading, Time,
};

use crate::wire::{Broken, Coded, Reader, Writer};
use crate::{
    Account, Arguments, Asks, Charge, Footing, Keys, NameMatch, Outcome, Scope, Session, Spoken,
    Tools,
};

/// How a policy reads values, names and results. All rules of a policy share it.
#[derive(Clone, Copy, Debug)]
pub struct Manner {
    /// How values read and compare.
    pub values: &'static dyn Semantics,
    /// How a result reads as success.
    pub success: SuccessReading,
    /// From which moment on an earlier call counts.
    pub evidence: EvidenceFrom,
    /// How names that forbid are compared; names that permit are always compared by bytes.
    pub names: NameMatch,
}

/// From which moment on an earlier call counts as evidence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EvidenceFrom {
    /// From the call on, with the outcome that it has or will have (faultgate).
    Call,
    /// From its result on. Calls of one batch never help each other.
    Result,
    /// From its result on, also within a batch; one that is never answered, from its call on
    /// (pmstack).
    ResultElseCall,
}

/// One group of tools that a rule looks at, and how their names are compared.
#[derive(Clone, Copy, Debug)]
pub struct Role<'r> {
    /// The tools.
    pub tools: &'r Tools,
    /// How a name is compared with theirs.
    pub names: NameMatch,
}

/// Tools, and arguments of theirs.
pub type Reads<'r> = (Cow<'r, Tools>, &'r [Path]);

/// The roles that a call plays for a rule, one bit each in the order of [`Kind::roles`].
/// The first role is being judged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Roles {
    bits: u8,
}

impl Roles {
    /// The same roles and one more, counted from 0.
    #[must_use]
    pub fn with(self, role: usize) -> Self {
        let bit = u32::try_from(role).ok().and_then(|it| 1u8.checked_shl(it)).unwrap_or(0);
        Roles { bits: self.bits | bit }
    }

    /// Whether the call plays a role, counted from 0.
    #[must_use]
    pub fn has(self, role: usize) -> bool {
        self.bits & Roles::default().with(role).bits != 0
    }

    /// The same roles but being judged.
    #[must_use]
    pub fn without_judged(self) -> Self {
        Roles { bits: self.bits & !1 }
    }

    /// Whether the call plays no role.
    #[must_use]
    pub fn is_none(self) -> bool {
        self.bits == 0
    }
}

/// Which events a kind wants to see beside the calls it has a role for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Watches {
    /// Answers to calls that play a role.
    pub answers: bool,
    /// What the user and the agent say.
    pub words: bool,
    /// The end of the session.
    pub end: bool,
    /// The text of the arguments as it stands, also where a dispatcher runs another call.
    pub text: bool,
    /// A part of the recording itself.
    pub part: Option<RecordingPart>,
    /// What calls cost: the rule takes it from a budget.
    pub charges: bool,
    /// Marks on the agent.
    pub scars: bool,
    /// Calls of its own that were judged and did not happen.
    pub refusals: bool,
}

/// What of the past a rule rests on. A door that was not shown it can't judge the rule.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Past {
    /// Earlier events of the session.
    pub session: bool,
    /// The times of earlier calls.
    pub times: bool,
    /// All that an agent ever did, in whatever session.
    pub life: bool,
}

impl Past {
    /// What of this the other names too, in two or three words, if anything.
    #[must_use]
    pub fn shared(self, other: Past) -> Option<&'static str> {
        if self.life && other.life {
            return Some("life of the agent");
        }
        (self.session && other.session).then_some("earlier history")
    }
}

/// A call, as a rule sees it.
#[derive(Debug)]
pub struct Asked<'c> {
    /// The call.
    pub call: &'c Call<'c>,
    /// Its arguments.
    pub args: &'c Arguments<'c>,
    /// What a recording knows of its outcome: none at a live door, and where none was recorded.
    pub outcome: Option<&'c Outcome<'c>>,
    /// When it is asked.
    pub at: Option<Time>,
    /// The message that holds it.
    pub message: u64,
    /// The session.
    pub session: &'c Session,
    /// How the policy reads.
    pub manner: Manner,
}

impl Asked<'_> {
    /// What a recording knows of the call's success; unknown where it knows nothing.
    #[must_use]
    pub fn state(&self) -> State {
        self.outcome.map_or(State::Unknown, |it| it.state(self.manner.success))
    }

    /// What relative paths and `~` stand on. Where only the workspace is known, it stands for the
    /// working directory too.
    #[must_use]
    pub fn footing(&self) -> Footing<'_> {
        let of_session = self.session.cwd().or(self.session.workspace());
        Footing { cwd: self.call.cwd.as_deref().or(of_session), home: self.session.home() }
    }

    /// Says that what stands on folders can't be told, where the folders may have been left out of
    /// the recording and nothing else was said.
    pub(crate) fn doubt_folders(&self, said: &mut Said) {
        let known = self.call.cwd.as_deref().or(self.session.cwd());
        let all = known.is_some() && self.session.workspace().is_some();
        if said.is_silent() && self.session.is_dropped() && !all {
            let tool = &*self.call.tool;
            let message = format!("the folders that `{tool}` works in may not have been recorded");
            said.gap("folders", message);
        }
    }

    /// The folder that the agent works in: the folder that the session started in, where no other
    /// is named.
    #[must_use]
    pub fn workspace(&self) -> Option<&str> {
        self.session.workspace().or(self.session.cwd())
    }
}

/// What a rule holds against an event.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Objection {
    /// What is wrong.
    pub message: String,
    /// The argument path it is about.
    pub path: Option<String>,
    /// The key it belongs to, for rules that report the first of each.
    pub key: Option<String>,
    /// The earlier steps it rests on, in order.
    pub evidence: Vec<u32>,
    /// How many earlier steps it rests on.
    pub evidence_total: usize,
    /// A verdict of its own, for kinds whose entries carry one.
    pub verdict: Option<lawbook_diag::Verdict>,
    /// The entry of the rule that objects, where its policy names entries and not the rule.
    pub rule: Option<Arc<str>>,
    /// What it asks of the people who may say yes; one yes at any time, if nothing is said.
    pub asks: Option<Asks>,
}

/// What a rule could not tell.
#[derive(Clone, Debug, PartialEq)]
pub struct Gap {
    /// What was missing, in two or three words.
    pub missing: String,
    /// The same as a sentence.
    pub message: String,
}

/// Where a rule puts what it has to say on one event.
#[derive(Debug, Default)]
pub struct Said {
    /// What it holds against the event.
    pub objections: Vec<Objection>,
    /// What it could not tell.
    pub gaps: Vec<Gap>,
}

impl Objection {
    /// An objection in words.
    #[must_use]
    pub fn new(message: impl Into<String>) -> Self {
        Objection { message: message.into(), ..Objection::default() }
    }

    /// The same about an argument path.
    #[must_use]
    pub fn path(mut self, path: &Path) -> Self {
        self.path = Some(path.text().to_owned());
        self
    }

    /// The same for a key.
    #[must_use]
    pub fn key(mut self, key: impl Into<String>) -> Self {
        self.key = Some(key.into());
        self
    }

    /// The same resting on earlier steps, of which there are `total`.
    #[must_use]
    pub fn rests_on(mut self, steps: impl IntoIterator<Item = u32>, total: usize) -> Self {
        self.evidence = steps.into_iter().collect();
        self.evidence_total = total;
        self
    }
}

impl Said {
    /// Whether nothing was said.
    #[must_use]
    pub fn is_silent(&self) -> bool {
        self.objections.is_empty() && self.gaps.is_empty()
    }

    /// Holds something against the event.
    pub fn object(&mut self, objection: Objection) {
        self.objections.push(objection);
    }

    /// Something that could not be told.
    pub fn gap(&mut self, missing: impl Into<String>, message: impl Into<String>) {
        self.gaps.push(Gap { missing: missing.into(), message: message.into() });
    }
}

/// Rules over commands, and the shell that they are for where they are for one.
pub type ShellRules<'r> = (&'r lawbook_shell::Rules, Option<lawbook_shell::Shell>);

/// Something that happened, as a rule's memory takes it in.
#[derive(Clone, Copy, Debug)]
pub enum Moment<'m> {
    /// A call happened.
    Happened {
        /// The call.
        asked: &'m Asked<'m>,
        /// The roles that it plays for the rule.
        roles: Roles,
    },
    /// An earlier call was answered.
    Answered {
        /// Its step.
        step: u32,
        /// The answer.
        out: &'m Outcome<'m>,
        /// How the policy reads.
        manner: Manner,
    },
    /// Somebody said something.
    Said(&'m Spoken<'m>),
    /// A call was judged by the rule and did not happen.
    Refused {
        /// The call.
        asked: &'m Asked<'m>,
    },
    /// The agent was marked.
    Scarred(Mark<'m>),
}

/// A mark on the agent, as rules see it.
#[derive(Clone, Copy, Debug)]
pub struct Mark<'m> {
    /// How bad it was.
    pub severity: Severity,
    /// The session that it comes from.
    pub session: &'m Session,
    /// How the policy reads.
    pub manner: Manner,
    /// How keys are made.
    pub keys: Keys<'m>,
}

/// One demand that a policy can make.
///
/// `judge`, `close` and `takes` only read the memory; `fold` alone changes it, by what was taken.
pub trait Kind: fmt::Debug + Send + Sync + 'static {
    /// The smallest thing that must be remembered, bounded by keys and open calls. Equal memories
    /// are written to equal bytes, and what is read again says what the written one said.
    type Memory: Clone + Coded + Default + fmt::Debug + Send + Sync + 'static;

    /// All that the memory needs of a moment, and nothing that must not outlive it: keys, numbers,
    /// steps, names of tools, times, yes and no, but no text of others under a seal. It can be
    /// written down and folded into an equal memory later, when the moment itself is gone.
    /// `()` where nothing is remembered.
    type Taken: Coded;

    /// The name: the key in a policy file, the module, the page, the case folder, the code in
    /// reports.
    const NAME: &'static str;

    /// The groups of tools it looks at; calls of the first are judged.
    fn roles(&self, manner: Manner) -> Vec<Role<'_>>;

    /// What else it wants to see.
    fn watches(&self) -> Watches {
        Watches::default()
    }

    /// What of the past it rests on: what remembers rests on the session, unless it says otherwise.
    fn past(&self) -> Past {
        Past { session: size_of::<Self::Memory>() > 0, ..Past::default() }
    }

    /// Arguments that it reads as what they are, so that patterns over all text say nothing better
    /// of them: tools, and the arguments of theirs.
    fn reads(&self) -> Vec<Reads<'_>> {
        Vec::new()
    }

    /// The rules over commands that it judges by, if it does, and the shell that they are for where
    /// they are for one.
    fn commands(&self) -> Option<ShellRules<'_>> {
        None
    }

    /// The actions of programs that it knows beside those that are known to all, where it judges
    /// commands.
    fn arity(&self) -> Option<&lawbook_shell::Arity> {
        None
    }

    /// Says what is wrong with a call.
    fn judge(&self, memory: &Self::Memory, asked: &Asked<'_>, said: &mut Said);

    /// Whether an entry of the rule lets this very call run, for kinds that list what may: none for
    /// kinds that only object, and `false` where the call passes because nothing speaks of it.
    fn permits(&self, _asked: &Asked<'_>) -> Option<bool> {
        None
    }

    /// An objection in words for the model: what is wrong and what would make it right, out of the
    /// call's own values and the policy's. Facts, attributes of the session, totals and what other
    /// calls returned don't belong in it. Without words the model hears no more than the rule's id.
    fn reply(&self, _asked: &Asked<'_>, _objection: &Objection) -> Option<String> {
        None
    }

    /// How far its memory reaches. Steps mean a call of one session only, so a rule that remembers
    /// an agent's life watches no answers and no words.
    fn scope(&self) -> Scope {
        Scope::Session
    }

    /// What a call would take from the budget that the rule keeps, if it keeps one and it can be
    /// told.
    fn charge(&self, _memory: &Self::Memory, _asked: &Asked<'_>) -> Option<Charge> {
        None
    }

    /// How the budget of the agent stands, if the rule keeps it.
    fn account(&self, _memory: &Self::Memory) -> Option<Account> {
        None
    }

    /// The score of the agent, if the rule keeps it.
    fn score(&self, _memory: &Self::Memory) -> Option<u32> {
        None
    }

    /// Sets what an agent has left that takes over from another one: its budget and its score, where
    /// the rule keeps them.
    fn carry(&self, _memory: &mut Self::Memory, _remaining: Option<u64>, _score: u32) {}

    /// Why the agent has ended once it bears a mark, if the rule says so.
    fn ends_by(&self, _memory: &Self::Memory, _mark: &Mark<'_>) -> Option<String> {
        None
    }

    /// What a moment leaves in the memory; none where it leaves the memory as it is.
    fn takes(&self, _memory: &Self::Memory, _moment: &Moment<'_>) -> Option<Self::Taken> {
        None
    }

    /// Changes the memory by what was taken. It rests on nothing else, so that the same takings
    /// always give the same memory, and bears any value, since bytes may have been changed.
    fn fold(&self, _memory: &mut Self::Memory, _taken: Self::Taken) {}

    /// Says what is wrong with the whole run.
    fn close(&self, _memory: &Self::Memory, _end: &End<'_>, _how: Manner, _said: &mut Said) {}
}

/// What a rule remembers, whatever its kind.
#[derive(Debug)]
pub struct Memory {
    cell: Box<dyn Cell>,
}

trait Cell: Any + fmt::Debug + Send + Sync {
    fn copy(&self) -> Box<dyn Cell>;
}

impl<M: Clone + fmt::Debug + Send + Sync + 'static> Cell for M {
    fn copy(&self) -> Box<dyn Cell> {
        Box::new(self.clone())
    }
}

impl Clone for Memory {
    fn clone(&self) -> Self {
        Memory { cell: (*self.cell).copy() }
    }
}

impl Memory {
    fn read<M: 'static>(&self) -> Option<&M> {
        (&*self.cell as &dyn Any).downcast_ref()
    }

    fn write<M: 'static>(&mut self) -> Option<&mut M> {
        (&mut *self.cell as &mut dyn Any).downcast_mut()
    }
}

/// A kind whose memory is hidden, so that a policy can hold any of them.
pub trait Body: fmt::Debug + Send + Sync {
    /// The kind's name.
    fn name(&self) -> &'static str;
    /// See [`Kind::roles`].
    fn roles(&self, manner: Manner) -> Vec<Role<'_>>;
    /// See [`Kind::watches`].
    fn watches(&self) -> Watches;
    /// See [`Kind::past`].
    fn past(&self) -> Past;
    /// See [`Kind::reads`].
    fn reads(&self) -> Vec<Reads<'_>>;
    /// See [`Kind::permits`].
    fn permits(&self, asked: &Asked<'_>) -> Option<bool>;
    /// See [`Kind::commands`].
    fn commands(&self) -> Option<ShellRules<'_>>;
    /// See [`Kind::arity`].
    fn arity(&self) -> Option<&lawbook_shell::Arity>;
    /// See [`Kind::reply`].
    fn reply(&self, asked: &Asked<'_>, objection: &Objection) -> Option<String>;
    /// A memory in which nothing happened yet.
    fn fresh(&self) -> Memory;
    /// See [`Kind::judge`].
    fn judge(&self, memory: &Memory, asked: &Asked<'_>, said: &mut Said);
    /// See [`Kind::scope`].
    fn scope(&self) -> Scope;
    /// See [`Kind::charge`].
    fn charge(&self, memory: &Memory, asked: &Asked<'_>) -> Option<Charge>;
    /// See [`Kind::account`].
    fn account(&self, memory: &Memory) -> Option<Account>;
    /// See [`Kind::score`].
    fn score(&self, memory: &Memory) -> Option<u32>;
    /// See [`Kind::carry`].
    fn carry(&self, memory: &mut Memory, remaining: Option<u64>, score: u32);
    /// See [`Kind::ends_by`].
    fn ends_by(&self, memory: &Memory, mark: &Mark<'_>) -> Option<String>;
    /// Takes a moment in: see [`Kind::takes`] and [`Kind::fold`].
    fn take(&self, memory: &mut Memory, moment: &Moment<'_>);
    /// The same, and writes down what was taken. Says whether anything was.
    fn take_noting(&self, memory: &mut Memory, moment: &Moment<'_>, out: &mut Writer) -> bool;
    /// Folds what was written down. Without a memory it is only read.
    ///
    /// # Errors
    /// The bytes are nothing that this kind writes; the memory is as it was.
    fn fold(&self, memory: Option<&mut Memory>, taken: Reader<'_>) -> Result<(), Broken>;
    /// Writes all that is remembered.
    fn write_memory(&self, memory: &Memory, out: &mut Writer);
    /// Reads what [`Body::write_memory`] wrote.
    ///
    /// # Errors
    /// The bytes are no memory of this kind.
    fn read_memory(&self, from: &mut Reader<'_>) -> Result<Memory, Broken>;
    /// See [`Kind::close`].
    fn close(&self, memory: &Memory, end: &End<'_>, manner: Manner, said: &mut Said);
}

impl<K: Kind> Body for K {
    fn name(&self) -> &'static str {
        K::NAME
    }

    fn roles(&self, manner: Manner) -> Vec<Role<'_>> {
        Kind::roles(self, manner)
    }

    fn watches(&self) -> Watches {
        Kind::watches(self)
    }

    fn past(&self) -> Past {
        Kind::past(self)
    }

    fn reads(&self) -> Vec<Reads<'_>> {
        Kind::reads(self)
    }

    fn permits(&self, asked: &Asked<'_>) -> Option<bool> {
        Kind::permits(self, asked)
    }

    fn commands(&self) -> Option<ShellRules<'_>> {
        Kind::commands(self)
    }

    fn arity(&self) -> Option<&lawbook_shell::Arity> {
        Kind::arity(self)
    }

    fn reply(&self, asked: &Asked<'_>, objection: &Objection) -> Option<String> {
        Kind::reply(self, asked, objection)
    }

    fn fresh(&self) -> Memory {
        Memory { cell: Box::new(K::Memory::default()) }
    }

    fn judge(&self, memory: &Memory, asked: &Asked<'_>, said: &mut Said) {
        match memory.read() {
            Some(memory) => Kind::judge(self, memory, asked, said),
            // A memory of another rule: nothing can be said, and silence would let the call run.
            None => said.gap("memory", "the rule was given the memory of another rule"),
        }
    }

    fn scope(&self) -> Scope {
        Kind::scope(self)
    }

    fn charge(&self, memory: &Memory, asked: &Asked<'_>) -> Option<Charge> {
        Kind::charge(self, memory.read()?, asked)
    }

    fn account(&self, memory: &Memory) -> Option<Account> {
        Kind::account(self, memory.read()?)
    }

    fn score(&self, memory: &Memory) -> Option<u32> {
        Kind::score(self, memory.read()?)
    }

    fn carry(&self, memory: &mut Memory, remaining: Option<u64>, score: u32) {
        if let Some(memory) = memory.write() {
            Kind::carry(self, memory, remaining, score);
        }
    }

    fn ends_by(&self, memory: &Memory, mark: &Mark<'_>) -> Option<String> {
        Kind::ends_by(self, memory.read()?, mark)
    }

    fn take(&self, memory: &mut Memory, moment: &Moment<'_>) {
        if let Some(memory) = memory.write()
            && let Some(taken) = self.takes(memory, moment)
        {
            Kind::fold(self, memory, taken);
        }
    }

    fn take_noting(&self, memory: &mut Memory, moment: &Moment<'_>, out: &mut Writer) -> bool {
        let Some(memory) = memory.write() else { return false };
        let Some(taken) = self.takes(memory, moment) else { return false };
        taken.write(out);
        Kind::fold(self, memory, taken);
        true
    }

    fn fold(&self, memory: Option<&mut Memory>, mut taken: Reader<'_>) -> Result<(), Broken> {
        let read = K::Taken::read(&mut taken)?;
        taken.end()?;
        if let Some(memory) = memory {
            Kind::fold(self, memory.write().ok_or(Broken)?, read);
        }
        Ok(())
    }

    fn write_memory(&self, memory: &Memory, out: &mut Writer) {
        if let Some(memory) = memory.read::<K::Memory>() {
            memory.write(out);
        }
    }

    fn read_memory(&self, from: &mut Reader<'_>) -> Result<Memory, Broken> {
        Ok(Memory { cell: Box::new(K::Memory::read(from)?) })
    }

    fn close(&self, memory: &Memory, end: &End<'_>, manner: Manner, said: &mut Said) {
        if let Some(memory) = memory.read() {
            Kind::close(self, memory, end, manner, said);
        }
    }
}
