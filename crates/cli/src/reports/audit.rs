//! The audit that is kept beside a report: a new folder with the report in every format for files,
//! the policies, digests of all that was read and written, and a script that does it again.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use lawbook_diag::Problem;
use lawbook_mask::Mode;
use lawbook_report::{AuditInput, AuditOutput, AuditRecord, audit_manifest, audit_script};
use sha2::{Digest, Sha256};

use crate::exit::Exit;
use crate::input::Place;
use crate::masking;
use crate::output::unwritable;
use crate::policies::{Policies, PolicyArgs, PolicyFile, ProfileName};

/// The formats that are kept, and the files that hold them.
const FORMATS: &[&str] = &["json", "html", "markdown", "sarif", "junit", "gitlab"];
const FILES: &[&str] = &[
    "report.json",
    "report.html",
    "report.md",
    "report.sarif",
    "junit.xml",
    "gl-code-quality-report.json",
];

/// An audit that is being written.
pub struct Audit {
    folder: PathBuf,
    record: AuditRecord,
    script: String,
}

/// What an audit should hold beside the reports.
#[derive(Default)]
pub struct Kept {
    /// Arguments that do the same again.
    pub arguments: Vec<String>,
    /// The policies, which are kept whole.
    pub policies: Vec<PolicyFile>,
    /// Everything else that is read, with what it is.
    pub others: Vec<(&'static str, PathBuf)>,
}

impl Kept {
    /// What is kept of a run over traces: what each was read for, and the arguments that do the
    /// same again.
    pub fn of(arguments: Vec<String>, policies: &Policies, places: &[Place]) -> Self {
        let traces = places.iter().map(|it| match it {
            Place::File(path) => ("trace", path.clone()),
            Place::Stdin => ("trace", PathBuf::from("-")),
        });
        Kept { arguments, policies: policies.files.clone(), others: traces.collect() }
    }

    /// The same with one more file that is read.
    pub fn and(mut self, role: &'static str, file: Option<&Path>) -> Self {
        self.others.extend(file.map(|it| (role, it.to_owned())));
        self
    }
}

/// The arguments that name policies and traces again, whatever the environment says then; `more`
/// are the command's own flags.
pub fn again(
    command: &str,
    args: &PolicyArgs,
    policies: &Policies,
    more: Vec<String>,
    places: Option<&[Place]>,
) -> Vec<String> {
    let mut out = vec![command.to_owned()];
    let mut flag = |name: &str, value: Option<String>| {
        out.extend(value.into_iter().flat_map(|it| [format!("--{name}"), it]));
    };
    for it in policies.files.iter().filter(|it| it.is_there() || it.source == "-") {
        flag("policy", Some(it.source.clone()));
    }
    let profile = args.profile.map(|it| match it {
        ProfileName::Compatible => "compatible".to_owned(),
        ProfileName::Strict => "strict".to_owned(),
    });
    flag("profile", profile);
    flag("dialect", args.dialect.clone());
    flag("user-word", args.user_word.clone());
    let redact = match masking::mask().mode() {
        Mode::Off => "off",
        Mode::Builtin | Mode::Compatible => "builtin",
    };
    flag("redact", Some(redact.to_owned()));
    out.extend(more);
    if let Some(places) = places {
        out.push("--".to_owned());
        out.extend(places.iter().map(|it| it.name()));
    }
    out
}

impl Audit {
    /// The formats that are kept.
    pub fn formats() -> &'static [&'static str] {
        FORMATS
    }

    /// The files of the formats, in the same order.
    pub fn places(&self) -> impl Iterator<Item = PathBuf> {
        FILES.iter().map(|it| self.folder.join(it))
    }

    /// Makes the folder, which must be new or empty, and takes the digests of what will be read.
    ///
    /// # Errors
    /// When it can't be made, or a name can't stand in the script.
    pub fn open(folder: &Path, kept: Kept) -> Result<Self, Vec<Problem>> {
        let one = |it: Problem| vec![it];
        let mut record = AuditRecord {
            lawbook: env!("CARGO_PKG_VERSION").to_owned(),
            arguments: kept.arguments,
            ..AuditRecord::default()
        };
        for (number, file) in (1_usize..).zip(&kept.policies) {
            record.inputs.push(policy(number, file));
        }
        for (role, path) in &kept.others {
            record.inputs.push(input(role, path));
        }
        let script = audit_script(&record).map_err(one)?;
        empty(folder).map_err(one)?;
        for (input, file) in record.inputs.iter().zip(&kept.policies) {
            keep(folder, input, &file.bytes).map_err(one)?;
        }
        Ok(Audit { folder: folder.to_owned(), record, script })
    }

