//! From traces to what they show.
//!
//! What rules can find already, such as card numbers and a missing yes, is found by rules: the
//! sessions are judged by a policy that is made for it and shown to nobody.

use std::collections::{BTreeMap, BTreeSet};

use lawbook_diag::Problem;
use lawbook_dialect::{Draft, DraftRule, load};
use lawbook_engine::{Engine, check};
use lawbook_event::json::{Document, Grammar, Kind, Limits, Value};
use lawbook_event::{
    Answer, ArgsState, Call, EXACT, Event, Hindsight, Start, State, SuccessReading, What,
};
use lawbook_rule::params::Node;
use std::sync::Arc;

use super::requirements::{ADDRESS, CARD};
use super::seen::{ARGS_SEEN_MAX, Arg, Origin, Seen, TOOLS_SEEN_MAX, Tool, names_someone};

/// Levels of objects inside arguments that are looked at.
const DEPTH_MAX: usize = 3;

/// Takes in sessions.
pub struct Observer {
    seen: Seen,
    probe: Engine,
}

/// What is known while a session is walked through.
#[derive(Default)]
struct Walk {
    /// Values of the session, by the names of their places.
    session: BTreeMap<String, String>,
    /// The newest values in results, by tool and key.
    results: BTreeMap<(String, String), String>,
    /// Calls of each tool.
    calls: BTreeMap<String, u64>,
}

impl Observer {
    /// An observer that has seen nothing.
    ///
    /// # Errors
    /// When its own policy does not load, which is a fault of the program.
    pub fn new() -> Result<Self, Vec<Problem>> {
        let loaded = load("probe", probe().as_bytes(), &lawbook_dialect::Options::default());
        let policy = loaded.policy.ok_or(loaded.problems)?;
        Ok(Observer { seen: Seen::default(), probe: Engine::new(vec![Arc::new(policy)], None) })
    }

    /// What was seen.
    pub fn seen(self) -> Seen {
        self.seen
    }

