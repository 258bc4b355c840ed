//! A policy of lineage's kind, built in Rust.

use lawbook_event::json::Writer;

use crate::{Error, Options, Profile};

/// A policy for an agent's life: a budget, a list of tools and what each costs, a rate, a limit on
/// marks. What is not listed is refused.
///
/// ```
/// use lawbook::agent::{Policy, ToolRule};
///
/// let policy = Policy::new(100).allow("search", ToolRule::cost(1)).build()?;
/// assert!(policy.digest().starts_with("sha256:"));
/// # Ok::<(), lawbook::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Policy {
    budget: u64,
    scar_limit: u32,
    tools: Vec<(String, ToolRule)>,
    unlisted: Option<ToolRule>,
    rate_limit: Option<(u32, u64)>,
}

/// What an agent may do with one tool.
#[derive(Clone, Copy, Debug)]
pub struct ToolRule {
    cost: u64,
    requires_approval: bool,
    max_calls: Option<u64>,
}

impl ToolRule {
    /// Each call costs at least so many credits.
    #[must_use]
    pub fn cost(credits: u64) -> Self {
        ToolRule { cost: credits, requires_approval: false, max_calls: None }
    }

    /// Each call waits for a person's yes.
    #[must_use]
    pub fn with_approval(self) -> Self {
        ToolRule { requires_approval: true, ..self }
    }

    /// At most so many calls in the agent's life.
    #[must_use]
    pub fn with_max_calls(self, calls: u64) -> Self {
        ToolRule { max_calls: Some(calls), ..self }
    }
}

impl Policy {
    /// A budget in credits for the agent's whole life. Nothing is listed yet, and marks of the
    /// weight 10 end the agent.
    #[must_use]
    pub fn new(budget: u64) -> Self {
        let (tools, unlisted, rate_limit) = (Vec::new(), None, None);
        Policy { budget, scar_limit: 10, tools, unlisted, rate_limit }
    }

    /// Lists a tool by its exact name; the last rule for a name counts.
    #[must_use]
    pub fn allow(mut self, tool: impl Into<String>, rule: ToolRule) -> Self {
        let tool = tool.into();
        self.tools.retain(|it| it.0 != tool);
        self.tools.push((tool, rule));
        self
    }

    /// Lets tools run that are not listed, under this rule. Without it they are refused.
    #[must_use]
    pub fn allow_unlisted(self, rule: ToolRule) -> Self {
        Policy { unlisted: Some(rule), ..self }
    }

    /// At most so many allowed actions of all tools within so many seconds.
    #[must_use]
    pub fn rate_limit(self, max_actions: u32, window_secs: u64) -> Self {
        Policy { rate_limit: Some((max_actions, window_secs)), ..self }
    }

    /// The score of marks from which on the agent has ended.
    #[must_use]
    pub fn scar_limit(self, limit: u32) -> Self {
        Policy { scar_limit: limit, ..self }
    }

    /// The policy, ready to judge.
    ///
    /// # Errors
    /// For numbers that make no sense: no budget, no room for a call in the rate or the marks.
    pub fn build(&self) -> Result<crate::Policy, Error> {
        let options = Options::new().dialect("lineage").profile(Profile::Strict);
        options.texts([("policy.json", self.to_json())])
    }

    /// The policy as lineage writes it.
    #[must_use]
    pub fn to_json(&self) -> String {
        let mut writer = Writer::new();
        writer.object().key("budget").number(self.budget);
        writer.key("scar_limit").number(u64::from(self.scar_limit)).key("tools").object();
        for (tool, rule) in &self.tools {
            rule.write(writer.key(tool));
        }
        writer.end_object();
        if let Some(rule) = &self.unlisted {
            rule.write(writer.key("default_rule"));
        }
        if let Some((max_actions, window_secs)) = self.rate_limit {
            writer.key("rate_limit").object();
            writer.key("max_actions").number(u64::from(max_actions));
            writer.key("window_secs").number(window_secs).end_object();
        }
        writer.end_object();
        writer.finish()
    }
}

impl ToolRule {
    fn write(self, writer: &mut Writer) {
        writer.object().key("cost").number(self.cost);
        if self.requires_approval {
            writer.key("requires_approval").raw("true");
        }
        if let Some(calls) = self.max_calls {
            writer.key("max_calls").number(calls);
        }
        writer.end_object();
    }
}
