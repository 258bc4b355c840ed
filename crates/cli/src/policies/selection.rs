//! Which rules of the policies are kept.

use lawbook_diag::{Finding, Problem, nearest};
use lawbook_rule::kinds::OWN_PAGES;
use lawbook_rule::{Policy, Profile, names};

/// Rules that a note names; the rest is counted.
const NAMED_MAX: usize = 20;

/// Which rules are kept.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    /// Only these, if any are named.
    pub rules: Vec<String>,
    /// Not these.
    pub ignore: Vec<String>,
}

impl Selection {
    /// Whether a finding is kept. Policies hold only rules that are wanted; the engine's own, as
    /// `waiver`, stand in none.
    #[must_use]
    pub fn keeps(&self, finding: &Finding) -> bool {
        !is_own(finding.kind) || self.wants(&finding.rule)
    }

    /// Whether a rule of this id is judged by.
    #[must_use]
    pub fn wants(&self, id: &str) -> bool {
        let named = |wanted: &[String]| wanted.iter().any(|it| names(id, it));
        (self.rules.is_empty() || named(&self.rules)) && !named(&self.ignore)
    }

    /// Keeps the rules that are wanted, and gives back the ids of the others.
    pub fn keep(&self, policy: &mut Policy) -> Vec<String> {
        let mut out = Vec::new();
        policy.retain(|rule| {
            let wanted = self.wants(&rule.id);
            if !wanted {
                out.push(rule.id.to_string());
            }
            wanted
        });
        out
    }

    /// Keeps the rules that are wanted, notes what is left out, and tells what is wrong with the
    /// selection.
    pub fn apply(&self, layers: &mut [Policy], notes: &mut Vec<String>) -> Vec<Problem> {
        let problems = self.unknown(layers, notes);
        if !problems.is_empty() {
            return problems;
        }
        let out: Vec<String> = layers.iter_mut().flat_map(|it| self.keep(it)).collect();
        if out.is_empty() {
            return Vec::new();
        }
        let own = self.rules.iter().any(|it| is_own(it));
        if layers.iter().all(|it| it.rules.is_empty()) && !own {
            let flag = if self.rules.is_empty() { "--ignore" } else { "--rules" };
            return vec![
                Problem::new(flag, "no_rule", "this leaves no rule to judge by")
                    .help(format!("the policies hold {}", listed(&out))),
            ];
        }
        notes.push(format!("rules left out: {}", listed(&out)));
        Vec::new()
    }

    /// A problem for every id that no policy knows. Where all policies are judged as their own
    /// systems do, it is a note, since those systems ignore it.
    fn unknown(&self, layers: &[Policy], notes: &mut Vec<String>) -> Vec<Problem> {
        let lenient = layers.iter().all(|it| it.profile == Profile::Compatible);
        let of = |flag, ids: &'_ [String]| ids.iter().map(move |id| (flag, id.clone())).collect();
        let wanted: [Vec<(&str, String)>; 2] =
            [of("--rules", &self.rules), of("--ignore", &self.ignore)];
        let known = |id: &str| is_own(id) || layers.iter().any(|it| it.has_rule(id));
        let mut problems = Vec::new();
        for (flag, id) in wanted.into_iter().flatten().filter(|it| !known(&it.1)) {
            let message = format!("no policy has a rule `{id}`");
            if lenient {
                notes.push(message);
            } else {
                problems.push(unknown_rule(flag, &id, message, layers));
            }
        }
        problems
    }
}

/// Whether this is a rule of the engine's own.
fn is_own(id: &str) -> bool {
    OWN_PAGES.iter().any(|it| it.0 == id)
}

fn unknown_rule(flag: &str, id: &str, message: String, layers: &[Policy]) -> Problem {
    let own = OWN_PAGES.iter().map(|it| it.0);
    let rules = layers.iter().flat_map(|it| &it.rules).map(|it| it.id.as_ref());
    let ids: Vec<&str> = rules.chain(own).collect();
    let help = match nearest(id, ids.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("its rules are {}", ids.join(", ")),
    };
    Problem::new(flag, "unknown_rule", message).help(help)
}

fn listed(ids: &[String]) -> String {
    let more = ids.len().saturating_sub(NAMED_MAX);
    let shown = ids.iter().take(NAMED_MAX).map(String::as_str).collect::<Vec<_>>().join(", ");
    if more > 0 { format!("{shown} and {more} more") } else { shown }
}
