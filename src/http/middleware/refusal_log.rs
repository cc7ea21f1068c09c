use std::collections::VecDeque;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::extract::Request;
use axum::http::HeaderMap;

use super::auth::sent_fingerprint;
use crate::api::{RefusalAnswer, RefusalsAnswer};
use crate::domain::{Fingerprint, ServerName, Timestamp};
use crate::http::connection::Peer;
use crate::http::refused::Refusal;

/// Maximum numbers of remembered groups of refused requests: for clients with an accepted secret, and for strangers.
/// Strangers have their own limit, so that nobody can push out a game server's refusals by guessing secrets.
const OF_CLIENTS: usize = 150;
const OF_STRANGERS: usize = 50;
/// Maximum number of log lines about refused requests per second: for clients, and again for strangers.
const LINES: u64 = 20;
/// Maximum length of a remembered reason for a refusal, in characters.
const MAX_DETAIL: usize = 500;

/// Sender and route of a request.
#[derive(Clone, Debug)]
pub(crate) struct Origin {
    pub(crate) method: &'static str,
    pub(crate) route: String,
    pub(crate) request_id: String,
    pub(crate) secret: Option<Fingerprint>,
    pub(crate) address: Option<IpAddr>,
    pub(crate) forwarded_for: Option<IpAddr>,
    /// Game server named in the header `x-rbs-server`, which is known even if the body was not read for want of a
    /// secret.
    pub(crate) server: Option<ServerName>,
}

/// Header in which a game server may name itself.
const SERVER: &str = "x-rbs-server";

impl Origin {
    /// Returns sender and route of `request`; `route` is its path template.
    pub(crate) fn of(
        request: &Request,
        method: &'static str,
        route: String,
        request_id: String,
    ) -> Self {
        let peer = request.extensions().get::<Peer>();
        Self {
            method,
            route,
            request_id,
            secret: sent_fingerprint(request.headers()),
            address: peer.map(|Peer(address)| *address),
            forwarded_for: last_forwarded(request.headers()),
            server: named_server(request),
        }
    }

    pub(crate) fn has_rounds(&self) -> bool {
        self.method == "POST" && matches!(&*self.route, "/v1/update" | "/v1/updates")
    }

    /// Returns `true` if the refusal is kept: every refused secret, and other refusals on routes that only game servers
    /// use.
    fn is_remembered(&self, refusal: &Refusal) -> bool {
        let is_servers = self.method == "POST"
            && self.route.starts_with("/v1/")
            && !self.route.starts_with("/v1/admin/");
        refusal.secret.is_some() || is_servers
    }
}

/// Returns the last address of `X-Forwarded-For`, which the nearest proxy added.
pub(super) fn last_forwarded(headers: &HeaderMap) -> Option<IpAddr> {
    let all = headers.get_all("x-forwarded-for");
    let last = all.iter().next_back()?.to_str().ok()?;
    last.rsplit(',').next()?.trim().parse().ok()
}

fn named_server(request: &Request) -> Option<ServerName> {
    request.headers().get(SERVER)?.to_str().ok()?.parse().ok()
}

/// Refused requests that this instance remembers. Cheap to clone; clones share the refusals.
#[derive(Clone, Debug)]
pub(crate) struct RefusalLog(Arc<Mutex<State>>);

#[derive(Debug)]
struct State {
    since: Timestamp,
    clients: Kept,
    strangers: Kept,
}

/// Refused requests of one kind of sender: clients with an accepted secret, or strangers.
#[derive(Debug)]
struct Kept {
    most: usize,
    /// Groups of equal refused requests, latest first.
    groups: VecDeque<RefusalAnswer>,
    forgotten: u64,
    /// Second of the last log line about a refusal, counted from the start of the log. Then the number of lines in that
    /// second, and the number of refusals since then that got no line.
    second: i64,
    lines: u64,
    unlogged: u64,
}

impl Kept {
    fn new(most: usize) -> Self {
        Self {
            most,
            groups: VecDeque::new(),
            forgotten: 0,
            second: i64::MIN,
            lines: 0,
            unlogged: 0,
        }
    }

