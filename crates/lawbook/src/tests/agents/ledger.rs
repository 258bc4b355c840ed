//! What the record says, and what hands on the disk do to it.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD as BASE64;
use lawbook_diag::Verdict::{Allow, Ask};
use lawbook_event::Start;
use lawbook_ledger::store::{FileStore, Store};
use lawbook_ledger::tlog::{Hash, Head};
use lawbook_ledger::verify::{self, Known, Ledger, Report, Unreadable};
use lawbook_session::GrantKey as _;
use serde_json::Value;

use super::made::{House, TEST_KEY, TestKey, call, text};

const DAILY: &str = "
lawbook: 1
default: allow
tools: {wire: {approval: true}}
rules:
  - {id: two-a-day, at_most: {tools: [refund], max: 2, window: 86400s, per: agent}}
  - {id: soon, approval: {tools: [wire], expires: 60s}}
";

#[test]
fn l5_a_clock_that_jumps_is_refused_and_recorded_and_opens_no_window() {
    let house = House::with(DAILY);
    assert_eq!(house.ask("refund", "{}").verdict, Allow);
    assert_eq!(house.ask("refund", "{}").verdict, Allow);
    let waits = house.ask("wire", "{}");
    house.hands.pass(10);
    let before = house.store().size();
    house.hands.set(2 * 86_400);
    assert_eq!(house.ask("refund", "{}").rules, ["two-a-day"], "tomorrow's cap is not open");
    house.hands.set(-40 * 86_400);
    assert_eq!(house.ask("refund", "{}").rules, ["two-a-day"]);
    let yes = house.agents().approve("desk", &waits.action, "treasurer", None, "").unwrap();
    assert_eq!(yes.verdict, Allow, "ten seconds went by, and not two days");
    let entries: Vec<Value> =
        house.entries(before).iter().map(|it| serde_json::from_str(it).unwrap()).collect();
    let refused = entries.iter().filter(|it| it["kind"] == "clock").count();
    assert_eq!(refused, 1, "it is recorded once for as long as it strays: {entries:?}");
    let ats: Vec<i64> = entries.iter().map(|it| it["at"].as_i64().unwrap()).collect();
    assert!(ats.is_sorted() && ats[0] - super::super::NOW.nanos <= 15_000_000_000, "{ats:?}");
}

#[test]
fn l5_a_jump_that_only_a_grant_or_a_new_agent_sees_is_recorded() {
    let house = House::with(DAILY);
    let paid = house.ask("pay", "{}");
    let grant = house.agents().grant("desk", &paid.action, "till").unwrap();
    let sees: [(&str, &dyn Fn()); 4] = [
        ("desk", &|| drop(house.agents().grant("desk", &paid.action, "till").unwrap())),
        ("desk", &|| drop(house.agents().redeem(&grant, "till").unwrap())),
        ("new", &|| drop(house.agents().create("new", &text(DAILY)).unwrap())),
        ("heir", &|| drop(house.agents().succeed("heir", &text(DAILY), "new", None).unwrap())),
    ];
    for (place, (agent, see)) in sees.into_iter().enumerate() {
        let before = house.store().size();
        house.hands.set(2 * 86_400);
        see();
        let entries = house.entries(before);
        let of_clock: Vec<_> = entries.iter().filter(|it| it.contains("\"clock\"")).collect();
        let own = of_clock.iter().any(|it| it.contains(&format!("\"agent\":\"{agent}\"")));
        assert!(of_clock.len() == 1 && (own || agent == "heir"), "{place}: {entries:?}");
        // The clock comes back, so that the next jump is another one.
        house.hands.set(-2 * 86_400);
        house.ask("look", "{}");
    }
}

