//! Random policies, agents, conversations, faults of the disk, crashes and openings, against what was
//! acknowledged.
//!
//! `AGENT_SEED=n` runs one seed alone, `AGENT_RUNS=n` more of them.
#![allow(
    clippy::disallowed_methods,
    reason = "seeds are chosen from outside, and a slow machine does fewer of them"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use lawbook_diag::Verdict::{self, Allow, Ask, Deny};
use lawbook_engine::Engine;
use lawbook_ledger::store::FileStore;
use lawbook_ledger::store::sim::{Faults, SimDisk};
use lawbook_session::{Agents, PolicyText, Request, Status};

use super::made::{ANY_NUMBER, Dice, Hands, OPTIONS, text, within};
use crate::agent::store::compile;

/// A request and what was told of it; nothing was told where the record failed.
struct Known {
    request: Request,
    told: Option<Told>,
    /// A person decided, and nobody was told whether that was recorded.
    doubt: bool,
}

#[derive(Clone, Debug, PartialEq)]
struct Told {
    action: String,
    verdict: Verdict,
    status: Status,
    cost: u64,
    marks: bool,
}

#[derive(Default)]
struct Figures {
    openings: u64,
    failed_openings: u64,
    acknowledged: u64,
    doubtful: u64,
    found: u64,
    compared: u64,
    faults: BTreeMap<&'static str, u64>,
}

struct Run {
    dice: Dice,
    disk: SimDisk,
    hands: Arc<Hands>,
    policy: PolicyText,
    engine: Arc<Engine>,
    budget: u64,
    mails: u64,
    known: BTreeMap<&'static str, Vec<Known>>,
    begun: BTreeSet<&'static str>,
    marks: u64,
    figures: Figures,
}

const NAMES: [&str; 3] = ["a", "b", "c"];

impl Run {
    fn new(seed: u64) -> Self {
        let mut dice = Dice::new(seed + 1);
        let (budget, mails) = (dice.below(60) + 1, dice.below(6) + 1);
        let limit = [4, 12, 1_000][dice.below(3) as usize];
        let people = dice.below(2) + 1;
        let policy = format!(
            "
lawbook: 1
default: allow
tools: {{pay: {{cost: {{arg: amount}}}}, wire: {{cost: 2}}}}
budget: {{credits: {budget}}}
scars: {{limit: {limit}}}
rules:
  - {{id: mails, at_most: {{tools: [mail], max: {mails}, per: agent}}}}
  - {{id: session-mails, at_most: {{tools: [mail], max: 2}}}}
  - {{id: no-shell, scar: minor, never: {{tools: [shell]}}}}
  - {{id: people, approval: {{tools: [wire], people: {people}}}}}
"
        );
        let policy = text(&policy);
        let engine = compile()(&policy).unwrap();
        let disk = SimDisk::new(seed);
        drop(FileStore::create_on(Arc::new(disk.clone()), &OPTIONS).unwrap());
        let hands = Arc::new(Hands::new());
        let known = NAMES.iter().map(|it| (*it, Vec::new())).collect();
        Run {
            begun: BTreeSet::new(),
            dice,
            disk,
            hands,
            policy,
            engine,
            budget,
            mails,
            known,
            marks: 0,
            figures: Figures::default(),
        }
    }

    fn run(mut self) -> Figures {
        for _ in 0..5 {
            let most = [0, 20, 80, 300][self.dice.below(4) as usize];
            let mut rate = || self.dice.below(most + 1) as u32;
            let faults = Faults {
                write: rate(),
                short: rate(),
                sync: rate(),
                name: rate(),
                full: rate(),
                crash: rate() / 4,
            };
            self.disk.faults(faults);
            if let Some(agents) = self.open()
                && self.check(&agents)
            {
                self.live(&agents);
            }
            if self.dice.below(2) == 0 {
                self.disk.crash();
            }
        }
        self.disk.faults(Faults::default());
        self.disk.crash();
        let agents = self.open().expect("a disk without faults opens");
        assert!(self.check(&agents), "a disk without faults is read to its end");
        self.live(&agents);
        self.figures.faults = self.disk.happened();
        self.figures
    }

