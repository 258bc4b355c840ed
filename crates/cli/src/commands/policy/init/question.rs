//! One question to the owner: its lettered options, what each still needs to know, and what it
//! does to the policy.

use std::collections::BTreeMap;

use lawbook_rule::params::{Node, Scalar};

use super::making::Making;

/// What an option does to the policy.
pub type Effect = Box<dyn Fn(&Given, &mut Making)>;

/// A question to the owner.
pub struct Question {
    /// Its id: the requirement, and the subject where there are several.
    pub id: String,
    /// The question itself.
    pub text: String,
    /// The options, of which the first is the recommended one.
    pub options: Vec<Choice>,
    /// Whether its recommendation is among the rules that a policy without an owner starts with.
    pub starts: bool,
}

/// One option.
pub struct Choice {
    /// What it says.
    pub text: String,
    /// Why it is recommended; only the first option has a reason.
    pub reason: Option<String>,
    /// What must be given beside the letter.
    pub wants: Vec<Want>,
    /// The reason that the policy gives for what it makes.
    pub why: Why,
    /// What follows.
    pub then: Then,
}

/// What follows from an option.
pub enum Then {
    /// The policy changes.
    Changes(Effect),
    /// Nothing: the requirement does not apply.
    DoesNotApply,
    /// The owner has to say it later.
    ToConfirm,
}

/// The reason for what an option makes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Why {
    /// It makes nothing that has a reason.
    None,
    /// The owner may give one; this one stands otherwise.
    Default(String),
    /// The owner must give one.
    Owner,
}

/// Something that must be given beside the letter.
#[derive(Clone, Debug)]
pub struct Want {
    /// Its key among the answers.
    pub name: &'static str,
    /// What is asked.
    pub ask: String,
    /// What it looks like.
    pub form: Form,
    /// What stands if it is left out.
    pub default: Option<Node>,
}

/// What something that is wanted looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Text.
    Text,
    /// A number.
    Number,
    /// A whole number.
    Whole,
    /// A list of texts.
    Texts,
    /// A list of regular expressions.
    Patterns,
}

/// What was given beside the letter.
#[derive(Clone, Debug, Default)]
pub struct Given {
    /// The values by their keys.
    pub values: BTreeMap<String, Node>,
    /// The reason.
    pub why: String,
}

/// An answer.
#[derive(Clone, Debug, Default)]
pub struct Answer {
    /// The letter.
    pub letter: String,
    /// What is given beside it.
    pub values: BTreeMap<String, Node>,
    /// The reason in the owner's words.
    pub why: Option<String>,
}

impl Question {
    /// A question without options.
    pub fn new(id: impl Into<String>, text: impl Into<String>) -> Self {
        Question { id: id.into(), text: text.into(), options: Vec::new(), starts: false }
    }

    /// The same, of which the recommendation is a rule to start with.
    pub fn starting(mut self) -> Self {
        self.starts = true;
        self
    }

    /// The same with one more option.
    pub fn option(mut self, choice: Choice) -> Self {
        self.options.push(choice);
        self
    }

    /// The same with the option that the requirement does not apply.
    pub fn or_not(self, text: impl Into<String>) -> Self {
        self.option(Choice::does_not_apply(text))
    }

    /// The same with the option that the owner will say it later.
    pub fn or_later(self) -> Self {
        self.option(Choice {
            text: "To confirm with the owner".to_owned(),
            reason: None,
            wants: Vec::new(),
            why: Why::None,
            then: Then::ToConfirm,
        })
    }

    /// The options with their letters.
    pub fn lettered(&self) -> impl Iterator<Item = (char, &Choice)> {
        ('A'..='Z').zip(&self.options)
    }

    /// The option of a letter, in either case.
    pub fn choice(&self, letter: &str) -> Option<&Choice> {
        let mut letters = letter.trim().chars();
        let wanted = letters.next()?.to_ascii_uppercase();
        let alone = letters.next().is_none();
        self.lettered().find(|it| alone && it.0 == wanted).map(|it| it.1)
    }
}

impl Choice {
    /// An option that changes the policy.
    pub fn new(text: impl Into<String>, then: impl Fn(&Given, &mut Making) + 'static) -> Self {
        Choice {
            text: text.into(),
            reason: None,
            wants: Vec::new(),
            why: Why::None,
            then: Then::Changes(Box::new(then)),
        }
    }

