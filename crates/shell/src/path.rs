//! Paths as text: where a word leads from a directory, and whether that lies in another one.

use crate::{Dynamic, Piece, Word, World};

/// A place in the file system, resolved as far as text allows.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Path {
    root: Root,
    parts: Vec<String>,
}

/// Where a path begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Root {
    /// At the root of the file system.
    Absolute,
    /// At a home directory that is not known.
    Home,
    /// At a working directory that is not known.
    Start,
}

impl Path {
    /// An absolute path, or one below a directory; none where it leaves what is known.
    pub fn of(text: &str, base: &Path) -> Option<Path> {
        let mut path = if text.starts_with('/') {
            Path { root: Root::Absolute, parts: Vec::new() }
        } else {
            base.clone()
        };
        path.join(text).then_some(path)
    }

    /// The working directory of a world; a place of its own where the world names none.
    pub fn cwd(world: &World<'_>) -> Path {
        Path::known(world.cwd.or(world.workspace))
    }

    /// The workspace of a world; a place of its own where the world names none.
    pub fn workspace(world: &World<'_>) -> Path {
        Path::known(world.workspace.or(world.cwd))
    }

    /// The home directory of a world.
    pub fn home(world: &World<'_>) -> Path {
        match world.home {
            Some(home) => Path::known(Some(home)),
            None => Path { root: Root::Home, parts: Vec::new() },
        }
    }

    fn known(text: Option<&str>) -> Path {
        let start = Path { root: Root::Start, parts: Vec::new() };
        text.and_then(|it| Path::of(it, &start)).unwrap_or(start)
    }

    /// Follows a relative path; says no where it leaves what is known.
    fn join(&mut self, text: &str) -> bool {
        for part in text.split('/') {
            match part {
                "" | "." => {}
                ".." if self.parts.pop().is_none() && self.root != Root::Absolute => return false,
                ".." => {}
                part => self.parts.push(part.to_owned()),
            }
        }
        true
    }

    /// Whether this is a directory or lies in it.
    pub fn is_in(&self, folder: &Path) -> bool {
        self.root == folder.root && self.parts.starts_with(&folder.parts)
    }

    /// What of this path lies below a folder that holds it.
    pub fn below(&self, folder: &Path) -> &[String] {
        self.parts.get(folder.parts.len()..).unwrap_or_default()
    }

    /// Whether this is the root of the file system, or all that lies in it.
    pub fn is_root(&self) -> bool {
        self.root == Root::Absolute && matches!(self.parts.as_slice(), [] | [_] if self.is_all(0))
    }

    /// Whether this is a home directory, or all that lies in it.
    pub fn is_home(&self, home: &Path) -> bool {
        let below = self.below(home).len();
        self.is_in(home)
            && below <= 1
            && !(home.root == Root::Absolute && home.parts.is_empty())
            && self.is_all(home.parts.len())
    }

    /// Whether nothing but a pattern for everything stands behind so many parts.
    fn is_all(&self, from: usize) -> bool {
        let rest = self.parts.get(from..).unwrap_or_default();
        rest.iter().all(|it| matches!(it.as_str(), "*" | ".*" | "{*,.*}" | "{.*,*}" | ".[!.]*"))
    }

    /// The path as a reader would write it.
    pub fn shown(&self) -> String {
        let parts = self.parts.join("/");
        match self.root {
            Root::Absolute => format!("/{parts}"),
            Root::Home if parts.is_empty() => "~".to_owned(),
            Root::Home => format!("~/{parts}"),
            Root::Start if parts.is_empty() => ".".to_owned(),
            Root::Start => parts,
        }
    }
}

/// Where a command works: every directory that it may be in.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Cwd {
    /// The directories.
    pub places: Vec<Path>,
    /// Whether it may be somewhere else too.
    pub lost: bool,
    /// The home directory.
    pub home: Path,
}

/// How many directories a command may be in before it may be anywhere.
const PLACES_MAX: usize = 4;
/// How deep a directory may lie before it may be anywhere.
const PARTS_MAX: usize = 128;

