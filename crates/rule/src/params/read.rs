//! Typed values out of a rule's parameters. Everything that is wrong is told, not only the first.

use lawbook_diag::Span;
use lawbook_event::{EXACT, Number, Path, Pattern, PatternUse};

use super::shape::{check_map, odd_path};
use super::{Defaults, Fault, Field, Node, Scalar, duration_secs};
use crate::{Absent, Argument, Literal, Selector, ToolName, Tools, runs_commands};

/// The parameters of one rule.
///
/// Shapes are checked once, when the parameters are opened. Each reader afterwards gives a value,
/// or none where nothing or something of the wrong shape stands; it never tells a problem twice.
#[derive(Debug)]
pub struct Params<'n> {
    kind: &'n str,
    node: &'n Node,
    defaults: &'n Defaults,
    faults: &'n mut Vec<Fault>,
}

impl<'n> Params<'n> {
    /// Opens the parameters of a kind and tells what is wrong with their shapes.
    #[must_use]
    pub fn new(
        kind: &'n str,
        node: &'n Node,
        fields: &[Field],
        defaults: &'n Defaults,
        faults: &'n mut Vec<Fault>,
    ) -> Self {
        check_map(&format!("`{kind}`"), node, fields, faults);
        Params { kind, node, defaults, faults }
    }

    /// Opens a map whose shapes have been checked.
    #[must_use]
    pub fn open(
        kind: &'n str,
        node: &'n Node,
        defaults: &'n Defaults,
        faults: &'n mut Vec<Fault>,
    ) -> Self {
        Params { kind, node, defaults, faults }
    }

