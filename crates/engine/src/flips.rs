//! Which calls of a recording two policies rule on differently, and why.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use lawbook_event::{Event, Ran, What};

use crate::Engine;
use crate::counterfactual::{Ruled, Ruling, enforced, recorded, without};

/// How many refused calls are tried as the cause of one knock-on flip, the latest first.
pub const CAUSES_TRIED_MAX: usize = 16;
/// How many replays one session may cost in search of causes. Past it the first refused calls
/// before a flip are named.
pub const CAUSE_REPLAYS_MAX: usize = 256;

/// Policies, with the reading of a recording that they judge.
#[derive(Clone, Copy, Debug)]
pub struct Side<'e> {
    /// The policies, made ready.
    pub engine: &'e Engine,
    /// The events of their reading.
    pub events: &'e [Event<'e>],
}

/// One of two sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Which {
    /// The policy as it was.
    Old,
    /// The policy as it is meant to be.
    New,
}

/// A call, or the run, that two policies rule on differently.
#[derive(Clone, Debug)]
pub struct Flip {
    /// What the old policy says; none where its reading has no such call.
    pub old: Option<Ruling>,
    /// What the new one says; none where its reading has no such call.
    pub new: Option<Ruling>,
    /// Why it flips.
    pub cause: Cause,
}

/// Why a call flips.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cause {
    /// On all that was recorded its own verdict is another one.
    First {
        /// The verdicts part under enforcement too. They need not: an earlier call that no longer
        /// happens may have been what the verdict rests on.
        stands: bool,
    },
    /// On all that was recorded the verdict is the same, and an earlier call that no longer happens
    /// makes it another one.
    KnockOn {
        /// The side on which the earlier call is refused.
        side: Which,
        /// The step of the call whose absence alone is enough; where none is, the steps of the
        /// first that are refused before this one.
        steps: Vec<u32>,
        /// Only several together are enough, or which of them is was not looked for any further.
        together: bool,
    },
}

/// What two policies make of one recording.
#[derive(Clone, Debug, Default)]
pub struct Compared {
    /// What flips, in the order of the new policy's reading.
    pub flips: Vec<Flip>,
    /// The calls, of the reading that has more of them.
    pub calls: u64,
    /// The calls that only one of the two readings has.
    pub unpaired: u64,
    /// In how many calls and runs a rule objects on one side only, or otherwise than on the other.
    pub objections: BTreeMap<Arc<str>, u64>,
    /// In how many calls and runs that don't flip a rule can't be judged.
    pub untold: BTreeMap<Arc<str>, u64>,
}

impl Flip {
    /// The verdict of the old policy that parts from the new one's.
    #[must_use]
    pub fn from(&self) -> Ruled {
        ruled(self.old.as_ref())
    }

    /// The verdict of the new policy that parts from the old one's.
    #[must_use]
    pub fn to(&self) -> Ruled {
        ruled(self.new.as_ref())
    }

    /// The rules that make the stricter of the two verdicts.
    #[must_use]
    pub fn rules(&self) -> Vec<Arc<str>> {
        let strict = if self.from() > self.to() { &self.old } else { &self.new };
        strict.as_ref().map(decisive).unwrap_or_default().into_iter().collect()
    }
}

/// The rules that make a verdict.
fn decisive(ruling: &Ruling) -> BTreeSet<Arc<str>> {
    let found = ruling.findings.iter().filter(|it| it.counts());
    let found = found.filter(|it| it.verdict.word() == ruling.verdict.word());
    let unknown = ruling.unknowns.iter().filter(|it| it.counts);
    let unknown = unknown.filter(|_| ruling.verdict == Ruled::Unknown);
    found.map(|it| it.rule.clone()).chain(unknown.map(|it| it.rule.clone())).collect()
}

/// A reading without the call lets it pass.
fn ruled(ruling: Option<&Ruling>) -> Ruled {
    ruling.map(|it| it.verdict).unwrap_or_default()
}

