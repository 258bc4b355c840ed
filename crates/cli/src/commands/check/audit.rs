//! The audit that is kept beside a report: a new folder with the report in every format for files,
//! the policies, digests of all that was read and written, and a script that does it again.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use lawbook_diag::Problem;
use lawbook_report::{
    AuditInput, AuditOutput, AuditRecord, Closing, Header, Options, Reporter, Written,
    audit_manifest, audit_script, named,
};
use sha2::{Digest, Sha256};

use super::flags::{CheckArgs, FailOn};
use crate::exit::Exit;
use crate::input::Place;
use crate::output::{Output, unwritable};
use crate::policies::{Policies, PolicyFile, ProfileName};

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
    sheets: Vec<Sheet>,
    record: AuditRecord,
    script: String,
    options: Options,
}

/// One report of an audit.
struct Sheet {
    reporter: &'static dyn Reporter,
    output: Output,
    written: Written,
    failed: Option<io::Error>,
}

/// What an audit should hold beside the reports.
pub struct Kept {
    /// Arguments that do the same again.
    pub arguments: Vec<String>,
    /// The policies, which are kept whole.
    pub policies: Vec<PolicyFile>,
    /// Everything else that is read, with what it is.
    pub others: Vec<(&'static str, PathBuf)>,
    /// How the reports are written.
    pub options: Options,
}

impl Kept {
    /// What a check should keep.
    pub fn of(args: &CheckArgs, places: &[Place], policies: &Policies) -> Self {
        let traces = places.iter().map(|it| match it {
            Place::File(path) => ("trace", path.clone()),
            Place::Stdin => ("trace", PathBuf::from("-")),
        });
        let known = args.known().into_iter().map(|it| ("known", it));
        Kept {
            arguments: arguments(args, places, policies),
            policies: policies.files.clone(),
            others: traces.chain(known).collect(),
            options: options(policies.layers.len() > 1, args),
        }
    }
}

/// How the reports of an audit are written.
pub fn options(layers: bool, args: &CheckArgs) -> Options {
    Options { colour: false, layers, all: true, asks_fail: args.fail_on == FailOn::Ask }
}

/// Arguments that do the same again, whatever the environment says then.
fn arguments(args: &CheckArgs, places: &[Place], policies: &Policies) -> Vec<String> {
    let mut out = vec!["check".to_owned()];
    let mut flag = |name: &str, value: Option<String>| {
        if let Some(value) = value {
            out.extend([format!("--{name}"), value]);
        }
    };
    for it in policies.files.iter().filter(|it| it.is_there() || it.source == "-") {
        flag("policy", Some(it.source.clone()));
    }
    let profile = args.policies.profile.map(|it| match it {
        ProfileName::Compatible => "compatible".to_owned(),
        ProfileName::Strict => "strict".to_owned(),
    });
    flag("profile", profile);
    flag("dialect", args.policies.dialect.clone());
    flag("user-word", args.policies.user_word.clone());
    flag("trace-format", args.trace_format.clone());
    args.rules.iter().for_each(|it| flag("rules", Some(it.clone())));
    args.ignore.iter().for_each(|it| flag("ignore", Some(it.clone())));
    flag("group-by", args.group_by.clone());
    flag("sample", args.sample.map(|it| it.to_string()));
    args.known().iter().for_each(|it| flag("known", Some(it.display().to_string())));
    flag("fail-on", (args.fail_on == FailOn::Ask).then(|| "ask".to_owned()));
    let switches = [
        ("--allow-unreadable", args.allow_unreadable),
        ("--allow-unknown", args.allow_unknown),
        ("--exit-zero", args.exit_zero),
        ("--agents", args.agents),
    ];
    out.extend(switches.into_iter().filter(|it| it.1).map(|it| it.0.to_owned()));
    if !args.agents {
        out.push("--".to_owned());
        out.extend(places.iter().map(|it| match it {
            Place::File(path) => path.display().to_string(),
            Place::Stdin => "-".to_owned(),
        }));
    }
    out
}

impl Audit {
    /// The formats that are kept, if there is an audit.
    pub fn formats(wanted: bool) -> &'static [&'static str] {
        if wanted { FORMATS } else { &[] }
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
        let mut sheets = Vec::new();
        for (format, file) in FORMATS.iter().zip(FILES) {
            let Some(reporter) = named(format) else { continue };
            let output = Output::open(Some(&folder.join(file))).map_err(one)?;
            sheets.push(Sheet { reporter, output, written: Written::default(), failed: None });
        }
        for (input, file) in record.inputs.iter().zip(&kept.policies) {
            keep(folder, input, &file.bytes).map_err(one)?;
        }
        Ok(Audit { folder: folder.to_owned(), sheets, record, script, options: kept.options })
    }

    /// Writes what stands before the sessions.
    pub fn begin(&mut self, header: &Header) {
        let options = self.options;
        for it in &mut self.sheets {
            let mut text = String::new();
            it.reporter.begin(header, options, &mut text);
            it.write(&text);
        }
    }

    /// Takes in sessions, in the order of the formats.
    pub fn take(&mut self, texts: &[String]) {
        for (sheet, text) in self.sheets.iter_mut().zip(texts) {
            let (bound, between) = (sheet.reporter.bound(), sheet.reporter.between());
            for now in sheet.written.take(bound, between, text) {
                sheet.write(now);
            }
        }
    }

    /// Writes what stands after the sessions, the digests and the script.
    ///
    /// # Errors
    /// When something can't be written.
    pub fn end(mut self, header: &Header, closing: &Closing, exit: Exit) -> io::Result<()> {
        let mut closing = closing.clone();
        for mut it in self.sheets {
            closing.written = std::mem::take(&mut it.written);
            let mut text = String::new();
            it.reporter.end(header, &closing, self.options, &mut text);
            it.write(&text);
            it.finish()?;
        }
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

impl Sheet {
    fn write(&mut self, text: &str) {
        if self.failed.is_none() {
            self.failed = self.output.write(text).err();
        }
    }

    fn finish(self) -> io::Result<()> {
        match self.failed {
            Some(error) => Err(error),
            None => self.output.finish(),
        }
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
