//! `command`: a shell command runs only what its rules allow.

mod native;

use std::borrow::Cow;
use std::sync::Arc;

use lawbook_event::{Path, Skeleton};
use lawbook_shell::{Arity, Judgement, Reason, Rule, Rules, Shell, judge};

use crate::argument::{cannot_check, unrecorded};
use crate::command::may_idle;
use crate::{
    Asked, Commands, Hidden, Kind, Manner, Objection, Reads, Role, Said, Surroundings, ToolName,
    Tools, command_arguments, command_tools,
};

pub use native::Native;
pub(crate) use native::matcher;

/// How many objections to one command are told.
const OBJECTIONS_MAX: usize = 16;

/// How many of the commands that are allowed a reply lists.
const LISTED_MAX: usize = 8;

/// A shell command runs only what its rules allow.
#[derive(Debug)]
pub struct Command {
    /// The tools it judges; [`command_tools`] for those of known coding agents.
    pub tools: Tools,
    /// The argument that holds the command; none for those in which the command tools of known
    /// coding agents hold it.
    pub arg: Option<Path>,
    /// Tools with the argument that holds their command, where `arg` names none for all.
    pub declared: Vec<(ToolName, Path)>,
    /// Whether a call without a command passes.
    pub optional: bool,
    /// Which shell runs it; none for the one that the tool's name tells, bash where it tells none.
    pub shell: Option<Shell>,
    /// What becomes of which commands.
    pub rules: Rules,
    /// The actions of programs beside those that are known, for the rules that answers propose.
    pub arity: Arity,
    /// Whether findings name the rule of the list that decides, and not the whole.
    pub names_entries: bool,
}

impl Default for Command {
    fn default() -> Self {
        let (tools, rules) = (command_tools(), Rules::default());
        Command {
            tools,
            arg: None,
            declared: Vec::new(),
            optional: false,
            shell: None,
            rules,
            arity: Arity::default(),
            names_entries: false,
        }
    }
}

impl Kind for Command {
    type Memory = ();
    type Taken = ();
    const NAME: &'static str = "command";

    fn roles(&self, manner: Manner) -> Vec<Role<'_>> {
        vec![Role { tools: &self.tools, names: manner.names }]
    }

    fn reads(&self) -> Vec<Reads<'_>> {
        let mut reads: Vec<Reads<'_>> = Vec::new();
        for (tool, path) in &self.declared {
            let tools = Tools::Named(vec![tool.clone()]);
            reads.push((Cow::Owned(tools), std::slice::from_ref(path)));
        }
        let paths = self.arg.as_ref().map_or(command_arguments(), std::slice::from_ref);
        reads.push((Cow::Borrowed(&self.tools), paths));
        reads
    }

    fn commands(&self) -> Option<(&Rules, Option<Shell>)> {
        Some((&self.rules, self.shell))
    }

    fn arity(&self) -> Option<&Arity> {
        Some(&self.arity)
    }

    fn judge(&self, (): &(), asked: &Asked<'_>, said: &mut Said) {
        let arg = self.arg(asked);
        let arguments = arg.map_or(command_arguments(), std::slice::from_ref);
        let commands = Commands::of(asked, arguments);
        if let Some(hidden) = commands.hidden {
            return cant_tell(hidden, arg, asked, said);
        }
        if commands.texts.is_empty() {
            if !self.optional && !may_idle(&asked.call.tool) {
                let name = arg.map_or("command", Path::text);
                let message = format!("{} has no {name}, cannot check it", asked.call.tool);
                said.object(about(Objection::new(message), arg));
            }
            return;
        }
        let here = Surroundings::of(asked, self.shell);
        if let Some(folder) = &here.outside {
            let folder = asked.manner.values.quote(folder);
            let message = format!("the command runs in {folder}, outside of the workspace");
            said.object(Objection {
                verdict: Some(lawbook_diag::Verdict::Ask),
                ..Objection::new(message)
            });
        }
        for (path, text) in &commands.texts {
            let world = here.world();
            let judgement = judge(&asked.args.analysis(text, &here), &self.rules, &world);
            self.object(&judgement, path, said);
        }
        asked.doubt_folders(said);
    }

    fn permits(&self, asked: &Asked<'_>) -> Option<bool> {
        use lawbook_shell::Verdict::Allow;
        let arguments = self.arg(asked).map_or(command_arguments(), std::slice::from_ref);
        let commands = Commands::of(asked, arguments);
        let here = Surroundings::of(asked, self.shell);
        // Each command must be allowed by an entry, and not by what becomes of all others.
        let listed = |text: &str| {
            let judgement = judge(&asked.args.analysis(text, &here), &self.rules, &here.world());
            let entry = |it: &lawbook_shell::Judged| it.verdict == Allow && it.rule.is_some();
            judgement.verdict == Allow
                && !judgement.segments.is_empty()
                && judgement.segments.iter().all(entry)
        };
        let told = commands.hidden.is_none() && here.outside.is_none();
        let all = commands.texts.iter().all(|(_, text)| listed(text));
        Some(told && !commands.texts.is_empty() && all)
    }

    fn reply(&self, _asked: &Asked<'_>, objection: &Objection) -> Option<String> {
        use lawbook_shell::Verdict::Allow;
        let allowing = self.rules.entries.iter().filter(|it| it.verdict == Allow);
        let mut listed: Vec<String> = allowing
            .map(|it| format!("`{}`", it.text))
            .take(LISTED_MAX.saturating_add(1))
            .collect();
        let more = if listed.len() > LISTED_MAX { " and others" } else { "" };
        listed.truncate(LISTED_MAX);
        let message = &objection.message;
        // What may run helps where no rule speaks of the command, and is noise elsewhere.
        if listed.is_empty() || !message.contains("no rule covers") {
            return Some(message.clone());
        }
        Some(format!("{message}; commands that may run: {}{more}", listed.join(", ")))
    }
}

