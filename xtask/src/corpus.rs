//! The recorded traces of others, read in place: counts and contents must be what their makers say.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use lawbook_event::json::{Document, Grammar, Limits as JsonLimits, Value};
use lawbook_event::{Answer, Call, Hindsight, PYTHON, What};
use lawbook_trace::{Limits, Reading, Source, read};

/// The folders of the formats that have a reader.
const FOLDERS: [&str; 11] = [
    "otlp-agentevals/",
    "otlp-hand-agentevals/",
    "otlp-kagent/",
    "otlp-agentpile/",
    "_scripted/strands/task",
    "jaeger-tempo-export/tempo",
    "langfuse-",
    "_scripted/langsmith-runs/",
    "langsmith-fetch/",
    "tau-bench/gpt-4o-airline",
    "faultgate/",
];

/// Files in those folders that are something else.
const OTHERS: [&str; 6] = [".truth.json", "policy", "golden", "band.json", "versions.json", ".messages.json"];

/// Where our counts differ from the index, and why: a part of the path, sessions and calls as a
/// difference to the index, and the reason.
const DIFFERENCES: [(&str, i64, i64, &str); 14] = [
    ("otlp-agentevals/", 0, -1, "the index counts the span `execute_tool (merged)`, which repeats two calls"),
    ("otlp-hand-agentevals/adk_go_main", 0, -1, "the index counts the merged span; the truth file says one call"),
    ("otlp-hand-agentevals/mcp_tool_call", 0, -1, "client and server span are one call; so says the truth file"),
    ("otlp-hand-agentevals/openai_agents_handoff", 0, 1, "the handoff has no tool span; so says the truth file"),
    ("otlp-hand-agentevals/openai_v2_logs_span_id", 0, 1, "the call stands in log events; so says the truth file"),
    ("otlp-hand-agentevals/util_genai_openai_tool_loop", 0, 1, "the call stands in messages; so says the truth file"),
    ("otlp-kagent/adk_go", 0, -1, "the index counts the merged span; so says the truth file"),
    ("langfuse-api/agno", 0, 1, "the index counts observations of type TOOL; this tool is a SPAN"),
    ("langfuse-api/beeai", 0, 1, "the index counts observations of type TOOL; this tool is a SPAN"),
    ("langfuse-api/langgraph", 0, 1, "the index counts observations of type TOOL; this call stands in messages"),
    ("langfuse-seed-observations/agno", 0, 1, "the index counts observations of type TOOL; this tool is a SPAN"),
    ("langfuse-seed-observations/koog", 0, 2, "the index counts observations of type TOOL; these calls stand in messages"),
    ("langfuse-seed-observations/langgraph", 0, 1, "the index counts observations of type TOOL; this call stands in messages"),
    ("pydantic-ai-tools-2025-12-04", 0, 1, "the model also calls `final_result`, which runs no tool"),
];

/// Truth files that are wrong about the error of a call: a part of the path, and the reason.
const ERRORS_UNSAID: [(&str, &str); 1] = [(
    "otlp-kagent/claude_recipe_2turn",
    "a span inside the tool's span says that the command failed; the truth file does not look there",
)];

/// One call, as far as a truth file speaks of it.
#[derive(Debug, Default)]
struct Told {
    tool: String,
    args: Option<String>,
    answer: Option<Answer<'static>>,
}

/// What was read of one file.
#[derive(Debug, Default)]
struct Found {
    sessions: i64,
    calls: i64,
    told: Vec<Told>,
    user: Vec<String>,
    agent: Vec<String>,
    problems: Vec<String>,
}

/// Reads every file of the corpus that a reader knows and compares it with the index and with the
/// truth file beside it. Prints what differs, with the reason where one is known.
///
/// # Errors
/// When the corpus cannot be read, or something differs without a known reason.
pub fn run(corpus: &Path) -> Result<(), String> {
    let index = fs::read_to_string(corpus.join("INDEX.tsv")).map_err(|error| error.to_string())?;
    let (mut files, mut truths, mut explained, mut wrong) = (0, 0, 0, Vec::new());
    for row in index.lines().skip(1) {
        let fields: Vec<&str> = row.split('\t').collect();
        let [path, _, _, _, sessions, calls, ..] = fields.as_slice() else { continue };
        if !FOLDERS.iter().any(|it| path.starts_with(it))
            || OTHERS.iter().any(|it| path.contains(it))
            || !(path.ends_with(".json") || path.ends_with(".jsonl"))
        {
            continue;
        }
        files += 1;
        let bytes = fs::read(corpus.join(path)).map_err(|error| format!("{path}: {error}"))?;
        let found = find(&bytes, path);
        for problem in &found.problems {
            wrong.push(format!("{path}: {problem}"));
        }
        let expected = (number(sessions), number(calls));
        let difference = (found.sessions - expected.0, found.calls - expected.1);
        if difference != (0, 0) {
            let known = DIFFERENCES
                .iter()
                .find(|it| path.contains(it.0) && (it.1, it.2) == difference);
            let line = format!(
                "{path}: {} sessions, {} calls; the index says {}, {}",
                found.sessions, found.calls, expected.0, expected.1
            );
            match known {
                Some((_, _, _, reason)) => {
                    explained += 1;
                    println!("{line}: {reason}");
                }
                None => wrong.push(line),
            }
        }
        let truth = truth_path(path);
        if let Ok(text) = fs::read_to_string(corpus.join(&truth)) {
            truths += 1;
            wrong.extend(compare(&found, &text, path).into_iter().map(|it| format!("{truth}: {it}")));
        }
    }
    println!("corpus: {files} files, {truths} with a truth file, {explained} explained differences");
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}

