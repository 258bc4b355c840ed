//! Many threads at once: one budget, one yes, one grant, one id.

use std::sync::Barrier;

use lawbook_diag::Verdict::{Allow, Deny};

use super::made::{House, call, with_id};

const RUNS: usize = 40;
const THREADS: usize = 10;

/// Runs the same at once in all threads, and gives what each came to.
fn at_once<T: Send>(run: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let barrier = Barrier::new(THREADS);
    std::thread::scope(|scope| {
        let one = |thread| {
            let (barrier, run) = (&barrier, &run);
            scope.spawn(move || {
                barrier.wait();
                run(thread)
            })
        };
        let threads: Vec<_> = (0..THREADS).map(one).collect();
        threads.into_iter().map(|it| it.join().unwrap()).collect()
    })
}

#[test]
fn b33_ten_refunds_at_once_get_five_times_a_hundred_out_of_five_hundred() {
    for run in 0..RUNS {
        let mut house = House::with(
            "{lawbook: 1, default: allow, tools: {refund: {cost: {arg: amount}}}, budget: {credits: 500}}",
        );
        let verdicts = at_once(|thread| {
            let args = format!(r#"{{"amount": 100, "order": {thread}}}"#);
            house.agents().request("desk", &call("refund", &args)).unwrap().verdict
        });
        let count = |of| verdicts.iter().filter(|it| **it == of).count();
        assert_eq!((count(Allow), count(Deny)), (5, 5), "run {run}");
        house.restart();
        let standing = house.agents().status("desk").unwrap();
        assert_eq!((standing.spent, standing.allowed, standing.denied), (500, 5, 5), "run {run}");
    }
    println!("{RUNS} runs of {THREADS} threads: 5 allowed in each");
}

#[test]
fn b34_one_id_at_once_is_one_action() {
    for run in 0..RUNS {
        let house = House::with(
            "{lawbook: 1, default: allow, tools: {pay: {cost: 4}}, budget: {credits: 100}}",
        );
        let request = with_id("k1", "pay", "{}");
        let replies = at_once(|_| house.agents().request("desk", &request).unwrap());
        assert!(replies.iter().all(|it| it.action == "act-1" && it.cost == 4), "run {run}");
        assert_eq!(replies.iter().filter(|it| !it.repeated).count(), 1, "run {run}");
        assert_eq!(house.agents().status("desk").unwrap().spent, 4, "run {run}");
    }
}

#[test]
fn b38_one_yes_and_one_grant_at_once_are_one_execution() {
    for run in 0..RUNS {
        let house = House::with("{lawbook: 1, default: allow, tools: {wire: {approval: true}}}");
        let waits = house.ask("wire", "{}");
        let yes = at_once(|thread| {
            let by = format!("clerk {thread}");
            house.agents().approve("desk", &waits.action, &by, None, "").map(|it| it.verdict)
        });
        let count = |it: &&Result<_, lawbook_session::Error>| matches!(it, Ok(Allow));
        assert_eq!(yes.iter().filter(count).count(), 1, "run {run}");
        assert!(
            yes.iter().filter_map(|it| it.as_ref().err()).all(|it| it.code() == "invalid_state")
        );
        let grant = house.agents().grant("desk", &waits.action, "bank").unwrap();
        let used = at_once(|_| house.agents().redeem(&grant, "bank").map(drop));
        assert_eq!(used.iter().filter(|it| it.is_ok()).count(), 1, "run {run}");
        assert!(used.iter().filter_map(|it| it.as_ref().err()).all(|it| it.code() == "used"));
        assert_eq!(house.agents().status("desk").unwrap().allowed, 1);
    }
}
