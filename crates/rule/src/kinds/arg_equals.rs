//! `arg_equals`: an argument equals a fact of the session, or a value that an earlier call returned.

mod taken;

use std::borrow::Cow;
use std::collections::BTreeMap;

use lawbook_event::{Path, State, is_cut};

pub use self::taken::Taken;
use self::taken::{Source as Asking, Values, What};
use super::{OPTIONAL, TOOLS};
use crate::params::{Definition, Field, Params, Shape};
use crate::{
    Argument, Asked, Body, EvidenceFrom, Key, KeyAt, Keyed, Kind, Manner, Moment, NameMatch,
    Newest, Objection, Outcome, Past, Role, Said, SessionPath, SessionValue, Stamp, Tools, Watches,
};

/// How many values of one result are remembered.
pub const VALUES_MAX: usize = 1_000;

/// An argument equals a value that stands elsewhere.
#[derive(Debug)]
pub struct ArgEquals {
    /// The tools it covers.
    pub tools: Tools,
    /// The argument.
    pub argument: Argument,
    /// Where the value stands.
    pub source: Source,
}

/// Where the value stands that an argument must equal.
#[derive(Debug)]
pub enum Source {
    /// In the session.
    Session {
        /// The place.
        path: SessionPath,
        /// The place as messages name it.
        label: String,
        /// Whether a session without it is objected to; otherwise it is unknown.
        objects: bool,
    },
    /// In the newest successful result of a tool.
    Result {
        /// The tool.
        tool: Tools,
        /// The place in the result.
        path: Path,
        /// The argument that both calls must share.
        same_arg: Option<Path>,
    },
}

/// The newest results, by the shared argument.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    slots: Keyed<Slot>,
    waiting: BTreeMap<u32, (Key, u64)>,
    /// The newest source whose key could not be read: it may concern any key.
    unplaced: u32,
}

#[derive(Clone, Debug, Default)]
struct Slot {
    newest: Newest<Option<Values>>,
    open: BTreeMap<u32, u64>,
}

crate::coded!(Memory { slots, waiting, unplaced });
crate::coded!(Slot { newest, open });

const SOURCE: usize = 1;

impl Kind for ArgEquals {
    type Memory = Memory;
    type Taken = Taken;
    const NAME: &'static str = "arg_equals";

    fn roles(&self, manner: Manner) -> Vec<Role<'_>> {
        let mut roles = vec![Role { tools: &self.tools, names: manner.names }];
        if let Source::Result { tool, .. } = &self.source {
            roles.push(Role { tools: tool, names: NameMatch::Exact });
        }
        roles
    }

    fn watches(&self) -> Watches {
        let answers = matches!(self.source, Source::Result { .. });
        let part = match &self.source {
            Source::Session { path, .. } => path.part(),
            Source::Result { .. } => None,
        };
        Watches { answers, part, ..Watches::default() }
    }

    fn past(&self) -> Past {
        let session = matches!(self.source, Source::Result { .. });
        Past { session, ..Past::default() }
    }

    fn judge(&self, memory: &Memory, asked: &Asked<'_>, said: &mut Said) {
        match &self.source {
            Source::Session { path, label, objects } => {
                self.judge_session(path, label, *objects, asked, said);
            }
            Source::Result { tool, path, same_arg } => {
                self.judge_result(memory, tool, path, same_arg.as_ref(), asked, said);
            }
        }
    }

    fn reply(&self, asked: &Asked<'_>, _objection: &Objection) -> Option<String> {
        let (tool, arg) = (&*asked.call.tool, self.argument.path.text());
        Some(match &self.source {
            Source::Session { label, .. } => {
                format!("{tool}.{arg} must be the {label} of this session")
            }
            Source::Result { tool: source, path, .. } => {
                let source = source.join(" or ");
                format!("{tool}.{arg} must be a {} that {source} returned before", path.text())
            }
        })
    }

    fn takes(&self, memory: &Memory, moment: &Moment<'_>) -> Option<Taken> {
        let Source::Result { path, same_arg, .. } = &self.source else { return None };
        let what = match *moment {
            Moment::Happened { asked, roles } if roles.has(SOURCE) => {
                let (step, message) = (asked.call.step, asked.message);
                match asked.args.key(asked.manner.values, same_arg.as_ref()) {
                    KeyAt::Key(key) => What::Asked(Asking { key, step, message }),
                    KeyAt::Unreadable | KeyAt::Unrecorded => What::Unplaced { step },
                }
            }
            Moment::Answered { step, out, manner } if memory.waiting.contains_key(&step) => {
                What::Answered { step, newest: newest(out, path, manner) }
            }
            Moment::Happened { .. }
            | Moment::Answered { .. }
            | Moment::Said(_)
            | Moment::Refused { .. }
            | Moment::Scarred(_) => return None,
        };
        Some(Taken(what))
    }

    fn fold(&self, memory: &mut Memory, taken: Taken) {
        match taken.0 {
            What::Unplaced { step } => memory.unplaced = step,
            What::Asked(Asking { key, step, message }) => {
                if let Some(slot) = memory.slots.place(key.clone()) {
                    slot.open.insert(step, message);
                    memory.waiting.insert(step, (key, message));
                }
            }
            What::Answered { step, newest } => {
                let Some((key, message)) = memory.waiting.remove(&step) else { return };
                let Some(slot) = memory.slots.get_mut(&key) else { return };
                slot.open.remove(&step);
                if let Some(what) = newest {
                    slot.newest.push(Stamp { step, message, what });
                }
            }
        }
    }
}

