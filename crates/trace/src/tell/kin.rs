//! Which node stands inside which.

use crate::run::{Node, Work};

/// How far up the tree is looked for a relation between two turns.
const UP_MAX: usize = 64;

/// The relations between the nodes of a run, by place.
#[derive(Debug)]
pub struct Kin {
    /// The nearest tool above.
    tool: Vec<Option<usize>>,
    /// The nearest model or agent above.
    turn: Vec<Option<usize>>,
}

impl Kin {
    /// Finds the relations. A parent that is missing, or above itself, is no parent.
    pub fn of(nodes: &[Node<'_>]) -> Self {
        let mut places: Vec<(&str, usize)> =
            nodes.iter().enumerate().map(|(at, node)| (node.id.as_ref(), at)).collect();
        places.sort_unstable();
        // The first node of an id speaks for it.
        places.dedup_by_key(|it| it.0);
        let parents: Vec<Option<usize>> = nodes
            .iter()
            .enumerate()
            .map(|(at, node)| {
                let parent = node.parent.as_deref().filter(|id| !id.is_empty())?;
                let found = places.binary_search_by_key(&parent, |it| it.0).ok()?;
                places.get(found).map(|it| it.1).filter(|parent| *parent != at)
            })
            .collect();
        let is_tool = |at: usize| matches!(nodes.get(at), Some(Node { work: Work::Tool(_), .. }));
        let is_turn = |at: usize| {
            matches!(nodes.get(at), Some(Node { work: Work::Model(_) | Work::Agent(_), .. }))
        };
        Kin { tool: nearest(&parents, is_tool), turn: nearest(&parents, is_turn) }
    }

    /// The nearest tool that a node runs inside.
    pub fn tool_above(&self, at: usize) -> Option<usize> {
        self.tool.get(at).copied().flatten()
    }

    /// Whether one of two turns stands inside the other, or they are the same.
    pub fn related(&self, a: usize, b: usize) -> bool {
        a == b || self.inside(a, b) || self.inside(b, a)
    }

    fn inside(&self, inner: usize, outer: usize) -> bool {
        self.turns_above(inner).any(|at| at == outer)
    }

    /// The turns that a node stands in, the nearest first.
    pub fn turns_above(&self, at: usize) -> impl Iterator<Item = usize> {
        let up = |at: &usize| self.turn.get(*at).copied().flatten();
        std::iter::successors(up(&at), up).take(UP_MAX)
    }
}

/// For every node the nearest one above that is wanted, in one walk over each path.
fn nearest(parents: &[Option<usize>], wanted: impl Fn(usize) -> bool) -> Vec<Option<usize>> {
    let mut found: Vec<Option<Option<usize>>> = vec![None; parents.len()];
    let mut on_path = vec![false; parents.len()];
    for start in 0..parents.len() {
        let mut path = Vec::new();
        let mut at = start;
        let mut above = loop {
            match found.get(at) {
                Some(Some(known)) => break if wanted(at) { Some(at) } else { *known },
                // Back on the path: a cycle, which is cut here.
                Some(None) if on_path.get(at) == Some(&true) => break None,
                Some(None) => {}
                None => break None,
            }
            path.push(at);
            if let Some(mark) = on_path.get_mut(at) {
                *mark = true;
            }
            match parents.get(at).copied().flatten() {
                Some(parent) => at = parent,
                None => break None,
            }
        };
        while let Some(at) = path.pop() {
            if let (Some(slot), Some(mark)) = (found.get_mut(at), on_path.get_mut(at)) {
                *slot = Some(above);
                *mark = false;
            }
            if wanted(at) {
                above = Some(at);
            }
        }
    }
    found.into_iter().map(Option::flatten).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(id: &'static str, parent: &'static str, work: Work<'static>) -> Node<'static> {
        let parent = (!parent.is_empty()).then(|| parent.into());
        Node { id: id.into(), parent, start: 0, end: 0, work }
    }

    #[test]
    fn relations_survive_cycles_and_missing_parents() {
        let tool = || Work::Tool(Box::default());
        let model = || Work::Model(crate::run::Turn::default());
        let nodes = [
            node("m1", "t1", model()),
            node("m2", "m1", model()),
            node("t1", "gone", tool()),
            node("c1", "c2", model()),
            node("c2", "c1", tool()),
            node("self", "self", tool()),
        ];
        let kin = Kin::of(&nodes);
        assert_eq!(
            (kin.tool_above(0), kin.tool_above(1), kin.tool_above(2)),
            (Some(2), Some(2), None)
        );
        assert!(kin.related(0, 1) && kin.related(1, 0) && !kin.related(0, 3));
        assert_eq!(kin.tool_above(5), None);
        assert_eq!(kin.tool_above(3), Some(4));
    }

    #[test]
    fn deep_trees_take_linear_time() {
        let nodes: Vec<Node<'_>> = (0..200_000_u32)
            .map(|it| Node {
                id: it.to_string().into(),
                parent: Some((it + 1).to_string().into()),
                start: 0,
                end: 0,
                work: Work::Other,
            })
            .collect();
        assert_eq!(Kin::of(&nodes).tool_above(0), None);
    }
}
