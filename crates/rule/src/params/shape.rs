//! The shapes that parameters have, and the check that a value has one.

use lawbook_diag::Span;

use super::{Fault, Form, Node, Scalar, duration_secs, scalar};

/// A parameter of a rule kind.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// The key.
    pub name: &'static str,
    /// What its value looks like.
    pub shape: Shape,
    /// Whether it must stand there.
    pub required: bool,
    /// What it says, in one line.
    pub doc: &'static str,
}

/// What a value looks like.
#[derive(Clone, Copy, Debug)]
pub enum Shape {
    /// Text.
    Text,
    /// The name of one tool.
    Tool,
    /// A list of tool names; one may stand alone.
    Tools,
    /// A path to an argument, or into a result.
    Path,
    /// A list of paths; one may stand alone.
    Paths,
    /// A place in the session.
    SessionKey,
    /// A number.
    Number,
    /// A whole number that is not negative.
    Whole,
    /// `true` or `false`.
    Bool,
    /// Any value.
    Value,
    /// A list of values.
    Values,
    /// A regular expression, or a list of them.
    Patterns,
    /// As [`Shape::Patterns`], and the list may be empty.
    AnyPatterns,
    /// A list of texts; one may stand alone, and the list may be empty.
    Texts,
    /// `true` or `false`, or keys with values, which somebody else checks.
    FlagOrMap,
    /// What one call costs: a whole number, or the argument that says so.
    Cost,
    /// Tools, each with what a call of it costs.
    Costs,
    /// Paths to arguments, each with a number.
    Numbers,
    /// Texts, each with a whole number above none.
    Wholes,
    /// A whole number with a unit.
    Duration,
    /// One of these words.
    OneOf(&'static [&'static str]),
    /// Keys with values.
    Map(&'static [Field]),
    /// A list of maps.
    Entries(&'static [Field]),
}

/// Where a cost is an argument's.
const COST_FROM: &[Field] =
    &[Field::required("arg", Shape::Path, "The argument that says what a call costs.")];

impl Field {
    /// A parameter that must stand there.
    #[must_use]
    pub const fn required(name: &'static str, shape: Shape, doc: &'static str) -> Self {
        Field { name, shape, required: true, doc }
    }

    /// A parameter that may be left out.
    #[must_use]
    pub const fn optional(name: &'static str, shape: Shape, doc: &'static str) -> Self {
        Field { name, shape, required: false, doc }
    }
}

impl Shape {
    /// The shape in words, as tables and problems show it.
    #[must_use]
    pub fn words(&self) -> String {
        match self {
            Shape::Text => "text".to_owned(),
            Shape::Tool => "a tool name".to_owned(),
            Shape::Tools => "a list of tool names".to_owned(),
            Shape::Path => "a path".to_owned(),
            Shape::Paths => "a list of paths".to_owned(),
            Shape::SessionKey => "a place in the session".to_owned(),
            Shape::Number => "a number".to_owned(),
            Shape::Whole => "a whole number".to_owned(),
            Shape::Bool => "true or false".to_owned(),
            Shape::Value => "a value".to_owned(),
            Shape::Values => "a list of values".to_owned(),
            Shape::Patterns => "a pattern or a list of patterns".to_owned(),
            Shape::AnyPatterns => "a list of patterns".to_owned(),
            Shape::Texts => "a list of texts".to_owned(),
            Shape::FlagOrMap => "true, false or a map".to_owned(),
            Shape::Cost => "a whole number or `{arg: PATH}`".to_owned(),
            Shape::Costs => "a map of tools to costs".to_owned(),
            Shape::Numbers => "a map of paths to numbers".to_owned(),
            Shape::Wholes => "a map of texts to whole numbers".to_owned(),
            Shape::Duration => "a duration".to_owned(),
            Shape::OneOf(words) => quoted(words, " or "),
            Shape::Map(fields) => format!("a map of {}", names(fields)),
            Shape::Entries(fields) => format!("a list of maps of {}", names(fields)),
        }
    }

    /// Tells everything that keeps a value from having this shape.
    pub fn check(&self, name: &str, node: &Node, faults: &mut Vec<Fault>) {
        match self {
            Shape::Map(fields) => check_map(&format!("`{name}`"), node, fields, faults),
            Shape::Entries(fields) => match &node.form {
                Form::List(items) => {
                    for item in items {
                        check_map(&format!("an entry of `{name}`"), item, fields, faults);
                    }
                }
                Form::Scalar { .. } | Form::Map(_) => faults.push(self.refused(name, node)),
            },
            Shape::AnyPatterns | Shape::Texts if matches!(&node.form, Form::List(items) if items.is_empty()) =>
                {}
            Shape::FlagOrMap if matches!(node.form, Form::Map(_)) => {}
            Shape::Tools | Shape::Paths | Shape::Patterns | Shape::AnyPatterns | Shape::Texts => {
                self.check_texts(name, node, faults)
            }
            Shape::Values => match &node.form {
                Form::List(items) if items.is_empty() => faults.push(empty(name, node)),
                Form::List(_) => {}
                Form::Scalar { .. } | Form::Map(_) => faults.push(self.refused(name, node)),
            },
            Shape::Value => {}
            Shape::Cost if matches!(node.form, Form::Map(_)) => {
                check_map(&format!("`{name}`"), node, COST_FROM, faults);
            }
            Shape::Costs | Shape::Numbers | Shape::Wholes => self.check_each(name, node, faults),
            _ => self.check_scalar(name, node, faults),
        }
    }

    /// A map whose keys are the policy's own.
    fn check_each(&self, name: &str, node: &Node, faults: &mut Vec<Fault>) {
        match &node.form {
            Form::Map(entries) if entries.is_empty() => faults.push(empty(name, node)),
            Form::Map(entries) => {
                for entry in entries {
                    match self {
                        Shape::Costs => Shape::Cost.check(&entry.key, &entry.value, faults),
                        Shape::Wholes => Shape::Whole.check(&entry.key, &entry.value, faults),
                        _ => {
                            faults.extend(odd_path(name, &entry.key, entry.key_span));
                            Shape::Number.check(&entry.key, &entry.value, faults);
                        }
                    }
                }
            }
            Form::Scalar { .. } | Form::List(_) => faults.push(self.refused(name, node)),
        }
    }

    fn check_texts(&self, name: &str, node: &Node, faults: &mut Vec<Fault>) {
        let one = std::slice::from_ref(node);
        let items = match &node.form {
            Form::List(items) if items.is_empty() => return faults.push(empty(name, node)),
            Form::List(items) => items,
            Form::Scalar { .. } if node.words().is_some_and(|it| !it.is_empty()) => one,
            Form::Scalar { .. } | Form::Map(_) => return faults.push(self.refused(name, node)),
        };
        for item in items {
            match item.words().filter(|it| !it.is_empty()) {
                Some(text) if matches!(self, Shape::Paths) => {
                    faults.extend(odd_path(name, text, item.span));
                }
                Some(_) => {}
                None => {
                    let message =
                        format!("`{name}` must be {}; one of them is {}", self.words(), bare(item));
                    faults.push(Fault::new(item.span, "wrong_shape", message));
                }
            }
        }
    }

    fn check_scalar(&self, name: &str, node: &Node, faults: &mut Vec<Fault>) {
        let scalar = node.scalar();
        let fits = match (self, scalar) {
            (Shape::Number | Shape::Whole | Shape::Cost, Some(Scalar::Unclear(text))) => {
                return faults.push(scalar::unclear(node, text));
            }
            (Shape::Number, Some(Scalar::Number(_)))
            | (Shape::Bool | Shape::FlagOrMap, Some(Scalar::Bool(_))) => true,
            (Shape::Whole | Shape::Cost, Some(Scalar::Number(text))) => is_whole(text),
            (Shape::Duration, _) => node.words().is_some_and(|it| duration_secs(it).is_some()),
            (Shape::OneOf(words), _) => node.words().is_some_and(|it| words.contains(&it)),
            (Shape::Text | Shape::Tool | Shape::Path | Shape::SessionKey, _) => {
                node.words().is_some_and(|it| !it.trim().is_empty())
            }
            _ => false,
        };
        if !fits {
            faults.push(self.refused(name, node));
        } else if matches!(self, Shape::Path) {
            faults.extend(node.words().and_then(|it| odd_path(name, it, node.span)));
        }
    }

    fn refused(&self, name: &str, node: &Node) -> Fault {
        let message = format!("`{name}` must be {}, not {}", self.words(), bare(node));
        let fault = Fault::new(node.span, "wrong_shape", message);
        match (self, node.scalar()) {
            (Shape::Whole | Shape::Cost, Some(Scalar::Number(text)))
                if text.bytes().all(is_digit) =>
            {
                fault.help("a whole number has at most 15 digits here")
            }
            (Shape::Number | Shape::Whole | Shape::Cost, Some(Scalar::Text(text)))
                if text.bytes().all(is_digit) =>
            {
                fault.help("leave out the quotes")
            }
            (Shape::Bool | Shape::FlagOrMap, Some(Scalar::Text("true" | "false"))) => {
                fault.help("leave out the quotes")
            }
            (Shape::Bool | Shape::FlagOrMap, Some(Scalar::Text("yes" | "on"))) => {
                fault.help("write `true`")
            }
            (Shape::Bool | Shape::FlagOrMap, Some(Scalar::Text("no" | "off"))) => {
                fault.help("write `false`")
            }
            (Shape::Duration, _) => fault.help("as in `30s`, `5m`, `1h` or `3d`"),
            (Shape::OneOf(words), Some(_)) => {
                let word = node.words().unwrap_or_default();
                match lawbook_diag::nearest(word, words.iter().copied()) {
                    Some(meant) => fault.help(format!("did you mean `{meant}`?")),
                    None => fault,
                }
            }
            (Shape::Entries(_) | Shape::Values, _) => fault.help("put it in a list: `[…]`"),
            _ => fault,
        }
    }
}

/// Tells unknown and missing keys of a map, and values of the wrong shape.
pub(super) fn check_map(inside: &str, node: &Node, fields: &[Field], faults: &mut Vec<Fault>) {
    let Form::Map(entries) = &node.form else {
        if fields.is_empty() {
            let message = format!("{inside} takes no parameters, so it can't be {}", bare(node));
            let fault = Fault::new(node.span, "wrong_shape", message);
            return faults.push(fault.help("write `{}` behind it"));
        }
        let message = format!("{inside} must be a map of {}, not {}", names(fields), bare(node));
        faults.push(Fault::new(node.span, "wrong_shape", message));
        return;
    };
    let known: Vec<&str> = fields.iter().map(|it| it.name).collect();
    for entry in entries {
        match fields.iter().find(|it| it.name == entry.key) {
            Some(field) => field.shape.check(field.name, &entry.value, faults),
            None => faults.push(Fault::unknown_key(entry, inside, &known)),
        }
    }
    for field in fields.iter().filter(|it| it.required && node.get(it.name).is_none()) {
        let message = format!("{inside} needs `{}`: {}", field.name, field.shape.words());
        faults.push(Fault::new(node.span, "missing_key", message));
    }
}

fn empty(name: &str, node: &Node) -> Fault {
    let what = if matches!(node.form, Form::Map(_)) { "map" } else { "list" };
    let message = format!("`{name}` is an empty {what}, so the rule would say nothing");
    let help = match name {
        "tools" => "name the tools, or leave `tools` out to cover every tool",
        _ => "name at least one, or leave the key out",
    };
    Fault::new(node.span, "empty_list", message).help(help)
}

/// A value as a problem shows it.
fn bare(node: &Node) -> String {
    match node.words() {
        Some(text) if text.chars().count() <= 40 => match node.what() {
            "text" if text.is_empty() => "empty text".to_owned(),
            _ => format!("`{text}`"),
        },
        _ => node.what().to_owned(),
    }
}

/// What keeps a text from being a path: empty parts, odd brackets, blanks, a `$` in front.
pub(super) fn odd_path(name: &str, text: &str, span: Span) -> Option<Fault> {
    let told = |help: String| {
        let message = format!("`{text}` under `{name}` is no path");
        Some(Fault::new(span, "bad_path", message).help(help))
    };
    if text.trim() != text {
        return told("take away the blanks around it".to_owned());
    }
    if let Some(rest) = text.strip_prefix("$.") {
        return told(format!("a path starts at the top by itself: `{rest}`"));
    }
    if text.split('.').any(|part| part.trim() != part || part.is_empty() || !closes(part)) {
        return told("as in `customer.id`, `items[0].price` or `items[*].price`".to_owned());
    }
    None
}

/// Whether what stands in brackets is `*` or a place in a list, and nothing stands behind it.
fn closes(part: &str) -> bool {
    let (key, brackets) =
        part.split_at_checked(part.find('[').unwrap_or(part.len())).unwrap_or_default();
    let inside = |it: &str| it == "*" || (!it.is_empty() && it.bytes().all(is_digit));
    let Some(inner) = brackets.strip_prefix('[') else { return !key.contains(']') };
    !key.contains(']') && inner.strip_suffix(']').is_some_and(|it| it.split("][").all(inside))
}

fn is_digit(it: u8) -> bool {
    it.is_ascii_digit()
}

fn is_whole(text: &str) -> bool {
    text.len() <= 15 && text.bytes().all(is_digit)
}

fn names(fields: &[Field]) -> String {
    let names: Vec<&str> = fields.iter().map(|it| it.name).collect();
    quoted(&names, ", ")
}

fn quoted(words: &[&str], between: &str) -> String {
    words.iter().map(|it| format!("`{it}`")).collect::<Vec<_>>().join(between)
}
