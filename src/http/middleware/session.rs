//! Sessions of the dashboard: cookies, signed by the secret that began the session, and the links that begin one. Every
//! instance with the same secrets accepts them, and none stores them. Removing a secret ends its sessions and links.

use std::time::Duration;

use axum::http::{HeaderMap, header};

use crate::config::Candidate;
use crate::domain::Timestamp;
use crate::http::Problem;

/// Lifetime of a dashboard session in which no request is sent.
pub(super) const IDLE: Duration = Duration::from_mins(30);
/// Maximum lifetime of a dashboard session, even if it is renewed.
const MAX_AGE: Duration = Duration::from_hours(12);
/// Minimum time between two renewals of a dashboard session.
const RENEWAL: Duration = Duration::from_mins(1);

/// Lifetime of a log-in link.
pub(super) const LINK_LIFETIME: Duration = Duration::from_mins(5);

const COOKIE: &str = "rbs_session";

/// Prefixes of what a secret signs: sessions in cookies, which authenticate requests, and in links, which begin others.
pub(super) const SIGNED_COOKIE: &str = "rbs-session";
pub(super) const SIGNED_LINK: &str = "rbs-link";

/// Header that the dashboard adds to every request that changes something. A page of another origin cannot add it: its
/// browser asks this service first, which refuses.
const CSRF_HEADER: &str = "rbs-page";

/// Dashboard session, as stored in the cookie or in the token of a log-in link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Session {
    /// Id of the dashboard session, which a renewal keeps.
    pub(super) id: String,
    /// Time of the log-in with a secret, in unix seconds. A link passes this time on, so it lengthens no session.
    pub(super) began: i64,
    /// Expiry of the dashboard session without a renewal, in unix seconds.
    until: i64,
    /// `true` if the log-in used HTTPS. The browser then sends the cookie over HTTPS only.
    secure: bool,
}

impl Session {
    /// Returns a session that ends after `lifetime`, unless it is renewed.
    pub(super) fn begin(
        id: String,
        began: i64,
        (now, lifetime): (Timestamp, Duration),
        secure: bool,
    ) -> Self {
        Self {
            id,
            began,
            until: (seconds(now) + whole_seconds(lifetime)).min(ends(began)),
            secure,
        }
    }

    /// Returns `true` if the request has a session cookie, valid or not.
    pub(super) fn is_in(headers: &HeaderMap) -> bool {
        cookies(headers).next().is_some()
    }

    /// Returns each dashboard session in the request's cookies with its signature, which the caller must check.
    pub(super) fn of_request(headers: &HeaderMap) -> impl Iterator<Item = (Self, &str)> {
        cookies(headers).filter_map(Self::of_token)
    }

    /// Returns the dashboard session in a cookie's value or a link's token, with its signature, which the caller must
    /// check.
    pub(super) fn of_token(token: &str) -> Option<(Self, &str)> {
        let (session, signature) = token.rsplit_once('.')?;
        Some((Self::read(session)?, signature))
    }

    fn read(text: &str) -> Option<Self> {
        let mut parts = text.split('.');
        let session = Self {
            id: parts.next()?.to_owned(),
            began: parts.next()?.parse().ok()?,
            until: parts.next()?.parse().ok()?,
            secure: parts.next()? == "s",
        };
        parts.next().is_none().then_some(session)
    }

    fn text(&self) -> String {
        let Self {
            id, began, until, ..
        } = self;
        let secure = if self.secure { "s" } else { "p" };
        format!("{id}.{began}.{until}.{secure}")
    }

    /// Returns `true` if the secret `by` signed the dashboard session with this prefix.
    pub(super) fn is_signed(&self, prefix: &str, by: &Candidate, signature: &str) -> bool {
        by.has_signed(&format!("{prefix}:{}", self.text()), signature)
    }

    /// Returns the dashboard session with its signature, as a cookie's value or a link's token.
    pub(super) fn signed(&self, prefix: &str, by: &Candidate) -> String {
        let text = self.text();
        format!("{text}.{}", by.sign(&format!("{prefix}:{text}")))
    }

    pub(super) fn is_over(&self, now: Timestamp) -> bool {
        seconds(now) >= self.until
    }

    /// Returns the time at which the dashboard session ends even if it is renewed.
    pub(super) fn ends_at(&self) -> Timestamp {
        at(ends(self.began))
    }

    /// Returns the time at which the dashboard session or log-in link ends if it is not renewed.
    pub(super) fn expires_at(&self) -> Timestamp {
        at(self.until)
    }

    pub(super) fn seconds_left(&self, now: Timestamp) -> u32 {
        u32::try_from(self.until - seconds(now)).unwrap_or(0)
    }

