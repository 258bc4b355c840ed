//! `never`: these tools are not called.

use crate::params::{Definition, Field, Params, Shape};
use crate::{
    Access, AccessTable, Asked, Body, Kind, Manner, Objection, Role, Said, ToolName, Tools,
};

/// These tools are not called.
#[derive(Debug)]
pub struct Never {
    /// The tools.
    pub tools: Tools,
    /// Those of them that do this, if it matters.
    pub access: Option<(Access, AccessTable)>,
}

impl Kind for Never {
    type Memory = ();
    type Taken = ();
    const NAME: &'static str = "never";

    fn roles(&self, manner: Manner) -> Vec<Role<'_>> {
        vec![Role { tools: &self.tools, names: manner.names }]
    }

    fn judge(&self, (): &(), asked: &Asked<'_>, said: &mut Said) {
        let name = &*asked.call.tool;
        let tool = asked.manner.values.quote(name);
        said.object(Objection::new(match &self.access {
            Some((access, table)) if table.is(*access, name, asked.manner.names) => {
                format!("tool {tool} is a {} action, which is never allowed", access.word())
            }
            Some(_) => return,
            None if self.tools.selects() => {
                let called = self.tools.called(asked);
                format!("{} is never allowed", asked.manner.values.quote(&called))
            }
            None => format!("tool {tool} is never allowed"),
        }));
    }

    fn reply(&self, _asked: &Asked<'_>, objection: &Objection) -> Option<String> {
        Some(objection.message.clone())
    }
}

const FIELDS: &[Field] = &[
    Field::optional("tools", Shape::Tools, "The tools."),
    Field::optional(
        "access",
        Shape::OneOf(&["read", "write"]),
        "Instead of `tools`: every tool that the table lists with this access.",
    ),
];

/// How a native policy writes it.
#[derive(Debug)]
pub struct Native;

impl Definition for Native {
    fn name(&self) -> &'static str {
        Never::NAME
    }

    fn page(&self) -> &'static str {
        include_str!("never.md")
    }

    fn fields(&self) -> &'static [Field] {
        FIELDS
    }

    fn build(&self, params: &mut Params<'_>) -> Option<Box<dyn Body>> {
        let tools = match params.one_key(&["tools", "access"])? {
            "tools" => params.named_tools("tools"),
            _ => with_access(params)?,
        };
        Some(Box::new(Never { tools, access: None }))
    }
}

fn with_access(params: &mut Params<'_>) -> Option<Tools> {
    let word = params.text("access")?;
    let listed = params.defaults().tools.iter();
    let names: Vec<ToolName> = listed
        .filter(|(_, access)| access.is_some_and(|it| it.word() == word))
        .map(|(name, _)| ToolName::new(name.as_str()))
        .collect();
    if names.is_empty() && matches!(word, "read" | "write") {
        let message = format!("no tool in the table has `access: {word}`, so it forbids nothing");
        params.refuse("access", message, "say under `tools:` what each tool does");
        return None;
    }
    Some(Tools::Named(names))
}