/// What a result is as the newest one: nothing where it is none, no values where they can't be
/// told.
fn newest(out: &Outcome<'_>, path: &Path, manner: Manner) -> Option<Option<Values>> {
    let state = out.state(manner.success);
    if matches!(state, State::Failed | State::Pending) {
        return None;
    }
    let what = (state == State::Ok).then(|| values_at(out, path, manner));
    // To pmstack a result without the value is none.
    let without = what.as_ref().is_some_and(|it| it.first.is_none());
    let none = without && manner.evidence == EvidenceFrom::ResultElseCall;
    (!none).then_some(what)
}

/// The values at a place in a result, as keys.
fn values_at(out: &Outcome<'_>, path: &Path, manner: Manner) -> Values {
    let mut found = Vec::new();
    if let Some(document) = out.document(manner.values) {
        if path.is_plural() {
            manner.values.each(document, path, &mut found);
        } else {
            found.extend(manner.values.result_path(document, path));
        }
    }
    let counted = || manner.values.length(out.document(manner.values)?, path);
    let counted = if found.is_empty() { counted() } else { None };
    // What stands there instead of a value may have been any.
    let hidden = found.iter().any(|it| it.as_str().is_some_and(is_cut));
    let texts = found.into_iter().filter_map(|it| manner.values.key(it));
    let mut texts = texts.chain(counted.map(|it| Cow::Owned(it.to_string())));
    let mut kept = texts.by_ref().take(VALUES_MAX).map(|it| out.keys().identity(&it));
    let (first, others) = (kept.next(), kept.collect());
    Values { first, others, cut: hidden || texts.next().is_some() }
}

impl ArgEquals {
    fn judge_session(
        &self,
        path: &SessionPath,
        label: &str,
        objects: bool,
        asked: &Asked<'_>,
        said: &mut Said,
    ) {
        let values = asked.manner.values;
        let wanted = match asked.session.value(path, values) {
            Some(SessionValue::Text(text)) => Some(Cow::Borrowed(values.trim(text))),
            Some(SessionValue::Json(value)) if !value.is_null() => values.key(value),
            Some(SessionValue::Count(count)) => Some(Cow::Owned(count.to_string())),
            Some(SessionValue::Json(_)) | None => None,
        };
        let (tool, arg) = (&*asked.call.tool, self.argument.path.text());
        let mut gap = false;
        self.argument.judge(asked, said, |value| {
            let Some(wanted) = &wanted else {
                gap = !objects;
                return objects
                    .then(|| format!("cannot verify {arg}, {}", missing_label(label, asked)));
            };
            let got = values.key(value);
            if got.as_ref() == Some(wanted) {
                return None;
            }
            let got = got.map_or_else(|| values.show(value), |it| values.quote(&it));
            Some(format!("{tool}.{arg} {got} != session {label} {}", values.quote(wanted)))
        });
        if gap {
            let message =
                format!("`{tool}.{arg}` rests on {label}, which the session does not have");
            said.gap(format!("session {label}"), message);
        }
    }

