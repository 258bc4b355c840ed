//! `at_most`: at most so many calls, in all, by key, by turn, by batch or within a time.

mod taken;

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use lawbook_event::{End, Path, Speaker, State, Time, skeleton};

pub use self::taken::Taken;
use self::taken::{Counted, Listing, What};
use super::TOOLS;
use crate::argument::shared_key;
use crate::params::{Definition, Field, Params, Shape};
use crate::{
    Asked, Body, EvidenceFrom, KEYS_MAX, Key, Keyed, Kind, Manner, Moment, NameMatch, Objection,
    Outcome, Past, Role, Said, Scope, Spoken, Tools, Watches,
};

/// How many calls within one window are remembered by key. Past it the rule answers unknown.
pub const WINDOW_ENTRIES_MAX: usize = 100_000;
/// How many steps a finding lists as evidence.
pub const EVIDENCE_MAX: usize = 16;

/// At most so many calls.
#[derive(Debug)]
pub struct AtMost {
    /// The tools whose calls count together.
    pub tools: Tools,
    /// The most calls.
    pub max: f64,
    /// The same as the policy writes it.
    pub max_text: String,
    /// What is counted apart.
    pub per: Per,
    /// Whether values of an argument are told apart by bytes; otherwise case, white space at the
    /// ends and compatibility forms make no difference, where the semantics says so.
    pub exact: bool,
    /// The length of the window in seconds; none for the whole scope.
    pub window_secs: Option<f64>,
    /// Which calls don't count.
    pub leaves_out: LeavesOut,
    /// Whether the run as a whole is objected to at its end, with its total.
    pub closes: bool,
    /// How far the count reaches. The steps of other sessions are no evidence in this one.
    pub scope: Scope,
    /// Whether times stand as they are told and leave the window from its front alone, at every
    /// call that is judged, whatever becomes of it (lineage).
    pub front_only: bool,
}

/// What is counted apart.
#[derive(Clone, Debug, PartialEq)]
pub enum Per {
    /// Nothing: the whole session, or the agent's whole life.
    Session,
    /// Each tool.
    Tool,
    /// Each turn of the user.
    Turn,
    /// Each message of calls.
    Batch,
    /// Each value of this argument.
    Arg(Path),
}

/// Which calls don't count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeavesOut {
    /// All calls that happened count.
    Nothing,
    /// Calls that failed don't.
    Failed,
    /// Calls whose result text reads as an error don't, whatever their span says (faultgate).
    ErrorTexts,
}

/// What is counted, by key.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    counts: Keyed<Count>,
    /// The key of a call that may still turn out to have failed.
    open: BTreeMap<u32, Open>,
    /// Calls that count for a key which could not be read.
    unplaced: BTreeSet<u32>,
    turn: u64,
    /// The user may have spoken since the turn began.
    turn_unsure: bool,
}

/// A call that may still turn out to have failed.
#[derive(Clone, Debug)]
struct Open {
    key: Key,
    era: u64,
    timed: bool,
}

#[derive(Clone, Debug, Default)]
struct Count {
    calls: u64,
    steps: VecDeque<u32>,
    /// The calls in the window with their times, oldest first. Time never runs back: a call whose
    /// time is earlier than the last one's stands at the last one's.
    times: VecDeque<(Time, u32)>,
    /// The turn or message that the count belongs to.
    era: u64,
    /// How many calls have no time.
    untimed: u64,
    /// There were more calls than the window holds.
    overfull: bool,
}

crate::coded!(Memory { counts, open, unplaced, turn, turn_unsure });
crate::coded!(Open { key, era, timed });
crate::coded!(Count { calls, steps, times, era, untimed, overfull });

impl Count {
    /// The time of the newest call in the window.
    fn latest(&self) -> Time {
        self.times.back().map_or(Time { nanos: i64::MIN }, |it| it.0)
    }

    /// Lets go of the times that are out of the window, from its front.
    fn forget(&mut self, since: Time) {
        while self.times.front().is_some_and(|it| it.0 <= since) {
            self.times.pop_front();
        }
    }
}

impl Kind for AtMost {
    type Memory = Memory;
    type Taken = Taken;
    const NAME: &'static str = "at_most";