fn number(text: &str) -> i64 {
    text.parse().unwrap_or(-1)
}

fn truth_path(path: &str) -> String {
    let stem = path.strip_suffix(".jsonl").or_else(|| path.strip_suffix(".json")).unwrap_or(path);
    format!("{stem}.truth.json")
}

fn find(bytes: &[u8], path: &str) -> Found {
    let mut found = Found::default();
    let source = Source::new(path);
    let problems = read(bytes, None, Reading::Full, &source, &Limits::default(), &mut |session| {
        found.sessions += 1;
        found.calls += i64::from(session.calls);
        for event in session.events {
            match event.what {
                What::User(text) => found.user.push(text.text.into_owned()),
                What::Agent(text) => found.agent.push(text.text.into_owned()),
                What::Call(call) => found.told.push(told(call)),
                What::End(end) => found.agent.push(end.answer.into_owned()),
                _ => {}
            }
        }
    });
    found.problems.extend(problems.iter().map(ToString::to_string));
    found
}

fn told(call: Call<'_>) -> Told {
    let call = call.into_owned();
    let recorded = call.args.state != lawbook_event::ArgsState::Unrecorded;
    Told {
        tool: call.tool.into_owned(),
        args: recorded.then(|| call.args.text.into_owned()),
        answer: match call.hindsight {
            Some(Hindsight::Answered(answer)) => Some(answer),
            _ => None,
        },
    }
}

fn parse(text: &str) -> Option<Document<'_>> {
    Document::parse(text, Grammar::Python, &JsonLimits::DEFAULT).ok()
}

/// What a truth file says that was not found.
fn compare(found: &Found, truth: &str, path: &str) -> Vec<String> {
    let unsaid = ERRORS_UNSAID.iter().find(|it| path.contains(it.0));
    if let Some((_, reason)) = unsaid {
        println!("{path}: errors are not compared: {reason}");
    }
    let Some(document) = parse(truth) else { return vec!["the truth file is not JSON".to_owned()] };
    let root = document.root();
    let turns: Vec<Value<'_>> = root.get("turns").into_iter().flat_map(Value::items).collect();
    let mut wrong = Vec::new();
    words(&turns, "user_text", &found.user, &mut wrong);
    words(&turns, "final_text", &found.agent, &mut wrong);
    let calls: Vec<Value<'_>> =
        turns.iter().filter_map(|turn| turn.get("tool_calls")).flat_map(Value::items).collect();
    // Some truth files do not look into the spans of a coding agent and list no calls.
    if calls.is_empty() && !found.told.is_empty() && turns.iter().all(|it| it.get("llm_calls").is_some()) {
        return wrong;
    }
    if calls.len() != found.told.len() {
        wrong.push(format!("{} calls are said, {} were read", calls.len(), found.told.len()));
        return wrong;
    }
    // Parallel calls may stand in either order.
    let mut left: BTreeMap<usize, &Told> = found.told.iter().enumerate().collect();
    for call in calls {
        let fits = left.iter().find(|(_, told)| same(call, told, unsaid.is_none())).map(|(at, _)| *at);
        match fits {
            Some(at) => drop(left.remove(&at)),
            None => wrong.push(format!("no call is like {}; left are {left:?}", call.raw())),
        }
    }
    wrong
}

fn words(turns: &[Value<'_>], key: &str, said: &[String], wrong: &mut Vec<String>) {
    for expected in turns.iter().filter_map(|turn| turn.get(key)?.as_str()) {
        if !said.iter().any(|it| it.trim() == expected.trim()) {
            wrong.push(format!("{key} `{expected}` was not read"));
        }
    }
}

fn same(call: Value<'_>, told: &Told, errors: bool) -> bool {
    let name = call.get("name").and_then(Value::as_str).unwrap_or("");
    let bare = told.tool.rsplit("__").next().unwrap_or(&told.tool);
    if name != told.tool && name != bare {
        return false;
    }
    let args = call.get("args").is_none_or(|args| {
        args.is_null() || told.args.as_deref().is_some_and(|text| equal(args, text))
    });
    let result = call.get("result").is_none_or(|result| {
        let answer = told.answer.as_ref().filter(|it| it.recorded);
        result.is_null() || answer.is_some_and(|answer| equal(result, &answer.text))
    });
    let failed = told.answer.as_ref().and_then(|it| it.error) == Some(true);
    let error = call.get("is_error").and_then(Value::as_bool).is_none_or(|it| !errors || it == failed);
    args && result && error
}

/// Whether a text says the same as a value: as text, as JSON, or as the single key `result`.
fn equal(value: Value<'_>, text: &str) -> bool {
    if value.as_str() == Some(text) {
        return true;
    }
    let text = if text.is_empty() { "{}" } else { text };
    parse(text).is_some_and(|document| {
        let root = document.root();
        let inner = root.get("result").filter(|_| root.len() == 1);
        PYTHON.equal(root, value) || inner.is_some_and(|it| PYTHON.equal(it, value))
    })
}
