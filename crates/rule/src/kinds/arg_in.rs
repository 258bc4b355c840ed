//! `arg_in`: an argument is one of a list of values.

use std::borrow::Cow;

use super::{OPTIONAL, TOOLS};
use crate::params::{Definition, Field, Params, Shape};
use crate::{Argument, Asked, Body, Kind, Manner, Objection, Role, Said, Tools};

/// How many of the allowed values a reply lists.
const LISTED_MAX: usize = 20;

/// An argument is one of a list of values.
#[derive(Debug)]
pub struct ArgIn {
    /// The tools it covers.
    pub tools: Tools,
    /// The argument.
    pub argument: Argument,
    /// The values, as the policy's semantics shows them as text.
    pub allowed: Vec<String>,
}

impl Kind for ArgIn {
    type Memory = ();
    const NAME: &'static str = "arg_in";

    fn roles(&self, manner: Manner) -> Vec<Role<'_>> {
        vec![Role { tools: &self.tools, names: manner.names }]
    }

    fn judge(&self, (): &(), asked: &Asked<'_>, said: &mut Said) {
        let values = asked.manner.values;
        self.argument.judge(asked, said, |value| {
            let text = values.key(value).unwrap_or(Cow::Borrowed(""));
            let listed = !text.is_empty() || value.as_str().is_some();
            if listed && self.allowed.iter().any(|it| *it == *text) {
                return None;
            }
            let shown = match values.key(value) {
                Some(text) => values.quote(&text),
                None => values.show(value),
            };
            let (tool, arg) = (&*asked.call.tool, self.argument.path.text());
            Some(format!("{tool}.{arg} {shown} not in allowed values"))
        });
    }

    fn reply(&self, asked: &Asked<'_>, _objection: &Objection) -> Option<String> {
        let (tool, arg) = (&*asked.call.tool, self.argument.path.text());
        let quote = |it: &String| asked.manner.values.quote(it);
        let listed: Vec<String> = self.allowed.iter().take(LISTED_MAX).map(quote).collect();
        let more = if self.allowed.len() > LISTED_MAX { " and others" } else { "" };
        Some(format!("{tool}.{arg} must be one of {}{more}", listed.join(", ")))
    }
}

const FIELDS: &[Field] = &[
    TOOLS,
    Field::required("arg", Shape::Path, "The argument."),
    Field::required("values", Shape::Values, "The values that are allowed."),
    OPTIONAL,
];

/// How a native policy writes it.
#[derive(Debug)]
pub struct Native;

impl Definition for Native {
    fn name(&self) -> &'static str {
        ArgIn::NAME
    }

    fn page(&self) -> &'static str {
        include_str!("arg_in.md")
    }

    fn fields(&self) -> &'static [Field] {
        FIELDS
    }

    fn build(&self, params: &mut Params<'_>) -> Option<Box<dyn Body>> {
        let tools = params.tools("tools");
        let (argument, allowed) = (params.argument("arg"), params.keys("values"));
        Some(Box::new(ArgIn { tools, argument: argument?, allowed: allowed? }))
    }
}
