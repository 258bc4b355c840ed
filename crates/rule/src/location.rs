//! Where a path leads, told from its text alone: no file system is asked, so links are not seen.

mod spellings;

#[cfg(test)]
mod tests;

pub use spellings::Odd;

/// How many parts a path may have.
const PATH_PARTS_MAX: usize = 1_000;

/// What relative paths and `~` stand on.
#[derive(Clone, Copy, Debug, Default)]
pub struct Footing<'f> {
    /// The working directory, if it is known.
    pub cwd: Option<&'f str>,
    /// The home directory, if it is known.
    pub home: Option<&'f str>,
}

/// A place in a file system, `.` and `..` taken out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Location {
    start: Start,
    parts: Vec<String>,
}

/// What a location starts from.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Start {
    /// `/`.
    Root,
    /// A drive of Windows, or a share in its network, in lower case.
    Drive(String),
    /// The home directory, where that is not known.
    Home,
    /// The working directory, where that is not known.
    Here,
}

impl Location {
    /// The one location that a text names as it stands: for paths that a policy or a host writes.
    ///
    /// # Errors
    /// With what keeps it from naming one.
    pub fn plain(text: &str, footing: Footing<'_>) -> Result<Self, Odd> {
        let text = text.strip_suffix(['/', '\\']).filter(|it| !it.is_empty()).unwrap_or(text);
        read(text, footing)
    }

    /// Every location that some reader would take a text for: percent escapes decoded or not,
    /// back-slashes as separators or as characters, look-alike characters as what they look like.
    ///
    /// # Errors
    /// With what keeps it from being told.
    pub fn readings(text: &str, footing: Footing<'_>) -> Result<Vec<Self>, Odd> {
        spellings::each(text)?.iter().map(|it| read(it, footing)).collect()
    }

    /// Whether this is the other one or lies in it.
    #[must_use]
    pub fn is_within(&self, other: &Location) -> bool {
        self.start == other.start && self.parts.starts_with(&other.parts)
    }

    /// Whether it starts from a folder that is not known.
    #[must_use]
    pub fn is_floating(&self) -> bool {
        matches!(self.start, Start::Here | Start::Home)
    }

    /// Its parts.
    #[must_use]
    pub fn parts(&self) -> &[String] {
        &self.parts
    }

    /// The same as text, with `/` between its parts.
    #[must_use]
    pub fn text(&self) -> String {
        let parts = self.parts.join("/");
        match &self.start {
            Start::Root => format!("/{parts}"),
            Start::Drive(drive) => format!("{drive}/{parts}"),
            Start::Home if parts.is_empty() => "~".to_owned(),
            Start::Home => format!("~/{parts}"),
            Start::Here if parts.is_empty() => ".".to_owned(),
            Start::Here => parts,
        }
    }
}

/// Reads one spelling of a path.
fn read(text: &str, footing: Footing<'_>) -> Result<Location, Odd> {
    if let Some((drive, rest)) = spellings::drive(text)? {
        return walk(Location { start: Start::Drive(drive), parts: Vec::new() }, rest);
    }
    if text.starts_with('/') {
        return walk(Location { start: Start::Root, parts: Vec::new() }, text);
    }
    if let Some(rest) = text.strip_prefix('~') {
        if !(rest.is_empty() || rest.starts_with('/')) {
            return Err(Odd::OthersHome);
        }
        return walk(ground(footing.home, Start::Home)?, rest);
    }
    walk(ground(footing.cwd, Start::Here)?, text)
}

/// A folder that paths stand on.
fn ground(folder: Option<&str>, unknown: Start) -> Result<Location, Odd> {
    match folder {
        // A folder that is itself relative is no ground to stand on.
        Some(folder) if is_absolute(folder) => read(&folder.replace('\\', "/"), Footing::default()),
        _ => Ok(Location { start: unknown, parts: Vec::new() }),
    }
}

/// Whether a path stands on nothing.
fn is_absolute(text: &str) -> bool {
    text.starts_with('/') || matches!(spellings::drive(&text.replace('\\', "/")), Ok(Some(_)))
}

/// Follows a path from where it starts.
fn walk(mut from: Location, path: &str) -> Result<Location, Odd> {
    let on_windows = matches!(from.start, Start::Drive(_));
    for part in path.split(|it| it == '/' || (on_windows && it == '\\')) {
        match part {
            "" | "." => {}
            // Above the root stands the root itself; above a folder that is not known, nothing
            // that could be told.
            ".." if from.parts.pop().is_none() && from.is_floating() => return Err(Odd::Above),
            ".." => {}
            _ if from.parts.len() >= PATH_PARTS_MAX => return Err(Odd::TooLong),
            _ if on_windows => from.parts.push(spellings::windows_part(part)?),
            _ => from.parts.push(part.to_owned()),
        }
    }
    Ok(from)
}
