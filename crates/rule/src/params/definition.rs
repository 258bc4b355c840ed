//! How a native policy writes a rule of a kind.

use std::collections::BTreeMap;

use lawbook_diag::Verdict;

use super::{Field, Params};
use crate::Access;
use crate::kind::Body;
use crate::kinds::Cost;

/// How a native policy writes a rule of a kind: its parameters, its page, and the way from the one
/// to the rule. Each kind has one, in its own file.
pub trait Definition: Sync {
    /// The kind's name.
    fn name(&self) -> &'static str;

    /// The kind's page, in Markdown.
    fn page(&self) -> &'static str;

    /// The parameters, in the order of the page.
    fn fields(&self) -> &'static [Field];

    /// What a rule of this kind asks for when it is not met and its policy does not say.
    fn verdict(&self) -> Verdict {
        Verdict::Deny
    }

    /// The rule. None if anything is wrong with the parameters, which they then have told.
    fn build(&self, params: &mut Params<'_>) -> Option<Box<dyn Body>>;
}

/// What a policy says once for all of its rules.
#[derive(Clone, Debug, Default)]
pub struct Defaults {
    /// What the user is called in messages.
    pub user_word: String,
    /// The patterns that count as a yes.
    pub consent: Vec<String>,
    /// The tools that the policy lists, with what they do.
    pub tools: BTreeMap<String, Option<Access>>,
    /// The tools that the table gives a command to, with the argument that holds it.
    pub commands: BTreeMap<String, String>,
    /// What the table says that calls of a tool cost.
    pub costs: BTreeMap<String, Cost>,
    /// The tools that draw on one and the same yes of the user.
    pub confirmed: Vec<String>,
}
