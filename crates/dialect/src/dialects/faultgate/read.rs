//! Shapes of a faultgate policy, checked as faultgate checks them and in its words.

use lawbook_diag::{Problem, nearest, place};
use lawbook_event::json::{Kind, Value};
use lawbook_event::{Number, PYTHON};

/// Reads shapes and collects what is wrong.
pub(super) struct Reader<'t> {
    source: &'t str,
    text: &'t str,
    problems: Vec<Problem>,
}

impl<'t> Reader<'t> {
    pub fn new(source: &'t str, text: &'t str) -> Self {
        Reader { source, text, problems: Vec::new() }
    }

    pub fn into_problems(self) -> Vec<Problem> {
        self.problems
    }

    /// Says what is wrong at a value, in faultgate's words.
    pub fn wrong(&mut self, at: Value<'_>, code: &'static str, message: impl AsRef<str>) {
        let (line, column) = place(self.text, at.offset());
        let message = format!("policy: {}", message.as_ref());
        self.problems.push(Problem::new(self.source, code, message).at(line, column));
    }

    fn help(&mut self, help: String) {
        if let Some(problem) = self.problems.last_mut() {
            problem.help = Some(help);
        }
    }

    /// Whether all keys of an object are known.
    pub fn known(&mut self, at: Value<'_>, place: &str, known: &[&str]) {
        let mut unknown: Vec<&str> =
            at.entries().map(|(key, _)| key).filter(|it| !known.contains(it)).collect();
        unknown.sort_unstable();
        unknown.dedup();
        if unknown.is_empty() {
            return;
        }
        let listed: Vec<String> = unknown.iter().map(|it| PYTHON.quote(it)).collect();
        let has = if place.is_empty() { String::new() } else { format!("{place} has ") };
        self.wrong(at, "unknown_key", format!("{has}unknown keys [{}]", listed.join(", ")));
        let meant: Vec<String> = unknown
            .iter()
            .filter_map(|it| nearest(it, known.iter().copied()).map(|near| (it, near)))
            .map(|(it, near)| format!("`{near}` instead of `{it}`"))
            .collect();
        self.help(if meant.is_empty() {
            format!("known here: {}", known.join(", "))
        } else {
            format!("did you mean {}?", meant.join(", "))
        });
    }

    /// The items of a list that may be absent.
    pub fn items<'d>(&mut self, root: Value<'d>, key: &str) -> Vec<Value<'d>> {
        match root.get(key) {
            None => Vec::new(),
            Some(list) if list.is_array() => list.items().collect(),
            Some(other) => {
                self.wrong(other, "wrong_shape", format!("{key} must be a list"));
                Vec::new()
            }
        }
    }

    /// An object with all required keys and no unknown ones.
    pub fn object<'d>(
        &mut self,
        at: Value<'d>,
        place: &str,
        required: &[&str],
        optional: &[&str],
    ) -> Option<Value<'d>> {
        if !at.is_object() {
            self.wrong(at, "wrong_shape", format!("{place} must be an object"));
            return None;
        }
        let mut missing: Vec<&str> =
            required.iter().copied().filter(|it| at.get(it).is_none()).collect();
        missing.sort_unstable();
        let complete = missing.is_empty();
        if !complete {
            let listed: Vec<String> = missing.iter().map(|it| PYTHON.quote(it)).collect();
            self.wrong(at, "missing_key", format!("{place} needs {}", listed.join(" and ")));
        }
        self.known(at, place, &[required, optional].concat());
        complete.then_some(at)
    }

    pub fn text(&mut self, at: Value<'_>, place: &str, key: &str) -> Option<String> {
        let value = at.get(key)?;
        let text = value.as_str().map(str::to_owned);
        if text.is_none() {
            self.wrong(value, "wrong_shape", format!("{place}.{key} must be a string"));
        }
        text
    }

    pub fn truth(&mut self, at: Value<'_>, place: &str, key: &str) -> bool {
        let Some(value) = at.get(key) else { return false };
        value.as_bool().unwrap_or_else(|| {
            let place = if place.is_empty() { key.to_owned() } else { format!("{place}.{key}") };
            self.wrong(value, "wrong_shape", format!("{place} must be true or false"));
            false
        })
    }

    /// A list of texts of which none may be empty, nor the list, where `filled` says so.
    pub fn texts(
        &mut self,
        at: Value<'_>,
        place: &str,
        key: &str,
        filled: Filled,
        expected: &str,
    ) -> Option<Vec<String>> {
        let value = at.get(key)?;
        let texts: Option<Vec<String>> = value
            .is_array()
            .then(|| value.items().map(|it| it.as_str().map(str::to_owned)).collect())
            .flatten();
        let fits = |texts: &Vec<String>| match filled {
            Filled::MayBeEmpty => true,
            Filled::List => !texts.is_empty(),
            Filled::ListAndItems => !texts.is_empty() && texts.iter().all(|it| !it.is_empty()),
        };
        let texts = texts.filter(fits);
        if texts.is_none() {
            self.wrong(value, "wrong_shape", format!("{place}.{key} must be {expected}"));
        }
        texts
    }

    /// A finite number; its lexeme.
    pub fn finite<'d>(&mut self, at: Value<'d>, place: &str, key: &str) -> Option<&'d str> {
        let value = at.get(key)?;
        let finite = value.number_text().filter(|it| is_finite(it));
        if finite.is_none() {
            self.wrong(value, "wrong_shape", format!("{place}.{key} must be a finite number"));
        }
        finite
    }

    /// A number or null at the top level, which faultgate does not look at before it runs.
    pub fn unchecked_number<'d>(&mut self, root: Value<'d>, key: &str) -> Option<Value<'d>> {
        let value = root.get(key)?;
        match value.kind() {
            Kind::Null => None,
            Kind::Number | Kind::Bool => Some(value),
            Kind::String | Kind::Array | Kind::Object => {
                self.wrong(value, "wrong_shape", format!("{key} must be a number"));
                None
            }
        }
    }

    /// What Python makes of a value where a collection of texts belongs: a text is its characters
    /// and an object its keys.
    pub fn collection(&mut self, value: Value<'_>, key: &str) -> Option<Vec<String>> {
        match value.kind() {
            Kind::String => {
                Some(value.as_str().unwrap_or_default().chars().map(String::from).collect())
            }
            Kind::Object => Some(value.entries().map(|(key, _)| key.to_owned()).collect()),
            Kind::Array => {
                Some(value.items().filter_map(|it| it.as_str().map(str::to_owned)).collect())
            }
            Kind::Null | Kind::Bool | Kind::Number => {
                self.wrong(value, "wrong_shape", format!("{key} must be a list of strings"));
                None
            }
        }
    }
}

/// What may be empty in a list of texts.
#[derive(Clone, Copy)]
pub(super) enum Filled {
    MayBeEmpty,
    List,
    ListAndItems,
}

fn is_finite(lexeme: &str) -> bool {
    Number::python(lexeme).is_some_and(|it| !it.is_beyond_double() && !it.is_nan())
        && lexeme.parse::<f64>().is_ok_and(f64::is_finite)
}
