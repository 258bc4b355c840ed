//! What is off on some channels.

use lawbook_dialect::DraftRule;
use lawbook_event::json::write_string;
use lawbook_rule::params::Node;

use super::super::making::Making;
use super::super::question::{Choice, Form, Question};
use super::super::seen::{Seen, Values, some, speaks_of};
use super::{Questions, Requirement};

/// How the names of metadata begin that say where a conversation takes place.
const CHANNEL: &[&str] = &["channel", "medium", "platform", "interface", "source"];

/// Channels on which it is hard to know who writes.
const WEAK: &[&str] = &["sms", "text", "email", "mail", "social", "fax"];

/// The most values of a channel.
const CHANNELS_MAX: usize = 10;

/// What is off on some channels.
pub struct Channels;

impl Requirement for Channels {
    fn name(&self) -> &'static str {
        "channels"
    }

    fn questions(&self, seen: &Seen, making: &Making) -> Questions {
        let is_channel = |it: &(&String, &Values)| {
            speaks_of(it.0, CHANNEL) && !it.1.more && it.1.counts.len() <= CHANNELS_MAX
        };
        let Some((key, values)) = seen.metadata.iter().find(is_channel) else {
            let found = "the traces name no channel; a rule on channels or times needs it recorded";
            return Questions::Found(found.to_owned());
        };
        if making.writes().is_empty() {
            return Questions::Found("no tool of the table changes something".to_owned());
        }
        Questions::Ask(vec![question(key, values)])
    }
}

fn question(key: &str, values: &Values) -> Question {
    let shown: Vec<String> =
        values.counts.iter().map(|(value, uses)| format!("{value} {}", uses.times)).collect();
    let weak: Vec<String> =
        values.counts.keys().filter(|it| speaks_of(it, WEAK)).cloned().collect();
    let place = format!("session.metadata.{key}");
    let off = Choice::new("No changes on channels that I name", move |given, making| {
        let params = [("access", Node::text("write"))];
        let rule = DraftRule::new("no-changes-on-channel", "never", params);
        let when = condition(&place, &given.texts("values"));
        making.rule(rule.why(given.why.as_str()).when(when));
    })
    .wants("values", Form::Texts, "the channels");
    let why = "on this channel anybody may be writing";
    let question = Question::new(
        "channels",
        format!("Is anything off on a channel? (`{key}`: {})", some(&shown)),
    );
    match weak.is_empty() {
        true => question
            .option(
                Choice::does_not_apply("The same rules hold on each")
                    .because("none of them is known to be weaker than the others"),
            )
            .option(off.owners_why()),
        false => {
            let reason = format!("on {} it is hard to know who writes", some(&weak));
            let off = off.or(super::super::interview::list(&weak)).why(why).because(reason);
            question.option(off).or_not("The same rules hold on each")
        }
    }
    .or_later()
}

fn condition(place: &str, values: &[String]) -> String {
    let quoted: Vec<String> = values
        .iter()
        .map(|it| {
            let mut out = String::new();
            write_string(&mut out, it);
            out
        })
        .collect();
    format!("{place} in [{}]", quoted.join(", "))
}
