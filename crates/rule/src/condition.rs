//! When a rule applies: comparisons over the session and the call, joined by and, or, not.

use std::cmp::Ordering;

use lawbook_event::json::Value;
use lawbook_event::{Number, Path};

use crate::{Asked, Fields, Literal, SessionPath, SessionValue};

/// How deep a condition may nest.
pub const CONDITION_DEPTH_MAX: usize = 64;

/// Whether a rule applies to a call, as far as can be told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Applies {
    /// It does.
    Yes,
    /// It does not.
    No,
    /// A place that it looks at is empty or unreadable.
    Unknown,
}

/// A condition, as a list of operations on a stack: it is evaluated in one pass, without
/// recursion, at a cost that its length bounds.
#[derive(Debug)]
pub struct Condition {
    /// The operations, operands first.
    pub steps: Vec<ConditionStep>,
    /// The condition as the policy writes it.
    pub text: String,
}

/// One operation of a condition.
#[derive(Debug)]
pub enum ConditionStep {
    /// Compares and pushes the answer.
    Compare(Comparison),
    /// Takes two answers and pushes whether both hold.
    And,
    /// Takes two answers and pushes whether either holds.
    Or,
    /// Takes an answer and pushes its opposite.
    Not,
}

/// A place compared with a value.
#[derive(Debug)]
pub struct Comparison {
    /// The place on the left.
    pub left: Place,
    /// How they are compared.
    pub operator: Operator,
    /// What stands on the right.
    pub right: Operand,
}

/// A place that a condition looks at.
#[derive(Clone, Debug, PartialEq)]
pub enum Place {
    /// In the session.
    Session(SessionPath),
    /// The name of the tool that is called.
    Tool,
    /// An argument of the call.
    Arg(Path),
}

/// What stands on the right of a comparison.
#[derive(Debug)]
pub enum Operand {
    /// A value, or a list of values for [`Operator::In`].
    Literal(Literal),
    /// Another place.
    Place(Place),
}

/// How two sides are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    /// They are equal.
    Equal,
    /// They differ.
    NotEqual,
    /// The left number is smaller.
    Less,
    /// The left number is smaller or equal.
    AtMost,
    /// The left number is larger.
    Greater,
    /// The left number is larger or equal.
    AtLeast,
    /// The left side is one of the list on the right.
    In,
}

/// A value on one side of a comparison.
#[derive(Clone, Copy)]
enum Side<'s> {
    Json(Value<'s>),
    Text(&'s str),
}

impl Condition {
    /// Whether it holds for a call, by Kleene's three-valued logic.
    #[must_use]
    pub fn applies(&self, asked: &Asked<'_>) -> Applies {
        let mut stack: Vec<Applies> = Vec::with_capacity(4);
        for step in &self.steps {
            let answer = match step {
                ConditionStep::Compare(it) => it.holds(asked),
                ConditionStep::Not => match stack.pop() {
                    Some(Applies::Yes) => Applies::No,
                    Some(Applies::No) => Applies::Yes,
                    Some(Applies::Unknown) | None => Applies::Unknown,
                },
                ConditionStep::And => joined(stack.pop(), stack.pop(), Applies::No, Applies::Yes),
                ConditionStep::Or => joined(stack.pop(), stack.pop(), Applies::Yes, Applies::No),
            };
            stack.push(answer);
        }
        stack.pop().unwrap_or(Applies::Unknown)
    }

    /// The places that it looks at.
    pub fn places(&self) -> impl Iterator<Item = &Place> {
        self.steps.iter().flat_map(|step| match step {
            ConditionStep::Compare(it) => it.places(),
            ConditionStep::And | ConditionStep::Or | ConditionStep::Not => Vec::new(),
        })
    }
}

/// `decides` on either side decides; both must be `rests` for the other answer.
fn joined(a: Option<Applies>, b: Option<Applies>, decides: Applies, rests: Applies) -> Applies {
    if a == Some(decides) || b == Some(decides) {
        decides
    } else if a == Some(rests) && b == Some(rests) {
        rests
    } else {
        Applies::Unknown
    }
}

impl Comparison {
    fn places(&self) -> Vec<&Place> {
        match &self.right {
            Operand::Place(right) => vec![&self.left, right],
            Operand::Literal(_) => vec![&self.left],
        }
    }

    fn holds(&self, asked: &Asked<'_>) -> Applies {
        let Some(left) = side(&self.left, asked) else { return Applies::Unknown };
        let right = match &self.right {
            Operand::Literal(literal) => Side::Json(literal.value()),
            Operand::Place(place) => match side(place, asked) {
                Some(right) => right,
                None => return Applies::Unknown,
            },
        };
        let truth = |holds: bool| if holds { Applies::Yes } else { Applies::No };
        match self.operator {
            Operator::Equal => truth(equal(left, right, asked)),
            Operator::NotEqual => truth(!equal(left, right, asked)),
            Operator::In => match right {
                Side::Json(list) => {
                    truth(list.items().any(|it| equal(left, Side::Json(it), asked)))
                }
                Side::Text(_) => Applies::Unknown,
            },
            Operator::Less | Operator::AtMost | Operator::Greater | Operator::AtLeast => {
                match (number(left, asked), number(right, asked)) {
                    (Some(left), Some(right)) => truth(self.ordered(left.compare(&right))),
                    _ => Applies::Unknown,
                }
            }
        }
    }

    fn ordered(&self, ordering: Ordering) -> bool {
        match self.operator {
            Operator::Less => ordering.is_lt(),
            Operator::AtMost => ordering.is_le(),
            Operator::Greater => ordering.is_gt(),
            Operator::AtLeast => ordering.is_ge(),
            Operator::Equal | Operator::NotEqual | Operator::In => false,
        }
    }
}

fn side<'s>(place: &Place, asked: &'s Asked<'_>) -> Option<Side<'s>> {
    let values = asked.manner.values;
    match place {
        Place::Tool => Some(Side::Text(&asked.call.tool)),
        Place::Session(path) => match asked.session.value(path, values)? {
            SessionValue::Json(value) => Some(Side::Json(value)),
            SessionValue::Text(text) => Some(Side::Text(text)),
        },
        Place::Arg(path) => match asked.args.fields(values) {
            Fields::Object(root) => values.path(root, path).map(Side::Json),
            Fields::Empty | Fields::Unreadable(_) | Fields::Unrecorded => None,
        },
    }
}

fn equal(left: Side<'_>, right: Side<'_>, asked: &Asked<'_>) -> bool {
    match (left, right) {
        (Side::Json(left), Side::Json(right)) => asked.manner.values.equal(left, right),
        (Side::Text(left), Side::Text(right)) => left == right,
        (Side::Json(value), Side::Text(text)) | (Side::Text(text), Side::Json(value)) => {
            value.as_str() == Some(text)
        }
    }
}

fn number(side: Side<'_>, asked: &Asked<'_>) -> Option<Number> {
    match side {
        Side::Json(value) => asked.manner.values.number(value),
        Side::Text(_) => None,
    }
}