/// Rules on a recording under two policies: as it was recorded, and as it would have gone under
/// each of them.
#[must_use]
pub fn flips(old: Side<'_>, new: Side<'_>) -> Compared {
    let (before, after) = (Replayed::new(old), Replayed::new(new));
    let mut compared = Compared::default();
    let mut replays = 0;
    for (old, new) in pairs(&before, &after) {
        if [old, new].iter().flatten().any(|it| it.recorded.step.is_some()) {
            compared.calls = compared.calls.saturating_add(1);
            let alone = old.is_none() || new.is_none();
            compared.unpaired = compared.unpaired.saturating_add(u64::from(alone));
        }
        compared.object(old, new);
        match flip((&before, old), (&after, new), &mut replays) {
            Some(flip) => compared.flips.push(flip),
            None => compared.untold(old, new),
        }
    }
    compared
}

/// A side that was replayed.
struct Replayed<'e> {
    side: Side<'e>,
    recorded: Vec<Ruling>,
    /// None where nothing is refused that ran.
    enforced: Option<Vec<Ruling>>,
    refused: Vec<u32>,
}

/// What one side says of one call.
#[derive(Clone, Copy)]
struct Both<'r> {
    recorded: &'r Ruling,
    enforced: &'r Ruling,
}

impl<'e> Replayed<'e> {
    fn new(side: Side<'e>) -> Self {
        let recorded = recorded(side.engine, side.events);
        let denied = |it: &Ruling| it.step.is_some() && it.verdict == Ruled::Deny;
        let enforced = recorded.iter().any(denied).then(|| enforced(side.engine, side.events));
        let refused = enforced.iter().flatten().filter(|it| denied(it) && side.ran(it.place));
        let refused = refused.filter_map(|it| it.step).collect();
        Replayed { side, recorded, enforced, refused }
    }

    fn all(&self) -> impl Iterator<Item = Both<'_>> {
        let enforced = self.enforced.as_ref().unwrap_or(&self.recorded);
        self.recorded.iter().zip(enforced).map(|(recorded, enforced)| Both { recorded, enforced })
    }

    fn key(&self, both: Both<'_>) -> (&str, bool) {
        (self.side.step_id(both.recorded.place), both.recorded.step.is_some())
    }

    /// The calls before a place that don't happen any more, the latest first.
    fn refused_before(&self, step: Option<u32>) -> impl Iterator<Item = u32> + '_ {
        let before = move |it: &u32| step.is_none_or(|step| *it < step);
        self.refused.iter().rev().copied().filter(before)
    }
}

impl Side<'_> {
    fn ran(&self, place: usize) -> bool {
        let call = self.events.get(place);
        call.is_some_and(|it| matches!(&it.what, What::Call(call) if call.ran == Ran::Yes))
    }

    fn step_id(&self, place: usize) -> &str {
        match self.events.get(place).map(|it| &it.what) {
            Some(What::Call(call)) => &call.step_id,
            _ => "",
        }
    }
}

type Pair<'r> = (Option<Both<'r>>, Option<Both<'r>>);

/// What both sides say of the same call. Two readings of one recording agree on the ids of steps.
fn pairs<'r>(old: &'r Replayed<'_>, new: &'r Replayed<'_>) -> Vec<Pair<'r>> {
    if std::ptr::eq(old.side.events, new.side.events) {
        return old.all().map(Some).zip(new.all().map(Some)).collect();
    }
    let mut waiting: BTreeMap<(&str, bool), Vec<Both<'r>>> = BTreeMap::new();
    for it in old.all() {
        waiting.entry(old.key(it)).or_default().push(it);
    }
    waiting.values_mut().for_each(|it| it.reverse());
    let of = |it| (waiting.get_mut(&new.key(it)).and_then(Vec::pop), Some(it));
    let mut pairs: Vec<Pair<'r>> = new.all().map(of).collect();
    pairs.extend(waiting.into_values().flatten().map(|it| (Some(it), None)));
    pairs
}

