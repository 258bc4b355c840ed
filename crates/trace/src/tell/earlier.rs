//! The calls of runs that come before a run in its input: a history may begin in another run.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use super::calls::bare;
use crate::dialog::Asked;
use crate::print::Print;

/// The calls of all runs of an input, which may be told on several threads.
#[derive(Debug, Default)]
pub struct Earlier<'d> {
    told: Mutex<Told<'d>>,
    more: Condvar,
}

#[derive(Debug, Default)]
struct Told<'d> {
    /// How many runs there are so far.
    runs: usize,
    /// How many runs wait for one before them.
    waiting: usize,
    /// The calls of runs that were told, by their place, which nothing was compared with yet.
    fresh: BTreeMap<usize, Vec<Past<'d>>>,
    /// How many runs `prints` holds: all before this place.
    printed: usize,
    prints: BTreeSet<(Option<String>, String, Option<u128>)>,
}

/// A call of a run that was told.
#[derive(Debug)]
pub struct Past<'d> {
    /// The caller's own id.
    pub id: Option<Cow<'d, str>>,
    /// The tool.
    pub tool: Cow<'d, str>,
    /// The arguments.
    pub print: Print<'d>,
}

/// What comes before a run in its input.
#[derive(Debug)]
pub struct Before<'d> {
    earlier: Arc<Earlier<'d>>,
    place: usize,
    calls: Vec<Past<'d>>,
}

impl<'d> Earlier<'d> {
    /// What comes before the next run of the input. A run waits for all before it where its history
    /// holds a call that is not its own, so runs are told in their order, or on other threads than
    /// those before.
    pub fn next(self: &Arc<Self>) -> Before<'d> {
        let mut told = self.told();
        let place = told.runs;
        told.runs = place.saturating_add(1);
        Before { earlier: self.clone(), place, calls: Vec::new() }
    }

    fn told(&self) -> MutexGuard<'_, Told<'d>> {
        self.told.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<'d> Told<'d> {
    fn print(&mut self, calls: Vec<Past<'d>>) {
        for call in calls {
            let (tool, print) = (bare(&call.tool).to_owned(), call.print.get());
            // Some histories drop the ids.
            self.prints.insert((None, tool.clone(), print));
            if let Some(id) = call.id {
                self.prints.insert((Some(id.into_owned()), tool, print));
            }
        }
        self.printed = self.printed.saturating_add(1);
    }
}

impl<'d> Before<'d> {
    /// Whether an earlier run has this call.
    pub fn has(&self, asked: &Asked, print: &Print<'_>) -> bool {
        let mut told = self.earlier.told();
        while told.printed < self.place {
            let next = told.printed;
            match told.fresh.remove(&next) {
                Some(calls) => told.print(calls),
                None => {
                    told.waiting = told.waiting.saturating_add(1);
                    let woken = self.earlier.more.wait(told);
                    told = woken.unwrap_or_else(PoisonError::into_inner);
                    told.waiting = told.waiting.saturating_sub(1);
                }
            }
        }
        if told.prints.is_empty() {
            return false;
        }
        let key = (asked.id.clone(), bare(&asked.tool).to_owned(), print.get());
        told.prints.contains(&key)
    }

    /// The run is told, and these are its calls.
    pub fn end(mut self, calls: Vec<Past<'d>>) {
        self.calls = calls;
    }
}

/// A run that is given up has no calls, and nobody waits for it.
impl Drop for Before<'_> {
    fn drop(&mut self) {
        let calls = std::mem::take(&mut self.calls);
        let mut told = self.earlier.told();
        told.fresh.insert(self.place, calls);
        // Few runs wait, and to wake nobody is a call of the system too.
        if told.waiting > 0 {
            self.earlier.more.notify_all();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::thread;
    use std::time::Duration;

    use lawbook_event::{Args, ArgsState};

    use super::*;

    fn args(text: &str) -> Args<'_> {
        Args { text: Cow::Borrowed(text), state: ArgsState::Whole }
    }

    fn past(id: &'static str, text: &'static str) -> Past<'static> {
        Past { id: Some(id.into()), tool: "t".into(), print: Print::new(args(text)) }
    }

    fn asked(id: &str, text: &str) -> Asked {
        let args = Args { text: text.to_owned().into(), state: ArgsState::Whole };
        Asked { id: Some(id.to_owned()), server: None, tool: "t".to_owned(), args }
    }

    fn has(before: &Before<'_>, id: &str, text: &str) -> bool {
        let asked = asked(id, text);
        before.has(&asked, &Print::borrowed(&asked.args))
    }

    #[test]
    fn a_run_waits_for_those_before_it_and_sees_none_after_it() {
        let earlier = Arc::new(Earlier::default());
        let (first, second, third, fourth) =
            (earlier.next(), earlier.next(), earlier.next(), earlier.next());
        thread::scope(|scope| {
            let third = scope.spawn(move || {
                let seen = ["1", "2", "4"].map(|it| has(&third, it, it));
                third.end(vec![past("3", "3")]);
                seen
            });
            fourth.end(vec![past("4", "4")]);
            second.end(vec![past("2", "2")]);
            thread::sleep(Duration::from_millis(5));
            assert!(!third.is_finished());
            first.end(vec![past("1", "1")]);
            assert_eq!(third.join().unwrap(), [true, true, false]);
        });
        let last = earlier.next();
        assert!(["1", "2", "3", "4"].iter().all(|it| has(&last, it, it)));
        assert!(!has(&last, "1", "2"));
    }

    #[test]
    fn nobody_waits_for_a_run_that_is_given_up() {
        let earlier = Arc::new(Earlier::default());
        drop(earlier.next());
        assert!(!has(&earlier.next(), "1", "1"));
    }
}
