//! Work on several cores, taken in and given out in order, with a bounded number of pieces under
//! way.

use std::collections::BTreeMap;
use std::sync::mpsc::sync_channel;
use std::sync::{Condvar, Mutex, PoisonError};

mod spread;

pub use spread::{Spare, spread};

/// Pieces that may be under way for each worker. More would only hold memory.
const PIECES_PER_WORKER: u64 = 4;

/// Where pieces come from. One worker at a time asks for the next.
pub trait Feed: Send {
    /// A piece of work. Bytes that belong to it lie in the worker's buffer.
    type Piece: Send;

    /// The next piece, if any.
    fn next(&mut self, buffer: &mut Vec<u8>) -> Option<Self::Piece>;
}

struct Queue<F> {
    feed: F,
    next: u64,
    done: u64,
    /// The taker wants no more.
    stopped: bool,
}

/// Hands pieces to `jobs` workers and their results to `take`, in the order of the pieces. Each
/// worker keeps a scratch of its own, and may use the threads of workers that have nothing to do
/// any more. When `take` says no, nothing more is begun.
pub fn run<F, S, R>(
    feed: F,
    jobs: usize,
    scratch: impl Fn() -> S + Sync,
    work: impl Fn(F::Piece, &mut Vec<u8>, &mut S, &Spare) -> R + Sync,
    mut take: impl FnMut(R) -> bool,
) where
    F: Feed,
    R: Send,
{
    let jobs = jobs.max(1);
    let window = PIECES_PER_WORKER.saturating_mul(u64::try_from(jobs).unwrap_or(1));
    let queue = Mutex::new(Queue { feed, next: 0, done: 0, stopped: false });
    let room = Condvar::new();
    let spare = Spare::default();
    std::thread::scope(|scope| {
        let (send, results) = sync_channel(jobs);
        for _ in 0..jobs {
            let send = send.clone();
            let (queue, room, scratch, work, spare) = (&queue, &room, &scratch, &work, &spare);
            scope.spawn(move || {
                let (mut buffer, mut scratch) = (Vec::new(), scratch());
                while let Some((number, piece)) = next(queue, room, window, &mut buffer) {
                    let result = work(piece, &mut buffer, &mut scratch, spare);
                    if send.send((number, result)).is_err() {
                        break;
                    }
                }
                spare.give();
            });
        }
        drop(send);
        let mut early = BTreeMap::new();
        let mut due: u64 = 0;
        let mut wanted = true;
        for (number, result) in results {
            early.insert(number, result);
            while let Some(result) = early.remove(&due) {
                wanted = wanted && take(result);
                due = due.saturating_add(1);
            }
            let mut queue = queue.lock().unwrap_or_else(PoisonError::into_inner);
            queue.done = due;
            queue.stopped = !wanted;
            drop(queue);
            room.notify_all();
        }
    });
}

fn next<F: Feed>(
    queue: &Mutex<Queue<F>>,
    room: &Condvar,
    window: u64,
    buffer: &mut Vec<u8>,
) -> Option<(u64, F::Piece)> {
    let mut queue = queue.lock().unwrap_or_else(PoisonError::into_inner);
    while !queue.stopped && queue.next >= queue.done.saturating_add(window) {
        queue = room.wait(queue).unwrap_or_else(PoisonError::into_inner);
    }
    if queue.stopped {
        return None;
    }
    let piece = queue.feed.next(buffer)?;
    let number = queue.next;
    queue.next = number.saturating_add(1);
    Some((number, piece))
}

#[cfg(test)]
mod tests {
    use super::{Feed, run};

    struct Count {
        next: u32,
        end: u32,
    }

    impl Feed for Count {
        type Piece = u32;

        fn next(&mut self, buffer: &mut Vec<u8>) -> Option<u32> {
            buffer.clear();
            self.next += 1;
            (self.next <= self.end).then_some(self.next)
        }
    }

    #[test]
    fn results_come_in_the_order_of_the_pieces() {
        for jobs in [1, 2, 7] {
            let mut got = Vec::new();
            run(
                Count { next: 0, end: 500 },
                jobs,
                || (),
                |piece, _, (), _| {
                    // Uneven work, so that workers overtake each other.
                    (0..(piece % 7) * 1000)
                        .fold(piece, |sum, it| std::hint::black_box(sum ^ it ^ it))
                },
                |it| {
                    got.push(it);
                    true
                },
            );
            assert_eq!(got, (1..=500).collect::<Vec<_>>(), "{jobs} jobs");
        }
    }

    #[test]
    fn nothing_more_is_begun_when_no_more_is_wanted() {
        let mut got = 0;
        run(
            Count { next: 0, end: 1_000_000 },
            2,
            || (),
            |piece, _, (), _| piece,
            |_| {
                got += 1;
                got < 10
            },
        );
        assert_eq!(got, 10);
    }

    #[test]
    fn no_more_pieces_are_under_way_than_the_window_holds() {
        use std::sync::atomic::{AtomicU64, Ordering};
        let (begun, most) = (AtomicU64::new(0), AtomicU64::new(0));
        let mut taken = 0;
        let jobs = 3;
        run(
            Count { next: 0, end: 2_000 },
            jobs,
            || (),
            |piece, _, (), _| {
                begun.fetch_add(1, Ordering::SeqCst);
                // The first piece takes longest, so that all others must wait for it.
                let work = if piece == 1 { 3_000_000 } else { 10 };
                (0..work).fold(piece, |sum, it| std::hint::black_box(sum ^ it ^ it))
            },
            |_| {
                most.fetch_max(begun.load(Ordering::SeqCst) - taken, Ordering::SeqCst);
                taken += 1;
                true
            },
        );
        assert_eq!(taken, 2_000);
        // One piece more for each worker may lie in the channel.
        let bound = super::PIECES_PER_WORKER * u64::try_from(jobs).unwrap();
        assert!(most.load(Ordering::SeqCst) <= bound, "{most:?} pieces were under way");
    }
}
