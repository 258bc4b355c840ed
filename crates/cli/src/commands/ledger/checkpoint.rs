//! `lawbook ledger checkpoint`: sign how many entries there are, and which.

use std::path::PathBuf;

use clap::Args;
use lawbook_diag::Problem;
use lawbook_event::json::Writer;
use lawbook_ledger::tlog::{Checkpoint, Head, KeyUse, Note, Signed, Signer, Tree};
use lawbook_ledger::verify::Ledger;
use lawbook_report::quote;

use super::files::{self, CHECKPOINT};
use super::signing::{self, SigningArgs};
use super::source::Folder;
use super::trusted::TrustedArgs;
use crate::commands::rule::written;
use crate::commands::{Format, stopped};
use crate::exit::Exit;

/// Sign how many entries there are, and which.
#[derive(Debug, Args)]
pub struct CheckpointArgs {
    /// The folder of a ledger
    #[arg(value_name = "LEDGER")]
    pub ledger: PathBuf,
    /// The name of the log, as `example.com/ledger`; it is the name of its key
    #[arg(long, value_name = "NAME", required_unless_present = "add")]
    pub origin: Option<String>,
    #[command(flatten)]
    pub signing: OptionalSigning,
    /// A further seed that signs too, while a key is rotated
    #[arg(long, value_name = "FILE")]
    pub also: Vec<PathBuf>,
    /// Signature lines of a witness, to be added to the checkpoint that is there; `-` reads them
    /// from standard input
    #[arg(long, value_name = "FILE", conflicts_with_all = ["also", "origin"])]
    pub add: Option<PathBuf>,
    #[command(flatten)]
    pub trusted: TrustedArgs,
    /// How the result is printed
    #[arg(long, value_enum, default_value_t, env = "LAWBOOK_FORMAT", hide_env = true)]
    pub format: Format,
}

/// Which key signs, where one must.
#[derive(Debug, Args)]
pub struct OptionalSigning {
    #[command(flatten)]
    signing: Option<SigningArgs>,
}

/// Runs the command.
pub fn run(args: &CheckpointArgs) -> Exit {
    let note = match &args.add {
        Some(lines) => added(args, lines),
        None => signed(args),
    };
    match note {
        Ok(note) => written(&match args.format {
            Format::Text => note.to_string(),
            Format::Json => json(&note),
        }),
        Err(Refused::Wrong(problem)) => stopped(&[problem]).min(Exit::Found),
        Err(Refused::Unusable(problem)) => stopped(&[problem]),
    }
}

/// Why nothing was signed.
enum Refused {
    /// The ledger is not one that may be signed.
    Wrong(Problem),
    /// Something could not be read or written.
    Unusable(Problem),
}

impl From<Problem> for Refused {
    fn from(problem: Problem) -> Self {
        Refused::Unusable(problem)
    }
}

fn signed(args: &CheckpointArgs) -> Result<Note, Refused> {
    let origin = args.origin.as_deref().unwrap_or_default();
    let Some(signing) = &args.signing.signing else {
        let problem = Problem::new("--seed", "no_key", "there is no key to sign with");
        let help = "give `--seed FILE`, or `--signer COMMAND` with `--signer-key KEY`";
        return Err(Refused::Unusable(problem.help(help)));
    };
    let signer = signing.signer(origin, KeyUse::Log)?;
    let mut also = Vec::new();
    for file in &args.also {
        also.push(signing::seeded(file, origin, KeyUse::Log)?);
    }
    let mut folder = Folder::open(&args.ledger)?;
    let tree = folder.tree(&args.ledger)?;
    let size = folder.size();
    let root = tree.root_at(size).ok_or_else(|| lost(args))?;
    let head = Head { size, root };
    let before = before(args, origin, &tree, head, signer.as_ref())?;
    let mut signers: Vec<&dyn Signer> = vec![signer.as_ref()];
    signers.extend(also.iter().map(|it| it as &dyn Signer));
    let mut note = Checkpoint::new(origin, size, root)
        .signed(&signers)
        .map_err(|error| Problem::new("--signer", "unsigned", error.to_string()))?;
    // The same checkpoint keeps the signatures that others have given it.
    if let Some(before) = before.filter(|it| it.text() == note.text()) {
        let ours = |it: &lawbook_ledger::tlog::NoteSignature| {
            signers.iter().any(|signer| it.is_of(signer.public()))
        };
        let others = before.lines(|it| !ours(it));
        if !others.is_empty() {
            let add = note.add_lines(&others);
            add.map_err(|error| files::problem(&args.ledger, "bad_note", error.to_string()))?;
        }
    }
    files::replace(&args.ledger.join(CHECKPOINT), &note.to_string())?;
    Ok(note)
}

