//! `approval_above`: a number above a limit needs another tool's approval first.

mod granted;
mod taken;

use std::collections::{BTreeMap, VecDeque};

use lawbook_event::{Approval, Number, Path, State};

use self::granted::Reading;
pub use self::taken::Taken;
use self::taken::{Answer, Covers, Grant, What};
use super::{OPTIONAL, TOOLS};
use crate::lost::Lost;
use crate::params::{Definition, Field, Params, Shape};
use crate::subject::Subject;
use crate::{
    Argument, Asked, Body, Fields, Found, Identity, Key, KeyAt, Keyed, Kind, Manner, Moment,
    NameMatch, Objection, Outcome, Role, Said, Tools, Watches,
};

/// How many unspent approvals are kept for the same values; the oldest give way.
pub const APPROVALS_MAX: usize = 1_000;

/// A number above a limit needs another tool's approval first.
#[derive(Debug)]
pub struct ApprovalAbove {
    /// The tools it covers.
    pub tools: Tools,
    /// The number.
    pub argument: Argument,
    /// The largest number that needs no approval.
    pub max: Number,
    /// A number that is smaller is objected to, approved or not.
    pub min: Option<Number>,
    /// The tool that approves.
    pub by: Tools,
    /// What an approval lets through.
    pub lets: Lets,
}

/// What an approval lets through.
#[derive(Debug)]
pub enum Lets {
    /// Everything after it: any earlier call that succeeded approves any number at any time
    /// (pmstack).
    Everything,
    /// Calls that it was asked for: an answer that says yes in words, for the same values of these
    /// arguments and for no larger a number, until a later request is refused.
    Bound {
        /// The arguments.
        bind: Vec<Path>,
        /// Whether one approval serves one call only.
        spend: bool,
        /// Whether both calls must be about the same person or account, where both name one.
        same_subject: bool,
    },
}

/// The approvals that stand, by the values that they are bound to.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    slots: Keyed<Slot>,
    waiting: BTreeMap<u32, Option<(Key, Grant)>>,
    /// The newest request that was refused without showing what it is bound to: it voids all.
    refused: u32,
    /// The same of one whose answer was not recorded: it may void all.
    untold: u32,
    /// The newest call whose arguments are not recorded: it may have spent any approval.
    unread: u32,
    /// How many such calls there were.
    unread_calls: u64,
    /// An earlier call of the tool succeeded, whatever was asked.
    any: bool,
}

#[derive(Clone, Debug, Default)]
struct Slot {
    unspent: VecDeque<Grant>,
    lost: Lost,
    /// The newest request that was refused: it voids what was asked before it.
    refused: u32,
    /// The newest request whose answer was not recorded.
    untold: Option<Grant>,
    open: BTreeMap<u32, Grant>,
}

crate::coded!(Memory { slots, waiting, refused, untold, unread, unread_calls, any });
crate::coded!(Slot { unspent, lost, refused, untold, open });

const BY: usize = 1;

impl Kind for ApprovalAbove {
    type Memory = Memory;
    type Taken = Taken;
    const NAME: &'static str = "approval_above";

