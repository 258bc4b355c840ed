//! A policy as JSON: one entry a line, short lists and maps on one.

use lawbook_event::json::write_string;
use lawbook_rule::params::{Form, Node};

use super::LINE_WIDTH;

/// Lays out a policy.
pub(super) fn layout(root: &Node) -> String {
    let mut out = String::new();
    value(&mut out, root, 0, 0);
    out.push('\n');
    out
}

/// A value, as deep as the tree nests, which its reader bounds.
fn value(out: &mut String, node: &Node, indent: usize, used: usize) {
    let line = one_line(node);
    let inner = indent.saturating_add(2);
    let margin = format!("\n{}", " ".repeat(inner));
    let fits = indent > 0 && used.saturating_add(line.chars().count()) <= LINE_WIDTH;
    match &node.form {
        Form::List(items) if !fits && !items.is_empty() => {
            out.push('[');
            for (place, item) in items.iter().enumerate() {
                out.push_str(if place > 0 { "," } else { "" });
                out.push_str(&margin);
                value(out, item, inner, inner);
            }
            close(out, indent, ']');
        }
        Form::Map(entries) if !fits && !entries.is_empty() => {
            out.push('{');
            for (place, entry) in entries.iter().enumerate() {
                out.push_str(if place > 0 { "," } else { "" });
                out.push_str(&margin);
                write_string(out, &entry.key);
                out.push_str(": ");
                let used = inner.saturating_add(entry.key.chars().count()).saturating_add(5);
                value(out, &entry.value, inner, used);
            }
            close(out, indent, '}');
        }
        _ => out.push_str(&line),
    }
}

fn close(out: &mut String, indent: usize, mark: char) {
    out.push('\n');
    out.push_str(&" ".repeat(indent));
    out.push(mark);
}

fn one_line(node: &Node) -> String {
    match &node.form {
        Form::List(items) => {
            let items: Vec<String> = items.iter().map(one_line).collect();
            format!("[{}]", items.join(", "))
        }
        Form::Map(entries) => {
            let entries = entries.iter().map(|it| {
                let mut key = String::new();
                write_string(&mut key, &it.key);
                format!("{key}: {}", one_line(&it.value))
            });
            format!("{{{}}}", entries.collect::<Vec<_>>().join(", "))
        }
        // JSON holds no number that is unclear, so nothing is told here.
        Form::Scalar { .. } => node.json(&mut Vec::new()),
    }
}
