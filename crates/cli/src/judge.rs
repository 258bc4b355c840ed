//! A judge behind an OpenAI-compatible endpoint: one question for each run, and never the cause of
//! a failure.

mod cache;
mod client;
mod flags;

use std::sync::atomic::{AtomicU64, Ordering};

use lawbook_checks::judge::{BUDGET_CHARS, TRUST, rendering, request, told};
use lawbook_checks::{Run, Told};
use lawbook_diag::Problem;
use lawbook_mask::Mask;

pub use flags::JudgeArgs;

use cache::Cache;
use client::Client;

/// After so many runs in a row that could not be judged, no more are sent.
const FAILED_MAX: u64 = 3;

/// A judge that is asked over the network.
pub struct RemoteJudge {
    model: String,
    client: Client,
    cache: Option<Cache>,
    mask: Mask,
    /// Runs that were asked for.
    asked: AtomicU64,
    /// Those of them that the judge did not answer for.
    untold: AtomicU64,
    /// Failures since the last answer.
    failed: AtomicU64,
}

impl RemoteJudge {
    /// The judge that is asked for, if any.
    ///
    /// # Errors
    /// When its address or its folder can't be used.
    pub fn new(args: &JudgeArgs, mask: Mask) -> Result<Option<Self>, Problem> {
        let [url, model] = args.judge.as_slice() else { return Ok(None) };
        Ok(Some(RemoteJudge {
            model: model.clone(),
            client: Client::new(url, flags::key())?,
            cache: args.judge_cache.as_deref().map(Cache::open).transpose()?,
            mask,
            asked: AtomicU64::new(0),
            untold: AtomicU64::new(0),
            failed: AtomicU64::new(0),
        }))
    }

    /// What the judge says of a run. Whatever goes wrong, the run is not judged, and that is all.
    pub fn told(&self, run: &Run<'_>) -> Told {
        self.asked.fetch_add(1, Ordering::Relaxed);
        let not_judged =
            |why: String| Told::unknown(format!("not judged: {}", self.mask.text(&why)));
        let told = self.answer(run).unwrap_or_else(not_judged);
        if told.is_unknown() {
            self.untold.fetch_add(1, Ordering::Relaxed);
        }
        told
    }

    fn answer(&self, run: &Run<'_>) -> Result<Told, String> {
        let mask = |text: &str| self.mask.text(text).into_owned();
        let body = request(&self.model, &mask(&rendering(run, BUDGET_CHARS, &mask)));
        let kept = self.cache.as_ref().and_then(|it| told(&it.get(&body)?));
        if let Some(told) = kept.filter(|it| !it.is_unknown()) {
            return Ok(told);
        }
        if self.failed.load(Ordering::Relaxed) >= FAILED_MAX {
            return Err("the judge failed before".to_owned());
        }
        let reply = self.client.ask(&body).and_then(|reply| match told(&reply) {
            Some(told) => Ok((reply, told)),
            None => Err("the endpoint's reply is none of a model".to_owned()),
        });
        match reply {
            Ok((reply, told)) => {
                self.failed.store(0, Ordering::Relaxed);
                // What says nothing is asked again by the next run.
                if let Some(cache) = self.cache.as_ref().filter(|_| !told.is_unknown()) {
                    cache.put(&body, &reply);
                }
                Ok(told)
            }
            Err(why) => {
                self.failed.fetch_add(1, Ordering::Relaxed);
                Err(why)
            }
        }
    }

    /// The model's name.
    pub fn name(&self) -> &str {
        &self.model
    }

    /// What the reader should know of the judge, once all runs were asked for.
    pub fn notes(&self) -> Vec<String> {
        let (asked, untold) = (&self.asked, &self.untold);
        let (asked, untold) = (asked.load(Ordering::Relaxed), untold.load(Ordering::Relaxed));
        let mut notes = vec![format!("judge `{}`: {TRUST}", self.model)];
        if untold > 0 {
            notes.push(format!("{untold} of {asked} runs were not judged"));
        }
        notes
    }
}

#[cfg(test)]
mod tests;
