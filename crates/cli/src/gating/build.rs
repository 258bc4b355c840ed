//! A band from runs, and its file.

use std::collections::BTreeMap;

use lawbook_diag::Problem;
use lawbook_event::json::Writer;
use lawbook_report::quote;
use lawbook_stats::Rate;

use super::band::{BAND_SCHEMA, BandFile, Own, POOLED, PolicyMark};
use super::expected::{self, stated};
use super::run::MEASURES;
use super::{Gating, Runs, TestName};

/// The band of these runs, and what should be known of it.
///
/// # Errors
/// When they are too few, or share no scenario.
pub fn build(
    gating: &Gating,
    runs: &[Runs],
    test: TestName,
) -> Result<(BandFile, Vec<String>), Problem> {
    if runs.len() < 2 {
        let message = "one run has no noise to measure";
        return Err(Problem::new("baseline", "too_few_runs", message)
            .help("give two or more runs of the same scenarios, three or more for a better band"));
    }
    let mut notes = Vec::new();
    if runs.len() == 2 {
        notes.push("two runs measure noise poorly; use three or more".to_owned());
    }
    let counts = match test {
        TestName::Pooled => pooled(runs),
        TestName::Paired | TestName::Band => shared(runs, &mut notes)?,
    };
    let compatible = gating.compatible;
    let per_run = match test {
        TestName::Band => rates(runs, &counts, compatible),
        TestName::Paired | TestName::Pooled => shares(runs.len(), &counts),
    };
    let scenarios: Vec<String> = match test {
        TestName::Pooled => Vec::new(),
        TestName::Paired | TestName::Band => counts.keys().cloned().collect(),
    };
    let clean = |key: &&String| {
        runs.iter().all(|run| run.scenarios.get(*key).is_some_and(|it| it.clean(compatible)))
    };
    let clean_in_all_runs = scenarios.iter().filter(clean).cloned().collect();
    let low = per_run.iter().copied().fold(f64::INFINITY, f64::min);
    let high = per_run.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let band = BandFile {
        checks: gating.checks.iter().map(|it| (*it).to_owned()).collect(),
        judge: gating.judge_name().to_owned(),
        scenarios,
        per_run,
        low,
        high,
        clean_in_all_runs,
        usage: usage(runs),
        own: Some(Own {
            policies: marks(gating),
            rules: gating.selection.rules.clone(),
            ignore: gating.selection.ignore.clone(),
            test: test.word().to_owned(),
            expected: Some(stated(runs, |key| {
                test == TestName::Pooled || counts.contains_key(key)
            })),
            judge_question: gating.judge_question(),
            counts,
        }),
    };
    Ok((band, notes))
}

/// The policies that somebody named, as a band remembers them.
pub fn marks(gating: &Gating) -> Vec<PolicyMark> {
    if gating.policies.is_built_in() {
        return Vec::new();
    }
    let mark = |it: &lawbook_report::PolicyLine| PolicyMark {
        dialect: it.dialect.clone(),
        digest: it.digest.clone(),
        profile: it.profile.clone(),
    };
    gating.policies.lines.iter().map(mark).collect()
}

/// The scenarios that every run has.
fn shared(runs: &[Runs], notes: &mut Vec<String>) -> Result<BTreeMap<String, Vec<Rate>>, Problem> {
    let mut counts = BTreeMap::new();
    let mut partly = 0_usize;
    let keys: std::collections::BTreeSet<&String> =
        runs.iter().flat_map(|it| it.scenarios.keys()).collect();
    for key in keys {
        let rates: Vec<Rate> =
            runs.iter().filter_map(|it| it.scenarios.get(key)).map(|it| it.rate).collect();
        if rates.len() == runs.len() {
            counts.insert(key.clone(), rates);
        } else {
            partly = partly.saturating_add(1);
        }
    }
    if counts.is_empty() {
        let message = "the runs share no scenario";
        return Err(Problem::new("baseline", "nothing_shared", message)
            .help("run the same scenarios, or compare all sessions with `--test pooled`"));
    }
    if partly > 0 {
        notes.push(format!("scenarios that some runs lack, and the band leaves out: {partly}"));
    }
    Ok(counts)
}

fn pooled(runs: &[Runs]) -> BTreeMap<String, Vec<Rate>> {
    BTreeMap::from([(POOLED.to_owned(), runs.iter().map(Runs::pooled).collect())])
}

