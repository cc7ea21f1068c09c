//! Messages to the webhooks of chats such as Discord, as HTTP requests.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::thread;
use std::time::Duration;

use tokio::sync::oneshot;
use ureq::http::{Uri, header};
use ureq::tls::TlsConfig;
use ureq::unversioned::resolver::{DefaultResolver, ResolvedSocketAddrs, Resolver};
use ureq::unversioned::transport::{DefaultConnector, NextTimeout};
use ureq::{Agent, Error};

use crate::config::WebhookSettings;

/// Time limit of a message, from the resolution of the name to the answer.
const TIMEOUT: Duration = Duration::from_secs(10);
/// Longest pause that a receiver can ask for.
const MAX_PAUSE: Duration = Duration::from_hours(1);

/// Client that posts messages to webhooks. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Client(TlsConfig);

/// Failure to deliver a message.
#[derive(Debug)]
pub struct Undelivered {
    /// Reason, which does not contain the address of the webhook.
    pub reason: String,
    /// Shortest pause before the next attempt, up to an hour; `None` if every attempt would fail.
    pub retry_after: Option<Duration>,
}

impl Client {
    /// Creates a client. `tls` replaces the public certificate authorities.
    #[must_use]
    pub fn new(tls: Option<TlsConfig>) -> Self {
        Self(tls.unwrap_or_default())
    }

    /// Posts the JSON `body` to the webhook once, in a thread of its own, which does not delay the end of the program.
    pub async fn post(&self, webhook: WebhookSettings, body: String) -> Result<(), Undelivered> {
        let (done, delivered) = oneshot::channel();
        let client = self.clone();
        let started = thread::Builder::new().spawn(move || {
            // Nobody waits for the result if the service stops.
            let _sent = done.send(client.post_and_wait(&webhook, &body));
        });
        let problem = match started {
            Ok(_) => match delivered.await {
                Ok(result) => return result,
                Err(_) => "the sending thread ended early".to_owned(),
            },
            Err(error) => format!("no thread can be started: {error}"),
        };
        Err(undelivered(&problem, Some(Duration::ZERO)))
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
        let answer = Agent::with_parts(config, DefaultConnector::default(), resolver)
            .post(webhook.url.reveal())
            .header(header::CONTENT_TYPE, "application/json")
            .send(body)
            .map_err(not_sent)?;
        let retry_after = match answer.status().as_u16() {
            200..300 => return Ok(()),
            408 | 429 | 500.. => {
                let asked = answer.headers().get(header::RETRY_AFTER);
                let seconds = asked.and_then(|asked| asked.to_str().ok()?.parse().ok());
                let pause = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
                Some(pause.unwrap_or_default().min(MAX_PAUSE))
            }
            _ => None,
        };
        let reason = format!("the receiver answered with the status {}", answer.status());
        Err(undelivered(&reason, retry_after))
    }
}

fn undelivered(reason: &impl ToString, retry_after: Option<Duration>) -> Undelivered {
    let reason = reason.to_string();
    Undelivered {
        reason,
        retry_after,
    }
}

/// Describes the failure to reach a receiver. Errors that may quote the address are described in other words.
fn not_sent(error: Error) -> Undelivered {
    let later = Some(Duration::ZERO);
    match error {
        Error::Other(refusal) => undelivered(&refusal, None),
        Error::BadUri(_) | Error::Http(_) => undelivered(&"the url is not a valid address", None),
        Error::Io(error) => undelivered(&error, later),
        error @ (Error::Timeout(_) | Error::HostNotFound | Error::Tls(_)) => {
            undelivered(&error, later)
        }
        _ => undelivered(&"the receiver does not speak HTTP as expected", later),
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
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => is_public_v6(address),
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    !matches!(
        address.octets(),
        [0 | 10 | 127 | 224.., ..]
            | [100, 64..128, ..]
            | [169, 254, ..]
            | [172, 16..32, ..]
            | [192, 168, ..]
            | [192, 0, 0 | 2, _]
            | [192, 88, 99, _]
            | [198, 18 | 19, ..]
            | [198, 51, 100, _]
            | [203, 0, 113, _]
    )
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    match address.segments() {
        // NAT64: the address of an IPv4 host, behind a well-known prefix.
        [0x64, 0xff9b, 0, 0, 0, 0, high, low] => {
            is_public_v4((u32::from(high) << 16 | u32::from(low)).into())
        }
        // Protocols and benchmarks, documentation, and tunnels to any IPv4 host.
        [0x2001, 0..0x200 | 0xdb8, ..] | [0x2002, ..] | [0x3fff, 0..0x1000, ..] => false,
        // Other addresses are not assigned, or not for hosts of the internet.
        [first, ..] => first >> 13 == 1,
    }
}
