//! The comparison with pmstack, by what its own program was recorded to say: cases, random pairs,
//! verdicts on policy files, and the sample of a support desk.
//!
//! The recordings stand in `../shared` beside the repository. Nothing of them is copied, and
//! without them this step says so and passes.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use lawbook_dialect::{Options, load};
use lawbook_engine::{Engine, check};
use lawbook_rule::{Policy, Profile};
use lawbook_trace::{Limits, Source, named, read};
use serde_json::{Value, json};

use crate::repo::Repo;
use crate::report::Report;

/// How many differences are printed.
const SHOWN_MAX: usize = 10;

/// What is found: the printed step and the id of the rule.
type Line = (String, String);

/// Compares everything that is there.
pub fn compare(repo: &Repo, report: &mut Report) -> Result<(), String> {
    let shared = repo.root.join("../shared");
    if !shared.join("conformance/pmstack_cases.json").is_file() {
        report.skip("the comparison with pmstack: its recordings are not beside the repository");
        return Ok(());
    }
    let mut tally = Tally { shared, wrong: Vec::new(), equal: 0, strict: 0 };
    tally.cases()?;
    tally.random()?;
    tally.verdicts()?;
    tally.northstar()?;
    tally.close(report)
}

struct Tally {
    shared: PathBuf,
    equal: u64,
    wrong: Vec<String>,
    /// What the strict reading finds over the random pairs, so that it is known to run.
    strict: usize,
}

impl Tally {
    fn text(&self, path: &str) -> Result<String, String> {
        let path = self.shared.join(path);
        fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))
    }

    fn json(&self, path: &str) -> Result<Value, String> {
        serde_json::from_str(&self.text(path)?).map_err(|e| format!("{path}: {e}"))
    }

    fn cases(&mut self) -> Result<(), String> {
        let all = self.json("conformance/pmstack_cases.json")?;
        for case in list(&all["cases"]) {
            let name = case["name"].as_str().unwrap_or_default();
            let rules = list(&case["opts"]["ruleIds"]);
            let policy = policy(&case["policy"], Profile::Compatible)?;
            let policy = keep(policy, &rules);
            let ours = found(policy, &case["trace"])?;
            self.take(name, &lines(&case["expected"]), &ours);
        }
        Ok(())
    }

    fn random(&mut self) -> Result<(), String> {
        let text = self.text("conformance/pmstack_random.jsonl")?;
        for (number, line) in text.lines().enumerate() {
            let pair: Value = serde_json::from_str(line).map_err(|e| format!("a pair: {e}"))?;
            let policy = policy(&pair["policy"], Profile::Compatible);
            let name = format!("random pair {}", number + 1);
            match policy {
                Ok(policy) => {
                    let ours = found(policy, &pair["trace"])?;
                    self.take(&name, &lines(&pair["expected"]), &ours);
                }
                Err(problem) => self.wrong.push(format!("{name}: {problem}")),
            }
            if let Ok(policy) = self::policy(&pair["policy"], Profile::Strict) {
                self.strict += found(policy, &pair["trace"])?.len();
            }
        }
        Ok(())
    }

    /// Which policy files are accepted, and how much is wrong with the others.
    fn verdicts(&mut self) -> Result<(), String> {
        let tables = self.json("conformance/pmstack_vectors.json")?;
        for entry in list(&tables["validation"]) {
            let name = entry["name"].as_str().unwrap_or_default();
            let text = entry["policy"].to_string();
            let options = Options { dialect: Some("pmstack"), ..Options::default() };
            let told = load(name, text.as_bytes(), &options).problems;
            match entry["errorCount"].as_u64() {
                Some(count) if count == told.len() as u64 => self.equal += 1,
                count => {
                    let told: Vec<String> = told.iter().map(|it| it.message.clone()).collect();
                    self.wrong.push(format!("policy `{name}`: {count:?} problems, ours {told:?}"));
                }
            }
        }
        Ok(())
    }

    /// The sample of a support desk, with its policy and with one tool taken off its list.
    fn northstar(&mut self) -> Result<(), String> {
        let text = self.text("corpus/pmstack/northstar_traces.jsonl")?;
        let traces: Vec<Value> =
            text.lines().filter_map(|it| serde_json::from_str(it).ok()).collect();
        let whole = self.json("corpus/pmstack/northstar_policy.json")?;
        let expected = self.json("corpus/pmstack/northstar_expected.json")?;
        let mut draft = whole.clone();
        if let Some(tools) = draft["tools"].as_object_mut() {
            tools.remove("find_technician_slots");
        }
        for (document, failing) in [(&whole, 13), (&draft, 19)] {
            let policy = Arc::new(policy(document, Profile::Compatible)?);
            let mut breaks = BTreeSet::new();
            for trace in &traces {
                let id = trace["id"].as_str().unwrap_or_default().to_string();
                let ours = found_by(&policy, trace)?;
                if !ours.is_empty() {
                    breaks.insert(id.clone());
                }
                if failing == 13 {
                    let theirs: Vec<Line> = list(&expected)
                        .iter()
                        .filter(|it| it["id"] == trace["id"])
                        .flat_map(|it| lines(&it["violations"]))
                        .collect();
                    self.take(&format!("northstar {id}"), &theirs, &ours);
                }
            }
            let count = format!("northstar: {} of {} traces", breaks.len(), traces.len());
            match breaks.len() == failing {
                true => self.equal += 1,
                false => self.wrong.push(format!("{count}, not {failing}")),
            }
        }
        Ok(())
    }

    fn take(&mut self, name: &str, theirs: &[Line], ours: &[Line]) {
        if theirs == ours {
            self.equal += 1;
        } else {
            self.wrong.push(format!("{name}: theirs {theirs:?}, ours {ours:?}"));
        }
    }

    fn close(self, report: &mut Report) -> Result<(), String> {
        println!("{} lists and verdicts are equal, {} differ", self.equal, self.wrong.len());
        println!("strict finds {} on the random pairs", self.strict);
        report.count(self.equal, self.wrong.len() as u64);
        if self.wrong.is_empty() {
            return Ok(());
        }
        let shown: Vec<&str> = self.wrong.iter().take(SHOWN_MAX).map(String::as_str).collect();
        Err(format!("{} differences:\n{}", self.wrong.len(), shown.join("\n")))
    }
}

