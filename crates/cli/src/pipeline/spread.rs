//! Work on things that one thread makes one after another, shared with threads that are spare.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::sync::{Mutex, PoisonError, TryLockError};

use lawbook_trace::Both;

/// Things that may wait for a thread. Their maker works on the oldest itself where more would wait.
const WAITING_MAX: usize = 4;

/// How many more threads may be begun.
#[derive(Debug, Default)]
pub struct Spare(AtomicUsize);

impl Spare {
    /// One more thread may be begun.
    pub fn give(&self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }

    /// Lends a way to do two things at the same time, if a thread may be begun.
    pub fn lend<R>(&self, act: impl FnOnce(Option<Both<'_>>) -> R) -> R {
        if !self.take() {
            return act(None);
        }
        let done = act(Some(&both));
        self.give();
        done
    }

    /// Whether a thread may be begun, which is then spare no longer.
    fn take(&self) -> bool {
        let less = |it: usize| it.checked_sub(1);
        self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less).is_ok()
    }
}

/// Does the first thing on a thread of its own while it does the second.
fn both(first: &mut (dyn FnMut() + Send), second: &mut dyn FnMut()) {
    std::thread::scope(|scope| {
        let first = scope.spawn(first);
        second();
        if let Err(panic) = first.join() {
            std::panic::resume_unwind(panic);
        }
    });
}

/// Works on everything that `make` hands on, and gives the results in that order together with
/// what `make` says in the end.
pub fn spread<T: Send, R: Send, E>(
    spare: &Spare,
    make: impl FnOnce(&mut dyn FnMut(T)) -> E,
    work: impl Fn(T) -> R + Sync,
) -> (Vec<R>, E) {
    let (send, receive) = sync_channel::<(usize, T)>(WAITING_MAX);
    let receive = Mutex::new(receive);
    let (receive, work) = (&receive, &work);
    std::thread::scope(|scope| {
        let mut results = Vec::new();
        let mut begun = Vec::new();
        let mut next: usize = 0;
        let end = make(&mut |made| {
            let number = next;
            next = next.saturating_add(1);
            // A thread costs more than a single thing is worth.
            if number > 0 && spare.take() {
                begun.push(scope.spawn(move || {
                    let results = rest(receive, work);
                    spare.give();
                    results
                }));
            }
            let mut left = Some((number, made));
            while let Some(made) = left.take() {
                let now = match begun.is_empty() {
                    true => Some(made),
                    false => waits(&send, made).map(|made| match oldest(receive) {
                        Some(oldest) => {
                            left = Some(made);
                            oldest
                        }
                        None => made,
                    }),
                };
                results.extend(now.map(|(number, made)| (number, work(made))));
            }
        });
        drop(send);
        results.extend(rest(receive, work));
        for thread in begun {
            match thread.join() {
                Ok(more) => results.extend(more),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        results.sort_unstable_by_key(|it| it.0);
        (results.into_iter().map(|it| it.1).collect(), end)
    })
}

/// Lets a thing wait for a thread, and gives it back when too many are waiting.
fn waits<T>(send: &SyncSender<(usize, T)>, made: (usize, T)) -> Option<(usize, T)> {
    match send.try_send(made) {
        Ok(()) => None,
        Err(TrySendError::Full(it) | TrySendError::Disconnected(it)) => Some(it),
    }
}

/// The thing that waits longest, unless a thread is about to take it: others may wait for what
/// becomes of it.
fn oldest<T>(receive: &Mutex<Receiver<(usize, T)>>) -> Option<(usize, T)> {
    let receive = match receive.try_lock() {
        Ok(receive) => receive,
        Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
        Err(TryLockError::WouldBlock) => return None,
    };
    receive.try_recv().ok()
}

/// Works on what is waiting until nothing more can come.
fn rest<T, R>(receive: &Mutex<Receiver<(usize, T)>>, work: &impl Fn(T) -> R) -> Vec<(usize, R)> {
    let mut results = Vec::new();
    loop {
        let next = receive.lock().unwrap_or_else(PoisonError::into_inner).recv();
        match next {
            Ok((number, made)) => results.push((number, work(made))),
            Err(_) => return results,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Spare, spread};

    #[test]
    fn results_come_in_the_order_in_which_things_are_made() {
        for threads in [0, 1, 5] {
            let spare = Spare::default();
            (0..threads).for_each(|_| spare.give());
            let make = |out: &mut dyn FnMut(u32)| {
                (0..500).for_each(out);
                "end"
            };
            let work = |it: u32| {
                (0..(it % 7) * 1000).fold(it, |sum, at| std::hint::black_box(sum ^ at ^ at))
            };
            let (results, end) = spread(&spare, make, work);
            assert_eq!((results, end), ((0..500).collect(), "end"), "{threads} threads");
            assert_eq!((0..=threads).filter(|_| spare.take()).count(), threads);
        }
    }

    #[test]
    #[should_panic(expected = "lost")]
    fn what_waits_for_earlier_things_never_waits_for_the_queue() {
        use std::sync::{Condvar, Mutex};
        let spare = Spare::default();
        spare.give();
        let (done, more) = (Mutex::new(0), Condvar::new());
        let work = |it: u32| {
            // The thread is lost, and what waits is left to the maker.
            assert_ne!(it, 1, "lost");
            let limit = std::time::Duration::from_secs(20);
            let earlier = |done: &mut u32| *done + 1 < it;
            let (mut done, waited) =
                more.wait_timeout_while(done.lock().unwrap(), limit, earlier).unwrap();
            assert!(!waited.timed_out(), "{it} waits for the queue");
            *done += 1;
            more.notify_all();
        };
        spread(&spare, |out| (0..20).for_each(out), work);
    }

    #[test]
    fn nothing_made_is_nothing_done() {
        let spare = Spare::default();
        spare.give();
        assert_eq!(spread(&spare, |_| (), |it: u8| it), (Vec::new(), ()));
    }
}
