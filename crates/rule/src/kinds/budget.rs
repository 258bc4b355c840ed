//! `budget`: so many credits and no more, for an agent's life, a session or a subject.

mod price;

use lawbook_event::Number;

use self::price::Priced;
use crate::params::{Definition, Field, Params, Shape};
use crate::{
    Account, Asked, Body, Charge, Key, Keyed, Kind, Manner, Moment, Objection, Past, Role, Said,
    Scope, Share, Tools, Watches,
};

pub use self::price::{Cost, Prices, cost};

/// The most credits that a budget may hold and a call may cost: integers up to here are the same
/// number to every reader of JSON.
///
/// ```
/// assert_eq!(lawbook_rule::kinds::CREDITS_MAX, 1 << 53);
/// ```
pub const CREDITS_MAX: u64 = 9_007_199_254_740_992;

/// So many credits and no more.
#[derive(Debug)]
pub struct Budget {
    /// The tools that it pays for: all of them.
    pub tools: Tools,
    /// How many credits there are. They are never refilled.
    pub credits: u64,
    /// Who has so many.
    pub per: Share,
    /// What calls cost.
    pub prices: Prices,
    /// When an agent has ended whose budget it is.
    pub ends: Ends,
}

/// When an agent has ended whose budget is used up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ends {
    /// After any allowed call with nothing left (lineage).
    AtZero,
    /// After a call whose fixed price took the last credit. A cost that a caller or a model wrote
    /// into the call never ends an agent; it leaves nothing to spend, which is enough.
    ByPrice,
}

/// What was spent, by key.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    spent: Keyed<u64>,
    /// Who has made a call whose cost is not recorded.
    untold: Keyed<bool>,
}

crate::coded!(Memory { spent, untold });

/// What a call took whose cost is not recorded. No cost is so large.
const UNTOLD: u64 = u64::MAX;

impl Memory {
    fn spent(&self, key: &Key) -> u64 {
        self.spent.get(key).copied().unwrap_or_default()
    }

    fn spend(&mut self, key: Key, cost: u64) {
        if cost == UNTOLD {
            if let Some(untold) = self.untold.place(key) {
                *untold = true;
            }
            return;
        }
        if let Some(spent) = self.spent.place(key) {
            *spent = spent.saturating_add(cost);
        }
    }
}

impl Kind for Budget {
    type Memory = Memory;
    /// Whose budget, and how many credits.
    type Taken = (Key, u64);
    const NAME: &'static str = "budget";