    fn add(&mut self, refusal: RefusalAnswer) {
        let alike = |group: &RefusalAnswer| {
            let key = |of: &RefusalAnswer| (of.status, of.secret, of.address, of.forwarded_for);
            key(group) == key(&refusal)
                && group.method == refusal.method
                && group.route == refusal.route
                && group.server == refusal.server
                && group.field == refusal.field
                && group.detail == refusal.detail
        };
        let before = self
            .groups
            .iter()
            .position(alike)
            .and_then(|index| self.groups.remove(index));
        let refusal = match before {
            Some(before) => RefusalAnswer {
                first_at: before.first_at,
                count: before.count + 1,
                ..refusal
            },
            None => refusal,
        };
        self.groups.push_front(refusal);
        while self.groups.len() > self.most {
            self.forgotten += self.groups.pop_back().map_or(0, |group| group.count);
        }
    }

    /// Uses one of this second's log lines, and returns the number of refusals since the last line that got none.
    /// Returns `None` if all lines of the second are used.
    fn take_line(&mut self, now: Timestamp, since: Timestamp) -> Option<u64> {
        let second = now.whole_seconds_since(since);
        if second != self.second {
            (self.second, self.lines) = (second, 0);
        }
        if self.lines == LINES {
            self.unlogged += 1;
            return None;
        }
        self.lines += 1;
        Some(std::mem::take(&mut self.unlogged))
    }
}

impl RefusalLog {
    pub(crate) fn new(now: Timestamp) -> Self {
        Self(Arc::new(Mutex::new(State {
            since: now,
            clients: Kept::new(OF_CLIENTS),
            strangers: Kept::new(OF_STRANGERS),
        })))
    }

    /// Remembers a refused request and writes a line to the log, unless this second already has enough lines.
    pub(crate) fn add(&self, origin: &Origin, refusal: &Refusal, now: Timestamp) {
        let unlogged = {
            let state = &mut *self.lock();
            let is_stranger = matches!(refusal.secret, Some("missing" | "unknown"));
            let kept = if is_stranger {
                &mut state.strangers
            } else {
                &mut state.clients
            };
            if origin.is_remembered(refusal) {
                kept.add(answer(origin, refusal, now));
            }
            kept.take_line(now, state.since)
        };
        if let Some(unlogged) = unlogged {
            write_line(origin, refusal, unlogged);
        }
    }

