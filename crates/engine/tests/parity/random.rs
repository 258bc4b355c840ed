//! Random policies, as data from which the engine's rules and the naive reading both come.

use std::collections::BTreeMap;
use std::sync::Arc;

use lawbook_diag::{Mode, Verdict};
use lawbook_event::{
    EXACT, JAVASCRIPT, Number, PYTHON, Path, PatternUse, Reading, Severity, SuccessReading,
};
use lawbook_rule::kinds::{
    Approval, ApprovalAbove, ArgEquals, AtMost, Budget, Confirm, ConfirmBy, Consent, Cost, Ends,
    LeavesOut, Lets, Per, Prices, Refusals, RequireBefore, Scars, Source, WEIGHTS,
};
use lawbook_rule::{
    Argument, Asks, Body, EvidenceFrom, Literal, Manner, NameMatch, OnUnknown, Pick, Policy,
    Predicate, Profile, Report, Rule, Scope, SessionPath, Share, Test, Tools,
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

    pub fn chance(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }

    pub fn pick<'p, T>(&mut self, from: &'p [T]) -> &'p T {
        let n = u64::try_from(from.len()).unwrap();
        &from[usize::try_from(self.below(n)).unwrap()]
    }

    pub fn tool(&mut self) -> &'static str {
        self.pick::<&'static str>(&TOOLS)
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
        apart: Apart,
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
    Approval {
        tool: &'static str,
        by: &'static str,
        bind: bool,
        spend: bool,
    },
    /// pmstack's confirmation, by the user's newest message.
    LastWord {
        tool: &'static str,
    },
}

/// What a cap counts apart.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Apart {
    Nothing,
    Key,
    Turn,
    Batch,
}

pub fn rules(dice: &mut Dice) -> Vec<Plan> {
    let n = 1 + dice.below(5);
    (0..n)
        .map(|_| match dice.below(8) {
            0..3 => Plan::Before {
                tool: dice.tool(),
                first: dice.some_tools(2),
                success: dice.chance(70),
                contains: dice.chance(30),
                same: dice.chance(50),
                latest: dice.chance(40),
                voided_by: if dice.chance(40) { dice.some_tools(2) } else { Vec::new() },
            },
            3..5 => cap(dice),
            5 => Plan::Equals { tool: dice.tool(), from: dice.tool(), same: dice.chance(50) },
            6 => Plan::Approval {
                tool: dice.tool(),
                by: dice.tool(),
                bind: dice.chance(50),
                spend: dice.chance(70),
            },
            _ => Plan::Confirm {
                tool: dice.tool(),
                by: dice.tool(),
                same: dice.chance(50),
                spend: dice.chance(50),
            },
        })
        .collect()
}

fn cap(dice: &mut Dice) -> Plan {
    let apart = *dice.pick(&[Apart::Nothing, Apart::Key, Apart::Turn, Apart::Batch]);
    let window = matches!(apart, Apart::Nothing | Apart::Key) && dice.chance(30);
    let max = dice.below(if window { 4 } else { 3 });
    Plan::AtMost { tools: dice.some_tools(3), max, apart, successes: dice.chance(60), window }
}

pub const WINDOW_SECS: u8 = 4;

/// The smallest number that needs an approval.
pub const APPROVAL_FROM: u64 = 1;

/// Whose policies are made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Like {
    Lawbook,
    Faultgate,
    Pmstack,
}

