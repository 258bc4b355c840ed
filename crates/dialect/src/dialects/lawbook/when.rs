//! Conditions: `when` text to a list of operations, without recursion.
//!
//! A condition is comparisons joined by `and`, `or`, `not` and parentheses. Each comparison has a
//! place on its left; on its right stands a value, a list of values after `in`, or another place.

mod place;
mod token;

use lawbook_diag::Span;
use lawbook_rule::params::Fault;
use lawbook_rule::{
    CONDITION_DEPTH_MAX, Comparison, Condition, ConditionStep, Literal, Operand, Operator, Place,
    SessionPath, ToolName,
};

use token::{Token, TokenKind, tokens};

/// How long a condition may be, in bytes.
pub const CONDITION_BYTES_MAX: usize = 4_096;

/// Parses a condition. Spans in faults are bytes of `text`.
pub(super) fn parse(text: &str) -> Result<Condition, Vec<Fault>> {
    if text.len() > CONDITION_BYTES_MAX {
        let message = format!("the condition is longer than {CONDITION_BYTES_MAX} bytes");
        return Err(vec![fault(Span::default(), message, "split it into several rules")]);
    }
    let tokens = tokens(text).map_err(|it| vec![it])?;
    let mut parser =
        Parser { text, tokens, at: 0, faults: Vec::new(), steps: Vec::new(), open: Vec::new() };
    let stopped = parser.run().err();
    parser.faults.extend(stopped);
    if parser.faults.is_empty() {
        Ok(Condition { steps: parser.steps, text: text.to_owned() })
    } else {
        Err(parser.faults)
    }
}

fn fault(span: Span, message: impl Into<String>, help: impl Into<String>) -> Fault {
    Fault::new(span, "bad_condition", message).help(help)
}

struct Parser<'t> {
    text: &'t str,
    tokens: Vec<Token>,
    at: usize,
    faults: Vec<Fault>,
    /// What is ready to run, operands first.
    steps: Vec<ConditionStep>,
    /// Operators and parentheses that wait for their right side.
    open: Vec<(Waiting, Span)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Waiting {
    Paren,
    Or,
    And,
    Not,
}

/// One side of a comparison.
enum Side {
    Place(Place),
    Literal(Literal),
    List(Literal),
    /// Something that has been told of.
    Wrong,
}