#[test]
fn l2_a_restored_ledger_looks_like_a_younger_one_unless_its_head_is_known_elsewhere() {
    let mut house =
        House::with("{lawbook: 1, default: allow, tools: {pay: {cost: 1}}, budget: {credits: 9}}");
    house.ask("pay", "{}");
    house.close();
    let backup: Vec<(String, Vec<u8>)> =
        house.disk.names().into_iter().map(|it| (it.clone(), house.disk.contents(&it))).collect();
    house.restart();
    house.ask("pay", "{}");
    house.ask("pay", "{}");
    let last = Handled::of(house.store()).verified(&Known::default());
    let head = Head { size: last.size, root: last.root };
    house.close();
    for name in house.disk.names() {
        house.disk.take(&name);
    }
    for (name, bytes) in backup {
        house.disk.put(&name, bytes);
    }
    house.restart();
    // Nothing in the folder can tell, so the agent has its credits again and the page says why.
    assert_eq!(house.agents().status("desk").unwrap().spent, 1);
    let alone = Handled::of(house.store()).verified(&Known::default());
    assert!(alone.findings.is_empty(), "{alone:?}");
    assert!(alone.unproved.iter().any(|it| it.code() == "rollback"), "{alone:?}");
    let known = Known { heads: vec![head], ..Known::default() };
    let codes = |house: &House| -> Vec<&'static str> {
        let report = Handled::of(house.store()).verified(&known);
        report.findings.iter().map(|it| it.what.code()).collect()
    };
    assert_eq!(codes(&house), ["truncated"]);
    // It goes on past what was known.
    for _ in 0..3 {
        house.ask("look", "{}");
    }
    assert_eq!(codes(&house), ["rewritten"]);
}

#[test]
fn l7_the_key_of_grants_is_not_in_the_folder_and_signs_nothing_else() {
    let mut house = House::with(DAILY);
    let paid = house.ask("pay", "{}");
    let grant = house.agents().grant("desk", &paid.action, "till").unwrap();
    let (body, signature) = grant.split_once('.').unwrap();
    // The same key over the same text, as another use of it would sign.
    let text = BASE64.decode(body).unwrap();
    let other = TestKey.sign(&text).unwrap();
    let forged = format!("{body}.{}", BASE64.encode(other));
    assert_eq!(house.agents().redeem(&forged, "till").unwrap_err().code(), "bad_grant");
    // Who can read and write the folder finds neither the key nor what it signed.
    house.restart();
    for secret in [TEST_KEY, signature.as_bytes(), body.as_bytes()] {
        assert!(!house.disk.holds(secret));
    }
    assert_eq!(house.agents().redeem(&grant, "till").unwrap().tool, "pay");
    assert!(!house.disk.holds(signature.as_bytes()), "also once it was used");
}

/// Damages one entry of a segment, where a text stands in it.
fn damage(house: &House, text: &str) {
    let names = house.disk.names();
    let name = names.iter().find(|it| it.ends_with(".seg")).unwrap();
    let mut bytes = house.disk.contents(name);
    let at = bytes.windows(text.len()).position(|it| it == text.as_bytes()).unwrap();
    bytes[at] ^= 1;
    house.disk.put(name, bytes);
}

/// Three agents, and a mark in the middle and in the last entry of `b`.
fn three() -> House {
    let house = House::empty();
    for name in ["a", "b", "c"] {
        house.agents().create(name, &text("{lawbook: 1, default: allow, tools: {wire: {approval: true}}, budget: {credits: 9}}")).unwrap();
    }
    for tool in ["first", "middle", "last"] {
        for name in ["a", "b", "c"] {
            house.agents().request(name, &call(&format!("{tool}-{name}"), "{}")).unwrap();
        }
    }
    house
}

#[test]
fn l6_a_damaged_entry_stops_its_agent_alone_wherever_it_stands() {
    for place in ["first-b", "middle-b", "last-b"] {
        let mut house = three();
        let size = house.store().size();
        let leaves: Vec<_> = (0..size).map(|it| house.store().leaf(it).unwrap()).collect();
        house.close();
        damage(&house, place);
        house.restart();
        for _ in 0..2 {
            let status = house.agents().status("b").unwrap_err();
            assert_eq!(status.code(), "quarantined", "{place}");
            let asked = house.agents().request("b", &call("look", "{}")).unwrap_err();
            assert_eq!(asked.code(), "quarantined", "{place}");
            for name in ["a", "c"] {
                let reply = house.agents().request(name, &call("look", "{}")).unwrap();
                assert_eq!(reply.verdict, Allow, "{place}");
            }
            house.restart();
        }
        let now: Vec<_> = (0..size).map(|it| house.store().leaf(it).unwrap()).collect();
        assert_eq!(now, leaves, "leaf hashes are kept apart");
        assert_eq!(house.agents().status("a").unwrap().allowed, 5);
    }
}

