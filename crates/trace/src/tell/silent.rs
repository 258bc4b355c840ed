//! Turns of models of which nothing is recorded, in runs where other turns say something.

use lawbook_event::is_hidden;

use super::Kin;
use crate::dialog::{Item, Message, Role};
use crate::run::{Node, Work};

/// Marks the turns of models where neither their own node nor one around or inside it holds a
/// message: somebody may have spoken there. A turn that shows what it was asked and no answer is
/// one that failed.
pub fn mark(nodes: &mut [Node<'_>], kin: &Kin) {
    forget_copies(nodes, kin);
    let filled: Vec<bool> = nodes.iter().map(is_filled).collect();
    let mut holds = filled.clone();
    for (at, _) in filled.iter().enumerate().filter(|it| *it.1) {
        for above in kin.turns_above(at) {
            match holds.get_mut(above) {
                Some(held) if !*held => *held = true,
                _ => break,
            }
        }
    }
    for (at, node) in nodes.iter_mut().enumerate() {
        let told = holds.get(at) == Some(&true)
            || kin.turns_above(at).any(|it| filled.get(it) == Some(&true));
        if let (false, Work::Model(turn)) = (told, &mut node.work) {
            turn.input.push(Message::unheard(Role::User));
            turn.output.push(Message::unheard(Role::Agent));
        }
    }
}

/// Takes out what a turn of a model only hides where the one that it stands in, or one that stands
/// in it, holds words: both are the same call of the model.
fn forget_copies(nodes: &mut [Node<'_>], kin: &Kin) {
    let speaks: Vec<bool> = nodes.iter().map(speaks).collect();
    let mut told = vec![false; nodes.len()];
    for (at, node) in nodes.iter().enumerate() {
        let parent = kin.turns_above(at).next().and_then(|it| Some((it, nodes.get(it)?)));
        let own = |it: &(usize, &Node<'_>)| node.parent.as_ref() == Some(&it.1.id);
        let Some((above, parent)) = parent.filter(own) else { continue };
        if !matches!((&node.work, &parent.work), (Work::Model(_), Work::Model(_))) {
            continue;
        }
        for (from, to) in [(at, above), (above, at)] {
            if speaks.get(from) == Some(&true)
                && let Some(told) = told.get_mut(to)
            {
                *told = true;
            }
        }
    }
    for (node, _) in nodes.iter_mut().zip(told).filter(|it| it.1) {
        if let Work::Model(turn) = &mut node.work {
            turn.input.iter_mut().chain(&mut turn.output).for_each(|message| {
                message.items.retain(|it| !hides(it));
            });
        }
    }
}

/// Whether an item says nothing but that something was left out.
fn hides(item: &Item) -> bool {
    match item {
        Item::Text(text) => is_hidden(text),
        Item::Unheard(left) => left.is_empty(),
        Item::Call(_) | Item::Answer(_) => false,
    }
}

/// Whether a turn of a model holds words.
fn speaks(node: &Node<'_>) -> bool {
    let says = |it: &Item| matches!(it, Item::Text(_) | Item::Unheard(_)) && !hides(it);
    match &node.work {
        Work::Model(turn) => {
            turn.input.iter().chain(&turn.output).any(|it| it.items.iter().any(says))
        }
        _ => false,
    }
}

fn is_filled(node: &Node<'_>) -> bool {
    match &node.work {
        Work::Model(turn) | Work::Agent(turn) => !turn.input.is_empty() || !turn.output.is_empty(),
        Work::Tool(_) | Work::Detail { .. } | Work::Other => false,
    }
}
