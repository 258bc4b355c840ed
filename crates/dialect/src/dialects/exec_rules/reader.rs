//! From tokens to calls with literal arguments; variables of literals are put in.
//!
//! Everything else that Starlark has is told where it stands, and the next statement is read.

use std::collections::BTreeMap;

use lawbook_diag::Span;
use lawbook_rule::params::{Fault, Form, Node};

use super::token::{Token, What, tokens};
use crate::dialects::tree::{POLICY_DEPTH_MAX, POLICY_NODES_MAX};

/// A call at the top of a file.
pub(super) struct Call {
    pub name: String,
    pub span: Span,
    /// Arguments with their names, where they have some.
    pub args: Vec<(Option<String>, Node)>,
}

/// Words that begin what can't be read as data.
const CODE: &[&str] = &[
    "load", "def", "for", "if", "elif", "else", "while", "lambda", "return", "pass", "import",
    "from", "break", "continue",
];

/// The calls of a text.
pub(super) fn calls(text: &str, faults: &mut Vec<Fault>) -> Vec<Call> {
    let tokens = tokens(text, faults);
    let mut reader = Reader {
        tokens: &tokens,
        at: 0,
        end: Span { start: text.len(), end: text.len() },
        variables: BTreeMap::new(),
        nodes: 0,
    };
    let mut calls = Vec::new();
    while reader.at < tokens.len() {
        match reader.statement() {
            Ok(Some(call)) => calls.push(call),
            Ok(None) => {}
            Err(fault) => {
                // What the tokens told already is not told twice.
                faults.extend(fault);
                reader.skip();
            }
        }
    }
    calls
}

struct Reader<'t> {
    tokens: &'t [Token],
    at: usize,
    end: Span,
    variables: BTreeMap<String, Node>,
    nodes: usize,
}

/// What keeps a statement from being read; none where it was told already.
type Stop = Option<Fault>;

/// A list that is not closed yet.
struct Open {
    span: Span,
    close: char,
    items: Vec<Node>,
    /// What stands before a `+`.
    left: Option<Node>,
    comma: bool,
}

