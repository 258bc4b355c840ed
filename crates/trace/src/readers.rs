//! The trace formats, in the order in which they are tried.

mod activegraph;
mod adk;
mod agentdojo;
mod autogen;
mod braintrust;
mod claude_code;
mod codex;
mod codex_exec;
mod export;
mod gemini;
mod gemini_cli;
mod http_cassette;
mod inspect;
mod jaeger;
mod langchain;
mod langfuse;
mod langsmith;
mod mcp;
mod messages;
mod openai_agents;
mod openinference;
mod otlp;
mod pydantic_ai;
mod spans;
mod strands;
mod swe_agent;
mod tau2;
mod vercel;
mod whole;

use lawbook_diag::Problem;
use lawbook_event::json::Value;

use crate::container::{self, Both, Contents, Limits};
use crate::{Part, Reader, Readings, Session, Source, Untold};
pub use messages::{traces_file, with_traces};

/// Every reader. The first whose marks are found reads the input.
pub const READERS: &[&dyn Reader] = &[
    &claude_code::ClaudeCode,
    &codex::Codex,
    &codex_exec::CodexExec,
    &openai_agents::OpenaiAgents,
    &mcp::Mcp,
    &http_cassette::HttpCassette,
    &openinference::Openinference,
    &otlp::Otlp,
    &jaeger::Jaeger,
    &activegraph::Activegraph,
    &tau2::READER,
    &agentdojo::READER,
    &inspect::Inspect,
    &swe_agent::READER,
    &langfuse::Langfuse,
    &langsmith::Langsmith,
    &braintrust::Braintrust,
    &adk::READER,
    &autogen::Autogen,
    &pydantic_ai::READER,
    &vercel::READER,
    &strands::Strands,
    &gemini_cli::GeminiCli,
    &langchain::Langchain,
    &gemini::Gemini,
    &spans::Spans,
    &messages::Messages,
];

/// The reader that knows this document or line.
#[must_use]
pub fn detect(root: Value<'_>) -> Option<&'static dyn Reader> {
    READERS.iter().find(|reader| reader.sniff(root)).copied()
}

/// The reader of an input of several documents: the first that is known decides, unless a later
/// one shows that the spans are OpenInference's.
fn detect_all(parts: &[Part<'_>]) -> Option<&'static dyn Reader> {
    let first = parts.iter().find_map(|part| detect(part.document.root()))?;
    if first.name() == "otlp" {
        let marked = |part: &Part<'_>| openinference::Openinference.sniff(part.document.root());
        if parts.iter().any(marked) {
            return Some(&openinference::Openinference);
        }
    }
    Some(first)
}

/// The reader of this name.
#[must_use]
pub fn named(name: &str) -> Option<&'static dyn Reader> {
    READERS.iter().find(|it| it.name() == name || it.names().contains(&name)).copied()
}

/// Reads a whole input that is in memory: opens it, finds the format unless one is forced, and
/// hands on every session in order. What could not be read comes back as problems.
pub fn read(
    bytes: &[u8],
    forced: Option<&'static dyn Reader>,
    wanted: Readings,
    source: &Source,
    limits: &Limits,
    out: &mut dyn FnMut(Session<'_>),
) -> Vec<Problem> {
    let contents = match container::open(bytes, source, limits) {
        Ok(contents) => contents,
        Err(problem) => return vec![problem],
    };
    Parsed::of(&contents, forced, source, limits, None).read(wanted, source, &mut |it| out(it))
}

/// The documents of an input, parsed, and who reads them.
#[derive(Debug)]
pub struct Parsed<'c> {
    parts: Vec<Part<'c>>,
    reader: Option<&'static dyn Reader>,
    problems: Vec<Problem>,
}

impl<'c> Parsed<'c> {
    /// Parses every document of an input, a large one on two threads where `both` is given, and
    /// finds the format, unless one is forced.
    #[must_use]
    pub fn of(
        contents: &'c Contents<'_>,
        forced: Option<&'static dyn Reader>,
        source: &Source,
        limits: &Limits,
        both: Option<Both<'_>>,
    ) -> Self {
        let (mut parts, mut problems) = contents.parts_with(source, limits, both);
        let reader = forced.or_else(|| detect_all(&parts));
        match reader {
            Some(reader) => parts.retain(|part| {
                let known = forced.is_some() || reader.accepts(part.document.root());
                if !known {
                    problems.push(unknown_format(source, part));
                }
                known
            }),
            None => problems.extend(parts.first().map(|part| unknown_format(source, part))),
        }
        Parsed { parts, reader, problems }
    }

    /// Hands on every session in order. What could not be read comes back as problems.
    pub fn read<'d>(
        &'d self,
        wanted: Readings,
        source: &Source,
        out: &mut dyn FnMut(Session<'d>),
    ) -> Vec<Problem> {
        self.find(wanted, source, &mut |it| out(it.tell()))
    }

    /// The same, handing on sessions that are still to be told where they can be told apart.
    pub fn find<'d>(
        &'d self,
        wanted: Readings,
        source: &Source,
        out: &mut dyn FnMut(Untold<'d>),
    ) -> Vec<Problem> {
        let mut problems = self.problems.clone();
        if let Some(reader) = self.reader {
            problems.extend(reader.find(&self.parts, wanted, source, out));
            problems.sort_by_key(|problem| (problem.line, problem.column));
        }
        problems
    }
}

/// The problem of a document that no reader, or not the reader of its file, knows.
fn unknown_format(source: &Source, part: &Part<'_>) -> Problem {
    let names: Vec<_> = READERS.iter().map(|reader| reader.name()).collect();
    let problem =
        Problem::new(source.name.clone(), "unknown_format", "this is no trace of a known format")
            .help(format!("name the format with `--trace-format`; known are {}", names.join(", ")));
    problem.on_line(part.line)
}
