//! The shared cases of lineage's guard: what an agent is told step by step, and how it stands in
//! the end.

use std::borrow::Cow;
use std::fs;
use std::sync::Arc;

use lawbook_dialect::{Options, load};
use lawbook_engine::{Door, Engine, Judgement, Standing, State};
use lawbook_event::{
    Actor, Args, ArgsState, Call, Effect, Event, Ran, Severity, Start, Time, What,
};
use lawbook_rule::Profile;
use serde_json::{Value, json};

use super::corpus;
use crate::repo::Repo;
use crate::report::Report;

/// Runs every case that a guard without lineage's own log can carry.
pub fn compare(repo: &Repo, report: &mut Report) -> Result<(), String> {
    let path =
        corpus::place(repo).map(|it| it.with_file_name("conformance").join("lineage_cases.json"));
    let Some(text) = path.and_then(|it| fs::read_to_string(it).ok()) else {
        report.skip("the shared cases of lineage, which are not here");
        return Ok(());
    };
    let shared: Value = serde_json::from_str(&text).map_err(|e| e.to_string())?;
    let (mut right, mut skipped, mut wrong) = (0_u64, 0_u64, Vec::new());
    for case in shared["cases"].as_array().into_iter().flatten() {
        let steps: Vec<&Value> = case["steps"].as_array().into_iter().flatten().collect();
        if steps.iter().any(|it| it["op"] == "tamper") {
            skipped += 1;
            continue;
        }
        match differences(case, &steps) {
            told if told.is_empty() => right += 1,
            told => wrong.push(format!("{}: {}", case["id"], told.join("; "))),
        }
    }
    println!("{right} of {} guard cases hold as lineage says", right + wrong.len() as u64);
    println!("{skipped} cut or damage lineage's own log, which we do not write");
    report.count(right, wrong.len() as u64);
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}

fn differences(case: &Value, steps: &[&Value]) -> Vec<String> {
    let policy = case["policy"].to_string();
    let options = Options { profile: Some(Profile::Compatible), ..Options::default() };
    let options = Options { dialect: Some("lineage"), ..options };
    let loaded = load("policy", policy.as_bytes(), &options);
    let refused = |it: &&Value| it["op"] == "create" || it["expect"]["crash"] == true;
    if steps.iter().any(refused) {
        // What lineage refuses to create, or breaks off on, is no policy to us.
        return match loaded.policy {
            Some(_) => vec!["the policy is not refused".to_string()],
            None => Vec::new(),
        };
    }
    let Some(policy) = loaded.policy else {
        return loaded.problems.into_iter().map(|it| it.message).collect();
    };
    let engine = Engine::new(vec![Arc::new(policy)], None);
    let mut agent = Agent::new(&engine);
    agent.scar_limit = case["policy"]["scar_limit"].clone();
    let mut out = Vec::new();
    for (place, step) in steps.iter().enumerate() {
        let said = agent.step(step);
        let wanted = &step["expect"];
        if let Some(told) = differs(wanted, &said) {
            out.push(format!("step {place}: {told}"));
        }
    }
    out.extend(differs(&case["final"], &agent.standing()));
    out
}

/// What is expected and did not come, member by member.
fn differs(wanted: &Value, came: &Value) -> Option<String> {
    let ours = |it: &&String| !matches!(it.as_str(), "head_seq" | "status" | "opened");
    let told: Vec<String> = wanted
        .as_object()?
        .iter()
        .filter(|(key, _)| ours(key))
        .filter_map(|(key, wanted)| match wanted {
            Value::Object(_) => differs(wanted, &came[key]),
            _ if *wanted == came[key] => None,
            _ => Some(format!("{key} is {}, not {wanted}", came[key])),
        })
        .collect();
    (!told.is_empty()).then(|| told.join(", "))
}

struct Agent<'e> {
    engine: &'e Engine,
    state: State,
    steps: u32,
    place: u64,
    scar_limit: Value,
    scars: Vec<&'static str>,
}

impl<'e> Agent<'e> {
    fn new(engine: &'e Engine) -> Self {
        let state = State::new(engine, Door::Live);
        let scar_limit = Value::Null;
        let mut agent = Agent { engine, state, steps: 0, place: 0, scar_limit, scars: Vec::new() };
        agent.tell(None, What::Start(Start::default()));
        agent
    }

    fn tell(&mut self, at: Option<Time>, what: What<'_>) -> Judgement {
        let event = Event { at, place: self.place, message: self.place, what };
        self.place += 1;
        let judgement = self.engine.step(&mut self.state, &event);
        self.scars.extend(judgement.scar.as_ref().map(|it| it.severity.word()));
        judgement
    }

