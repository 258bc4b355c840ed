//! `require_before`: a call needs an earlier call of another tool.

mod subjects;
mod taken;

use std::collections::BTreeMap;

use lawbook_event::{Path, Semantics, State};

pub use self::subjects::SUBJECTS_MAX;
use self::subjects::Subjects;
pub use self::taken::Taken;
use self::taken::{Called, First, Met, What, Wrong};
use super::TOOLS;
use crate::argument::shared_key;
use crate::params::{Definition, Field, Params, Shape};
use crate::subject::Subject;
use crate::{
    Asked, Body, EvidenceFrom, Key, KeyAt, Keyed, Kind, Manner, Moment, NameMatch, Newest,
    Objection, Outcome, Predicate, Role, Roles, Said, Stamp, Test, Tools, Watches,
};

/// A call needs an earlier call of another tool.
#[derive(Debug)]
pub struct RequireBefore {
    /// The tools that need it.
    pub tools: Tools,
    /// The tools of which any one meets the need.
    pub first: Tools,
    /// Whether the earlier call must have succeeded.
    pub success: bool,
    /// Text that the earlier result must contain.
    pub result_contains: Option<String>,
    /// What must hold of the earlier result.
    pub result: Vec<Predicate>,
    /// The argument that both calls must share.
    pub same_arg: Option<Path>,
    /// Whether only the newest earlier call counts.
    pub latest: bool,
    /// The tools whose success takes away what stood before.
    pub voided_by: Tools,
    /// Whether both calls must be about the same person or account, where both name one.
    pub same_subject: bool,
    /// Whether messages say why the newest earlier call does not do.
    pub explain: bool,
}

/// What is remembered, by the shared argument.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    slots: Keyed<Slot>,
    /// The newest call whose key could not be read: it may concern any key.
    unplaced: Unplaced,
    /// The key under which an unanswered call waits for its result.
    waiting: BTreeMap<u32, Key>,
    subjects: Subjects,
}

/// What stands under one key. What is rarely looked at lies apart, so that judging a call among
/// many keys touches little memory.
#[derive(Clone, Debug, Default)]
struct Slot {
    /// The newest earlier calls that do.
    met: Newest<()>,
    /// The newest earlier calls, with what is wrong with each.
    last: Newest<Box<Candidate>>,
    /// The newest call that took away what stood before.
    void: Option<Box<Void>>,
    /// The newest call of `first`, answered or not.
    newest: Option<Box<Candidate>>,
    /// The calls that are not answered.
    unanswered: Option<Box<Unanswered>>,
}

/// The newest steps whose key could not be read; 0 stands for none.
#[derive(Clone, Copy, Debug, Default)]
struct Unplaced {
    first: u32,
    void: u32,
}

#[derive(Clone, Debug, Default)]
struct Unanswered {
    calls: BTreeMap<u32, Open>,
    voids: BTreeMap<u32, Void>,
}

#[derive(Clone, Debug)]
struct Candidate {
    step: u32,
    tool: Box<str>,
    met: Met,
}

#[derive(Clone, Debug)]
struct Open {
    candidate: Candidate,
    message: u64,
}

#[derive(Clone, Debug)]
struct Void {
    step: u32,
    tool: Box<str>,
    /// The newest call of `first` before it.
    stale: Option<(u32, Box<str>)>,
}

crate::coded!(Memory { slots, unplaced, waiting, subjects });
crate::coded!(Slot { met, last, void, newest, unanswered });
crate::coded!(Unplaced { first, void });
crate::coded!(Unanswered { calls, voids });
crate::coded!(Candidate { step, tool, met });
crate::coded!(Open { candidate, message });
crate::coded!(Void { step, tool, stale });

const FIRST: usize = 1;
const VOIDS: usize = 2;

impl Kind for RequireBefore {
    type Memory = Memory;
    type Taken = Taken;
    const NAME: &'static str = "require_before";

