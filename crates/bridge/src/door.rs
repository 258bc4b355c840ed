//! The door: one input of a host in, one answer out, whatever happens.

mod answer;
mod seen;

use std::panic::{AssertUnwindSafe, catch_unwind};

use lawbook::{Error, Mask, Policy, Time, Verdict};
use lawbook_diag::Problem;

use crate::host::{Around, Heard, Host, Output, Say, Told};
use crate::input::{document, line};
use crate::store::Store;

/// How many bytes one input may have.
pub const INPUT_BYTES_MAX: usize = 32 * 1024 * 1024;

/// What a call is answered that can't be judged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OnError {
    /// It may not run.
    #[default]
    Deny,
    /// A person is asked, where one is certain to be.
    Ask,
}

/// Everything that an answer depends on beside its input.
#[derive(Debug)]
pub struct Door {
    /// The policy, or why there is none.
    pub policy: Result<Policy, Error>,
    /// Where sessions are kept; none where there is no place for them.
    pub store: Option<Store>,
    /// Calls that the policy lists run without the host's own question.
    pub auto_allow: bool,
    /// Nobody can be asked, whatever the host says.
    pub unattended: bool,
    /// What a call is answered that can't be judged.
    pub on_error: OnError,
    /// What is taken out of what the host is told.
    pub mask: Mask,
    /// What surrounds the hook.
    pub around: Around,
}

impl Door {
    /// Answers one input. The exit code is 0 or 2, also where something is wrong with the input,
    /// the policy, the store or with us.
    #[must_use]
    pub fn answer(&self, host: &dyn Host, input: &[u8], now: Time) -> Output {
        let whole = || self.read_and_answer(host, input, now);
        match catch_unwind(AssertUnwindSafe(whole)) {
            Ok(output) => output,
            Err(_) => Output::block("lawbook failed while it judged this call, so it may not run"),
        }
    }

    fn read_and_answer(&self, host: &dyn Host, input: &[u8], now: Time) -> Output {
        let heard = match self.hear(host, input) {
            Ok(heard) => heard,
            Err(problem) => {
                let message = self.masked(&line(&problem.message));
                return Output::block(&format!(
                    "lawbook can't read what {} sent: {message}",
                    host.title()
                ));
            }
        };
        if heard.told == Told::Nothing {
            return host.write(&heard.event, &Say::Nothing);
        }
        let say = match self.say(host, &heard, now) {
            Ok(say) => say,
            Err(trouble) if heard.waits() => self.trouble(host, &heard, &trouble),
            Err(trouble) => Say::Note(format!("lawbook: {}", self.masked(&trouble))),
        };
        host.write(&heard.event, &say)
    }

    fn hear(&self, host: &dyn Host, input: &[u8]) -> Result<Heard, Problem> {
        if input.len() > INPUT_BYTES_MAX {
            let message = format!("it has more than {INPUT_BYTES_MAX} bytes");
            return Err(Problem::new("input", "too_large", message));
        }
        let text = std::str::from_utf8(input)
            .map_err(|_| Problem::new("input", "not_utf8", "it is no UTF-8 text"))?;
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        host.read(document(text)?.root(), &self.around)
    }

    /// What is said where a call can't be judged.
    fn trouble(&self, host: &dyn Host, heard: &Heard, trouble: &str) -> Say {
        let reason = format!("lawbook can't judge this call: {}", self.masked(trouble));
        match self.on_error {
            OnError::Ask if self.person(host, heard).is_ok() => Say::Ask(reason),
            OnError::Ask | OnError::Deny => Say::Deny(reason),
        }
    }

    fn masked(&self, text: &str) -> String {
        self.mask.text(text).into_owned()
    }

    /// Whether a person is certain to be asked.
    fn person(&self, host: &dyn Host, heard: &Heard) -> Result<(), &'static str> {
        if self.unattended {
            return Err("nobody can be asked");
        }
        // Claude Code tells its version in its record of the session alone.
        let record = || heard.transcript.as_deref().and_then(crate::transcript::version);
        let version = heard.version.clone().or_else(record);
        heard.person(host, version.as_deref())
    }
}

/// The words of an error: its first problem, with its place.
fn words(error: &Error) -> String {
    let first = error.problems().first();
    first.map_or_else(|| error.to_string(), |it| line(&it.to_string()).into_owned())
}

/// The stricter of a verdict that stands and another.
fn stricter(one: Verdict, other: Verdict) -> Verdict {
    one.max(other)
}

#[cfg(test)]
mod tests;
