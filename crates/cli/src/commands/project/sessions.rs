//! The traces of a project: inline, in the file that it names, or in one that is given instead.

use std::path::Path;

use lawbook_diag::Problem;
use lawbook_event::json::Value;
use lawbook_trace::{Limits, Readings, Session, Source, open, read};

use super::file::PmstackFile;

/// Hands on every session. What could not be read comes back as problems.
///
/// # Errors
/// When there is nothing to read at all.
pub fn each(
    file: &PmstackFile,
    instead: Option<&Path>,
    wanted: Readings,
    out: &mut dyn FnMut(&Session<'_>),
) -> Result<Vec<Problem>, Problem> {
    let named = file.root().get("tracesFile").and_then(Value::as_str);
    let beside = named.map(|it| file.path.parent().unwrap_or(Path::new("")).join(it));
    let (source, bytes) = match instead.or(beside.as_deref()) {
        Some(path) => {
            let source = path.display().to_string();
            let bytes = std::fs::read(path).map_err(|error| {
                Problem::new(&source, "unreadable", format!("it can't be read: {error}"))
            })?;
            (source, mapped(file, bytes))
        }
        None if file.root().get("traces").is_some_and(Value::is_array) => {
            (file.path.display().to_string(), file.text.clone().into_bytes())
        }
        None => {
            let message = "it holds no traces and names no file of them";
            return Err(Problem::new(file.path.display().to_string(), "no_traces", message)
                .help("name the traces with `--traces`"));
        }
    };
    let source = Source::new(source);
    let limits = Limits::default();
    Ok(read(&bytes, None, wanted, &source, &limits, &mut |session| out(&session)))
}

/// Traces in a file of their own, put into a project where its field map is needed to read them.
fn mapped(file: &PmstackFile, bytes: Vec<u8>) -> Vec<u8> {
    let experience = file.experience();
    let map = experience.and_then(|it| it.get("fieldMap")).filter(|it| it.is_object());
    let Some(map) = map else { return bytes };
    let source = Source::new("traces");
    let Ok(contents) = open(&bytes, &source, &Limits::default()) else { return bytes };
    let (parts, problems) = contents.parts(&source, &Limits::default());
    if !problems.is_empty() {
        // What can't be parsed is told with its place by who reads the file as it is.
        return bytes;
    }
    let mut traces = Vec::new();
    for part in &parts {
        let root = part.document.root();
        let list = root.get("traces").filter(|it| it.is_array()).unwrap_or(root);
        match list.is_array() {
            true => traces.extend(list.items().map(Value::raw)),
            false => traces.push(list.raw()),
        }
    }
    format!(
        "{{\"format\":\"{}\",\"experience\":{{\"fieldMap\":{}}},\"traces\":[{}]}}",
        super::file::PROJECT,
        map.raw(),
        traces.join(",")
    )
    .into_bytes()
}
