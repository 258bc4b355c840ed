//! The report for people.

mod closing;
mod groups;
mod paint;

use std::fmt::Write;

use lawbook_diag::{Finding, Mode, Unknown};

use crate::unseen::cut;
use crate::{Closing, Header, Options, Reporter, SessionReport, shown};
use paint::Paint;

/// The reporter.
pub struct Text;

impl Reporter for Text {
    fn name(&self) -> &'static str {
        "text"
    }

    fn page(&self) -> &'static str {
        include_str!("text.md")
    }

    fn begin(&self, header: &Header, options: Options, out: &mut String) {
        closing::heading(header, Paint::new(options), out);
    }

    fn writes(&self, session: &SessionReport<'_>, options: Options) -> bool {
        options.all && (!session.findings.is_empty() || !session.unknown.is_empty())
    }

    fn between(&self) -> &'static str {
        "\n"
    }

    fn session(
        &self,
        _header: &Header,
        session: &SessionReport<'_>,
        options: Options,
        out: &mut String,
    ) {
        let paint = Paint::new(options);
        let source = match session.source {
            source if source == session.id => String::new(),
            source => format!(" ({})", shown(source)),
        };
        let (word, id) = (paint.dim("session"), paint.strong(&shown(session.id)));
        // Writing to a string can't fail.
        let _ = writeln!(out, "{word} {id}{source}: {}", verdict(session, paint));
        for it in session.findings {
            finding(it, paint, options, out);
        }
        for it in session.unknown {
            unknown(it, paint, options, out);
        }
    }

    fn end(&self, header: &Header, closing: &Closing, options: Options, out: &mut String) {
        let paint = Paint::new(options);
        if !options.all {
            groups::groups(&closing.summary, paint, options, out);
        }
        closing::closing(header, closing, paint, options, out);
    }
}

fn verdict(session: &SessionReport<'_>, paint: Paint) -> String {
    let counts = session.unknown.iter().any(|it| it.counts);
    if counts && session.verdict == lawbook_diag::Verdict::Allow {
        return paint.unknown("unknown");
    }
    paint.verdict(session.verdict, session.verdict.word())
}

fn finding(it: &Finding, paint: Paint, options: Options, out: &mut String) {
    let word = paint.verdict(it.verdict, it.verdict.word());
    let aside = match (it.mode, &it.waived) {
        (_, Some(why)) => format!(" (waived: {})", cut(why)),
        (Mode::Observe, None) => " (observed)".to_owned(),
        (Mode::Enforce, None) if it.verdict == lawbook_diag::Verdict::Allow => {
            " (audit)".to_owned()
        }
        (Mode::Enforce, None) => String::new(),
    };
    let place = place(it.step, it.step_id.as_deref(), it.tool.as_deref());
    let rule = paint.dim(&rule(&it.rule, it.layer, options));
    let _ = writeln!(out, "  {word}{aside} {place}: {} {rule}", cut(&it.message));
    if let Some(why) = &it.why {
        let _ = writeln!(out, "    {} {}", paint.dim("why:"), cut(why));
    }
    if !it.evidence.is_empty() {
        let _ = writeln!(out, "    {} {}", paint.dim("rests on:"), evidence(it));
    }
}

fn unknown(it: &Unknown, paint: Paint, options: Options, out: &mut String) {
    let word = paint.unknown("unknown");
    let aside = if it.counts { "" } else { " (noted)" };
    let place = place(it.step, it.step_id.as_deref(), None);
    let rule = paint.dim(&rule(&it.rule, it.layer, options));
    let _ = writeln!(out, "  {word}{aside} {place}: {} {rule}", cut(&it.message));
}

/// The rule in brackets, with the number of its policy where there are several.
fn rule(id: &str, layer: usize, options: Options) -> String {
    let id = shown(id);
    if options.layers {
        format!("[{id} of policy {}]", layer.saturating_add(1))
    } else {
        format!("[{id}]")
    }
}

/// Where in the session: the step with its tool, a message, or the run.
fn place(step: Option<u32>, id: Option<&str>, tool: Option<&str>) -> String {
    let tool = tool.map(|it| format!(" {}", shown(it))).unwrap_or_default();
    match (step, id) {
        (Some(step), _) => format!("step {step}{tool}"),
        (None, Some(id)) => format!("message {}{tool}", shown(id)),
        (None, None) => "run".to_owned(),
    }
}

fn evidence(it: &Finding) -> String {
    let mut out = String::new();
    for (place, evidence) in it.evidence.iter().enumerate() {
        if place > 0 {
            out.push_str(", ");
        }
        let _ = write!(out, "step {} ({})", evidence.step, shown(&evidence.step_id));
        if let Some(quote) = &evidence.quote {
            let _ = write!(out, " \"{}\"", cut(quote));
        }
    }
    let more = it.evidence_total.saturating_sub(it.evidence.len());
    if more > 0 {
        let _ = write!(out, " and {more} more");
    }
    out
}
