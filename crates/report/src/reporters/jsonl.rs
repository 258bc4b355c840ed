//! JSON lines: the header, one line for each session, and a last line with problems and summary.

use lawbook_event::json::Writer;

use crate::object;
use crate::{Closing, Header, Options, Reporter, SessionReport};

/// The reporter.
pub struct Jsonl;

impl Reporter for Jsonl {
    fn name(&self) -> &'static str {
        "jsonl"
    }

    fn page(&self) -> &'static str {
        include_str!("jsonl.md")
    }

    fn begin(&self, header: &Header, _options: Options, out: &mut String) {
        let mut writer = Writer::new();
        writer.object();
        object::head(&mut writer, header);
        writer.end_object();
        out.push_str(&writer.finish());
        out.push('\n');
    }

    fn writes(&self, _session: &SessionReport<'_>, _options: Options) -> bool {
        true
    }

    fn between(&self) -> &'static str {
        ""
    }

    fn session(
        &self,
        _header: &Header,
        session: &SessionReport<'_>,
        _options: Options,
        out: &mut String,
    ) {
        out.push_str(&object::session(session));
        out.push('\n');
    }

    fn end(&self, _header: &Header, closing: &Closing, _options: Options, out: &mut String) {
        let mut writer = Writer::new();
        writer.object().key("problems");
        object::problems(&mut writer, &closing.problems);
        writer.key("summary");
        object::summary(&mut writer, closing);
        writer.end_object();
        out.push_str(&writer.finish());
        out.push('\n');
    }
}