impl Cwd {
    /// Where a text begins.
    pub fn of(world: &World<'_>) -> Cwd {
        Cwd { places: vec![Path::cwd(world)], lost: false, home: Path::home(world) }
    }

    /// Every place that a word may name, and whether it may name others too.
    pub fn resolve(&self, word: &Word) -> (Vec<Path>, bool) {
        let Some((base, rest)) = anchored(word) else { return (Vec::new(), true) };
        let home = [self.home.clone()];
        let (places, lost) = match base {
            Base::Here => (self.places.as_slice(), self.lost && !rest.starts_with('/')),
            Base::Home => (home.as_slice(), false),
        };
        let rest = if base == Base::Home { rest.trim_start_matches('/') } else { rest.as_str() };
        let found: Vec<_> = places.iter().filter_map(|it| Path::of(rest, it)).collect();
        let lost = lost || found.len() < places.len() || found.is_empty();
        (found, lost)
    }

    /// Follows a `cd`; a conditional one may not have happened.
    pub fn go(&mut self, word: Option<&Word>, conditional: bool) {
        let (mut places, lost) = match word {
            None => (vec![self.home.clone()], false),
            Some(word) if word.literal().as_deref() == Some("-") => (Vec::new(), true),
            Some(word) => self.resolve(word),
        };
        if conditional {
            places.extend(self.places.iter().cloned());
        }
        places.sort();
        places.dedup();
        let deep = places.iter().any(|it| it.parts.len() > PARTS_MAX);
        if deep {
            places.clear();
        }
        self.lost = lost || deep || conditional && self.lost || places.len() > PLACES_MAX;
        places.truncate(PLACES_MAX);
        self.places = places;
    }

    /// Whether all that is known of it lies in a folder.
    pub fn is_in(&self, folder: &Path) -> bool {
        !self.lost && self.places.iter().all(|it| it.is_in(folder))
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Base {
    Here,
    Home,
}

/// What a word is relative to and what stands behind; none where that is known only when it runs.
fn anchored(word: &Word) -> Option<(Base, String)> {
    let (base, rest) = match word.pieces.split_first() {
        Some((Piece::Dynamic { what, text, .. }, rest)) => match base(what, text)? {
            Some(base) => (Some(base), rest),
            None => (None, word.pieces.as_slice()),
        },
        _ => (None, word.pieces.as_slice()),
    };
    let text: String = rest.iter().map(literal).collect::<Option<_>>()?;
    if base.is_some() && !text.is_empty() && !text.starts_with('/') {
        return None;
    }
    match base {
        Some(Base::Here) => Some((Base::Here, text.trim_start_matches('/').to_owned())),
        Some(Base::Home) => Some((Base::Home, text)),
        None => Some((Base::Here, text)),
    }
}

fn base(what: &Dynamic, text: &str) -> Option<Option<Base>> {
    match what {
        Dynamic::Tilde if text == "~" => Some(Some(Base::Home)),
        Dynamic::Parameter { name, .. } if name == "HOME" => Some(Some(Base::Home)),
        Dynamic::Parameter { name, plain: true } if name == "PWD" => Some(Some(Base::Here)),
        Dynamic::Glob | Dynamic::Brace => Some(None),
        _ => None,
    }
}

fn literal(piece: &Piece) -> Option<&str> {
    match piece {
        Piece::Literal { text, .. } => Some(text),
        Piece::Dynamic { what: Dynamic::Glob | Dynamic::Brace, text, .. } => Some(text),
        Piece::Dynamic { .. } => None,
    }
}

/// Whether writing to a file changes nothing that stays.
pub(crate) fn is_neutral(text: &str) -> bool {
    matches!(text, "/dev/null" | "/dev/stdout" | "/dev/stderr" | "/dev/tty")
        || text.strip_prefix("/dev/fd/").is_some_and(|it| it.bytes().all(|it| it.is_ascii_digit()))
}
