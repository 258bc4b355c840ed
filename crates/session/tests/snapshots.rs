//! Snapshots are caches: with them, without them and with forged ones an agent says the same.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::panic
)]

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use lawbook_dialect::{Options, load};
use lawbook_engine::Engine;
use lawbook_event::{Actor, Answer, Effect, Severity, Start, Time};
use lawbook_ledger::store::{FileStore, Options as StoreOptions, Store};
use lawbook_session::{Agents, Clock, Error, PolicyText, Quota, Request};

const POLICY: &str = "
lawbook: 1
default: allow
user_word: customer
tools:
  pay: {access: write, cost: 2, confirm: true}
  wire: {access: write, approval: true}
budget: {credits: 60}
scars: {limit: 30}
rules:
  - {id: look-first, scar: minor, require_before: {tools: [pay], first: [look], success: true, same_arg: order}}
  - {id: same-owner, arg_equals: {tools: [pay], arg: owner, result: {tool: look, path: owner, same_arg: order}}}
  - {id: cap, at_most: {tools: [send], max: 5, per: order, window: 1h}}
  - {id: of-whom, at_most: {tools: [send], max: 3, successes: true}}
  - {id: whom, arg_equals: {tools: [send], arg: owner, session: enduser.id}}
";

const NAMES: [&str; 3] = ["one", "two", "heir"];

/// A clock that moves when it is told to.
struct Hand(AtomicI64);

impl Clock for Hand {
    fn wall(&self) -> Time {
        Time { nanos: self.0.load(Ordering::Relaxed) }
    }

    fn running(&self) -> Duration {
        Duration::ZERO
    }
}

/// The numbers of a seed (xorshift64*).
struct Dice(u64);

impl Dice {
    fn new(seed: u64) -> Self {
        Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) % n
    }
}

/// A ledger in a folder, its agents, and how often snapshots of them are written.
struct Desk {
    folder: PathBuf,
    hand: Arc<Hand>,
    every: u64,
    store: Arc<FileStore>,
    agents: Option<Agents>,
}

fn folder(name: &str) -> PathBuf {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let number = COUNT.fetch_add(1, Ordering::Relaxed);
    let name = format!("lawbook-snapshots-{}-{number}-{name}", std::process::id());
    let folder = std::env::temp_dir().join(name);
    let _ = std::fs::remove_dir_all(&folder);
    folder
}

fn engine(text: &str) -> Arc<Engine> {
    let loaded = load("desk.yaml", text.as_bytes(), &Options::default());
    let policy = loaded.policy.unwrap_or_else(|| panic!("{:#?}", loaded.problems));
    Arc::new(Engine::new(vec![Arc::new(policy)], None))
}

fn policy() -> PolicyText {
    let [name, dialect, profile] = ["desk.yaml", "lawbook", "strict"].map(str::to_owned);
    PolicyText { name, dialect, profile, text: POLICY.to_owned() }
}

const OPTIONS: StoreOptions = StoreOptions { segment_bytes: 1 << 20, at: 0 };

impl Desk {
    fn new(name: &str, every: u64) -> Self {
        let folder = folder(name);
        let hand = Arc::new(Hand(AtomicI64::new(1_767_225_600_000_000_000)));
        let store = Arc::new(FileStore::create(&folder, &OPTIONS).unwrap());
        let mut desk = Desk { folder, hand, every, store, agents: None };
        desk.agents = Some(desk.opened());
        desk
    }

    fn opened(&self) -> Agents {
        let compile = Box::new(|text: &PolicyText| Ok(engine(&text.text)));
        let agents = Agents::open_at(self.store.clone(), compile, self.hand.clone()).unwrap();
        let quota = Quota { attempts_per_sec: 1_000_000, bytes_per_min: u32::MAX };
        agents.quota(quota).at_its_word().snapshots_every(self.every)
    }

    fn agents(&self) -> &Agents {
        self.agents.as_ref().unwrap()
    }

    /// Closes the ledger, as it should be or not, and opens it again.
    fn reopen(&mut self, cleanly: bool, between: impl FnOnce(&Path)) {
        let agents = self.agents.take().unwrap();
        drop(if cleanly { agents } else { agents.snapshots_every(0) });
        between(&self.folder.join("snapshots"));
        self.agents = Some(self.opened());
    }