    fn roles(&self, manner: Manner) -> Vec<Role<'_>> {
        vec![Role { tools: &self.tools, names: manner.names }]
    }

    fn watches(&self) -> Watches {
        Watches {
            answers: self.leaves_out != LeavesOut::Nothing,
            words: self.per == Per::Turn,
            end: self.closes,
            refusals: self.front_only,
            ..Watches::default()
        }
    }

    /// A batch stands in one message, which is there whole or not at all.
    fn past(&self) -> Past {
        let session = self.per != Per::Batch || self.window_secs.is_some();
        Past { session, times: self.window_secs.is_some(), life: self.scope == Scope::Agent }
    }

    fn scope(&self) -> Scope {
        self.scope
    }

    fn judge(&self, memory: &Memory, asked: &Asked<'_>, said: &mut Said) {
        if asked.outcome.is_some_and(|it| self.left_out(it, asked.manner)) {
            return;
        }
        let Some(key) = self.key_of(asked, said) else { return };
        let count = memory.counts.get(&key);
        if count.is_none() && memory.counts.is_full() {
            return said.gap("memory", "more keys than the rule can remember");
        }
        let era = self.era(memory, asked);
        let before = match count.filter(|it| it.era == era && it.calls > 0) {
            None => 0,
            Some(count) => match self.standing(count, asked) {
                Ok(calls) => calls,
                Err(missing) => return said.gap(missing, self.untimed_message(asked)),
            },
        };
        let now = before.saturating_add(1);
        if !self.exceeds(now) {
            self.doubt(memory, asked, now, said);
            return;
        }
        if self.per == Per::Turn && memory.turn_unsure {
            let message = format!(
                "whether the user spoke before `{}` is unknown: the words are not recorded",
                asked.call.tool
            );
            return said.gap("words of the user", message);
        }
        let steps = count.map(|it| it.steps.iter().copied().collect()).unwrap_or_default();
        said.object(self.objection(asked, now, &asked.args.plain(&key), steps));
    }

    fn reply(&self, asked: &Asked<'_>, _objection: &Objection) -> Option<String> {
        let (tool, max) = (self.tools.called(asked), &self.max_text);
        let per = match &self.per {
            Per::Session | Per::Tool => String::new(),
            Per::Turn => " in one turn".to_owned(),
            Per::Batch => " in one message".to_owned(),
            Per::Arg(path) => format!(" for one {}", path.text()),
        };
        let within = self.window_secs.map_or(String::new(), |it| format!(" within {it} s"));
        Some(format!("{tool} may be called at most {max} times{per}{within}"))
    }

    fn takes(&self, memory: &Memory, moment: &Moment<'_>) -> Option<Taken> {
        let what = match *moment {
            Moment::Happened { asked, roles } if roles.has(0) => self.takes_call(memory, asked),
            Moment::Answered { step, out, manner } => {
                let known = memory.open.contains_key(&step) || memory.unplaced.contains(&step);
                known.then(|| What::Answered { step, left_out: self.left_out(out, manner) })
            }
            Moment::Said(spoken) => turn(spoken),
            Moment::Refused { asked } if self.front_only => self.takes_refusal(asked),
            Moment::Happened { .. } | Moment::Refused { .. } | Moment::Scarred(_) => None,
        };
        what.map(Taken)
    }

    fn fold(&self, memory: &mut Memory, taken: Taken) {
        match taken.0 {
            What::Unplaced { step } => {
                if memory.unplaced.len() < KEYS_MAX {
                    memory.unplaced.insert(step);
                }
            }
            What::Counted(counted) => self.count(memory, counted),
            What::Answered { step, left_out } => answered(memory, step, left_out),
            What::Turn => {
                memory.turn = memory.turn.saturating_add(1);
                memory.turn_unsure = false;
            }
            What::MaybeTurn => memory.turn_unsure = true,
            What::Looked { key, at } => {
                let since = self.window_secs.map(|it| starts(at, it));
                if let (Some(count), Some(since)) = (memory.counts.get_mut(&key), since) {
                    count.forget(since);
                }
            }
        }
    }

    fn close(&self, memory: &Memory, _end: &End<'_>, _how: Manner, said: &mut Said) {
        let calls = memory.counts.get(&Key::shared()).map_or(0, |it| it.calls);
        if self.exceeds(calls) {
            said.object(Objection::new(format!("{calls} tool calls > max {}", self.max_text)));
        }
    }
}

/// A turn that begins with words; where nothing is left of them, it may not have.
fn turn(spoken: &Spoken<'_>) -> Option<What> {
    let unsure = spoken.cut && spoken.text.trim().is_empty();
    let what = if unsure { What::MaybeTurn } else { What::Turn };
    (spoken.who == Speaker::User).then_some(what)
}

