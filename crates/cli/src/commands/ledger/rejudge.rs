//! `lawbook ledger rejudge`: what this version would decide otherwise.

use std::path::PathBuf;

use clap::Args;
use lawbook::agent::{Otherwise, Rejudged, rejudge};
use lawbook_event::json::Writer;
use lawbook_report::{quote, shown};

use crate::commands::rule::written;
use crate::commands::{Format, stopped};
use crate::exit::Exit;
use crate::masking;
use crate::print::counted;

/// The schema of the result.
const SCHEMA: &str = "lawbook.ledger_rejudge/1";

/// Judge every decision again, and say what this version would decide otherwise.
#[derive(Debug, Args)]
pub struct RejudgeArgs {
    /// The folder of a ledger
    #[arg(value_name = "LEDGER")]
    pub ledger: PathBuf,
    /// How the result is printed
    #[arg(long, value_enum, default_value_t, env = "LAWBOOK_FORMAT", hide_env = true)]
    pub format: Format,
}

/// Runs the command.
pub fn run(args: &RejudgeArgs) -> Exit {
    let came_to = match rejudge(&args.ledger) {
        Ok(came_to) => came_to,
        Err(error) => return stopped(error.problems()),
    };
    let text = match args.format {
        Format::Text => text(&came_to),
        Format::Json => json(&came_to),
    };
    let differs = !came_to.otherwise.is_empty() || !came_to.stopped.is_empty();
    let exit = match (differs, came_to.erased) {
        (true, _) => Exit::Found,
        (false, 0) => Exit::Clean,
        (false, _) => Exit::Unknown,
    };
    written(&text).max(exit)
}

fn text(came_to: &Rejudged) -> String {
    let mut out = String::new();
    for it in &came_to.otherwise {
        let (was, is) = (said(&it.was.verdict, &it.was.rules), said(&it.is.verdict, &it.is.rules));
        let Otherwise { entry, agent, action, tool, engine, .. } = it;
        out.push_str(&format!(
            "entry {entry}: {} {}, {}: was {was} by {}, would be {is}\n",
            shown(&masking::key(agent)),
            shown(&masking::text(action)),
            shown(&masking::text(tool)),
            shown(engine),
        ));
    }
    for (agent, why) in &came_to.stopped {
        let (agent, why) = (masking::key(agent), masking::text(why));
        out.push_str(&format!(
            "{}: its record can't be followed: {}\n",
            shown(&agent),
            shown(&why)
        ));
    }
    let decisions = counted(came_to.judged, "decision");
    out.push_str(&match came_to.otherwise.len() {
        0 => format!("{decisions} judged again, all alike\n"),
        n => format!("{decisions} judged again, {n} otherwise\n"),
    });
    if came_to.erased > 0 {
        let erased = counted(came_to.erased, "decision");
        out.push_str(&format!("{erased} could not be: the arguments were erased\n"));
    }
    out
}

fn said(verdict: &str, rules: &[String]) -> String {
    if rules.is_empty() { verdict.to_owned() } else { format!("{verdict} ({})", rules.join(", ")) }
}

fn json(came_to: &Rejudged) -> String {
    let mut writer = Writer::new();
    writer.object().key("schema").string(SCHEMA).key("judged").number(came_to.judged);
    writer.key("erased").number(came_to.erased).key("otherwise").array();
    for it in &came_to.otherwise {
        writer.object().key("entry").number(it.entry).key("agent");
        writer.raw(&quote(&masking::key(&it.agent)));
        writer.key("action").raw(&quote(&masking::text(&it.action)));
        writer.key("tool").raw(&quote(&masking::text(&it.tool)));
        writer.key("engine").raw(&quote(&it.engine));
        for (key, judged) in [("was", &it.was), ("is", &it.is)] {
            writer.key(key).object().key("verdict").string(&judged.verdict).key("rules").array();
            for rule in &judged.rules {
                writer.raw(&quote(rule));
            }
            writer.end_array().end_object();
        }
        writer.end_object();
    }
    writer.end_array().key("stopped").array();
    for (agent, why) in &came_to.stopped {
        writer.object().key("agent").raw(&quote(&masking::key(agent)));
        writer.key("why").raw(&quote(&masking::text(why))).end_object();
    }
    writer.end_array().end_object();
    let mut out = writer.finish();
    out.push('\n');
    out
}
