//! What a host of hooks is: what it sends, what it can do with an answer, and where it is set up.

use lawbook_diag::Problem;
use lawbook_event::json::Value;

/// An agent's program that asks before it acts.
pub trait Host: Sync {
    /// Its name on the command line.
    fn name(&self) -> &'static str;

    /// Its name in sentences.
    fn title(&self) -> &'static str;

    /// Its page.
    fn page(&self) -> &'static str;

    /// When a person is certain to be asked: the first row that fits counts, and no row means that
    /// nobody is.
    fn abilities(&self) -> &'static [Ability];

    /// What it does when a hook fails.
    fn failing(&self) -> Failing;

    /// What one input says.
    ///
    /// # Errors
    /// When it is none of this host's.
    fn read(&self, input: Value<'_>, around: &Around) -> Result<Heard, Problem>;

    /// How an answer is written for an event of that name.
    fn write(&self, event: &str, say: &Say) -> Output;

    /// Whether `Say::Allow` lets a call run that the host would have asked about.
    fn takes_allow(&self) -> bool {
        false
    }

    /// Where and how it is set up.
    fn setup(&self) -> &'static Setup;
}

/// Whether a person is certain to be asked, for some events and modes of a host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ability {
    /// The event; `*` stands for every one.
    pub event: &'static str,
    /// The host's mode; `*` stands for every one, and for none.
    pub mode: &'static str,
    /// Where the host runs; `*` stands for every place.
    pub place: &'static str,
    /// The versions that it holds for.
    pub versions: Versions,
    /// Whether a person is certain to be asked.
    pub asks: bool,
    /// Why, as the end of a sentence.
    pub why: &'static str,
}

impl Ability {
    fn fits(&self, heard: &Heard, version: Option<&str>) -> bool {
        let fits = |row: &str, it: Option<&str>| row == "*" || Some(row) == it;
        fits(self.event, Some(&heard.event))
            && fits(self.mode, heard.mode.as_deref())
            && fits(self.place, heard.place.as_deref())
            && self.versions.hold(version)
    }
}

/// The versions of a host that a row holds for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Versions {
    /// All of them.
    Every,
    /// This one and later ones.
    Since {
        /// The first, as `1.0.59`.
        first: &'static str,
        /// Whether it holds where no version is told, since something else in the input shows that
        /// the host is not older.
        untold: bool,
    },
}

impl Versions {
    /// Whether a version is one of them.
    #[must_use]
    pub fn hold(&self, version: Option<&str>) -> bool {
        match (self, version) {
            (Versions::Every, _) => true,
            (Versions::Since { untold, .. }, None) => *untold,
            (Versions::Since { first, .. }, Some(told)) => {
                let told = numbers(told);
                !told.is_empty() && told >= numbers(first)
            }
        }
    }
}

/// The numbers of a version; none where it is none.
fn numbers(version: &str) -> Vec<u64> {
    let parts = version.trim().trim_start_matches('v').split(['.', '-', '+', ' ']);
    parts.map_while(|it| it.parse().ok()).collect()
}

/// What a host does when a hook crashes, is killed, or takes too long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failing {
    /// It lets the call run, and nothing can be set against it.
    Opens,
    /// It blocks where its settings say so, which they do once set up.
    Blocks {
        /// From which version on, as the end of a sentence.
        since: &'static str,
    },
}

/// What surrounds a hook beside its input.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Around {
    /// Whoever set it up says that a person sits there.
    pub attended: bool,
    /// How the host was started, where its environment tells.
    pub entry: Option<String>,
    /// The home folder, which `~` stands for.
    pub home: Option<String>,
}

/// What one input says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Heard {
    /// The event, by the host's name for it.
    pub event: String,
    /// The session.
    pub session: Option<String>,
    /// The session that it goes on from, where the host tells.
    pub origin: Option<String>,
    /// The folder that the host works in.
    pub cwd: Option<String>,
    /// The folder that it may work in.
    pub workspace: Option<String>,
    /// The host's own record of the session.
    pub transcript: Option<String>,
    /// Its mode, as in `plan`.
    pub mode: Option<String>,
    /// The host's version, where it tells one.
    pub version: Option<String>,
    /// Where it runs, as far as that decides whether a person can be asked.
    pub place: Option<String>,
    /// What happened.
    pub told: Told,
}