/// The checkpoint that lies there, if the ledger has only grown since: a log never signs what
/// contradicts what it has signed.
fn before(
    args: &CheckpointArgs,
    origin: &str,
    tree: &Tree,
    now: Head,
    signer: &dyn Signer,
) -> Result<Option<Note>, Refused> {
    let file = args.ledger.join(CHECKPOINT);
    if !file.exists() {
        return Ok(None);
    }
    let refused = |message: String| {
        let problem = files::problem(&file, "contradiction", message);
        Refused::Wrong(problem.help("`lawbook ledger verify` says what is wrong with the ledger"))
    };
    let unreadable = |error: &dyn std::fmt::Display| {
        refused(format!("the checkpoint that is there can't be read: {error}"))
    };
    let note = Note::read(&files::text(&file)?).map_err(|it| unreadable(&it))?;
    let old = Checkpoint::of(&note).map_err(|it| unreadable(&it))?;
    if old.origin != origin {
        return Err(refused(format!("the checkpoint that is there is of `{}`", old.origin)));
    }
    if note.signed_by(signer.public()) == Signed::Wrong {
        return Err(refused("the checkpoint that is there is forged".to_string()));
    }
    if old.size > now.size {
        let message =
            format!("{} entries were signed before, and there are {}", old.size, now.size);
        return Err(refused(message));
    }
    if tree.root_at(old.size) != Some(old.root) {
        let message = format!("the first {} entries are not the ones that were signed", old.size);
        return Err(refused(message));
    }
    Ok(Some(note))
}

fn added(args: &CheckpointArgs, lines: &std::path::Path) -> Result<Note, Refused> {
    let file = args.ledger.join(CHECKPOINT);
    let trust = args.trusted.trust()?;
    let bad = |error: &dyn std::fmt::Display| files::problem(&file, "bad_note", error.to_string());
    let mut note = Note::read(&files::text(&file)?).map_err(|it| bad(&it))?;
    let lines_text = files::text(lines)?;
    let before = note.signatures().len();
    note.add_lines(&lines_text)
        .map_err(|error| files::problem(lines, "bad_note", error.to_string()))?;
    let witnesses: Vec<_> = trust.witnesses().map(|it| it.1.clone()).collect();
    for new in note.signatures().iter().skip(before) {
        let known = witnesses.iter().find(|it| new.is_of(it));
        let Some(key) = known else {
            let message = format!("`{}` is no witness of the list of keys", new.name());
            let problem = files::problem(lines, "unknown_witness", message);
            return Err(Refused::Unusable(
                problem.help("give the list of keys with `--keys FILE`"),
            ));
        };
        if !matches!(note.signed_by(key), Signed::Yes(_)) {
            let message = format!("the signature of `{}` is not of this checkpoint", new.name());
            return Err(Refused::Wrong(files::problem(lines, "wrong_signature", message)));
        }
    }
    files::replace(&file, &note.to_string())?;
    Ok(note)
}

fn lost(args: &CheckpointArgs) -> Problem {
    files::problem(&args.ledger, "damaged", "the ledger has no root")
}

fn json(note: &Note) -> String {
    let mut writer = Writer::new();
    writer.object().key("schema").string("lawbook.ledger_checkpoint/1");
    if let Ok(checkpoint) = Checkpoint::of(note) {
        writer.key("origin").raw(&quote(&checkpoint.origin)).key("size").number(checkpoint.size);
        writer.key("root").string(&checkpoint.root.to_string());
    }
    writer.key("signed_by").array();
    for it in note.signatures() {
        writer.raw(&quote(it.name()));
    }
    writer.end_array().key("note").raw(&quote(&note.to_string())).end_object();
    format!("{}\n", writer.finish())
}
