//! Credentials in a policy, which is refused for them: policies are copied and logged.

use lawbook_diag::Span;
use lawbook_rule::params::{Fault, Node};

/// Keys whose values are secrets.
const SECRET_KEYS: &[&str] =
    &["password", "passwd", "secret", "token", "api_key", "apikey", "access_key", "private_key"];

/// Beginnings of well-known credentials.
const SECRET_STARTS: &[&str] = &["sk-", "ghp_", "github_pat_", "xoxb-", "AKIA", "-----BEGIN "];

/// Tells every value that looks like a credential.
pub(super) fn tell(root: &Node, faults: &mut Vec<Fault>) {
    let mut left = vec![root];
    while let Some(node) = left.pop() {
        left.extend(node.items());
        for entry in node.entries() {
            left.push(&entry.value);
            if names_secret(&entry.key) && entry.value.words().is_some_and(|it| !it.is_empty()) {
                faults.push(secret(entry.value.span));
            }
        }
        let word = node.words().unwrap_or_default();
        if SECRET_STARTS.iter().any(|it| word.starts_with(it) && word.len() >= 20) {
            faults.push(secret(node.span));
        }
    }
}

fn names_secret(key: &str) -> bool {
    let key = key.to_lowercase().replace('-', "_");
    SECRET_KEYS
        .iter()
        .any(|it| key.strip_suffix(it).is_some_and(|it| it.is_empty() || it.ends_with('_')))
}

fn secret(span: Span) -> Fault {
    let message = "this looks like a credential, and policies are copied and logged";
    Fault::new(span, "credential", message).help("take it out, and change it where it is valid")
}