    fn roles(&self, manner: Manner) -> Vec<Role<'_>> {
        vec![
            Role { tools: &self.tools, names: manner.names },
            Role { tools: &self.by, names: NameMatch::Exact },
        ]
    }

    fn watches(&self) -> Watches {
        Watches { answers: true, ..Watches::default() }
    }

    fn judge(&self, memory: &Memory, asked: &Asked<'_>, said: &mut Said) {
        let values = asked.manner.values;
        let place = || format!("{}.{}", asked.call.tool, self.argument.path.text());
        let mut gap = None;
        self.argument.judge(asked, said, |value| {
            let number = values.number(value);
            let shown = || match &number {
                Some(number) => number.display().to_string(),
                None => values.show(value),
            };
            if let (Some(number), Some(min)) = (&number, &self.min)
                && number.compare(min).is_lt()
            {
                return Some(format!("{} {} < min {}", place(), shown(), min.display()));
            }
            match (&number, &self.lets) {
                (Some(number), _) if !number.compare(&self.max).is_gt() => return None,
                (None, Lets::Bound { .. }) => {
                    return Some(format!("{} {} is not a number", place(), shown()));
                }
                _ => {}
            }
            match self.standing(memory, asked, number.as_ref()) {
                Standing::Approved => None,
                Standing::Untold(step) => {
                    gap = Some(step);
                    None
                }
                Standing::Not(why) => {
                    let above = match &number {
                        Some(_) => format!("> {}", self.max.display()),
                        None => "is not a number,".to_owned(),
                    };
                    let by = self.by.join(" or ");
                    Some(format!("{} {} {above} without approval by {by}{why}", place(), shown()))
                }
            }
        });
        match gap {
            Some(0) => said.gap("memory", "more keys than the rule can remember"),
            Some(step) => said.gap(
                format!("result of step {step}"),
                format!("`{}` rests on step {step}, whose result is not known", asked.call.tool),
            ),
            None => {}
        }
    }

    fn reply(&self, asked: &Asked<'_>, _objection: &Objection) -> Option<String> {
        let (tool, by) = (&*asked.call.tool, self.by.join(" or "));
        let (arg, max) = (self.argument.path.text(), self.max.display());
        let least = self.min.as_ref();
        let least = least.map_or(String::new(), |it| format!("; {} is the least", it.display()));
        Some(format!(
            "{tool} with {arg} above {max} needs a yes from {by} first, asked for this very call and \
             answered before it{least}"
        ))
    }

    fn takes(&self, memory: &Memory, moment: &Moment<'_>) -> Option<Taken> {
        let what = match *moment {
            Moment::Happened { asked, roles } => {
                let spent = if roles.has(0) { self.spends(memory, asked) } else { None };
                let request = roles.has(BY).then(|| self.request(asked));
                if roles.has(0) && self.may_spend(asked) {
                    return Some(Taken(What::Unread { step: asked.call.step, request }));
                }
                if spent.is_none() && request.is_none() {
                    return None;
                }
                What::Called { step: asked.call.step, spent, request }
            }
            Moment::Answered { step, out, manner } => {
                let request = memory.waiting.get(&step)?.as_ref();
                What::Answered { step, answer: self.answer(request, out, manner) }
            }
            Moment::Said(_) | Moment::Refused { .. } | Moment::Scarred(_) => return None,
        };
        Some(Taken(what))
    }

    fn fold(&self, memory: &mut Memory, taken: Taken) {
        match taken.0 {
            What::Called { step, spent, request } => {
                if let Some((key, spent)) = spent
                    && let Some(slot) = memory.slots.get_mut(&key)
                {
                    slot.lost.settle(memory.unread_calls, slot.unspent.len());
                    let place = slot.unspent.iter().position(|it| it.step == spent);
                    place.and_then(|it| slot.unspent.remove(it));
                }
                memory.requested(step, request);
            }
            What::Unread { step, request } => {
                memory.unread = memory.unread.max(step);
                memory.unread_calls = memory.unread_calls.saturating_add(1);
                memory.requested(step, request);
            }
            What::Answered { step, answer } => memory.answered(step, answer),
        }
    }
}

impl Memory {
    fn requested(&mut self, step: u32, request: Option<Option<(Key, Grant)>>) {
        let Some(request) = request else { return };
        if let Some((key, grant)) = &request
            && let Some(slot) = self.slots.place(key.clone())
        {
            slot.open.insert(step, grant.clone());
        }
        self.waiting.insert(step, request);
    }

    fn answered(&mut self, step: u32, answer: Answer) {
        let Some(request) = self.waiting.remove(&step) else { return };
        if let Answer::Succeeded(ok) = answer {
            self.any |= ok;
            return;
        }
        let Some((key, grant)) = request else {
            match answer {
                Answer::Refused => self.refused = self.refused.max(step),
                Answer::Untold => self.untold = self.untold.max(step),
                Answer::Granted(_) | Answer::Neither | Answer::Succeeded(_) => {}
            }
            return;
        };
        let Some(slot) = self.slots.get_mut(&key) else { return };
        slot.open.remove(&step);
        slot.lost.settle(self.unread_calls, slot.unspent.len());
        match answer {
            Answer::Granted(covers) => slot.grant(Grant { covers, ..grant }),
            Answer::Refused => slot.refuse(step),
            Answer::Untold if slot.untold.as_ref().is_some_and(|it| it.step > step) => {}
            Answer::Untold => slot.untold = Some(grant),
            Answer::Neither | Answer::Succeeded(_) => {}
        }
    }
}

/// How a call stands by the approvals so far.
enum Standing {
    Approved,
    Not(&'static str),
    /// It rests on this step, whose answer is not known; 0 where the memory is full.
    Untold(u32),
}

impl Slot {
    fn grant(&mut self, grant: Grant) {
        if grant.step <= self.refused {
            return;
        }
        if self.unspent.len() >= APPROVALS_MAX {
            self.unspent.pop_front();
        }
        self.unspent.push_back(grant);
    }

