//! Random policies and sessions, and a naive reading of them: each rule evaluated over the whole
//! history at every call, without any memory.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use lawbook_diag::{Mode, Verdict};
use lawbook_event::{
    Answer, Args, Call, EXACT, End, Event, Hindsight, PYTHON, Path, Ran, Start, SuccessReading,
    Time, What,
};
use lawbook_rule::kinds::{
    ArgEquals, AtMost, Confirm, ConfirmBy, LeavesOut, Per, RequireBefore, Source,
};
use lawbook_rule::{
    Absent, Argument, Body, EvidenceFrom, Literal, Manner, NameMatch, OnUnknown, Pick, Policy,
    Predicate, Profile, Report, Rule, Test, Tools,
};

const TOOLS: [&str; 4] = ["a", "b", "c", "d"];

/// A small generator of numbers (xorshift64*), so that a seed is a whole test.
pub struct Dice {
    state: u64,
}

impl Dice {
    pub fn new(seed: u64) -> Self {
        Dice { state: seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1 }
    }

    pub fn below(&mut self, n: u64) -> u64 {
        self.state ^= self.state >> 12;
        self.state ^= self.state << 25;
        self.state ^= self.state >> 27;
        (self.state.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) % n
    }

    fn chance(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }

    fn pick<'p, T>(&mut self, from: &'p [T]) -> &'p T {
        let n = u64::try_from(from.len()).unwrap();
        &from[usize::try_from(self.below(n)).unwrap()]
    }

    fn tool(&mut self) -> &'static str {
        *self.pick::<&'static str>(&TOOLS)
    }

    fn some_tools(&mut self, most: u64) -> Vec<&'static str> {
        let n = 1 + self.below(most);
        let mut tools: Vec<_> = (0..n).map(|_| self.tool()).collect();
        tools.sort_unstable();
        tools.dedup();
        tools
    }
}

/// A rule as data, from which the engine's rule and the naive reading both come.
#[derive(Clone, Debug)]
pub enum Plan {
    Before {
        tool: &'static str,
        first: Vec<&'static str>,
        success: bool,
        contains: bool,
        same: bool,
        latest: bool,
        voided_by: Vec<&'static str>,
    },
    AtMost {
        tools: Vec<&'static str>,
        max: u64,
        per_key: bool,
        successes: bool,
        window: bool,
    },
    Equals {
        tool: &'static str,
        from: &'static str,
        same: bool,
    },
    Confirm {
        tool: &'static str,
        by: &'static str,
        same: bool,
        spend: bool,
    },
}

pub fn rules(dice: &mut Dice) -> Vec<Plan> {
    let n = 1 + dice.below(5);
    (0..n)
        .map(|_| match dice.below(6) {
            0..3 => Plan::Before {
                tool: dice.tool(),
                first: dice.some_tools(2),
                success: dice.chance(70),
                contains: dice.chance(30),
                same: dice.chance(50),
                latest: dice.chance(40),
                voided_by: if dice.chance(40) { dice.some_tools(2) } else { Vec::new() },
            },
            3 => Plan::AtMost {
                tools: dice.some_tools(3),
                max: dice.below(4),
                per_key: dice.chance(50),
                successes: dice.chance(50),
                window: dice.chance(30),
            },
            4 => Plan::Equals { tool: dice.tool(), from: dice.tool(), same: dice.chance(50) },
            _ => Plan::Confirm {
                tool: dice.tool(),
                by: dice.tool(),
                same: dice.chance(50),
                spend: dice.chance(50),
            },
        })
        .collect()
}

const WINDOW_SECS: u8 = 4;

fn body(plan: &Plan, profile: Profile) -> Box<dyn Body> {
    let key = |same: bool| same.then(|| Path::parse("k"));
    match plan.clone() {
        Plan::Before { tool, first, success, contains, same, latest, voided_by } => {
            let seven = Test::Equals(Literal::parse("\"ok\"").unwrap());
            let predicate = Predicate { path: Path::parse("s"), test: seven };
            Box::new(RequireBefore {
                tools: Tools::literal([tool]),
                first: Tools::literal(first),
                success,
                result_contains: None,
                result: contains.then_some(predicate).into_iter().collect(),
                same_arg: key(same),
                latest,
                voided_by: Tools::literal(voided_by),
                explain: true,
            })
        }
        Plan::AtMost { tools, max, per_key, successes, window } => Box::new(AtMost {
            tools: Tools::literal(tools),
            max: f64::from(u32::try_from(max).unwrap()),
            max_text: max.to_string(),
            per: if per_key { Per::Arg(Path::parse("k")) } else { Per::Session },
            exact: false,
            window_secs: window.then_some(f64::from(WINDOW_SECS)),
            leaves_out: match (successes, profile) {
                (false, _) => LeavesOut::Nothing,
                (true, Profile::Compatible) => LeavesOut::ErrorTexts,
                (true, _) => LeavesOut::Failed,
            },
            closes: false,
        }),
        Plan::Equals { tool, from, same } => Box::new(ArgEquals {
            tools: Tools::literal([tool]),
            argument: Argument {
                path: Path::parse("n"),
                absent: Absent::Passes,
                only_if_mentioned: false,
            },
            source: Source::Result {
                tool: Tools::literal([from]),
                path: Path::parse("n"),
                same_arg: key(same),
            },
        }),
        Plan::Confirm { tool, by, same, spend } => Box::new(Confirm {
            tools: Tools::literal([tool]),
            asker: Tools::literal([by]),
            spend: spend && profile != Profile::Compatible,
            by: ConfirmBy::Tool { tool: by.to_owned(), same_arg: key(same), otherwise: "" },
        }),
    }
}

