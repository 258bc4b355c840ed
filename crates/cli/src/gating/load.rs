//! Reading a band, ours or faultgate's. Everything that is wrong with it is told at its place.

use std::collections::BTreeMap;
use std::path::Path;

use lawbook_diag::{Problem, place};
use lawbook_event::json::{Document, Grammar, Limits, Value};
use lawbook_stats::Rate;

use super::band::{BAND_SCHEMA, BandFile, Own, PolicyMark};
use super::expected::{Expected, Stated};
use super::run::MEASURES;
use crate::fields::file_text;

/// Reads a band.
///
/// # Errors
/// For everything that is wrong with it.
pub fn load(path: &Path) -> Result<BandFile, Vec<Problem>> {
    let text = file_text(path).map_err(|it| vec![it])?;
    parse(&path.display().to_string(), &text)
}

/// Reads the text of a band.
///
/// # Errors
/// For everything that is wrong with it.
pub fn parse(source: &str, text: &str) -> Result<BandFile, Vec<Problem>> {
    let document = Document::parse(text, Grammar::Strict, &Limits::DEFAULT).map_err(|error| {
        let at = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        let problem = Problem::new(source, "not_json", format!("the band is no JSON: {error}"));
        vec![problem.at(at(error.line), at(error.column)).help(AGAIN)]
    })?;
    let mut reading = Reading { source, text, problems: Vec::new() };
    let band = reading.band(document.root());
    if reading.problems.is_empty() { Ok(band) } else { Err(reading.problems) }
}

const AGAIN: &str = "make it again with `lawbook baseline`";

struct Reading<'t> {
    source: &'t str,
    text: &'t str,
    problems: Vec<Problem>,
}

impl Reading<'_> {
    fn band(&mut self, root: Value<'_>) -> BandFile {
        if !root.is_object() || root.is_empty() {
            self.wrong(root, "the band is empty or no JSON object");
            return BandFile::default();
        }
        if let Some(schema) = root.get("schema")
            && schema.as_str() != Some(BAND_SCHEMA)
        {
            self.wrong(schema, &format!("`schema` must be `{BAND_SCHEMA}`"));
        }
        let scenarios = self.texts(root, "scenarios");
        let own = root.get("counts").map(|counts| self.own(root, counts));
        // A band of ours that lost its counts would lose what it says of its policy, too.
        if own.is_none() && (root.get("schema").is_some() || root.get("policies").is_some()) {
            self.wrong(root, "`counts` is missing");
        }
        let is_pooled = own.as_ref().is_some_and(|it| it.test == "pooled");
        if scenarios.is_empty() && !is_pooled && self.problems.is_empty() {
            self.wrong(root, "the band has no scenarios");
        }
        let (low, high, per_run) = self.rates(root);
        let usage = root.get("usage").filter(|it| it.is_object());
        let measure = |key: &str| usage.and_then(|it| number(it.get(key)?));
        let judge = root.get("judge").and_then(Value::as_str).unwrap_or("none").to_owned();
        BandFile {
            checks: self.texts(root, "checks"),
            judge,
            scenarios,
            per_run,
            low,
            high,
            clean_in_all_runs: self.texts(root, "clean_in_all_runs"),
            usage: MEASURES.map(measure),
            own,
        }
    }

    /// The least and the greatest share, and that of each run. A file without the last stands for
    /// two runs.
    fn rates(&mut self, root: Value<'_>) -> (f64, f64, Vec<f64>) {
        let Some(rates) = root.get("clean_rate").filter(|it| it.is_object()) else {
            self.wrong(root, "`clean_rate` must be an object");
            return (0.0, 0.0, Vec::new());
        };
        let low = self.share(rates, rates.get("min"), "clean_rate.min");
        let high = self.share(rates, rates.get("max"), "clean_rate.max");
        let per_run = match rates.get("per_run") {
            None => vec![low, high],
            Some(list) if list.is_array() && !list.is_empty() => {
                list.items().map(|it| self.share(list, Some(it), "clean_rate.per_run")).collect()
            }
            Some(other) => {
                self.wrong(other, "`clean_rate.per_run` must be a list of shares");
                Vec::new()
            }
        };
        (low, high, per_run)
    }

    fn share(&mut self, at: Value<'_>, value: Option<Value<'_>>, name: &str) -> f64 {
        let share = value.and_then(number).filter(|it| (0.0..=1.0).contains(it));
        if share.is_none() {
            self.wrong(value.unwrap_or(at), &format!("`{name}` must be a number from 0 to 1"));
        }
        share.unwrap_or(0.0)
    }

    fn own(&mut self, root: Value<'_>, counts: Value<'_>) -> Own {
        let text = |value: Value<'_>, key: &str| {
            value.get(key).and_then(Value::as_str).unwrap_or_default().to_owned()
        };
        let mark = |it: Value<'_>| PolicyMark {
            dialect: text(it, "dialect"),
            digest: text(it, "digest"),
            profile: text(it, "profile"),
        };
        let policies = match root.get("policies") {
            Some(list) if list.is_array() => list.items().map(mark).collect(),
            other => {
                self.wrong(other.unwrap_or(root), "`policies` must be a list");
                Vec::new()
            }
        };
        Own {
            policies,
            rules: self.texts(root, "rules"),
            ignore: self.texts(root, "ignore"),
            test: text(root, "test"),
            expected: root.get("expected").map(|it| self.stated(it)),
            judge_question: root.get("judge_question").and_then(Value::as_str).map(str::to_owned),
            counts: self.counts(counts),
        }
    }

    /// What was stated of each scenario.
    fn stated(&mut self, list: Value<'_>) -> Stated {
        let mut out = Stated::new();
        if !list.is_array() {
            self.wrong(list, "`expected` must be a list of scenarios");
        }
        let one = |it: Value<'_>| {
            let golden = it.get("golden")?;
            let digest = golden.as_str().map(str::to_owned);
            let outcome = it.get("outcome")?.as_bool()?;
            (digest.is_some() || golden.is_null()).then_some(Expected { golden: digest, outcome })
        };
        for row in list.items() {
            let scenario = row.get("scenario").and_then(Value::as_str);
            let runs = row.get("runs").and_then(|it| it.items().map(one).collect());
            match (scenario, runs) {
                (Some(scenario), Some(runs)) => {
                    out.insert(scenario.to_owned(), runs);
                }
                _ => self.wrong(
                    row,
                    "a row of `expected` needs `scenario` and `runs` with `golden` and `outcome`",
                ),
            }
        }
        out
    }

    fn counts(&mut self, list: Value<'_>) -> BTreeMap<String, Vec<Rate>> {
        let mut out = BTreeMap::new();
        if !list.is_array() || list.is_empty() {
            self.wrong(list, "`counts` must be a list of scenarios");
        }
        for row in list.items() {
            let scenario = row.get("scenario").and_then(Value::as_str);
            let runs: Option<Vec<Rate>> =
                row.get("runs").map(|it| it.items().map(rate).collect()).unwrap_or_default();
            match (scenario, runs) {
                (Some(scenario), Some(runs)) if !runs.is_empty() => {
                    out.insert(scenario.to_owned(), runs);
                }
                _ => {
                    self.wrong(row, "a row of `counts` needs `scenario` and `runs` as [clean, all]")
                }
            }
        }
        out
    }

    fn texts(&mut self, root: Value<'_>, key: &str) -> Vec<String> {
        let texts: Option<Vec<String>> = root
            .get(key)
            .filter(|it| it.is_array())
            .and_then(|it| it.items().map(|it| it.as_str().map(str::to_owned)).collect());
        if texts.is_none() {
            self.wrong(root.get(key).unwrap_or(root), &format!("`{key}` must be a list of texts"));
        }
        texts.unwrap_or_default()
    }

    fn wrong(&mut self, at: Value<'_>, message: &str) {
        let (line, column) = place(self.text, at.offset());
        let problem = Problem::new(self.source, "wrong_band", message).at(line, column);
        self.problems.push(problem.help(AGAIN));
    }
}

