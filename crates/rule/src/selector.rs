//! A selector of commands, as in `bash(git push)`: a call counts as that tool only if it runs the
//! command.

mod evidence;

use std::sync::Arc;

use lawbook_event::Path;
use lawbook_shell::{Analysis, MatcherError, Rule, Rules, Verdict, judge};

use crate::{Asked, Commands, Hidden, NameMatch, Surroundings, command_arguments};

/// Which commands of a tool are meant.
#[derive(Clone, Debug)]
pub struct Selector {
    text: String,
    arg: Option<Path>,
    rules: Arc<Pair>,
}

/// The command as a rule that forbids, and as one that permits and nothing beside it does.
#[derive(Debug)]
struct Pair {
    forbidding: Rules,
    permitting: Rules,
}

/// Whether a call is one that is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Chosen {
    /// It is not.
    No,
    /// That can't be told.
    Untold,
    /// It is.
    Yes,
}

impl PartialEq for Selector {
    fn eq(&self, other: &Self) -> bool {
        (&self.text, self.arg.as_ref().map(Path::text))
            == (&other.text, other.arg.as_ref().map(Path::text))
    }
}

impl Eq for Selector {}

impl Selector {
    /// The commands that a text means, as the kind `command` reads it. `arg` is the argument that
    /// holds them; without one, those in which known coding agents hold a command.
    ///
    /// # Errors
    /// When the text is no such rule.
    pub fn parse(text: &str, arg: Option<Path>) -> Result<Self, MatcherError> {
        let rules = |verdict, otherwise| {
            let matcher = crate::kinds::command_matcher(text)?;
            let entries = vec![Rule { matcher, verdict, text: text.to_owned() }];
            Ok::<Rules, MatcherError>(Rules { entries, otherwise, ..Rules::default() })
        };
        let forbidding = rules(Verdict::Deny, Verdict::Allow)?;
        let permitting = rules(Verdict::Allow, Verdict::Ask)?;
        let rules = Arc::new(Pair { forbidding, permitting });
        Ok(Selector { text: text.to_owned(), arg, rules })
    }

    /// The text as it was written.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether a call runs the command. What forbids means every command line that could reach it;
    /// what permits means one that has run it for sure, if it succeeded.
    #[must_use]
    pub fn chosen(&self, asked: &Asked<'_>, how: NameMatch) -> Chosen {
        let arguments = self.arg.as_ref().map_or(command_arguments(), std::slice::from_ref);
        let commands = Commands::of(asked, arguments);
        let forbids = how == NameMatch::Skeleton;
        match commands.hidden {
            Some(Hidden::Unrecorded) => return Chosen::Untold,
            Some(_) => return if forbids { Chosen::Yes } else { Chosen::No },
            None => {}
        }
        let here = Surroundings::of(asked, None);
        let each = commands.texts.iter().map(|(_, text)| {
            if forbids { self.reached(text, &here, asked) } else { self.proven(text, &here, asked) }
        });
        let strongest = |it: Option<Chosen>| it.unwrap_or(Chosen::No);
        match forbids {
            true => strongest(each.max()),
            // Of several commands only one is known to be what the result speaks of.
            false if commands.texts.len() == 1 => strongest(each.max()),
            false => Chosen::No,
        }
    }

    /// Whether a call runs the command and nothing beside it.
    #[must_use]
    pub fn permits(&self, asked: &Asked<'_>) -> bool {
        let arguments = self.arg.as_ref().map_or(command_arguments(), std::slice::from_ref);
        let commands = Commands::of(asked, arguments);
        let here = Surroundings::of(asked, None);
        let permitted = |text: &str| {
            let analysis = asked.args.analysis(text, &here);
            let judgement = judge(&analysis, &self.rules.permitting, &here.world());
            is_clear(&analysis) && judgement.verdict == Verdict::Allow
        };
        commands.hidden.is_none()
            && !commands.texts.is_empty()
            && commands.texts.iter().all(|(_, text)| permitted(text))
    }

    fn reached(&self, text: &str, here: &Surroundings, asked: &Asked<'_>) -> Chosen {
        let analysis = asked.args.analysis(text, here);
        let judgement = judge(&analysis, &self.rules.forbidding, &here.world());
        let by_rule = |it: Option<usize>| it == Some(0);
        if judgement.segments.iter().any(|it| by_rule(it.rule))
            || judgement.reasons.iter().any(|it| by_rule(it.rule))
        {
            return Chosen::Yes;
        }
        if is_clear(&analysis) { Chosen::No } else { Chosen::Untold }
    }

    fn proven(&self, text: &str, here: &Surroundings, asked: &Asked<'_>) -> Chosen {
        let payload = evidence::payload(text);
        let text = payload.as_deref().unwrap_or(text);
        let analysis = asked.args.analysis(text, here);
        if !is_clear(&analysis) {
            return Chosen::No;
        }
        let judgement = judge(&analysis, &self.rules.permitting, &here.world());
        let covered = |place: usize| {
            let judged = judgement.segments.get(place);
            judged.is_some_and(|it| it.rule == Some(0) && it.verdict == Verdict::Allow)
        };
        if evidence::runs(text, &analysis, covered) { Chosen::Yes } else { Chosen::No }
    }
}

/// Whether everything that a text runs is known by name.
fn is_clear(analysis: &Analysis) -> bool {
    analysis.unclear.is_empty() && analysis.segments.iter().all(|it| it.program.is_some())
}
