//! A pattern over files: where a path leads, told from its text alone, and whether that is meant.

mod translate;

use lawbook_event::{EXACT, Pattern, PatternError, PatternUse};

use crate::{Footing, Location, Session};
use translate::translate;

/// A pattern over files.
#[derive(Clone, Debug)]
pub struct FileGlob {
    text: String,
    anchor: Anchor,
    permits: Pattern,
    forbids: Pattern,
}

/// The folder that a pattern starts from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// The root of the file system.
    Root,
    /// The home directory.
    Home,
    /// The working directory.
    Here,
    /// The workspace.
    Workspace,
}

/// How a pattern is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GlobStyle {
    /// As in `.gitignore`: `*` stays in one folder, `**` crosses folders, a name without a slash is
    /// found at any depth, and a folder means everything in it.
    Ignore,
    /// `*` stands for any run of characters and `?` for one, slashes too.
    Plain,
}

/// What relative paths stand on.
#[derive(Clone, Copy, Debug, Default)]
pub struct Standing<'s> {
    /// The working directory, if it is known.
    pub cwd: Option<&'s str>,
    /// The folder that the agent works in, if it is known.
    pub workspace: Option<&'s str>,
    /// The home directory, if it is known.
    pub home: Option<&'s str>,
}

impl<'s> Standing<'s> {
    /// What the paths of a call stand on.
    #[must_use]
    pub fn of(session: &'s Session, cwd: Option<&'s str>) -> Self {
        Standing {
            cwd: cwd.or(session.cwd()).or(session.workspace()),
            workspace: session.workspace().or(session.cwd()),
            home: session.home(),
        }
    }
}

impl FileGlob {
    /// A pattern that starts from a folder.
    ///
    /// # Errors
    ///
    /// The pattern is none, or too large.
    pub fn new(text: &str, anchor: Anchor, style: GlobStyle) -> Result<Self, PatternError> {
        let source = translate(text, style);
        Ok(FileGlob {
            text: text.to_owned(),
            anchor,
            permits: EXACT.pattern(&source, false, PatternUse::Allow)?,
            forbids: EXACT.pattern(&source, true, PatternUse::Deny)?,
        })
    }

    /// The pattern as it was written.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether a path surely leads to a file that is meant, whoever reads it.
    #[must_use]
    pub fn permits(&self, path: &str, standing: Standing<'_>) -> bool {
        let Some(places) = places(path, standing) else { return false };
        let meant =
            |it: &String| self.below(it, standing).is_some_and(|it| self.permits.is_match(it));
        places.iter().all(meant)
    }

    /// Whether a path may lead to a file that is meant, for some reader.
    #[must_use]
    pub fn forbids(&self, path: &str, standing: Standing<'_>) -> bool {
        let Some(places) = places(path, standing) else { return true };
        places.iter().any(|it| self.may_mean(it, standing))
    }

    fn may_mean(&self, place: &str, standing: Standing<'_>) -> bool {
        match self.below(place, standing) {
            Some(rest) => self.forbids.is_match(rest),
            None if self.is_known(place, standing) => false,
            // Where either of the two is not known, the pattern may start at any folder.
            None => tails(place).any(|it| self.forbids.is_match(it)),
        }
    }

    fn base<'s>(&self, standing: Standing<'s>) -> Option<&'s str> {
        let base = match self.anchor {
            Anchor::Root => Some("/"),
            Anchor::Home => standing.home,
            Anchor::Here => standing.cwd,
            Anchor::Workspace => standing.workspace,
        };
        base.filter(|it| it.starts_with('/'))
    }

    /// The rest of a place below the folder that the pattern starts from.
    fn below<'p>(&self, place: &'p str, standing: Standing<'_>) -> Option<&'p str> {
        if let Some(base) = self.base(standing) {
            let rest = place.strip_prefix(base.trim_end_matches('/'))?;
            return if rest.is_empty() { Some(rest) } else { rest.strip_prefix('/') };
        }
        match self.anchor {
            Anchor::Root => place.strip_prefix('/'),
            Anchor::Home => place.strip_prefix("~/"),
            Anchor::Here | Anchor::Workspace => {
                Some(place).filter(|it| !it.starts_with('/') && !it.starts_with('~'))
            }
        }
    }

    /// Whether both the place and the folder that the pattern starts from are known.
    fn is_known(&self, place: &str, standing: Standing<'_>) -> bool {
        place.starts_with('/') && self.base(standing).is_some()
    }
}

/// The places that some reader would take a path for: absolute, or from `~` or from the working
/// directory where those are not known. None where that can't be told.
fn places(path: &str, standing: Standing<'_>) -> Option<Vec<String>> {
    let footing = Footing { cwd: standing.cwd, home: standing.home };
    let readings = Location::readings(path, footing).ok()?;
    Some(readings.iter().map(Location::text).collect())
}

/// A place, and what is left of it behind each of its folders.
fn tails(place: &str) -> impl Iterator<Item = &str> {
    let behind = place.match_indices('/').filter_map(|(at, _)| place.get(at.saturating_add(1)..));
    std::iter::once(place).chain(behind)
}

#[cfg(test)]
mod tests;
