//! A policy that forbids what a session does: its tools, its values, its order, in the very session.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use lawbook_dialect::{Options, load};
use lawbook_engine::Engine;
use lawbook_event::{Event, What};
use serde_json::{Map, Value, json};

/// How many rules of each sort are made.
const EACH_MAX: usize = 6;

/// The engine of such a policy.
pub fn engine(events: &[Event<'_>]) -> Result<Engine, String> {
    let text = policy(events).to_string();
    let options = Options { dialect: Some("lawbook"), ..Options::default() };
    let loaded = load("truncation", text.as_bytes(), &options);
    let problem = loaded.problems.first().map(ToString::to_string);
    let policy = loaded.policy.ok_or_else(|| problem.unwrap_or_default())?;
    Ok(Engine::new(vec![Arc::new(policy)], None))
}

fn policy(events: &[Event<'_>]) -> Value {
    let seen = Seen::of(events);
    let sorts = [seen.tools(), seen.values(), seen.order(), seen.session()];
    let rules: Vec<Value> = sorts
        .into_iter()
        .flat_map(|it| it.into_iter().take(2 * EACH_MAX))
        .enumerate()
        .map(|(place, mut rule)| {
            rule["id"] = json!(format!("s{place}"));
            rule
        })
        .collect();
    json!({"lawbook": 1, "default": "allow", "rules": rules})
}

#[derive(Default)]
struct Seen {
    tools: Vec<String>,
    /// Tool, argument and value, each once.
    values: Vec<(String, String, Value)>,
    /// Places of the session as conditions write them, and the texts that stand there.
    facts: BTreeMap<String, String>,
}

impl Seen {
    fn of(events: &[Event<'_>]) -> Self {
        let mut seen = Seen::default();
        let mut known = BTreeSet::new();
        for event in events {
            match &event.what {
                What::Start(start) => {
                    for (key, value) in object(&start.attributes) {
                        seen.fact(format!("session.attributes[\"{key}\"]"), &key, &value);
                    }
                    for (key, value) in object(&start.metadata) {
                        seen.fact(format!("session.metadata.{key}"), &key, &value);
                    }
                }
                What::Call(call) if is_name(&call.tool) => {
                    seen.tools.push(call.tool.to_string());
                    for (key, value) in object(&call.args.text) {
                        let fresh = known.insert((call.tool.to_string(), key.clone()));
                        if fresh && is_name(&key) && (value.is_string() || value.is_number()) {
                            seen.values.push((call.tool.to_string(), key, value));
                        }
                    }
                }
                _ => {}
            }
        }
        seen
    }

    fn fact(&mut self, place: String, key: &str, value: &Value) {
        let plain = |it: &str| it.chars().all(|it| !it.is_control() && !matches!(it, '"' | '\\'));
        let named = key.chars().all(|it| it.is_ascii_alphanumeric() || matches!(it, '_' | '.'));
        let dotted = place.starts_with("session.metadata") && key.contains('.');
        if let Some(text) = value.as_str().filter(|it| named && !dotted && plain(it)) {
            self.facts.insert(place, text.to_string());
        }
    }

    fn each_tool(&self) -> impl Iterator<Item = &String> {
        self.tools.iter().collect::<BTreeSet<_>>().into_iter().take(EACH_MAX)
    }

    fn tools(&self) -> Vec<Value> {
        let never = self.each_tool().map(|it| json!({"never": {"tools": [it]}}));
        let words = self.each_tool().map(|it| json!({"confirm": {"tools": [it]}}));
        never.chain(words).collect()
    }

    fn values(&self) -> Vec<Value> {
        let each = self.values.iter().take(EACH_MAX);
        let rules = each.flat_map(|(tool, key, value)| {
            let once = json!({"at_most": {"tools": [tool], "max": 0, "per": format!("args.{key}")}});
            let denied = match (value.as_str(), value.as_f64()) {
                (None, Some(number)) => {
                    json!({"arg_range": {"tools": [tool], "arg": key, "max": number - 1.0}})
                }
                _ => json!({"arg_never_matches": {"tools": [tool], "arg": key, "pattern": "[a-z0-9]"}}),
            };
            [once, denied]
        });
        rules.collect()
    }

    /// What is called later is asked for before what is called earlier.
    fn order(&self) -> Vec<Value> {
        let pairs = self.tools.iter().zip(self.tools.iter().skip(1)).filter(|it| it.0 != it.1);
        let pairs: BTreeSet<_> = pairs.collect();
        let rules = pairs.into_iter().flat_map(|(earlier, later)| {
            let before = json!({"tools": [earlier], "first": [later], "success": true});
            let voided = json!({"tools": [later], "first": [earlier], "voided_by": [later]});
            [json!({"require_before": before}), json!({"require_before": voided})]
        });
        rules.collect()
    }

    /// What is forbidden in sessions that say of themselves what this one says.
    fn session(&self) -> Vec<Value> {
        let Some(tool) = self.tools.first() else { return Vec::new() };
        let rules = self.facts.iter().take(2 * EACH_MAX).map(|(place, text)| {
            json!({"never": {"tools": [tool]}, "when": format!("{place} == \"{text}\"")})
        });
        rules.collect()
    }
}

fn object(text: &str) -> Map<String, Value> {
    serde_json::from_str(text).unwrap_or_default()
}

/// Whether a name means itself in a policy.
fn is_name(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|it| it.is_ascii_alphanumeric() || it == '_' || it == '-')
}
