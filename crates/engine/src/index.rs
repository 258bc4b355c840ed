//! Policies made ready: for each tool the rules that concern it.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use lawbook_event::{
    Args, Call, DISPATCHERS, Dispatched, Hindsight, Skeleton, Time, dispatched, skeleton,
};
use lawbook_rule::{
    Arguments, Asked, Chosen, EvidenceFrom, Fields, Keys, Manner, Name, NameMatch, Outcome, Past,
    Policy, Profile, Role, Roles, Rule, Scope, Session, Watches,
};

/// How many dispatchers within dispatchers are looked through.
pub const DISPATCH_DEPTH_MAX: usize = 4;

/// One or more policies, made ready to judge. A later policy only tightens.
#[derive(Clone, Debug)]
pub struct Engine {
    layers: Vec<Arc<Policy>>,
    rules: Vec<Placed>,
    /// The plan of every name that a policy writes out.
    plans: BTreeMap<Box<str>, Plan>,
    /// The plan of a name that nothing names.
    others: Plan,
    /// The skeletons of all names that policies write out.
    skeletons: BTreeSet<Box<str>>,
    /// The skeletons of tools that run other tools.
    dispatchers: BTreeSet<String>,
    patterns: bool,
    as_of: Option<Time>,
}

/// Where a rule stands.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Placed {
    pub layer: usize,
    pub rank: usize,
    pub watches: Watches,
    pub past: Past,
    pub scope: Scope,
}

/// A rule that a call concerns, and the roles that the call plays for it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Concern {
    pub rule: usize,
    pub roles: Roles,
    /// Whether the rule names the tool, and does not only speak of every tool.
    pub named: bool,
    /// Whether the rule means some commands of a tool only, so that the roles of a call depend on
    /// what it runs.
    pub selects: bool,
}

/// The rules that a call of one name concerns.
#[derive(Clone, Debug, Default)]
pub(crate) struct Plan {
    pub concerns: Vec<Concern>,
    /// Whether the tool runs another one that its arguments name.
    pub dispatches: bool,
}

/// A call as some of the layers see it, with the rules of theirs that it concerns.
pub(crate) struct Face<'c> {
    pub call: Cow<'c, Call<'c>>,
    pub plan: Cow<'c, Plan>,
    /// Which call a dispatcher runs can't be told.
    pub opaque: bool,
}

/// What the rules need to be told, so that a reader or door can leave out the rest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Needs {
    /// The answers of tools.
    pub answers: bool,
    /// What the user and the agent say.
    pub words: bool,
    /// The end of the session.
    pub end: bool,
}

/// What of a call rules keep in mind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Remembered {
    /// Its arguments.
    pub args: bool,
    /// What it returned.
    pub answers: bool,
}

/// The faces of a call: as it stands, and the call that it runs where it is a dispatcher's.
pub(crate) struct Faces<'c> {
    outer: Face<'c>,
    inner: Option<Box<Face<'c>>>,
}

/// A face with its arguments and outcome, which are parsed when the first rule asks and once for
/// judging and taking in alike.
pub(crate) struct Opened<'f> {
    pub call: &'f Call<'f>,
    pub args: Arguments<'f>,
    pub outcome: Option<Outcome<'f>>,
    pub plan: &'f Plan,
    /// Which call a dispatcher runs can't be told.
    pub opaque: bool,
}

impl<'f> Faces<'f> {
    fn one(outer: Face<'f>) -> Self {
        Faces { outer, inner: None }
    }

    /// Does something with the faces, each with its arguments ready to be parsed. There is one or
    /// more.
    pub fn opened<R>(&'f self, keys: Keys<'f>, act: impl FnOnce(&[Opened<'f>]) -> R) -> R {
        let outer = Opened::new(&self.outer, keys);
        match &self.inner {
            None => act(&[outer]),
            Some(inner) => act(&[outer, Opened::new(inner, keys)]),
        }
    }
}

impl<'f> Opened<'f> {
    pub fn new(face: &'f Face<'f>, keys: Keys<'f>) -> Self {
        let call = &*face.call;
        let outcome = match &call.hindsight {
            Some(Hindsight::Answered(answer)) => Some(Outcome::new(answer, keys)),
            Some(Hindsight::Unanswered) | None => None,
        };
        let args = Arguments::new(&call.args, keys);
        Opened { call, args, outcome, plan: &face.plan, opaque: face.opaque }
    }

    /// The call as a rule of a policy sees it.
    pub fn asked<'a>(
        &'a self,
        at: Option<Time>,
        message: u64,
        session: &'a Session,
        manner: Manner,
    ) -> Asked<'a> {
        let (call, args, outcome) = (self.call, &self.args, self.outcome.as_ref());
        Asked { call, args, outcome, at, message, session, manner }
    }
}

