//! A naive reading: each rule evaluated over the whole history at every call, without any memory.

use std::collections::BTreeSet;

use crate::random::{APPROVAL_FROM, Apart, Plan, WINDOW_SECS};
use crate::session::{Back, Made, Session};

/// What each rule says of a call, by looking at everything before it: the rule and whether it could
/// not tell.
pub fn naive(session: &Session, plans: &[Plan], step: u32) -> BTreeSet<(String, bool)> {
    let order = session.order();
    let me = session.calls.iter().position(|it| it.step == step).unwrap();
    let now = order.iter().position(|it| *it == (me, false)).unwrap();
    let before = Before { session, order: &order[..now], me: &session.calls[me] };
    let each = plans.iter().enumerate();
    each.filter_map(|(place, plan)| {
        let says = before.says(plan)?;
        Some((format!("r{place}"), says == Says::CannotTell))
    })
    .collect()
}

#[derive(PartialEq)]
enum Says {
    No,
    CannotTell,
}

/// Everything that stands before a call.
struct Before<'s> {
    session: &'s Session,
    order: &'s [(usize, bool)],
    me: &'s Made,
}

/// What a rule of order asks for.
struct Demand<'p> {
    first: &'p [&'static str],
    success: bool,
    contains: bool,
    same: bool,
    latest: bool,
    voided_by: &'p [&'static str],
}

/// The earlier calls that a rule of order asks for.
#[derive(Default)]
struct Met {
    /// What is known, oldest first: the step and whether it is what is asked for.
    settled: Vec<(u32, bool)>,
    /// The newest that is not answered yet.
    open: Option<u32>,
}

impl<'s> Before<'s> {
    /// Earlier calls, oldest first.
    fn calls(&self) -> impl Iterator<Item = (usize, &'s Made)> {
        self.order.iter().filter(|it| !it.1).map(|it| (it.0, &self.session.calls[it.0]))
    }

    /// Earlier calls of these tools that share the key, oldest first.
    fn earlier(&self, tools: &[&str], same: bool) -> Vec<(usize, &'s Made)> {
        self.calls()
            .filter(|(_, it)| tools.contains(&it.tool))
            .filter(|(_, it)| !same || (it.key.is_some() && key(it) == key(self.me)))
            .collect()
    }

    /// Earlier calls of these tools whose key can't be read, where a key is asked for.
    fn placeless(&self, tools: &[&str], keyed: bool) -> Vec<(usize, &'s Made)> {
        let mut calls: Vec<_> = self.calls().filter(|_| keyed).collect();
        calls.retain(|(_, it)| it.key.is_none() && tools.contains(&it.tool));
        calls
    }

