//! The comparison with the real faultgate: generated policies and traces, its answer and ours.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use serde_json::Value;

use super::deliberate::{Deliberate, FILE, only_in};
use super::pair::{Difference, Pair};
use super::python;
use crate::repo::Repo;
use crate::report::Report;

/// The release that is compared with.
pub const PACKAGE: &str = "faultgate==0.4.1";

/// Which pairs are compared.
#[derive(Clone, Copy)]
pub struct Size {
    /// How many.
    pub pairs: u32,
    /// From which seed on.
    pub seed: u32,
}

impl Default for Size {
    fn default() -> Self {
        Size { pairs: 3000, seed: 1 }
    }
}

/// How many differences are printed.
const SHOWN_MAX: usize = 10;

/// Compares; an error tells how many pairs differ.
pub fn compare(repo: &Repo, size: Size, report: &mut Report) -> Result<(), String> {
    let python = match python::with(repo, PACKAGE) {
        Ok(python) => python,
        Err(why) => {
            report.skip(format!("the comparison with faultgate: {why}"));
            return Ok(());
        }
    };
    let answers = repo.target().join("peers").join("faultgate.jsonl");
    let out = File::create(&answers).map_err(|e| format!("{}: {e}", answers.display()))?;
    let mut ask = Command::new(python);
    ask.arg(repo.root.join("xtask/peers/ask_faultgate.py"));
    ask.args(["--pairs", &size.pairs.to_string(), "--seed", &size.seed.to_string()]);
    ask.env("PYTHONDONTWRITEBYTECODE", "1").stdout(Stdio::from(out));
    let status = ask.status().map_err(|e| format!("ask_faultgate.py: {e}"))?;
    if !status.success() {
        return Err(format!("ask_faultgate.py ended with {status}"));
    }
    let file = File::open(&answers).map_err(|e| format!("{}: {e}", answers.display()))?;
    let mut tally = Tally { deliberate: Deliberate::read(repo)?, ..Tally::default() };
    for line in BufReader::new(file).lines() {
        let line = line.map_err(|e| format!("{}: {e}", answers.display()))?;
        let answer = serde_json::from_str(&line).map_err(|e| format!("an answer: {e}"))?;
        tally.take(&answer);
    }
    tally.close(size.pairs, report)
}

#[derive(Default)]
struct Tally {
    deliberate: Deliberate,
    pairs: u32,
    refused: u32,
    crashed: u32,
    calls: u32,
    meant: u32,
    different: u32,
}

impl Tally {
    fn take(&mut self, answer: &Value) {
        let pair = Pair::new(answer);
        self.pairs += 1;
        self.refused += u32::from(!answer["refused"].is_null());
        self.crashed += u32::from(!answer["crash"].is_null());
        self.calls += u32::try_from(answer["cuts"].as_array().map_or(0, Vec::len)).unwrap_or(0);
        let found = pair.differences();
        let (meant, other): (Vec<_>, Vec<_>) =
            found.into_iter().partition(|it| self.deliberate.covers(it));
        self.meant += u32::from(!meant.is_empty());
        if !other.is_empty() {
            self.different += 1;
            if self.different as usize <= SHOWN_MAX {
                show(answer, &other);
            }
        }
    }

    fn close(self, wanted: u32, report: &mut Report) -> Result<(), String> {
        println!(
            "{} pairs ({} policies refused, {} crashed the reference), {} calls at the time",
            self.pairs, self.refused, self.crashed, self.calls
        );
        println!("{} pairs with deliberate differences ({FILE})", self.meant);
        println!("pairs: {}, differences: {}", self.pairs, self.different);
        report.count(u64::from(self.pairs - self.different), u64::from(self.different));
        if self.pairs != wanted {
            return Err(format!("{wanted} pairs were asked for, {} were answered", self.pairs));
        }
        if self.different > 0 {
            return Err(format!("{} of {} pairs differ", self.different, self.pairs));
        }
        Ok(())
    }
}

fn show(answer: &Value, differences: &[Difference]) {
    println!("seed {}: policy {}", answer["seed"], answer["policy"].as_str().unwrap_or_default());
    for it in differences {
        println!("  {}", it.place);
        for (whose, list, other) in
            [("theirs", &it.theirs, &it.ours), ("ours  ", &it.ours, &it.theirs)]
        {
            let lines = only_in(list, other);
            let order_alone = lines.is_empty() && list.lines().count() == other.lines().count();
            for line in if order_alone { list.lines().collect() } else { lines } {
                println!("    {whose} {line}");
            }
        }
    }
}
