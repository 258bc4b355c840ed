//! `command`: a shell command runs only what its rules allow.

use lawbook_event::Path;
use lawbook_shell::{Rules, Shell};

use crate::{Asked, Kind, Manner, Objection, Role, Said, Tools};

/// A shell command runs only what its rules allow.
#[derive(Debug)]
pub struct Command {
    /// The tools it judges; [`crate::command_tools`] for those of known coding agents.
    pub tools: Tools,
    /// The argument that holds the command; none for those in which the command tools of known
    /// coding agents hold it.
    pub arg: Option<Path>,
    /// Which shell runs it; none for the one that the tool's name tells, bash where it tells none.
    pub shell: Option<Shell>,
    /// What becomes of which commands.
    pub rules: Rules,
}

impl Kind for Command {
    type Memory = ();
    const NAME: &'static str = "command";

    fn roles(&self, manner: Manner) -> Vec<Role<'_>> {
        vec![Role { tools: &self.tools, names: manner.names }]
    }

    fn judge(&self, (): &(), _asked: &Asked<'_>, said: &mut Said) {
        said.object(Objection::new("the command is not judged"));
    }
}
