//! `host_in`: an address names one of some hosts.

mod address;

use std::sync::LazyLock;

use lawbook_event::Path;

use super::{OPTIONAL, TOOLS};
use crate::named::Named;
use crate::params::{Definition, Field, Params, Shape};
use crate::{Asked, Body, Kind, Manner, Objection, Role, Said, Tools};
use address::{Address, Pattern};

/// The arguments in which tools hold an address.
const USUAL: &[&str] = &[
    "url",
    "urls",
    "uri",
    "uris",
    "href",
    "link",
    "endpoint",
    "base_url",
    "webhook_url",
    "host",
    "hostname",
    "domain",
    "origin",
];

static ADDRESSES: LazyLock<Vec<Path>> =
    LazyLock::new(|| USUAL.iter().map(|it| Path::parse(it)).collect());

/// How many of the hosts a reply lists.
const LISTED_MAX: usize = 20;

/// An address names one of some hosts.
#[derive(Debug)]
pub struct HostIn {
    tools: Tools,
    /// The argument that holds the address; none for those in which tools usually hold one.
    arg: Option<Path>,
    /// Whether a call without an address passes.
    optional: bool,
    hosts: Vec<Pattern>,
}

impl Kind for HostIn {
    type Memory = ();
    type Taken = ();
    const NAME: &'static str = "host_in";

    fn roles(&self, manner: Manner) -> Vec<Role<'_>> {
        vec![Role { tools: &self.tools, names: manner.names }]
    }

    fn judge(&self, (): &(), asked: &Asked<'_>, said: &mut Said) {
        let (arg, optional) = (self.arg.clone(), self.optional);
        let named = Named { arg, usual: &ADDRESSES, optional, patches: false, what: "address" };
        let quote = |text: &str| asked.manner.values.quote(text);
        named.judge(asked, said, |text| match Address::parse(text) {
            Err(why) => Some(format!("address {} {why}", quote(text))),
            Ok(address) if self.hosts.iter().any(|it| it.covers(&address)) => None,
            Ok(address) => {
                Some(format!("host {} is not among those allowed", quote(&address.shown())))
            }
        });
    }

    fn reply(&self, _asked: &Asked<'_>, objection: &Objection) -> Option<String> {
        let listed: Vec<String> =
            self.hosts.iter().take(LISTED_MAX).map(|it| format!("`{}`", it.text())).collect();
        let more = if self.hosts.len() > LISTED_MAX { " and others" } else { "" };
        Some(format!("{}; hosts that may be asked: {}{more}", objection.message, listed.join(", ")))
    }
}

const FIELDS: &[Field] = &[
    TOOLS,
    Field::optional(
        "arg",
        Shape::Path,
        "The argument that holds the address; those of usual tools if left out.",
    ),
    Field::required(
        "hosts",
        Shape::Texts,
        "The hosts, perhaps with a port; `*.example.com` is every host below it.",
    ),
    OPTIONAL,
];

/// How a native policy writes it.
#[derive(Debug)]
pub struct Native;

impl Definition for Native {
    fn name(&self) -> &'static str {
        HostIn::NAME
    }

    fn page(&self) -> &'static str {
        include_str!("host_in.md")
    }

    fn fields(&self) -> &'static [Field] {
        FIELDS
    }

    fn build(&self, params: &mut Params<'_>) -> Option<Box<dyn Body>> {
        let optional = params.flag("optional").unwrap_or(!params.has("tools"));
        let (tools, arg) = (params.tools("tools"), params.path("arg"));
        let written = params.texts("hosts");
        let mut hosts = Vec::new();
        for (text, span) in &written {
            match Pattern::parse(text) {
                Ok(host) => hosts.push(host),
                Err(why) => {
                    let help = "write a host alone, as in `api.example.com` or `*.example.com`";
                    params.refuse_at(*span, format!("`{text}` {why}"), help);
                }
            }
        }
        if params.has("hosts") && written.is_empty() {
            params.refuse("hosts", "`hosts` names none", "name the hosts that may be asked");
        }
        Some(Box::new(HostIn { tools, arg, optional, hosts }))
    }
}