    fn open(&mut self) -> Option<Agents> {
        for _ in 0..4 {
            self.disk.restart();
            self.figures.openings += 1;
            let store = FileStore::open_on(Arc::new(self.disk.clone()), &OPTIONS);
            let engine = self.engine.clone();
            // Reading the policy anew would take most of the time.
            let compile = Box::new(move |_: &PolicyText| Ok(engine.clone()));
            let clock = self.hands.clone();
            let agents =
                store.ok().and_then(|it| Agents::open_at(Arc::new(it), compile, clock).ok());
            match agents {
                Some(agents) => return Some(agents.quota(ANY_NUMBER)),
                None => self.figures.failed_openings += 1,
            }
        }
        None
    }

    /// Compares all agents with what was told; whether the disk let all of it be looked at.
    fn check(&mut self, agents: &Agents) -> bool {
        NAMES.iter().all(|name| self.check_one(agents, name).is_some())
    }

    fn check_one(&mut self, agents: &Agents, name: &'static str) -> Option<()> {
        match agents.create(name, &self.policy) {
            Ok(_) => assert!(self.begun.insert(name), "{name} is lost"),
            Err(error) if error.code() == "agent_exists" => drop(self.begun.insert(name)),
            Err(error) => return failed(&error),
        }
        // Whoever was told nothing asks again under the same id.
        for place in 0..self.known[name].len() {
            let known = &self.known[name][place];
            match &known.told {
                Some(told) => {
                    let action = match agents.action(name, &told.action) {
                        Ok(action) => action,
                        Err(error) => return failed(&error),
                    };
                    assert_eq!((action.verdict, &action.tool), (told.verdict, &known.request.tool));
                    assert_eq!(
                        action.args.as_ref(),
                        Some(&known.request.args),
                        "its text is there"
                    );
                    let settled = matches!(action.status, Status::Allowed | Status::Denied);
                    assert!(
                        action.status == told.status || known.doubt && settled,
                        "{action:?} {told:?}"
                    );
                    let status = action.status;
                    let known = &mut self.known.get_mut(name).unwrap()[place];
                    known.doubt = false;
                    if let Some(told) = &mut known.told
                        && told.status != status
                    {
                        told.status = status;
                        told.cost = if status == Status::Allowed { 2 } else { 0 };
                    }
                }
                None => {
                    let request = known.request.clone();
                    let told = self.asked(agents, name, &request)?;
                    self.figures.found += 1;
                    self.known.get_mut(name).unwrap()[place].told = Some(told);
                }
            }
        }
        let most = self.known[name].len() + 1;
        match agents.action(name, &format!("act-{most}")) {
            Err(error) if error.code() == "not_found" => {}
            Err(error) => return failed(&error),
            Ok(action) => panic!("{name} has an action that nobody asked for: {action:?}"),
        }
        self.compare(agents, name);
        Some(())
    }

    /// How an agent stands, counted again from what was told.
    fn compare(&mut self, agents: &Agents, name: &'static str) {
        let standing = agents.status(name).unwrap();
        let told: Vec<&Told> = self.known[name].iter().filter_map(|it| it.told.as_ref()).collect();
        let count = |status| told.iter().filter(|it| it.status == status).count() as u64;
        assert_eq!(standing.allowed, count(Status::Allowed), "{name} {standing:?}");
        assert_eq!(standing.denied, count(Status::Denied), "{name} {standing:?}");
        assert_eq!(standing.pending, count(Status::Pending), "{name} {standing:?}");
        let spent: u64 =
            told.iter().filter(|it| it.status == Status::Allowed).map(|it| it.cost).sum();
        assert_eq!(
            (standing.spent, standing.remaining),
            (spent, Some(self.budget - spent)),
            "{name}"
        );
        assert_eq!(standing.scars, told.iter().filter(|it| it.marks).count() as u64, "{name}");
        let mails = self.known[name].iter().filter(|it| it.request.tool == "mail");
        let mails =
            mails.filter_map(|it| it.told.as_ref()).filter(|it| it.status == Status::Allowed);
        assert!(mails.count() as u64 <= self.mails, "{name} sent more than its cap");
        self.figures.compared += 1;
    }

    fn asked(&mut self, agents: &Agents, name: &str, request: &Request) -> Option<Told> {
        match agents.request(name, request) {
            Ok(reply) => {
                self.figures.acknowledged += 1;
                Some(Told {
                    action: reply.action,
                    verdict: reply.verdict,
                    status: reply.status,
                    cost: if reply.verdict == Allow { reply.cost } else { 0 },
                    marks: reply.rules.iter().any(|it| it == "no-shell"),
                })
            }
            Err(error) => {
                self.figures.doubtful += 1;
                failed(&error)
            }
        }
    }

