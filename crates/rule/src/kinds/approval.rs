//! `approval`: people must say yes before a call runs.

use lawbook_diag::Verdict;
use lawbook_event::{Number, Path};

use super::TOOLS;
use crate::params::{Definition, Field, Params, Shape};
use crate::{Absent, Argument, Asked, Asks, Body, Kind, Manner, Objection, Role, Said, Tools};

/// The most people that a rule may ask for.
///
/// ```
/// assert_eq!(lawbook_rule::kinds::PEOPLE_MAX, 100);
/// ```
pub const PEOPLE_MAX: u32 = 100;

/// People must say yes before a call runs.
#[derive(Debug)]
pub struct Approval {
    /// The tools it covers.
    pub tools: Tools,
    /// The numbers that need no yes up to here, by argument; with none of them every call needs
    /// one.
    pub above: Vec<(Argument, Number)>,
    /// How many people, and by when.
    pub asks: Asks,
}

impl Kind for Approval {
    type Memory = ();
    type Taken = ();
    const NAME: &'static str = "approval";

    fn roles(&self, manner: Manner) -> Vec<Role<'_>> {
        vec![Role { tools: &self.tools, names: manner.names }]
    }

    fn judge(&self, (): &(), asked: &Asked<'_>, said: &mut Said) {
        let asks = Some(self.asks);
        if self.above.is_empty() {
            let message = format!("{} needs a yes of {}", self.tools.called(asked), self.whose());
            return said.object(Objection { asks, ..Objection::new(message) });
        }
        let values = asked.manner.values;
        let before = said.objections.len();
        for (argument, max) in &self.above {
            argument.judge(asked, said, |value| {
                let place = format!("{}.{}", asked.call.tool, argument.path.text());
                match values.number(value) {
                    Some(number) if !number.compare(max).is_gt() => None,
                    Some(number) => {
                        let (number, max) = (number.display(), max.display());
                        Some(format!("{place} {number} > {max} needs a yes of {}", self.whose()))
                    }
                    None => {
                        let shown = values.show(value);
                        let whose = self.whose();
                        Some(format!(
                            "{place} {shown} is not a number, so it needs a yes of {whose}"
                        ))
                    }
                }
            });
        }
        for objection in said.objections.iter_mut().skip(before) {
            objection.asks = asks;
        }
    }

    fn reply(&self, asked: &Asked<'_>, _objection: &Objection) -> Option<String> {
        Some(format!("{} waits for a yes of {}", self.tools.called(asked), self.whose()))
    }
}

impl Approval {
    fn whose(&self) -> String {
        match self.asks.people {
            0 | 1 => "a person".to_owned(),
            people => format!("{people} people"),
        }
    }
}

const FIELDS: &[Field] = &[
    TOOLS,
    Field::optional(
        "above",
        Shape::Numbers,
        "Numbers that need no yes up to here, by argument; every call needs one if left out.",
    ),
    Field::optional("people", Shape::Whole, "How many different people; 1 if left out."),
    Field::optional(
        "expires",
        Shape::Duration,
        "How long the yes may take; without it a call waits until somebody answers.",
    ),
    Field::optional(
        "waiting_max",
        Shape::Whole,
        "How many calls of the agent may wait for people at once; a further one is refused.",
    ),
];

/// How a native policy writes it.
#[derive(Debug)]
pub struct Native;

impl Definition for Native {
    fn name(&self) -> &'static str {
        Approval::NAME
    }

    fn page(&self) -> &'static str {
        include_str!("approval.md")
    }

    fn fields(&self) -> &'static [Field] {
        FIELDS
    }

    fn verdict(&self) -> Verdict {
        Verdict::Ask
    }

    fn build(&self, params: &mut Params<'_>) -> Option<Box<dyn Body>> {
        let tools = params.tools("tools");
        let mut above = Vec::new();
        let entries = params.node("above").map(crate::params::Node::entries).unwrap_or_default();
        for entry in entries {
            let path = Path::parse(&entry.key);
            // What can't be seen to be small needs a yes.
            let argument = Argument { absent: Absent::Objected, ..Argument::optional(path) };
            above.push((argument, Number::exact(entry.value.words()?)?));
        }
        let people = params.number("people").as_ref().map_or(Some(1), Number::whole);
        let people =
            people.and_then(|it| u32::try_from(it).ok()).filter(|it| (1..=PEOPLE_MAX).contains(it));
        if people.is_none() {
            let message = format!("`people` is 1 to {PEOPLE_MAX}");
            params.refuse("people", message, "how many different people must say yes");
        }
        let expires_secs = params.secs("expires");
        if expires_secs == Some(0.0) {
            params.refuse("expires", "nobody can answer within no time", "as in `1h`");
        }
        let waiting_max = params.number("waiting_max").as_ref().map(Number::whole);
        let waiting_max = waiting_max.map(|it| it.and_then(|it| u32::try_from(it).ok()));
        if waiting_max.is_some_and(|it| it.is_none_or(|it| it == 0)) {
            let help = "how many calls may wait at once, as in `5`";
            params.refuse("waiting_max", "`waiting_max` is at least 1", help);
        }
        let asks = Asks { people: people?, expires_secs, waiting_max: waiting_max.flatten() };
        Some(Box::new(Approval { tools, above, asks }))
    }
}