/// The share of scenarios of each run that are clean.
fn rates(runs: &[Runs], counts: &BTreeMap<String, Vec<Rate>>, compatible: bool) -> Vec<f64> {
    let number = counts.len().max(1) as f64;
    let clean = |run: &Runs| {
        let of = |key: &String| run.scenarios.get(key).is_some_and(|it| it.clean(compatible));
        counts.keys().filter(|it| of(it)).count() as f64 / number
    };
    runs.iter().map(clean).collect()
}

/// The mean share of clean sessions of each run over its scenarios.
fn shares(runs: usize, counts: &BTreeMap<String, Vec<Rate>>) -> Vec<f64> {
    let number = counts.len().max(1) as f64;
    let of = |run: usize| {
        let rates = counts.values().filter_map(|it| it.get(run)?.share());
        rates.sum::<f64>() / number
    };
    (0..runs).map(of).collect()
}

fn usage(runs: &[Runs]) -> [Option<f64>; 3] {
    let mut all = Runs::default();
    for run in runs {
        for (sum, more) in all.usage.iter_mut().zip(run.usage) {
            sum.0 += more.0;
            sum.1 = sum.1.saturating_add(more.1);
        }
    }
    all.means()
}

/// The file: everything that faultgate's holds under the same keys, and ours beside it.
#[must_use]
pub fn written(band: &BandFile) -> String {
    let mut it = Writer::new();
    it.object().key("schema").string(BAND_SCHEMA);
    it.key("lawbook").string(env!("CARGO_PKG_VERSION"));
    it.key("judge").raw(&quote(&band.judge));
    texts(it.key("checks"), &band.checks);
    it.key("runs").number(size(band.per_run.len()));
    it.key("n").number(size(band.scenarios.len()));
    texts(it.key("scenarios"), &band.scenarios);
    let mean = band.per_run.iter().sum::<f64>() / band.per_run.len().max(1) as f64;
    it.key("clean_rate").object();
    for (key, value) in [("min", band.low), ("max", band.high), ("mean", mean)] {
        it.key(key).raw(&real(value));
    }
    it.key("per_run").array();
    for value in &band.per_run {
        it.raw(&real(*value));
    }
    it.end_array().end_object();
    texts(it.key("clean_in_all_runs"), &band.clean_in_all_runs);
    it.key("usage").object();
    for (key, value) in MEASURES.into_iter().zip(band.usage) {
        match value {
            Some(value) => it.key(key).raw(&real(value)),
            None => it.key(key).null(),
        };
    }
    it.end_object();
    it.key("rule").string("lawbook gate holds a release against this; docs/gate.md says how");
    own(&mut it, band.own.as_ref());
    it.end_object();
    format!("{}\n", it.finish())
}

fn own(it: &mut Writer, own: Option<&Own>) {
    let Some(own) = own else { return };
    it.key("policies").array();
    for mark in &own.policies {
        it.object().key("dialect").raw(&quote(&mark.dialect));
        it.key("digest").raw(&quote(&mark.digest)).key("profile").raw(&quote(&mark.profile));
        it.end_object();
    }
    it.end_array();
    texts(it.key("rules"), &own.rules);
    texts(it.key("ignore"), &own.ignore);
    it.key("test").raw(&quote(&own.test));
    if let Some(stated) = &own.expected {
        expected::write(it.key("expected"), stated);
    }
    it.key("judge_question");
    match &own.judge_question {
        Some(digest) => it.raw(&quote(digest)),
        None => it.null(),
    };
    // A list and no object, since keys of others may look like anything.
    it.key("counts").array();
    for (key, rates) in &own.counts {
        it.object().key("scenario").raw(&quote(key)).key("runs").array();
        for rate in rates {
            it.array().number(rate.count).number(rate.total).end_array();
        }
        it.end_array().end_object();
    }
    it.end_array();
}

/// A list of texts.
pub fn texts(it: &mut Writer, texts: &[String]) {
    it.array();
    for text in texts {
        it.raw(&quote(text));
    }
    it.end_array();
}

/// A number as JSON, in the fewest digits that give it back.
pub fn real(value: f64) -> String {
    if value.is_finite() { format!("{value:?}") } else { "null".to_owned() }
}

fn size(number: usize) -> u64 {
    u64::try_from(number).unwrap_or(u64::MAX)
}
