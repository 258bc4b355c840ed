//! `self_protect`: nothing that an agent does changes what holds it.

mod commands;
mod files;
mod places;
mod targets;
mod wild;
mod words;

use std::sync::Arc;

use lawbook_diag::{Mode, Verdict};

use crate::params::{Definition, Field, Params, Shape};
use crate::{
    Asked, Body, Commands, Fields, Footing, Hidden, Kind, Manner, Objection, OnUnknown, Report,
    Role, Rule, Said, Surroundings, Tools, command_arguments, runs_commands,
};
use commands::Finding;
use files::Does;
use places::{Standing, mentions, standing};

/// Nothing that an agent does changes what holds it: the policy, the settings of hooks and of MCP
/// servers, the store, the program; and it opens no door of its own.
#[derive(Debug, Default)]
pub struct SelfProtect {
    /// Files and folders beside the settings of known coding agents, absolute, from home (`~/…`)
    /// or relative to the working directory.
    pub paths: Vec<String>,
}

const EVERY: Tools = Tools::Every;

impl SelfProtect {
    /// The rule as a door adds it, under the id `self_protect`: `paths` are its policies, its store
    /// and its program.
    #[must_use]
    pub fn rule(paths: Vec<String>) -> Rule {
        let why = "an agent that can change its rules has none";
        Rule {
            id: Arc::from(Self::NAME),
            why: Some(Arc::from(why)),
            tell: None,
            when: None,
            verdict: Verdict::Deny,
            mode: Mode::Enforce,
            on_unknown: OnUnknown::OwnVerdict,
            report: Report::Each,
            scar: None,
            body: Box::new(SelfProtect { paths }),
        }
    }
}

impl Kind for SelfProtect {
    type Memory = ();
    type Taken = ();
    const NAME: &'static str = "self_protect";

    fn roles(&self, manner: Manner) -> Vec<Role<'_>> {
        vec![Role { tools: &EVERY, names: manner.names }]
    }

    fn judge(&self, (): &(), asked: &Asked<'_>, said: &mut Said) {
        if runs_commands(&asked.call.tool) {
            self.commands(asked, said);
        } else {
            self.files(asked, said);
        }
    }

    fn reply(&self, _asked: &Asked<'_>, objection: &Objection) -> Option<String> {
        Some(objection.message.clone())
    }
}

impl SelfProtect {
    fn commands(&self, asked: &Asked<'_>, said: &mut Said) {
        let held = Commands::of(asked, command_arguments());
        match held.hidden {
            Some(Hidden::Unrecorded) => return unrecorded(asked, said),
            Some(_) => self.raw(asked, said),
            None => {}
        }
        let here = Surroundings::of(asked, None);
        let footing = Footing { cwd: here.cwd.as_deref(), home: here.home.as_deref() };
        for (path, text) in &held.texts {
            let analysis = asked.args.analysis(text, &here);
            let quote = |text: &str| asked.manner.values.quote(text);
            let found = commands::finding(text, &analysis, footing, &self.paths);
            let (verdict, message) = match found {
                None => continue,
                Some(Finding::Writes(what)) => (
                    Verdict::Deny,
                    format!("the command writes {}, which is protected", quote(&what)),
                ),
                Some(Finding::Door(what)) => (
                    Verdict::Deny,
                    format!("the command starts {}, which is not for agents", quote(&what)),
                ),
                Some(Finding::Untold(what)) => (
                    Verdict::Ask,
                    format!(
                        "where {} leads is known only when the command runs, so what it writes \
                         may be protected",
                        quote(&what)
                    ),
                ),
                Some(Finding::May(what)) => (
                    Verdict::Ask,
                    format!(
                        "the command may write what {} names, which is protected",
                        quote(&what)
                    ),
                ),
            };
            said.object(Objection { verdict: Some(verdict), ..Objection::new(message).path(path) });
        }
        if !held.texts.is_empty() {
            asked.doubt_folders(said);
        }
    }

    fn files(&self, asked: &Asked<'_>, said: &mut Said) {
        let does = files::does(&asked.call.tool);
        if does == Does::Reads {
            return;
        }
        let root = match asked.args.fields(asked.manner.values) {
            Fields::Object(root) => root,
            Fields::Empty => return,
            Fields::Unreadable(_) => return self.raw(asked, said),
            Fields::Unrecorded => return unrecorded(asked, said),
        };
        let mut found: Option<String> = None;
        let mut check = |path: &str| {
            if found.is_none()
                && standing(path, asked.footing(), &self.paths) == Standing::Protected
            {
                found = Some(path.to_owned());
            }
        };
        files::paths(root, &mut check);
        crate::patch::patched(root, &mut check);
        let Some(path) = found else { return asked.doubt_folders(said) };
        let (tool, path) = (&*asked.call.tool, asked.manner.values.quote(&path));
        let (verdict, message) = match does {
            Does::Writes => (Verdict::Deny, format!("{tool} writes {path}, which is protected")),
            _ => (Verdict::Ask, format!("{tool} may write {path}, which is protected")),
        };
        said.object(Objection { verdict: Some(verdict), ..Objection::new(message) });
    }

    /// Arguments that can't be taken apart are searched as they stand.
    fn raw(&self, asked: &Asked<'_>, said: &mut Said) {
        if mentions(asked.args.text().unwrap_or_default(), &self.paths) {
            let tool = &*asked.call.tool;
            said.object(Objection::new(format!(
                "{tool} names what is protected, in arguments that can't be read"
            )));
        }
    }
}

fn unrecorded(asked: &Asked<'_>, said: &mut Said) {
    let tool = &*asked.call.tool;
    said.gap(
        "arguments",
        format!("the arguments of `{tool}` were not recorded whole, so what it writes is unknown"),
    );
}

const FIELDS: &[Field] = &[Field::optional(
    "paths",
    Shape::Texts,
    "Files and folders to protect beside the settings of known coding agents and lawbook's own.",
)];

/// How a native policy writes it.
#[derive(Debug)]
pub struct Native;

impl Definition for Native {
    fn name(&self) -> &'static str {
        SelfProtect::NAME
    }

    fn page(&self) -> &'static str {
        include_str!("self_protect.md")
    }

    fn fields(&self) -> &'static [Field] {
        FIELDS
    }

    fn build(&self, params: &mut Params<'_>) -> Option<Box<dyn Body>> {
        let paths = params.texts("paths").into_iter().map(|it| it.0.to_owned()).collect();
        Some(Box::new(SelfProtect { paths }))
    }
}
