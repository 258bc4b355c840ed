//! What a call costs.

use std::collections::BTreeMap;
use std::sync::Arc;

use lawbook_event::{Number, Path, Skeleton};

use super::CREDITS_MAX;
use crate::argument::cannot_check;
use crate::params::{Node, Params};
use crate::{Asked, Found, Name, Objection, ToolName, Tools};

/// What a call of one tool costs.
#[derive(Clone, Debug, PartialEq)]
pub enum Cost {
    /// So many credits.
    Fixed(u64),
    /// What this argument says, the next whole number above it.
    Arg(Path),
}

/// What calls cost, by tool.
#[derive(Clone, Debug, Default)]
pub struct Prices {
    /// By the very name.
    listed: BTreeMap<String, Price>,
    /// The same tools and patterns, for names that only look like one of them.
    dressed: Vec<(Tools, Price)>,
    /// What every other tool costs, in credits.
    otherwise: u64,
}

#[derive(Clone, Debug)]
struct Price {
    cost: Cost,
    /// The id that an objection to an unreadable price has, where it is not the rule's.
    rule: Option<Arc<str>>,
}

/// The price of a call.
pub(super) struct Priced {
    /// In credits.
    pub cost: u64,
    /// It is the policy's own number, and no caller or model had a say.
    pub fixed: bool,
}

/// Why a call has no price.
pub(super) enum Fault {
    /// The argument that says so is no price.
    Wrong(Box<Objection>),
    /// The recording doesn't tell.
    Unrecorded(Path),
}

impl Prices {
    /// Every tool costs so many credits, unless it is listed.
    #[must_use]
    pub fn otherwise(credits: u64) -> Self {
        Prices { otherwise: credits, ..Prices::default() }
    }

    /// Lists a tool by its literal name.
    pub fn list(&mut self, tool: &str, cost: Cost) {
        self.add(ToolName::literal(tool), cost, None);
    }

    fn add(&mut self, tool: ToolName, cost: Cost, rule: Option<Arc<str>>) {
        let price = Price { cost, rule };
        if tool.is_literal() {
            self.listed.insert(tool.text().to_owned(), price.clone());
        }
        self.dressed.push((Tools::Named(vec![tool]), price));
    }

    /// The prices of a rule, before those of the table of tools.
    pub(super) fn read(params: &mut Params<'_>) -> Option<Self> {
        let mut prices = Prices::default();
        let own = params.node("costs").map(Node::entries).unwrap_or_default();
        for entry in own {
            prices.add(ToolName::new(entry.key.as_str()), cost(&entry.value)?, None);
        }
        let named = |it: &str| own.iter().any(|entry| entry.key == it);
        for (tool, cost) in params.defaults().costs.iter().filter(|it| !named(it.0)) {
            let id = Arc::from(format!("{tool}.cost"));
            prices.add(ToolName::literal(tool.as_str()), cost.clone(), Some(id));
        }
        Some(prices)
    }

    /// What a call costs: what its tool costs, or what the caller declares if that is more.
    pub(super) fn of(&self, asked: &Asked<'_>) -> Result<Priced, Fault> {
        let declared = asked.call.cost.unwrap_or_default();
        let (own, fixed) = self.own(asked)?;
        Ok(Priced { cost: own.max(declared), fixed: fixed && declared <= own })
    }

    /// What the tool costs, and whether that is the policy's own number. A name that only looks
    /// like a listed one costs as much as the dearest of those.
    fn own(&self, asked: &Asked<'_>) -> Result<(u64, bool), Fault> {
        let tool = &*asked.call.tool;
        if let Some(price) = self.listed.get(tool) {
            return price.of(asked);
        }
        let skeleton = Skeleton::new(tool);
        let name = Name { text: tool, skeleton: &skeleton };
        let mut dearest = (self.otherwise, true);
        for (tools, price) in &self.dressed {
            if tools.covers(&name, asked.manner.names) {
                let price = price.of(asked)?;
                dearest = if price.0 >= dearest.0 { price } else { dearest };
            }
        }
        Ok(dearest)
    }
}

impl Price {
    fn of(&self, asked: &Asked<'_>) -> Result<(u64, bool), Fault> {
        let path = match &self.cost {
            Cost::Fixed(credits) => return Ok((*credits, true)),
            Cost::Arg(path) => path,
        };
        let wrong = |message: String| {
            let objection = Objection { rule: self.rule.clone(), ..Objection::new(message) };
            Err(Fault::Wrong(Box::new(objection.path(path))))
        };
        let (tool, arg, values) = (&*asked.call.tool, path.text(), asked.manner.values);
        match asked.args.find(values, path) {
            Found::Unrecorded => Err(Fault::Unrecorded(path.clone())),
            Found::Absent => wrong(format!("{tool} has no {arg}, which says what it costs")),
            Found::Unreadable(why) => wrong(cannot_check(asked, why, arg)),
            Found::Value(value) => {
                let credits = values.number(value).as_ref().and_then(Number::credits);
                match credits.filter(|it| *it <= CREDITS_MAX) {
                    Some(credits) => Ok((credits, false)),
                    None => wrong(format!("{tool}.{arg} {} is no cost", values.show(value))),
                }
            }
        }
    }
}

/// The cost that a value states; its shape has been checked.
#[must_use]
pub fn cost(node: &Node) -> Option<Cost> {
    if let Some(arg) = node.get("arg") {
        return Some(Cost::Arg(Path::parse(arg.words()?)));
    }
    Number::exact(node.words()?)?.whole().map(Cost::Fixed)
}