fn body(plan: &Plan, like: Like) -> Box<dyn Body> {
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
                same_subject: false,
                explain: true,
            })
        }
        Plan::AtMost { tools, max, apart, successes, window } => Box::new(AtMost {
            tools: Tools::literal(tools),
            max: f64::from(u32::try_from(max).unwrap()),
            max_text: max.to_string(),
            per: match apart {
                Apart::Nothing if like == Like::Pmstack => Per::Tool,
                Apart::Nothing => Per::Session,
                Apart::Key => Per::Arg(Path::parse("k")),
                Apart::Turn => Per::Turn,
                Apart::Batch => Per::Batch,
            },
            exact: false,
            window_secs: window.then_some(f64::from(WINDOW_SECS)),
            leaves_out: match (successes, like) {
                (false, _) => LeavesOut::Nothing,
                (true, Like::Faultgate) => LeavesOut::ErrorTexts,
                (true, _) => LeavesOut::Failed,
            },
            closes: false,
            scope: Scope::Session,
            front_only: false,
        }),
        Plan::Equals { tool, from, same } => Box::new(ArgEquals {
            tools: Tools::literal([tool]),
            argument: Argument::optional(Path::parse("n")),
            source: Source::Result {
                tool: Tools::literal([from]),
                path: Path::parse("n"),
                same_arg: key(same),
            },
        }),
        Plan::Confirm { tool, by, same, spend } => Box::new(Confirm {
            tools: Tools::literal([tool]),
            asker: Tools::literal([by]),
            spend: spend && like == Like::Lawbook,
            by: ConfirmBy::Tool { tool: by.to_owned(), same_arg: key(same), otherwise: "" },
        }),
        Plan::Approval { tool, by, bind, spend } => Box::new(ApprovalAbove {
            tools: Tools::literal([tool]),
            argument: Argument::optional(Path::parse("n")),
            max: Number::exact(&(APPROVAL_FROM - 1).to_string()).unwrap(),
            min: None,
            by: Tools::literal([by]),
            lets: match like {
                Like::Pmstack => Lets::Everything,
                Like::Lawbook | Like::Faultgate => Lets::Bound {
                    bind: key(bind).into_iter().collect(),
                    spend,
                    same_subject: false,
                },
            },
        }),
        Plan::LastWord { tool } => {
            let yes = JAVASCRIPT.pattern(r"\byes\b", true, PatternUse::Allow).unwrap();
            let consent = Consent::new(vec![yes], Refusals::Beside);
            Box::new(Confirm {
                tools: Tools::literal([tool]),
                asker: Tools::Named(Vec::new()),
                spend: false,
                by: ConfirmBy::LastWord { consent, user_word: "customer".to_owned() },
            })
        }
    }
}

pub fn rule(place: usize, body: Box<dyn Body>) -> Rule {
    Rule {
        id: Arc::from(format!("r{place}")),
        why: None,
        tell: None,
        when: None,
        verdict: Verdict::Deny,
        mode: Mode::Enforce,
        on_unknown: OnUnknown::OwnVerdict,
        report: Report::Each,
        scar: None,
        body,
    }
}

fn policy_of(plans: &[Plan], like: Like) -> Policy {
    let rules = plans.iter().enumerate().map(|(place, plan)| rule(place, body(plan, like)));
    Policy {
        name: None,
        dialect: "test",
        profile: if like == Like::Lawbook { Profile::Native } else { Profile::Compatible },
        digest: String::new(),
        owner: None,
        not_covered: Vec::new(),
        reading: Reading::Full,
        manner: manner(like),
        pick: Pick::All,
        rules: rules.collect(),
        waivers: Vec::new(),
        tools: BTreeMap::new(),
    }
}

fn manner(like: Like) -> Manner {
    let (values, success, evidence) = match like {
        Like::Lawbook => (EXACT, SuccessReading::Declared, EvidenceFrom::Result),
        Like::Faultgate => (PYTHON, SuccessReading::Structural, EvidenceFrom::Call),
        Like::Pmstack => (JAVASCRIPT, SuccessReading::State, EvidenceFrom::ResultElseCall),
    };
    let names = if like == Like::Lawbook { NameMatch::Skeleton } else { NameMatch::Exact };
    Manner { values, success, evidence, names }
}

/// A random policy. Compatible ones leave out what their system doesn't have. Every objection is
/// reported, as live doors do: which one is the first of its key can change when a call turns
/// out to have failed.
pub fn policy(dice: &mut Dice, like: Like) -> Policy {
    let mut plans = rules(dice);
    match like {
        Like::Lawbook => {}
        Like::Faultgate => plans.retain(is_of_faultgate),
        Like::Pmstack => plans.iter_mut().for_each(as_of_pmstack),
    }
    policy_of(&plans, like)
}

fn is_of_faultgate(plan: &Plan) -> bool {
    match plan {
        Plan::Equals { .. } | Plan::Approval { .. } | Plan::LastWord { .. } => false,
        Plan::AtMost { apart, .. } => matches!(apart, Apart::Nothing | Apart::Key),
        Plan::Before { .. } | Plan::Confirm { .. } => true,
    }
}

/// What pmstack has of a rule.
fn as_of_pmstack(plan: &mut Plan) {
    match plan {
        Plan::Before { success, contains, same, latest, voided_by, .. } => {
            (*success, *contains, *same, *latest) = (true, false, false, false);
            voided_by.clear();
        }
        Plan::AtMost { apart, successes, window, .. } => {
            (*apart, *successes, *window) = (Apart::Nothing, true, false);
        }
        Plan::Equals { same, .. } => *same = false,
        Plan::Confirm { tool, .. } => *plan = Plan::LastWord { tool },
        Plan::Approval { .. } | Plan::LastWord { .. } => {}
    }
}

pub fn native(plans: &[Plan]) -> Policy {
    policy_of(plans, Like::Lawbook)
}

