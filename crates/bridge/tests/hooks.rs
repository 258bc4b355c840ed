//! Every case of a host: what it sends, and what it must be answered.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::panic
)]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use lawbook::{Options, Time};
use lawbook_bridge::{Around, Door, HOSTS, Host, OnError, Output, Store};
use serde_json::Value;

const KEYS: [&str; 9] =
    ["in", "out", "code", "says", "has", "forget", "cut", "age_days", "transcript"];

/// A case that is being run.
struct Run<'c> {
    host: &'static dyn Host,
    door: Door,
    folder: &'c Path,
    transcript: Option<PathBuf>,
    seconds: i64,
}

impl Run<'_> {
    /// Runs a step and says what is wrong with its answer.
    fn step(&mut self, step: &Value) -> Vec<String> {
        for key in step.as_object().unwrap().keys() {
            assert!(KEYS.contains(&key.as_str()), "unknown key {key}");
        }
        let Some(input) = step.get("in") else {
            self.meddle(step);
            return Vec::new();
        };
        let mut input = input.clone();
        if let (Some(path), Value::Object(input)) = (&self.transcript, &mut input) {
            input.insert("transcript_path".into(), path.display().to_string().into());
        }
        let text = match &input {
            Value::String(text) => text.clone(),
            value => value.to_string(),
        };
        self.seconds += 1;
        let now = Time { nanos: 1_767_225_600_000_000_000 + self.seconds * 1_000_000_000 };
        compare(step, &self.door.answer(self.host, text.as_bytes(), now))
    }

    /// Does something to the store or to the host's own record.
    fn meddle(&mut self, step: &Value) {
        let files = self.door.store.as_ref().unwrap().files();
        let open = |path: &PathBuf| std::fs::OpenOptions::new().write(true).open(path).unwrap();
        if step.get("forget").is_some() {
            files.iter().for_each(|it| std::fs::remove_file(it).unwrap());
        }
        if let Some(bytes) = step.get("cut") {
            for file in files.iter().map(open) {
                let length = file.metadata().unwrap().len();
                file.set_len(length - bytes.as_u64().unwrap()).unwrap();
            }
        }
        if let Some(days) = step.get("age_days") {
            let ago = Duration::from_secs(days.as_u64().unwrap() * 24 * 60 * 60);
            for file in files.iter().map(open) {
                file.set_modified(SystemTime::now() - ago).unwrap();
            }
        }
        if let Some(lines) = step.get("transcript") {
            let lines = lines.as_array().unwrap().iter().map(|it| it.as_str().unwrap());
            let path = self.folder.join("transcript.jsonl");
            std::fs::write(&path, lines.collect::<Vec<_>>().join("\n") + "\n").unwrap();
            self.transcript = Some(path);
        }
    }
}

fn compare(step: &Value, output: &Output) -> Vec<String> {
    let mut wrong = Vec::new();
    let code = step.get("code").map_or(0, |it| it.as_u64().unwrap());
    if u64::from(output.code) != code {
        wrong.push(format!("code {}, not {code}", output.code));
    }
    let printed = || serde_json::from_str::<Value>(&output.stdout).unwrap_or(Value::Null);
    match step.get("out") {
        Some(Value::String(text)) if text != &output.stdout => wrong.push("out".to_owned()),
        Some(value) if !value.is_string() && *value != printed() => wrong.push("out".to_owned()),
        _ => {}
    }
    for (place, value) in step.get("has").and_then(Value::as_object).into_iter().flatten() {
        if printed().pointer(place) != Some(value) {
            wrong.push(format!("{place} is not {value}"));
        }
    }
    if let Some(words) = step.get("says").and_then(Value::as_str)
        && !format!("{}{}", output.stdout, output.stderr).contains(words)
    {
        wrong.push(format!("does not say {words:?}"));
    }
    if !wrong.is_empty() {
        wrong.push(format!("got {output:?}"));
    }
    wrong
}

/// The door of a case, with a store of its own.
fn door(case: &Value, folder: &Path) -> Door {
    let settings = &case["door"];
    let switch = |key: &str| settings.get(key).and_then(Value::as_bool).unwrap_or(false);
    Door {
        policy: Options::new().texts([("policy.json", case["policy"].to_string())]),
        store: Some(Store::at(folder.join("store"))),
        auto_allow: switch("auto_allow"),
        unattended: switch("unattended"),
        on_error: match settings.get("on_error").and_then(Value::as_str) {
            Some("ask") => OnError::Ask,
            _ => OnError::Deny,
        },
        mask: lawbook::Mask::default(),
        around: Around {
            attended: switch("attended"),
            home: Some("/srv/dev".to_owned()),
            // A case runs in a terminal unless it says otherwise; `null` is a host that tells nothing.
            entry: match settings.get("entry") {
                Some(entry) => entry.as_str().map(str::to_owned),
                None => Some("cli".to_owned()),
            },
        },
    }
}

/// The cases of a host, by their paths.
fn cases(host: &dyn Host) -> Vec<(PathBuf, Value)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance/hooks");
    let folder = root.join(host.name().replace('-', "_"));
    let entries = std::fs::read_dir(&folder).unwrap_or_else(|e| panic!("{folder:?}: {e}"));
    let mut files: Vec<PathBuf> = entries.map(|it| it.unwrap().path()).collect();
    files.sort();
    let read = |path: PathBuf| {
        let text = std::fs::read_to_string(&path).unwrap();
        let case = serde_json::from_str(&text).unwrap_or_else(|e| panic!("{path:?}: {e}"));
        (path, case)
    };
    files.into_iter().map(read).collect()
}

#[test]
fn every_case_holds() {
    let mut failures = Vec::new();
    let mut abouts: BTreeMap<String, PathBuf> = BTreeMap::new();
    for host in HOSTS {
        for (path, case) in cases(*host) {
            let about = case["about"].as_str().unwrap().to_owned();
            assert!(about.ends_with('.'), "{path:?}: `{about}` is no sentence");
            let name = format!("lawbook-hooks-{}-{}", std::process::id(), abouts.len());
            if let Some(other) = abouts.insert(about.clone(), path.clone()) {
                panic!("{path:?} says the same as {other:?}");
            }
            let folder = std::env::temp_dir().join(name);
            std::fs::create_dir_all(&folder).unwrap();
            let door = door(&case, &folder);
            let mut run = Run { host: *host, door, folder: &folder, transcript: None, seconds: 0 };
            for (place, step) in case["steps"].as_array().unwrap().iter().enumerate() {
                let wrong = run.step(step);
                if !wrong.is_empty() {
                    failures.push(format!("{about}\n  step {place}: {}", wrong.join("\n    ")));
                }
            }
            std::fs::remove_dir_all(&folder).unwrap();
        }
    }
    assert!(failures.is_empty(), "{} failed:\n{}", failures.len(), failures.join("\n"));
    assert!(abouts.len() > 40, "{} cases", abouts.len());
}
