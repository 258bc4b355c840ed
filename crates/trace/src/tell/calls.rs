//! The calls of a run, and which tellings are the same call.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use super::Kin;
use super::earlier::Past;
use crate::dialog::{Answered, Asked};
use crate::print::{self, Print};
use crate::run::Tool;

/// How many calls that look alike are compared.
const ALIKE_MAX: usize = 64;

/// Where a call was first told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// In the history that a model received.
    History,
    /// In the output of this node.
    Output(usize),
    /// By a tool's own node.
    Tool,
}

/// A call that was told.
#[derive(Clone, Debug)]
pub struct Known<'d> {
    id: Option<Cow<'d, str>>,
    tool: Cow<'d, str>,
    print: Print<'d>,
    origin: Origin,
    /// Whether a message asked for it.
    asked: bool,
    /// Whether a tool's node ran it.
    ran: bool,
    event: usize,
    answer: Option<usize>,
    error: Option<bool>,
}

impl<'d> Known<'d> {
    /// A call that a message asks for.
    pub fn new(asked: &Asked, print: Print<'d>, origin: Origin, event: usize) -> Self {
        Known {
            id: asked.id.clone().map(Cow::Owned),
            tool: Cow::Owned(asked.tool.clone()),
            print,
            origin,
            asked: true,
            ran: false,
            event,
            answer: None,
            error: None,
        }
    }

    /// A call that only its own node shows.
    pub fn of_tool(tool: &Tool<'d>, event: usize) -> Self {
        Known {
            id: tool.call_id.clone(),
            tool: tool.name.clone(),
            print: Print::new(tool.args.clone()),
            origin: Origin::Tool,
            asked: false,
            ran: false,
            event,
            answer: None,
            error: None,
        }
    }

    fn may_be(&self, tool: &str, print: &Print<'_>) -> bool {
        same_tool(&self.tool, tool) && self.print.may_equal(print)
    }
}

/// The tool's name without the server in front.
pub fn bare(tool: &str) -> &str {
    let name = tool.rsplit("__").next().unwrap_or(tool);
    name.rsplit(['.', '/', ':']).next().unwrap_or(name)
}

/// Whether two names are one tool: equal, or one of them names the server too.
fn same_tool(a: &str, b: &str) -> bool {
    a == b || (bare(a) == bare(b) && (bare(a) == a || bare(b) == b))
}

/// One walk through the messages of a turn.
#[derive(Debug, Default)]
pub struct Walk {
    taken: BTreeSet<usize>,
    order: Vec<usize>,
    answered: BTreeSet<usize>,
    first_open: usize,
    /// Calls of earlier runs that the history repeats, and that its answers may belong to.
    passed_ids: BTreeSet<String>,
    passed_without_id: usize,
}

impl Walk {
    /// The next call of the walk is this one.
    pub fn saw(&mut self, call: usize) {
        self.taken.insert(call);
        self.order.push(call);
    }

    /// The next call of the walk is one of an earlier run.
    pub fn passed(&mut self, asked: &Asked) {
        match &asked.id {
            Some(id) => drop(self.passed_ids.insert(id.clone())),
            None => self.passed_without_id = self.passed_without_id.saturating_add(1),
        }
    }

    /// Whether an answer belongs to a call of an earlier run.
    pub fn passes(&mut self, answered: &Answered) -> bool {
        match &answered.id {
            Some(id) => self.passed_ids.remove(id),
            None if self.passed_without_id > 0 => {
                self.passed_without_id = self.passed_without_id.saturating_sub(1);
                true
            }
            None => false,
        }
    }

    /// The walk has answered this call.
    pub fn answered(&mut self, call: usize) {
        self.answered.insert(call);
        while self.order.get(self.first_open).is_some_and(|it| self.answered.contains(it)) {
            self.first_open = self.first_open.saturating_add(1);
        }
    }

    fn open(&self) -> impl Iterator<Item = usize> {
        let rest = self.order.get(self.first_open..).unwrap_or_default();
        rest.iter().copied().take(ALIKE_MAX).filter(|it| !self.answered.contains(it))
    }
}

/// All calls told so far.
#[derive(Debug, Default)]
pub struct Calls<'d> {
    all: Vec<Known<'d>>,
    by_id: BTreeMap<Cow<'d, str>, Vec<usize>>,
    by_print: BTreeMap<(String, Option<u128>), Vec<usize>>,
    /// How many calls `by_print` holds; the others are added when it is looked at.
    printed: usize,
    by_tool: BTreeMap<String, Vec<usize>>,
    /// How many calls `by_tool` holds.
    named: usize,
    by_node: BTreeMap<usize, (usize, bool)>,
    by_remote: BTreeMap<String, usize>,
    /// How many calls no node runs.
    idle: usize,
}