impl Engine {
    /// Makes policies ready. `as_of` is the moment that waivers are read at; without one, a waiver
    /// with an end waives nothing.
    #[must_use]
    pub fn new(layers: Vec<Arc<Policy>>, as_of: Option<Time>) -> Self {
        let rules = layers
            .iter()
            .enumerate()
            .flat_map(|(layer, policy)| {
                policy.rules.iter().enumerate().map(move |(rank, rule)| Placed {
                    layer,
                    rank,
                    watches: rule.body.watches(),
                    past: rule.body.past(),
                    scope: rule.body.scope(),
                })
            })
            .collect();
        let mut engine = Engine {
            layers,
            rules,
            plans: BTreeMap::new(),
            others: Plan::default(),
            skeletons: BTreeSet::new(),
            dispatchers: DISPATCHERS.iter().map(|it| skeleton(it)).collect(),
            patterns: false,
            as_of,
        };
        engine.index();
        engine
    }

    fn index(&mut self) {
        let mut names: BTreeSet<Box<str>> = BTreeSet::new();
        let mut skeletons = BTreeSet::new();
        let mut patterns = false;
        for (rule, manner) in self.each_rule() {
            for role in rule.body.roles(manner) {
                for tool in role.tools.names() {
                    if tool.is_literal() {
                        names.insert(tool.text().into());
                        skeletons.insert(tool.skeleton().tool().into());
                    } else {
                        patterns = true;
                    }
                }
            }
        }
        self.skeletons = skeletons;
        self.patterns = patterns;
        self.others = self.work_out(None);
        self.plans = names.into_iter().map(|it| (it.clone(), self.work_out(Some(&it)))).collect();
    }

    /// Every rule with its policy's manner, in order.
    fn each_rule(&self) -> Vec<(&Rule, Manner)> {
        let of = |policy: &'_ Arc<Policy>| policy.manner;
        self.layers
            .iter()
            .flat_map(|policy| policy.rules.iter().map(move |rule| (rule, of(policy))))
            .collect()
    }

