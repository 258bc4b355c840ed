//! Requests to an endpoint, bounded in time, size and number.

use std::sync::Arc;
use std::time::Duration;

use lawbook_checks::judge::REPLY_BYTES_MAX;
use lawbook_diag::Problem;
use ureq::Agent;
use ureq::tls::{Certificate, RootCerts, TlsConfig};

/// How long one request may take, from the look-up of the name to the last byte.
const TIMEOUT_SECS: u64 = 60;

/// How often one question is sent at most.
const TRIES_MAX: u32 = 3;

/// An endpoint.
pub struct Client {
    agent: Agent,
    url: String,
    key: Option<String>,
}

impl Client {
    /// A client for an endpoint, as in `https://api.example.com/v1`.
    pub fn new(url: &str, key: Option<String>) -> Result<Self, Problem> {
        Client::within(url, key, Duration::from_secs(TIMEOUT_SECS))
    }

    /// The same with another bound on the time of one request.
    pub fn within(url: &str, key: Option<String>, timeout: Duration) -> Result<Self, Problem> {
        let problem = |message: &str, help: &str| {
            Err(Problem::new("--judge", "judge_address", format!("`{url}` {message}")).help(help))
        };
        let local = is_local(url);
        if !url.starts_with("https://") && !url.starts_with("http://") {
            return problem("is no address", "write it as in `https://api.example.com/v1`");
        }
        if url.starts_with("http://") && !local {
            let message = "would carry runs and the key in the clear";
            return problem(message, "use `https://`; only this machine may be reached without");
        }
        let config = Agent::config_builder()
            .timeout_global(Some(timeout))
            .http_status_as_error(false)
            // The key goes to the endpoint that was named and to no other.
            .max_redirects(0)
            .max_redirects_will_error(false)
            .user_agent(concat!("lawbook/", env!("CARGO_PKG_VERSION")));
        let config = if local { config.proxy(None) } else { config.tls_config(tls()) };
        let url = url.trim_end_matches('/');
        let url = match url.ends_with("/chat/completions") {
            true => url.to_owned(),
            false => format!("{url}/chat/completions"),
        };
        Ok(Client { agent: config.build().new_agent(), url, key })
    }

    /// The reply to a request, or why there is none. What may pass is tried again.
    pub fn ask(&self, body: &str) -> Result<String, String> {
        let mut why = String::new();
        for _ in 0..TRIES_MAX {
            match self.once(body) {
                Ok(reply) => return Ok(reply),
                Err((message, false)) => return Err(message),
                Err((message, true)) => why = message,
            }
        }
        Err(why)
    }

    /// One try; a failure says whether another may do better.
    fn once(&self, body: &str) -> Result<String, (String, bool)> {
        let mut post = self.agent.post(&self.url).content_type("application/json");
        if let Some(key) = &self.key {
            post = post.header("authorization", format!("Bearer {key}"));
        }
        let mut response = post.send(body).map_err(|error| {
            // A second wait of the same length helps nobody.
            let again = !matches!(error, ureq::Error::Timeout(_) | ureq::Error::BadUri(_));
            (error.to_string(), again)
        })?;
        let status = response.status();
        if !status.is_success() {
            let again = status.is_server_error() || status.as_u16() == 429;
            return Err((format!("the endpoint answered with status {}", status.as_u16()), again));
        }
        let bytes_max = u64::try_from(REPLY_BYTES_MAX).unwrap_or(u64::MAX);
        let reply = response.body_mut().with_config().limit(bytes_max).read_to_string();
        reply.map_err(|error| (error.to_string(), false))
    }
}

/// The certificates that this machine trusts.
fn tls() -> TlsConfig {
    let found = rustls_native_certs::load_native_certs().certs;
    let roots: Vec<_> = found.iter().map(|it| Certificate::from_der(it).to_owned()).collect();
    TlsConfig::builder()
        .root_certs(RootCerts::new_with_certs(&roots))
        .unversioned_rustls_crypto_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .build()
}

/// Whether an address is this machine's own.
fn is_local(url: &str) -> bool {
    let rest = url.split_once("://").map_or("", |(_, rest)| rest);
    let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let own = ["localhost", "127.0.0.1", "[::1]"];
    own.iter().any(|own| {
        host.strip_prefix(own).is_some_and(|rest| {
            let port = rest.strip_prefix(':');
            rest.is_empty() || port.is_some_and(|it| it.bytes().all(|it| it.is_ascii_digit()))
        })
    })
}