    fn roles(&self, manner: Manner) -> Vec<Role<'_>> {
        vec![
            Role { tools: &self.tools, names: manner.names },
            Role { tools: &self.first, names: NameMatch::Exact },
            Role { tools: &self.voided_by, names: manner.names },
        ]
    }

    fn watches(&self) -> Watches {
        Watches { answers: true, ..Watches::default() }
    }

    fn judge(&self, memory: &Memory, asked: &Asked<'_>, said: &mut Said) {
        let Some(key) = self.key_of(asked, said) else { return };
        let Some(slot) = memory.slots.get(&key) else {
            if memory.slots.is_full() {
                return said.gap("memory", "more keys than the rule can remember");
            }
            return said.object(self.objection(asked, &key, None));
        };
        match asked.manner.evidence {
            EvidenceFrom::Call | EvidenceFrom::ResultElseCall => {
                self.judge_from_call(slot, asked, &key, said);
            }
            EvidenceFrom::Result => {
                self.judge_from_result(slot, memory.unplaced, asked, &key, said);
                if self.same_subject && said.is_silent() {
                    self.judge_subject(&memory.subjects, asked, said);
                }
            }
        }
    }

    fn reply(&self, asked: &Asked<'_>, _objection: &Objection) -> Option<String> {
        let (tool, first) = (self.tools.called(asked), self.first.join(" or "));
        let success = if self.success { "successful " } else { "" };
        let same = self.same_arg.as_ref();
        let same = same.map_or(String::new(), |it| format!(" for the same {}", it.text()));
        Some(format!("{tool} needs an earlier {success}call of {first}{same}"))
    }

    fn takes(&self, memory: &Memory, moment: &Moment<'_>) -> Option<Taken> {
        let what = match *moment {
            Moment::Happened { asked, roles } if roles.has(FIRST) || roles.has(VOIDS) => {
                self.takes_call(asked, roles)
            }
            Moment::Answered { step, out, manner } => {
                let slot = memory.slots.get(memory.waiting.get(&step)?)?;
                let unanswered = slot.unanswered.as_ref()?;
                let first = unanswered.calls.contains_key(&step);
                let met = first.then(|| self.met(Some(out), manner));
                let voids = out.state(manner.success) != State::Failed;
                What::Answered { step, met, voids }
            }
            Moment::Happened { .. }
            | Moment::Said(_)
            | Moment::Refused { .. }
            | Moment::Scarred(_) => return None,
        };
        Some(Taken(what))
    }

    fn fold(&self, memory: &mut Memory, taken: Taken) {
        match taken.0 {
            What::Unplaced { step, first, voids } => {
                let unplaced = &mut memory.unplaced;
                unplaced.first = if first { step } else { unplaced.first };
                unplaced.void = if voids { step } else { unplaced.void };
            }
            What::Called(called) => memory.called(called),
            What::Answered { step, met, voids } => memory.answered(step, met, voids),
        }
    }
}

impl Memory {
    fn called(&mut self, called: Called) {
        let Called { key, step, message, tool, first, voids } = called;
        let waits = first.as_ref().is_some_and(|it| !it.settled) || voids == Some(false);
        let waiting = waits.then(|| key.clone());
        let Some(slot) = self.slots.place(key) else { return };
        let stale = slot.newest.as_ref().map(|it| (it.step, it.tool.clone()));
        if let Some(First { met, settled, subject }) = first {
            let candidate = Candidate { step, tool: tool.clone(), met };
            slot.newest = Some(Box::new(candidate.clone()));
            if settled {
                slot.settle(candidate, message);
            } else {
                slot.unanswered().calls.insert(step, Open { candidate, message });
                if let Some(subject) = subject {
                    self.subjects.asked(step, message, subject);
                }
            }
        }
        if let Some(settled) = voids {
            let void = Void { step, tool, stale };
            if settled {
                slot.void = Some(Box::new(void));
            } else {
                slot.unanswered().voids.insert(step, void);
            }
        }
        if let Some(key) = waiting {
            self.waiting.insert(step, key);
        }
    }

    fn answered(&mut self, step: u32, met: Option<Met>, voids: bool) {
        let Some(key) = self.waiting.remove(&step) else { return };
        let Some(slot) = self.slots.get_mut(&key) else { return };
        let Some(unanswered) = &mut slot.unanswered else { return };
        let open = unanswered.calls.remove(&step);
        let void = unanswered.voids.remove(&step);
        if unanswered.calls.is_empty() && unanswered.voids.is_empty() {
            slot.unanswered = None;
        }
        if let (Some(Open { candidate, message }), Some(met)) = (open, met) {
            self.subjects.answered(step, met == Met::Yes);
            slot.settle(Candidate { met, ..candidate }, message);
        }
        if let Some(void) = void {
            let newer = slot.void.as_ref().is_none_or(|it| void.step > it.step);
            if newer && voids {
                slot.void = Some(Box::new(void));
            }
        }
    }
}

impl Slot {
    fn settle(&mut self, candidate: Candidate, message: u64) {
        let step = candidate.step;
        if candidate.met == Met::Yes {
            self.met.push(Stamp { step, message, what: () });
        }
        self.last.push(Stamp { step, message, what: Box::new(candidate) });
    }

