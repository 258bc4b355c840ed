//! Runs every fuzz target, or those named, for some seconds each: `--seconds N [--seed N] [NAME…]`.
//!
//! An input that breaks a promise is written to `target/fuzz/NAME.bin`, and the exit code is 1.

use std::error::Error;
use std::panic::catch_unwind;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use std::{env, fs};

use lawbook_fuzz::mutate::{Dice, mutate};
use lawbook_fuzz::{Target, targets};

/// Larger files make poor seeds: most changes would touch nothing that matters.
const SEED_BYTES_MAX: u64 = 16 << 10;
const SEED_FILES_MAX: usize = 500;

struct Options {
    seconds: u64,
    seed: u64,
    names: Vec<String>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let options = options()?;
    let chosen = |target: &&Target| {
        options.names.is_empty() || options.names.iter().any(|name| name == target.name)
    };
    let mut failed = false;
    for target in targets::ALL.iter().filter(chosen) {
        failed |= !smoke(target, &options)?;
    }
    if failed { Err("a fuzz target failed".into()) } else { Ok(()) }
}

fn options() -> Result<Options, Box<dyn Error>> {
    let mut options = Options { seconds: 5, seed: 1, names: Vec::new() };
    let mut args = env::args().skip(1);
    while let Some(arg) = args.next() {
        let mut number = || -> Result<u64, Box<dyn Error>> {
            Ok(args.next().ok_or("a number is missing")?.parse()?)
        };
        match arg.as_str() {
            "--seconds" => options.seconds = number()?,
            "--seed" => options.seed = number()?,
            _ if targets::ALL.iter().any(|target| target.name == arg) => options.names.push(arg),
            _ => return Err(format!("no fuzz target is called `{arg}`").into()),
        }
    }
    Ok(options)
}

/// Tries changed seeds until the time is over; whether all went well.
fn smoke(target: &Target, options: &Options) -> Result<bool, Box<dyn Error>> {
    let seeds = seeds(target)?;
    let mut dice = Dice::new(options.seed);
    let end = Instant::now().checked_add(Duration::from_secs(options.seconds));
    let mut tried = 0_u64;
    while end.is_some_and(|end| Instant::now() < end) {
        let pick = |dice: &mut Dice| seeds.get(dice.below(seeds.len()));
        let (Some(seed), Some(other)) = (pick(&mut dice), pick(&mut dice)) else { break };
        let mut input = seed.clone();
        mutate(&mut input, other, &mut dice);
        if catch_unwind(|| (target.run)(&input)).is_err() {
            let place = PathBuf::from(format!("target/fuzz/{}.bin", target.name));
            fs::create_dir_all("target/fuzz")?;
            fs::write(&place, &input)?;
            eprintln!("{}: broken after {tried} inputs, see {}", target.name, place.display());
            return Ok(false);
        }
        tried = tried.saturating_add(1);
    }
    println!("{}: {tried} inputs from {} seeds", target.name, seeds.len());
    Ok(true)
}

fn seeds(target: &Target) -> Result<Vec<Vec<u8>>, Box<dyn Error>> {
    let mut seeds: Vec<Vec<u8>> =
        target.seeds.iter().map(|seed| seed.as_bytes().to_vec()).collect();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance");
    let mut folders = vec![root];
    while let Some(folder) = folders.pop() {
        let Ok(entries) = fs::read_dir(&folder) else { continue };
        let mut paths: Vec<PathBuf> =
            entries.map(|entry| entry.map(|it| it.path())).collect::<Result<_, _>>()?;
        paths.sort();
        for path in paths {
            let name = path.to_string_lossy();
            if path.is_dir() {
                folders.push(path);
            } else if target.seed_files.iter().any(|end| name.ends_with(end))
                && fs::metadata(&path)?.len() <= SEED_BYTES_MAX
                && seeds.len() < SEED_FILES_MAX
            {
                seeds.push(fs::read(&path)?);
            }
        }
    }
    Ok(seeds)
}