fn policy_of(plans: &[Plan], profile: Profile) -> Policy {
    let compatible = profile == Profile::Compatible;
    let rules = plans.iter().enumerate().map(|(place, plan)| Rule {
        id: Arc::from(format!("r{place}")),
        why: None,
        tell: None,
        when: None,
        verdict: Verdict::Deny,
        mode: Mode::Enforce,
        on_unknown: OnUnknown::OwnVerdict,
        report: Report::Each,
        body: body(plan, profile),
    });
    Policy {
        name: None,
        dialect: "test",
        profile,
        digest: String::new(),
        owner: None,
        not_covered: Vec::new(),
        manner: Manner {
            values: if compatible { PYTHON } else { EXACT },
            success: if compatible { SuccessReading::Structural } else { SuccessReading::Declared },
            evidence: if compatible { EvidenceFrom::Call } else { EvidenceFrom::Result },
            names: if compatible { NameMatch::Exact } else { NameMatch::Skeleton },
        },
        pick: Pick::All,
        rules: rules.collect(),
        waivers: Vec::new(),
        tools: BTreeMap::new(),
    }
}

/// A random policy. Compatible ones leave out the kind that faultgate doesn't have. Every objection
/// is reported, as live doors do: which one is the first of its key can change when a call turns
/// out to have failed.
pub fn policy(dice: &mut Dice, profile: Profile) -> Policy {
    let mut plans = rules(dice);
    if profile == Profile::Compatible {
        plans.retain(|it| !matches!(it, Plan::Equals { .. }));
    }
    policy_of(&plans, profile)
}

pub fn native(plans: &[Plan]) -> Policy {
    policy_of(plans, Profile::Native)
}

#[derive(Clone, Debug)]
struct Made {
    step: u32,
    message: u64,
    tool: &'static str,
    key: Option<&'static str>,
    n: u64,
    /// What comes back and after how many further calls; nothing if it never does.
    answer: Option<(Back, usize)>,
}

#[derive(Clone, Debug)]
struct Back {
    text: String,
    ok: bool,
    says_ok: bool,
    n: Option<u64>,
    recorded: bool,
}

/// A random session.
#[derive(Clone, Debug)]
pub struct Session {
    calls: Vec<Made>,
}

impl Session {
    /// `at_once` makes every answer recorded or absent, which is all that the naive reading knows.
    pub fn random(dice: &mut Dice, at_once: bool) -> Self {
        let n = 3 + dice.below(14);
        let mut message = 0;
        let calls = (0..n)
            .map(|place| {
                if place == 0 || dice.chance(70) {
                    message += 1;
                }
                let recorded = at_once || dice.chance(90);
                let answer = dice.chance(85).then(|| {
                    let later = if dice.chance(60) { 0 } else { dice.below(4) };
                    (back(dice, recorded), usize::try_from(later).unwrap())
                });
                Made {
                    step: u32::try_from(place + 1).unwrap(),
                    message,
                    tool: dice.tool(),
                    key: *dice.pick(&[Some("\"x\""), Some("1"), Some("\"x\""), Some("1.0"), None]),
                    n: dice.below(3),
                    answer,
                }
            })
            .collect();
        Session { calls }
    }

    /// The order of things: calls by index, and each answer after the call that it waits for.
    fn order(&self) -> Vec<(usize, bool)> {
        let mut order = Vec::new();
        for (place, _) in self.calls.iter().enumerate() {
            order.push((place, false));
            for (asked, call) in self.calls.iter().enumerate().take(place + 1) {
                if call.answer.as_ref().is_some_and(|(_, later)| asked + later == place) {
                    order.push((asked, true));
                }
            }
        }
        order
    }

