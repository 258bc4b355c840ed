//! `arg_required`: every call carries these arguments, and none of them is empty.

use lawbook_event::Path;

use super::TOOLS;
use crate::argument::{cannot_check, unrecorded};
use crate::params::{Definition, Field, Params, Shape};
use crate::{Asked, Body, Fields, Kind, Manner, Objection, Role, Said, Tools};

/// Every call carries these arguments, and none of them is empty.
#[derive(Debug)]
pub struct ArgRequired {
    /// The tools it covers.
    pub tools: Tools,
    /// The arguments; at least one.
    pub args: Vec<Path>,
}

impl Kind for ArgRequired {
    type Memory = ();
    type Taken = ();
    const NAME: &'static str = "arg_required";

    fn roles(&self, manner: Manner) -> Vec<Role<'_>> {
        vec![Role { tools: &self.tools, names: manner.names }]
    }

    fn judge(&self, (): &(), asked: &Asked<'_>, said: &mut Said) {
        let values = asked.manner.values;
        let Some(first) = self.args.first() else { return };
        let root = match asked.args.fields(values) {
            Fields::Object(root) => Some(root),
            Fields::Empty => None,
            Fields::Unreadable(why) => {
                let what = format!("required {}", first.text());
                return said.object(Objection::new(cannot_check(asked, why, &what)).path(first));
            }
            Fields::Unrecorded => return unrecorded(asked, first, said),
        };
        for arg in &self.args {
            let found = root.and_then(|it| values.path(it, arg));
            let counted = || root.and_then(|it| values.length(it, arg)).is_some();
            if found.map_or_else(|| !counted(), |it| values.is_empty(it)) {
                let (tool, arg_text) = (&*asked.call.tool, arg.text());
                let message = format!("{tool} missing required argument {arg_text}");
                said.object(Objection::new(message).path(arg));
            }
        }
    }

    fn reply(&self, _asked: &Asked<'_>, objection: &Objection) -> Option<String> {
        Some(objection.message.clone())
    }
}

const FIELDS: &[Field] = &[TOOLS, Field::required("args", Shape::Paths, "The arguments.")];

/// How a native policy writes it.
#[derive(Debug)]
pub struct Native;

impl Definition for Native {
    fn name(&self) -> &'static str {
        ArgRequired::NAME
    }

    fn page(&self) -> &'static str {
        include_str!("arg_required.md")
    }

    fn fields(&self) -> &'static [Field] {
        FIELDS
    }

    fn build(&self, params: &mut Params<'_>) -> Option<Box<dyn Body>> {
        let (tools, args) = (params.tools("tools"), params.paths("args"));
        if args.iter().any(Path::is_plural) {
            params.refuse("args", "`[*]` has no meaning here", "name one place for each argument");
            return None;
        }
        (!args.is_empty()).then(|| Box::new(ArgRequired { tools, args }) as Box<dyn Body>)
    }
}
