//! What pmstack's own guide tells of its sample, walked through with the binary: a draft that
//! breaks in 19 of 45 traces, the edit that brings it to 13, and the agreement with the reviewer.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use super::corpus;
use crate::repo::Repo;
use crate::report::Report;
use crate::run;

/// Walks through it, where the sample is beside the repository.
pub fn walk(repo: &Repo, report: &mut Report) -> Result<(), String> {
    let Some(sample) = corpus::place(repo).map(|it| it.join("pmstack")) else {
        report.skip("pmstack's sample: it stands in the corpus, which is not here");
        return Ok(());
    };
    let room = repo.target().join("peers").join("owner");
    fs::create_dir_all(&room).map_err(|e| format!("{}: {e}", room.display()))?;
    run::pass(Command::new(env!("CARGO")).current_dir(&repo.root).args([
        "build",
        "--quiet",
        "--package",
        "lawbook-cli",
    ]))?;
    let walk = Walk { program: repo.target().join("debug/lawbook"), sample, room };
    let wrong: Vec<String> = [walk.review()?, walk.agreement()?, walk.tools()?].concat();
    report.count(8_u64.saturating_sub(wrong.len() as u64), wrong.len() as u64);
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}

struct Walk {
    program: PathBuf,
    sample: PathBuf,
    room: PathBuf,
}

impl Walk {
    /// What a command prints. Findings are no failure here.
    fn run(&self, command: &str, args: &[&str], policy: &Path) -> Result<String, String> {
        let mut program = Command::new(&self.program);
        program.arg(command).arg(self.sample.join("northstar_traces.jsonl"));
        program.arg("--policy").arg(policy).args(args).current_dir(&self.room);
        let out = program.output().map_err(|e| format!("{}: {e}", run::shown(&program)))?;
        String::from_utf8(out.stdout).map_err(|e| e.to_string())
    }

    fn json(&self, command: &str, args: &[&str], policy: &Path) -> Result<Value, String> {
        let text = self.run(command, &[args, &["--format", "json"]].concat(), policy)?;
        serde_json::from_str(&text).map_err(|e| format!("{command}: {e}"))
    }

    /// The draft lacks a tool; the review offers the edit, and the edit clears six findings.
    fn review(&self) -> Result<Vec<String>, String> {
        let whole = self.sample.join("northstar_policy.json");
        let text = fs::read_to_string(&whole).map_err(|e| format!("{}: {e}", whole.display()))?;
        let mut draft: Value = serde_json::from_str(&text).map_err(|e| e.to_string())?;
        if let Some(tools) = draft["tools"].as_object_mut() {
            tools.remove("find_technician_slots");
        }
        let (place, review) = (self.room.join("draft.json"), self.room.join("review.yaml"));
        fs::write(&place, draft.to_string()).map_err(|e| e.to_string())?;
        let _ = fs::remove_file(&review);
        let keep = ["--review", "review.yaml"];
        let mut wrong = unlike(&self.run("check", &keep, &place)?, "the policy in 19 of 45 traces");
        let offered = fs::read_to_string(&review).map_err(|e| e.to_string())?;
        let edit = r#"write: "\"find_technician_slots\": {\"access\": \"read\"}""#;
        if offered.matches(edit).count() != 6 {
            wrong.push("the draft: six findings do not have the edit that lists the tool".into());
        }
        let after = self.run("check", &keep, &whole)?;
        wrong.extend(unlike(&after, "the policy in 13 of 45 traces"));
        wrong.extend(unlike(&after, "0 rule to fix still found, 6 cleared, 15 unmarked"));
        Ok(wrong)
    }

    fn agreement(&self) -> Result<Vec<String>, String> {
        let policy = self.sample.join("northstar_policy.json");
        let labels = self.sample.join("northstar_reviews.json");
        let labels = labels.display().to_string();
        let found = self.json("agreement", &["--labels", &labels], &policy)?;
        let overall = &found["overall"];
        let rate = |key: &str| [overall[key]["count"].clone(), overall[key]["total"].clone()];
        let mut wrong = Vec::new();
        for (what, found, wanted) in [
            ("catches", json!(rate("catches")), json!([5, 5])),
            ("agrees", json!(rate("agrees")), json!([11, 12])),
            ("wrongly flagged", overall["wrongly_flagged"].clone(), json!(["t-0023"])),
        ] {
            if found != wanted {
                wrong.push(format!("agreement: {what} {found}, not {wanted}"));
            }
        }
        Ok(wrong)
    }

    fn tools(&self) -> Result<Vec<String>, String> {
        let found = self.json("tools", &[], &self.sample.join("northstar_policy.json"))?;
        let (tools, calls) = (found["tools"].as_array().map(Vec::len), &found["summary"]["calls"]);
        let equal = tools == Some(10) && *calls == 139;
        Ok(if equal { Vec::new() } else { vec![format!("tools: {tools:?}, {calls} calls")] })
    }
}

fn unlike(text: &str, wanted: &str) -> Vec<String> {
    if text.contains(wanted) {
        return Vec::new();
    }
    vec![format!("`{wanted}` is not in:\n{text}")]
}