impl Parser<'_> {
    fn run(&mut self) -> Result<(), Fault> {
        loop {
            self.operand()?;
            loop {
                let token = self.next();
                match token.kind {
                    TokenKind::And => self.wait(Waiting::And, token.span)?,
                    TokenKind::Or => self.wait(Waiting::Or, token.span)?,
                    TokenKind::CloseParen => {
                        self.settle(Waiting::Or);
                        if self.open.pop().is_none() {
                            return Err(fault(token.span, "`)` closes nothing", "take it away"));
                        }
                        continue;
                    }
                    TokenKind::End => return self.finish(),
                    _ => return Err(self.unexpected(&token, "`and`, `or` or the end")),
                }
                break;
            }
        }
    }

    /// Everything up to and including the next comparison.
    fn operand(&mut self) -> Result<(), Fault> {
        loop {
            let token = self.next();
            let waiting = match token.kind {
                TokenKind::Not => Waiting::Not,
                TokenKind::OpenParen => Waiting::Paren,
                _ => {
                    self.at = self.at.saturating_sub(1);
                    return self.comparison();
                }
            };
            self.open(waiting, token.span)?;
        }
    }

    fn open(&mut self, waiting: Waiting, span: Span) -> Result<(), Fault> {
        if self.open.len() >= CONDITION_DEPTH_MAX {
            let message = format!("the condition nests more than {CONDITION_DEPTH_MAX} deep");
            return Err(fault(span, message, "split it into several rules"));
        }
        self.open.push((waiting, span));
        Ok(())
    }

    /// Lets an operator wait for its right side, after those that bind as tightly or more.
    fn wait(&mut self, waiting: Waiting, span: Span) -> Result<(), Fault> {
        self.settle(waiting);
        self.open(waiting, span)
    }

    fn settle(&mut self, down_to: Waiting) {
        while let Some((waiting, _)) = self.open.pop_if(|it| it.0 >= down_to) {
            self.steps.extend(match waiting {
                Waiting::Not => Some(ConditionStep::Not),
                Waiting::And => Some(ConditionStep::And),
                Waiting::Or => Some(ConditionStep::Or),
                Waiting::Paren => None,
            });
        }
    }

    fn finish(&mut self) -> Result<(), Fault> {
        self.settle(Waiting::Or);
        match self.open.last() {
            Some((_, span)) => Err(fault(*span, "`(` is never closed", "close it with `)`")),
            None => Ok(()),
        }
    }

    fn comparison(&mut self) -> Result<(), Fault> {
        let start = self.peek().span;
        let left = self.side()?;
        let token = self.next();
        let (operator, negated) = match token.kind {
            TokenKind::Compare(operator) => (operator, false),
            TokenKind::Not if self.peek().kind == TokenKind::In => {
                self.next();
                (Operator::In, true)
            }
            TokenKind::In => (Operator::In, false),
            _ => {
                let help = "compare it, as in `== true` or `in [\"a\", \"b\"]`";
                return Err(fault(start, "a comparison needs an operator and a right side", help));
            }
        };
        let right = self.side()?;
        let span = Span { start: start.start, end: self.before() };
        if let TokenKind::Compare(_) | TokenKind::In = self.peek().kind {
            let help = "join two comparisons with `and`";
            return Err(fault(self.peek().span, "a comparison has two sides", help));
        }
        match compared(left, operator, right) {
            Ok(Some(comparison)) => self.steps.push(ConditionStep::Compare(comparison)),
            Ok(None) => {}
            Err((message, help)) => self.faults.push(fault(span, message, help)),
        }
        if negated {
            self.steps.push(ConditionStep::Not);
        }
        Ok(())
    }

    fn side(&mut self) -> Result<Side, Fault> {
        let token = self.next();
        match &token.kind {
            TokenKind::Value(json) => Ok(literal(json).map_or(Side::Wrong, Side::Literal)),
            TokenKind::Place => {
                let text = self.text.get(token.span.start..token.span.end).unwrap_or_default();
                match place::parse(text, token.span) {
                    Ok(place) => Ok(Side::Place(place)),
                    Err(told) => {
                        self.faults.push(told);
                        Ok(Side::Wrong)
                    }
                }
            }
            TokenKind::OpenList => self.list(),
            _ => Err(self.unexpected(&token, "a place or a value")),
        }
    }

    fn list(&mut self) -> Result<Side, Fault> {
        let mut json = String::from("[");
        loop {
            let token = self.next();
            match &token.kind {
                TokenKind::Value(value) => {
                    if json.len() > 1 {
                        json.push(',');
                    }
                    json.push_str(value);
                }
                TokenKind::CloseList if json.len() == 1 => break,
                _ => return Err(self.unexpected(&token, "a number or a quoted text")),
            }
            let token = self.next();
            match token.kind {
                TokenKind::Comma => {}
                TokenKind::CloseList => break,
                _ => return Err(self.unexpected(&token, "`,` or `]`")),
            }
        }
        json.push(']');
        Ok(literal(&json).map_or(Side::Wrong, Side::List))
    }

    fn next(&mut self) -> Token {
        let token = self.peek().clone();
        self.at = self.at.saturating_add(1);
        token
    }

    fn peek(&self) -> &Token {
        self.tokens.get(self.at).unwrap_or(&token::END)
    }

    /// The end of the last token that was taken.
    fn before(&self) -> usize {
        self.tokens.get(self.at.saturating_sub(1)).map_or(self.text.len(), |it| it.span.end)
    }

    fn unexpected(&self, token: &Token, wanted: &str) -> Fault {
        let end = self.text.len();
        let span = if token.kind == TokenKind::End { Span { start: end, end } } else { token.span };
        let message = match self.text.get(span.start..span.end) {
            Some(found) if !found.is_empty() => format!("`{found}` stands where {wanted} should"),
            _ => format!("the condition ends where {wanted} should stand"),
        };
        fault(span, message, "as in `session.metadata.channel == \"sms\"`")
    }
}

