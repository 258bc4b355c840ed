//! What the permission files of coding agents come to: rules over commands and lists of tools.
//!
//! Each dialect reads its file as [`Permissions`], with everything that there is to tell about it;
//! what becomes a policy and what a lint stands here once.

mod exchange;
mod matcher;
mod told;

use std::sync::Arc;

use lawbook_diag::{Mode, Verdict};
use lawbook_event::{EXACT, Reading, SuccessReading};
use lawbook_rule::kinds::{Command, OnlyListed};
use lawbook_rule::{
    Body, EvidenceFrom, Manner, NameMatch, OnUnknown, Pick, Policy, Profile, Report, Rule,
    ToolName, Tools, command_tools,
};
use lawbook_shell::{Rules, Shell};

use crate::dialects::{Lowered, problems};
use crate::lint::Lint;

pub(crate) use exchange::sketch;
pub(crate) use matcher::{escaped, everything, glob, leading, regex};
pub(crate) use told::Told;

/// What a permission file says.
#[derive(Debug)]
pub(crate) struct Permissions {
    /// The dialect that it is written in.
    pub dialect: &'static str,
    /// What becomes of which commands.
    pub commands: Rules,
    /// What becomes of which commands of PowerShell; the same as all others if there is nothing.
    pub powershell: Option<Rules>,
    /// Lists of tools, each under the id that its findings have where no entry decides.
    pub lists: Vec<(&'static str, OnlyListed)>,
}

/// How a dialect reads a file.
pub(crate) type Read = fn(&str, &mut Told) -> Option<Permissions>;

/// Lowers a file to rules.
pub(crate) fn lower(read: Read, source: &str, text: &str) -> Lowered {
    let mut told = Told::default();
    let permissions = read(text, &mut told);
    let uncovered = told.uncovered(text);
    let problems = problems(source, text, told.faults);
    let policy = permissions.filter(|_| problems.is_empty()).map(|it| it.policy(uncovered));
    (policy, problems)
}

/// Tells what is not carried over, and what is probably not meant.
pub(crate) fn lint(read: Read, source: &str, text: &str) -> Vec<Lint> {
    let mut told = Told::default();
    let _ = read(text, &mut told);
    told.lints(source, text)
}

/// The tools that run a command: those of known coding agents.
pub(crate) fn shells() -> Tools {
    let mut names = command_tools().names().to_vec();
    if !names.iter().any(|it| it.text() == "bash") {
        names.push(ToolName::literal("bash"));
    }
    Tools::Named(names)
}

/// Every tool but those that run a command.
pub(crate) fn no_shells() -> Tools {
    Tools::EveryBut(shells().names().to_vec())
}

impl Permissions {
    fn policy(self, not_covered: Vec<String>) -> Policy {
        let is_powershell = |it: &ToolName| matches!(it.text(), "PowerShell" | "pwsh");
        let (power, shells): (Vec<_>, Vec<_>) =
            shells().names().iter().cloned().partition(is_powershell);
        let powershell = self.powershell.unwrap_or_else(|| self.commands.clone());
        let mut rules = vec![
            command("commands", shells, None, self.commands),
            command("powershell", power, Some(Shell::PowerShell), powershell),
        ];
        rules.extend(self.lists.into_iter().map(|(id, list)| rule(id, Box::new(list))));
        Policy {
            name: None,
            dialect: self.dialect,
            profile: Profile::Native,
            digest: String::new(),
            owner: None,
            not_covered,
            reading: Reading::Full,
            manner: Manner {
                values: EXACT,
                success: SuccessReading::Declared,
                evidence: EvidenceFrom::Result,
                names: NameMatch::Skeleton,
            },
            pick: Pick::All,
            rules,
            waivers: Vec::new(),
            tools: Default::default(),
        }
    }
}

fn command(id: &'static str, tools: Vec<ToolName>, shell: Option<Shell>, rules: Rules) -> Rule {
    let tools = Tools::Named(tools);
    let body = Command { tools, shell, rules, names_entries: true, ..Command::default() };
    rule(id, Box::new(body))
}

fn rule(id: &'static str, body: Box<dyn Body>) -> Rule {
    Rule {
        id: Arc::from(id),
        why: None,
        tell: None,
        when: None,
        verdict: Verdict::Deny,
        mode: Mode::Enforce,
        on_unknown: OnUnknown::OwnVerdict,
        report: Report::Each,
        scar: None,
        body,
    }
}