    fn work_out(&self, name: Option<&str>) -> Plan {
        let skeleton = Skeleton::new(name.unwrap_or_default());
        let name = name.map(|text| Name { text, skeleton: &skeleton });
        let plays = |role: &Role<'_>| match name {
            Some(name) => role.tools.covers(&name, role.names),
            None => !role.tools.is_named(),
        };
        let concern = |(rule, (it, manner)): (usize, (&Rule, Manner))| {
            let roles = it.body.roles(manner);
            let played = roles.iter().enumerate().filter(|(_, it)| plays(it));
            let roles_none = Roles::default();
            let mut concern = Concern { rule, roles: roles_none, named: false, selects: false };
            for (place, role) in played {
                concern.roles = concern.roles.with(place);
                concern.named |= role.tools.is_named();
                concern.selects |= role.tools.selects();
            }
            concern
        };
        let rules = self.each_rule().into_iter().enumerate();
        let concerns = rules.map(concern).filter(|it| !it.roles.is_none()).collect();
        Plan { concerns, dispatches: self.dispatchers.contains(skeleton.tool()) }
    }

    /// The rules that a call of this name concerns.
    fn plan(&self, name: &str) -> Cow<'_, Plan> {
        if let Some(plan) = self.plans.get(name) {
            return Cow::Borrowed(plan);
        }
        let skeleton = skeleton(name);
        let special = self.skeletons.contains(&*skeleton) || self.dispatchers.contains(&skeleton);
        if special || self.patterns {
            return Cow::Owned(self.work_out(Some(name)));
        }
        Cow::Borrowed(&self.others)
    }

    /// A call as rules see it, each time with those that it concerns. Where a dispatcher runs
    /// another call, compatible policies see the call as it stands; all others judge the call that
    /// runs, and the dispatcher's by the rules that name it or read the text of arguments.
    pub(crate) fn faces<'c>(&'c self, call: &'c Call<'c>) -> Faces<'c> {
        let outer = self.plan(&call.tool);
        if !outer.dispatches {
            return Faces::one(Face { call: Cow::Borrowed(call), plan: outer, opaque: false });
        }
        let (inner, opaque) = self.innermost(call);
        if matches!(inner, Cow::Borrowed(_)) {
            return Faces::one(Face { call: inner, plan: outer, opaque });
        }
        let mut runs = self.plan(&inner.tool).into_owned();
        runs.concerns.retain(|it| !self.is_compatible(it));
        // A rule that names both the dispatcher and the tool sees the call once, as the tool's.
        let elsewhere = |it: &Concern| runs.concerns.iter().any(|run| run.rule == it.rule);
        let mut as_it_stands = outer.into_owned();
        as_it_stands.concerns.retain(|it| {
            self.is_compatible(it) || self.reads_text(it) || (it.named && !elsewhere(it))
        });
        let outer = Face { call: Cow::Borrowed(call), plan: Cow::Owned(as_it_stands), opaque };
        let inner = Face { call: inner, plan: Cow::Owned(runs), opaque: false };
        Faces { outer, inner: Some(Box::new(inner)) }
    }

    /// The call that runs in the end, and whether that can't be told.
    fn innermost<'c>(&self, call: &'c Call<'c>) -> (Cow<'c, Call<'c>>, bool) {
        let mut inner = Cow::Borrowed(call);
        for _ in 0..DISPATCH_DEPTH_MAX {
            match unwrapped(&inner) {
                Inner::Nothing => return (inner, false),
                Inner::Hidden => return (inner, true),
                Inner::Call(call) => inner = Cow::Owned(*call),
            }
            if !self.plan(&inner.tool).dispatches {
                return (inner, false);
            }
        }
        let hides = !matches!(unwrapped(&inner), Inner::Nothing);
        (inner, hides)
    }

    fn is_compatible(&self, concern: &Concern) -> bool {
        let rule = self.rule(concern.rule);
        rule.is_some_and(|(_, policy, _)| policy.profile == Profile::Compatible)
    }

    fn reads_text(&self, concern: &Concern) -> bool {
        self.rules.get(concern.rule).is_some_and(|it| it.watches.text)
    }

    /// The roles that a call plays for a rule, and whether it can be told that it is judged: where
    /// the rule means some commands of a tool only, what the call runs decides.
    pub(crate) fn roles(&self, concern: &Concern, rule: &Rule, asked: &Asked<'_>) -> (Roles, bool) {
        if !concern.selects {
            return (concern.roles, true);
        }
        let skeleton = Skeleton::new(&asked.call.tool);
        let name = Name { text: &asked.call.tool, skeleton: &skeleton };
        let mut told = true;
        let mut played = Roles::default();
        for (place, role) in rule.body.roles(asked.manner).iter().enumerate() {
            match role.tools.chosen(&name, role.names, asked) {
                Chosen::Yes => played = played.with(place),
                Chosen::Untold if place == 0 => told = false,
                // What forbids counts what may be meant, what permits does not.
                Chosen::Untold if role.names == NameMatch::Skeleton => played = played.with(place),
                Chosen::Untold | Chosen::No => {}
            }
        }
        (played, told)
    }

    /// Whether every policy judges calls as they stand.
    pub(crate) fn all_compatible(&self) -> bool {
        self.layers.iter().all(|it| it.profile == Profile::Compatible)
    }

    /// What the rules need to be told.
    #[must_use]
    pub fn needs(&self) -> Needs {
        self.rules.iter().fold(Needs::default(), |needs, it| Needs {
            answers: needs.answers || it.watches.answers,
            words: needs.words || it.watches.words,
            end: needs.end || it.watches.end,
        })
    }

    /// What of a call by this name rules keep in mind, so that a store can leave out the rest.
    #[must_use]
    pub fn remembers(&self, tool: &str) -> Remembered {
        let plan = self.plan(tool);
        let placed = plan.concerns.iter().filter_map(|it| self.rules.get(it.rule));
        let told = placed.fold(Remembered::default(), |told, it| Remembered {
            args: told.args || it.past.session || it.past.times || it.past.life,
            answers: told.answers || it.watches.answers,
        });
        // What a dispatcher runs shows in its arguments alone.
        Remembered {
            args: told.args || plan.dispatches,
            answers: told.answers || (plan.dispatches && self.needs().answers),
        }
    }

    /// Whether any rule rests on what happened before.
    #[must_use]
    pub fn looks_back(&self) -> bool {
        self.rules.iter().any(|it| it.past.session || it.past.times)
    }

    /// The policies, in the order given.
    #[must_use]
    pub fn layers(&self) -> &[Arc<Policy>] {
        &self.layers
    }

    /// The moment that waivers are read at.
    #[must_use]
    pub fn as_of(&self) -> Option<Time> {
        self.as_of
    }

    pub(crate) fn placed(&self) -> &[Placed] {
        &self.rules
    }

    pub(crate) fn rule(&self, place: usize) -> Option<(&Placed, &Policy, &Rule)> {
        let placed = self.rules.get(place)?;
        let policy = self.layers.get(placed.layer)?;
        Some((placed, policy, policy.rules.get(placed.rank)?))
    }

    /// Whether any policy counts earlier calls from their result on, so that answers must be
    /// waited for.
    pub(crate) fn waits_for_answers(&self) -> bool {
        self.layers.iter().any(|it| it.manner.evidence != EvidenceFrom::Call)
    }
}

/// The call that a dispatcher runs.
enum Inner {
    /// The tool is no dispatcher, or its arguments name no tool.
    Nothing,
    Call(Box<Call<'static>>),
    /// Which call it is can't be told.
    Hidden,
}

fn unwrapped(call: &Call<'_>) -> Inner {
    let args = Arguments::new(&call.args, Keys::default());
    let root = match args.fields(lawbook_event::EXACT) {
        Fields::Object(root) => root,
        Fields::Empty => return Inner::Nothing,
        Fields::Unreadable(_) | Fields::Unrecorded => return Inner::Hidden,
    };
    match dispatched(root) {
        Dispatched::Nothing => Inner::Nothing,
        Dispatched::Ambiguous => Inner::Hidden,
        Dispatched::Call { tool, args } => {
            let args = Args { text: Cow::Owned(args), state: call.args.state };
            let call = Call { tool: Cow::Owned(tool), args, ..call.clone().into_owned() };
            Inner::Call(Box::new(call))
        }
    }
}
