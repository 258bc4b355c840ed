//! What is said of one event of a session.

use lawbook::{Answer, Call, Policy, Session, Time, Verdict};

use super::seen::seen;
use super::{Door, stricter, words};
use crate::fold::{call, fold, is_answered, last, open_call, waits};
use crate::host::{Asked, Heard, Host, Say, Told};
use crate::store::{RECORD_BYTES_MAX, Record, Stored};

impl Door {
    /// Judges an event and takes it in.
    ///
    /// # Errors
    /// With the reason why it could not be judged or taken in.
    pub(super) fn say(&self, host: &dyn Host, heard: &Heard, now: Time) -> Result<Say, String> {
        let mut stored = match (&self.store, &heard.session) {
            (Some(store), Some(id)) => match seen(store, host, id, heard, now) {
                Ok(stored) => Some(stored),
                // What rests on nothing earlier can be judged all the same.
                Err(_) if !self.looks_back() => None,
                Err(why) => return Err(format!("the store of its session can't be used: {why}")),
            },
            _ => None,
        };
        let id = heard.session.as_deref().unwrap_or_default();
        match &heard.told {
            Told::Call(asked) => self.call(host, heard, stored.as_mut(), (id, asked), now),
            Told::Again(asked) => {
                let policy = self.policy()?;
                let known = records(stored.as_ref());
                // Where it was told already, it is judged as it was then.
                let open = open_call(known, &asked.key(stored.as_ref().map_or("", Stored::salt)));
                let before = open.and_then(|it| last(known, &it)).map(|it| it.0);
                let until = before.unwrap_or(known.len());
                let session =
                    fold(policy, (id, self.around.home.as_deref()), known.iter().take(until), now);
                let session = session.map_err(|it| words(&it))?;
                Ok(self.judge(host, heard, session, &asked.call("again"), now)?.0)
            }
            told => {
                if let Some(stored) = &mut stored {
                    self.take(stored, told, &heard.event, now).map_err(|it| it.to_string())?;
                }
                self.policy()?;
                Ok(Say::Nothing)
            }
        }
    }

    fn policy(&self) -> Result<&Policy, String> {
        self.policy.as_ref().map_err(words)
    }

    fn looks_back(&self) -> bool {
        self.policy.as_ref().is_ok_and(Policy::looks_back)
    }

    fn call(
        &self,
        host: &dyn Host,
        heard: &Heard,
        stored: Option<&mut Stored>,
        (id, asked): (&str, &Asked),
        now: Time,
    ) -> Result<Say, String> {
        let known = records(stored.as_deref());
        let salt = stored.as_deref().map_or("", Stored::salt);
        let key = asked.key(salt);
        let own = asked.id.clone().unwrap_or_else(|| format!("hook-{}", known.len()));
        // A hook that is set up twice hears of each call twice.
        let before = last(known, &own).and_then(|(place, it)| match it {
            Record::Call { key: same, verdict, .. }
                if *same == key && !is_answered(known, &own) =>
            {
                Some((place, *verdict))
            }
            _ => None,
        });
        let until = before.map_or(known.len(), |it| it.0);
        let session = self.policy().and_then(|policy| {
            fold(policy, (id, self.around.home.as_deref()), known.iter().take(until), now)
                .map_err(|it| words(&it))
        });
        let asked_now = asked.call(&own);
        let judged = session.and_then(|it| self.judge(host, heard, it, &asked_now, now));
        let (say, verdict) = match judged {
            Ok(judged) => judged,
            Err(why) => (self.trouble(host, heard, &why), Verdict::Deny),
        };
        if let Some((_, verdict_before)) = before {
            return match stricter(verdict_before, verdict) == verdict {
                true => Ok(say),
                false => Err("it was answered otherwise a moment ago".to_owned()),
            };
        }
        let Some(stored) = stored else { return Ok(say) };
        let record = Record::Call {
            id: own,
            tool: asked.tool.clone(),
            server: asked.server.clone(),
            args: self.kept(asked, verdict),
            key,
            verdict,
        };
        match stored.add(now, record) {
            Ok(()) => Ok(say),
            Err(_) if !self.looks_back() => Ok(say),
            Err(error) => Err(format!("the call can't be written down: {error}")),
        }
    }

