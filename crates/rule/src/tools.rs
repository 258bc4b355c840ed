//! Which tools a rule speaks of, and how names are compared.

use std::borrow::Cow;

use lawbook_event::Skeleton;

use crate::{Asked, Chosen, Selector};

/// How the name of a call is compared with the name in a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NameMatch {
    /// Byte for byte. What permits is always matched so.
    Exact,
    /// By bytes or by skeleton, so that a dressed-up name can't slip past what forbids.
    Skeleton,
}

/// A tool name in a rule. `*` stands for any run of characters, also none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolName {
    text: String,
    skeleton: Skeleton,
    literal: bool,
    selector: Option<Selector>,
}

impl ToolName {
    /// A name or pattern as a native policy writes it.
    #[must_use]
    pub fn new(text: impl Into<String>) -> Self {
        let text = text.into();
        let literal = !text.contains('*');
        ToolName { skeleton: Skeleton::new(&text), literal, text, selector: None }
    }

    /// A name in which `*` is a character like any other.
    #[must_use]
    pub fn literal(text: impl Into<String>) -> Self {
        let text = text.into();
        ToolName { skeleton: Skeleton::new(&text), literal: true, text, selector: None }
    }

    /// The same tool, where its call runs a command that the selector means.
    #[must_use]
    pub fn selecting(self, selector: Selector) -> Self {
        ToolName { selector: Some(selector), ..self }
    }

    /// The name of the tool.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The name as a policy writes it, with what it selects.
    #[must_use]
    pub fn written(&self) -> Cow<'_, str> {
        match &self.selector {
            Some(selector) => Cow::Owned(format!("{}({})", self.text, selector.text())),
            None => Cow::Borrowed(&self.text),
        }
    }

    /// Whether it means some commands of the tool only.
    #[must_use]
    pub fn selects(&self) -> bool {
        self.selector.is_some()
    }

    /// Whether the name holds no `*`.
    #[must_use]
    pub fn is_literal(&self) -> bool {
        self.literal
    }

    /// The name's skeleton.
    #[must_use]
    pub fn skeleton(&self) -> &Skeleton {
        &self.skeleton
    }

    fn covers(&self, name: &Name<'_>, how: NameMatch) -> bool {
        let by_bytes =
            if self.literal { self.text == name.text } else { glob(&self.text, name.text) };
        by_bytes || (how == NameMatch::Skeleton && self.covers_dressed(name.skeleton))
    }

    fn covers_dressed(&self, name: &Skeleton) -> bool {
        if self.literal {
            return self.skeleton.means(name);
        }
        let (here, there) = (self.skeleton.server(), name.server());
        let servers_fit = here.is_empty() || there.is_empty() || here == there;
        glob(self.skeleton.whole(), name.whole())
            || (servers_fit && glob(self.skeleton.tool(), name.tool()))
    }
}

/// The name of a call with its skeleton, computed once.
#[derive(Clone, Copy, Debug)]
pub struct Name<'n> {
    /// The name as the call carries it.
    pub text: &'n str,
    /// Its skeleton.
    pub skeleton: &'n Skeleton,
}

/// The tools that a rule speaks of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tools {
    /// Every tool.
    Every,
    /// These, which may be none.
    Named(Vec<ToolName>),
    /// Every tool but these.
    EveryBut(Vec<ToolName>),
}

impl Tools {
    /// Tools by literal name.
    pub fn literal<S: Into<String>>(names: impl IntoIterator<Item = S>) -> Self {
        Tools::Named(names.into_iter().map(ToolName::literal).collect())
    }

    /// Whether a call of this name is one of them.
    #[must_use]
    pub fn covers(&self, name: &Name<'_>, how: NameMatch) -> bool {
        match self {
            Tools::Every => true,
            Tools::Named(names) => names.iter().any(|it| it.covers(name, how)),
            // To be left out is to be permitted, which takes the very name.
            Tools::EveryBut(names) => !names.iter().any(|it| it.covers(name, NameMatch::Exact)),
        }
    }

    /// Whether some of the names mean some commands of a tool only.
    #[must_use]
    pub fn selects(&self) -> bool {
        self.names().iter().any(ToolName::selects)
    }

    /// Whether a call is one of them, its command looked at where a name selects one.
    #[must_use]
    pub fn chosen(&self, name: &Name<'_>, how: NameMatch, asked: &Asked<'_>) -> Chosen {
        let Tools::Named(names) = self else {
            return if self.covers(name, how) { Chosen::Yes } else { Chosen::No };
        };
        let chosen = names.iter().filter(|it| it.covers(name, how)).map(|it| {
            it.selector.as_ref().map_or(Chosen::Yes, |selector| selector.chosen(asked, how))
        });
        chosen.max().unwrap_or(Chosen::No)
    }

