//! A real process whose agents are asked by several threads and that is killed, again and again: no
//! decision that it told is lost, none is there that nobody asked for, and no budget is overspent.
//!
//! `AGENT_KILLS=n` kills another number of times than 200.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::panic,
    clippy::string_slice,
    clippy::disallowed_methods
)]

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use lawbook::Policy;
use lawbook::agent::session::Request;
use lawbook::agent::{Agents, Decision};
use lawbook_ledger::store::{FileStore, Store};
use lawbook_ledger::tlog::Hash;
use lawbook_ledger::verify::{self, Known, Ledger, Unreadable};

const THREADS: usize = 4;
/// So many folders are used at once.
const WORKERS: usize = 4;
/// Two threads ask each agent.
const NAMES: [&str; 2] = ["a", "b"];
/// A folder is used for so many kills, so that opening stays quick.
const KILLS_PER_FOLDER: usize = 20;
const BUDGET: u64 = 120;
const POLICY: &str = "
lawbook: 1
default: allow
tools: {pay: {cost: {arg: amount}}, wire: {approval: true, cost: 2}}
budget: {credits: 120}
";

fn main() {
    let args: Vec<String> = std::env::args().collect();
    if let [_, child, folder, round] = args.as_slice()
        && child == "ask-until-killed"
    {
        ask(Path::new(folder), round.parse().unwrap());
        return;
    }
    if args.iter().any(|it| it == "--list") {
        println!("kill: test");
        return;
    }
    parent();
}

/// The child: threads that print each request before they send it, and the answer once it is told.
fn ask(folder: &Path, round: usize) {
    let agents = Agents::open(folder).unwrap();
    println!("ready");
    std::thread::scope(|scope| {
        for thread in 0..THREADS {
            let agents = &agents;
            scope.spawn(move || {
                let name = NAMES[thread % NAMES.len()];
                let agent = agents.agent(name).unwrap();
                for step in 0_u64.. {
                    let id = format!("{round}-{thread}-{step}");
                    let tool = ["pay", "look", "pay", "wire"][step as usize % 4];
                    let amount = step % 3 + 1;
                    let args = format!(r#"{{"amount": {amount}, "mark": "{id}"}}"#);
                    println!("s {name} {id}");
                    let request = Request {
                        id: Some(id.clone()),
                        tool: tool.to_owned(),
                        args,
                        ..Request::default()
                    };
                    match agent.ask(&request) {
                        Ok(decision) => told(&agent, name, &id, decision),
                        // Its quota is used up in this life: it waits for the kill.
                        Err(_) => std::thread::sleep(Duration::from_millis(5)),
                    }
                }
            });
        }
    });
}

fn told(agent: &lawbook::agent::Agent, name: &str, id: &str, decision: Decision) {
    match decision {
        Decision::Allowed { action_id, cost, .. } => println!("a {name} {id} {action_id} {cost}"),
        Decision::Pending { action_id, .. } => {
            println!("w {name} {id} {action_id}");
            match agent.approve(&action_id, "treasurer").unwrap() {
                Decision::Allowed { cost, .. } => println!("a {name} {id} {action_id} {cost}"),
                _ => println!("d {name} {id} {action_id}"),
            }
        }
        Decision::Denied { action_id, .. } => println!("d {name} {id} {action_id}"),
    }
}

#[derive(Default)]
struct Figures {
    kills: usize,
    told: usize,
    lost: usize,
    invented: usize,
    overspent: usize,
    entries: u64,
}

fn parent() {
    let kills = std::env::var("AGENT_KILLS").ok().and_then(|it| it.parse().ok()).unwrap_or(200);
    let start = Instant::now();
    let folders: Vec<usize> = (0..kills).step_by(KILLS_PER_FOLDER).collect();
    let next = AtomicUsize::new(0);
    // Folders go side by side: a child mostly waits for its disk.
    let work = || {
        let mut figures = Figures::default();
        while let Some(first) = folders.get(next.fetch_add(1, Ordering::Relaxed)) {
            let many = KILLS_PER_FOLDER.min(kills - first);
            one_folder(*first, many, &mut figures);
        }
        figures
    };
    let figures = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..WORKERS).map(|_| scope.spawn(work)).collect();
        let each = workers.into_iter().map(|it| it.join().unwrap());
        each.fold(Figures::default(), Figures::and)
    });
    let Figures { kills, told, lost, invented, overspent, entries } = figures;
    println!(
        "{kills} kills, {told} decisions told, {lost} lost, {invented} invented, {overspent} budgets \
         overspent, {entries} entries verified, {:.1} s",
        start.elapsed().as_secs_f64()
    );
    assert_eq!((lost, invented, overspent), (0, 0, 0));
    assert!(told > kills, "the agents hardly asked");
}

impl Figures {
    fn and(self, other: Figures) -> Figures {
        Figures {
            kills: self.kills + other.kills,
            told: self.told + other.told,
            lost: self.lost + other.lost,
            invented: self.invented + other.invented,
            overspent: self.overspent + other.overspent,
            entries: self.entries + other.entries,
        }
    }
}

