//! Where the hooks of a host are set up, and what is remembered of having done so.

use std::path::{Path, PathBuf};

use clap::Args;
use lawbook_bridge::Host;
use lawbook_diag::Problem;
use lawbook_event::json::{Document, Grammar, Limits, Value, Writer};

use super::answer::home;

/// Whose settings.
#[derive(Debug, Args)]
pub struct Scope {
    /// The settings of the project in this folder
    #[arg(long, conflicts_with = "managed")]
    pub project: bool,
    /// The settings of this machine, which its administrator owns and users can't change
    #[arg(long)]
    pub managed: bool,
    /// Another settings file
    #[arg(long, value_name = "FILE", conflicts_with_all = ["project", "managed"])]
    pub settings: Option<PathBuf>,
}

impl Scope {
    /// Whether one is meant, and not whichever there is.
    pub fn is_named(&self) -> bool {
        self.project || self.managed || self.settings.is_some()
    }

    /// The settings files of every scope: of the user, of the project in this folder, of the
    /// machine.
    pub fn every(host: &dyn Host) -> Vec<PathBuf> {
        let scope = |project, managed| Scope { project, managed, settings: None };
        let mut files: Vec<PathBuf> = Vec::new();
        for scope in [scope(false, false), scope(true, false), scope(false, true)] {
            if let Ok(file) = scope.file(host)
                && !files.contains(&file)
            {
                files.push(file);
            }
        }
        files
    }

    /// The settings file that is meant.
    ///
    /// # Errors
    /// When the host has none of this scope, or no home folder is known.
    pub fn file(&self, host: &dyn Host) -> Result<PathBuf, Problem> {
        let setup = host.setup();
        if let Some(file) = &self.settings {
            return std::path::absolute(file).map_err(|error| wrong(file, &error));
        }
        if self.managed {
            let none = || {
                let message = format!("{} has no settings of a machine", host.title());
                Problem::new("--managed", "no_settings", message)
            };
            return setup.managed.map(PathBuf::from).ok_or_else(none);
        }
        if self.project {
            let file = Path::new(setup.project);
            return std::path::absolute(file).map_err(|error| wrong(file, &error));
        }
        let set = |name: &str| std::env::var_os(name).filter(|it| !it.is_empty());
        if let Some((variable, file)) = setup.user.variable
            && let Some(folder) = set(variable)
        {
            return Ok(PathBuf::from(folder).join(file));
        }
        let home = set("HOME").or_else(|| set("USERPROFILE"));
        let none = || Problem::new("HOME", "no_home", "no home folder is known");
        Ok(PathBuf::from(home.ok_or_else(none)?).join(setup.user.home))
    }
}

/// What is remembered of a host that was set up.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Installed {
    /// The host.
    pub host: String,
    /// The digest of the settings as they were left.
    pub settings: String,
    /// What was there before; none if nothing was.
    pub before: Option<String>,
    /// The program that answers, and its digest.
    pub binary: (String, String),
    /// The policies, each with its digest.
    pub policies: Vec<(String, String)>,
}

impl Installed {
    /// Where it is remembered, for a settings file.
    pub fn place(store: Option<&Path>, settings: &Path) -> Option<PathBuf> {
        let root = store.map(Path::to_owned).or_else(home)?;
        let digest = lawbook::digest(settings.as_os_str().as_encoded_bytes());
        let name = digest.trim_start_matches("sha256:").get(..32).unwrap_or_default().to_owned();
        Some(root.join("installed").join(name).with_extension("json"))
    }

    /// Reads it, where there is any.
    pub fn read(place: &Path) -> Option<Self> {
        let text = std::fs::read_to_string(place).ok()?;
        let document = Document::parse(&text, Grammar::Strict, &Limits::DEFAULT).ok()?;
        let root = document.root();
        let text = |it: Value<'_>, key: &str| it.get(key)?.as_str().map(str::to_owned);
        let pair = |it: Value<'_>| Some((text(it, "path")?, text(it, "digest")?));
        Some(Installed {
            host: text(root, "host")?,
            settings: text(root, "settings")?,
            before: text(root, "before"),
            binary: pair(root.get("binary")?)?,
            policies: root.get("policies")?.items().filter_map(pair).collect(),
        })
    }

    /// Its text.
    pub fn text(&self) -> String {
        let mut writer = Writer::new();
        let pair = |writer: &mut Writer, it: &(String, String)| {
            writer.object().key("path").string(&it.0).key("digest").string(&it.1).end_object();
        };
        writer.object().key("schema").string("lawbook.installed/1");
        writer.key("host").string(&self.host).key("settings").string(&self.settings);
        if let Some(before) = &self.before {
            writer.key("before").string(before);
        }
        pair(writer.key("binary"), &self.binary);
        writer.key("policies").array();
        self.policies.iter().for_each(|it| pair(&mut writer, it));
        writer.end_array().end_object();
        writer.finish()
    }
}

/// The digest of a file; none where it can't be read.
pub fn digest(path: &Path) -> Option<String> {
    std::fs::read(path).ok().map(|it| lawbook::digest(&it))
}

/// The text of a file; nothing where there is none.
///
/// # Errors
/// When it can't be read, or is no text.
pub fn read(path: &Path) -> Result<Option<String>, Problem> {
    match std::fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(wrong(path, &error)),
    }
}

/// Writes a file as a whole, or not at all. A link stays one: what it leads to changes.
///
/// # Errors
/// When it can't be written.
pub fn write(path: &Path, text: &str) -> Result<(), Problem> {
    let path = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let failed = |error: std::io::Error| wrong(&path, &error);
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(failed)?;
    }
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".lawbook-{}", std::process::id()));
    let beside = path.with_file_name(name);
    let mut written = std::fs::write(&beside, text);
    if let (Ok(()), Ok(there)) = (&written, std::fs::metadata(&path)) {
        written = std::fs::set_permissions(&beside, there.permissions());
    }
    let done = written.and_then(|()| std::fs::rename(&beside, &path));
    if done.is_err() {
        // What could not take its place is of no use.
        std::fs::remove_file(&beside).ok();
    }
    done.map_err(failed)
}

fn wrong(path: &Path, error: &std::io::Error) -> Problem {
    Problem::new(path.display().to_string(), "unusable_file", error.to_string())
}