    fn refuse(&mut self, step: u32) {
        self.refused = self.refused.max(step);
        self.unspent.retain(|it| it.step > step);
        self.untold = self.untold.take().filter(|it| it.step > step);
    }
}

impl ApprovalAbove {
    fn standing(&self, memory: &Memory, asked: &Asked<'_>, number: Option<&Number>) -> Standing {
        let Lets::Bound { .. } = &self.lets else {
            return if memory.any { Standing::Approved } else { Standing::Not("") };
        };
        let slot = self.key_of(asked).and_then(|key| memory.slots.get(&key));
        let Some(slot) = slot else {
            let full = memory.slots.is_full();
            return if full { Standing::Untold(0) } else { Standing::Not("") };
        };
        let (refused, subject) = (slot.refused.max(memory.refused), self.subject(asked));
        let fits = |it: &&Grant| it.step > refused && it.fits(asked.message, number, &subject);
        if let Some(newest) = slot.unspent.iter().filter(fits).map(|it| it.step).max() {
            // What is not recorded may have been a no to a later request, or have spent this yes.
            let untold =
                slot.untold.as_ref().map_or(memory.untold, |it| it.step.max(memory.untold));
            if untold > newest {
                return Standing::Untold(untold);
            }
            let serving = slot.unspent.iter().filter(fits).count();
            let left = slot.lost.leaves(memory.unread_calls, slot.unspent.len(), serving);
            return if left { Standing::Approved } else { Standing::Untold(memory.unread) };
        }
        let untold = slot.open.values().chain(&slot.untold).filter(fits);
        if let Some(step) = untold.map(|it| it.step).max() {
            return Standing::Untold(step);
        }
        let standing = slot.unspent.iter().any(|it| it.step > refused);
        Standing::Not(match (standing, refused) {
            (true, _) => {
                ": what was approved is less, or for another, or asked for in the same message"
            }
            (false, 0) => "",
            (false, _) => ": the newest request was refused",
        })
    }

    /// Whether a call may spend an approval, and which one can't be told.
    fn may_spend(&self, asked: &Asked<'_>) -> bool {
        let spends = matches!(self.lets, Lets::Bound { spend: true, .. });
        let values = asked.manner.values;
        let gaps = values.tells_gaps() && asked.args.has_gaps();
        spends && (gaps || matches!(asked.args.fields(values), Fields::Unrecorded))
    }

    /// The oldest approval that serves a call, where its number needs one: the key and the step
    /// of the request.
    fn spends(&self, memory: &Memory, asked: &Asked<'_>) -> Option<(Key, u32)> {
        let Lets::Bound { spend: true, .. } = &self.lets else { return None };
        let (values, path) = (asked.manner.values, &self.argument.path);
        let Fields::Object(root) = asked.args.fields(values) else { return None };
        let key = self.key_of(asked)?;
        let slot = memory.slots.get(&key).filter(|it| !it.unspent.is_empty())?;
        let mut found = Vec::new();
        values.each(root, path, &mut found);
        let above = |it: &Number| it.compare(&self.max).is_gt();
        let numbers = found.into_iter().filter_map(|it| values.number(it));
        // One approval serves one call, so the largest number decides which.
        let largest = numbers.filter(above).max_by(Number::compare)?;
        let (refused, subject) = (memory.refused, self.subject(asked));
        let serves =
            |it: &&Grant| it.step > refused && it.fits(asked.message, Some(&largest), &subject);
        let served = slot.unspent.iter().find(serves).map(|it| it.step)?;
        Some((key, served))
    }

    /// What a call of the tool that approves asks for; nothing where what it is bound to does not
    /// show or does not matter.
    fn request(&self, asked: &Asked<'_>) -> Option<(Key, Grant)> {
        let Lets::Bound { .. } = &self.lets else { return None };
        let key = self.key_of(asked)?;
        let (step, message) = (asked.call.step, asked.message);
        let (covers, subject) = (self.covers(asked), self.subject(asked));
        Some((key, Grant { step, message, covers, subject, bound: self.bound(asked) }))
    }

