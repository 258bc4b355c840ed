//! The order of keys: that of the documentation; keys it does not know come last, as they stood.

use lawbook_rule::kinds::KINDS;
use lawbook_rule::params::{Field, Form, Node, NodeEntry, Shape};

use crate::dialects::fields::{KEYS, RULE, TOOL, WAIVER};

/// The same policy with its keys in order.
pub(super) fn ordered(root: &Node) -> Node {
    let mut root = root.clone();
    sort(&mut root, KEYS);
    for entry in entries(&mut root) {
        match entry.key.as_str() {
            "tools" => entries(&mut entry.value).iter_mut().for_each(|it| tool(&mut it.value)),
            "rules" => items(&mut entry.value).iter_mut().for_each(rule),
            "waivers" => items(&mut entry.value).iter_mut().for_each(|it| by_fields(it, WAIVER)),
            _ => {}
        }
    }
    root
}

fn tool(node: &mut Node) {
    by_fields(node, TOOL);
    for entry in entries(node) {
        if entry.key == "confirm" {
            kind("confirm", &mut entry.value);
        }
    }
}

/// What all rules take, then the kind.
fn rule(node: &mut Node) {
    by_fields(node, RULE);
    for entry in entries(node) {
        kind(&entry.key, &mut entry.value);
    }
}

fn kind(name: &str, node: &mut Node) {
    if let Some(kind) = KINDS.iter().find(|it| it.name() == name) {
        by_fields(node, kind.fields());
    }
}

/// The nesting of shapes is that of the program, so this ends.
fn by_fields(node: &mut Node, fields: &[Field]) {
    let names: Vec<&str> = fields.iter().map(|it| it.name).collect();
    sort(node, &names);
    for entry in entries(node) {
        match fields.iter().find(|it| it.name == entry.key).map(|it| it.shape) {
            Some(Shape::Map(inner)) => by_fields(&mut entry.value, inner),
            Some(Shape::Entries(inner)) => {
                items(&mut entry.value).iter_mut().for_each(|it| by_fields(it, inner));
            }
            _ => {}
        }
    }
}

fn sort(node: &mut Node, names: &[&str]) {
    if let Form::Map(entries) = &mut node.form {
        entries
            .sort_by_key(|it| names.iter().position(|name| *name == it.key).unwrap_or(names.len()));
    }
}

fn entries(node: &mut Node) -> &mut [NodeEntry] {
    match &mut node.form {
        Form::Map(entries) => entries,
        Form::Scalar { .. } | Form::List(_) => &mut [],
    }
}

fn items(node: &mut Node) -> &mut [Node] {
    match &mut node.form {
        Form::List(items) => items,
        Form::Scalar { .. } | Form::Map(_) => &mut [],
    }
}