    /// Writes the digests and the script, once every report is whole.
    ///
    /// # Errors
    /// When something can't be written.
    pub fn end(self, exit: Exit) -> Result<(), Problem> {
        let folder = self.folder.clone();
        self.written(exit).map_err(|error| unwritable(&folder, &error))
    }

    fn written(mut self, exit: Exit) -> io::Result<()> {
        self.record.exit = exit.number();
        for it in &mut self.record.inputs {
            it.changed = it.digest.is_some() && it.role != "policy" && {
                digest(Path::new(&it.name)).ok().map(|it| it.0) != it.digest
            };
        }
        for name in FILES {
            let (digest, bytes) = digest(&self.folder.join(name))?;
            self.record.outputs.push(AuditOutput { name: (*name).to_owned(), digest, bytes });
        }
        fs::write(self.folder.join("audit.json"), audit_manifest(&self.record))?;
        fs::write(self.folder.join("reproduce.sh"), self.script)
    }
}

/// A folder that is there and holds nothing.
fn empty(folder: &Path) -> Result<(), Problem> {
    fs::create_dir_all(folder).map_err(|error| unwritable(folder, &error))?;
    let mut entries = fs::read_dir(folder).map_err(|error| unwritable(folder, &error))?;
    match entries.next() {
        None => Ok(()),
        Some(_) => {
            let message = "the folder of an audit must be new or empty";
            let problem = Problem::new(folder.display().to_string(), "not_empty", message);
            Err(problem.help("name another folder with `--audit`"))
        }
    }
}

fn policy(number: usize, file: &PolicyFile) -> AuditInput {
    let name = Path::new(&file.source).file_name().map(|it| it.to_string_lossy().into_owned());
    let plain = |it: char| it.is_ascii_alphanumeric() || matches!(it, '.' | '-' | '_');
    let name = name.unwrap_or_default();
    let name: String = name.chars().map(|it| if plain(it) { it } else { '_' }).collect();
    AuditInput {
        role: "policy",
        name: file.source.clone(),
        digest: Some(lawbook::digest(&file.bytes)),
        bytes: u64::try_from(file.bytes.len()).ok(),
        kept: Some(format!("policies/{number}-{name}")),
        on_disk: file.is_there(),
        changed: false,
    }
}

/// What is known of an input before it is read. What can't be read has no digest.
fn input(role: &'static str, path: &Path) -> AuditInput {
    let on_disk = path.as_os_str() != "-";
    let found = if on_disk { digest(path).ok() } else { None };
    let (digest, bytes) = found.unzip();
    AuditInput {
        role,
        name: path.display().to_string(),
        digest,
        bytes,
        kept: None,
        on_disk,
        changed: false,
    }
}

fn keep(folder: &Path, input: &AuditInput, bytes: &[u8]) -> Result<(), Problem> {
    let Some(name) = &input.kept else { return Ok(()) };
    let place = folder.join(name);
    let parent = place.parent().unwrap_or(folder);
    let made = fs::create_dir_all(parent).and_then(|()| fs::write(&place, bytes));
    made.map_err(|error| unwritable(&place, &error))
}

/// The digest of a file and its size. Only regular files have one: a pipe can be read once.
fn digest(path: &Path) -> io::Result<(String, u64)> {
    if !fs::metadata(path)?.is_file() {
        return Err(io::Error::other("it is no regular file"));
    }
    let mut file = File::open(path)?;
    let mut hash = Sha256::new();
    let mut buffer = vec![0_u8; 1 << 16];
    let mut bytes = 0_u64;
    loop {
        let read = file.read(&mut buffer)?;
        let Some(part) = buffer.get(..read).filter(|it| !it.is_empty()) else { break };
        hash.update(part);
        bytes = bytes.saturating_add(u64::try_from(read).unwrap_or(u64::MAX));
    }
    let hex: String = hash.finalize().iter().map(|it| format!("{it:02x}")).collect();
    Ok((format!("sha256:{hex}"), bytes))
}
