//! From one dialect to another: the rules that a policy states, written in the other's words, with
//! a report of what could not be carried over.
//!
//! Both ends meet in the native policy: a dialect reads its files as native rules, and writes
//! native rules as its own. What "carried" claims is that the strict readings agree.

mod sketch;

use lawbook_diag::Problem;
use lawbook_rule::Profile;

use crate::dialects;
use crate::load::{Options, load, open};

pub(crate) use sketch::{Carry, Origin, Sketch, Written};

/// A policy in another dialect.
#[derive(Clone, Debug)]
pub struct Converted {
    /// The dialect that it was written in.
    pub from: &'static str,
    /// The policy as the other dialect writes it.
    pub text: String,
    /// What became of each rule, in the order of the source.
    pub fates: Vec<Fate>,
    /// What became of the rest: names, reasons, lists.
    pub notes: Vec<String>,
}

/// What became of a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fate {
    /// The rule, as the source names it.
    pub rule: String,
    /// The rules that it became; none if it is left out.
    pub into: Vec<String>,
    /// What is not the same. Where the rule is left out, why.
    pub differs: Vec<String>,
}

impl Fate {
    /// `carried`, `differs` or `left_out`.
    #[must_use]
    pub fn word(&self) -> &'static str {
        match (self.into.is_empty(), self.differs.is_empty()) {
            (true, _) => "left_out",
            (false, true) => "carried",
            (false, false) => "differs",
        }
    }
}

/// How a dialect takes part.
#[derive(Debug)]
pub(crate) struct Exchange {
    /// Reads a file that loads as native rules.
    pub read: fn(&str, &str) -> Result<Sketch, Vec<Problem>>,
    /// Writes native rules; none for a dialect that is only read.
    pub write: Option<Write>,
}

/// How a dialect writes native rules.
pub(crate) type Write = fn(&Sketch) -> Written;

/// Converts a policy file. `source` is its name in problems.
///
/// # Errors
/// With everything that is wrong with the file, or when a dialect takes no part.
pub fn convert(
    source: &str,
    bytes: &[u8],
    options: &Options<'_>,
    to: &str,
) -> Result<Converted, Vec<Problem>> {
    let target = dialects::named("--to", to).map_err(|it| vec![it])?;
    let (dialect, text) = open(source, bytes, options).map_err(|it| vec![it])?;
    let loaded = load(source, bytes, options);
    if !loaded.problems.is_empty() {
        return Err(loaded.problems);
    }
    let part = |of: &'static dialects::Dialect| {
        let none = || Problem::new(source, "no_conversion", format!("`{}` converts not", of.name));
        of.exchange.as_ref().ok_or_else(|| vec![none()])
    };
    let sketch = (part(dialect)?.read)(source, text)?;
    let write = part(target)?.write;
    if dialect.name == target.name {
        return same(source, text, dialect.name, &sketch);
    }
    let Some(write) = write else {
        let message = format!("`{to}` policies are read and not written");
        let help = "convert to `lawbook`";
        return Err(vec![Problem::new(source, "no_conversion", message).help(help)]);
    };
    let written = written(sketch.clone(), write, to).map_err(|fault| {
        let message = format!("what was written is no policy: {fault}");
        vec![Problem::new(source, "not_converted", message)]
    })?;
    let notes = sketch.notes.iter().chain(&written.notes).cloned().collect();
    let fates = sketch.fates(&written);
    Ok(Converted { from: dialect.name, text: written.text, fates, notes })
}

/// The rules as the other dialect takes them: one that it refuses is left out, with what it says.
fn written(mut sketch: Sketch, write: Write, to: &str) -> Result<Written, String> {
    let refused = |sketch: &Sketch| {
        let written = write(sketch);
        let options =
            Options { dialect: Some(to), profile: Some(Profile::Strict), user_word: None };
        let again = load(to, written.text.as_bytes(), &options);
        (written, again.problems.into_iter().next().map(|it| it.message))
    };
    let (mut written, fault) = refused(&sketch);
    if fault.is_none() {
        return Ok(written);
    }
    let mut left_out = Vec::new();
    for rule in std::mem::take(&mut sketch.draft.rules) {
        sketch.draft.rules.push(rule);
        if let Some(fault) = refused(&sketch).1
            && let Some(rule) = sketch.draft.rules.pop()
        {
            left_out.push((rule.id, Carry::left_out(fault)));
        }
    }
    let fault;
    (written, fault) = refused(&sketch);
    written.carried.extend(left_out);
    fault.map_or(Ok(written), Err)
}

/// The same dialect: the file as it stands, in its canonical layout where there is one.
fn same(
    source: &str,
    text: &str,
    name: &'static str,
    sketch: &Sketch,
) -> Result<Converted, Vec<Problem>> {
    let laid_out =
        if name == dialects::NATIVE { crate::fmt(source, text)? } else { text.to_owned() };
    let fate = |it: &sketch::Origin| Fate {
        rule: it.rule.clone(),
        into: vec![it.rule.clone()],
        differs: Vec::new(),
    };
    let fates = sketch.origins.iter().map(fate).collect();
    Ok(Converted { from: name, text: laid_out, fates, notes: Vec::new() })
}

/// Whether a `$` stands in a pattern that no back-slash takes for a character: dialects differ on
/// whether it stands before a last line break.
pub(crate) fn ends_line(pattern: &str) -> bool {
    let mut escaped = false;
    pattern.chars().any(|it| {
        let ends = it == '$' && !escaped;
        escaped = it == '\\' && !escaped;
        ends
    })
}

#[cfg(test)]
mod tests;
