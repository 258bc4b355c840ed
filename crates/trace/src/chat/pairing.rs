//! Which call a result answers.

use std::borrow::Cow;
use std::collections::{BTreeMap, VecDeque};

/// Up to this many open calls are searched one by one.
const SCAN_MAX: usize = 32;

/// A call that a result may still come for.
#[derive(Clone, Debug)]
struct Waiting<'d> {
    event: usize,
    message: u64,
    id: Option<Cow<'d, str>>,
    tool: Cow<'d, str>,
    answered: bool,
}

/// The calls with one id in the newest message that has it.
#[derive(Debug, Default)]
struct Newest {
    message: u64,
    places: VecDeque<usize>,
}

/// The calls of a session that wait for their result, in order.
#[derive(Debug, Default)]
pub struct Open<'d> {
    calls: Vec<Waiting<'d>>,
    /// The first call that may still be open.
    first: usize,
    /// Places by id, made when there are too many calls to search.
    by_id: Option<BTreeMap<Cow<'d, str>, Newest>>,
}

impl<'d> Open<'d> {
    /// Notes a call of a message; `event` is where it stands among the events.
    pub fn call(
        &mut self,
        event: usize,
        message: u64,
        id: Option<Cow<'d, str>>,
        tool: Cow<'d, str>,
    ) {
        let place = self.calls.len();
        let waiting = Waiting { event, message, id, tool, answered: false };
        if let Some(by_id) = &mut self.by_id {
            index(by_id, place, &waiting);
        }
        self.calls.push(waiting);
    }

    /// The event of the call that a result belongs to: the first open call with its id in the
    /// newest message that has the id. An earlier message's call is not meant any more, even where
    /// nothing ever answered it. A result without an id belongs to the first open call of its tool,
    /// or the first open call at all.
    pub fn answer(&mut self, id: Option<&str>, tool: Option<&str>) -> Option<usize> {
        while self.calls.get(self.first).is_some_and(|it| it.answered) {
            self.first = self.first.saturating_add(1);
        }
        let place = match id {
            Some(id) => self.with_id(id)?,
            None => self.without_id(tool)?,
        };
        let waiting = self.calls.get_mut(place)?;
        waiting.answered = true;
        Some(waiting.event)
    }

    /// The event of the newest call, if it is open.
    pub fn answer_newest(&mut self) -> Option<usize> {
        let newest = self.calls.last_mut().filter(|it| !it.answered)?;
        newest.answered = true;
        Some(newest.event)
    }

    /// The event of the call of this step, counted from 1, if it is open.
    pub fn answer_step(&mut self, step: u32) -> Option<usize> {
        let place = usize::try_from(step).ok()?.checked_sub(1)?;
        let waiting = self.calls.get_mut(place).filter(|it| !it.answered)?;
        waiting.answered = true;
        Some(waiting.event)
    }

    /// The ids that several calls have, and how many have each.
    pub fn repeated_ids(&self) -> Vec<(&str, usize)> {
        let mut ids: Vec<&str> = self.calls.iter().filter_map(|it| it.id.as_deref()).collect();
        ids.sort_unstable();
        let same = ids.chunk_by(|one, next| one == next).filter(|same| same.len() > 1);
        same.filter_map(|same| Some((*same.first()?, same.len()))).collect()
    }

    fn rest(&self) -> impl DoubleEndedIterator<Item = (usize, &Waiting<'d>)> + ExactSizeIterator {
        let rest = self.calls.get(self.first..).unwrap_or_default();
        let first = self.first;
        rest.iter().enumerate().map(move |(at, it)| (first.saturating_add(at), it))
    }

