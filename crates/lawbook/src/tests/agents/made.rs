//! Agents on a disk in memory, under a clock that is set by hand.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use lawbook_event::Time;
use lawbook_ledger::store::sim::SimDisk;
use lawbook_ledger::store::{FileStore, Options, Store};
use lawbook_session::{Agents, Clock, Error, GrantKey, PolicyText, Quota, Reply, Request};

use crate::agent::store::compile;
use crate::tests::NOW;

/// A disk in memory has its files whole.
pub const OPTIONS: Options = Options { segment_bytes: 1 << 18, at: 0 };
/// For tests that are about something else.
pub const ANY_NUMBER: Quota = Quota { attempts_per_sec: 1_000_000, bytes_per_min: u32::MAX };

/// A clock with two hands: the one on the wall can be set.
pub struct Hands(Mutex<(i64, u64)>);

impl Hands {
    /// Both hands at their beginning.
    pub fn new() -> Self {
        Hands(Mutex::new((NOW.nanos, 0)))
    }

    /// So many seconds go by.
    pub fn pass(&self, secs: u32) {
        let mut hands = self.0.lock().unwrap();
        let nanos = u64::from(secs) * 1_000_000_000;
        *hands = (hands.0 + nanos as i64, hands.1 + nanos);
    }

    /// Somebody sets the clock on the wall.
    pub fn set(&self, secs: i64) {
        self.0.lock().unwrap().0 += secs * 1_000_000_000;
    }
}

impl Clock for Hands {
    fn wall(&self) -> Time {
        Time { nanos: self.0.lock().unwrap().0 }
    }

    fn running(&self) -> Duration {
        Duration::from_nanos(self.0.lock().unwrap().1)
    }
}

/// What a test's key is.
pub const TEST_KEY: &[u8] = b"a test's key";

/// A key for grants that only tests believe.
pub struct TestKey;

impl GrantKey for TestKey {
    fn sign(&self, bytes: &[u8]) -> Result<[u8; 64], Error> {
        use sha2::Digest as _;
        let digest: [u8; 64] = sha2::Sha512::digest([TEST_KEY, bytes].concat()).into();
        Ok(digest)
    }

    fn verify(&self, bytes: &[u8], signature: &[u8; 64]) -> bool {
        self.sign(bytes).is_ok_and(|it| it == *signature)
    }
}

/// A ledger and the agents on it.
pub struct House {
    pub disk: SimDisk,
    pub hands: Arc<Hands>,
    pub quota: Quota,
    /// After how many entries a snapshot is written; as it is set at the next restart.
    pub every: u64,
    open: Option<(Arc<FileStore>, Agents)>,
}

impl House {
    /// A ledger in which nobody has begun.
    pub fn empty() -> Self {
        House::on(1)
    }

    /// The same on a disk whose chances follow from a seed.
    pub fn on(seed: u64) -> Self {
        let disk = SimDisk::new(seed);
        drop(FileStore::create_on(Arc::new(disk.clone()), &OPTIONS).unwrap());
        let hands = Arc::new(Hands::new());
        let mut house = House { disk, hands, quota: ANY_NUMBER, every: 10_000, open: None };
        house.restart();
        house
    }

    /// A ledger with the agent `desk` under a policy.
    pub fn with(policy: &str) -> Self {
        let house = House::empty();
        house.agents().create("desk", &text(policy)).unwrap();
        house
    }

    pub fn agents(&self) -> &Agents {
        &self.open.as_ref().unwrap().1
    }

    pub fn store(&self) -> &FileStore {
        &self.open.as_ref().unwrap().0
    }

    /// Everything is forgotten and found again.
    pub fn restart(&mut self) {
        self.close();
        let store = Arc::new(FileStore::open_on(Arc::new(self.disk.clone()), &OPTIONS).unwrap());
        let agents = Agents::open_at(store.clone(), compile(), self.hands.clone()).unwrap();
        let agents = agents.quota(self.quota).grants(Arc::new(TestKey));
        self.open = Some((store, agents.snapshots_every(self.every)));
    }

    /// Lets the ledger go.
    pub fn close(&mut self) {
        self.open = None;
    }

    /// The agent `desk` asks.
    pub fn ask(&self, tool: &str, args: &str) -> Reply {
        self.agents().request("desk", &call(tool, args)).unwrap()
    }

    /// The texts of all entries from an index on.
    pub fn entries(&self, from: u64) -> Vec<String> {
        let bytes = self.store().entries(from).map(|it| it.1.unwrap());
        bytes.map(|it| String::from_utf8(it).unwrap()).collect()
    }
}

/// A native policy as it stands in a record.
pub fn text(policy: &str) -> PolicyText {
    let policy = crate::Policy::from_text("desk.yaml", policy).unwrap();
    policy.source().unwrap().clone()
}

pub fn call(tool: &str, args: &str) -> Request {
    Request { tool: tool.to_owned(), args: args.to_owned(), ..Request::default() }
}

/// The same under an id of the caller's.
pub fn with_id(id: &str, tool: &str, args: &str) -> Request {
    Request { id: Some(id.to_owned()), ..call(tool, args) }
}

/// The same in a conversation.
pub fn within(session: &str, tool: &str, args: &str) -> Request {
    Request { session: Some(session.to_owned()), ..call(tool, args) }
}

/// A small generator of numbers (xorshift64*).
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Self {
        Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) % n
    }

    pub fn of<'t, T: ?Sized>(&mut self, from: &[&'t T]) -> &'t T {
        from[self.below(from.len() as u64) as usize]
    }
}