type Of<'r, 'e> = (&'r Replayed<'e>, Option<Both<'r>>);

fn flip(old: Of<'_, '_>, new: Of<'_, '_>, replays: &mut usize) -> Option<Flip> {
    let as_recorded = |it: Option<Both<'_>>| ruled(it.map(|it| it.recorded));
    let as_enforced = |it: Option<Both<'_>>| ruled(it.map(|it| it.enforced));
    let stands = as_enforced(old.1) != as_enforced(new.1);
    if as_recorded(old.1) != as_recorded(new.1) {
        let own = |it: Option<Both<'_>>| it.map(|it| it.recorded.clone());
        return Some(Flip { old: own(old.1), new: own(new.1), cause: Cause::First { stands } });
    }
    if !stands {
        return None;
    }
    let moved = |it: &Both<'_>| it.recorded.verdict != it.enforced.verdict;
    let (side, (replayed, both)) =
        if new.1.as_ref().is_some_and(moved) { (Which::New, new) } else { (Which::Old, old) };
    let own = |it: Option<Both<'_>>| it.map(|it| it.enforced.clone());
    let (steps, together) = both.map(|it| causes(replayed, it, replays)).unwrap_or_default();
    let cause = Cause::KnockOn { side, steps, together };
    Some(Flip { old: own(old.1), new: own(new.1), cause })
}

/// The earlier call whose absence alone gives the verdict under enforcement; else the first of them.
fn causes(replayed: &Replayed<'_>, both: Both<'_>, replays: &mut usize) -> (Vec<u32>, bool) {
    let Side { engine, events } = replayed.side;
    let Both { recorded, enforced } = both;
    let shown = events.get(..=recorded.place).unwrap_or(events);
    for step in replayed.refused_before(recorded.step).take(CAUSES_TRIED_MAX) {
        if *replays >= CAUSE_REPLAYS_MAX {
            break;
        }
        *replays = replays.saturating_add(1);
        let ruling = without(engine, shown, &BTreeSet::from([step])).pop();
        if ruling.is_some_and(|it| it.verdict == enforced.verdict) {
            return (vec![step], false);
        }
    }
    // The first of them are the likeliest causes of the others.
    let mut all: Vec<u32> = replayed.refused_before(recorded.step).collect();
    all.reverse();
    all.truncate(CAUSES_TRIED_MAX);
    (all, true)
}

impl Compared {
    /// Counts the rules that object otherwise on all that was recorded.
    fn object(&mut self, old: Option<Both<'_>>, new: Option<Both<'_>>) {
        let (old, new) = (objections(old), objections(new));
        let rules: BTreeSet<&Arc<str>> =
            old.symmetric_difference(&new).map(|(rule, _)| rule).collect();
        for rule in rules {
            count(&mut self.objections, rule);
        }
    }

    fn untold(&mut self, old: Option<Both<'_>>, new: Option<Both<'_>>) {
        let unknowns = [old, new].into_iter().flatten().flat_map(|it| &it.recorded.unknowns);
        let rules: BTreeSet<&Arc<str>> =
            unknowns.filter(|it| it.counts).map(|it| &it.rule).collect();
        for rule in rules {
            count(&mut self.untold, rule);
        }
    }
}

fn objections(both: Option<Both<'_>>) -> BTreeSet<(Arc<str>, &'static str)> {
    let Some(Both { recorded, .. }) = both else { return BTreeSet::new() };
    let found = recorded.findings.iter().filter(|it| it.counts());
    let found = found.map(|it| (it.rule.clone(), it.verdict.word()));
    let unknown = recorded.unknowns.iter().filter(|it| it.counts);
    found.chain(unknown.map(|it| (it.rule.clone(), "unknown"))).collect()
}

fn count(counts: &mut BTreeMap<Arc<str>, u64>, rule: &Arc<str>) {
    let count = counts.entry(rule.clone()).or_default();
    *count = count.saturating_add(1);
}