    pub(crate) fn answer(&self) -> RefusalsAnswer {
        let state = self.lock();
        let both = state.clients.groups.iter().chain(&state.strangers.groups);
        let mut refusals: Vec<RefusalAnswer> = both.cloned().collect();
        refusals.sort_by_key(|refusal| std::cmp::Reverse(refusal.last_at));
        RefusalsAnswer {
            since: state.since,
            refusals,
            forgotten: state.clients.forgotten + state.strangers.forgotten,
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // No code that could panic runs under the lock.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn answer(origin: &Origin, refusal: &Refusal, now: Timestamp) -> RefusalAnswer {
    RefusalAnswer {
        first_at: now,
        last_at: now,
        count: 1,
        method: origin.method.to_owned(),
        route: origin.route.clone(),
        status: refusal.status.as_u16(),
        server: server(origin, refusal).cloned(),
        field: refusal.field.clone(),
        detail: shortened(&refusal.detail),
        secret: origin.secret,
        address: origin.address,
        forwarded_for: origin.forwarded_for,
        request_id: origin.request_id.clone(),
    }
}

/// Returns the game server named in the body of a refused request, or the one in its header if the body was not read.
fn server<'of>(origin: &'of Origin, refusal: &'of Refusal) -> Option<&'of ServerName> {
    refusal.server.as_ref().or(origin.server.as_ref())
}

fn shortened(text: &str) -> String {
    text.chars().take(MAX_DETAIL).collect()
}

/// Returns a text from a client for the log, with control characters escaped, because a terminal might take them for a
/// command.
fn shown(text: &str) -> String {
    let mut shown = String::new();
    for character in text.chars().take(MAX_DETAIL) {
        match character {
            '"' | '\'' | '\\' => shown.push(character),
            _ => shown.extend(character.escape_debug()),
        }
    }
    shown
}

/// Writes one log line about a refused request. Line breaks from the client are escaped.
fn write_line(origin: &Origin, refusal: &Refusal, unlogged: u64) {
    tracing::warn!(
        status = refusal.status.as_u16(),
        server = server(origin, refusal).map(tracing::field::display),
        field = refusal.field.as_deref().map(shown),
        detail = shown(&refusal.detail),
        secret = origin.secret.map(tracing::field::display),
        address = origin.address.map(tracing::field::display),
        forwarded_for = origin.forwarded_for.map(tracing::field::display),
        unlogged,
        "Refused"
    );
}

#[cfg(test)]
mod tests {
    use axum::http::StatusCode;

    use super::*;

    fn origin(secret: u8) -> Origin {
        Origin {
            method: "POST",
            route: "/v1/update".to_owned(),
            request_id: String::new(),
            secret: Some(Fingerprint::new([secret; 4])),
            address: None,
            forwarded_for: None,
            server: None,
        }
    }

    fn refusal(secret: Option<&'static str>, detail: &str) -> Refusal {
        Refusal {
            status: StatusCode::UNPROCESSABLE_ENTITY,
            detail: detail.to_owned(),
            field: None,
            reason: "invalid",
            secret,
            server: None,
            round: None,
        }
    }

    fn at(second: i64) -> Timestamp {
        Timestamp::from_unix_seconds(second).unwrap()
    }

    #[test]
    fn equal_ones_are_one_and_the_last_seen_stands_first() {
        let log = RefusalLog::new(at(0));
        for (second, detail) in [(1, "one"), (2, "other"), (3, "one")] {
            log.add(&origin(1), &refusal(None, detail), at(second));
        }
        log.add(&origin(2), &refusal(None, "one"), at(4));
        let answer = log.answer();
        let found: Vec<_> = answer
            .refusals
            .iter()
            .map(|group| (&*group.detail, group.count, group.first_at, group.last_at))
            .collect();
        let expected = [
            ("one", 1, at(4), at(4)),
            ("one", 2, at(1), at(3)),
            ("other", 1, at(2), at(2)),
        ];
        assert_eq!(found, expected);
        assert_eq!((answer.since, answer.forgotten), (at(0), 0));
    }

    #[test]
    fn whoever_tries_many_secrets_pushes_out_no_game_server() {
        let log = RefusalLog::new(at(0));
        log.add(&origin(1), &refusal(None, &"long ".repeat(500)), at(0));
        for number in 0..1000 {
            log.add(
                &origin(2),
                &refusal(Some("unknown"), &number.to_string()),
                at(number),
            );
        }
        let answer = log.answer();
        assert_eq!(answer.refusals.len(), OF_STRANGERS + 1);
        assert_eq!(answer.forgotten, 1000 - OF_STRANGERS as u64);
        let last = answer.refusals.last().unwrap();
        assert_eq!(
            (last.detail.chars().count(), last.secret),
            (MAX_DETAIL, origin(1).secret)
        );
    }

    #[test]
    fn a_flood_has_few_lines_and_the_next_second_says_how_many_had_none() {
        let mut kept = Kept::new(1);
        let lines: Vec<_> = (0..LINES + 5)
            .map(|_| kept.take_line(at(7), at(0)))
            .collect();
        assert_eq!(lines.iter().flatten().count() as u64, LINES);
        assert_eq!(kept.take_line(at(8), at(0)), Some(5));
        assert_eq!(kept.take_line(at(8), at(0)), Some(0));
    }

    #[test]
    fn what_a_client_sent_stays_on_its_line() {
        let sent = "is \"red\"\n\u{1b}[31m\u{2028}\u{202e}";
        let line = r#"is "red"\n\u{1b}[31m\u{2028}\u{202e}"#;
        assert_eq!(shown(sent), line);
    }

    #[test]
    fn what_admins_are_refused_is_not_remembered_unless_it_is_the_secret() {
        let admin = Origin {
            route: "/v1/admin/players/{id}".to_owned(),
            ..origin(1)
        };
        let log = RefusalLog::new(at(0));
        log.add(&admin, &refusal(None, "an odd id"), at(1));
        assert!(log.answer().refusals.is_empty());
        log.add(&admin, &refusal(Some("not_allowed"), "no admin"), at(1));
        assert_eq!(log.answer().refusals.len(), 1);
    }
}