    fn unanswered(&mut self) -> &mut Unanswered {
        self.unanswered.get_or_insert_default()
    }

    /// The calls of `first` that are not answered, newest first.
    fn open(&self) -> impl Iterator<Item = &Open> {
        self.unanswered.iter().flat_map(|it| it.calls.values().rev())
    }

    /// The newest call that is not answered and takes away what stood before if it succeeds.
    fn open_void(&self) -> Option<&Void> {
        self.unanswered.as_ref()?.voids.last_key_value().map(|(_, it)| it)
    }
}

impl RequireBefore {
    fn takes_call(&self, asked: &Asked<'_>, roles: Roles) -> What {
        let step = asked.call.step;
        let KeyAt::Key(key) = asked.args.key(asked.manner.values, self.same_arg.as_ref()) else {
            return What::Unplaced { step, first: roles.has(FIRST), voids: roles.has(VOIDS) };
        };
        let now = asked.manner.evidence == EvidenceFrom::Call && asked.call.hindsight.is_some();
        let first = roles.has(FIRST).then(|| {
            let at_once = asked.manner.evidence == EvidenceFrom::Result && !self.reads_result();
            let settled = now || at_once;
            let met = match asked.outcome {
                // The answer says so when it is there.
                Some(_) if !settled => Met::Untold,
                outcome => self.met(outcome, asked.manner),
            };
            let about = self.same_subject && !settled;
            First { met, settled, subject: about.then(|| Subject::of(asked)) }
        });
        let ok = || asked.outcome.is_none_or(|it| it.state(asked.manner.success) == State::Ok);
        let voids = roles.has(VOIDS).then_some(now).filter(|now| !now || ok());
        let (message, tool) = (asked.message, Box::from(&*asked.call.tool));
        What::Called(Called { key, step, message, tool, first, voids })
    }

    /// The key of the judged call; none when it has none, which is said.
    fn key_of(&self, asked: &Asked<'_>, said: &mut Said) -> Option<Key> {
        let path = self.same_arg.as_ref();
        let key = asked.args.key(asked.manner.values, path);
        shared_key(asked, path, key, said, |path| {
            let (tool, first) = (&*asked.call.tool, self.first.join(" or "));
            format!("{tool} has no readable {}, cannot match it to {first}", path.text())
        })
    }

    /// Whether an earlier call counts, given what is known of its outcome. A call without an
    /// outcome is read as one with an empty result, as faultgate reads it.
    fn met(&self, out: Option<&Outcome<'_>>, manner: Manner) -> Met {
        let text = out.map_or("", |it| &*it.answer().text);
        if self.success {
            match out.map_or(State::Ok, |it| it.state(manner.success)) {
                State::Ok => {}
                State::Failed => return Met::No(Wrong::Failed),
                // To pmstack a check that is under way is one.
                State::Pending if manner.evidence == EvidenceFrom::ResultElseCall => {}
                State::Pending => return Met::No(Wrong::Pending),
                State::Unknown => return Met::Untold,
            }
        }
        if self.reads_result()
            && out.is_some_and(|it| !it.answer().recorded)
            && manner.evidence == EvidenceFrom::Result
        {
            return Met::Untold;
        }
        if let Some(wanted) = &self.result_contains
            && !text.contains(wanted.as_str())
        {
            return Met::No(Wrong::Without);
        }
        if self.result.is_empty() {
            return Met::Yes;
        }
        let Some(result) = out.and_then(|it| it.document(manner.values)) else {
            return Met::No(Wrong::NotJson);
        };
        let sealed = out.is_some_and(|it| it.keys().is_sealed());
        let untold = |it: &Predicate| {
            manner.evidence == EvidenceFrom::Result && it.is_untold(result, manner.values)
        };
        let unmet = |(place, it): (usize, &Predicate)| {
            if untold(it) {
                return None;
            }
            let why = it.unmet(result, manner.values)?;
            // What the result holds instead is not kept under a seal.
            Some(if sealed {
                Wrong::Unmet(u32::try_from(place).ok()?)
            } else {
                Wrong::Said(why.into())
            })
        };
        let unmet = self.result.iter().enumerate().find_map(unmet);
        let otherwise = if self.result.iter().any(untold) { Met::Untold } else { Met::Yes };
        unmet.map_or(otherwise, Met::No)
    }