    /// What an answer says to a request.
    fn answer(&self, request: Option<&(Key, Grant)>, out: &Outcome<'_>, manner: Manner) -> Answer {
        let Lets::Bound { bind, .. } = &self.lets else {
            return Answer::Succeeded(out.state(manner.success) == State::Ok);
        };
        match out.answer().approval() {
            Approval::Granted => {
                let covers = request.map_or(Covers::Nothing, |it| it.1.covers.clone());
                let bound = request.map(|it| it.1.bound.as_slice()).unwrap_or_default();
                let (values, path, keys) = (manner.values, &self.argument.path, out.keys());
                let reading = Reading { values, path, bind, bound, keys };
                let document = out.document(values).filter(|_| request.is_some());
                Answer::Granted(match document {
                    Some(answer) => reading.granted(covers, answer).bare(),
                    None => covers,
                })
            }
            Approval::Refused => Answer::Refused,
            Approval::Unknown => Answer::Untold,
            Approval::Neither => Answer::Neither,
        }
    }

    fn subject(&self, asked: &Asked<'_>) -> Subject {
        match &self.lets {
            Lets::Bound { same_subject: true, .. } => Subject::of(asked),
            Lets::Bound { .. } | Lets::Everything => Subject::default(),
        }
    }

    /// What the request itself names under the same path.
    fn covers(&self, asked: &Asked<'_>) -> Covers {
        let values = asked.manner.values;
        match asked.args.find(values, &self.argument.path) {
            Found::Value(value) => {
                values.number(value).map_or(Covers::Nothing, Covers::UpTo).bare()
            }
            Found::Absent => Covers::Any,
            Found::Unreadable(_) | Found::Unrecorded => Covers::Nothing,
        }
    }

    /// The arguments that a request is bound to, by their places, with their values.
    fn bound(&self, asked: &Asked<'_>) -> Vec<(u32, Identity)> {
        let Lets::Bound { bind, .. } = &self.lets else { return Vec::new() };
        let bound = (0_u32..).zip(bind).filter_map(|(place, path)| {
            match asked.args.key(asked.manner.values, Some(path)) {
                KeyAt::Key(key) => Some((place, key.identity().clone())),
                KeyAt::Unreadable | KeyAt::Unrecorded => None,
            }
        });
        bound.collect()
    }

    /// The values that an approval is bound to; none where one of them can't be read.
    fn key_of(&self, asked: &Asked<'_>) -> Option<Key> {
        let Lets::Bound { bind, .. } = &self.lets else { return Some(Key::shared()) };
        let values = asked.manner.values;
        if let [path] = bind.as_slice() {
            return match asked.args.key(values, Some(path)) {
                KeyAt::Key(key) => Some(key),
                KeyAt::Unreadable | KeyAt::Unrecorded => None,
            };
        }
        let mut joined = String::new();
        for path in bind {
            let KeyAt::Key(key) = asked.args.key(values, Some(path)) else { return None };
            let plain = asked.args.plain(&key);
            // Lengths keep two values from reading as one.
            joined.push_str(&format!("{}:{plain}", plain.len()));
        }
        Some(if bind.is_empty() { Key::shared() } else { asked.args.keys().key(&joined) })
    }
}

const FIELDS: &[Field] = &[
    TOOLS,
    Field::required("arg", Shape::Path, "The number; `[*]` stands for every item of a list."),
    Field::required("max", Shape::Number, "The largest number that needs no approval."),
    Field::required("by", Shape::Tool, "The tool that approves."),
    Field::optional(
        "bind",
        Shape::Paths,
        "Arguments whose values the request for approval must share with the call.",
    ),
    Field::optional(
        "spend",
        Shape::Bool,
        "Whether one approval serves one call only; `true` if left out.",
    ),
    OPTIONAL,
];

/// How a native policy writes it.
#[derive(Debug)]
pub struct Native;

impl Definition for Native {
    fn name(&self) -> &'static str {
        ApprovalAbove::NAME
    }

    fn page(&self) -> &'static str {
        include_str!("approval_above.md")
    }

    fn fields(&self) -> &'static [Field] {
        FIELDS
    }

    fn build(&self, params: &mut Params<'_>) -> Option<Box<dyn Body>> {
        let (tools, by) = (params.tools("tools"), params.named_tools("by"));
        let (argument, max) = (params.argument("arg"), params.number("max"));
        let bind = params.single_paths("bind");
        let spend = params.flag("spend").unwrap_or(true);
        let lets = Lets::Bound { bind, spend, same_subject: false };
        if !params.has("by") {
            return None;
        }
        Some(Box::new(ApprovalAbove { tools, argument: argument?, max: max?, min: None, by, lets }))
    }
}