fn literal(json: &str) -> Option<Literal> {
    Literal::parse(json).ok()
}

type Told = (String, &'static str);

/// The comparison of two sides, if it can mean something.
fn compared(left: Side, operator: Operator, right: Side) -> Result<Option<Comparison>, Told> {
    let flipped = match operator {
        Operator::Less => Operator::Greater,
        Operator::Greater => Operator::Less,
        Operator::AtMost => Operator::AtLeast,
        Operator::AtLeast => Operator::AtMost,
        Operator::Equal
        | Operator::NotEqual
        | Operator::In
        | Operator::SameText
        | Operator::SameTextIfAny => operator,
    };
    let (left, operator, right) = match (left, right) {
        (Side::Wrong, _) | (_, Side::Wrong) => return Ok(None),
        (Side::List(_), _) => {
            return Err(("a list stands on the left".to_owned(), "write `PLACE in […]`"));
        }
        (Side::Literal(_), Side::Literal(_) | Side::List(_)) => {
            return Err((
                "two values are compared, which is always the same".to_owned(),
                "compare a place, as in `call.tool == \"refund\"`",
            ));
        }
        (Side::Literal(_), Side::Place(_)) if operator == Operator::In => {
            return Err(("`in` needs a list on its right".to_owned(), "as in `in [\"a\", \"b\"]`"));
        }
        (Side::Literal(value), Side::Place(place)) => (place, flipped, Operand::Literal(value)),
        (Side::Place(place), Side::List(list)) if operator == Operator::In => {
            (place, operator, Operand::Literal(list))
        }
        (Side::Place(_), Side::List(_)) => {
            return Err(("a list is compared with one value".to_owned(), "write `in` for `==`"));
        }
        (Side::Place(_), _) if operator == Operator::In => {
            return Err(("`in` needs a list on its right".to_owned(), "as in `in [\"a\", \"b\"]`"));
        }
        (Side::Place(place), Side::Literal(value)) => (place, operator, Operand::Literal(value)),
        (Side::Place(place), Side::Place(other)) => (place, operator, Operand::Place(other)),
    };
    let ordered = !matches!(operator, Operator::Equal | Operator::NotEqual | Operator::In);
    if ordered && !may_be_number(&left, &right) {
        return Err((
            "`<`, `<=`, `>` and `>=` compare numbers, and this is none".to_owned(),
            "compare text with `==`, `!=` or `in`",
        ));
    }
    let right = if left == Place::Tool { tools(right)? } else { right };
    Ok(Some(Comparison { left, operator, right }))
}

/// The right side of `call.tool`, where texts are names of tools.
fn tools(right: Operand) -> Result<Operand, Told> {
    let Operand::Literal(literal) = right else { return Ok(right) };
    let value = literal.value();
    let one = value.as_str().is_some().then_some(value);
    let names = one.into_iter().chain(value.items());
    let names: Option<Vec<ToolName>> = names.map(|it| it.as_str().map(ToolName::literal)).collect();
    match names {
        Some(names) if one.is_some() || value.is_array() => Ok(Operand::Tools(names)),
        _ => Err((
            "`call.tool` is a name, which is never this".to_owned(),
            "put the names of tools in quotes",
        )),
    }
}

fn may_be_number(left: &Place, right: &Operand) -> bool {
    let place = |it: &Place| match it {
        Place::Tool
        | Place::Session(SessionPath::Id | SessionPath::Cwd | SessionPath::Workspace) => false,
        Place::Arg(_)
        | Place::Session(
            SessionPath::Attribute(_) | SessionPath::Metadata(_) | SessionPath::Recording(_),
        ) => true,
    };
    place(left)
        && match right {
            Operand::Literal(literal) => literal.value().number_text().is_some(),
            Operand::Tools(_) => false,
            Operand::Place(other) => place(other),
        }
}

#[cfg(test)]
mod tests;
