//! `lawbook ledger export`: the ledger as the files of a transparency log.

use std::io;
use std::path::{Path, PathBuf};

use clap::Args;
use lawbook_diag::Problem;
use lawbook_event::json::Writer;
use lawbook_ledger::tlog::{
    Checkpoint, Note, TILE_WIDTH, Tile, TileKind, Tree, add_to_bundle, leaf_hash,
};
use lawbook_ledger::verify::{Ledger, Unreadable};
use lawbook_report::shown;

use super::files::{self, CHECKPOINT};
use super::source::Folder;
use crate::commands::rule::written;
use crate::commands::{Format, stopped};
use crate::exit::Exit;

/// Write the ledger as the files of a transparency log.
#[derive(Debug, Args)]
pub struct ExportArgs {
    /// The folder of a ledger with a checkpoint
    #[arg(value_name = "LEDGER")]
    pub ledger: PathBuf,
    /// Where to: a folder that is made if it is not there. What an earlier export left is gone on
    /// with
    #[arg(value_name = "FOLDER")]
    pub to: PathBuf,
    /// How the result is printed
    #[arg(long, value_enum, default_value_t, env = "LAWBOOK_FORMAT", hide_env = true)]
    pub format: Format,
}

/// Runs the command.
pub fn run(args: &ExportArgs) -> Exit {
    match export(args) {
        Ok((size, count)) => written(&match args.format {
            Format::Text => {
                let (entries, to) = (super::told::count(size), args.to.display().to_string());
                format!("{entries} in {count} files written to {}\n", shown(&to))
            }
            Format::Json => {
                let mut writer = Writer::new();
                writer.object().key("schema").string("lawbook.ledger_export/1");
                writer.key("size").number(size).key("files").number(count).end_object();
                format!("{}\n", writer.finish())
            }
        }),
        Err((exit, problem)) => stopped(&[problem]).min(exit),
    }
}

type Refused = (Exit, Problem);

fn export(args: &ExportArgs) -> Result<(u64, u64), Refused> {
    let unusable = |problem: Problem| (Exit::Unusable, problem);
    let (note, size) = checkpoint(&args.ledger)?;
    let mut folder = Folder::open(&args.ledger).map_err(unusable)?;
    let tree = folder.tree(&args.ledger).map_err(unusable)?;
    let signed = Checkpoint::of(&note).ok().map(|it| it.root);
    if signed.is_none() || tree.root_at(size) != signed {
        let message = format!("the first {size} entries are not the ones that were signed");
        return Err((Exit::Found, files::problem(&args.ledger, "contradiction", message)));
    }
    // Tiles go over exactly the entries that were signed; what came after waits for its checkpoint.
    let tree: Tree = (0..size).filter_map(|it| tree.leaf(it)).collect();
    let mut count = 0_u64;
    for tile in Tile::all(0, size) {
        let path = args.to.join(tile.path());
        // A full tile never changes, so one that is there is the same.
        if tile.width == 256 && path.exists() {
            continue;
        }
        let bytes = match tile.kind {
            TileKind::Entries => bundle(args, &mut folder, &tree, tile)?,
            TileKind::Hashes(_) => tile.hashes(&tree).ok_or_else(|| lost(args, "a tile"))?,
        };
        put(&path, &bytes).map_err(|error| unwritable(&path, &error))?;
        count = count.saturating_add(1);
    }
    // The checkpoint comes last: whoever follows it finds all tiles that it needs.
    let path = args.to.join(CHECKPOINT);
    put(&path, note.to_string().as_bytes()).map_err(|error| unwritable(&path, &error))?;
    Ok((size, count.saturating_add(1)))
}

fn checkpoint(ledger: &Path) -> Result<(Note, u64), Refused> {
    let file = ledger.join(CHECKPOINT);
    if !file.exists() {
        let problem = files::problem(ledger, "no_checkpoint", "nobody has signed this ledger");
        let help = "sign it with `lawbook ledger checkpoint`";
        return Err((Exit::Unknown, problem.help(help)));
    }
    let bad = |error: String| (Exit::Unusable, files::problem(&file, "bad_note", error));
    let text = files::text(&file).map_err(|it| (Exit::Unusable, it))?;
    let note = Note::read(&text).map_err(|it| bad(it.to_string()))?;
    let size = Checkpoint::of(&note).map_err(|it| bad(it.to_string()))?.size;
    Ok((note, size))
}

/// The entries of a tile. A bundle with a damaged entry can't be written, since every entry in it
/// must have its hash.
fn bundle(
    args: &ExportArgs,
    folder: &mut Folder,
    tree: &Tree,
    tile: Tile,
) -> Result<Vec<u8>, Refused> {
    let first = tile.index.saturating_mul(TILE_WIDTH);
    let mut out = Vec::new();
    let mut entry = Vec::new();
    for index in first..first.saturating_add(u64::from(tile.width)) {
        entry.clear();
        let read = folder.entry(index, &mut entry);
        match read {
            Ok(()) if tree.leaf(index) == Some(leaf_hash(&entry)) => {
                if !add_to_bundle(&mut out, &entry) {
                    return Err(lost(args, &format!("entry {index}")));
                }
            }
            Err(Unreadable::Failed(why)) => return Err(lost(args, &why)),
            _ => return Err(lost(args, &format!("entry {index}"))),
        }
    }
    Ok(out)
}

fn lost(args: &ExportArgs, what: &str) -> Refused {
    let problem = files::problem(&args.ledger, "damaged", format!("{what} can't be read"));
    (Exit::Found, problem.help("`lawbook ledger verify` says what is wrong with the ledger"))
}

fn unwritable(path: &Path, error: &io::Error) -> Refused {
    (Exit::Unusable, files::problem(path, "unwritable", format!("it can't be written: {error}")))
}

fn put(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    files::durably(path, bytes)
}