    fn with_id(&mut self, id: &str) -> Option<usize> {
        if self.rest().len() <= SCAN_MAX {
            let newest = self.rest().rev().find(|(_, it)| it.id.as_deref() == Some(id))?.1.message;
            let fits = |it: &Waiting<'_>| {
                !it.answered && it.message == newest && it.id.as_deref() == Some(id)
            };
            return self.rest().find(|(_, it)| fits(it)).map(|it| it.0);
        }
        if self.by_id.is_none() {
            let mut by_id = BTreeMap::new();
            self.rest().for_each(|(place, waiting)| index(&mut by_id, place, waiting));
            self.by_id = Some(by_id);
        }
        let places = &mut self.by_id.as_mut()?.get_mut(id)?.places;
        loop {
            let place = places.pop_front()?;
            if self.calls.get(place).is_some_and(|it| !it.answered) {
                return Some(place);
            }
        }
    }

    /// Looks at the oldest calls first, then at the newest, and at no more than a window of each.
    fn without_id(&self, tool: Option<&str>) -> Option<usize> {
        let fits = |it: &(usize, &Waiting<'d>)| !it.1.answered && Some(&*it.1.tool) == tool;
        let named = self.rest().take(SCAN_MAX).find(fits);
        let named = named.or_else(|| self.rest().rev().take(SCAN_MAX).find(fits));
        named.or_else(|| self.rest().next()).map(|it| it.0)
    }
}

fn index<'d>(by_id: &mut BTreeMap<Cow<'d, str>, Newest>, place: usize, waiting: &Waiting<'d>) {
    let Some(id) = waiting.id.clone() else { return };
    let newest = by_id.entry(id).or_default();
    if newest.message != waiting.message {
        newest.message = waiting.message;
        newest.places.clear();
    }
    newest.places.push_back(place);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call<'d>(
        open: &mut Open<'d>,
        event: usize,
        message: u64,
        id: Option<&'d str>,
        tool: &'d str,
    ) {
        open.call(event, message, id.map(Cow::Borrowed), Cow::Borrowed(tool));
    }

    #[test]
    fn results_find_their_calls() {
        let mut open = Open::default();
        let calls = [(10, Some("a"), "x"), (11, Some("a"), "x"), (12, None, "y"), (13, None, "z")];
        for (event, id, tool) in calls {
            call(&mut open, event, 1, id, tool);
        }
        assert_eq!(open.answer(Some("a"), None), Some(10));
        assert_eq!(open.answer(Some("b"), Some("x")), None);
        assert_eq!(open.answer(Some("a"), None), Some(11));
        assert_eq!(open.answer(Some("a"), None), None);
        assert_eq!(open.answer(None, Some("z")), Some(13));
        assert_eq!(open.answer(None, Some("q")), Some(12));
        assert_eq!(open.answer(None, None), None);
    }

    #[test]
    fn an_id_means_the_newest_message_that_has_it() {
        // Once searched one by one, once through the index.
        for others in [0, 100] {
            let mut open = Open::default();
            call(&mut open, 1, 1, Some("a"), "verify");
            (0..others).for_each(|event| call(&mut open, 1000 + event, 1, None, "x"));
            call(&mut open, 2, 2, Some("a"), "x");
            call(&mut open, 3, 2, Some("a"), "x");
            assert_eq!(open.answer(Some("a"), None), Some(2));
            assert_eq!(open.answer(Some("a"), None), Some(3));
            assert_eq!(open.answer(Some("a"), None), None);
            call(&mut open, 4, 3, Some("a"), "x");
            assert_eq!(open.answer(Some("a"), None), Some(4));
            assert_eq!(open.answer(Some("a"), None), None);
            assert_eq!(open.repeated_ids(), [("a", 4)]);
        }
    }

    #[test]
    fn many_open_calls_are_found_by_id_in_order() {
        let ids: Vec<String> = (0..20_000).map(|it| (it % 10_000).to_string()).collect();
        let mut open = Open::default();
        for (event, id) in ids.iter().enumerate() {
            call(&mut open, event, 1, Some(id), "x");
        }
        for round in 0..2 {
            for (place, id) in ids.iter().take(10_000).enumerate().rev() {
                assert_eq!(open.answer(Some(id), None), Some(place + round * 10_000));
            }
        }
        assert_eq!(open.answer(Some("7"), None), None);
    }

    #[test]
    fn many_results_without_ids_take_linear_time() {
        let mut open = Open::default();
        call(&mut open, 0, 1, None, "first");
        for event in 1..200_000 {
            call(&mut open, event, 1, None, "x");
            assert_eq!(open.answer(None, Some("x")), Some(event));
        }
    }
}