    /// The name that means the command of a call, where each name that covers it means some
    /// commands only.
    #[must_use]
    pub fn selected(
        &self,
        name: &Name<'_>,
        how: NameMatch,
        asked: &Asked<'_>,
    ) -> Option<&ToolName> {
        let Tools::Named(names) = self else { return None };
        if !self.selects() {
            return None;
        }
        let covering = || names.iter().filter(|it| it.covers(name, how));
        if covering().any(|it| it.selector.is_none()) {
            return None;
        }
        let chosen =
            |it: &ToolName| it.selector.as_ref().map_or(Chosen::No, |it| it.chosen(asked, how));
        covering().rev().max_by_key(|it| chosen(it))
    }

    /// What a message calls a call that is one of them: what a name selects, else the tool.
    #[must_use]
    pub fn called<'a>(&'a self, asked: &'a Asked<'_>) -> Cow<'a, str> {
        if !self.selects() {
            return Cow::Borrowed(&asked.call.tool);
        }
        let skeleton = Skeleton::new(&asked.call.tool);
        let name = Name { text: &asked.call.tool, skeleton: &skeleton };
        match self.selected(&name, asked.manner.names, asked) {
            Some(selected) => selected.written(),
            None => Cow::Borrowed(&asked.call.tool),
        }
    }

    /// Whether a call is one of them by its very name and, where a name selects a command, runs
    /// nothing beside it.
    #[must_use]
    pub fn permits(&self, name: &Name<'_>, asked: &Asked<'_>) -> bool {
        let Tools::Named(names) = self else { return self.covers(name, NameMatch::Exact) };
        let mut named = names.iter().filter(|it| it.covers(name, NameMatch::Exact));
        named.any(|it| it.selector.as_ref().is_none_or(|selector| selector.permits(asked)))
    }

    /// The names that it holds.
    #[must_use]
    pub fn names(&self) -> &[ToolName] {
        match self {
            Tools::Every => &[],
            Tools::Named(names) | Tools::EveryBut(names) => names,
        }
    }

    /// Whether the rule names its tools.
    #[must_use]
    pub fn is_named(&self) -> bool {
        matches!(self, Tools::Named(_))
    }

    /// The names, joined as a message shows them.
    #[must_use]
    pub fn join(&self, between: &str) -> String {
        match self {
            Tools::Every | Tools::EveryBut(_) => "any tool".to_owned(),
            Tools::Named(names) => {
                names.iter().map(ToolName::written).collect::<Vec<_>>().join(between)
            }
        }
    }
}

/// Whether `text` fits `pattern`, in which `*` stands for any run of characters.
///
/// Time is linear in the text for one star and never worse than pattern times text.
fn glob(pattern: &str, text: &str) -> bool {
    let mut pieces = pattern.split('*');
    let Some(rest) = pieces.next().and_then(|first| text.strip_prefix(first)) else {
        return false;
    };
    let mut rest = rest;
    let mut pieces = pieces.peekable();
    if pieces.peek().is_none() {
        return rest.is_empty();
    }
    while let Some(piece) = pieces.next() {
        if pieces.peek().is_none() {
            return rest.ends_with(piece);
        }
        let Some((_, after)) = rest.split_once(piece) else {
            return false;
        };
        rest = after;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::{Name, NameMatch, ToolName, Tools, glob};
    use lawbook_event::Skeleton;

    #[test]
    fn stars_match_inside_names() {
        for (pattern, text, fits) in [
            ("db_*_drop", "db_prod_drop", true),
            ("db_*_drop", "db__drop", true),
            ("db_*_drop", "db_drop", false),
            ("*", "", true),
            ("a*b*c", "aXbYc", true),
            ("a*b*c", "acb", false),
            ("a", "ab", false),
            ("ab*ab", "ab", false),
        ] {
            assert_eq!(glob(pattern, text), fits, "{pattern} on {text}");
        }
    }

    #[test]
    fn forbidding_sees_through_dress_and_permitting_does_not() {
        let tools = Tools::Named(vec![ToolName::new("refund")]);
        for dressed in ["Refund", " refund", "refund\u{200b}", "mcp__pay__refund"] {
            let skeleton = Skeleton::new(dressed);
            let name = Name { text: dressed, skeleton: &skeleton };
            assert!(tools.covers(&name, NameMatch::Skeleton), "{dressed}");
            assert!(!tools.covers(&name, NameMatch::Exact), "{dressed}");
        }
    }
}
