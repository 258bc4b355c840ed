//! The keys that stand in a pmstack policy, and what each type of rule is made of.

/// At the top.
pub(crate) const TOP: &[&str] = &[
    "format",
    "name",
    "note",
    "description",
    "onlyListedTools",
    "confirmationPatterns",
    "tools",
    "rules",
];

/// In a tool.
pub(super) const TOOL: &[&str] =
    &["access", "confirm", "maxPerTrace", "why", "note", "description"];

/// In a rule of any type.
pub(super) const RULE: &[&str] = &[
    "id",
    "type",
    "tools",
    "why",
    "when",
    "note",
    "description",
    "access",
    "max",
    "before",
    "argPath",
    "approvalTool",
    "min",
    "values",
    "pattern",
    "flags",
    "luhn",
    "source",
];

/// In `when`, and in `source`.
pub(super) const WHEN: &[&str] = &["path", "equals"];
pub(super) const SOURCE: &[&str] = &["tool", "path", "detail"];

/// What a rule's own keys must hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Must {
    /// `tools`, which is otherwise every tool.
    Tools,
    /// A text that is not blank.
    Text(&'static str),
    /// A text that is not blank, or nothing.
    TextIfAny(&'static str),
    /// A finite number.
    Number(&'static str),
    /// A whole number that is not negative.
    Whole(&'static str),
    /// A list that is not empty.
    List(&'static str),
    /// `pattern` with `flags`, that compiles.
    Pattern,
    /// `true` or `false`, or nothing.
    BoolIfAny(&'static str),
    /// `source`: a tool with a path, or a detail.
    Source,
}

/// A type of rule.
#[derive(Debug)]
pub(super) struct Type {
    pub name: &'static str,
    pub must: &'static [Must],
    /// Keys of its own that hold something else.
    pub may: &'static [&'static str],
    /// The key of the tool that it waits for or compares with.
    pub waits_for: Option<&'static str>,
}

const fn of(name: &'static str, must: &'static [Must]) -> Type {
    Type { name, must, may: &[], waits_for: None }
}

/// Every type, in the order of pmstack's documentation.
pub(super) const TYPES: &[Type] = &[
    of("only-listed", &[]),
    of("deny-tools", &[Must::Tools]),
    Type { may: &["access"], ..of("deny-access", &[]) },
    of("confirm", &[Must::Tools]),
    of("max-per-trace", &[Must::Tools, Must::Whole("max")]),
    Type {
        waits_for: Some("before"),
        ..of("requires-before", &[Must::Tools, Must::Text("before")])
    },
    Type {
        waits_for: Some("approvalTool"),
        ..of(
            "approval-above",
            &[Must::Text("argPath"), Must::Number("max"), Must::Text("approvalTool")],
        )
    },
    of("arg-max", &[Must::Text("argPath"), Must::Number("max")]),
    of("arg-min", &[Must::Text("argPath"), Must::Number("min")]),
    of("arg-in", &[Must::Text("argPath"), Must::List("values")]),
    of("arg-not-match", &[Must::TextIfAny("argPath"), Must::Pattern, Must::BoolIfAny("luhn")]),
    of("arg-required", &[Must::Text("argPath")]),
    Type { waits_for: Some("source"), ..of("arg-equals", &[Must::Text("argPath"), Must::Source]) },
];

impl Type {
    /// The type of a name.
    pub fn named(name: &str) -> Option<&'static Type> {
        TYPES.iter().find(|it| it.name == name)
    }

    /// The keys of its own.
    pub fn keys(&self) -> impl Iterator<Item = &'static str> {
        let musts = self.must.iter().flat_map(|it| it.keys());
        musts.chain(self.may).copied()
    }
}

impl Must {
    fn keys(&self) -> &[&'static str] {
        match self {
            Must::Tools => &["tools"],
            Must::Text(key)
            | Must::TextIfAny(key)
            | Must::Number(key)
            | Must::Whole(key)
            | Must::List(key)
            | Must::BoolIfAny(key) => std::slice::from_ref(key),
            Must::Pattern => &["pattern", "flags"],
            Must::Source => &["source"],
        }
    }
}