    fn step(&mut self, step: &Value) -> Value {
        let nanos = step["t_ms"].as_i64().unwrap_or_default() * 1_000_000;
        let at = Some(Time { nanos });
        let words = |key: &str| Cow::Owned(step[key].as_str().unwrap_or_default().to_string());
        let number =
            step["action_id"].as_str().and_then(|it| it.strip_prefix("act-")?.parse().ok());
        let named = number.unwrap_or(u32::MAX);
        let severity = |key: &str| step[key].as_str().and_then(Severity::of);
        let (id, what) = match step["op"].as_str().unwrap_or_default() {
            "request" => {
                self.steps += 1;
                (self.steps, What::Call(call(self.steps, step)))
            }
            "approve" => (named, What::Approval { step: named, by: words("approver") }),
            "reject" => {
                let (by, reason) = (words("approver"), words("reason"));
                let scar = severity("scar");
                (named, What::Rejection { step: named, by, reason, scar })
            }
            "outcome" => {
                let by = if step["role"] == "agent" { Actor::Agent } else { Actor::Operator };
                let effect = step["status"].as_str().and_then(Effect::of);
                let effect = effect.unwrap_or(Effect::Success);
                (named, What::Outcome { step: named, effect, by, detail: words("detail") })
            }
            "scar" => {
                let severity = severity("severity").unwrap_or(Severity::Fatal);
                let of = step.get("action_id").map(|_| named);
                (named, What::Scar { severity, reason: words("reason"), step: of })
            }
            "terminate" => (named, What::Terminate { reason: words("reason"), by: words("by") }),
            // Opening the door again is looking at the agent.
            _ => return self.standing(),
        };
        let decides =
            matches!(what, What::Call(_) | What::Approval { .. } | What::Rejection { .. });
        let judgement = self.tell(at, what);
        match judgement.misuse {
            Some(misuse) => json!({"error": misuse.code()}),
            None if decides => decision(id, &judgement, step, &self.state.standing(self.engine)),
            None => json!({"ok": true}),
        }
    }

    fn standing(&self) -> Value {
        let it = self.state.standing(self.engine);
        json!({
            "alive": it.alive, "termination_reason": it.reason, "budget": it.budget,
            "spent": it.spent, "remaining": it.remaining, "scar_score": it.scar_score,
            "scars": self.scars, "actions_allowed": it.allowed, "actions_denied": it.denied,
            "actions_pending": it.pending, "scar_limit": self.scar_limit,
        })
    }
}

fn call(number: u32, step: &Value) -> Call<'static> {
    Call {
        step: number,
        step_id: Cow::Owned(format!("act-{number}")),
        id: None,
        server: None,
        tool: Cow::Owned(step["tool"].as_str().unwrap_or_default().to_string()),
        args: Args { text: Cow::Owned(step["input"].to_string()), state: ArgsState::Whole },
        hindsight: None,
        ran: Ran::Yes,
        confirmed: false,
        cwd: None,
        cost: step["cost"].as_u64(),
    }
}

/// An answer as lineage gives it. The fields beside a code are those that its message states.
fn decision(id: u32, judgement: &Judgement, step: &Value, standing: &Standing) -> Value {
    let action_id = format!("act-{id}");
    let first = judgement.held.first().map(|it| &it.finding);
    match (judgement.verdict.word(), first) {
        ("allow", _) => {
            let charge = judgement.charge.as_ref();
            let (cost, remaining) = (charge.map(|it| it.cost), charge.map(|it| it.remaining));
            json!({"decision": "allowed", "action_id": action_id, "cost": cost,
                   "remaining": remaining})
        }
        ("ask", _) => json!({"decision": "pending_approval", "action_id": action_id}),
        (_, first) => {
            // Lineage's own fields stand in our message, so they are looked for there.
            let message = first.map(|it| it.message.as_str()).unwrap_or_default();
            let mut reason = json!({"code": first.map(|it| &*it.rule)});
            for (key, value) in step["expect"]["reason"].as_object().into_iter().flatten() {
                let text = value.as_str().map_or(value.to_string(), str::to_string);
                if key != "code" && message.contains(&text) {
                    reason[key] = value.clone();
                }
            }
            if standing.reason.as_deref() == Some(message) {
                reason["reason"] = json!(message);
            }
            json!({"decision": "denied", "action_id": action_id, "reason": reason})
        }
    }
}