fn list(value: &Value) -> Vec<Value> {
    value.as_array().cloned().unwrap_or_default()
}

fn lines(expected: &Value) -> Vec<Line> {
    let text = |it: &Value| it.as_str().unwrap_or_default().to_string();
    list(expected).iter().map(|it| (text(&it[0]), text(&it[1]))).collect()
}

fn policy(document: &Value, profile: Profile) -> Result<Policy, String> {
    let options =
        Options { dialect: Some("pmstack"), profile: Some(profile), ..Options::default() };
    let loaded = load("policy.json", document.to_string().as_bytes(), &options);
    let problem = loaded.problems.first().map(ToString::to_string);
    loaded.policy.ok_or_else(|| problem.unwrap_or_default())
}

/// Only these rules; all of them if none is named.
fn keep(mut policy: Policy, rules: &[Value]) -> Policy {
    if !rules.is_empty() {
        policy.retain(|it| rules.contains(&json!(&*it.id)));
    }
    policy
}

fn found(policy: Policy, trace: &Value) -> Result<Vec<Line>, String> {
    found_by(&Arc::new(policy), trace)
}

fn found_by(policy: &Arc<Policy>, trace: &Value) -> Result<Vec<Line>, String> {
    let engine = Engine::new(vec![Arc::clone(policy)], None);
    let mut found = Vec::new();
    let (source, limits) = (Source::new("trace.json"), Limits::default());
    let text = trace.to_string();
    let reader = named("messages");
    let readings = policy.reading.into();
    let problems = read(text.as_bytes(), reader, readings, &source, &limits, &mut |session| {
        for it in check(&engine, session.under(policy.reading)).findings {
            found.push((it.step_id.unwrap_or_default(), it.rule.to_string()));
        }
    });
    problems.first().map_or(Ok(found), |it| Err(it.to_string()))
}
