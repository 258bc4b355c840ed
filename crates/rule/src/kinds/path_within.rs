//! `path_within`: a path stays inside some folders.

use std::borrow::Cow;

use lawbook_event::Path;

use super::{OPTIONAL, TOOLS};
use crate::named::Named;
use crate::params::{Definition, Field, Params, Shape};
use crate::{
    Asked, Body, Footing, Kind, Location, Manner, Objection, Reads, Role, Said, Tools,
    path_arguments,
};

/// A path stays inside some folders.
#[derive(Debug)]
pub struct PathWithin {
    /// The tools it covers.
    pub tools: Tools,
    /// The argument that holds the path; none for those in which file tools usually hold one.
    pub arg: Option<Path>,
    /// Whether a call without a path passes.
    pub optional: bool,
    /// The folders, absolute, from home (`~/…`), or relative to the workspace, which is `.`.
    pub roots: Vec<String>,
}

impl Kind for PathWithin {
    type Memory = ();
    type Taken = ();
    const NAME: &'static str = "path_within";

    fn roles(&self, manner: Manner) -> Vec<Role<'_>> {
        vec![Role { tools: &self.tools, names: manner.names }]
    }

    fn reads(&self) -> Vec<Reads<'_>> {
        let paths = self.arg.as_ref().map_or(path_arguments(), std::slice::from_ref);
        vec![(Cow::Borrowed(&self.tools), paths)]
    }

    fn judge(&self, (): &(), asked: &Asked<'_>, said: &mut Said) {
        let footing = asked.footing();
        let roots = self.roots(asked);
        let (arg, optional) = (self.arg.clone(), self.optional);
        let patches = arg.is_none();
        let named = Named { arg, usual: path_arguments(), optional, patches, what: "path" };
        let quote = |text: &str| asked.manner.values.quote(text);
        // Where the workspace is not known, an absolute path can't be compared with it.
        let mut unknown = None;
        named.judge(asked, said, |text| {
            let readings = match Location::readings(text, footing) {
                Ok(readings) => readings,
                Err(odd) => return Some(format!("path {} {odd}", quote(text))),
            };
            if readings.iter().all(|it| roots.iter().any(|root| it.is_within(root))) {
                return None;
            }
            let floats = roots.iter().any(Location::is_floating);
            if floats && readings.iter().any(|it| !it.is_floating()) {
                unknown = Some(text.to_owned());
                return None;
            }
            Some(format!("path {} is outside of {}", quote(text), self.listed(asked)))
        });
        if let Some(text) = unknown {
            let (text, roots) = (quote(&text), self.listed(asked));
            let message = format!("whether {text} is in {roots} is unknown: no folder is named");
            said.gap("workspace", message);
        }
        asked.doubt_folders(said);
    }

    fn reply(&self, asked: &Asked<'_>, objection: &Objection) -> Option<String> {
        Some(format!("{}; paths must stay inside {}", objection.message, self.listed(asked)))
    }
}

impl PathWithin {
    /// The folders; one that can't be told is none.
    fn roots(&self, asked: &Asked<'_>) -> Vec<Location> {
        // Roots stand on the workspace, wherever the agent has gone to.
        let footing = Footing { cwd: asked.workspace(), ..asked.footing() };
        self.roots.iter().filter_map(|it| Location::plain(it, footing).ok()).collect()
    }

    fn listed(&self, asked: &Asked<'_>) -> String {
        let quote = |it: &String| match it.as_str() {
            "." => "the workspace".to_owned(),
            root => asked.manner.values.quote(root),
        };
        self.roots.iter().map(quote).collect::<Vec<_>>().join(", ")
    }
}

const FIELDS: &[Field] = &[
    TOOLS,
    Field::optional(
        "arg",
        Shape::Path,
        "The argument that holds the path; those of usual file tools if left out.",
    ),
    Field::optional(
        "roots",
        Shape::Texts,
        "The folders, absolute, from home or relative to the workspace; if left out, that: `.`.",
    ),
    OPTIONAL,
];

/// How a native policy writes it.
#[derive(Debug)]
pub struct Native;

impl Definition for Native {
    fn name(&self) -> &'static str {
        PathWithin::NAME
    }

    fn page(&self) -> &'static str {
        include_str!("path_within.md")
    }

    fn fields(&self) -> &'static [Field] {
        FIELDS
    }

    fn build(&self, params: &mut Params<'_>) -> Option<Box<dyn Body>> {
        let optional = params.flag("optional").unwrap_or(!params.has("tools"));
        let (tools, arg) = (params.tools("tools"), params.path("arg"));
        let mut roots = Vec::new();
        for (text, span) in params.texts("roots") {
            if let Err(odd) = Location::readings(text, Footing::default()) {
                params.refuse_at(span, format!("root `{text}` {odd}"), "name a folder");
            }
            roots.push(text.to_owned());
        }
        if roots.is_empty() {
            roots.push(".".to_owned());
        }
        Some(Box::new(PathWithin { tools, arg, optional, roots }))
    }
}