impl<'d> Calls<'d> {
    /// How many there are.
    pub fn len(&self) -> u32 {
        u32::try_from(self.all.len()).unwrap_or(u32::MAX)
    }

    /// What later runs of the input need of them.
    pub fn past(self) -> Vec<Past<'d>> {
        let past = |Known { id, tool, print, .. }| Past { id, tool, print };
        self.all.into_iter().map(past).collect()
    }

    /// Adds a call.
    pub fn add(&mut self, known: Known<'d>) -> usize {
        let place = self.all.len();
        if let Some(id) = &known.id {
            self.by_id.entry(id.clone()).or_default().push(place);
        }
        self.all.push(known);
        self.idle = self.idle.saturating_add(1);
        place
    }

    /// Makes `by_print` complete.
    fn print_all(&mut self) {
        for (place, known) in self.all.iter().enumerate().skip(self.printed) {
            let key = (bare(&known.tool).to_owned(), known.print.get());
            self.by_print.entry(key).or_default().push(place);
        }
        self.printed = self.all.len();
    }

    /// The calls of a tool with these arguments.
    fn alike(&self, tool: &str, print: &Print<'_>) -> Option<&Vec<usize>> {
        self.by_print.get(&(bare(tool).to_owned(), print.get()))
    }

    /// Makes `by_tool` complete.
    fn name_all(&mut self) {
        for (place, known) in self.all.iter().enumerate().skip(self.named) {
            self.by_tool.entry(bare(&known.tool).to_owned()).or_default().push(place);
        }
        self.named = self.all.len();
    }

    /// The oldest of the newest that look alike.
    fn find(
        &self,
        alike: Option<&Vec<usize>>,
        fits: impl Fn(usize, &Known<'_>) -> bool,
    ) -> Option<usize> {
        let newest = alike?.iter().rev().take(ALIKE_MAX).copied();
        newest.filter(|place| self.all.get(*place).is_some_and(|known| fits(*place, known))).last()
    }

    /// The call that a history repeats.
    pub fn in_history(&mut self, asked: &Asked, print: &Print<'_>, walk: &Walk) -> Option<usize> {
        let fresh = |place: usize| !walk.taken.contains(&place);
        if let Some(id) = asked.id.as_deref() {
            let same = |place, known: &Known<'_>| fresh(place) && known.may_be(&asked.tool, print);
            if let Some(found) = self.find(self.by_id.get(id), same) {
                return Some(found);
            }
        }
        if self.all.is_empty() {
            return None;
        }
        self.print_all();
        let unnamed = asked.id.as_deref().is_none_or(crate::ids::of_item);
        self.find(self.alike(&asked.tool, print), |place, known| {
            let ids = known.id.is_none() || unnamed;
            fresh(place) && ids && same_tool(&known.tool, &asked.tool)
        })
    }

    /// The call that an output of node `at` repeats.
    pub fn in_output(
        &mut self,
        (asked, print): (&Asked, &Print<'_>),
        at: usize,
        agent: bool,
        kin: &Kin,
        walk: &Walk,
    ) -> Option<usize> {
        if self.all.is_empty() {
            return None;
        }
        let place_agrees = |known: &Known<'_>| match known.origin {
            Origin::Output(node) => node != at && (agent || kin.related(node, at)),
            Origin::History => true,
            Origin::Tool => !known.asked,
        };
        let fits = |place: usize, known: &Known<'_>| {
            !walk.taken.contains(&place) && place_agrees(known) && known.may_be(&asked.tool, print)
        };
        let by_id = asked.id.as_deref().and_then(|id| self.by_id.get(id));
        let found = match self.find(by_id, fits) {
            Some(found) => found,
            None => {
                self.print_all();
                self.find(self.alike(&asked.tool, print), |place, known| {
                    (known.id.is_none() || asked.id.is_none()) && fits(place, known)
                })?
            }
        };
        if let Some(known) = self.all.get_mut(found) {
            known.asked = true;
        }
        Some(found)
    }

    /// Whether another call has the id of this one.
    pub fn shares_id(&self, asked: &Asked) -> bool {
        asked.id.as_deref().is_some_and(|id| self.by_id.contains_key(id))
    }

    /// The call that another node already told, seen from the other side of a wire or by another
    /// instrumentation.
    pub fn same_remote(
        &self,
        tool: &Tool<'_>,
        print: &Print<'_>,
        above: Option<usize>,
    ) -> Option<usize> {
        if let Some(key) = &tool.remote {
            let known = self.by_remote.get(key).copied();
            let same =
                known.filter(|it| self.all.get(*it).is_some_and(|it| it.may_be(&tool.name, print)));
            if same.is_some() {
                return same;
            }
        }
        let (outer, _) = self.of_node(above?)?;
        let known = self.all.get(outer)?;
        let sure = tool.remote.is_some()
            || (known.print.get().is_some() && known.print.get() == print.get())
            || (tool.call_id.is_some() && tool.call_id.as_deref() == known.id.as_deref());
        (sure && known.may_be(&tool.name, print)).then_some(outer)
    }

    /// Notes the name of a remote call.
    pub fn remember_remote(&mut self, tool: &Tool<'_>, call: usize) {
        if let Some(key) = &tool.remote {
            self.by_remote.entry(key.clone()).or_insert(call);
        }
    }

    /// The call that a message asked for and that this tool's node runs.
    pub fn unlinked(&mut self, tool: &Tool<'_>, print: &Print<'_>) -> Option<usize> {
        if self.idle == 0 {
            return None;
        }
        self.unlinked_with(tool, print).or_else(|| {
            let inner = Print::new(print::unwrapped(&tool.args)?);
            self.unlinked_with(tool, &inner)
        })
    }

    fn unlinked_with(&mut self, tool: &Tool<'_>, print: &Print<'_>) -> Option<usize> {
        let free = |known: &Known<'_>| !known.ran && known.may_be(&tool.name, print);
        let id = tool.call_id.as_deref();
        let by_id = id.and_then(|id| self.by_id.get(id));
        if let Some(found) = self.find(by_id, |_, known| free(known)) {
            return Some(found);
        }
        self.print_all();
        let open = |known: &Known<'_>| free(known) && known.answer.is_none();
        let recorded = print.get().is_some();
        if recorded
            && let Some(found) = self.find(self.alike(&tool.name, print), |_, known| open(known))
        {
            return Some(found);
        }
        self.name_all();
        self.find(self.by_tool.get(bare(&tool.name)), |_, known| {
            (!recorded || known.print.get().is_none()) && open(known)
        })
    }

    /// A node runs a call.
    pub fn link(&mut self, node: usize, call: usize) {
        self.by_node.insert(node, (call, true));
        if let Some(known) = self.all.get_mut(call).filter(|it| !it.ran) {
            known.ran = true;
            self.idle = self.idle.saturating_sub(1);
        }
    }

    /// A node is another telling of a call.
    pub fn alias(&mut self, node: usize, call: usize) {
        self.by_node.insert(node, (call, false));
    }

    /// The call of a node, and whether the node is the one that ran it.
    pub fn of_node(&self, node: usize) -> Option<(usize, bool)> {
        self.by_node.get(&node).copied()
    }

    /// The call that an answer inside a walk belongs to: by id, else the first that is open.
    pub fn answered_in(&mut self, answered: &Answered, walk: &Walk) -> Option<usize> {
        let open = |place: usize| !walk.answered.contains(&place);
        let fits = |place: &usize| {
            let known = self.all.get(*place);
            known.is_some_and(|it| {
                answered.tool.as_deref().is_none_or(|tool| same_tool(&it.tool, tool))
            })
        };
        if let Some(id) = answered.id.as_deref() {
            let by_id = self.by_id.get(id);
            let in_walk = self.find(by_id, |place, _| open(place) && walk.taken.contains(&place));
            let found = in_walk
                .or_else(|| self.find(by_id, |place, known| open(place) && known.answer.is_none()));
            // Some exporters number the answers apart from the calls: an id that no call has says
            // nothing.
            let unheard = by_id.is_none();
            let without_id =
                |place: &usize| unheard || self.all.get(*place).is_some_and(|it| it.id.is_none());
            return found.or_else(|| walk.open().filter(fits).find(without_id));
        }
        let in_walk = walk.open().find(fits).or_else(|| walk.open().next());
        if in_walk.is_some() {
            return in_walk;
        }
        let name = bare(answered.tool.as_deref()?);
        self.name_all();
        self.find(self.by_tool.get(name), |place, known| open(place) && known.answer.is_none())
    }

    /// The event of a call.
    pub fn event(&self, call: usize) -> Option<usize> {
        self.all.get(call).map(|known| known.event)
    }

    /// The event of its answer.
    pub fn answer_event(&self, call: usize) -> Option<usize> {
        self.all.get(call)?.answer
    }

    /// Notes the event of its answer.
    pub fn set_answer_event(&mut self, call: usize, event: usize) {
        if let Some(known) = self.all.get_mut(call) {
            known.answer = Some(event);
        }
    }

    /// Notes an error flag for the answer to come.
    pub fn note_error(&mut self, call: usize, error: bool) {
        if let Some(known) = self.all.get_mut(call) {
            known.error = Some(error);
        }
    }

    /// The error flag that was noted.
    pub fn noted_error(&self, call: usize) -> Option<bool> {
        self.all.get(call)?.error
    }
}
