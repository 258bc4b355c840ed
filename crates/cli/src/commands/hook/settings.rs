//! The settings of a host as a text: our commands put in and taken out, all the rest left as it is.

mod plain;

use std::ops::Range;

use lawbook_bridge::{Entry, Setup};
use lawbook_diag::Problem;
use lawbook_event::json::{Document, Grammar, Limits, Value, Writer};

use crate::edit::Edits;
use crate::indent::indented;
use plain::plain;

/// The commands that a host runs.
#[derive(Clone, Debug)]
pub struct Commands {
    /// The words of the command that answers.
    pub words: Vec<String>,
    /// How the host is set up.
    pub setup: &'static Setup,
}

impl Commands {
    /// The text of settings with our commands in it, in place of earlier ones of ours.
    ///
    /// # Errors
    /// When the text is no settings of the host.
    pub fn put_in(&self, source: &str, text: &str, host: &str) -> Result<String, Problem> {
        let (group, options) = match &self.setup.entry {
            Entry::Script(script) => return self.script(source, text, script),
            Entry::Groups { options } => (true, options),
            Entry::Commands { options } => (false, options),
        };
        let (there, text) = (text, take_out(source, text, host)?);
        let fresh = there.trim().is_empty();
        let mut text = if text.trim().is_empty() { "{}\n".to_owned() } else { text };
        if !group {
            text = with_key(source, &text, &[], "version", "1")?;
        }
        text = with_key(source, &text, &[], "hooks", "{}")?;
        for event in self.setup.events {
            text = with_key(source, &text, &["hooks"], event, "[]")?;
            let gates = self.setup.gates.contains(event);
            let item = self.item(gates, if gates { options } else { self.setup.other_options });
            let item = if group { format!(r#"{{"hooks":[{item}]}}"#) } else { item };
            text = edited(source, &text, |root, edits| {
                if let Some(list) = at(root, &["hooks", event]) {
                    edits.push(list, &item);
                }
            })?;
        }
        // In a file of others everything keeps its place; a new one is laid out to be read.
        let laid_out = indented(text.trim_end(), 0);
        if laid_out == indented(there.trim_end(), 0) {
            return Ok(there.to_owned());
        }
        Ok(if fresh { format!("{laid_out}\n") } else { text })
    }

    fn item(&self, gates: bool, options: &str) -> String {
        let mut writer = Writer::new();
        writer.object().key("type").string("command");
        writer.key("command").string(&self.line(gates)).end_object();
        let item = writer.finish();
        let open = item.strip_suffix('}').unwrap_or(&item);
        if options.is_empty() { item.clone() } else { format!("{open},{options}}}") }
    }

    /// The command line. Whatever goes wrong with it, a call does not run and nothing else is
    /// stopped: a program that is gone or was killed ends with codes that hosts read as a yes.
    fn line(&self, gates: bool) -> String {
        let words: Vec<String> = self.words.iter().map(|it| quoted(it)).collect();
        let command = words.join(" ");
        match gates {
            true => format!(
                "{command} || {{ [ $? = 2 ] || echo 'lawbook could not answer, so this call may \
                 not run' >&2; exit 2; }}"
            ),
            false => format!("{command} || exit 0"),
        }
    }

    fn script(&self, source: &str, text: &str, script: &str) -> Result<String, Problem> {
        if !text.trim().is_empty() && !is_ours(text) {
            let message = "the file is there and is not Lawbook's";
            return Err(Problem::new(source, "not_ours", message).help("move it away"));
        }
        let mut words = Writer::new();
        words.array();
        for word in &self.words {
            words.string(word);
        }
        words.end_array();
        Ok(script.replace("@COMMAND@", &words.finish()))
    }
}

/// Whether a script is one of ours.
fn is_ours(text: &str) -> bool {
    text.starts_with("// Written by `lawbook hook install")
}

/// The text of settings without commands of ours for a host.
///
/// # Errors
/// When the text is no JSON object.
pub fn take_out(source: &str, text: &str, host: &str) -> Result<String, Problem> {
    if is_ours(text) {
        return Ok(String::new());
    }
    let mut text = text.to_owned();
    loop {
        let plain = plain(&text);
        if plain.trim().is_empty() {
            return Ok(text);
        }
        let document = parse(source, &plain)?;
        let root = document.root();
        let lists = root.get("hooks").into_iter().flat_map(Value::entries);
        let found = lists.filter(|it| it.1.is_array()).find_map(|(event, list)| {
            list.items().position(|it| is_command_of_ours(it, host)).map(|place| (event, place))
        });
        let Some((event, place)) = found else { return Ok(text) };
        let range = cut(&plain, root, event, place);
        text = format!(
            "{}{}",
            text.get(..range.start).unwrap_or_default(),
            text.get(range.end..).unwrap_or_default()
        );
    }
}

/// Whether settings hold a command of ours for a host.
#[must_use]
pub fn has(text: &str, host: &str) -> bool {
    if is_ours(text) {
        return true;
    }
    let plain = plain(text);
    let Ok(document) = parse("settings", &plain) else { return false };
    let lists = document.root().get("hooks").into_iter().flat_map(Value::entries);
    lists.flat_map(|it| it.1.items()).any(|it| is_command_of_ours(it, host))
}

/// Whether the value that keys lead to is one that is wanted.
pub fn keys(text: &str, keys: &[&str], wanted: impl FnOnce(Value<'_>) -> bool) -> bool {
    let plain = plain(text);
    let Ok(document) = parse("settings", &plain) else { return false };
    at(document.root(), keys).is_some_and(wanted)
}

fn is_command_of_ours(item: Value<'_>, host: &str) -> bool {
    let ours = |it: Value<'_>| {
        let command = it.get("command").and_then(Value::as_str).unwrap_or_default();
        let words = command.replace(['\'', '"'], "");
        words.contains("lawbook") && words.contains(&format!(" hook {host} "))
    };
    ours(item) || item.get("hooks").into_iter().flat_map(Value::items).any(ours)
}

/// What is cut out with an item: the comma beside it, and the key of a list that holds nothing else.
fn cut(plain: &str, root: Value<'_>, event: &str, place: usize) -> Range<usize> {
    let hooks = root.get("hooks").unwrap_or(root);
    let list = hooks.get(event).unwrap_or(hooks);
    let place_of = |it: Value<'_>, key: &str| it.entries().position(|it| it.0 == key);
    let (spans, place) = match (list.len(), hooks.len()) {
        (0 | 1, 0 | 1) => (entries(plain, root), place_of(root, "hooks")),
        (0 | 1, _) => (entries(plain, hooks), place_of(hooks, event)),
        _ => (list.items().map(|it| it.offset()..end(it)).collect(), Some(place)),
    };
    let place = place.unwrap_or_default();
    let before = place.checked_sub(1).and_then(|it| spans.get(it));
    match (before, spans.get(place), spans.get(place.saturating_add(1))) {
        (Some(before), Some(own), _) => before.end..own.end,
        (None, Some(own), Some(next)) => own.start..next.start,
        (None, Some(own), None) => own.clone(),
        (_, None, _) => 0..0,
    }
}

/// The places of the entries of an object, keys included.
fn entries(plain: &str, object: Value<'_>) -> Vec<Range<usize>> {
    let key = |(name, it): (&str, Value<'_>)| {
        let head = plain.get(..it.offset()).unwrap_or_default();
        head.rfind(&format!("\"{name}\"")).unwrap_or(it.offset())..end(it)
    };
    object.entries().map(key).collect()
}

fn end(value: Value<'_>) -> usize {
    value.offset().saturating_add(value.raw().len())
}

fn with_key(
    source: &str,
    text: &str,
    path: &[&str],
    key: &str,
    json: &str,
) -> Result<String, Problem> {
    edited(source, text, |root, edits| {
        if let Some(object) = at(root, path)
            && object.get(key).is_none()
        {
            edits.set(object, key, json);
        }
    })
}

fn edited(
    source: &str,
    text: &str,
    edit: impl FnOnce(Value<'_>, &mut Edits<'_>),
) -> Result<String, Problem> {
    let plain = plain(text);
    let document = parse(source, &plain)?;
    let hooks = document.root().get("hooks");
    if hooks.is_some_and(|it| !it.is_object() || it.entries().any(|it| !is_list(&it))) {
        let message = "`hooks` is no object of lists";
        return Err(Problem::new(source, "wrong_shape", message).help("put it right by hand"));
    }
    let mut edits = Edits::of(text);
    edit(document.root(), &mut edits);
    Ok(edits.text())
}

/// Some hosts keep switches beside the lists.
fn is_list(entry: &(&str, Value<'_>)) -> bool {
    entry.1.is_array() || entry.1.as_bool().is_some()
}

fn at<'d>(root: Value<'d>, path: &[&str]) -> Option<Value<'d>> {
    path.iter().try_fold(root, |it, key| it.get(key))
}

fn parse<'t>(source: &str, text: &'t str) -> Result<Document<'t>, Problem> {
    let document = Document::parse(text, Grammar::Strict, &Limits::DEFAULT).map_err(|error| {
        Problem::new(source, "not_json", format!("the settings are no JSON: {error}"))
    })?;
    match (document.root().is_object(), document.duplicate_key()) {
        (true, None) => Ok(document),
        (true, Some((key, _))) => {
            let message = format!("the settings have `{key}` twice");
            Err(Problem::new(source, "duplicate_key", message))
        }
        (false, _) => Err(Problem::new(source, "wrong_shape", "the settings are no JSON object")),
    }
}

/// A word as a shell reads it.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./:=@%+,".contains(c);
    match !word.is_empty() && word.chars().all(is_plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
}

#[cfg(test)]
mod tests;