impl<'t> Reader<'t> {
    fn peek(&self) -> Option<&'t What> {
        self.tokens.get(self.at).map(|it| &it.what)
    }

    fn span(&self) -> Span {
        self.tokens.get(self.at).map_or(self.end, |it| it.span)
    }

    fn step(&mut self) {
        self.at = self.at.saturating_add(1);
    }

    fn takes(&mut self, sign: char) -> bool {
        let there = self.peek() == Some(&What::Sign(sign));
        if there {
            self.step();
        }
        there
    }

    /// Leaves a statement that can't be read: goes on behind the line that it ends on.
    fn skip(&mut self) {
        while let Some(what) = self.peek() {
            self.step();
            if *what == What::Break {
                return;
            }
        }
    }

    fn refuse(&self, message: impl Into<String>, help: &str) -> Stop {
        match self.peek() {
            Some(What::Odd) => None,
            _ => Some(Fault::new(self.span(), "not_read", message).help(help)),
        }
    }

    fn statement(&mut self) -> Result<Option<Call>, Stop> {
        let span = self.span();
        let name = match self.peek() {
            Some(What::Break) => {
                self.step();
                return Ok(None);
            }
            Some(What::Name(name)) if CODE.contains(&name.as_str()) => {
                let message = format!("`{name}` can't be read: a file of rules is read as data");
                return Err(self.refuse(message, "write each rule out as a call with literals"));
            }
            Some(What::Name(name)) => name.clone(),
            // A text that stands alone says something to people.
            Some(What::Text(_)) => {
                self.step();
                return self.ends().map(|()| None);
            }
            _ => return Err(self.refuse("a call was expected", "write `prefix_rule(pattern = …)`")),
        };
        self.step();
        if self.takes('=') {
            let value = self.value()?;
            self.variables.insert(name, value);
            return self.ends().map(|()| None);
        }
        if !self.takes('(') {
            return Err(self.refuse("`(` or `=` was expected", "write a call with literals"));
        }
        let args = self.args()?;
        self.ends()?;
        Ok(Some(Call { name, span, args }))
    }

    /// The end of a statement.
    fn ends(&mut self) -> Result<(), Stop> {
        match self.peek() {
            None | Some(What::Break) => {
                self.step();
                Ok(())
            }
            Some(_) => Err(self.refuse(
                "the end of the statement was expected",
                "write one call on a line, with literals alone",
            )),
        }
    }

    fn args(&mut self) -> Result<Vec<(Option<String>, Node)>, Stop> {
        let mut args = Vec::new();
        while !self.takes(')') {
            let mut name = None;
            let next = self.tokens.get(self.at.saturating_add(1)).map(|it| &it.what);
            if let Some(What::Name(key)) = self.peek()
                && next == Some(&What::Sign('='))
            {
                name = Some(key.clone());
                self.step();
                self.step();
            }
            let value = self.value()?;
            args.push((name, value));
            if !self.takes(',') && self.peek() != Some(&What::Sign(')')) {
                return Err(self.refuse("`,` or `)` was expected", "part arguments with commas"));
            }
        }
        Ok(args)
    }

    /// A text, a number, a list, a variable, or several joined by `+`.
    fn value(&mut self) -> Result<Node, Stop> {
        let mut open = vec![Open::new(self.span(), ' ')];
        loop {
            let mut operand = match self.operand(&mut open)? {
                Some(operand) => operand,
                None => continue,
            };
            // What closes becomes an operand of what it stands in.
            loop {
                let Some(top) = open.last_mut() else { return Err(self.refuse("a value", "")) };
                if let Some(left) = top.left.take() {
                    operand = joined(left, operand)?;
                    self.count(&operand)?;
                }
                if self.takes('+') {
                    top.left = Some(operand);
                    break;
                }
                if open.len() == 1 {
                    return Ok(operand);
                }
                let Some(top) = open.last_mut() else { return Err(None) };
                top.items.push(operand);
                if self.takes(',') {
                    top.comma = true;
                    if self.peek() != Some(&What::Sign(top.close)) {
                        break;
                    }
                }
                let close = top.close;
                let end = self.span().end;
                if !self.takes(close) {
                    let message = format!("`,` or `{close}` was expected");
                    return Err(self.refuse(message, "a list holds texts and lists of texts"));
                }
                match open.pop() {
                    Some(list) => operand = list.close(end),
                    None => return Err(None),
                }
            }
        }
    }

    /// One value without what is added to it; none if a list was opened.
    fn operand(&mut self, open: &mut Vec<Open>) -> Result<Option<Node>, Stop> {
        let span = self.span();
        let form = match self.peek() {
            Some(What::Text(text)) => Form::Scalar { text: text.clone(), quoted: true },
            Some(What::Number(text)) => Form::Scalar { text: text.clone(), quoted: false },
            Some(What::Name(name)) => {
                let Some(value) = self.variables.get(name) else {
                    let message = format!("`{name}` can't be read: no literal of that name");
                    return Err(self.refuse(message, "write the text or list out"));
                };
                let value = Node { span, ..value.clone() };
                self.step();
                if self.peek() == Some(&What::Sign('(')) {
                    return Err(self.refuse("a call is no literal", "write its value out"));
                }
                self.count(&value)?;
                return Ok(Some(value));
            }
            Some(What::Sign(sign @ ('[' | '('))) => {
                let close = if *sign == '[' { ']' } else { ')' };
                self.step();
                if open.len() > POLICY_DEPTH_MAX {
                    let message = format!("lists nest more than {POLICY_DEPTH_MAX} deep");
                    let fault = Fault::new(span, "policy_depth_max", message);
                    return Err(Some(fault.help("a pattern holds texts and lists of texts")));
                }
                let end = self.span().end;
                if self.takes(close) {
                    let span = Span { start: span.start, end };
                    return Ok(Some(Node { span, form: Form::List(Vec::new()) }));
                }
                open.push(Open::new(span, close));
                return Ok(None);
            }
            Some(What::Sign('{')) => {
                return Err(self.refuse("a map can't be read", "write a text or a list"));
            }
            _ => return Err(self.refuse("a text or a list was expected", "write a literal")),
        };
        self.step();
        if matches!(self.peek(), Some(What::Text(_))) {
            return Err(self.refuse("two texts stand side by side", "put a `+` or a comma between"));
        }
        if matches!(self.peek(), Some(What::Sign('.' | '%' | '*'))) {
            return Err(self.refuse("a text that is made up can't be read", "write it out"));
        }
        let node = Node { span, form };
        self.count(&node)?;
        Ok(Some(node))
    }

    /// Counts what a value holds, so that variables in variables stay bounded.
    fn count(&mut self, value: &Node) -> Result<(), Stop> {
        let mut left = vec![value];
        while let Some(node) = left.pop() {
            self.nodes = self.nodes.saturating_add(1);
            if let Form::Scalar { text, .. } = &node.form {
                self.nodes = self.nodes.saturating_add(text.len() / 1024);
            }
            if self.nodes > POLICY_NODES_MAX {
                let message = format!("the policy holds more than {POLICY_NODES_MAX} values");
                return Err(Some(Fault::new(value.span, "policy_nodes_max", message)));
            }
            left.extend(node.items());
        }
        Ok(())
    }
}

impl Open {
    fn new(span: Span, close: char) -> Self {
        Open { span, close, items: Vec::new(), left: None, comma: false }
    }

    /// The list, or what stands alone in parentheses.
    fn close(mut self, end: usize) -> Node {
        if self.close == ')'
            && !self.comma
            && self.items.len() == 1
            && let Some(only) = self.items.pop()
        {
            return only;
        }
        Node { span: Span { start: self.span.start, end }, form: Form::List(self.items) }
    }
}

/// Two values added.
fn joined(left: Node, right: Node) -> Result<Node, Stop> {
    let span = Span { start: left.span.start, end: right.span.end };
    match (left.form, right.form) {
        (
            Form::Scalar { text: mut one, quoted: true },
            Form::Scalar { text: two, quoted: true },
        ) => {
            one.push_str(&two);
            Ok(Node { span, form: Form::Scalar { text: one, quoted: true } })
        }
        (Form::List(mut one), Form::List(two)) => {
            one.extend(two);
            Ok(Node { span, form: Form::List(one) })
        }
        _ => {
            let fault = Fault::new(span, "not_read", "a text and a list can't be added");
            Err(Some(fault.help("add two texts, or two lists")))
        }
    }
}