fn answered(memory: &mut Memory, step: u32, left_out: bool) {
    if left_out {
        memory.unplaced.remove(&step);
    }
    let Some(Open { key, era, timed }) = memory.open.remove(&step).filter(|_| left_out) else {
        return;
    };
    // A failure of an older turn or message takes nothing from the count of this one.
    let count = memory.counts.get_mut(&key).filter(|it| it.era == era);
    let Some(count) = count else { return };
    let place = count.steps.iter().rposition(|it| *it == step);
    if let Some(place) = place {
        count.steps.remove(place);
    }
    if let Some(place) = count.times.iter().rposition(|it| it.1 == step) {
        count.times.remove(place);
    }
    if !timed {
        count.untimed = count.untimed.saturating_sub(1);
    }
    count.calls = count.calls.saturating_sub(1);
}

impl AtMost {
    fn takes_call(&self, memory: &Memory, asked: &Asked<'_>) -> Option<What> {
        if asked.outcome.is_some_and(|it| self.left_out(it, asked.manner)) {
            return None;
        }
        let step = asked.call.step;
        let Some(key) = self.key_of(asked, &mut Said::default()) else {
            return Some(What::Unplaced { step });
        };
        let foreseen = asked.call.hindsight.is_some();
        let listing = match asked.manner.evidence {
            EvidenceFrom::Call if foreseen && self.window_secs.is_none() => Listing::UpToTheFirst,
            EvidenceFrom::Call => Listing::All,
            EvidenceFrom::Result | EvidenceFrom::ResultElseCall if self.scope == Scope::Agent => {
                Listing::None
            }
            EvidenceFrom::Result | EvidenceFrom::ResultElseCall => Listing::Newest,
        };
        let fails_later = self.leaves_out != LeavesOut::Nothing && !foreseen;
        let (era, at) = (self.era(memory, asked), asked.at.filter(|_| self.window_secs.is_some()));
        Some(What::Counted(Counted { step, key, era, at, listing, fails_later }))
    }

    /// Lineage looks into its window whatever becomes of the call, and forgets what it finds gone.
    fn takes_refusal(&self, asked: &Asked<'_>) -> Option<What> {
        let at = asked.at.filter(|_| self.window_secs.is_some())?;
        Some(What::Looked { key: self.key_of(asked, &mut Said::default())?, at })
    }

    fn count(&self, memory: &mut Memory, counted: Counted) {
        let Counted { step, key, era, at, listing, fails_later } = counted;
        let open = fails_later.then(|| Open { key: key.clone(), era, timed: at.is_some() });
        let Some(count) = memory.counts.place(key) else { return };
        if count.era != era {
            *count = Count { era, ..Count::default() };
        }
        count.calls = count.calls.saturating_add(1);
        // Faultgate lists the steps up to the first that is one too many; which that is can still
        // change where outcomes are not known yet.
        let listed = match listing {
            Listing::All | Listing::Newest => true,
            Listing::UpToTheFirst => !self.exceeds(count.calls),
            Listing::None => false,
        };
        if listed {
            count.steps.push_back(step);
        }
        if listing == Listing::Newest && count.steps.len() > EVIDENCE_MAX {
            count.steps.pop_front();
        }
        if self.window_secs.is_some() {
            self.remember_time(count, at, step);
        }
        if let Some(open) = open {
            memory.open.insert(step, open);
        }
    }

    /// The key that a call counts under; none when it can't be read, which is said.
    fn key_of(&self, asked: &Asked<'_>, said: &mut Said) -> Option<Key> {
        let path = match &self.per {
            Per::Session | Per::Turn | Per::Batch => None,
            Per::Tool => return Some(tool_key(asked)),
            Per::Arg(path) => Some(path),
        };
        let values = asked.manner.values;
        let key = match self.exact {
            true => asked.args.key(values, path),
            false => asked.args.cap_key(values, path),
        };
        shared_key(asked, path, key, said, |path| {
            let (tool, arg, max) = (&*asked.call.tool, path.text(), &self.max_text);
            format!("{tool} has no readable {arg}, cannot count it against max {max} per {arg}")
        })
    }

