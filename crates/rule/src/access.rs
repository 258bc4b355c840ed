//! What a tool does to the world, as a policy states it or a name suggests it.

use std::collections::BTreeMap;

use lawbook_event::Skeleton;

use crate::{NameMatch, ToolName};

/// What a tool does to the world.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// It only looks.
    Read,
    /// It changes something.
    Write,
}

/// What names of tools that only look start with, to pmstack.
const LOOKING: [&str; 7] = ["get", "list", "search", "lookup", "find", "read", "verify"];

impl Access {
    /// What pmstack takes a tool to do by its name alone.
    #[must_use]
    pub fn by_name(tool: &str) -> Access {
        let starts =
            |it: &&str| tool.get(..it.len()).is_some_and(|head| head.eq_ignore_ascii_case(it));
        if LOOKING.iter().any(starts) { Access::Read } else { Access::Write }
    }

    /// The word that policies use.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Access::Read => "read",
            Access::Write => "write",
        }
    }
}

/// What tools do to the world, by a policy's list and else by their names.
#[derive(Clone, Debug, Default)]
pub struct AccessTable {
    listed: Vec<(ToolName, Access)>,
}

impl AccessTable {
    /// The table of the tools whose access a policy states.
    #[must_use]
    pub fn new(tools: &BTreeMap<String, Option<Access>>) -> Self {
        let stated = tools.iter().filter_map(|(name, access)| Some((name, (*access)?)));
        AccessTable { listed: stated.map(|(name, it)| (ToolName::literal(name), it)).collect() }
    }

    /// Whether a tool does this. Where spellings of a name count as one, so does what is stated of
    /// any of them.
    #[must_use]
    pub fn is(&self, access: Access, tool: &str, names: NameMatch) -> bool {
        if let Some((_, stated)) = self.listed.iter().find(|it| it.0.text() == tool) {
            return *stated == access;
        }
        let skeleton = Skeleton::new(tool);
        let meant = |it: &&(ToolName, Access)| it.0.skeleton().means(&skeleton);
        let dressed = names == NameMatch::Skeleton && self.listed.iter().any(|it| meant(&it));
        match dressed {
            true => self.listed.iter().filter(meant).any(|it| it.1 == access),
            false => Access::by_name(tool) == access,
        }
    }
}
