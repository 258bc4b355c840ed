//! `arg_size`: the arguments of a call, or one of them, are at most so many characters long.

use lawbook_event::{ArgsState, Path};

use super::TOOLS;
use crate::argument::{cannot_check, unrecorded};
use crate::params::{Definition, Field, Params, Shape};
use crate::{Asked, Body, Fields, Kind, Manner, Objection, Role, Said, Tools, Watches};

/// The arguments of a call, or one of them, are at most so many characters long.
#[derive(Debug)]
pub struct ArgSize {
    /// The tools it covers.
    pub tools: Tools,
    /// One argument; none for the whole text of the arguments.
    pub arg: Option<Path>,
    /// The most characters, counted as Unicode code points.
    pub max_chars: f64,
    /// The same as the policy writes it.
    pub max_text: String,
}

impl Kind for ArgSize {
    type Memory = ();
    type Taken = ();
    const NAME: &'static str = "arg_size";

    fn roles(&self, manner: Manner) -> Vec<Role<'_>> {
        vec![Role { tools: &self.tools, names: manner.names }]
    }

    fn watches(&self) -> Watches {
        Watches { text: self.arg.is_none(), ..Watches::default() }
    }

    fn judge(&self, (): &(), asked: &Asked<'_>, said: &mut Said) {
        match &self.arg {
            None => self.judge_whole(asked, said),
            Some(path) => self.judge_one(asked, path, said),
        }
    }

    fn reply(&self, _asked: &Asked<'_>, objection: &Objection) -> Option<String> {
        Some(objection.message.clone())
    }
}

impl ArgSize {
    fn judge_whole(&self, asked: &Asked<'_>, said: &mut Said) {
        let text = asked.args.text().unwrap_or_default();
        // No text has more characters than bytes.
        let chars = if self.exceeds(text.len()) { text.chars().count() } else { 0 };
        if self.exceeds(chars) {
            let message = format!("arguments {chars} chars > {}", self.max_text);
            said.object(Objection::new(message));
        } else if asked.args.state() != ArgsState::Whole {
            said.gap(
                "arguments",
                "the arguments were not recorded whole, so their size is unknown",
            );
        }
    }

    fn judge_one(&self, asked: &Asked<'_>, path: &Path, said: &mut Said) {
        let values = asked.manner.values;
        let root = match asked.args.fields(values) {
            Fields::Object(root) => root,
            Fields::Empty => return,
            Fields::Unreadable(why) => {
                let message = cannot_check(asked, why, path.text());
                return said.object(Objection::new(message).path(path));
            }
            Fields::Unrecorded => return unrecorded(asked, path, said),
        };
        let mut found = Vec::new();
        values.each(root, path, &mut found);
        for value in found {
            let chars = values.text(value).chars().count();
            if self.exceeds(chars) {
                let (tool, arg) = (&*asked.call.tool, path.text());
                let message = format!("{tool}.{arg} {chars} chars > {}", self.max_text);
                said.object(Objection::new(message).path(path));
            }
        }
    }

    #[allow(clippy::cast_precision_loss, reason = "no argument has 2^53 characters")]
    fn exceeds(&self, chars: usize) -> bool {
        chars as f64 > self.max_chars
    }
}

const FIELDS: &[Field] = &[
    TOOLS,
    Field::optional("arg", Shape::Path, "One argument; the text of all of them if left out."),
    Field::required(
        "max_chars",
        Shape::Whole,
        "The most characters, counted as Unicode code points.",
    ),
];

/// How a native policy writes it.
#[derive(Debug)]
pub struct Native;

impl Definition for Native {
    fn name(&self) -> &'static str {
        ArgSize::NAME
    }

    fn page(&self) -> &'static str {
        include_str!("arg_size.md")
    }

    fn fields(&self) -> &'static [Field] {
        FIELDS
    }

    fn build(&self, params: &mut Params<'_>) -> Option<Box<dyn Body>> {
        let (tools, arg) = (params.tools("tools"), params.path("arg"));
        let (max_chars, max_text) = params.whole("max_chars")?;
        Some(Box::new(ArgSize { tools, arg, max_chars, max_text }))
    }
}
