//! Which result pmstack takes for which call.

use std::collections::{BTreeMap, VecDeque};

use super::key::Key;
use super::step::{Request, Returned};

/// Up to this many later results are searched one by one.
const SCAN_MAX: usize = 16;

/// The calls and results of a trace, in order.
#[derive(Debug, Default)]
pub struct Pairing<'d> {
    calls: Vec<Called<'d>>,
    results: Vec<Returned<'d>>,
}

/// A call, and how many results stand before it.
#[derive(Debug)]
struct Called<'d> {
    request: Request<'d>,
    before: usize,
}

impl<'d> Pairing<'d> {
    /// Notes a call.
    pub fn call(&mut self, request: Request<'d>) {
        self.calls.push(Called { request, before: self.results.len() });
    }

    /// Notes a result.
    pub fn result(&mut self, returned: Returned<'d>) {
        self.results.push(returned);
    }

    /// The result of each call, both by their places: the first later one of its id that no call
    /// has yet; failing that the first where either has no id and whose name, if it has one, is the
    /// call's.
    pub fn pairs(&self) -> Vec<Option<usize>> {
        let mut search = Search {
            pairing: self,
            used: vec![false; self.results.len()],
            names: None,
            index: None,
        };
        self.calls.iter().map(|call| search.result_of(call)).collect()
    }

    /// The result at a place.
    pub fn returned(&self, place: usize) -> Option<&Returned<'d>> {
        self.results.get(place)
    }

    /// The name of each result: its own, else that of the newest call before it that was filed
    /// under the id that it seeks.
    pub fn names(&self) -> Vec<Key<'d>> {
        let mut filed: BTreeMap<Key<'d>, Key<'d>> = BTreeMap::new();
        let mut calls = self.calls.iter().peekable();
        let results = self.results.iter().enumerate();
        results
            .map(|(place, returned)| {
                while let Some(call) = calls.next_if(|it| it.before <= place) {
                    if let Some(id) = call.request.filed {
                        filed.insert(id, call.request.name);
                    }
                }
                let found = filed.get(&returned.sought).copied().unwrap_or(Key::Null);
                returned.name.or(found).or(Key::Null)
            })
            .collect()
    }
}

struct Search<'p, 'd> {
    pairing: &'p Pairing<'d>,
    used: Vec<bool>,
    names: Option<Vec<Key<'d>>>,
    index: Option<Index<'d>>,
}

impl<'d> Search<'_, 'd> {
    fn result_of(&mut self, call: &Called<'d>) -> Option<usize> {
        let place = self.by_id(call).or_else(|| self.by_name(call))?;
        *self.used.get_mut(place)? = true;
        Some(place)
    }

    fn by_id(&mut self, call: &Called<'d>) -> Option<usize> {
        let id = call.request.id;
        if id.is_nothing() {
            return None;
        }
        let pairing = self.pairing;
        let later = (call.before..).zip(pairing.results.get(call.before..)?);
        let fits =
            |(place, it): &(usize, &Returned<'d>)| it.id == id && !is_used(&self.used, *place);
        let near = later.take(SCAN_MAX).find(fits);
        if near.is_some() || self.is_short(call) {
            return near.map(|it| it.0);
        }
        self.fill();
        let index = self.index.as_mut()?;
        first(index.by_id.get_mut(&id), call.before, &self.used)
    }

    fn by_name(&mut self, call: &Called<'d>) -> Option<usize> {
        let later = self.pairing.results.get(call.before..).filter(|it| !it.is_empty())?;
        let (no_id, name) = (call.request.id.is_nothing(), call.request.name.or(Key::Null));
        if !self.is_short(call) {
            self.fill();
            let index = self.index.as_mut()?;
            let table = if no_id { &mut index.all } else { &mut index.without_id };
            let unnamed = first(table.get_mut(&Key::Null), call.before, &self.used);
            let named = first(table.get_mut(&name), call.before, &self.used);
            return unnamed.into_iter().chain(named).min();
        }
        if !later.iter().any(|it| no_id || it.id.is_nothing()) {
            return None;
        }
        let names = self.names.get_or_insert_with(|| self.pairing.names());
        let mut later = (call.before..).zip(later).zip(names.iter().skip(call.before));
        let found = later.find(|((place, it), its)| {
            (no_id || it.id.is_nothing())
                && (its.is_nothing() || **its == name)
                && !is_used(&self.used, *place)
        })?;
        Some(found.0.0)
    }

    fn is_short(&self, call: &Called<'_>) -> bool {
        self.pairing.results.len().saturating_sub(call.before) <= SCAN_MAX
    }

    fn fill(&mut self) {
        if self.index.is_some() {
            return;
        }
        let mut index = Index::default();
        let names = self.names.get_or_insert_with(|| self.pairing.names());
        for (place, (returned, name)) in self.pairing.results.iter().zip(names).enumerate() {
            if returned.id.is_nothing() {
                index.without_id.entry(*name).or_default().push_back(place);
            } else {
                index.by_id.entry(returned.id).or_default().push_back(place);
            }
            index.all.entry(*name).or_default().push_back(place);
        }
        self.index = Some(index);
    }
}

/// Places of results in order, by id and by name; nothing named is `Key::Null`.
#[derive(Default)]
struct Index<'d> {
    by_id: BTreeMap<Key<'d>, VecDeque<usize>>,
    without_id: BTreeMap<Key<'d>, VecDeque<usize>>,
    all: BTreeMap<Key<'d>, VecDeque<usize>>,
}

/// The first place from `from` on that is not used. Calls come in order, so that what stands
/// before is never asked for again.
fn first(places: Option<&mut VecDeque<usize>>, from: usize, used: &[bool]) -> Option<usize> {
    let places = places?;
    while places.front().is_some_and(|it| *it < from || is_used(used, *it)) {
        places.pop_front();
    }
    places.front().copied()
}

fn is_used(used: &[bool], place: usize) -> bool {
    used.get(place).copied().unwrap_or(true)
}