    /// What the policy says once for all rules.
    #[must_use]
    pub fn defaults(&self) -> &'n Defaults {
        self.defaults
    }

    /// Whether a key stands there, whatever its value.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        self.node.get(name).is_some()
    }

    /// The value of a key.
    #[must_use]
    pub fn node(&self, name: &str) -> Option<&'n Node> {
        self.node.get(name)
    }

    /// Tells a problem with the value of a key, or with all parameters if it is not there.
    pub fn refuse(&mut self, name: &str, message: impl Into<String>, help: impl Into<String>) {
        let span = self.node.get(name).map_or(self.node.span, |it| it.span);
        self.refuse_at(span, message, help);
    }

    /// Tells a problem at a place.
    pub fn refuse_at(&mut self, at: Span, message: impl Into<String>, help: impl Into<String>) {
        let message = format!("`{}`: {}", self.kind, message.into());
        self.faults.push(Fault::new(at, "bad_rule", message).help(help));
    }

    /// Exactly one of several keys must stand there. Gives the one that does.
    pub fn one_key(&mut self, names: &[&'static str]) -> Option<&'static str> {
        let there: Vec<&'static str> = names.iter().copied().filter(|it| self.has(it)).collect();
        let listed = names.iter().map(|it| format!("`{it}`")).collect::<Vec<_>>().join(" or ");
        match there.as_slice() {
            [one] => Some(one),
            [] => {
                self.refuse("", format!("needs {listed}"), "add one of them");
                None
            }
            [_, second, ..] => {
                self.refuse(second, format!("takes only one of {listed}"), "take one of them away");
                None
            }
        }
    }

    /// Text.
    #[must_use]
    pub fn text(&self, name: &str) -> Option<&'n str> {
        self.node.get(name)?.words().map(str::trim).filter(|it| !it.is_empty())
    }

    /// `true` or `false`.
    #[must_use]
    pub fn flag(&self, name: &str) -> Option<bool> {
        match self.node.get(name)?.scalar()? {
            Scalar::Bool(truth) => Some(truth),
            Scalar::Null | Scalar::Number(_) | Scalar::Unclear(_) | Scalar::Text(_) => None,
        }
    }

    /// A path.
    #[must_use]
    pub fn path(&self, name: &str) -> Option<Path> {
        self.text(name).map(Path::parse)
    }

    /// Several paths.
    #[must_use]
    pub fn paths(&self, name: &str) -> Vec<Path> {
        self.texts(name).iter().map(|(text, _)| Path::parse(text)).collect()
    }

    /// A path that means one value.
    pub fn single_path(&mut self, name: &str) -> Option<Path> {
        self.single_paths(name).into_iter().next()
    }

    /// Several paths, each of which means one value.
    pub fn single_paths(&mut self, name: &str) -> Vec<Path> {
        let mut paths = Vec::new();
        for (text, span) in self.texts(name) {
            let path = Path::parse(text);
            // Where the shape is a path it has told the same, and what is told twice counts once.
            if let Some(fault) = odd_path(name, text, span) {
                self.faults.push(fault);
            } else if path.is_plural() {
                let message = format!("`{text}` under `{name}` can mean several values");
                self.refuse_at(span, message, "name one value, as in `items[0].id`");
            }
            paths.push(path);
        }
        paths
    }

    /// Tools; every tool if the key is not there.
    pub fn tools(&mut self, name: &str) -> Tools {
        if self.has(name) { self.named_tools(name) } else { Tools::Every }
    }

    /// Tools; none if the key is not there.
    pub fn named_tools(&mut self, name: &str) -> Tools {
        let texts = self.texts(name);
        Tools::Named(texts.into_iter().map(|(text, span)| self.tool_name(text, span)).collect())
    }

    /// A tool, or some of its commands: `bash(git push)`.
    fn tool_name(&mut self, text: &str, span: Span) -> ToolName {
        let selecting = text.strip_suffix(')').and_then(|it| it.split_once('('));
        let Some((tool, command)) = selecting else { return ToolName::new(text) };
        let name = ToolName::new(tool.trim());
        let declared = self.defaults.commands.get(tool.trim()).map(|it| Path::parse(it));
        if declared.is_none() && name.is_literal() && !runs_commands(name.text()) {
            let message =
                format!("`{text}` selects a command of a tool that is not known to run any");
            let help = "say under `tools:` which argument holds it, as in `{command: cmd}`";
            self.refuse_at(span, message, help);
        }
        match Selector::parse(command.trim(), declared) {
            Ok(selector) => return name.selecting(selector),
            Err(error) => self.refuse_at(span, error.message, error.help),
        }
        name
    }

    /// The argument that a rule judges, with what its absence means: an objection where the rule
    /// names its tools, nothing where it covers every tool, unless `optional` decides.
    #[must_use]
    pub fn argument(&self, name: &str) -> Option<Argument> {
        let path = self.path(name)?;
        let optional = self.flag("optional").unwrap_or(!self.has("tools"));
        let absent = if optional { Absent::PassesUnlessDressed } else { Absent::Objected };
        Some(Argument { absent, ..Argument::optional(path) })
    }

    /// A number, exactly as it is written.
    #[must_use]
    pub fn number(&self, name: &str) -> Option<Number> {
        Number::exact(self.lexeme(name)?)
    }

    /// A whole number with the text that states it.
    #[must_use]
    pub fn whole(&self, name: &str) -> Option<(f64, String)> {
        let lexeme = self.lexeme(name)?;
        let is_whole = lexeme.len() <= 15 && lexeme.bytes().all(|it| it.is_ascii_digit());
        Some((lexeme.parse().ok()?, lexeme.to_owned())).filter(|_| is_whole)
    }

    fn lexeme(&self, name: &str) -> Option<&'n str> {
        match self.node.get(name)?.scalar()? {
            Scalar::Number(lexeme) => Some(lexeme),
            Scalar::Null | Scalar::Bool(_) | Scalar::Unclear(_) | Scalar::Text(_) => None,
        }
    }

    /// A duration in seconds.
    #[must_use]
    pub fn secs(&self, name: &str) -> Option<f64> {
        duration_secs(self.text(name)?)
    }

    /// A value.
    pub fn value(&mut self, name: &str) -> Option<Literal> {
        Literal::parse(&self.node.get(name)?.json(self.faults)).ok()
    }

    /// A list of values, each by the text that arguments are compared by.
    pub fn keys(&mut self, name: &str) -> Option<Vec<String>> {
        let node = self.node.get(name)?;
        let mut keys = Vec::new();
        for item in node.items() {
            let literal = Literal::parse(&item.json(self.faults)).ok()?;
            match EXACT.key(literal.value()) {
                Some(key) => keys.push(key.into_owned()),
                None => self.refuse_at(
                    item.span,
                    format!("an empty value in `{name}` names nothing"),
                    "take it out; a call without the argument is what `optional` is about",
                ),
            }
        }
        (!keys.is_empty()).then_some(keys)
    }

    /// Patterns.
    pub fn patterns(&mut self, name: &str, any_case: bool, what_for: PatternUse) -> Vec<Pattern> {
        let mut compiled = Vec::new();
        for (text, span) in self.texts(name) {
            match EXACT.pattern(text, any_case, what_for) {
                Ok(pattern) => compiled.push(pattern),
                Err(error) => self.refuse_at(
                    span,
                    format!("pattern `{text}` is refused: {error}"),
                    "patterns are regular expressions as Rust's regex crate reads them",
                ),
            }
        }
        compiled
    }

    /// The parameters of an inner map.
    pub fn inner<'p>(&'p mut self, name: &str) -> Option<Params<'p>> {
        let node = self.node.get(name)?;
        Some(Params { kind: self.kind, node, defaults: self.defaults, faults: self.faults })
    }

    /// Reads each map of a list.
    pub fn each<T>(
        &mut self,
        name: &str,
        mut read: impl FnMut(&mut Params<'_>) -> Option<T>,
    ) -> Vec<T> {
        let Some(node) = self.node.get(name) else { return Vec::new() };
        let mut out = Vec::new();
        for item in node.items() {
            let mut inner = Params {
                kind: self.kind,
                node: item,
                defaults: self.defaults,
                faults: self.faults,
            };
            out.extend(read(&mut inner));
        }
        out
    }

    /// Texts with their places; one may stand alone.
    #[must_use]
    pub fn texts(&self, name: &str) -> Vec<(&'n str, Span)> {
        let Some(node) = self.node.get(name) else { return Vec::new() };
        let one = std::slice::from_ref(node);
        let items = if node.words().is_some() { one } else { node.items() };
        items.iter().filter_map(|it| Some((it.words()?, it.span))).collect()
    }
}