    /// Says that calls whose key is not known might be the ones too many.
    fn doubt(&self, memory: &Memory, asked: &Asked<'_>, now: u64, said: &mut Said) {
        let Some(step) = memory.unplaced.last() else { return };
        let unplaced = u64::try_from(memory.unplaced.len()).unwrap_or(u64::MAX);
        let exceeds = self.exceeds(now.saturating_add(unplaced));
        if exceeds && asked.manner.evidence == EvidenceFrom::Result {
            let tool = &*asked.call.tool;
            let message = format!("`{tool}` may count with step {step}, whose key is not known");
            said.gap(format!("key of step {step}"), message);
        }
    }

    fn left_out(&self, out: &Outcome<'_>, manner: Manner) -> bool {
        match self.leaves_out {
            LeavesOut::Nothing => false,
            LeavesOut::Failed => out.state(manner.success) == State::Failed,
            LeavesOut::ErrorTexts => out.answer().structural_error().is_some(),
        }
    }

    fn era(&self, memory: &Memory, asked: &Asked<'_>) -> u64 {
        match self.per {
            Per::Turn => memory.turn,
            Per::Batch => asked.message,
            Per::Session | Per::Tool | Per::Arg(_) => 0,
        }
    }

    /// How many calls stand before this one, within the window if there is one.
    fn standing(&self, count: &Count, asked: &Asked<'_>) -> Result<u64, &'static str> {
        let Some(window_secs) = self.window_secs else { return Ok(count.calls) };
        let Some(at) = asked.at else { return Err("time") };
        if self.front_only && !count.overfull && count.untimed == 0 {
            let since = starts(at, window_secs);
            let gone = count.times.iter().take_while(|it| it.0 <= since).count();
            let inside = count.times.len().saturating_sub(gone);
            return Ok(u64::try_from(inside).unwrap_or(u64::MAX));
        }
        if count.untimed > 0 || count.overfull {
            return Err("times of earlier calls");
        }
        let since = starts(at.max(count.latest()), window_secs);
        let outside = count.times.partition_point(|it| it.0 <= since);
        let inside = count.times.len().saturating_sub(outside);
        Ok(u64::try_from(inside).unwrap_or(u64::MAX))
    }

    fn remember_time(&self, count: &mut Count, at: Option<Time>, step: u32) {
        let (Some(window_secs), Some(at)) = (self.window_secs, at) else {
            count.untimed = count.untimed.saturating_add(1);
            return;
        };
        let at = if self.front_only { at } else { at.max(count.latest()) };
        count.forget(starts(at, window_secs));
        if count.times.len() >= WINDOW_ENTRIES_MAX {
            count.overfull = true;
            return;
        }
        count.times.push_back((at, step));
    }

    fn untimed_message(&self, asked: &Asked<'_>) -> String {
        format!("`{}` is capped within a time, and a time is not known", asked.call.tool)
    }

    #[allow(clippy::cast_precision_loss, reason = "no session has 2^53 calls")]
    fn exceeds(&self, calls: u64) -> bool {
        calls as f64 > self.max
    }

    fn objection(&self, asked: &Asked<'_>, now: u64, key: &str, steps: Vec<u32>) -> Objection {
        let max = &self.max_text;
        let within = match self.window_secs {
            Some(secs) => format!(" within {secs} s"),
            None => String::new(),
        };
        let mut counted = steps;
        let message = match &self.per {
            Per::Session if self.closes => format!("{now} tool calls > max {max}"),
            Per::Session => format!("{now} calls of {} > max {max}{within}", self.names("/")),
            Per::Tool => {
                format!("{now} calls of {} > max {max}{within}", self.tools.called(asked))
            }
            Per::Turn => format!("{now} calls of {} in one turn > max {max}", self.names("/")),
            Per::Batch => format!("{now} calls of {} in one message > max {max}", self.names("/")),
            Per::Arg(path) => {
                let what = match self.leaves_out {
                    LeavesOut::Nothing => "",
                    LeavesOut::Failed | LeavesOut::ErrorTexts => "successful ",
                };
                // Faultgate reports the first call that is one too many, with all steps.
                let first = !self.exceeds(now.saturating_sub(1));
                let steps = if first || asked.manner.evidence == EvidenceFrom::Result {
                    let mut listed: Vec<String> = counted.iter().map(u32::to_string).collect();
                    listed.push(asked.call.step.to_string());
                    format!(" (steps {})", listed.join(", "))
                } else {
                    String::new()
                };
                let (names, arg) = (self.names("/"), path.text());
                let value = asked.manner.values.quote(key);
                format!("{now} {what}{names} calls for {arg} {value} > max {max}{within}{steps}")
            }
        };
        let total = usize::try_from(now.saturating_sub(1)).unwrap_or(usize::MAX);
        let surplus = counted.len().saturating_sub(EVIDENCE_MAX);
        counted.drain(..surplus);
        let objection = Objection::new(message).rests_on(counted, total);
        match &self.per {
            Per::Arg(path) => objection.path(path).key(key),
            Per::Session | Per::Tool | Per::Turn | Per::Batch => objection,
        }
    }

    fn names(&self, between: &str) -> String {
        match &self.tools {
            Tools::Every | Tools::EveryBut(_) => "any tool".to_owned(),
            Tools::Named(names) => {
                let mut names: Vec<_> = names.iter().map(crate::ToolName::written).collect();
                names.sort_unstable();
                names.dedup();
                names.join(between)
            }
        }
    }
}

/// The tool's name as it counts: other spellings of a name count together with it.
fn tool_key(asked: &Asked<'_>) -> Key {
    let tool = &*asked.call.tool;
    match asked.manner.names {
        NameMatch::Exact => asked.args.own_key("tool", |keys| keys.key(tool)),
        NameMatch::Skeleton => asked.args.own_key("skeleton", |keys| keys.key(&skeleton(tool))),
    }
}

/// The first moment that is too early for a window which ends at `at`.
#[allow(clippy::cast_possible_truncation, reason = "casts from floats saturate")]
fn starts(at: Time, window_secs: f64) -> Time {
    Time { nanos: at.nanos.saturating_sub((window_secs * 1e9) as i64) }
}

const FIELDS: &[Field] = &[
    TOOLS,
    Field::required("max", Shape::Whole, "The most calls; 0 allows none."),
    Field::optional(
        "per",
        Shape::Text,
        "What is counted apart: `session`, `agent`, `tool`, `turn`, `batch`, or an argument by its path; `tool` if left out.",
    ),
    Field::optional(
        "window",
        Shape::Duration,
        "Only calls within this time before the call count.",
    ),
    Field::optional(
        "exact",
        Shape::Bool,
        "Whether values of the argument are told apart by case and white space, too.",
    ),
    Field::optional(
        "successes",
        Shape::Bool,
        "Whether calls that failed are left out of the count.",
    ),
];

/// How a native policy writes it.
#[derive(Debug)]
pub struct Native;

impl Definition for Native {
    fn name(&self) -> &'static str {
        AtMost::NAME
    }