impl Command {
    /// The argument of this call that holds the command, where one is named.
    fn arg(&self, asked: &Asked<'_>) -> Option<&Path> {
        let skeleton = Skeleton::new(&asked.call.tool);
        let declared = || {
            let means = |it: &&(ToolName, Path)| it.0.skeleton().means(&skeleton);
            self.declared.iter().find(means).map(|it| &it.1)
        };
        self.arg.as_ref().or_else(declared)
    }

    /// Says everything that is wrong with one command, what is denied first where that is much.
    fn object(&self, judgement: &Judgement, path: &Path, said: &mut Said) {
        let verdict = diag(judgement.verdict);
        if verdict == lawbook_diag::Verdict::Allow {
            return;
        }
        let mut reasons: Vec<&Reason> = judgement.reasons.iter().collect();
        if reasons.len() > OBJECTIONS_MAX {
            reasons.sort_by_key(|it| std::cmp::Reverse(it.verdict));
            reasons.truncate(OBJECTIONS_MAX);
        }
        let mut strictest = lawbook_diag::Verdict::Allow;
        for reason in reasons {
            let verdict = diag(reason.verdict);
            strictest = strictest.max(verdict);
            let objection = Objection::new(self.message(reason)).path(path);
            let rule = self.entry(reason).filter(|_| self.names_entries);
            let rule = rule.map(|it| Arc::from(it.text.as_str()));
            said.object(Objection { verdict: Some(verdict), rule, ..objection });
        }
        // A verdict that no reason carries is told all the same.
        if strictest < verdict {
            let message = match verdict {
                lawbook_diag::Verdict::Deny => "the command may not run",
                _ => "the command needs a person's yes",
            };
            let objection = Objection::new(message).path(path);
            said.object(Objection { verdict: Some(verdict), ..objection });
        }
    }

    /// The rule that gives a reason.
    fn entry(&self, reason: &Reason) -> Option<&Rule> {
        reason.rule.and_then(|it| self.rules.entries.get(it))
    }

    /// A reason, with the rule that gives it.
    fn message(&self, reason: &Reason) -> String {
        match self.entry(reason).filter(|it| !reason.message.contains(it.text.as_str())) {
            Some(rule) => format!("{} (rule `{}`)", reason.message, rule.text),
            None => reason.message.clone(),
        }
    }
}

/// Says that a command can't be told.
fn cant_tell(hidden: Hidden, arg: Option<&Path>, asked: &Asked<'_>, said: &mut Said) {
    let (tool, name) = (&*asked.call.tool, arg.map_or("command", Path::text));
    let message = match hidden {
        Hidden::Unrecorded => return unrecorded(asked, &Path::parse(name), said),
        Hidden::Unreadable(why) => cannot_check(asked, why, &format!("the {name}")),
        Hidden::NoText => format!("{tool}.{name} is no command, cannot check it"),
        Hidden::TooMany => format!("{tool} holds more commands than are looked at"),
    };
    said.object(about(Objection::new(message), arg));
}

fn about(objection: Objection, path: Option<&Path>) -> Objection {
    match path {
        Some(path) => objection.path(path),
        None => objection,
    }
}

fn diag(verdict: lawbook_shell::Verdict) -> lawbook_diag::Verdict {
    match verdict {
        lawbook_shell::Verdict::Allow => lawbook_diag::Verdict::Allow,
        lawbook_shell::Verdict::Ask => lawbook_diag::Verdict::Ask,
        lawbook_shell::Verdict::Deny => lawbook_diag::Verdict::Deny,
    }
}