    pub fn events(&self) -> Vec<Event<'static>> {
        let mut events = vec![event(0, 0, What::Start(Start::default()))];
        let order = self.order();
        let answered: BTreeSet<usize> =
            order.iter().filter(|it| it.1).map(|(place, _)| *place).collect();
        for (place, answers) in order {
            let made = &self.calls[place];
            let at = i64::from(made.step);
            events.push(if answers {
                let answer = answer(made.answer.as_ref().map(|it| &it.0).unwrap());
                event(at, made.message + 1_000, What::Answer { step: made.step, answer })
            } else {
                event(at, made.message, What::Call(call(made, answered.contains(&place))))
            });
        }
        events.push(event(100, 9_999, What::End(End::default())));
        events
    }

    pub fn place_of(&self, events: &[Event<'_>], wanted: u32) -> usize {
        events
            .iter()
            .position(|it| matches!(&it.what, What::Call(call) if call.step == wanted))
            .unwrap()
    }

    /// What each rule says of a call, by looking at everything before it: the rule and whether it
    /// could not tell.
    pub fn naive(&self, plans: &[Plan], step: u32) -> BTreeSet<(String, bool)> {
        let order = self.order();
        let me = self.calls.iter().position(|it| it.step == step).unwrap();
        let now = order.iter().position(|it| *it == (me, false)).unwrap();
        let before = Before { session: self, order: &order[..now] };
        plans
            .iter()
            .enumerate()
            .filter_map(|(place, plan)| {
                let says = before.says(plan, &self.calls[me])?;
                Some((format!("r{place}"), says == Says::CannotTell))
            })
            .collect()
    }
}

fn back(dice: &mut Dice, recorded: bool) -> Back {
    let (ok, says_ok, n) = (dice.chance(75), dice.chance(60), dice.below(3));
    let text = if ok {
        let word = if says_ok { "ok" } else { "no" };
        format!("{{\"s\": \"{word}\", \"n\": {n}}}")
    } else {
        "{\"error\": \"broken\"}".to_owned()
    };
    let text = if recorded { text } else { String::new() };
    Back { text, ok, says_ok: ok && says_ok, n: ok.then_some(n), recorded }
}

fn answer(back: &Back) -> Answer<'static> {
    Answer { text: Cow::Owned(back.text.clone()), recorded: back.recorded, ..Answer::default() }
}

fn call(made: &Made, answered: bool) -> Call<'static> {
    let key = made.key.map(|it| format!("\"k\": {it}, ")).unwrap_or_default();
    let hindsight = match &made.answer {
        Some((back, _)) if answered => Hindsight::Answered(answer(back)),
        _ => Hindsight::Unanswered,
    };
    Call {
        step: made.step,
        step_id: Cow::Owned(format!("c{}", made.step)),
        id: None,
        server: None,
        tool: Cow::Borrowed(made.tool),
        args: Args { text: Cow::Owned(format!("{{{key}\"n\": {}}}", made.n)), ..Args::default() },
        hindsight: Some(hindsight),
        ran: Ran::Yes,
        confirmed: false,
    }
}

