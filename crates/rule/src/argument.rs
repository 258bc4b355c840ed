//! One argument of a call, as the kinds look at it that judge arguments.

use lawbook_event::json::Value;
use lawbook_event::{JAVASCRIPT, Path, Semantics, skeleton};

use crate::arguments::NO_OBJECT;
use crate::{Asked, EvidenceFrom, Fields, Key, KeyAt, Literal, Objection, Said};

/// What an absent argument means to a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Absent {
    /// Nothing to say.
    Passes,
    /// Nothing to say, unless a key stands there that only looks like the one asked for.
    PassesUnlessDressed,
    /// The call is objected to.
    Objected,
}

/// An argument that a rule names.
#[derive(Clone, Debug)]
pub struct Argument {
    /// Where it stands.
    pub path: Path,
    /// What its absence means.
    pub absent: Absent,
    /// Whether unreadable arguments matter only if their text mentions the argument (faultgate's
    /// identity rule without tools).
    pub only_if_mentioned: bool,
    /// Whether a last part `length` counts the items or characters of what stands before it, as in
    /// ECMAScript; semantics of that language count anyway.
    pub counts: bool,
}

impl Argument {
    /// An argument whose absence passes.
    #[must_use]
    pub fn optional(path: Path) -> Self {
        Argument { path, absent: Absent::Passes, only_if_mentioned: false, counts: false }
    }

    /// Judges every value that stands at the path; `wrong` says what is wrong with one.
    pub fn judge(
        &self,
        asked: &Asked<'_>,
        said: &mut Said,
        mut wrong: impl FnMut(Value<'_>) -> Option<String>,
    ) {
        let root = match asked.args.fields(asked.manner.values) {
            Fields::Object(root) => root,
            Fields::Empty => return self.absent(asked, None, said),
            Fields::Unreadable(why) => return self.unreadable(asked, why, said),
            Fields::Unrecorded => return unrecorded(asked, &self.path, said),
        };
        let mut check = |value| {
            if asked.args.is_gap(asked.manner.values, value) {
                unrecorded(asked, &self.path, said);
            } else if let Some(message) = wrong(value) {
                said.object(Objection::new(message).path(&self.path));
            }
        };
        let values = asked.manner.values;
        // A path with a dot can mean a nested member and a key that holds the dot.
        if !self.path.is_plural() && self.path.parts().nth(1).is_none() {
            match values.path(root, &self.path).filter(|it| !values.is_missing(*it)) {
                Some(value) => check(value),
                None => self.absent(asked, Some(root), said),
            }
            return;
        }
        let mut found = Vec::new();
        values.each(root, &self.path, &mut found);
        if found.is_empty()
            && let Some(length) = self.length(root, values)
        {
            return check(length.value());
        }
        found.retain(|it| !values.is_missing(*it));
        if found.is_empty() {
            return self.absent(asked, Some(root), said);
        }
        found.into_iter().for_each(check);
    }

    /// The number that a path counts, as a value of its own.
    fn length(&self, root: Value<'_>, values: &dyn Semantics) -> Option<Literal> {
        let own = || JAVASCRIPT.length(root, &self.path).filter(|_| self.counts);
        let length = values.length(root, &self.path).or_else(own)?;
        Literal::parse(&length.to_string()).ok()
    }

    fn absent(&self, asked: &Asked<'_>, root: Option<Value<'_>>, said: &mut Said) {
        let quote = |text: &str| asked.manner.values.quote(text);
        let (tool, arg) = (&*asked.call.tool, self.path.text());
        let dressed = root.and_then(|it| dressed_key(it, &self.path));
        let message = match (self.absent, dressed) {
            (Absent::Passes, _) | (Absent::PassesUnlessDressed, None) => return,
            (_, Some(key)) => {
                format!("{tool} has no {arg}, only {} which looks like it", quote(key))
            }
            (Absent::Objected, None) => format!("{tool} has no {arg}, cannot check it"),
        };
        said.object(Objection::new(message).path(&self.path));
    }

    fn unreadable(&self, asked: &Asked<'_>, why: &str, said: &mut Said) {
        let mentioned =
            self.path.parts().last().is_some_and(|it| asked.call.args.text.contains(it));
        if self.only_if_mentioned && !mentioned {
            return;
        }
        said.object(Objection::new(cannot_check(asked, why, self.path.text())).path(&self.path));
    }
}

/// The message on arguments that can't be read.
#[must_use]
pub fn cannot_check(asked: &Asked<'_>, why: &str, what: &str) -> String {
    // Faultgate has one sentence for everything that it can't read.
    let why = match asked.manner.evidence {
        EvidenceFrom::Call => NO_OBJECT,
        EvidenceFrom::Result | EvidenceFrom::ResultElseCall => why,
    };
    format!("{} arguments {why}, cannot check {what}", asked.call.tool)
}

/// The gap that arguments leave which were not recorded.
pub fn unrecorded(asked: &Asked<'_>, path: &Path, said: &mut Said) {
    let tool = &*asked.call.tool;
    said.gap(
        "arguments",
        format!(
            "the arguments of `{tool}` were not recorded whole, so `{}` is unknown",
            path.text()
        ),
    );
}

/// A key that stands where the path's next part should, and only looks like it.
fn dressed_key<'d>(root: Value<'d>, path: &Path) -> Option<&'d str> {
    let mut here = root;
    for part in path.parts() {
        if let Some(next) = here.get(part) {
            here = next;
            continue;
        }
        let wanted = skeleton(part);
        return here.entries().map(|(key, _)| key).find(|key| skeleton(key) == wanted);
    }
    None
}

/// The key of the judged call that it must share with another, or the end of the matter: what
/// can't be read is objected to with `unmatched`, what was not recorded is unknown.
pub fn shared_key(
    asked: &Asked<'_>,
    path: Option<&Path>,
    key: KeyAt,
    said: &mut Said,
    unmatched: impl FnOnce(&Path) -> String,
) -> Option<Key> {
    match (key, path) {
        (KeyAt::Key(key), _) => return Some(key),
        (KeyAt::Unreadable, Some(path)) => {
            said.object(Objection::new(unmatched(path)).path(path));
        }
        (KeyAt::Unrecorded, Some(path)) => unrecorded(asked, path, said),
        (KeyAt::Unreadable | KeyAt::Unrecorded, None) => {}
    }
    None
}