    fn roles(&self, manner: Manner) -> Vec<Role<'_>> {
        vec![Role { tools: &self.tools, names: manner.names }]
    }

    fn watches(&self) -> Watches {
        Watches { charges: true, ..Watches::default() }
    }

    fn past(&self) -> Past {
        Past { session: true, times: false, life: self.per != Share::Session }
    }

    fn scope(&self) -> Scope {
        self.per.scope()
    }

    fn judge(&self, memory: &Memory, asked: &Asked<'_>, said: &mut Said) {
        let cost = match self.prices.of(asked) {
            Ok(priced) => priced.cost,
            Err(price::Fault::Wrong(objection)) => return said.object(*objection),
            Err(price::Fault::Unrecorded(path)) => {
                return crate::argument::unrecorded(asked, &path, said);
            }
        };
        let Some(key) = self.per.asked_key(asked, said) else { return };
        if memory.spent.is_full() && memory.spent.get(&key).is_none() {
            return said.gap("memory", "more subjects than the rule can remember");
        }
        let account = Account { credits: self.credits, spent: memory.spent(&key) };
        if cost > account.remaining() {
            said.object(Objection::new(self.short(asked, cost, account)));
        } else if cost > 0 && (memory.untold.get(&key).is_some() || memory.untold.is_full()) {
            let tool = &*asked.call.tool;
            let message = format!("what is left for `{tool}` is unknown: an earlier cost is");
            said.gap("cost of an earlier call", message);
        }
    }

    fn reply(&self, asked: &Asked<'_>, _objection: &Objection) -> Option<String> {
        // What is left is a total, which is not the model's to know.
        Some(format!("{} costs more credits than are left", asked.call.tool))
    }

    fn charge(&self, memory: &Memory, asked: &Asked<'_>) -> Option<Charge> {
        let priced = self.prices.of(asked).ok()?;
        let key = self.per.key(asked.session, asked.manner.values, asked.args.keys())?;
        let account = Account { credits: self.credits, spent: memory.spent(&key) };
        let remaining = account.remaining().saturating_sub(priced.cost);
        let of_agent = self.per == Share::Agent;
        let ends = (of_agent && self.ends_with(&priced, remaining)).then(|| EXHAUSTED.to_owned());
        Some(Charge { cost: priced.cost, remaining, of_agent, ends })
    }

    fn account(&self, memory: &Memory) -> Option<Account> {
        let spent = memory.spent(&Key::shared());
        (self.per == Share::Agent).then_some(Account { credits: self.credits, spent })
    }

    /// What is not left counts as spent, so that a larger budget in a new policy gives nothing that
    /// nobody stated.
    fn carry(&self, memory: &mut Memory, remaining: Option<u64>, _score: u32) {
        if self.per == Share::Agent
            && let Some(remaining) = remaining
            && let Some(spent) = memory.spent.place(Key::shared())
        {
            *spent = self.credits.saturating_sub(remaining);
        }
    }

    fn takes(&self, _memory: &Memory, moment: &Moment<'_>) -> Option<(Key, u64)> {
        let Moment::Happened { asked, roles } = *moment else { return None };
        let cost = match self.prices.of(asked) {
            _ if !roles.has(0) => return None,
            Ok(priced) => priced.cost,
            Err(price::Fault::Unrecorded(_)) => UNTOLD,
            Err(price::Fault::Wrong(_)) => return None,
        };
        let key = self.per.key(asked.session, asked.manner.values, asked.args.keys())?;
        (cost > 0).then_some((key, cost))
    }

    fn fold(&self, memory: &mut Memory, (key, cost): (Key, u64)) {
        memory.spend(key, cost);
    }
}

/// Why an agent has ended that has nothing left, in lineage's words.
const EXHAUSTED: &str = "budget exhausted";

impl Budget {
    fn ends_with(&self, priced: &Priced, remaining: u64) -> bool {
        let nothing_left = remaining == 0;
        match self.ends {
            Ends::AtZero => nothing_left,
            Ends::ByPrice => nothing_left && priced.fixed && priced.cost > 0,
        }
    }

    fn short(&self, asked: &Asked<'_>, cost: u64, account: Account) -> String {
        let (tool, left, credits) = (&*asked.call.tool, account.remaining(), account.credits);
        let whose = match &self.per {
            Share::Agent => "",
            Share::Session => " in this session",
            Share::Subject(_) => " for whom it is called",
        };
        format!("{tool} costs {cost}, and {left} of {credits} credits are left{whose}")
    }
}

const FIELDS: &[Field] = &[
    Field::required(
        "credits",
        Shape::Whole,
        "How many credits there are; they are never refilled.",
    ),
    Field::optional(
        "per",
        Shape::OneOf(&["agent", "session", "subject"]),
        "Who has so many; `agent` if left out.",
    ),
    Field::optional(
        "subject",
        Shape::SessionKey,
        "With `per: subject`: the place in the session that names whom the agent works for.",
    ),
    Field::optional(
        "costs",
        Shape::Costs,
        "What a call of a tool costs, before what the table of tools says; other tools cost nothing.",
    ),
];

/// How a native policy writes it.
#[derive(Debug)]
pub struct Native;

impl Definition for Native {
    fn name(&self) -> &'static str {
        Budget::NAME
    }

    fn page(&self) -> &'static str {
        include_str!("budget.md")
    }

    fn fields(&self) -> &'static [Field] {
        FIELDS
    }

    fn build(&self, params: &mut Params<'_>) -> Option<Box<dyn Body>> {
        let per = super::share(params);
        let credits = params.number("credits").as_ref().and_then(Number::whole);
        if credits == Some(0) {
            let help = "give it at least one, or forbid the tools with `never`";
            params.refuse("credits", "a budget of 0 pays for nothing", help);
        }
        let prices = Prices::read(params);
        let (tools, ends) = (Tools::Every, Ends::ByPrice);
        Some(Box::new(Budget { tools, credits: credits?, per: per?, prices: prices?, ends }))
    }
}
