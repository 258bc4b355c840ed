//! `lawbook precheck`: what a reader understood of traces, and what a policy would miss.

mod findings;

use std::num::NonZeroUsize;

use clap::Args;
use lawbook_report::{quote, shown};

use crate::commands::rule::written;
use crate::commands::{Format, check, stopped};
use crate::exit::Exit;
use crate::input::{Inputs, each, list};
use crate::masking;
use crate::policies::PolicyArgs;
use crate::print::counted;
use check::Sample;
use findings::Survey;

/// Say what a reader understood of traces, and what a policy would miss.
#[derive(Debug, Args)]
pub struct PrecheckArgs {
    /// Trace files, globs, or `-` for standard input
    #[arg(required = true, value_name = "TRACES")]
    pub traces: Vec<String>,
    #[command(flatten)]
    pub policies: PolicyArgs,
    /// The format of the traces, where their content does not show it
    #[arg(long, value_name = "NAME", env = "LAWBOOK_TRACE_FORMAT", hide_env = true)]
    pub trace_format: Option<String>,
    /// Look at most at this many sessions, the same that `lawbook check --sample` judges
    #[arg(long, value_name = "N", env = "LAWBOOK_SAMPLE", hide_env = true)]
    pub sample: Option<NonZeroUsize>,
    /// How the result is printed
    #[arg(long, value_enum, default_value_t, env = "LAWBOOK_FORMAT", hide_env = true)]
    pub format: Format,
}

/// Something that was noticed.
pub struct Remark {
    /// `error` or `warning`.
    pub level: &'static str,
    /// The session or the input.
    pub about: String,
    /// What was noticed.
    pub message: String,
}

/// Runs the command.
pub fn run(args: &PrecheckArgs) -> Exit {
    match survey(args) {
        Ok(survey) => {
            let (remarks, seen) = survey.close();
            let printed = match args.format {
                Format::Text => written(&text(&remarks, &seen)),
                Format::Json => written(&json(&remarks, &seen)),
            };
            let wrong = remarks.iter().any(|it| it.level == "error");
            printed.max(if wrong { Exit::Unusable } else { Exit::Clean })
        }
        Err(problems) => stopped(&problems),
    }
}

/// What was read.
#[derive(Default)]
pub struct Seen {
    /// The files that the rules come from.
    pub policies: Vec<String>,
    /// The formats.
    pub formats: Vec<&'static str>,
    /// Sessions that were looked at.
    pub looked: u64,
    /// Sessions in the input.
    pub sessions: u64,
    /// Calls in those that were looked at.
    pub calls: u64,
}

fn survey(args: &PrecheckArgs) -> Result<Survey, Vec<lawbook_diag::Problem>> {
    let forced = check::reader(args.trace_format.as_deref()).map_err(|it| vec![it])?;
    let (places, missing) = list(&args.traces, false)?;
    let policies = args.policies.beside(&args.traces)?;
    policies.say_where();
    let mut survey = Survey::new(policies, args.sample.map(|it| Sample::new(it.get())));
    missing.iter().for_each(|it| survey.problem(it));
    each(Inputs::new(places, forced), |read| match read {
        Ok(session) => survey.session(session),
        Err(problem) => survey.problem(&problem),
    });
    Ok(survey)
}

fn text(remarks: &[Remark], seen: &Seen) -> String {
    let mut out = String::new();
    for it in remarks {
        let (about, message) = (masking::text(&it.about), masking::text(&it.message));
        out.push_str(&format!("{:8}{}: {}\n", it.level, shown(&about), shown(&message)));
    }
    let count = |level| remarks.iter().filter(|it| it.level == level).count();
    let (errors, warnings) = (count("error"), count("warning"));
    let word = if errors > 0 { "FAILED" } else { "OK" };
    let formats = if seen.formats.is_empty() { "none".to_owned() } else { seen.formats.join(", ") };
    let rules = match seen.policies.as_slice() {
        [] => "no rules".to_owned(),
        named => format!("rules from {}", shown(&named.join(", "))),
    };
    out.push_str(&format!(
        "precheck: {word}, format {formats}, {rules}, {} of {} looked at, {} read, {}, {}\n",
        seen.looked,
        counted(seen.sessions, "session"),
        counted(seen.calls, "call"),
        counted(errors, "error"),
        counted(warnings, "warning"),
    ));
    out
}

fn json(remarks: &[Remark], seen: &Seen) -> String {
    let one = |it: &Remark| {
        format!(
            "{{\"level\":{},\"about\":{},\"message\":{}}}",
            quote(it.level),
            quote(&masking::text(&it.about)),
            quote(&masking::text(&it.message))
        )
    };
    let remarks: Vec<String> = remarks.iter().map(one).collect();
    let formats: Vec<String> = seen.formats.iter().map(|it| quote(it)).collect();
    let policies: Vec<String> = seen.policies.iter().map(|it| quote(it)).collect();
    format!(
        "{{\"schema\":\"lawbook.precheck/1\",\"policies\":[{}],\"formats\":[{}],\"remarks\":[{}],\"summary\":\
         {{\"sessions\":{},\"looked_at\":{},\"calls\":{}}}}}\n",
        policies.join(","),
        formats.join(","),
        remarks.join(","),
        seen.sessions,
        seen.looked,
        seen.calls,
    )
}
