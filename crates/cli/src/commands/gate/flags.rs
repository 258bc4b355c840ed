//! The flags of `lawbook gate`.

use std::borrow::Cow;
use std::path::PathBuf;

use clap::Args;
use lawbook_report::Reporter;

use super::{json::GateJson, text::GateText};
use crate::environment::switch;
use crate::gating::GatingArgs;
use crate::judge::JudgeArgs;
use crate::masking;
use crate::reports::ReportArgs;

/// Hold a release against the band of its baseline.
#[derive(Debug, Args)]
pub struct GateArgs {
    /// Trace files of the release, globs, or `-` for standard input
    #[arg(required = true, value_name = "TRACES")]
    pub traces: Vec<String>,
    /// The band, as `lawbook baseline` or faultgate wrote it
    #[arg(long, value_name = "FILE", env = "LAWBOOK_BAND", hide_env = true)]
    pub band: PathBuf,
    #[command(flatten)]
    pub gating: GatingArgs,
    /// The chance of a false alarm that is accepted
    #[arg(long, value_name = "SHARE", default_value_t = 0.05, value_parser = share,
          env = "LAWBOOK_ALPHA", hide_env = true)]
    pub alpha: f64,
    /// The chance with which a drop must show itself
    #[arg(long, value_name = "SHARE", default_value_t = 0.80, value_parser = share,
          env = "LAWBOOK_POWER", hide_env = true)]
    pub power: f64,
    /// The drop that must be told, in percentage points
    #[arg(long, value_name = "POINTS", default_value_t = 10.0, value_parser = points,
          env = "LAWBOOK_DROP", hide_env = true)]
    pub drop: f64,
    /// Gate without the policy that the band was made under
    #[arg(long, env = "LAWBOOK_WITHOUT_POLICY", hide_env = true, value_parser = switch)]
    pub without_policy: bool,
    /// Gate under another policy, or other rules of it, than the band was made under
    #[arg(long, env = "LAWBOOK_OTHER_POLICY", hide_env = true, value_parser = switch)]
    pub other_policy: bool,
    /// Gate by other golden answers, stated outcomes or another judge than the band was made with
    #[arg(long, env = "LAWBOOK_OTHER_ANSWERS", hide_env = true, value_parser = switch)]
    pub other_answers: bool,
    #[command(flatten)]
    pub reports: ReportArgs,
    /// INCONCLUSIVE doesn't make the exit code 3
    #[arg(long, env = "LAWBOOK_ALLOW_UNKNOWN", hide_env = true, value_parser = switch)]
    pub allow_unknown: bool,
    /// The verdict doesn't change the exit code
    #[arg(long, env = "LAWBOOK_EXIT_ZERO", hide_env = true, value_parser = switch)]
    pub exit_zero: bool,
}

/// The reporter of a name: the gate has its own for people and as JSON.
pub fn reporter(name: &str) -> Option<&'static dyn Reporter> {
    match name {
        "text" => Some(&GateText),
        "json" => Some(&GateJson),
        name => lawbook_report::named(name),
    }
}

impl GateArgs {
    /// The flags that choose what is held against what, for doing it again.
    #[must_use]
    pub fn again(&self) -> Vec<String> {
        let mut out = Vec::new();
        let mut flag = |name: &str, value: Option<String>| {
            out.extend(value.into_iter().flat_map(|it| [format!("--{name}"), it]));
        };
        let file = |it: &PathBuf| it.display().to_string();
        let gating = &self.gating;
        flag("band", Some(file(&self.band)));
        gating.checks.iter().for_each(|it| flag("checks", Some(it.clone())));
        flag("golden", gating.golden.as_ref().map(file));
        flag("outcomes", gating.outcomes.as_ref().map(file));
        flag("judge-cache", gating.judge.judge_cache.as_ref().map(file));
        flag("trace-format", gating.trace_format.clone());
        gating.rules.iter().for_each(|it| flag("rules", Some(it.clone())));
        gating.ignore.iter().for_each(|it| flag("ignore", Some(it.clone())));
        flag("test", gating.test.map(|it| it.word().to_owned()));
        flag("alpha", Some(self.alpha.to_string()));
        flag("power", Some(self.power.to_string()));
        flag("drop", Some(self.drop.to_string()));
        out.extend(judge(&gating.judge));
        let switches = [
            ("--without-policy", self.without_policy),
            ("--other-policy", self.other_policy),
            ("--other-answers", self.other_answers),
            ("--allow-unreadable", gating.allow_unreadable),
            ("--allow-unknown", self.allow_unknown),
            ("--exit-zero", self.exit_zero),
        ];
        out.extend(switches.into_iter().filter(|it| it.1).map(|it| it.0.to_owned()));
        out
    }
}

/// The judge, for asking it again. A password in its address stays out of what is kept.
fn judge(args: &JudgeArgs) -> Vec<String> {
    let [url, model] = args.judge.as_slice() else { return Vec::new() };
    let url = if url.contains('@') { masking::text(url) } else { Cow::Borrowed(url.as_str()) };
    vec!["--judge".to_owned(), url.into_owned(), model.clone()]
}

/// A share between 0 and 1.
fn share(word: &str) -> Result<f64, &'static str> {
    let share = word.parse::<f64>().ok().filter(|it| *it > 0.0 && *it < 1.0);
    share.ok_or("it is a number between 0 and 1, as in 0.05")
}

/// Percentage points.
fn points(word: &str) -> Result<f64, &'static str> {
    let points = word.parse::<f64>().ok().filter(|it| *it > 0.0 && *it < 100.0);
    points.ok_or("it is a number of percentage points between 0 and 100, as in 10")
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::GateArgs;

    #[derive(Parser)]
    struct Words {
        #[command(flatten)]
        gate: GateArgs,
    }

    fn again(judge: &[&str]) -> String {
        let words = ["gate", "t.jsonl", "--band", "band.json"].iter().chain(judge);
        Words::try_parse_from(words).unwrap().gate.again().join(" ")
    }

    #[test]
    fn a_judge_is_asked_again_and_its_password_is_not_kept() {
        let asked = ["--judge", "http://127.0.0.1:9/v1", "small", "--judge-cache", "kept"];
        let said = again(&asked);
        assert!(said.contains("--judge http://127.0.0.1:9/v1 small"), "{said}");
        assert!(said.contains("--judge-cache kept"), "{said}");
        let said = again(&["--judge", "https://me:hunter2hunter2@judge.example/v1", "small"]);
        assert!(said.contains("--judge https://") && !said.contains("hunter2"), "{said}");
        assert!(!again(&[]).contains("--judge"));
    }
}