    /// Takes in the events of a session.
    pub fn session(&mut self, events: &[Event<'_>]) {
        self.seen.sessions = self.seen.sessions.saturating_add(1);
        let mut walk = Walk::default();
        for event in events {
            match &event.what {
                What::Start(start) => self.start(start, &mut walk),
                What::Call(call) => self.call(call, &mut walk),
                _ => {}
            }
        }
        for (tool, calls) in walk.calls {
            if let Some(seen) = self.seen.tools.get_mut(&tool) {
                seen.sessions = seen.sessions.saturating_add(1);
                seen.most = seen.most.max(calls);
            }
        }
        self.findings(events);
    }

    fn start(&mut self, start: &Start<'_>, walk: &mut Walk) {
        let number = self.seen.sessions;
        for (text, prefix) in [(&start.attributes, ""), (&start.metadata, "session.metadata.")] {
            let Ok(document) = Document::parse(text, Grammar::Python, &Limits::DEFAULT) else {
                continue;
            };
            for (key, value) in document.root().entries() {
                let Some(text) = EXACT.key(value).filter(|_| is_plain(value)) else { continue };
                if !prefix.is_empty() {
                    self.seen.metadata.entry(key.to_owned()).or_default().add(&text, number);
                }
                walk.session.insert(format!("{prefix}{key}"), text.into_owned());
            }
        }
    }

    fn call(&mut self, call: &Call<'_>, walk: &mut Walk) {
        let seen = &mut self.seen;
        seen.calls = seen.calls.saturating_add(1);
        let name = call.tool.to_string();
        if seen.tools.len() >= TOOLS_SEEN_MAX && !seen.tools.contains_key(&name) {
            return;
        }
        let tool = seen.tools.entry(name.clone()).or_default();
        tool.calls = tool.calls.saturating_add(1);
        let calls = walk.calls.entry(name.clone()).or_default();
        *calls = calls.saturating_add(1);
        if call.args.state == ArgsState::Whole {
            seen.with_args = seen.with_args.saturating_add(1);
        }
        let text = &*call.args.text;
        if let Ok(document) = Document::parse(text, Grammar::Python, &Limits::DEFAULT) {
            for (path, value) in leaves(document.root()) {
                compare(seen, &path, value, walk);
                let number = seen.sessions;
                if let Some(arg) = seen.tools.get_mut(&name).and_then(|it| arg(it, &path)) {
                    take(arg, value, number);
                }
            }
        }
        if let Some(Hindsight::Answered(answer)) = &call.hindsight {
            seen.answered = seen.answered.saturating_add(u64::from(answer.recorded));
            remember(walk, &name, answer);
        }
    }

    /// Counts what the probe finds.
    fn findings(&mut self, events: &[Event<'_>]) {
        // A rule may object to one call several times, once for each of its arguments.
        let mut told = BTreeSet::new();
        for finding in check(&self.probe, events).findings {
            let tool = finding.tool.as_deref().and_then(|it| self.seen.tools.get_mut(it));
            let Some(tool) = tool else { continue };
            if !told.insert((finding.rule.to_string(), finding.step)) {
                continue;
            }
            let count = match &*finding.rule {
                "yes" => &mut tool.without_yes,
                "cards" => &mut tool.cards,
                _ => &mut tool.addresses,
            };
            *count = count.saturating_add(1);
        }
    }
}

/// The policy whose findings are counted.
fn probe() -> String {
    let pattern = |it: &str| ("pattern", Node::texts([it]));
    let rules = vec![
        DraftRule::new("yes", "confirm", []),
        DraftRule::new("cards", "arg_never_matches", [pattern(CARD), ("luhn", Node::bare("true"))]),
        DraftRule::new("addresses", "arg_never_matches", [pattern(ADDRESS)]),
    ];
    let denied_patterns = Some(Vec::new());
    Draft { rules, denied_patterns, ..Draft::default() }.text()
}

/// Whether a value is one text, number or truth value.
fn is_plain(value: Value<'_>) -> bool {
    matches!(value.kind(), Kind::String | Kind::Number | Kind::Bool)
}

/// The plain values in arguments with their paths, lists left out.
fn leaves(root: Value<'_>) -> Vec<(String, Value<'_>)> {
    let mut out = Vec::new();
    let mut left: Vec<(String, Value<'_>, usize)> = vec![(String::new(), root, 0)];
    while let Some((path, value, depth)) = left.pop() {
        if is_plain(value) {
            out.push((path, value));
        } else if value.is_object() && depth < DEPTH_MAX {
            for (key, inner) in value.entries().take(ARGS_SEEN_MAX) {
                // A key with a dot of its own has no path.
                if !key.contains(['.', '[']) && !key.is_empty() {
                    let path =
                        if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") };
                    left.push((path, inner, depth.saturating_add(1)));
                }
            }
        }
    }
    out.retain(|it| !it.0.is_empty());
    out
}

fn arg<'t>(tool: &'t mut Tool, path: &str) -> Option<&'t mut Arg> {
    let is_new = !tool.args.contains_key(path);
    if is_new && tool.args.len() >= ARGS_SEEN_MAX {
        return None;
    }
    Some(tool.args.entry(path.to_owned()).or_default())
}

fn take(arg: &mut Arg, value: Value<'_>, session: u64) {
    if EXACT.is_empty(value) {
        return;
    }
    arg.carried = arg.carried.saturating_add(1);
    if value.kind() == Kind::Number {
        if let Some(number) = EXACT.number(value) {
            arg.number(&number);
        }
    } else if let Some(text) = value.as_str() {
        arg.texts.add(text, session);
    }
}

/// Compares an argument that names somebody with every place that may have named them before.
fn compare(seen: &mut Seen, path: &str, value: Value<'_>, walk: &Walk) {
    let Some(text) = EXACT.key(value).filter(|_| names_someone(path)) else { return };
    let session = walk.session.iter().map(|it| (Origin::Session(it.0.clone()), it.1));
    // A result names the same thing under the same key.
    let results = walk.results.iter().filter(|it| it.0.1 == path);
    let results =
        results.map(|((tool, key), value)| (Origin::Result(tool.clone(), key.clone()), value));
    for (origin, there) in session.chain(results) {
        let tally = seen.equal.entry((path.to_owned(), origin)).or_default();
        tally.told = tally.told.saturating_add(1);
        tally.held = tally.held.saturating_add(u64::from(*there == *text));
    }
}

/// Keeps what a successful result names at its top.
fn remember(walk: &mut Walk, tool: &str, answer: &Answer<'_>) {
    if answer.state(SuccessReading::Declared) != State::Ok {
        return;
    }
    let Ok(document) = Document::parse(&answer.text, Grammar::Python, &Limits::DEFAULT) else {
        return;
    };
    for (key, value) in document.root().entries().take(ARGS_SEEN_MAX) {
        if let Some(text) = EXACT.key(value).filter(|_| is_plain(value) && names_someone(key)) {
            walk.results.insert((tool.to_owned(), key.to_owned()), text.into_owned());
        }
    }
}

#[cfg(test)]
mod tests {
    use lawbook_event::{Args, ArgsState, Call, Event, Ran, What};

    use super::super::seen::{ARGS_SEEN_MAX, TOOLS_SEEN_MAX};
    use super::Observer;

    fn call(step: u32, tool: String, args: String) -> Event<'static> {
        let call = Call {
            step,
            step_id: format!("s{step}").into(),
            id: None,
            server: None,
            tool: tool.into(),
            args: Args { text: args.into(), state: ArgsState::Whole },
            hindsight: None,
            ran: Ran::Yes,
            confirmed: false,
            cwd: None,
            cost: None,
        };
        let place = u64::from(step);
        Event { at: None, place, message: place, what: What::Call(call) }
    }

    #[test]
    fn past_its_bounds_it_looks_at_no_more() {
        let tools = u32::try_from(TOOLS_SEEN_MAX).unwrap();
        let mut events: Vec<_> =
            (0..tools + 5).map(|it| call(it + 1, format!("tool_{it}"), "{}".to_owned())).collect();
        for it in 0..ARGS_SEEN_MAX + 5 {
            let step = u32::try_from(events.len()).unwrap() + 1;
            events.push(call(step, "tool_0".to_owned(), format!("{{\"a{it}\": 1}}")));
        }
        let mut observer = Observer::new().unwrap();
        observer.session(&events);
        let seen = observer.seen();
        assert_eq!(seen.tools.len(), TOOLS_SEEN_MAX);
        assert_eq!(seen.tools["tool_0"].args.len(), ARGS_SEEN_MAX);
        assert_eq!(seen.calls, u64::try_from(events.len()).unwrap());
    }
}