fn one_folder(first: usize, kills: usize, figures: &mut Figures) {
    let name = format!("agents-kill-{}-{first}", std::process::id());
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let policy = Policy::from_text("desk.yaml", POLICY).unwrap();
    let agents = Agents::open(&folder).unwrap();
    for name in NAMES {
        agents.create(name, &policy).unwrap();
    }
    drop(agents);
    folder_of_kills(&folder, first, kills, figures);
    std::fs::remove_dir_all(&folder).unwrap();
}

/// What the children said of one request.
#[derive(Clone, Default)]
struct Said {
    action: Option<String>,
    /// What it cost, where it was allowed; none where it was denied.
    last: Option<Option<u64>>,
}

fn folder_of_kills(folder: &Path, first: usize, kills: usize, figures: &mut Figures) {
    let mut all: BTreeMap<(String, String), Said> = BTreeMap::new();
    let mut dice = 0x9e37_79b9_u64 + first as u64;
    for round in 0..kills {
        dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let text = one_kill(folder, round, Duration::from_millis(5 + (dice >> 33) % 60));
        figures.kills += 1;
        for line in text.split_inclusive('\n').filter_map(|it| it.strip_suffix('\n')) {
            let words: Vec<&str> = line.split(' ').collect();
            let said = all.entry((words[1].to_owned(), words[2].to_owned())).or_default();
            match words[..] {
                ["s", ..] => {}
                ["w", _, _, action] => said.action = Some(action.to_owned()),
                ["a", _, _, action, cost] => {
                    *said = Said { action: Some(action.to_owned()), last: Some(cost.parse().ok()) }
                }
                ["d", _, _, action] => {
                    *said = Said { action: Some(action.to_owned()), last: Some(None) }
                }
                _ => panic!("a child said `{line}`"),
            }
        }
    }
    verified(folder, figures);
    let agents = Agents::open(folder).unwrap();
    for name in NAMES {
        let agent = agents.agent(name).unwrap();
        let (mut spent, mut marks) = (0, BTreeSet::new());
        let mut there = BTreeMap::new();
        for number in 1.. {
            let Ok(action) = agent.action(&format!("act-{number}")) else { break };
            let args: serde_json::Value =
                serde_json::from_str(action.args.as_ref().unwrap()).unwrap();
            let mark = args["mark"].as_str().unwrap().to_owned();
            // Each was asked for, and once.
            let asked = all.contains_key(&(name.to_owned(), mark.clone()));
            figures.invented += usize::from(!asked || !marks.insert(mark));
            let allowed = action.status.word() == "allowed";
            spent += if allowed { action.cost } else { 0 };
            there.insert(action.action.clone(), (action, allowed));
        }
        for ((_, id), said) in all.iter().filter(|it| it.0.0 == name) {
            let Some(number) = &said.action else { continue };
            figures.told += 1;
            let kept = there.get(number).is_some_and(|(action, allowed)| {
                let its = action.args.as_ref().unwrap().contains(&format!("\"{id}\""));
                let same = match said.last {
                    Some(Some(cost)) => *allowed && action.cost == cost,
                    Some(None) => !allowed && action.status.word() == "denied",
                    // It waited when its process was killed: the yes may be there or not.
                    None => true,
                };
                its && same
            });
            figures.lost += usize::from(!kept);
        }
        let standing = agent.status().unwrap();
        assert_eq!(standing.spent, spent, "{name} stands as its actions say");
        let told: u64 =
            all.iter().filter(|it| it.0.0 == name).filter_map(|it| it.1.last.flatten()).sum();
        figures.overspent += usize::from(spent > BUDGET || told > BUDGET);
    }
}

/// Starts a child, kills it after a while, and gives what it said.
fn one_kill(folder: &Path, round: usize, after: Duration) -> String {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["ask-until-killed", folder.to_str().unwrap(), &round.to_string()])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    let mut first = String::new();
    output.read_line(&mut first).unwrap();
    assert_eq!(first, "ready\n", "the ledger opens after a kill");
    let (send, said) = mpsc::channel();
    let reader = std::thread::spawn(move || {
        let mut text = Vec::new();
        output.read_to_end(&mut text).unwrap();
        send.send(text).unwrap();
    });
    let none: Result<Vec<u8>, _> = said.recv_timeout(after);
    assert!(none.is_err(), "the child ended by itself");
    child.kill().unwrap();
    child.wait().unwrap();
    reader.join().unwrap();
    String::from_utf8(said.recv().unwrap()).unwrap()
}

/// The ledger as its verification reads it.
struct Folder(FileStore);

impl Ledger for Folder {
    fn size(&self) -> u64 {
        self.0.size()
    }

    fn entry(&mut self, index: u64, out: &mut Vec<u8>) -> Result<(), Unreadable> {
        *out = self.0.entry(index).map_err(|it| Unreadable::Damaged(it.to_string()))?;
        Ok(())
    }

    fn leaf(&mut self, index: u64) -> Result<Hash, Unreadable> {
        self.0.leaf(index).map(Hash).map_err(|it| Unreadable::Damaged(it.to_string()))
    }
}

fn verified(folder: &Path, figures: &mut Figures) {
    // A torn tail is cut by whoever opens the ledger to write.
    drop(Agents::open(folder).unwrap());
    let store = FileStore::read(folder).unwrap();
    assert_eq!(store.opened().faults, [], "a kill is no fault");
    let report = verify::verify(&mut Folder(store), &Known::default()).unwrap();
    assert!(report.findings.is_empty(), "{report:?}");
    figures.entries += report.size;
}