    /// What is wrong with an earlier call, in words.
    fn wrong(&self, wrong: &Wrong, values: &dyn Semantics) -> String {
        match wrong {
            Wrong::Failed => "failed".to_owned(),
            Wrong::Pending => "not done yet".to_owned(),
            Wrong::Without => {
                let wanted = self.result_contains.as_deref().unwrap_or_default();
                format!("result does not contain {}", values.quote(wanted))
            }
            Wrong::NotJson => "result is not JSON".to_owned(),
            Wrong::Said(why) => why.to_string(),
            Wrong::Unmet(place) => {
                let place = usize::try_from(*place).unwrap_or(usize::MAX);
                let wanted = self.result.get(place).map(|it| it.describe(values));
                format!("result without {}", wanted.unwrap_or_default())
            }
        }
    }

    /// Why nothing that came before does, in words.
    fn explained(&self, why: &Why<'_>, values: &dyn Semantics) -> String {
        match why {
            Why::Candidate(Candidate { step, tool, met: Met::No(wrong) }) => {
                let wrong = self.wrong(wrong, values);
                if self.latest {
                    format!(" (latest {tool} at step {step}: {wrong})")
                } else {
                    format!(" (step {step} {tool}: {wrong})")
                }
            }
            Why::Candidate(_) | Why::Void(Void { stale: None, .. }) => String::new(),
            Why::Void(Void { step, tool, stale: Some((stale_step, stale_tool)) }) => {
                format!(" ({stale_tool} at step {stale_step} voided by {tool} at step {step})")
            }
        }
    }

    fn reads_result(&self) -> bool {
        self.success || self.result_contains.is_some() || !self.result.is_empty()
    }

    /// What else is asked for is there; it must not be about somebody else.
    fn judge_subject(&self, subjects: &Subjects, asked: &Asked<'_>, said: &mut Said) {
        let Some(arg) = subjects.stranger(asked) else { return };
        let (tool, first) = (&*asked.call.tool, self.first.join(" or "));
        said.object(Objection::new(format!("{tool} before {first} for the same {arg}")));
    }

    /// An earlier call counts from its call on; an open one as if its result were empty.
    fn judge_from_call(&self, slot: &Slot, asked: &Asked<'_>, key: &Key, said: &mut Said) {
        let settled = slot.last.of_all().map(|it| &*it.what);
        let open = slot.open().next().map(|it| &it.candidate);
        let newest = settled.into_iter().chain(open).max_by_key(|it| it.step);
        let void = slot.void.as_deref().into_iter().chain(slot.open_void());
        let void = void.max_by_key(|it| it.step);
        let after = void.map_or(0, |it| it.step);
        let met = if self.latest {
            newest.is_some_and(|it| it.step > after && it.met == Met::Yes)
        } else {
            slot.met.of_all().is_some_and(|it| it.step > after)
                || slot.open().any(|it| it.candidate.step > after && it.candidate.met == Met::Yes)
        };
        if !met {
            let newest = newest.filter(|it| it.step > after);
            let why = newest.map(Why::Candidate).or(void.map(Why::Void));
            said.object(self.objection(asked, key, why.as_ref()));
        }
    }

    /// An earlier call counts from its result on, and never for a call of its own message.
    fn judge_from_result(
        &self,
        slot: &Slot,
        unplaced: Unplaced,
        asked: &Asked<'_>,
        key: &Key,
        said: &mut Said,
    ) {
        let after = slot.void.as_ref().map_or(0, |it| it.step);
        let last = slot.last.outside(asked.message).filter(|it| it.step > after);
        let met = if self.latest {
            last.filter(|it| it.what.met == Met::Yes).map(|it| it.step)
        } else {
            slot.met.outside(asked.message).map(|it| it.step).filter(|it| *it > after)
        };
        let open_void = slot.open_void().map(|it| it.step);
        let newer_open = slot
            .open()
            .find(|it| it.message != asked.message && it.candidate.step > after)
            .map(|it| it.candidate.step);
        if let Some(met) = met {
            let doubt = open_void.filter(|it| *it > met);
            let doubt = doubt.or(newer_open.filter(|it| self.latest && *it > met));
            let placeless =
                if self.latest { unplaced.void.max(unplaced.first) } else { unplaced.void };
            let doubt = doubt.or((placeless > met).then_some(placeless));
            if let Some(step) = doubt {
                self.doubt(asked, step, said);
            }
            return;
        }
        let untold = last.filter(|it| it.what.met == Met::Untold).map(|it| it.step);
        // Where only the newest counts, an open call that stands before it can't help.
        let settled = last.filter(|_| self.latest).map_or(0, |it| it.step);
        if let Some(step) = newer_open.filter(|it| *it > settled).or(untold) {
            return self.doubt(asked, step, said);
        }
        let why = last.map(|it| Why::Candidate(&it.what));
        let why = why.or(slot.void.as_deref().map(Why::Void));
        said.object(self.objection(asked, key, why.as_ref()));
    }