fn event(secs: i64, message: u64, what: What<'static>) -> Event<'static> {
    let at = Some(Time { nanos: secs * 1_000_000_000 });
    Event { at, place: message, message, what }
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
}

impl Before<'_> {
    /// Earlier calls of these tools that share the key, oldest first.
    fn earlier(&self, tools: &[&str], me: &Made, same: bool) -> Vec<(usize, &Made)> {
        let calls =
            self.order.iter().filter(|it| !it.1).map(|it| (it.0, &self.session.calls[it.0]));
        calls
            .filter(|(_, it)| tools.contains(&it.tool))
            .filter(|(_, it)| !same || (it.key.is_some() && key(it) == key(me)))
            .collect()
    }

    /// Earlier calls of these tools whose key can't be read, where a key is asked for.
    fn placeless<'t>(
        &'t self,
        tools: &'t [&str],
        keyed: bool,
    ) -> impl Iterator<Item = (usize, &'t Made)> {
        let calls =
            self.order.iter().filter(|it| !it.1).map(|it| (it.0, &self.session.calls[it.0]));
        calls.filter(move |(_, it)| keyed && it.key.is_none() && tools.contains(&it.tool))
    }

    /// What had come back by now.
    fn back(&self, place: usize) -> Option<&Back> {
        let back = self.order.contains(&(place, true));
        self.session.calls[place].answer.as_ref().filter(|_| back).map(|it| &it.0)
    }

    fn says(&self, plan: &Plan, me: &Made) -> Option<Says> {
        match plan {
            Plan::Before { tool, .. } if *tool != me.tool => None,
            Plan::Before { first, success, contains, same, latest, voided_by, .. } => {
                if *same && me.key.is_none() {
                    return Some(Says::No);
                }
                let reads = *success || *contains;
                let voids = self.earlier(voided_by, me, *same);
                let settled_void = voids
                    .iter()
                    .filter(|(place, _)| self.back(*place).is_some_and(|it| it.ok))
                    .map(|(_, it)| it.step)
                    .max();
                let open_void = voids
                    .iter()
                    .filter(|(place, _)| self.back(*place).is_none())
                    .map(|(_, it)| it.step)
                    .max();
                let after = settled_void.unwrap_or(0);
                let mut open = None;
                let mut settled = Vec::new();
                for (place, it) in self.earlier(first, me, *same) {
                    if it.message == me.message || it.step <= after {
                        continue;
                    }
                    match self.back(place) {
                        _ if !reads => settled.push((it.step, true)),
                        Some(back) => {
                            let meets = (!success || back.ok) && (!contains || back.says_ok);
                            settled.push((it.step, meets));
                        }
                        None => open = Some(it.step),
                    }
                }
                let newest = settled.last().copied();
                let met = if *latest {
                    newest.filter(|it| it.1).map(|it| it.0)
                } else {
                    settled.iter().filter(|it| it.1).map(|it| it.0).max()
                };
                match met {
                    Some(met) => {
                        let doubt = open_void.is_some_and(|it| it > met)
                            || (*latest && open.is_some_and(|it| it > met));
                        let mut placeless = self.placeless(voided_by, *same);
                        let mut others = self.placeless(first, *same && *latest);
                        let newer = placeless.any(|(_, it)| it.step > met)
                            || others.any(|(_, it)| it.step > met);
                        (doubt || newer).then_some(Says::CannotTell)
                    }
                    None => {
                        let helps = open
                            .filter(|it| !*latest || newest.is_none_or(|newest| *it > newest.0));
                        Some(if helps.is_some() { Says::CannotTell } else { Says::No })
                    }
                }
            }
            Plan::AtMost { tools, .. } if !tools.contains(&me.tool) => None,
            Plan::AtMost { tools, max, per_key, successes, window } => {
                if *per_key && me.key.is_none() {
                    return Some(Says::No);
                }
                let earlier = self.earlier(tools, me, *per_key);
                let counted = earlier.iter().filter(|(place, it)| {
                    let failed = self.back(*place).is_some_and(|it| !it.ok);
                    let inside = it.step + u32::from(WINDOW_SECS) > me.step;
                    !(*successes && failed) && (!*window || inside)
                });
                let now = counted.count() as u64 + 1;
                let placeless = self.placeless(tools, *per_key).filter(|(place, _)| {
                    !(*successes && self.back(*place).is_some_and(|it| !it.ok))
                });
                if now > *max {
                    return Some(Says::No);
                }
                (now + placeless.count() as u64 > *max).then_some(Says::CannotTell)
            }
            Plan::Equals { tool, .. } if *tool != me.tool => None,
            Plan::Equals { from, same, .. } => {
                let sources = if *same && me.key.is_none() {
                    Vec::new()
                } else {
                    self.earlier(&[from], me, *same)
                };
                let mut known = None;
                let mut open = None;
                for (place, it) in sources.into_iter().filter(|(_, it)| it.message != me.message) {
                    match self.back(place) {
                        Some(back) if back.ok => known = Some((it.step, back.n)),
                        Some(_) => {}
                        None => open = Some(it.step),
                    }
                }
                let newer = open.is_some_and(|it| known.is_none_or(|known| it > known.0));
                let placeless = self.placeless(std::slice::from_ref(from), *same);
                let placeless = placeless.map(|(_, it)| it.step).max();
                let placeless = known.is_some_and(|known| placeless.is_some_and(|it| it > known.0));
                if newer || placeless {
                    return Some(Says::CannotTell);
                }
                (known.and_then(|it| it.1) != Some(me.n)).then_some(Says::No)
            }
            Plan::Confirm { tool, .. } if *tool != me.tool => None,
            Plan::Confirm { tool, by, same, spend } => self.confirm(tool, by, *same, *spend, me),
        }
    }

    fn confirm(&self, tool: &str, by: &str, same: bool, spend: bool, me: &Made) -> Option<Says> {
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
            .earlier(&[by], me, same)
            .into_iter()
            .any(|(place, it)| it.message != me.message && self.back(place).is_none());
        Some(if open { Says::CannotTell } else { Says::No })
    }
}

/// `1` and `1.0` are the same number, and so the same key.
fn key(made: &Made) -> Option<&'static str> {
    made.key.map(|it| if it == "1.0" { "1" } else { it })
}