/// A random policy with rules on words, subjects and an agent's life beside the others, some of
/// which only ask and some of which mark the agent.
pub fn with_words(dice: &mut Dice, like: Like) -> Policy {
    let mut policy = policy(dice, like);
    let first = policy.rules.len();
    let more: Vec<Box<dyn Body>> = match like {
        Like::Faultgate => Vec::new(),
        Like::Lawbook | Like::Pmstack => {
            let more = (0..2 + dice.below(2)).map(|_| of_words_or_subjects(dice));
            let mut more: Vec<_> = more.collect();
            more.extend((0..dice.below(3)).map(|_| of_a_life(dice)));
            more
        }
    };
    policy.pick = *dice.pick(&[Pick::All, Pick::All, Pick::First]);
    policy.rules.extend(more.into_iter().zip(first..).map(|(body, place)| rule(place, body)));
    for rule in &mut policy.rules {
        rule.verdict = *dice.pick(&[Verdict::Deny, Verdict::Ask, Verdict::Ask]);
        rule.scar = Some(*dice.pick(&Severity::ALL)).filter(|_| dice.chance(20));
    }
    policy
}

fn of_words_or_subjects(dice: &mut Dice) -> Box<dyn Body> {
    let (tools, other) = (Tools::literal(dice.some_tools(3)), Tools::literal(dice.some_tools(2)));
    let paths = |dice: &mut Dice, names: &[&str]| {
        let mut paths: Vec<Path> = names.iter().map(|it| Path::parse(it)).collect();
        paths.retain(|_| dice.chance(50));
        paths
    };
    match dice.below(4) {
        0 => Box::new(RequireBefore {
            tools,
            first: other,
            success: true,
            result_contains: dice.chance(20).then(|| "ok".to_owned()),
            result: Vec::new(),
            same_arg: dice.chance(30).then(|| Path::parse("to")),
            latest: dice.chance(40),
            voided_by: Tools::Named(Vec::new()),
            same_subject: true,
            explain: true,
        }),
        1 => Box::new(ApprovalAbove {
            tools,
            argument: Argument::optional(Path::parse("n")),
            max: Number::exact("0").unwrap(),
            min: None,
            by: other,
            lets: Lets::Bound {
                bind: paths(dice, &["to", "k"]),
                spend: dice.chance(70),
                same_subject: dice.chance(50),
            },
        }),
        _ => {
            let yes = EXACT.pattern("yes", true, PatternUse::Allow).unwrap();
            Box::new(Confirm {
                tools,
                asker: Tools::Named(Vec::new()),
                spend: dice.chance(50),
                by: ConfirmBy::User {
                    consent: Consent::new(vec![yes], Refusals::OutsideMatch),
                    bind: paths(dice, &["to", "n"]),
                    user_word: "customer".to_owned(),
                    sharing: other,
                    same_values: dice.chance(50),
                },
            })
        }
    }
}

/// A rule that lasts for the life of an agent, or is about it.
fn of_a_life(dice: &mut Dice) -> Box<dyn Body> {
    let subject = SessionPath::parse("session.metadata.place");
    let per = dice.pick(&[Share::Agent, Share::Session, Share::Subject(subject)]).clone();
    match dice.below(4) {
        0 => {
            let mut prices = Prices::otherwise(dice.below(2));
            prices.list("a", Cost::Fixed(3));
            prices.list("b", Cost::Arg(Path::parse("n")));
            let ends = *dice.pick(&[Ends::AtZero, Ends::ByPrice]);
            let (tools, credits) = (Tools::Every, 5 + dice.below(20));
            Box::new(Budget { tools, credits, per, prices, ends })
        }
        1 => {
            let limit = u32::try_from(3 + dice.below(20)).unwrap();
            Box::new(Scars { tools: Tools::Every, limit, weights: WEIGHTS, per })
        }
        2 => {
            let above = (Argument::optional(Path::parse("n")), Number::exact("0").unwrap());
            let expires_secs = dice.chance(30).then_some(2.0);
            let people = u32::try_from(1 + dice.below(2)).unwrap();
            Box::new(Approval {
                tools: Tools::literal(dice.some_tools(3)),
                above: dice.chance(50).then_some(above).into_iter().collect(),
                asks: Asks { people, expires_secs, waiting_max: None },
            })
        }
        _ => {
            let max = u32::try_from(1 + dice.below(3)).unwrap();
            Box::new(AtMost {
                tools: Tools::literal(dice.some_tools(3)),
                max: f64::from(max),
                max_text: max.to_string(),
                per: Per::Session,
                exact: false,
                window_secs: dice.chance(70).then_some(f64::from(WINDOW_SECS)),
                leaves_out: LeavesOut::Nothing,
                closes: false,
                scope: Scope::Agent,
                front_only: dice.chance(50),
            })
        }
    }
}