    /// The option that the requirement does not apply.
    pub fn does_not_apply(text: impl Into<String>) -> Self {
        Choice {
            text: text.into(),
            reason: None,
            wants: Vec::new(),
            why: Why::None,
            then: Then::DoesNotApply,
        }
    }

    /// The same, recommended for a reason.
    pub fn because(mut self, reason: impl Into<String>) -> Self {
        self.reason = Some(reason.into());
        self
    }

    /// The same, with something that must be given.
    pub fn wants(mut self, name: &'static str, form: Form, ask: impl Into<String>) -> Self {
        self.wants.push(Want { name, ask: ask.into(), form, default: None });
        self
    }

    /// The same, with a value that stands where the last thing that is wanted is left out.
    pub fn or(mut self, default: Node) -> Self {
        if let Some(want) = self.wants.last_mut() {
            want.default = Some(default);
        }
        self
    }

    /// The same, with the reason that stands if the owner gives none.
    pub fn why(mut self, default: impl Into<String>) -> Self {
        self.why = Why::Default(default.into());
        self
    }

    /// The same, with a reason that the owner must give.
    pub fn owners_why(mut self) -> Self {
        self.why = Why::Owner;
        self
    }

    /// Whether the letter alone is a whole answer.
    pub fn is_whole(&self) -> bool {
        self.why != Why::Owner && self.wants.iter().all(|it| it.default.is_some())
    }
}

impl Given {
    /// A text or the text of a number.
    pub fn word(&self, name: &str) -> &str {
        self.values.get(name).and_then(Node::words).unwrap_or_default()
    }

    /// The value as it is to be written.
    pub fn node(&self, name: &str) -> Node {
        self.values.get(name).cloned().unwrap_or_else(|| Node::bare("null"))
    }

    /// The texts of a list.
    pub fn texts(&self, name: &str) -> Vec<String> {
        let Some(node) = self.values.get(name) else { return Vec::new() };
        let one = std::slice::from_ref(node);
        let items = if node.words().is_some() { one } else { node.items() };
        items.iter().filter_map(Node::words).map(str::to_owned).collect()
    }
}

impl Form {
    /// What it looks like, in words.
    pub fn words(self) -> &'static str {
        match self {
            Form::Text => "text",
            Form::Number => "a number",
            Form::Whole => "a whole number",
            Form::Texts => "a list, with commas between",
            Form::Patterns => "regular expressions, with a semicolon and a space between",
        }
    }

    /// The word for it in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Form::Text => "text",
            Form::Number => "number",
            Form::Whole => "whole",
            Form::Texts => "texts",
            Form::Patterns => "patterns",
        }
    }

    /// What a line of a terminal gives.
    pub fn read(self, line: &str) -> Node {
        let split = |between: &str| {
            let parts = line.split(between).map(str::trim).filter(|it| !it.is_empty());
            Node::texts(parts)
        };
        match self {
            Form::Text => Node::text(line.trim()),
            Form::Number | Form::Whole => Node::bare(line.trim().trim_start_matches('$')),
            Form::Texts => split(","),
            Form::Patterns => split("; "),
        }
    }

    /// What is wrong with a value, if anything.
    pub fn wrong(self, node: &Node) -> Option<String> {
        let texts = || {
            let one = std::slice::from_ref(node);
            let items = if node.words().is_some() { one } else { node.items() };
            let texts: Vec<&str> =
                items.iter().filter_map(Node::words).filter(|it| !it.trim().is_empty()).collect();
            (texts.len() == items.len() && !texts.is_empty()).then_some(texts)
        };
        let fits = match (self, node.scalar()) {
            (Form::Text, _) => node.words().is_some_and(|it| !it.trim().is_empty()),
            (Form::Number, Some(Scalar::Number(_))) => true,
            (Form::Whole, Some(Scalar::Number(text))) => {
                text.len() <= 9 && text.bytes().all(|it| it.is_ascii_digit())
            }
            (Form::Texts, _) => texts().is_some(),
            (Form::Patterns, _) => {
                let texts = texts()?;
                return texts.into_iter().find_map(bad_pattern);
            }
            _ => false,
        };
        (!fits).then(|| format!("it must be {}", self.words()))
    }
}

fn bad_pattern(pattern: &str) -> Option<String> {
    let compiled = lawbook_event::EXACT.pattern(pattern, true, lawbook_event::PatternUse::Allow);
    compiled.err().map(|it| format!("pattern `{pattern}` is refused: {it}"))
}
