//! `arg_range`: a number in an argument stays between two bounds, both included.

use lawbook_event::Number;

use super::{OPTIONAL, TOOLS};
use crate::params::{Definition, Field, Params, Shape};
use crate::{Argument, Asked, Body, Kind, Manner, Objection, Role, Said, Tools};

/// A number in an argument stays between two bounds, both included.
#[derive(Debug)]
pub struct ArgRange {
    /// The tools it covers.
    pub tools: Tools,
    /// The argument.
    pub argument: Argument,
    /// The lower bound.
    pub min: Option<Number>,
    /// The upper bound.
    pub max: Option<Number>,
}

impl Kind for ArgRange {
    type Memory = ();
    type Taken = ();
    const NAME: &'static str = "arg_range";

    fn roles(&self, manner: Manner) -> Vec<Role<'_>> {
        vec![Role { tools: &self.tools, names: manner.names }]
    }

    fn judge(&self, (): &(), asked: &Asked<'_>, said: &mut Said) {
        let values = asked.manner.values;
        let place = || format!("{}.{}", asked.call.tool, self.argument.path.text());
        self.argument.judge(asked, said, |value| {
            let Some(number) = values.number(value) else {
                return Some(format!("{} {} is not a number", place(), values.show(value)));
            };
            if number.is_beyond_double() {
                return Some(format!(
                    "{} {} is beyond the largest double",
                    place(),
                    values.show(value)
                ));
            }
            match (&self.max, &self.min) {
                (Some(max), _) if number.compare(max).is_gt() => {
                    Some(format!("{} {} > max {}", place(), number.display(), max.display()))
                }
                (_, Some(min)) if number.compare(min).is_lt() => {
                    Some(format!("{} {} < min {}", place(), number.display(), min.display()))
                }
                _ => None,
            }
        });
    }

    fn reply(&self, _asked: &Asked<'_>, objection: &Objection) -> Option<String> {
        Some(objection.message.clone())
    }
}

const FIELDS: &[Field] = &[
    TOOLS,
    Field::required("arg", Shape::Path, "The argument; `[*]` stands for every item of a list."),
    Field::optional("min", Shape::Number, "The lower bound, itself allowed."),
    Field::optional("max", Shape::Number, "The upper bound, itself allowed."),
    OPTIONAL,
];

/// How a native policy writes it.
#[derive(Debug)]
pub struct Native;

impl Definition for Native {
    fn name(&self) -> &'static str {
        ArgRange::NAME
    }

    fn page(&self) -> &'static str {
        include_str!("arg_range.md")
    }

    fn fields(&self) -> &'static [Field] {
        FIELDS
    }

    fn build(&self, params: &mut Params<'_>) -> Option<Box<dyn Body>> {
        let tools = params.tools("tools");
        let argument = params.argument("arg");
        let (min, max) = (params.number("min"), params.number("max"));
        if !params.has("min") && !params.has("max") {
            params.refuse("", "needs `min` or `max`", "state the bound, as in `max: 500`");
        }
        if let (Some(min), Some(max)) = (&min, &max)
            && min.compare(max).is_gt()
        {
            let message = format!("`min` {} is above `max` {}", min.display(), max.display());
            params.refuse("min", message, "no number meets both");
        }
        if min.is_none() && max.is_none() {
            return None;
        }
        Some(Box::new(ArgRange { tools, argument: argument?, min, max }))
    }
}