    /// How everything stands.
    fn shown(&self) -> String {
        let agents = self.agents();
        let mut shown = String::new();
        for name in agents.names() {
            let standing = agents.status(&name);
            let waiting = agents.waiting(Some(&name));
            shown += &format!("{name}: {standing:?} {waiting:?}\n");
            for action in 1.. {
                let Ok(action) = agents.action(&name, &format!("act-{action}")) else { break };
                shown += &format!("  {action:?}\n");
            }
        }
        shown
    }
}

impl Drop for Desk {
    fn drop(&mut self) {
        self.agents = None;
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

fn shown<T: std::fmt::Debug>(said: Result<T, Error>) -> String {
    format!("{said:?}")
}

/// Something happens; what is said of it comes back.
fn happen(agents: &Agents, dice: &mut Dice) -> String {
    let of = if dice.below(3) == 0 { 3 } else { 2 };
    let name = NAMES[usize::try_from(dice.below(of)).unwrap()];
    let session = format!("s{}", dice.below(3));
    let spoken = (dice.below(4) > 0).then_some(&*session);
    let order = dice.below(3);
    let action = format!("act-{}", 1 + dice.below(20));
    match dice.below(24) {
        0 => {
            let attributes = Cow::Owned(format!("{{\"enduser.id\": \"C-{order}\"}}"));
            let start = Start { id: Cow::Borrowed(&session), attributes, ..Start::default() };
            shown(agents.begin_session(name, &start))
        }
        1 => shown(agents.user_said(name, spoken, "yes please")),
        2 => shown(agents.agent_said(name, spoken, &format!("I pay for W{order}. Shall I?"))),
        3..6 => {
            let text = format!("{{\"owner\": \"C-{order}\", \"status\": \"ok\"}}");
            let answer = Answer {
                text: Cow::Owned(text),
                recorded: true,
                error: Some(dice.below(4) == 0),
                span_error: None,
                pending: false,
            };
            shown(agents.result(name, &action, &answer))
        }
        6 | 7 => shown(agents.approve(name, &action, "support lead", None, "")),
        8 => shown(agents.reject(name, &action, "treasurer", "too late", Some(Severity::Minor))),
        9 => {
            let effect =
                [Effect::Success, Effect::Failure][usize::try_from(dice.below(2)).unwrap()];
            shown(agents.outcome(name, &action, effect, Actor::Operator, "seen"))
        }
        10 if dice.below(6) == 0 => shown(agents.erase(name, None, "support lead", "asked to")),
        11 if dice.below(3) == 0 => {
            let end = lawbook_event::End { answer: "".into(), ..lawbook_event::End::default() };
            shown(agents.end_session(name, spoken, &end))
        }
        12 if dice.below(8) == 0 => shown(agents.succeed("heir", &policy(), "one", None)),
        _ => {
            let tool = ["pay", "look", "send", "wire"][usize::try_from(dice.below(4)).unwrap()];
            let args = format!("{{\"order\": \"W{order}\", \"owner\": \"C-{order}\"}}");
            let id = (dice.below(3) == 0).then(|| format!("r{}", dice.below(30)));
            let batch = (dice.below(3) == 0).then(|| format!("b{}", dice.below(3)));
            let (session, tool) = (spoken.map(str::to_owned), tool.to_owned());
            let request = Request { id, session, batch, server: None, tool, args, cost: None };
            shown(agents.request(name, &request))
        }
    }
}

/// Two ledgers to which the same happens; the first writes snapshots.
fn pair(seed: u64) -> [Desk; 2] {
    let desks = [7, 0].map(|every| Desk::new(&seed.to_string(), every));
    for desk in &desks {
        for name in &NAMES[..2] {
            desk.agents().create(name, &policy()).unwrap();
        }
    }
    desks
}

fn both(desks: &[Desk; 2], dice: &mut Dice, what: &str) {
    let later = i64::try_from(dice.below(900)).unwrap() * 1_000_000_000;
    let seed = dice.0;
    let said = desks.each_ref().map(|desk| {
        desk.hand.0.fetch_add(later, Ordering::Relaxed);
        *dice = Dice(seed);
        happen(desk.agents(), dice)
    });
    assert_eq!(said[0], said[1], "{what}");
}

#[test]
fn with_and_without_snapshots_the_same_is_said() {
    let written = Mutex::new(0);
    for seed in 0..12 {
        let mut dice = Dice::new(seed);
        let mut desks = pair(seed);
        for step in 0..160 {
            both(&desks, &mut dice, &format!("seed {seed}, step {step}"));
            if dice.below(8) > 0 {
                continue;
            }
            let (cleanly, deletes) = (dice.below(2) == 0, dice.below(5) == 0);
            desks[0].reopen(cleanly, |folder| {
                *written.lock().unwrap() += std::fs::read_dir(folder).unwrap().count();
                if deletes {
                    let kept = std::fs::read_dir(folder).unwrap().map(Result::unwrap);
                    kept.for_each(|it| std::fs::remove_file(it.path()).unwrap());
                }
            });
            desks[1].reopen(cleanly, |_| {});
            let stand = desks.each_ref().map(Desk::shown);
            assert_eq!(stand[0], stand[1], "seed {seed}, step {step}");
        }
        assert!(!desks[1].folder.join("snapshots").read_dir().unwrap().any(|_| true));
    }
    assert!(*written.lock().unwrap() > 300, "{written:?}");
}

/// Whoever can write to the disk can damage, swap, roll back and make up snapshots. None of that
/// changes what is said.
#[test]
fn a_forged_or_damaged_snapshot_is_ignored() {
    for seed in 100..108 {
        let mut dice = Dice::new(seed);
        let mut desks = pair(seed);
        let mut old: Option<(u64, Vec<u8>)> = None;
        for round in 0..12 {
            for _ in 0..12 {
                both(&desks, &mut dice, &format!("seed {seed}, round {round}"));
            }
            let store = desks[0].store.clone();
            let (sort, place) = (round % 6, dice.below(10_000));
            let mut older = old.take();
            desks[0].reopen(true, |folder| {
                let size = store.size();
                let one = store.snapshot("one");
                match (sort, &one, &older) {
                    (0, Some((at, _)), _) => store.put_snapshot("one", *at, b"made up").unwrap(),
                    // Of another agent.
                    (1, Some((at, bytes)), _) => store.put_snapshot("two", *at, bytes).unwrap(),
                    // An agent as it was, said to be as it is.
                    (2, _, Some((_, bytes))) => store.put_snapshot("one", size, bytes).unwrap(),
                    // The log has nothing more to read, and no agents.
                    (3, ..) => store.put_snapshot("@ledger", size, &[1, 0]).unwrap(),
                    // An agent as it was, with a list that says that nothing came since.
                    (4, Some((at, bytes)), Some((before, was))) if bytes != was => {
                        store.put_snapshot("one", *before, was).unwrap();
                        let (_, list) = store.snapshot("@ledger").unwrap();
                        store.put_snapshot("@ledger", (*at).max(size), &list).unwrap();
                    }
                    _ => {
                        for file in std::fs::read_dir(folder).unwrap().map(Result::unwrap) {
                            let mut bytes = std::fs::read(file.path()).unwrap();
                            let at = usize::try_from(place).unwrap() % bytes.len();
                            bytes[at] ^= 0x10;
                            std::fs::write(file.path(), bytes).unwrap();
                        }
                    }
                }
                older = one;
            });
            old = older;
            desks[1].reopen(true, |_| {});
            let stand = desks.each_ref().map(Desk::shown);
            assert_eq!(stand[0], stand[1], "seed {seed}, round {round}, sort {sort}");
        }
    }
}

/// What was erased is not in a snapshot either.
#[test]
fn a_snapshot_shows_nothing_and_goes_with_the_secret() {
    let mut desk = Desk::new("secret", 5);
    desk.agents().create("one", &policy()).unwrap();
    let args = "{\"order\": \"12 Elm Street\"}".to_owned();
    for tool in ["look", "wire", "send", "look", "look", "look"] {
        let request = Request { tool: tool.to_owned(), args: args.clone(), ..Request::default() };
        desk.agents().request("one", &request).unwrap();
    }
    let files = std::fs::read_dir(desk.folder.join("snapshots")).unwrap().map(Result::unwrap);
    let files: Vec<Vec<u8>> = files.map(|it| std::fs::read(it.path()).unwrap()).collect();
    assert_eq!(files.len(), 2, "one of the agent and the list");
    for bytes in &files {
        for secret in [&b"Elm Street"[..], b"look", b"look-first"] {
            assert!(!bytes.windows(secret.len()).any(|it| it == secret));
        }
    }
    desk.store.erase_secret("one").unwrap();
    desk.reopen(false, |_| {});
    assert_eq!(desk.agents().status("one").unwrap_err().code(), "quarantined");
}