    /// Returns the dashboard session renewed at `now`, or `None` if that adds less than [`RENEWAL`].
    pub(super) fn renewed(&self, now: Timestamp) -> Option<Self> {
        let until = (seconds(now) + whole_seconds(IDLE)).min(ends(self.began));
        (until - self.until >= whole_seconds(RENEWAL)).then(|| Self {
            until,
            ..self.clone()
        })
    }

    pub(super) fn cookie(&self, by: &Candidate, now: Timestamp) -> String {
        let value = self.signed(SIGNED_COOKIE, by);
        set_cookie(&value, self.seconds_left(now), self.secure)
    }
}

fn cookies(headers: &HeaderMap) -> impl Iterator<Item = &str> {
    let lines = headers.get_all(header::COOKIE).into_iter();
    let texts = lines.filter_map(|line| line.to_str().ok());
    let cookies = texts.flat_map(|text| text.split(';'));
    cookies.filter_map(|cookie| {
        let (name, value) = cookie.trim().split_once('=')?;
        (name == COOKIE).then_some(value)
    })
}

/// Returns the `Set-Cookie` value that removes a dashboard session.
pub(super) fn no_cookie() -> String {
    set_cookie("", 0, false)
}

fn set_cookie(value: &str, seconds: u32, secure: bool) -> String {
    let secure = if secure { "; Secure" } else { "" };
    format!("{COOKIE}={value}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Strict{secure}")
}

/// Returns `true` if `X-Forwarded-Proto` or `Origin` says that the browser used HTTPS.
pub(super) fn is_https(headers: &HeaderMap) -> bool {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    let forwarded = text("x-forwarded-proto").and_then(|value| value.split(',').next());
    forwarded.is_some_and(|first| first.trim().eq_ignore_ascii_case("https"))
        || text("origin").is_some_and(|origin| origin.starts_with("https://"))
}

/// Refuses a request that may come from another page than the dashboard.
pub(super) fn check_csrf(headers: &HeaderMap) -> Result<(), Problem> {
    let site = headers.get("sec-fetch-site");
    let is_same = site.is_none_or(|site| site == "same-origin");
    if is_same && headers.contains_key(CSRF_HEADER) {
        Ok(())
    } else {
        Err(Problem::forbidden(
            "a dashboard session may make changes only from the dashboard itself, with the \
             header \"RBS-Page: 1\"; other clients send the secret in the header \"Authorization: Bearer <secret>\"",
        ))
    }
}

fn ends(began: i64) -> i64 {
    began.saturating_add(whole_seconds(MAX_AGE))
}

fn at(seconds: i64) -> Timestamp {
    Timestamp::from_unix_seconds(seconds).unwrap_or(Timestamp::UNIX_EPOCH)
}

pub(super) fn seconds(time: Timestamp) -> i64 {
    time.unix_micros().div_euclid(1_000_000)
}

fn whole_seconds(duration: Duration) -> i64 {
    i64::try_from(duration.as_secs()).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    const NOON: Timestamp = Timestamp::YEAR_2000;

    fn headers(list: &[(&'static str, &str)]) -> HeaderMap {
        let header = |(name, value): &(&'static str, &str)| {
            let value = HeaderValue::from_str(value).expect("a header's value");
            (header::HeaderName::from_static(name), value)
        };
        list.iter().map(header).collect()
    }

    #[test]
    fn a_session_is_read_as_it_was_written_and_only_so() {
        let by = Candidate::new("secret");
        let session = Session::begin("0123".to_owned(), seconds(NOON), (NOON, IDLE), true);
        let cookie = session.cookie(&by, NOON);
        assert!(cookie.ends_with("; Path=/; Max-Age=1800; HttpOnly; SameSite=Strict; Secure"));
        let pair = cookie.split(';').next().expect("a pair");
        let sent = headers(&[("cookie", &format!("rbs_session=x; other=1; {pair}"))]);
        let (read, signature) = Session::of_request(&sent).next().expect("a session");
        assert_eq!(read, session);
        assert!(read.is_signed(SIGNED_COOKIE, &by, signature));
        assert!(!read.is_signed(SIGNED_LINK, &by, signature));
        assert!(!read.is_signed(SIGNED_COOKIE, &Candidate::new("another"), signature));
        let longer = Session {
            until: session.until + 1,
            ..session
        };
        assert!(!longer.is_signed(SIGNED_COOKIE, &by, signature));
    }

    #[test]
    fn https_is_known_by_the_proxy_or_the_page() {
        for (list, https) in [
            (&[("x-forwarded-proto", "https, http")][..], true),
            (&[("origin", "https://rbs.example")], true),
            (
                &[("x-forwarded-proto", "http"), ("origin", "http://a")],
                false,
            ),
            (&[], false),
        ] {
            assert_eq!(is_https(&headers(list)), https, "{list:?}");
        }
    }
}
