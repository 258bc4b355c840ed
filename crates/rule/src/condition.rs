//! When a rule applies: comparisons over the session and the call, joined by and, or, not.

use std::borrow::Cow;
use std::cmp::Ordering;

use lawbook_event::json::{Kind, Value};
use lawbook_event::{JAVASCRIPT, Number, Path, RecordingPart, Skeleton};

use crate::{Asked, Fields, Literal, SessionPath, SessionValue, ToolName};

/// How deep a condition may nest.
pub const CONDITION_DEPTH_MAX: usize = 64;

/// Whether a rule applies to a call, as far as can be told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Applies {
    /// It does.
    Yes,
    /// It does not.
    No,
    /// A place that it looks at is empty or unreadable, or holds another kind of value than it is
    /// compared with.
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
    /// Names of tools, of which one is meant; they are compared by skeleton.
    Tools(Vec<ToolName>),
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
    /// Both have the same text, whatever kinds they are of (pmstack).
    SameText,
    /// The same, where what is absent has the empty text.
    SameTextIfAny,
}

/// A value on one side of a comparison.
#[derive(Clone, Copy)]
enum Side<'s> {
    Json(Value<'s>),
    Text(&'s str),
    Count(usize),
    Tool(&'s str),
}

impl Condition {
    /// Whether it looks at a part of the recording.
    #[must_use]
    pub fn looks_at(&self, part: RecordingPart) -> bool {
        let is = |place: &Place| matches!(place, Place::Session(path) if path.part() == Some(part));
        self.steps.iter().any(|step| match step {
            ConditionStep::Compare(it) => {
                is(&it.left) || matches!(&it.right, Operand::Place(place) if is(place))
            }
            ConditionStep::And | ConditionStep::Or | ConditionStep::Not => false,
        })
    }

    /// Whether it holds for a call, by Kleene's three-valued logic.
    #[must_use]
    pub fn applies(&self, asked: &Asked<'_>) -> Applies {
        let mut stack: Vec<Applies> = Vec::with_capacity(4);
        for step in &self.steps {
            let found = match step {
                ConditionStep::Compare(it) => it.holds(asked),
                ConditionStep::Not => match stack.pop() {
                    Some(Applies::Yes) => Applies::No,
                    Some(Applies::No) => Applies::Yes,
                    Some(Applies::Unknown) | None => Applies::Unknown,
                },
                ConditionStep::And => joined(stack.pop(), stack.pop(), Applies::No, Applies::Yes),
                ConditionStep::Or => joined(stack.pop(), stack.pop(), Applies::Yes, Applies::No),
            };
            stack.push(found);
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
            Operand::Literal(_) | Operand::Tools(_) => vec![&self.left],
        }
    }

    fn holds(&self, asked: &Asked<'_>) -> Applies {
        let left = match (side(&self.left, asked), self.operator) {
            (Some(left), _) => left,
            (None, Operator::SameTextIfAny) => Side::Text(""),
            (None, _) => return Applies::Unknown,
        };
        let right = match &self.right {
            Operand::Literal(literal) => Side::Json(literal.value()),
            Operand::Tools(tools) => return self.means(left, tools),
            Operand::Place(place) => match side(place, asked) {
                // Against nothing at another place there is nothing to compare.
                Some(Side::Json(right)) if right.is_null() => return Applies::Unknown,
                Some(right) => right,
                None => return Applies::Unknown,
            },
        };
        match self.operator {
            Operator::Equal => answer(equal(left, right, asked)),
            Operator::NotEqual => answer(equal(left, right, asked).map(|it| !it)),
            Operator::In => answer(within(left, right, asked)),
            Operator::SameText if is_cut(left) || is_cut(right) => Applies::Unknown,
            Operator::SameText | Operator::SameTextIfAny => answer(Some(text(left) == text(right))),
            Operator::Less | Operator::AtMost | Operator::Greater | Operator::AtLeast => {
                match (number(left, asked), number(right, asked)) {
                    (Some(left), Some(right)) => answer(Some(self.ordered(left.compare(&right)))),
                    _ => Applies::Unknown,
                }
            }
        }
    }

    fn means(&self, left: Side<'_>, tools: &[ToolName]) -> Applies {
        let (Side::Tool(name) | Side::Text(name)) = left else { return Applies::Unknown };
        let name = Skeleton::new(name);
        let one = tools.iter().any(|it| it.skeleton().means(&name));
        answer(Some(one != (self.operator == Operator::NotEqual)))
    }

    fn ordered(&self, ordering: Ordering) -> bool {
        match self.operator {
            Operator::Less => ordering.is_lt(),
            Operator::AtMost => ordering.is_le(),
            Operator::Greater => ordering.is_gt(),
            Operator::AtLeast => ordering.is_ge(),
            Operator::Equal
            | Operator::NotEqual
            | Operator::In
            | Operator::SameText
            | Operator::SameTextIfAny => false,
        }
    }
}

fn side<'s>(place: &Place, asked: &'s Asked<'_>) -> Option<Side<'s>> {
    let values = asked.manner.values;
    match place {
        Place::Tool => Some(Side::Tool(&asked.call.tool)),
        Place::Session(path) => match asked.session.value(path, values)? {
            SessionValue::Json(value) => Some(Side::Json(value)),
            SessionValue::Text(text) => Some(Side::Text(text)),
            SessionValue::Count(count) => Some(Side::Count(count)),
        },
        Place::Arg(path) => match asked.args.fields(values) {
            Fields::Object(root) => values.path(root, path).map(Side::Json),
            Fields::Empty | Fields::Unreadable(_) | Fields::Unrecorded => None,
        },
    }
}

/// Whether the recording holds a part of a side only.
fn is_cut(side: Side<'_>) -> bool {
    words(side).is_some_and(lawbook_event::is_cut)
}

fn answer(holds: Option<bool>) -> Applies {
    match holds {
        Some(true) => Applies::Yes,
        Some(false) => Applies::No,
        None => Applies::Unknown,
    }
}

/// Whether two sides are equal; none where they are of different kinds, so that the question is
/// none. With a `null` that the policy writes out, everything may be compared.
fn equal(left: Side<'_>, right: Side<'_>, asked: &Asked<'_>) -> Option<bool> {
    match (left, right) {
        (Side::Json(left), Side::Json(right)) if left.kind() == right.kind() => {
            Some(asked.manner.values.equal(left, right))
        }
        (Side::Json(_), Side::Json(right)) => right.is_null().then_some(false),
        (Side::Tool(left), right) | (right, Side::Tool(left)) => {
            let right = words(right)?;
            Some(Skeleton::new(left).means(&Skeleton::new(right)))
        }
        (Side::Text(_), Side::Json(value)) if value.is_null() => Some(false),
        (Side::Count(left), right) | (right, Side::Count(left)) => {
            Some(text(right) == left.to_string())
        }
        (left, right) => Some(words(left)? == words(right)?),
    }
}

/// Whether a side is one of a list; none where nothing in the list is of its kind.
fn within(left: Side<'_>, list: Side<'_>, asked: &Asked<'_>) -> Option<bool> {
    let Side::Json(list) = list else { return None };
    let mut known = (list.kind() == Kind::Array && list.items().next().is_none()).then_some(false);
    for item in list.items() {
        match equal(left, Side::Json(item), asked) {
            Some(true) => return Some(true),
            Some(false) => known = Some(false),
            None => {}
        }
    }
    known
}

fn words(side: Side<'_>) -> Option<&str> {
    match side {
        Side::Json(value) => value.as_str(),
        Side::Text(text) | Side::Tool(text) => Some(text),
        Side::Count(_) => None,
    }
}

/// The text of a side as ECMAScript shows it; nothing has the empty one.
fn text(side: Side<'_>) -> Cow<'_, str> {
    match side {
        Side::Json(value) if value.is_null() => Cow::Borrowed(""),
        Side::Json(value) => JAVASCRIPT.text(value),
        Side::Text(text) | Side::Tool(text) => Cow::Borrowed(text),
        Side::Count(count) => Cow::Owned(count.to_string()),
    }
}

fn number(side: Side<'_>, asked: &Asked<'_>) -> Option<Number> {
    match side {
        Side::Json(value) => asked.manner.values.number(value),
        Side::Text(_) | Side::Tool(_) | Side::Count(_) => None,
    }
}
