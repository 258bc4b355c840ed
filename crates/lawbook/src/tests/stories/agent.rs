//! A live agent over a ledger as a door for stories: once as it is, and once begun again before
//! every event.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use lawbook_cases::{Asking, Happening, Heard, Mode, OfAgents, Run, Step, Subject};
use lawbook_diag::{Finding, Mode as Enforced, Unknown, Verdict};
use lawbook_engine::{Engine, Standing};
use lawbook_event::{ArgsState, Call, Event, Start, Time, What};
use lawbook_ledger::store::sim::SimDisk;
use lawbook_ledger::store::{FileStore, Options};
use lawbook_rule::Charge;
use lawbook_session::{Agents, Clock, Error, PolicyText, Quota, Reply, Request};

use super::START;

/// The subject.
pub struct Living {
    /// Whether everything is forgotten and folded again before every event.
    pub restarts: bool,
}

const NAME: &str = "a";
const SESSION: &str = "s";

/// Stories are short, and a disk in memory has its files whole.
const OPTIONS: Options = Options { segment_bytes: 1 << 18, at: 0 };

impl Subject for Living {
    fn name(&self) -> &'static str {
        if self.restarts { "agent, restarted before every event" } else { "agent" }
    }

    fn cannot(&self, step: &Step) -> Option<&'static str> {
        match step {
            Step::Call(Asking { ran: false, .. }) => Some("an agent is asked before calls run"),
            Step::Call(Asking { args_state: Some(_), .. }) => Some("a request has its arguments"),
            Step::Call(Asking { repeat: 2_000.., .. }) => Some("so many entries take too long"),
            Step::Call(Asking { tool, .. }) if tool.is_empty() => Some("a request names a tool"),
            Step::OfAgents(OfAgents::Fact) => Some("facts need a rule that reads them"),
            _ => None,
        }
    }

    fn cannot_carry(
        &self,
        engine: &Engine,
        mode: Mode,
        story: &[Happening],
    ) -> Option<&'static str> {
        if mode == Mode::Observe {
            return Some("at a live door the verdict decides what happens");
        }
        let calls = |it: &Happening| matches!(it.step, Step::Call(_));
        let timed = engine.layers().iter().flat_map(|it| &it.rules).any(|it| it.body.past().times);
        let timeless = story.iter().any(|it| calls(it) && it.at.is_none());
        let yes = |it: &Happening| matches!(it.step, Step::Approve { .. }) && it.at.is_none();
        let some_timed = story.iter().any(|it| it.at.is_some());
        let lacks = timed && timeless || some_timed && story.iter().any(yes);
        lacks.then_some("a door has a clock, so it lacks no time")
    }

    fn begin<'e>(&self, engine: &'e Engine, _mode: Mode) -> Box<dyn Run + 'e> {
        let disk = Arc::new(SimDisk::new(1));
        FileStore::create_on(disk.clone(), &OPTIONS).unwrap();
        let hand = Arc::new(Hand(Mutex::new(START)));
        let engine = Arc::new(engine.clone());
        let agents = Some(open(&disk, &hand, &engine));
        let living = Box::new(Alive {
            disk,
            hand,
            engine,
            agents,
            restarts: self.restarts,
            session: SESSION.into(),
        });
        let policy = PolicyText {
            name: "story".into(),
            dialect: "story".into(),
            profile: "story".into(),
            text: String::new(),
        };
        living.agents().create(NAME, &policy).unwrap();
        living
    }
}

/// A clock that says what the story says.
struct Hand(Mutex<Time>);

impl Clock for Hand {
    fn wall(&self) -> Time {
        *self.0.lock().unwrap()
    }

    fn running(&self) -> Duration {
        Duration::ZERO
    }
}

struct Alive {
    disk: Arc<SimDisk>,
    hand: Arc<Hand>,
    engine: Arc<Engine>,
    agents: Option<Agents>,
    restarts: bool,
    session: String,
}

fn open(disk: &Arc<SimDisk>, hand: &Arc<Hand>, engine: &Arc<Engine>) -> Agents {
    let store = FileStore::open_on(disk.clone(), &OPTIONS).unwrap();
    let engine = engine.clone();
    let compile = Box::new(move |_: &PolicyText| Ok(engine.clone()));
    let quota = Quota { attempts_per_sec: 1_000_000, bytes_per_min: u32::MAX };
    let agents = Agents::open_at(Arc::new(store), compile, hand.clone()).unwrap();
    agents.quota(quota).at_its_word().each_request_alone()
}

impl Run for Alive {
    fn tell(&mut self, event: &Event<'_>) -> Heard {
        if self.restarts {
            self.restart();
        }
        *self.hand.0.lock().unwrap() = event.at.unwrap_or(START);
        let said = self.say(event);
        said.unwrap_or_else(|it| Heard { misuse: Some(it.code()), ..Heard::default() })
    }

