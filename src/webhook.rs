//! Messages to the webhooks of chats such as Discord, as HTTP requests.

use std::net::{IpAddr, Ipv4Addr};
use std::time::Duration;

use tokio::task::spawn_blocking;
use ureq::http::{Uri, header};
use ureq::tls::TlsConfig;
use ureq::unversioned::resolver::{DefaultResolver, ResolvedSocketAddrs, Resolver};
use ureq::unversioned::transport::{DefaultConnector, NextTimeout};
use ureq::{Agent, Error};

use crate::config::WebhookSettings;

/// Time limit of a message, from the resolution of the name to the answer.
const TIMEOUT: Duration = Duration::from_secs(10);
/// Longest pause that a receiver can ask for, in seconds.
const MAX_PAUSE: u64 = 3_600;

/// Client that posts messages to webhooks, with the certificate authorities that it trusts.
#[derive(Clone, Debug, Default)]
pub struct Client(pub TlsConfig);

/// Failure to deliver a message.
#[derive(Debug)]
pub struct Undelivered {
    /// Reason, which does not contain the address of the webhook.
    pub reason: String,
    /// Shortest pause before the next attempt, up to an hour; `None` if every attempt would fail.
    pub retry_after: Option<Duration>,
}

impl Client {
    /// Posts the JSON `body` to the webhook once, in a thread for blocking work.
    pub async fn post(&self, webhook: WebhookSettings, body: String) -> Result<(), Undelivered> {
        let client = self.clone();
        let sending = spawn_blocking(move || client.post_and_wait(&webhook, &body));
        sending.await.unwrap_or_else(|error| {
            Err(Undelivered {
                reason: error.to_string(),
                retry_after: None,
            })
        })
    }

    fn post_and_wait(&self, webhook: &WebhookSettings, body: &str) -> Result<(), Undelivered> {
        // A proxy would resolve the name again, and might connect to another address than the checked one.
        let config = Agent::config_builder()
            .proxy(None)
            .max_redirects(0)
            .max_redirects_will_error(false)
            .http_status_as_error(false)
            .timeout_global(Some(TIMEOUT))
            .tls_config(self.0.clone())
            .user_agent(concat!("rbs/", env!("CARGO_PKG_VERSION")))
            .build();
        let resolver = CheckedResolver {
            allow_private: webhook.allow_private,
        };
        let sent = Agent::with_parts(config, DefaultConnector::default(), resolver)
            .post(&webhook.url.0)
            .header(header::CONTENT_TYPE, "application/json")
            .send(body);
        let (reason, retry_after) = match sent {
            Ok(answer) if answer.status().is_success() => return Ok(()),
            Ok(answer) => {
                let status = answer.status();
                let asked = answer.headers().get(header::RETRY_AFTER);
                let seconds = asked.and_then(|asked| asked.to_str().ok()?.parse().ok());
                let pause = Duration::from_secs(MAX_PAUSE.min(seconds.unwrap_or(0)));
                let is_temporary = matches!(status.as_u16(), 408 | 429 | 500..);
                let reason = format!(
                    "the webhook's server answered with HTTP status {status}; if this goes on, check the url"
                );
                (reason, is_temporary.then_some(pause))
            }
            Err(Error::Other(refusal)) => (refusal.to_string(), None),
            // These errors may quote the address.
            Err(Error::BadUri(_) | Error::Http(_)) => ("the url is invalid".to_owned(), None),
            Err(error) => (error.to_string(), Some(Duration::ZERO)),
        };
        Err(Undelivered {
            reason,
            retry_after,
        })
    }
}

/// Resolver that refuses names with a private address. The connection then goes to one of the checked addresses.
#[derive(Debug)]
struct CheckedResolver {
    allow_private: bool,
}

impl Resolver for CheckedResolver {
    fn resolve(
        &self,
        uri: &Uri,
        config: &ureq::config::Config,
        timeout: NextTimeout,
    ) -> Result<ResolvedSocketAddrs, Error> {
        let found = DefaultResolver::default().resolve(uri, config, timeout)?;
        if self.allow_private || found.iter().all(|address| is_public(address.ip())) {
            return Ok(found);
        }
        let refusal = "the host of the url has a private or reserved address; if it is your own, set allow_private = \
                       true in the table with the url";
        Err(Error::Other(refusal.into()))
    }
}

/// Returns `true` if an address belongs to the public internet: neither a private nor a reserved one.
#[must_use]
pub fn is_public(address: IpAddr) -> bool {
    match address.to_canonical() {
        IpAddr::V4(v4) if v4.is_private() || v4.is_link_local() || v4.is_documentation() => false,
        IpAddr::V4(v4) => !matches!(
            v4.octets(),
            [0 | 127 | 224.., ..]
                | [100, 64..128, ..]
                | [192, 0, 0, _]
                | [192, 88, 99, _]
                | [198, 18 | 19, ..]
        ),
        IpAddr::V6(v6) => match v6.segments() {
            // NAT64: the address of an IPv4 host, behind a well-known prefix.
            [0x64, 0xff9b, 0, 0, 0, 0, high, low] => {
                is_public(Ipv4Addr::from_bits(u32::from(high) << 16 | u32::from(low)).into())
            }
            // Protocols and benchmarks, documentation, and tunnels to any IPv4 host.
            [0x2001, 0..0x200 | 0xdb8, ..] | [0x2002, ..] | [0x3fff, 0..0x1000, ..] => false,
            // Other addresses are not assigned, or not for hosts of the internet.
            [first, ..] => first >> 13 == 1,
        },
    }
}
