//! One page that stands alone: what was found and why, rule by rule, then session by session.

mod band;
mod closing;
mod session;
mod tables;

use lawbook_diag::Verdict;

use crate::said;
use crate::sealed::sealed_style;
use crate::{Bound, Closing, GateVerdict, Header, Options, Reporter, SessionReport, cut};

/// Sessions that the page shows; those beyond are counted.
pub const SESSIONS_MAX: usize = 500;

/// The reporter.
pub struct Html;

const STYLE: &str = include_str!("html/style.css");

impl Reporter for Html {
    fn name(&self) -> &'static str {
        "html"
    }

    fn page(&self) -> &'static str {
        include_str!("html.md")
    }

    fn begin(&self, _header: &Header, _options: Options, out: &mut String) {
        let policy = format!(
            "default-src 'none'; style-src '{}'; base-uri 'none'; form-action 'none'",
            sealed_style(STYLE)
        );
        out.push_str("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
        out.push_str(&format!(
            "<meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n"
        ));
        out.push_str("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
        out.push_str("<meta name=\"referrer\" content=\"no-referrer\">\n");
        out.push_str("<meta name=\"color-scheme\" content=\"light dark\">\n");
        out.push_str(&format!("<title>Lawbook report</title>\n<style>{STYLE}</style>\n</head>\n"));
        out.push_str("<body>\n<main>\n");
    }

    fn writes(&self, session: &SessionReport<'_>, _options: Options) -> bool {
        let checked = session.checks.iter().any(|it| it.detected && it.check != "policy");
        !session.findings.is_empty() || !session.unknown.is_empty() || checked
    }

    fn between(&self) -> &'static str {
        "\n"
    }

    fn bound(&self) -> Bound {
        Bound::Held(SESSIONS_MAX)
    }

    fn session(
        &self,
        _header: &Header,
        session: &SessionReport<'_>,
        options: Options,
        out: &mut String,
    ) {
        session::session(session, options, out);
    }

    fn end(&self, header: &Header, closing: &Closing, options: Options, out: &mut String) {
        heading(closing, out);
        tables::policies(header, out);
        if let Some(gate) = &closing.gate {
            band::gate(gate, out);
        }
        tables::rules(&closing.summary, options, out);
        if !closing.written.held.is_empty() {
            out.push_str("<section>\n<h2>Sessions</h2>\n");
            out.push_str("<p>Each session in which a rule objects or could not be judged, ");
            out.push_str("with the steps that this rests on. Open one to read it.</p>\n");
            out.push_str(&closing.written.held);
            out.push_str("\n</section>\n");
        }
        closing::closing(header, closing, out);
        out.push_str("</main>\n</body>\n</html>\n");
    }
}

/// Text of others in an element or an attribute: no character of it is mark-up, and what doesn't
/// show is written out.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in cut(text).chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '`' => out.push_str("&#96;"),
            c => out.push(c),
        }
    }
    out
}

fn heading(closing: &Closing, out: &mut String) {
    let summary = &closing.summary;
    let (class, said) = match &closing.gate {
        Some(gate) => {
            let class = match gate.verdict {
                GateVerdict::Pass => "allow",
                GateVerdict::Inconclusive => "unknown",
                GateVerdict::Fail => "deny",
            };
            (class, format!("{}: {}", gate.verdict.word(), gate.because))
        }
        None if summary.with_findings > 0 && summary.findings == summary.asks => {
            ("ask", said::broken(summary))
        }
        None if summary.with_findings > 0 => ("deny", said::broken(summary)),
        None if summary.unknown > 0 || summary.calls == 0 => ("unknown", said::broken(summary)),
        None => ("allow", said::broken(summary)),
    };
    out.push_str("<header>\n<p class=\"brand\">Lawbook</p>\n");
    out.push_str(&format!("<h1 class=\"{class}\">{}</h1>\n", escape(&first_upper(&said))));
    out.push_str(&format!("<p>{}</p>\n</header>\n", escape(&said::totals(summary))));
}

fn first_upper(text: &str) -> String {
    let mut chars = text.chars();
    match chars.next() {
        Some(first) => first.to_uppercase().chain(chars).collect(),
        None => String::new(),
    }
}

/// A verdict as a word in its colour; the word says it all.
fn badge(verdict: Verdict) -> String {
    let word = verdict.word();
    format!("<span class=\"badge {word}\">{word}</span>")
}
