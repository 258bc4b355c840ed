//! Which host an address means, in the form that all its spellings share.

use core::net::IpAddr;

use url::{Host, Url};

/// How many bytes an address may have.
const ADDRESS_BYTES_MAX: usize = 64 * 1024;

/// The host that an address means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Address {
    host: Name,
    port: Option<u16>,
}

/// A host, in the form that all its spellings share.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Name {
    /// A name in ASCII, lower case, without a dot at its end.
    Domain(String),
    /// A number; of version 4 where one of version 6 stands for it.
    Ip(IpAddr),
}

/// A host as a rule names it.
#[derive(Clone, Debug)]
pub(super) struct Pattern {
    text: String,
    name: Name,
    port: Option<u16>,
    /// Whether the hosts below it are meant, and not it.
    below: bool,
}

impl Address {
    /// The host that every client would ask.
    pub(super) fn parse(text: &str) -> Result<Self, &'static str> {
        if text.len() > ADDRESS_BYTES_MAX {
            return Err("is longer than any address");
        }
        let text = text.trim_matches(' ');
        if text.is_empty() {
            return Err("is empty");
        }
        // Browsers take out tabs and line ends and read `\` as `/`; others don't.
        if text.chars().any(char::is_control) || text.contains('\\') {
            return Err("holds characters that clients read differently");
        }
        let whole = with_scheme(text)?;
        let url = Url::parse(&whole).map_err(|_| "is no address")?;
        if url.scheme() == "file" {
            return Err("is a file");
        }
        if authority(&whole).matches('@').count() > 1 {
            return Err("names its host in two ways");
        }
        // Schemes that are not of the web keep their hosts as they stand.
        let host = name(url.host())?.shown();
        let host = Pattern::parse(&host).map_err(|_| "names no host")?.name;
        Ok(Address { host, port: url.port_or_known_default() })
    }

    pub(super) fn shown(&self) -> String {
        self.host.shown()
    }
}

impl Name {
    fn shown(&self) -> String {
        match self {
            Name::Domain(name) => name.clone(),
            Name::Ip(IpAddr::V6(it)) => format!("[{it}]"),
            Name::Ip(it) => it.to_string(),
        }
    }
}

impl Pattern {
    /// A host as a policy writes it.
    pub(super) fn parse(text: &str) -> Result<Self, &'static str> {
        let (below, host) = match text.strip_prefix("*.") {
            Some(host) => (true, host),
            None => (false, text),
        };
        let odd = |it: char| it.is_whitespace() || it.is_control() || "*/\\?#@".contains(it);
        if host.is_empty() || host.chars().any(odd) {
            return Err("is no host");
        }
        let url = Url::parse(&format!("http://{host}/")).map_err(|_| "is no host")?;
        let name = name(url.host()).map_err(|_| "is no host")?;
        if below && matches!(name, Name::Ip(_)) {
            return Err("is a number, below which no hosts are");
        }
        // A port that the scheme would imply is written all the same.
        let port = host.rsplit_once(':').filter(|it| !it.1.contains(']'));
        let port = port.and_then(|(_, port)| port.parse().ok());
        Ok(Pattern { text: text.to_owned(), name, port, below })
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }

    pub(super) fn covers(&self, address: &Address) -> bool {
        if self.port.is_some() && self.port != address.port {
            return false;
        }
        match (&self.name, &address.host) {
            (Name::Domain(apex), Name::Domain(host)) if self.below => {
                host.strip_suffix(apex.as_str()).is_some_and(|it| it.len() > 1 && it.ends_with('.'))
            }
            (here, there) => !self.below && here == there,
        }
    }
}

fn name(host: Option<Host<&str>>) -> Result<Name, &'static str> {
    match host {
        Some(Host::Domain(name)) => {
            let name = name.strip_suffix('.').unwrap_or(name).to_ascii_lowercase();
            let sound = !name.is_empty() && !name.split('.').any(str::is_empty);
            if sound { Ok(Name::Domain(name)) } else { Err("names no host") }
        }
        Some(Host::Ipv4(it)) => Ok(Name::Ip(it.into())),
        Some(Host::Ipv6(it)) => {
            Ok(Name::Ip(it.to_ipv4_mapped().map_or(IpAddr::V6(it), IpAddr::V4)))
        }
        None => Err("names no host"),
    }
}

/// The address with a scheme in front, where only the host and what follows it stand there.
fn with_scheme(text: &str) -> Result<String, &'static str> {
    if text.starts_with("//") {
        return Ok(format!("http:{text}"));
    }
    let head = text.split(['/', '?', '#']).next().unwrap_or(text);
    let Some((before, after)) = head.split_once(':') else { return Ok(format!("http://{text}")) };
    let starts_port = after.starts_with(|it: char| it.is_ascii_digit());
    let is_scheme = before.starts_with(|it: char| it.is_ascii_alphabetic())
        && before.chars().all(|it| it.is_ascii_alphanumeric() || "+-.".contains(it));
    let rest = text.get(before.len().saturating_add(1)..).unwrap_or_default();
    if is_scheme && rest.starts_with("//") {
        // A third slash hides the host from some clients and not from others.
        return if rest.starts_with("///") { Err("names no host") } else { Ok(text.to_owned()) };
    }
    if starts_port || before.starts_with('[') {
        return Ok(format!("http://{text}"));
    }
    // As ssh writes it: `git@example.com:path`.
    match before.split_once('@') {
        Some((_, host)) if !host.is_empty() => Ok(format!("ssh://{host}")),
        _ => Err("names no host"),
    }
}

/// What stands between the scheme and the path.
fn authority(text: &str) -> &str {
    let after = text.split_once("//").map_or("", |it| it.1);
    after.split(['/', '?', '#']).next().unwrap_or(after)
}

#[cfg(test)]
mod tests;