    /// Judges a call in a session, and says what is said of it and what that means for it.
    fn judge(
        &self,
        host: &dyn Host,
        heard: &Heard,
        mut session: Session,
        call: &Call,
        now: Time,
    ) -> Result<(Say, Verdict), String> {
        let person = self.person(host, heard);
        let listed = self.auto_allow && host.takes_allow() && session.permits(call, now);
        let answer = match person {
            Ok(()) => session.call(call, now),
            Err(_) => session.call_unattended(call, now),
        };
        let answer = answer.map_err(|it| words(&it))?;
        let verdict = match (answer.verdict(), person) {
            (Verdict::Ask, Err(_)) => Verdict::Deny,
            (verdict, _) => verdict,
        };
        let say = match (verdict, person) {
            (Verdict::Allow, _) if listed && answer.findings().is_empty() => Say::Allow,
            (Verdict::Allow, _) => Say::Nothing,
            (Verdict::Ask, _) => Say::Ask(self.reason(&answer)),
            (Verdict::Deny, Err(why)) if wants_person(&answer) => {
                let asks = self.reason(&answer);
                let asks = asks.trim_start_matches("blocked by policy: ");
                Say::Deny(format!("needs a person, and {why}: {asks}"))
            }
            (Verdict::Deny, _) => Say::Deny(self.reason(&answer)),
        };
        Ok((say, verdict))
    }

    fn reason(&self, answer: &Answer) -> String {
        self.masked(answer.reply().unwrap_or("the policy does not let this call run"))
    }

    /// The arguments that are kept of a call: those that a rule needs later, and those that a
    /// person is asked about, which are judged again at the yes.
    fn kept(&self, asked: &Asked, verdict: Verdict) -> Option<String> {
        let needs = self.policy.as_ref().is_ok_and(|it| it.remembers(&asked.tool).args);
        let keeps = needs || verdict == Verdict::Ask;
        (keeps && asked.args.len() <= RECORD_BYTES_MAX).then(|| asked.args.clone())
    }

    /// Takes in an event that waits for no verdict.
    fn take(
        &self,
        stored: &mut Stored,
        told: &Told,
        event: &str,
        now: Time,
    ) -> std::io::Result<()> {
        let reads_words = self.policy.as_ref().is_ok_and(Policy::reads_words);
        let fits = |it: &String| it.len() <= RECORD_BYTES_MAX;
        match told {
            Told::User(words) if reads_words && fits(words) => {
                stored.add(now, Record::User(words.clone()))
            }
            Told::Agent(words) if reads_words && fits(words) => {
                stored.add(now, Record::Agent(words.clone()))
            }
            // What the user said is a part of the past, whose end can't be told then.
            Told::User(_) | Told::Agent(_) if reads_words => {
                stored.add(now, Record::Gap { why: "words were too long to keep".to_owned() })
            }
            Told::Result { call, text, error } => {
                let needs = self.policy.as_ref().is_ok_and(|it| it.remembers(&call.tool).answers);
                let text = text.clone().filter(|it| needs && fits(it));
                returned(stored, call, text, *error, now)
            }
            Told::Nothing | Told::Call(_) | Told::Again(_) => Ok(()),
            _ => stored.add(now, Record::Other(event.to_owned())),
        }
    }
}

/// A call returned: one that a person was asked about has their yes.
fn returned(
    stored: &mut Stored,
    call: &Asked,
    text: Option<String>,
    error: bool,
    now: Time,
) -> std::io::Result<()> {
    let known = &stored.records;
    let by_id = call.id.clone().filter(|it| last(known, it).is_some());
    let Some(id) = by_id.or_else(|| open_call(known, &call.key(stored.salt()))) else {
        let why = format!("`{}` returned, and nobody was asked about it", call.tool);
        return stored.add(now, Record::Gap { why });
    };
    if waits(known, &id) {
        stored.add(now, Record::Approval { id: id.clone() })?;
    }
    stored.add(now, Record::Result { id, text, error })
}

fn records(stored: Option<&Stored>) -> &[(Time, Record)] {
    stored.map_or(&[], |it| it.records.as_slice())
}

impl Asked {
    /// The call under an id.
    fn call(&self, id: &str) -> Call {
        call(id, &self.tool, self.server.as_deref(), Some(&self.args))
    }

    /// A digest of tool and arguments that says nothing to whoever has not the session's secret.
    fn key(&self, salt: &str) -> String {
        let digest = lawbook::digest(format!("{salt}\n{}\n{}", self.tool, self.args).as_bytes());
        digest.trim_start_matches("sha256:").get(..32).unwrap_or_default().to_owned()
    }
}

/// Whether a person's yes is all that is missing.
fn wants_person(answer: &Answer) -> bool {
    let mut counting = answer.findings().iter().filter(|it| it.counts()).map(|it| it.verdict);
    let mut unknown = answer.unknown().iter().map(|it| it.verdict);
    let asks = counting.clone().chain(unknown.clone()).any(|it| it == Verdict::Ask);
    asks && counting.all(|it| it != Verdict::Deny) && unknown.all(|it| it != Verdict::Deny)
}
