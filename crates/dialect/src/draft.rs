//! A native policy in the making: what stands at its top, its tools, its rules, and the comments
//! that belong to each; [`Draft::text`] writes it.

use lawbook_diag::Verdict;
use lawbook_rule::Access;
use lawbook_rule::params::Node;

use crate::fmt::Page;

/// A native policy in the making.
#[derive(Clone, Debug, Default)]
pub struct Draft {
    /// Comments before everything.
    pub heading: Vec<String>,
    /// Its name.
    pub name: Option<String>,
    /// Who answers for it.
    pub owner: Option<String>,
    /// What the user is called in messages.
    pub user_word: Option<String>,
    /// What becomes of tools that the table does not list.
    pub default: Option<Verdict>,
    /// Patterns that count as a yes; the dialect's own list if there are none.
    pub consent: Option<Vec<String>>,
    /// What no argument may hold; the dialect's own list if left out.
    pub denied_patterns: Option<Vec<String>>,
    /// What the policy does not cover.
    pub not_covered: Vec<String>,
    /// Comments before the table.
    pub on_tools: Vec<String>,
    /// The table, in this order.
    pub tools: Vec<DraftTool>,
    /// The rules, in this order.
    pub rules: Vec<DraftRule>,
    /// Comments after everything.
    pub closing: Vec<String>,
}

/// A tool of the table.
#[derive(Clone, Debug, Default)]
pub struct DraftTool {
    /// Its name.
    pub name: String,
    /// What it does to the world.
    pub access: Option<Access>,
    /// The argument that holds a shell command.
    pub command: Option<String>,
}

/// A rule.
#[derive(Clone, Debug)]
pub struct DraftRule {
    /// Comments before it.
    pub comments: Vec<String>,
    /// Its id.
    pub id: String,
    /// What it takes beside its kind, as a native policy writes it: `why`, `when` and the like.
    pub beside: Vec<(String, Node)>,
    /// The name of its kind.
    pub kind: String,
    /// The parameters of its kind.
    pub params: Node,
}

impl DraftRule {
    /// A rule that says nothing beside its kind.
    pub fn new(
        id: impl Into<String>,
        kind: impl Into<String>,
        params: impl IntoIterator<Item = (&'static str, Node)>,
    ) -> Self {
        DraftRule {
            comments: Vec::new(),
            id: id.into(),
            beside: Vec::new(),
            kind: kind.into(),
            params: Node::map(params),
        }
    }

    /// The same with its reason.
    #[must_use]
    pub fn why(mut self, why: impl Into<String>) -> Self {
        self.beside.push(("why".to_owned(), Node::text(why)));
        self
    }

    /// The same under a condition.
    #[must_use]
    pub fn when(mut self, when: impl Into<String>) -> Self {
        self.beside.push(("when".to_owned(), Node::text(when)));
        self
    }

    /// What stands beside the kind under this key.
    #[must_use]
    pub fn beside(&self, key: &str) -> Option<&Node> {
        self.beside.iter().find(|it| it.0 == key).map(|it| &it.1)
    }

    fn node(&self) -> Node {
        let id = [("id".to_owned(), Node::text(self.id.as_str()))];
        let kind = [(self.kind.clone(), self.params.clone())];
        Node::map(id.into_iter().chain(self.beside.iter().cloned()).chain(kind))
    }
}

impl Draft {
    /// The policy as text in its canonical layout.
    #[must_use]
    pub fn text(&self) -> String {
        let mut page = Page::default();
        page.entry("lawbook", Node::bare("1"), &self.heading);
        let texts = [("name", &self.name), ("owner", &self.owner), ("user_word", &self.user_word)];
        for (key, text) in texts {
            if let Some(text) = text {
                page.entry(key, Node::text(text.as_str()), &[]);
            }
        }
        if let Some(default) = self.default {
            page.entry("default", Node::text(default.word()), &[]);
        }
        let lists = [("consent", &self.consent), ("denied_patterns", &self.denied_patterns)];
        for (key, list) in lists {
            if let Some(list) = list {
                page.entry(key, Node::texts(list.iter().map(String::as_str)), &[]);
            }
        }
        if !self.not_covered.is_empty() {
            let list = Node::texts(self.not_covered.iter().map(String::as_str));
            page.entry("not_covered", list, &[]);
        }
        if !self.tools.is_empty() {
            let tools = self.tools.iter().map(|it| (it.name.clone(), it.node()));
            page.entry("tools", Node::map(tools), &self.on_tools);
        }
        if !self.rules.is_empty() {
            let rules = self.rules.iter().map(|it| (it.node(), it.comments.as_slice()));
            page.list("rules", rules);
        }
        page.text(&self.closing)
    }
}

impl DraftTool {
    fn node(&self) -> Node {
        let access = self.access.map(|it| ("access", Node::text(it.word())));
        let command = self.command.as_deref().map(|it| ("command", Node::text(it)));
        Node::map(access.into_iter().chain(command))
    }
}