    fn judge_result(
        &self,
        memory: &Memory,
        source: &Tools,
        path: &Path,
        same_arg: Option<&Path>,
        asked: &Asked<'_>,
        said: &mut Said,
    ) {
        let values = asked.manner.values;
        let (tool, arg) = (&*asked.call.tool, self.argument.path.text());
        let slot = match asked.args.key(values, same_arg) {
            KeyAt::Key(key) => memory.slots.get(&key),
            KeyAt::Unreadable | KeyAt::Unrecorded => None,
        };
        let newest = slot.and_then(|it| match asked.manner.evidence {
            EvidenceFrom::ResultElseCall => it.newest.of_all(),
            EvidenceFrom::Call | EvidenceFrom::Result => it.newest.outside(asked.message),
        });
        let waits = asked.manner.evidence != EvidenceFrom::ResultElseCall;
        let open = slot.filter(|_| waits).and_then(|it| {
            it.open.iter().rev().find(|(_, message)| **message != asked.message).map(|(it, _)| *it)
        });
        let step = newest.map_or(0, |it| it.step);
        let doubt = open.filter(|it| *it > step);
        let doubt = doubt.or(newest.filter(|it| it.what.is_none()).map(|it| it.step));
        let doubt =
            doubt.or((newest.is_some() && memory.unplaced > step).then_some(memory.unplaced));
        let mut gap = None;
        let full = memory.slots.is_full();
        self.argument.judge(asked, said, |value| {
            if let Some(step) = doubt {
                gap = Some(step);
                return None;
            }
            let Some(known) = newest.and_then(|it| it.what.as_ref()) else {
                if full {
                    gap = Some(0);
                    return None;
                }
                return Some(format!(
                    "{tool}.{arg} rests on no earlier result of {}",
                    source.join(" or ")
                ));
            };
            let got = values.key(value);
            if got.as_ref().is_some_and(|it| known.hold(asked.args.keys().sought(it))) {
                return None;
            }
            if known.cut {
                gap = Some(step);
                return None;
            }
            let got = got.map_or_else(|| values.show(value), |it| values.quote(&it));
            Some(format!(
                "{tool}.{arg} {got} is not {} of {} at step {step}",
                path.text(),
                source.join(" or ")
            ))
        });
        match gap {
            Some(0) => said.gap("memory", "more keys than the rule can remember"),
            Some(step) => said.gap(
                format!("result of step {step}"),
                format!("`{tool}.{arg}` rests on step {step}, whose result is not known"),
            ),
            None => {}
        }
    }
}

/// Faultgate speaks of the root span, everybody else of the session.
fn missing_label(label: &str, asked: &Asked<'_>) -> String {
    match asked.manner.evidence {
        EvidenceFrom::Call => format!("root span has no {label}"),
        EvidenceFrom::Result | EvidenceFrom::ResultElseCall => {
            format!("the session has no {label}")
        }
    }
}

const FIELDS: &[Field] = &[
    TOOLS,
    Field::required("arg", Shape::Path, "The argument."),
    Field::optional(
        "session",
        Shape::SessionKey,
        "The place in the session that it must equal: an attribute by its whole name, `session.id` or `session.metadata.NAME`.",
    ),
    Field::optional(
        "result",
        Shape::Map(RESULT),
        "Instead of `session`: the place in an earlier result that it must equal.",
    ),
    OPTIONAL,
];

/// How a native policy writes it.
#[derive(Debug)]
pub struct Native;

impl Definition for Native {
    fn name(&self) -> &'static str {
        ArgEquals::NAME
    }

    fn page(&self) -> &'static str {
        include_str!("arg_equals.md")
    }

    fn fields(&self) -> &'static [Field] {
        FIELDS
    }

    fn build(&self, params: &mut Params<'_>) -> Option<Box<dyn Body>> {
        let which = params.one_key(&["session", "result"]);
        let tools = params.tools("tools");
        let argument = params.argument("arg");
        let source = match which? {
            "session" => from_session(params)?,
            _ => from_result(&mut params.inner("result")?)?,
        };
        Some(Box::new(ArgEquals { tools, argument: argument?, source }))
    }
}

const RESULT: &[Field] = &[
    Field::required("tool", Shape::Tool, "The tool whose newest successful result counts."),
    Field::required("path", Shape::Path, "The place in the result; `[*]` stands for every item."),
    Field::optional("same_arg", Shape::Path, "The argument that both calls must share."),
];

fn from_session(params: &Params<'_>) -> Option<Source> {
    let key = params.text("session")?;
    let path = SessionPath::parse(key);
    let label = key.strip_prefix("session.").unwrap_or(key).to_owned();
    Some(Source::Session { path, label, objects: false })
}

fn from_result(params: &mut Params<'_>) -> Option<Source> {
    let tool = params.named_tools("tool");
    let (path, same_arg) = (params.path("path")?, params.single_path("same_arg"));
    Some(Source::Result { tool, path, same_arg })
}
