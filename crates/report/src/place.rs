//! Where a finding stands: the rule's line in its policy, the line of the trace, and a name that
//! stays when lines move.

use std::collections::BTreeMap;

use lawbook_diag::{Finding, Unknown};
use sha2::{Digest, Sha256};

use crate::{Header, SessionReport};

/// A place in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The file, as it was named.
    pub file: String,
    /// The line, from 1, where it is known.
    pub line: Option<u32>,
}

/// Where a rule stands; none where its policy comes from no file.
pub fn rule(header: &Header, layer: usize, id: &str) -> Option<Place> {
    let policy = header.policies.get(layer)?;
    let line = policy.lines.as_ref()?.get(id).copied();
    Some(Place { file: policy.source.clone(), line })
}

/// Where a session stands; none where it comes from no file.
pub fn trace(source: &str) -> Option<Place> {
    if let Some((file, _)) = source.split_once("#/") {
        return named(file, None);
    }
    if let Some((file, line)) = source.rsplit_once(':')
        && let Ok(line) = line.parse::<u32>()
    {
        return named(file, Some(line.max(1)));
    }
    named(source, None)
}

fn named(file: &str, line: Option<u32>) -> Option<Place> {
    (file != "-" && !file.is_empty()).then(|| Place { file: file.to_owned(), line })
}

/// The names of what is said of one session. A name rests on the rule, the session and the step,
/// and on no line and no message, so that it stays when files are split or put in another order.
#[derive(Debug, Default)]
pub struct Names {
    seen: BTreeMap<String, u32>,
}

impl Names {
    /// The name of a finding.
    pub fn finding(&mut self, session: &SessionReport<'_>, it: &Finding) -> String {
        let step = it.step_id.as_deref().unwrap_or_default();
        let (tool, path) = (it.tool.as_deref(), it.path.as_deref());
        let parts =
            [&it.rule, session.id, step, tool.unwrap_or_default(), path.unwrap_or_default()];
        self.name("finding", it.layer, &parts)
    }

    /// The name of an unknown.
    pub fn unknown(&mut self, session: &SessionReport<'_>, it: &Unknown) -> String {
        let step = it.step_id.as_deref().unwrap_or_default();
        self.name("unknown", it.layer, &[&it.rule, session.id, step, &it.missing])
    }

    /// The name of what a check says.
    pub fn check(&mut self, session: &SessionReport<'_>, check: &str) -> String {
        self.name("check", 0, &[check, session.id])
    }

    /// Things of one name in one session are told apart by their order.
    fn name(&mut self, kind: &str, layer: usize, parts: &[&str]) -> String {
        // Each part stands behind its length, so that no two lists of parts read alike.
        let mut text = format!("{kind} {layer}");
        for part in parts {
            text.push_str(&format!(" {}:{part}", part.len()));
        }
        let number = self.seen.entry(text.clone()).or_default();
        *number = number.saturating_add(1);
        let digest = Sha256::digest(format!("{number} {text}").as_bytes());
        digest.iter().take(16).map(|it| format!("{it:02x}")).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::{Place, trace};

    #[test]
    fn a_source_is_a_file_with_a_line_or_without() {
        let place = |file: &str, line| Some(Place { file: file.to_owned(), line });
        assert_eq!(trace("t.jsonl:12"), place("t.jsonl", Some(12)));
        assert_eq!(trace("a:b/t.json#/runs/0"), place("a:b/t.json", None));
        assert_eq!(trace("t.json"), place("t.json", None));
        assert_eq!(trace("t.json:x"), place("t.json:x", None));
        assert_eq!(trace("-"), None);
        assert_eq!(trace("-:3"), None);
    }
}