    /// What had come back by now.
    fn back(&self, place: usize) -> Option<&'s Back> {
        let back = self.order.contains(&(place, true));
        self.session.calls[place].answer.as_ref().filter(|_| back).map(|it| &it.0)
    }

    fn failed(&self, place: usize) -> bool {
        self.back(place).is_some_and(|it| !it.ok)
    }

    fn says(&self, plan: &Plan) -> Option<Says> {
        let mine = self.me.tool;
        match plan {
            Plan::Before { tool, first, success, contains, same, latest, voided_by }
                if *tool == mine =>
            {
                let (success, contains, same, latest) = (*success, *contains, *same, *latest);
                self.ordered(&Demand { first, success, contains, same, latest, voided_by })
            }
            Plan::AtMost { tools, max, apart, successes, window } if tools.contains(&mine) => {
                self.capped(tools, *max, *apart, *successes, *window)
            }
            Plan::Equals { tool, from, same } if *tool == mine => self.equals(from, *same),
            Plan::Confirm { tool, by, same, spend } if *tool == mine => {
                self.confirmed(tool, by, *same, *spend)
            }
            Plan::Approval { tool, by, bind, spend } if *tool == mine => {
                self.approved(tool, by, *bind, *spend)
            }
            _ => None,
        }
    }

    fn ordered(&self, demand: &Demand<'_>) -> Option<Says> {
        let (same, latest) = (demand.same, demand.latest);
        if same && self.me.key.is_none() {
            return Some(Says::No);
        }
        let voids = self.earlier(demand.voided_by, same);
        let void = |which: &dyn Fn(Option<&Back>) -> bool| {
            let steps = voids.iter().filter(|(place, _)| which(self.back(*place)));
            steps.map(|(_, it)| it.step).max()
        };
        let settled_void = void(&|back| back.is_some_and(|it| it.ok));
        let open_void = void(&|back| back.is_none());
        let Met { settled, open } = self.met(demand, settled_void.unwrap_or(0));
        let newest = settled.last().copied();
        let met = if latest {
            newest.filter(|it| it.1).map(|it| it.0)
        } else {
            settled.iter().filter(|it| it.1).map(|it| it.0).max()
        };
        let Some(met) = met else {
            let helps = open.filter(|it| !latest || newest.is_none_or(|newest| *it > newest.0));
            return Some(if helps.is_some() { Says::CannotTell } else { Says::No });
        };
        let mut placeless = self.placeless(demand.voided_by, same);
        placeless.extend(self.placeless(demand.first, same && latest));
        let doubt = open_void.is_some_and(|it| it > met)
            || (latest && open.is_some_and(|it| it > met))
            || placeless.iter().any(|(_, it)| it.step > met);
        doubt.then_some(Says::CannotTell)
    }

    /// The earlier calls that are asked for, after a step.
    fn met(&self, demand: &Demand<'_>, after: u32) -> Met {
        let mut met = Met::default();
        for (place, it) in self.earlier(demand.first, demand.same) {
            if it.message == self.me.message || it.step <= after {
                continue;
            }
            match self.back(place) {
                _ if !demand.success && !demand.contains => met.settled.push((it.step, true)),
                Some(back) => {
                    let fits = (!demand.success || back.ok) && (!demand.contains || back.says_ok);
                    met.settled.push((it.step, fits));
                }
                None => met.open = Some(it.step),
            }
        }
        met
    }

    fn capped(
        &self,
        tools: &[&str],
        max: u64,
        apart: Apart,
        successes: bool,
        window: bool,
    ) -> Option<Says> {
        let me = self.me;
        let keyed = apart == Apart::Key;
        if keyed && me.key.is_none() {
            return Some(Says::No);
        }
        let counts = |(place, it): &(usize, &Made)| {
            let together = match apart {
                Apart::Nothing | Apart::Key => true,
                Apart::Turn => it.turn == me.turn,
                Apart::Batch => it.message == me.message,
            };
            let inside = !window || it.step + u32::from(WINDOW_SECS) > me.step;
            together && inside && !(successes && self.failed(*place))
        };
        let now = self.earlier(tools, keyed).iter().filter(|it| counts(it)).count() as u64 + 1;
        if now > max {
            return Some(Says::No);
        }
        let mut placeless = self.placeless(tools, keyed);
        placeless.retain(|(place, _)| !(successes && self.failed(*place)));
        (now + placeless.len() as u64 > max).then_some(Says::CannotTell)
    }

    fn equals(&self, from: &str, same: bool) -> Option<Says> {
        let mut sources = self.earlier(&[from], same);
        sources.retain(|(_, it)| it.message != self.me.message);
        if same && self.me.key.is_none() {
            sources.clear();
        }
        let (mut known, mut open) = (None, None);
        for (place, it) in sources {
            match self.back(place) {
                Some(back) if back.ok => known = Some((it.step, back.n)),
                Some(_) => {}
                None => open = Some(it.step),
            }
        }
        let newer = open.is_some_and(|it| known.is_none_or(|known| it > known.0));
        let placeless = self.placeless(&[from], same);
        let hidden = known.is_some_and(|known| placeless.iter().any(|(_, it)| it.step > known.0));
        if newer || hidden {
            return Some(Says::CannotTell);
        }
        (known.and_then(|it| it.1) != Some(self.me.n)).then_some(Says::No)
    }

    fn confirmed(&self, tool: &str, by: &str, same: bool, spend: bool) -> Option<Says> {
        let me = self.me;
        if same && me.key.is_none() {
            return Some(Says::No);
        }
        let shares = |it: &Made| !same || (it.key.is_some() && key(it) == key(me));
        // Each call spends the oldest grant that was there for it, so the history is walked once.
        let mut grants: Vec<u64> = Vec::new();
        for &(place, answers) in self.order {
            let it = &self.session.calls[place];
            if !shares(it) {
                continue;
            }
            if answers && it.tool == by && self.back(place).is_some_and(|back| back.ok) {
                grants.push(it.message);
            }
            if !answers
                && it.tool == tool
                && spend
                && let Some(place) = grants.iter().position(|message| *message != it.message)
            {
                grants.remove(place);
            }
        }
        let granted = grants.iter().any(|it| *it != me.message);
        if granted {
            return None;
        }
        let open = self
            .earlier(&[by], same)
            .into_iter()
            .any(|(place, it)| it.message != me.message && self.back(place).is_none());
        Some(if open { Says::CannotTell } else { Says::No })
    }
}

/// An approval that stands: the step and message that asked for it, for whom and up to what.
struct Approval {
    step: u32,
    message: u64,
    key: Option<&'static str>,
    most: u64,
}

impl Before<'_> {
    fn approved(&self, tool: &str, by: &str, bind: bool, spend: bool) -> Option<Says> {
        let me = self.me;
        if me.n < APPROVAL_FROM {
            return None;
        }
        let key = |it: &Made| if bind { key(it) } else { Some("") };
        let (mut standing, mut refused) = (Vec::<Approval>::new(), Vec::new());
        let serves = |it: &Approval, call: &Made, refused: &[(Option<&str>, u32)]| {
            // What a request without a readable key is refused for may be anybody's.
            let void = |no: &&(Option<&str>, u32)| no.0.is_none() || no.0 == it.key;
            let after = refused.iter().filter(void).all(|no| it.step > no.1);
            after
                && key(call).is_some()
                && it.key == key(call)
                && it.message != call.message
                && it.most >= call.n
        };
        // Each call spends the oldest approval that serves it, so the history is walked once.
        for &(place, answers) in self.order {
            let it = &self.session.calls[place];
            if answers && it.tool == by {
                let back = self.back(place).unwrap();
                match (back.ok, back.decision) {
                    (true, "approved") if key(it).is_some() => standing.push(Approval {
                        step: it.step,
                        message: it.message,
                        key: key(it),
                        most: back.n.map_or(it.n, |n| n.min(it.n)),
                    }),
                    (true, "approved" | "pending") => {}
                    _ => refused.push((key(it), it.step)),
                }
            }
            if !answers
                && it.tool == tool
                && spend
                && it.n >= APPROVAL_FROM
                && let Some(place) = standing.iter().position(|one| serves(one, it, &refused))
            {
                standing.remove(place);
            }
        }
        if standing.iter().any(|it| serves(it, me, &refused)) {
            return None;
        }
        let open = self.earlier(&[by], false).into_iter().any(|(place, it)| {
            let (step, message, most) = (it.step, it.message, it.n);
            let asked = Approval { step, message, key: key(it), most };
            self.back(place).is_none() && serves(&asked, me, &refused)
        });
        Some(if open { Says::CannotTell } else { Says::No })
    }
}

/// `1` and `1.0` are the same number, and so the same key.
fn key(made: &Made) -> Option<&'static str> {
    made.key.map(|it| if it == "1.0" { "1" } else { it })
}