    fn pending(&self) -> usize {
        self.agents().waiting(None).unwrap().len()
    }

    fn restart(&mut self) {
        // The lock of a ledger is let go before it is opened again.
        self.agents = None;
        self.agents = Some(open(&self.disk, &self.hand, &self.engine));
    }

    fn standing(&self) -> Option<Standing> {
        self.agents().status(NAME).ok()
    }
}

impl Alive {
    fn agents(&self) -> &Agents {
        self.agents.as_ref().unwrap()
    }

    fn say(&mut self, event: &Event<'_>) -> Result<Heard, Error> {
        if let What::Start(start) = &event.what
            && !start.id.is_empty()
        {
            self.session = start.id.to_string();
        }
        let (agents, session) = (self.agents(), Some(&*self.session));
        Ok(match &event.what {
            What::Start(start) => {
                let id = std::borrow::Cow::Borrowed(&*self.session);
                agents.begin_session(NAME, &Start { id, ..start.clone() })?;
                Heard::default()
            }
            What::User(text) => heeded(agents.user_said(NAME, session, &text.text)?),
            What::Agent(text) => heeded(agents.agent_said(NAME, session, &text.text)?),
            What::Call(call) => self.call(event, call)?,
            What::Answer { step, answer } => heeded(agents.result(NAME, &action(*step), answer)?),
            What::Approval { step, by } => {
                heard(agents.approve(NAME, &action(*step), by, None, "")?)
            }
            What::Rejection { step, by, reason, scar } => {
                heard(agents.reject(NAME, &action(*step), by, reason, *scar)?)
            }
            What::Outcome { step, effect, by, detail } => {
                agents.outcome(NAME, &action(*step), *effect, *by, detail)?;
                Heard::default()
            }
            What::Scar { severity, reason, step } => {
                let about = step.map(action);
                agents.scar(NAME, *severity, reason, about.as_deref())?;
                Heard::default()
            }
            What::Terminate { reason, by } => {
                agents.terminate(NAME, reason, by)?;
                Heard::default()
            }
            What::End(end) => heeded(agents.end_session(NAME, session, end)?),
            What::Unheard { .. } | What::Other => Heard::default(),
        })
    }

    fn call(&self, event: &Event<'_>, call: &Call<'_>) -> Result<Heard, Error> {
        assert_eq!(call.args.state, ArgsState::Whole);
        let request = Request {
            id: None,
            session: Some(self.session.clone()),
            batch: Some(format!("m{}", event.message)),
            server: call.server.as_deref().map(str::to_owned),
            tool: call.tool.to_string(),
            args: call.args.text.to_string(),
            cost: call.cost,
        };
        let reply = self.agents().request(NAME, &request)?;
        Ok(heard(reply))
    }
}

fn action(step: u32) -> String {
    format!("act-{step}")
}

fn heard(reply: Reply) -> Heard {
    let remaining = reply.standing.remaining.unwrap_or_default();
    let charge = Charge { cost: reply.cost, remaining, of_agent: true, ends: None };
    Heard {
        verdict: reply.verdict,
        findings: found(&reply.findings),
        unknowns: reply.unknown.iter().map(|it| unknown(it)).collect(),
        misuse: None,
        charge: (reply.verdict == Verdict::Allow).then_some(charge),
    }
}

fn heeded(said: lawbook_session::Heeded) -> Heard {
    Heard {
        verdict: said.verdict,
        findings: found(&said.findings),
        unknowns: said.unknown.iter().map(|it| unknown(it)).collect(),
        ..Heard::default()
    }
}

fn found(findings: &[lawbook_session::Finding]) -> Vec<Finding> {
    let verdict = |word: &str| match word {
        "allow" => Verdict::Allow,
        "ask" => Verdict::Ask,
        _ => Verdict::Deny,
    };
    let findings = findings.iter().filter(|it| it.counts).map(|it| Finding {
        rule: it.rule.as_str().into(),
        kind: "told",
        verdict: verdict(&it.verdict),
        step: None,
        step_id: None,
        call_id: None,
        tool: None,
        path: it.path.clone(),
        message: it.message.clone(),
        why: None,
        ran: false,
        layer: 0,
        mode: Enforced::Enforce,
        waived: None,
        evidence: Vec::new(),
        evidence_total: 0,
    });
    findings.collect()
}

fn unknown(rule: &str) -> Unknown {
    Unknown {
        rule: rule.into(),
        kind: "told",
        step: None,
        step_id: None,
        missing: String::new(),
        message: String::new(),
        layer: 0,
        counts: true,
        verdict: Verdict::Deny,
    }
}
