//! The few shapes that no rule can allow: wiping the root or the home directory, and a fork bomb.

use crate::path::{Cwd, Path};
use crate::{Analysis, Segment, Unclear, raw};

/// The shape of a function that only starts itself, twice, for ever.
pub const FORK_BOMB: &str = "a fork bomb";

/// Looks at one segment; its shape is told once.
pub(crate) fn look(segment: &Segment, cwd: &Cwd, out: &mut Vec<String>) {
    let removes = matches!(segment.program.as_deref(), Some("grm" | "rm"));
    if !removes || !segment.reading.has("-r") {
        return;
    }
    for operand in &segment.reading.operands {
        // Operands are counted behind the program.
        let Some(word) = segment.argv.get(operand.at.saturating_add(1)) else { continue };
        let (places, _) = cwd.resolve(word);
        if let Some(shape) = places.iter().find_map(|it| shape(it, &cwd.home)) {
            tell(shape, out);
        }
    }
}

/// Looks at the words of a text that could not be understood.
pub(crate) fn raw(text: &str, out: &mut Analysis) {
    if !out.unclear.iter().any(is_lost) {
        return;
    }
    for words in raw::commands(text) {
        let Some(at) = words.iter().position(|it| it.rsplit('/').next() == Some("rm")) else {
            continue;
        };
        let behind = words.get(at..).unwrap_or_default();
        let recursive = |it: &&String| {
            it.starts_with("--r") || it.starts_with('-') && !it.starts_with("--") && it.contains(['r', 'R'])
        };
        if !behind.iter().any(|it| recursive(&it)) {
            continue;
        }
        for word in behind {
            let rest = ["~", "$HOME", "${HOME}"].iter().find_map(|it| word.strip_prefix(it));
            if word.starts_with('/') && word.trim_matches(['/', '.', '*']).is_empty() {
                tell("removes the root of the file system", &mut out.catastrophes);
            } else if rest.is_some_and(|it| it.trim_matches(['/', '.', '*']).is_empty()) {
                tell("removes the home directory", &mut out.catastrophes);
            }
        }
    }
    let squeezed: String = text.chars().filter(|it| !it.is_whitespace()).collect();
    if squeezed.contains(":(){:|:&}") {
        tell(FORK_BOMB, &mut out.catastrophes);
    }
}

/// Whether commands of the text may be missing from its segments.
pub(crate) fn is_lost(unclear: &Unclear) -> bool {
    matches!(
        unclear,
        Unclear::Syntax { .. } | Unclear::Control(_) | Unclear::Limit(_) | Unclear::Construct(_)
    )
}

fn shape(path: &Path, home: &Path) -> Option<&'static str> {
    if path.is_root() {
        Some("removes the root of the file system")
    } else if path.is_home(home) {
        Some("removes the home directory")
    } else {
        None
    }
}

fn tell(shape: &str, out: &mut Vec<String>) {
    if !out.iter().any(|it| it == shape) {
        out.push(shape.to_owned());
    }
}