/// What happened.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Told {
    /// A session began with nothing in it.
    Begun,
    /// A session goes on.
    Resumed,
    /// The user said something.
    User(String),
    /// The agent said something to the user.
    Agent(String),
    /// A tool is about to be called.
    Call(Asked),
    /// A call that is also told as [`Told::Call`] is spoken of: it counts there.
    Again(Asked),
    /// A tool returned.
    Result {
        /// The call.
        call: Asked,
        /// What it returned, if that was told.
        text: Option<String>,
        /// Whether it failed.
        error: bool,
    },
    /// Something that rules know nothing of.
    Other,
    /// The session has ended; it may be resumed.
    Ended,
    /// Nothing that is worth a record.
    #[default]
    Nothing,
}

/// A call, as a host speaks of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Asked {
    /// The host's id, where it has one.
    pub id: Option<String>,
    /// The tool.
    pub tool: String,
    /// The server that offers it.
    pub server: Option<String>,
    /// The text of its arguments.
    pub args: String,
}

impl Heard {
    /// Whether the host waits for a verdict.
    #[must_use]
    pub fn waits(&self) -> bool {
        matches!(self.told, Told::Call(_) | Told::Again(_))
    }

    /// Whether a person is certain to be asked by a host of this version.
    ///
    /// # Errors
    /// With the reason why not.
    pub fn person(&self, host: &dyn Host, version: Option<&str>) -> Result<(), &'static str> {
        let mut rows = host.abilities().iter();
        match rows.find(|it| it.fits(self, version)) {
            Some(row) if row.asks => Ok(()),
            Some(row) => Err(row.why),
            None => Err("nothing says that a person is asked here"),
        }
    }
}

/// What is said to a host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Say {
    /// Nothing: the host goes on as it would have.
    Nothing,
    /// The call is listed as one that may run.
    Allow,
    /// A person must say yes first.
    Ask(String),
    /// The call may not run.
    Deny(String),
    /// Something that a person should know, and that stops nothing.
    Note(String),
}

/// What the process says and how it ends: with 0, or with 2, which each host takes for a block.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Output {
    /// Standard output.
    pub stdout: String,
    /// Standard error.
    pub stderr: String,
    /// The exit code.
    pub code: u8,
}

impl Output {
    /// Silence.
    #[must_use]
    pub fn silent() -> Self {
        Output::default()
    }

    /// A JSON text.
    #[must_use]
    pub fn json(text: String) -> Self {
        Output { stdout: format!("{text}\n"), ..Output::default() }
    }

    /// A block, by the exit code that every host knows.
    #[must_use]
    pub fn block(reason: &str) -> Self {
        Output { stdout: String::new(), stderr: format!("{reason}\n"), code: 2 }
    }
}

/// A key in settings that turns hooks off, whoever set them up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Switch {
    /// The file, below the folder of the settings that it stands in.
    pub file: &'static str,
    /// The keys that lead to it, outermost first.
    pub keys: &'static [&'static str],
    /// When hooks are off.
    pub off: Off,
}

/// When a key turns hooks off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Off {
    /// When it is this.
    Is(bool),
    /// When it is a list that names the hook: `lawbook`, or its command.
    Names,
}

/// Where and how a host is set up.
#[derive(Debug)]
pub struct Setup {
    /// The settings of one user: below the home folder, or below the folder that a variable names.
    pub user: Place,
    /// The settings of a project, below its folder.
    pub project: &'static str,
    /// The settings of a machine, which its administrator owns; none where there are no such.
    pub managed: Option<&'static str>,
    /// What is written there.
    pub entry: Entry,
    /// The events that are registered.
    pub events: &'static [&'static str],
    /// Those of them at which the host waits for a verdict.
    pub gates: &'static [&'static str],
    /// What stands beside the command at the others, as the inside of a JSON object.
    pub other_options: &'static str,
    /// What turns its hooks off, in the settings of whatever scope.
    pub switches: &'static [Switch],
    /// What the person who sets it up must know, in sentences.
    pub notes: &'static [&'static str],
}

/// A file below the home folder.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// The variable that names another folder, and the file below that.
    pub variable: Option<(&'static str, &'static str)>,
    /// The file below the home folder.
    pub home: &'static str,
}

/// What is written into settings.
#[derive(Clone, Copy, Debug)]
pub enum Entry {
    /// A JSON file with a list for each event, in which each item holds a list of commands.
    Groups {
        /// What stands beside the command where the host waits, as the inside of a JSON object.
        options: &'static str,
    },
    /// A JSON file with a version and a list of commands for each event.
    Commands {
        /// What stands beside the command where the host waits, as the inside of a JSON object.
        options: &'static str,
    },
    /// A file of ours, whose text names the command as `@COMMAND@`, a JSON list of words.
    Script(&'static str),
}
