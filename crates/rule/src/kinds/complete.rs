//! `complete`: the run has a final answer and did not break off.

use lawbook_event::{End, PYTHON, Pattern, PatternUse, RootEnd};

use crate::params::{Definition, Field, Params};
use crate::{Asked, Body, Kind, Manner, Objection, Role, Said, Tools, Watches};

/// What a termination says that is no proper end. Searched for anywhere, in any case.
pub const BROKEN_OFF: &str = "error|exception|abort|fail|time ?out|timed out|crash|too many\
|max[_ ]?steps|step (?:cap|limit)|max iterations|iteration limit";

/// The run has a final answer and did not break off.
#[derive(Debug)]
pub struct Complete {
    /// No tool: the rule looks at the end of the run.
    pub tools: Tools,
    /// [`BROKEN_OFF`], compiled.
    pub broken_off: Pattern,
}

impl Complete {
    /// The rule; none if its own pattern did not compile, which a test rules out.
    #[must_use]
    pub fn new() -> Option<Self> {
        let broken_off = PYTHON.pattern(BROKEN_OFF, true, PatternUse::Deny).ok()?;
        Some(Complete { tools: Tools::Named(Vec::new()), broken_off })
    }
}

impl Kind for Complete {
    type Memory = ();
    type Taken = ();
    const NAME: &'static str = "complete";

    fn roles(&self, manner: Manner) -> Vec<Role<'_>> {
        vec![Role { tools: &self.tools, names: manner.names }]
    }

    fn watches(&self) -> Watches {
        Watches { end: true, ..Watches::default() }
    }

    fn judge(&self, (): &(), _asked: &Asked<'_>, _said: &mut Said) {}

    fn close(&self, (): &(), end: &End<'_>, manner: Manner, said: &mut Said) {
        if end.answer_cut && manner.values.trim(&end.answer).is_empty() {
            said.gap("final answer", "whether the run has a final answer is not recorded");
        }
        let mut incomplete = |what: String| {
            said.object(Objection::new(format!("run incomplete: {what}")));
        };
        if end.root == RootEnd::Missing {
            return incomplete("no root span".to_owned());
        }
        if manner.values.trim(&end.answer).is_empty() && !end.answer_cut {
            incomplete("no final answer".to_owned());
        }
        if self.broken_off.is_match(&end.termination) {
            incomplete(format!("terminated {}", manner.values.quote(&end.termination)));
        }
        if let RootEnd::Span { error, ended } = &end.root {
            if let Some(error) = error {
                incomplete(format!("root span error ({error})"));
            }
            if !ended {
                incomplete("root span has no end time".to_owned());
            }
        }
    }
}

const FIELDS: &[Field] = &[];

/// How a native policy writes it.
#[derive(Debug)]
pub struct Native;

impl Definition for Native {
    fn name(&self) -> &'static str {
        Complete::NAME
    }

    fn page(&self) -> &'static str {
        include_str!("complete.md")
    }

    fn fields(&self) -> &'static [Field] {
        FIELDS
    }

    fn build(&self, params: &mut Params<'_>) -> Option<Box<dyn Body>> {
        let complete = Complete::new();
        if complete.is_none() {
            params.refuse("", "its own pattern did not compile", "this is a fault of the program");
        }
        Some(Box::new(complete?))
    }
}

#[cfg(test)]
mod tests {
    use super::Complete;

    #[test]
    fn the_pattern_compiles() {
        let rule = Complete::new().expect("the pattern compiles");
        for text in ["Max steps reached", "TIMEOUT", "step cap"] {
            assert!(rule.broken_off.is_match(text), "{text}");
        }
        assert!(!rule.broken_off.is_match("end_turn"));
    }
}
