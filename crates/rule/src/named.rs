//! The texts in arguments that a rule names, or in those that usually hold such texts.

use lawbook_event::Path;
use lawbook_event::json::Value;

use crate::argument::{cannot_check, unrecorded};
use crate::{Asked, Fields, Objection, Said, patch};

/// The arguments that a rule looks at.
#[derive(Clone, Debug)]
pub(crate) struct Named {
    /// The argument; none for those that usually hold such a text.
    pub arg: Option<Path>,
    /// Those that usually hold one.
    pub usual: &'static [Path],
    /// Whether a call in which none of them stands passes.
    pub optional: bool,
    /// Whether a tool that applies patches is asked for the files in them.
    pub patches: bool,
    /// What a message calls such an argument.
    pub what: &'static str,
}

impl Named {
    /// Judges every text that stands in the arguments, each item of a list by itself; `wrong` says
    /// what is wrong with one. What can't be read is objected to, what was not recorded is unknown.
    pub fn judge(
        &self,
        asked: &Asked<'_>,
        said: &mut Said,
        mut wrong: impl FnMut(&str) -> Option<String>,
    ) {
        let (tool, values) = (&*asked.call.tool, asked.manner.values);
        let name = self.arg.as_ref().map_or(self.what, Path::text);
        let root = match asked.args.fields(values) {
            Fields::Object(root) => Some(root),
            Fields::Empty => None,
            Fields::Unreadable(why) => {
                return said.object(self.about(cannot_check(asked, why, name)));
            }
            Fields::Unrecorded => return unrecorded(asked, &Path::parse(name), said),
        };
        let mut any = false;
        for path in self.arg.as_ref().map_or(self.usual, std::slice::from_ref) {
            let mut found = Vec::new();
            if let Some(root) = root {
                values.each(root, path, &mut found);
            }
            for value in found.into_iter().filter(|it| !values.is_missing(*it)) {
                any = true;
                each_text(value, &mut |text| {
                    let message = match text {
                        Some(text) => wrong(text),
                        // Under a usual name something else may stand: a number, a switch.
                        None if self.optional && self.arg.is_none() => None,
                        None => Some(format!("{tool}.{name} is no {}", self.what)),
                    };
                    if let Some(message) = message {
                        said.object(Objection::new(message).path(path));
                    }
                });
            }
        }
        // A patch names its files in its own lines.
        if let Some(root) = root.filter(|_| self.patches && patch::applies(tool)) {
            patch::patched(root, &mut |text| {
                any = true;
                if let Some(message) = wrong(text).filter(|_| text != "/dev/null") {
                    said.object(Objection::new(message));
                }
            });
        }
        if !any && !self.optional {
            said.object(self.about(format!("{tool} has no {name}, cannot check it")));
        }
    }

    fn about(&self, message: String) -> Objection {
        let objection = Objection::new(message);
        match &self.arg {
            Some(path) => objection.path(path),
            None => objection,
        }
    }
}

/// A text, or every text in a list; none stands for anything else.
fn each_text(value: Value<'_>, each: &mut impl FnMut(Option<&str>)) {
    let mut left = vec![value];
    while let Some(value) = left.pop() {
        if value.is_array() {
            left.extend(value.items());
        } else {
            each(value.as_str());
        }
    }
}