    /// Agents work until the record fails.
    fn live(&mut self, agents: &Agents) {
        for _ in 0..self.dice.below(60) {
            let name = NAMES[self.dice.below(3) as usize];
            let went = if self.dice.below(5) == 0 {
                self.person(agents, name)
            } else {
                self.call(agents, name)
            };
            if went.is_none() {
                return;
            }
            self.hands.pass(self.dice.below(3) as u32);
        }
        for name in NAMES {
            self.compare(agents, name);
        }
    }

    fn call(&mut self, agents: &Agents, name: &'static str) -> Option<()> {
        self.marks += 1;
        let tool = self.dice.of(&["pay", "pay", "wire", "mail", "look", "shell"]);
        let args = format!(r#"{{"amount": {}, "mark": {}}}"#, self.dice.below(9), self.marks);
        let id = Some(format!("k{}", self.marks));
        let session = self.dice.of(&["s1", "s2"]);
        let request = Request { id, ..within(session, tool, &args) };
        let told = self.asked(agents, name, &request);
        let went = told.is_some().then_some(());
        self.known.get_mut(name).unwrap().push(Known { request, told, doubt: false });
        went
    }

    /// A person decides on what waits longest.
    fn person(&mut self, agents: &Agents, name: &'static str) -> Option<()> {
        let Some(waits) = agents.waiting(Some(name)).unwrap().into_iter().next() else {
            return Some(());
        };
        let by = self.dice.of(&["treasurer", "support lead"]);
        let reply = match self.dice.below(4) {
            0 => agents.reject(name, &waits.action, by, "no", None),
            _ => agents.approve(name, &waits.action, by, waits.binding.as_deref(), ""),
        };
        let all = self.known.get_mut(name).unwrap();
        let known =
            all.iter_mut().find(|it| it.told.as_ref().is_some_and(|it| it.action == waits.action));
        let known = known.expect("nothing waits that nobody asked for");
        let told = known.told.as_mut().unwrap();
        match reply {
            Ok(reply) => {
                assert!(reply.verdict != Ask || reply.status == Status::Pending);
                assert!(reply.verdict != Deny || reply.status == Status::Denied);
                told.status = reply.status;
                told.cost = if reply.verdict == Allow { reply.cost } else { 0 };
                self.figures.acknowledged += 1;
                Some(())
            }
            // One person's yes counts once.
            Err(error)
                if error.code() == "invalid_state"
                    && waits.approved_by.iter().any(|it| it == by) =>
            {
                Some(())
            }
            Err(error) => {
                known.doubt = true;
                self.figures.doubtful += 1;
                failed(&error)
            }
        }
    }
}

/// A disk that fails is the only thing that may go wrong.
fn failed<T>(error: &lawbook_session::Error) -> Option<T> {
    assert!(matches!(error.code(), "not_durable" | "not_readable"), "{error:?}");
    None
}

#[test]
fn nothing_that_was_told_is_lost_and_nothing_is_invented() {
    let number = |name: &str| std::env::var(name).ok().and_then(|it| it.parse::<u64>().ok());
    let seeds = match number("AGENT_SEED") {
        Some(seed) => seed..seed + 1,
        None => 0..number("AGENT_RUNS").unwrap_or(300),
    };
    let (start, mut runs, mut all) = (Instant::now(), 0, Figures::default());
    for seed in seeds {
        // A slow machine does fewer of them; those that it does are the same.
        if runs >= 50 && start.elapsed() > Duration::from_secs(12) {
            break;
        }
        let running = Mutex::new(Run::new(seed));
        let ran = std::panic::catch_unwind(|| running.into_inner().unwrap().run());
        let it = ran.unwrap_or_else(|_| panic!("AGENT_SEED={seed} failed"));
        runs += 1;
        all.openings += it.openings;
        all.failed_openings += it.failed_openings;
        all.acknowledged += it.acknowledged;
        all.doubtful += it.doubtful;
        all.found += it.found;
        all.compared += it.compared;
        for (fault, count) in it.faults {
            *all.faults.entry(fault).or_default() += count;
        }
    }
    println!(
        "{runs} runs (seeds from 0), {} openings ({} failed), {} acknowledged, {} in doubt, {} asked again, \
         {} standings counted again, faults {:?}, {:.1} s",
        all.openings,
        all.failed_openings,
        all.acknowledged,
        all.doubtful,
        all.found,
        all.compared,
        all.faults,
        start.elapsed().as_secs_f64()
    );
    assert!(all.acknowledged > runs * 20 && all.doubtful > 0 || runs == 1);
}
