//! The policy in the making: the draft, what the owner still has to confirm, and what was decided.

use lawbook_dialect::{Draft, DraftRule, DraftTool};
use lawbook_rule::Access;
use lawbook_rule::params::Node;

/// The rule that asks for the user's yes.
pub const ASK_FIRST: &str = "ask-first";

/// The policy in the making.
#[derive(Debug, Default)]
pub struct Making {
    /// The policy.
    pub draft: Draft,
    /// Whether nobody owns it yet, so that it holds only what a policy starts with.
    pub is_starter: bool,
    /// What the user is called.
    pub user: String,
    /// Points that the owner has to confirm.
    pub open: Vec<String>,
    /// What became of each requirement, one line each.
    pub decided: Vec<String>,
    /// The comment that rules get which are made now.
    comment: Option<String>,
}

impl Making {
    /// A policy that says nothing yet; the user is called so.
    pub fn of(user: &str) -> Self {
        let mut making = Making { user: user.to_owned(), ..Making::default() };
        making.draft.user_word = Some(user.to_owned());
        making
    }

    /// The name of the owner, for sentences.
    pub fn owner(&self) -> String {
        self.draft.owner.clone().unwrap_or_else(|| "the owner".to_owned())
    }

    /// Makes changes; rules that are added get this comment.
    pub fn under(&mut self, comment: String, change: impl FnOnce(&mut Self)) {
        self.comment = Some(comment);
        change(self);
        self.comment = None;
    }

    /// Adds a rule; an id that is taken gets a number behind it.
    pub fn rule(&mut self, mut rule: DraftRule) {
        rule.id = self.free(&sound(&rule.id));
        rule.comments.extend(self.comment.clone());
        self.draft.rules.push(rule);
    }

    /// The rule that asks for the user's yes, made if it is not there, covers these tools too.
    pub fn ask_first(&mut self, tools: &[String], why: &str) {
        let there = self.draft.rules.iter().position(|it| it.id == ASK_FIRST);
        let mut all = self.confirmed();
        let more = tools.iter().filter(|it| !all.contains(it)).cloned().collect::<Vec<_>>();
        all.extend(more);
        let params = Node::map([("tools", Node::texts(all))]);
        match there.and_then(|it| self.draft.rules.get_mut(it)) {
            Some(rule) => rule.params = params,
            None => {
                let mut rule = DraftRule::new(ASK_FIRST, "confirm", []).why(why);
                rule.params = params;
                self.rule(rule);
            }
        }
    }

    /// The tools that need the user's yes.
    pub fn confirmed(&self) -> Vec<String> {
        let rule = self.draft.rules.iter().find(|it| it.id == ASK_FIRST);
        let tools = rule.and_then(|it| it.params.get("tools")).map(Node::items).unwrap_or_default();
        tools.iter().filter_map(Node::words).map(str::to_owned).collect()
    }

    /// Lists tools that are named and not in the table yet.
    pub fn list(&mut self, names: &[String], access: Option<Access>) {
        for name in names {
            if !self.draft.tools.iter().any(|it| it.name == *name) {
                self.draft.tools.push(DraftTool { name: name.clone(), access, command: None });
            }
        }
    }

    /// The tools of the table with this access.
    pub fn with(&self, access: Access) -> Vec<String> {
        let tools = self.draft.tools.iter().filter(|it| it.access == Some(access));
        tools.map(|it| it.name.clone()).collect()
    }

    /// The tools that change something.
    pub fn writes(&self) -> Vec<String> {
        self.with(Access::Write)
    }

    fn free(&self, id: &str) -> String {
        let taken = |it: &str| self.draft.rules.iter().any(|rule| rule.id == it);
        let numbered = (2_u32..).map(|it| format!("{id}-{it}"));
        let mut ids = std::iter::once(id.to_owned()).chain(numbered);
        ids.find(|it| !taken(it)).unwrap_or_default()
    }
}

/// A text as part of an id.
pub fn sound(text: &str) -> String {
    let fits = |it: char| it.is_ascii_lowercase() || it.is_ascii_digit() || "._-".contains(it);
    let lower = text.chars().map(|it| it.to_ascii_lowercase());
    lower.map(|it| if fits(it) { it } else { '-' }).collect()
}