    fn doubt(&self, asked: &Asked<'_>, step: u32, said: &mut Said) {
        let tool = &*asked.call.tool;
        said.gap(
            format!("result of step {step}"),
            format!("`{tool}` rests on step {step}, whose result is not known"),
        );
    }

    fn objection(&self, asked: &Asked<'_>, key: &Key, why: Option<&Why<'_>>) -> Objection {
        use std::fmt::Write as _;
        let values = asked.manner.values;
        let success = if self.success { "a successful " } else { "" };
        let mut text =
            format!("{} before {success}{}", self.tools.called(asked), self.first.join(" or "));
        if let Some(wanted) = &self.result_contains {
            let _ = write!(text, " returned {}", values.quote(wanted));
        }
        if !self.result.is_empty() {
            let all: Vec<String> = self.result.iter().map(|it| it.describe(values)).collect();
            let _ = write!(text, " with {}", all.join(" and "));
        }
        if let Some(path) = &self.same_arg {
            let key = values.quote(&asked.args.plain(key));
            let _ = write!(text, " for the same {} {key}", path.text());
        }
        let steps = why.map_or_else(Vec::new, |it| it.steps());
        if self.explain
            && let Some(why) = why
        {
            text.push_str(&self.explained(why, values));
        }
        let total = steps.len();
        let objection = Objection::new(text).rests_on(steps, total);
        match &self.same_arg {
            Some(path) => objection.path(path),
            None => objection,
        }
    }
}

/// Why nothing that came before does.
enum Why<'s> {
    Candidate(&'s Candidate),
    Void(&'s Void),
}

impl Why<'_> {
    fn steps(&self) -> Vec<u32> {
        match self {
            Why::Candidate(it) => vec![it.step],
            Why::Void(it) => it.stale.iter().map(|(step, _)| *step).chain([it.step]).collect(),
        }
    }
}

const FIELDS: &[Field] = &[
    TOOLS,
    Field::required(
        "first",
        Shape::Tools,
        "The tools of which any one must have been called before.",
    ),
    Field::optional(
        "success",
        Shape::Bool,
        "Whether that call must have succeeded; `true` if left out.",
    ),
    Field::optional("result_contains", Shape::Text, "Text that its result must contain."),
    Field::optional(
        "result",
        Shape::Entries(PREDICATE),
        "What must hold of its result, all of it.",
    ),
    Field::optional("same_arg", Shape::Path, "The argument that both calls must share."),
    Field::optional("latest", Shape::Bool, "Whether only the newest such call counts."),
    Field::optional("voided_by", Shape::Tools, "Tools whose call takes away what stood before."),
];

/// How a native policy writes it.
#[derive(Debug)]
pub struct Native;

impl Definition for Native {
    fn name(&self) -> &'static str {
        RequireBefore::NAME
    }

    fn page(&self) -> &'static str {
        include_str!("require_before.md")
    }

    fn fields(&self) -> &'static [Field] {
        FIELDS
    }

    fn build(&self, params: &mut Params<'_>) -> Option<Box<dyn Body>> {
        let (tools, first) = (params.tools("tools"), params.named_tools("first"));
        let voided_by = params.named_tools("voided_by");
        let result = params.each("result", predicate);
        if !params.has("first") {
            return None;
        }
        Some(Box::new(RequireBefore {
            tools,
            first,
            success: params.flag("success").unwrap_or(true),
            result_contains: params.text("result_contains").map(str::to_owned),
            result,
            same_arg: params.single_path("same_arg"),
            latest: params.flag("latest").unwrap_or(false),
            voided_by,
            same_subject: false,
            explain: true,
        }))
    }
}

const PREDICATE: &[Field] = &[
    Field::required("path", Shape::Path, "The place in the result."),
    Field::optional("equals", Shape::Value, "The value that stands there."),
    Field::optional("in", Shape::Values, "The values of which one stands there."),
    Field::optional("not_in", Shape::Values, "The values of which none stands there."),
    Field::optional("exists", Shape::Bool, "Whether anything stands there."),
];

fn predicate(params: &mut Params<'_>) -> Option<Predicate> {
    let which = params.one_key(&["equals", "in", "not_in", "exists"]);
    let path = params.path("path");
    let test = match which? {
        "equals" => Test::Equals(params.value("equals")?),
        "in" => Test::In(params.value("in")?),
        "not_in" => Test::NotIn(params.value("not_in")?),
        _ => Test::Exists(params.flag("exists")?),
    };
    Some(Predicate { path: path?, test })
}