fn number(value: Value<'_>) -> Option<f64> {
    value.number_text()?.parse().ok().filter(|it: &f64| it.is_finite())
}

/// Clean ones of all, as a list of two whole numbers.
fn rate(value: Value<'_>) -> Option<Rate> {
    let whole = |place| value.item(place)?.number_text()?.parse::<u64>().ok();
    let rate = Rate { count: whole(0)?, total: whole(1)? };
    (value.len() == 2 && rate.total > 0 && rate.count <= rate.total).then_some(rate)
}

#[cfg(test)]
mod tests {
    use super::parse;

    const THEIRS: &str = r#"{"judge": "none", "checks": ["policy"], "runs": 2, "n": 2,
 "scenarios": ["a", "b"], "clean_rate": {"min": 0.5, "max": 1.0, "mean": 0.75,
 "per_run": [0.5, 1.0]}, "clean_in_all_runs": ["a"],
 "usage": {"tokens": 12.5, "latency_ms": null, "cost_usd": null}, "rule": "…"}"#;

    #[test]
    fn a_band_of_faultgate_is_read() {
        let band = parse("band.json", THEIRS).unwrap();
        assert_eq!((band.low, band.high, band.per_run), (0.5, 1.0, vec![0.5, 1.0]));
        assert_eq!((band.scenarios.len(), band.usage), (2, [Some(12.5), None, None]));
        assert_eq!(band.own, None);
    }

    #[test]
    fn what_is_no_band_is_told_at_its_place() {
        for (text, wanted) in [
            ("{}", "the band is empty"),
            ("[]", "the band is empty"),
            ("null", "the band is empty"),
            ("", "the band is no JSON"),
            ("{\"n\": 1e}", "the band is no JSON"),
            ("{\"n\": 3}", "`scenarios` must be"),
            ("{\"schema\": \"lawbook.band/9\"}", "`schema` must be"),
        ] {
            let problem = &parse("band.json", text).unwrap_err()[0];
            assert!(problem.message.starts_with(wanted), "{text}: {}", problem.message);
            assert!(problem.line.is_some(), "{text}");
        }
        let wrong = THEIRS.replace("[0.5, 1.0]", "[0.5, 1.5]");
        let problem = &parse("band.json", &wrong).unwrap_err()[0];
        assert_eq!((problem.line, problem.column), (Some(3), Some(19)));
        let empty = THEIRS.replace("[\"a\", \"b\"]", "[]");
        assert_eq!(parse("b", &empty).unwrap_err()[0].message, "the band has no scenarios");
        for ours in ["\"schema\": \"lawbook.band/1\"", "\"policies\": []"] {
            let cut = THEIRS.replacen('{', &format!("{{{ours}, "), 1);
            assert_eq!(parse("b", &cut).unwrap_err()[0].message, "`counts` is missing");
        }
    }
}
