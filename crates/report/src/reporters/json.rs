//! One JSON object, sessions before the summary so that it can be written while they are judged.

use lawbook_event::json::Writer;

use crate::object;
use crate::{Closing, Header, Options, Reporter, SessionReport};

/// The reporter.
pub struct Json;

impl Reporter for Json {
    fn name(&self) -> &'static str {
        "json"
    }

    fn page(&self) -> &'static str {
        include_str!("json.md")
    }

    fn begin(&self, header: &Header, _options: Options, out: &mut String) {
        let mut writer = Writer::new();
        writer.object();
        object::head(&mut writer, header);
        out.push_str(&writer.finish());
        out.push_str(",\n\"sessions\":[\n");
    }

    fn writes(&self, _session: &SessionReport<'_>, _options: Options) -> bool {
        true
    }

    fn between(&self) -> &'static str {
        ",\n"
    }

    fn session(
        &self,
        _header: &Header,
        session: &SessionReport<'_>,
        _options: Options,
        out: &mut String,
    ) {
        out.push_str(&object::session(session));
    }

    fn end(&self, _header: &Header, closing: &Closing, _options: Options, out: &mut String) {
        out.push_str("],\n\"problems\":");
        let mut writer = Writer::new();
        object::problems(&mut writer, &closing.problems);
        out.push_str(&writer.finish());
        out.push_str(",\n\"summary\":");
        let mut writer = Writer::new();
        object::summary(&mut writer, closing);
        out.push_str(&writer.finish());
        out.push_str("}\n");
    }
}
