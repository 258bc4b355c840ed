//! `arg_in`: an argument is one of a list of values.

use std::borrow::Cow;

use lawbook_event::json::Value;

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
    /// Whether text counts as it stands, white space included, and each item of a list by itself
    /// (pmstack).
    pub by_text: bool,
}

impl Kind for ArgIn {
    type Memory = ();
    type Taken = ();
    const NAME: &'static str = "arg_in";

    fn roles(&self, manner: Manner) -> Vec<Role<'_>> {
        vec![Role { tools: &self.tools, names: manner.names }]
    }

    fn judge(&self, (): &(), asked: &Asked<'_>, said: &mut Said) {
        let values = asked.manner.values;
        self.argument.judge(asked, said, |value| {
            if self.by_text {
                return self.unlisted(value, asked);
            }
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

impl ArgIn {
    /// What is wrong with the first value or item whose text is not allowed.
    fn unlisted(&self, value: Value<'_>, asked: &Asked<'_>) -> Option<String> {
        let values = asked.manner.values;
        let items: Vec<Value<'_>> =
            if value.is_array() { value.items().collect() } else { vec![value] };
        let listed = |it: &Value<'_>| self.allowed.iter().any(|text| *text == values.text(*it));
        let bad = items.into_iter().find(|it| !listed(it))?;
        let (tool, arg) = (&*asked.call.tool, self.argument.path.text());
        Some(format!("{tool}.{arg} {} not in allowed values", values.quote(&values.text(bad))))
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
        Some(Box::new(ArgIn { tools, argument: argument?, allowed: allowed?, by_text: false }))
    }
}
