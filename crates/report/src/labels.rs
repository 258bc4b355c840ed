//! Names of tools as labels of what is counted. An agent can call a tool by any name, so a name is a
//! label only where somebody listed it. Whatever counts by tool for a machine, as the metrics of a
//! server do, counts under these.

use std::collections::BTreeSet;

use crate::unseen::is_unseen;

/// Tools that have a label of their own.
pub const LABELS_MAX: usize = 1_000;

/// Bytes of one label.
pub const LABEL_BYTES_MAX: usize = 128;

/// The label of every other tool.
const OTHER: &str = "other";

/// The labels of tools: never more than were listed, and one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ToolLabels {
    listed: BTreeSet<String>,
}

impl ToolLabels {
    /// The labels of these tools. One whose name is too long, empty or does not show whole has none
    /// of its own, nor have those past [`LABELS_MAX`] in the order of their names.
    ///
    /// ```
    /// use lawbook_report::ToolLabels;
    ///
    /// let labels = ToolLabels::new(["pay", "look\u{200b}up"]);
    /// assert_eq!((labels.of("pay"), labels.of("Pay"), labels.of("x\n")), ("pay", "other", "other"));
    /// assert_eq!(labels.of("look\u{200b}up"), "other");
    /// ```
    pub fn new<'t>(listed: impl IntoIterator<Item = &'t str>) -> Self {
        let fit: BTreeSet<&str> = listed.into_iter().filter(|it| fits(it)).collect();
        ToolLabels { listed: fit.into_iter().take(LABELS_MAX).map(str::to_owned).collect() }
    }

    /// The label of a tool.
    #[must_use]
    pub fn of(&self, tool: &str) -> &str {
        self.listed.get(tool).map_or(OTHER, String::as_str)
    }
}

fn fits(name: &str) -> bool {
    (1..=LABEL_BYTES_MAX).contains(&name.len()) && !name.chars().any(is_unseen)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{LABEL_BYTES_MAX, LABELS_MAX, OTHER, ToolLabels};

    /// Numbers without a source of chance: the same in every run.
    fn stirred(seed: &mut u64) -> u64 {
        *seed =
            seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        *seed >> 33
    }

    #[test]
    fn a_hundred_thousand_hostile_names_have_no_more_labels_than_were_listed_and_one() {
        let listed = ["pay", "look_up", "überweisen", "shell.exec"];
        let labels = ToolLabels::new(listed);
        let pieces = [
            "pay",
            "look_up",
            "überweisen",
            "shell.exec",
            "\n",
            "\u{1b}[2J",
            "\u{202e}",
            "\0",
            " ",
            "{a=\"b\"}",
            "\"",
            "\\",
            "\u{200b}",
            "Pay",
            "😀",
            "#",
            "other",
            "a",
        ];
        let (mut seed, mut seen) = (7, BTreeSet::new());
        for number in 0..100_000_u64 {
            let few = stirred(&mut seed) % 4;
            let mut name: String = (0..few)
                .map(|_| pieces[usize::try_from(stirred(&mut seed)).unwrap() % pieces.len()])
                .collect();
            if stirred(&mut seed).is_multiple_of(3) {
                name.push_str(&number.to_string());
            }
            let label = labels.of(&name);
            assert!(label == OTHER || label == name, "`{name}` is counted as `{label}`");
            assert!(!label.chars().any(char::is_control), "{label:?}");
            seen.insert(label.to_owned());
        }
        assert_eq!(seen.len(), listed.len() + 1, "{seen:?}");
    }

    #[test]
    fn what_is_listed_past_the_bounds_is_other() {
        let names: Vec<String> = (0..LABELS_MAX + 5).map(|it| format!("t{it:05}")).collect();
        let labels = ToolLabels::new(names.iter().map(String::as_str));
        let seen: BTreeSet<&str> = names.iter().map(|it| labels.of(it)).collect();
        assert_eq!((seen.len(), labels.of(&names[LABELS_MAX])), (LABELS_MAX + 1, OTHER));
        let long = "x".repeat(LABEL_BYTES_MAX);
        let longer = format!("{long}x");
        let labels = ToolLabels::new([long.as_str(), &longer, "", "a\tb"]);
        assert_eq!(labels.of(&long), long);
        assert_eq!([labels.of(&longer), labels.of(""), labels.of("a\tb")], [OTHER; 3]);
    }
}