    fn page(&self) -> &'static str {
        include_str!("at_most.md")
    }

    fn fields(&self) -> &'static [Field] {
        FIELDS
    }

    fn build(&self, params: &mut Params<'_>) -> Option<Box<dyn Body>> {
        let tools = params.tools("tools");
        let (per, max) = (per(params), params.whole("max"));
        let window_secs = params.secs("window");
        if window_secs == Some(0.0) {
            params.refuse("window", "a window of no time holds no call", "as in `60s`");
        }
        let successes = params.flag("successes").unwrap_or(false);
        let scope = match params.text("per") {
            Some("agent") => Scope::Agent,
            _ => Scope::Session,
        };
        if successes && scope == Scope::Agent {
            let help = "count all calls, or count per session";
            params.refuse("successes", "`successes` can't be counted over several sessions", help);
        }
        let leaves_out = if successes { LeavesOut::Failed } else { LeavesOut::Nothing };
        let ((max, max_text), per) = (max?, per?);
        let exact = params.flag("exact").unwrap_or(false);
        Some(Box::new(AtMost {
            tools,
            max,
            max_text,
            per,
            exact,
            window_secs,
            leaves_out,
            closes: false,
            scope,
            front_only: false,
        }))
    }
}

fn per(params: &mut Params<'_>) -> Option<Per> {
    match params.text("per") {
        None => Some(Per::Tool),
        Some("session" | "agent") => Some(Per::Session),
        Some("tool") => Some(Per::Tool),
        Some("turn") => Some(Per::Turn),
        Some("batch") => Some(Per::Batch),
        // An argument that is called like one of the words above is written `args.turn`.
        Some(arg) => {
            let path = params.single_path("per")?;
            let inner = arg.strip_prefix("args.").map(Path::parse);
            Some(Per::Arg(inner.unwrap_or(path)))
        }
    }
}