#[test]
fn l6_beside_a_damaged_entry_an_agent_whose_entry_was_not_taken_goes_on() {
    let mut house = three();
    house.close();
    damage(&house, "middle-b");
    house.restart();
    // An entry that does not fit is refused, and its agent is folded again.
    let metadata = format!(r#"{{"x": "{}"}}"#, "x".repeat(200_000));
    let start = Start { id: "s".into(), metadata: metadata.into(), ..Start::default() };
    assert!(house.agents().begin_session("a", &start).is_err());
    for name in ["a", "c"] {
        let reply = house.agents().request(name, &call("look", "{}")).unwrap();
        assert_eq!((reply.verdict, reply.standing.allowed), (Allow, 4));
    }
    assert_eq!(house.agents().status("b").unwrap_err().code(), "quarantined");
}

#[test]
fn l9_every_entry_names_the_engine_that_decided() {
    let house = three();
    let entries = house.entries(0);
    let own = entries.iter().map(|it| serde_json::from_str::<Value>(it).unwrap());
    let own: Vec<Value> = own.into_iter().filter(|it| it["agent"] != "@ledger").collect();
    assert_eq!(own.len(), 3 * 5);
    let engine = concat!("lawbook ", env!("CARGO_PKG_VERSION"));
    assert!(own.iter().all(|it| it["engine"] == engine), "{own:?}");
}

/// A ledger as its verification reads it, with a hand in between.
struct Handled {
    entries: Vec<Vec<u8>>,
    leaves: Vec<Hash>,
}

impl Handled {
    fn of(store: &FileStore) -> Self {
        let entries: Vec<Vec<u8>> = store.entries(0).map(|it| it.1.unwrap()).collect();
        let leaves = (0..store.size()).map(|it| Hash(store.leaf(it).unwrap())).collect();
        Handled { entries, leaves }
    }

    /// Hashes that fit whatever stands there, as somebody with our code would make them.
    fn rehashed(mut self) -> Self {
        self.leaves =
            self.entries.iter().map(|it| Hash(lawbook_ledger::store::leaf_hash(it))).collect();
        self
    }

    fn verified(mut self, known: &Known) -> Report {
        verify::verify(&mut self, known).unwrap()
    }
}

impl Ledger for Handled {
    fn size(&self) -> u64 {
        self.entries.len() as u64
    }

    fn entry(&mut self, index: u64, out: &mut Vec<u8>) -> Result<(), Unreadable> {
        out.extend_from_slice(&self.entries[index as usize]);
        Ok(())
    }

    fn leaf(&mut self, index: u64) -> Result<Hash, Unreadable> {
        Ok(self.leaves[index as usize])
    }
}

#[test]
fn b53_a_dropped_record_another_approver_and_swapped_records_are_found() {
    let house = House::with("{lawbook: 1, default: allow, tools: {wire: {approval: true}}}");
    let waits = house.ask("wire", "{}");
    assert_eq!(waits.verdict, Ask);
    house.agents().approve("desk", &waits.action, "treasurer", None, "").unwrap();
    house.ask("look", "{}");
    let made = || Handled::of(house.store());
    let whole = made().verified(&Known::default());
    assert!(whole.findings.is_empty(), "{whole:?}");
    let head = Head { size: whole.size, root: whole.root };
    let known = Known { heads: vec![head], ..Known::default() };
    assert!(made().verified(&known).findings.is_empty());
    let code = |report: &Report| report.findings.first().map(|it| it.what.code());

    let mut cut = made();
    cut.entries.pop();
    cut.leaves.pop();
    assert_eq!(code(&cut.verified(&known)), Some("truncated"));

    let approver = |ledger: &mut Handled| {
        let place = ledger
            .entries
            .iter()
            .position(|it| String::from_utf8_lossy(it).contains("\"approval\""))
            .unwrap();
        let text = String::from_utf8(ledger.entries[place].clone()).unwrap();
        assert!(text.contains("treasurer"), "the approver stands under the hash");
        ledger.entries[place] = text.replace("treasurer", "intruders").into_bytes();
    };
    let mut edited = made();
    approver(&mut edited);
    assert_eq!(code(&edited.verified(&Known::default())), Some("edited"));
    let mut edited = made();
    approver(&mut edited);
    let report = edited.rehashed().verified(&known);
    assert!(report.findings.iter().any(|it| it.what.code() == "rewritten"), "{report:?}");

    let mut swapped = made();
    let last = swapped.entries.len() - 1;
    swapped.entries.swap(last, last - 1);
    assert_eq!(code(&swapped.verified(&Known::default())), Some("edited"));
    let mut swapped = made();
    swapped.entries.swap(last, last - 1);
    let report = swapped.rehashed().verified(&Known::default());
    assert!(!report.findings.is_empty(), "the chain of the agent shows it without any checkpoint");
}
