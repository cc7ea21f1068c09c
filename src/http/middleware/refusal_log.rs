use std::collections::VecDeque;
use std::net::IpAddr;
use std::sync::Arc;

use axum::extract::Request;
use axum::http::{HeaderMap, HeaderValue};
use parking_lot::Mutex;

use super::auth::sent_fingerprint;
use crate::api::{RefusalAnswer, RefusalsAnswer};
use crate::domain::{Fingerprint, ServerName, Timestamp};
use crate::http::connection::Peer;
use crate::http::refused::Refusal;
use crate::random;
use crate::service::{RefusalRecord, Service, ServiceError};

/// Maximum numbers of remembered groups of refused requests: for clients with an accepted secret, and for strangers.
/// Strangers have their own limit, so that nobody can push out a game server's refusals by guessing secrets.
const OF_CLIENTS: usize = 150;
const OF_STRANGERS: usize = 50;
/// Maximum number of log lines about refused requests per second: for clients with an accepted secret, and again for
/// senders without one.
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

impl Origin {
    /// Returns sender and route of `request`; `route` is its path template.
    pub(crate) fn of(
        request: &Request,
        method: &'static str,
        route: String,
        request_id: String,
    ) -> Self {
        let peer = request.extensions().get::<Peer>();
        let name = |value: &HeaderValue| value.to_str().ok()?.parse().ok();
        Self {
            method,
            route,
            request_id,
            secret: sent_fingerprint(request.headers()),
            address: peer.map(|Peer(address)| *address),
            forwarded_for: last_forwarded(request.headers()),
            server: request.headers().get("x-rbs-server").and_then(name),
        }
    }

    pub(crate) fn has_rounds(&self) -> bool {
        self.method == "POST" && matches!(&*self.route, "/v1/update" | "/v1/updates")
    }

    /// Returns `true` if the refused request is remembered: one with a refused secret, or any on routes that only game
    /// servers use.
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

/// HTTP requests that this instance refused, and those stored before it started. Cheap to clone; clones share the data.
#[derive(Clone)]
pub(crate) struct RefusalLog(Arc<Mutex<State>>);

struct State {
    since: Timestamp,
    clients: Kept,
    strangers: Kept,
}

/// Refused requests of one kind of sender: clients with an accepted secret, or strangers.
struct Kept {
    most: usize,
    /// Groups of equally refused HTTP requests, latest refusal first.
    groups: VecDeque<Group>,
    forgotten: u64,
    /// Second of the last log line about a refusal, counted from the start of the log. Then the number of lines in that
    /// second, and the number of refusals since then that got no line.
    second: i64,
    lines: u64,
    unlogged: u64,
}

struct Group {
    /// Database id of this group of equally refused HTTP requests; `None` until the group is stored.
    id: Option<String>,
    is_saved: bool,
    refusals: RefusalAnswer,
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
        let alike = |group: &Group| key(&group.refusals) == key(&refusal);
        let before = self
            .groups
            .iter()
            .position(alike)
            .and_then(|index| self.groups.remove(index));
        let mut group = Group {
            id: None,
            is_saved: false,
            refusals: refusal,
        };
        if let Some(before) = before {
            group.id = before.id;
            group.refusals.first_at = before.refusals.first_at;
            group.refusals.count += before.refusals.count;
        }
        self.groups.push_front(group);
        while self.groups.len() > self.most {
            let evicted = self.groups.pop_back();
            self.forgotten += evicted.map_or(0, |group| group.refusals.count);
        }
    }

    /// Uses one of this second's log lines about refused requests. Returns the number of refusals without a line since
    /// the last line, or `None` if all lines of the second are used.
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

    /// Loads from the database the HTTP requests that were refused before this instance started.
    pub(crate) async fn load(&self, service: &Service) -> Result<(), ServiceError> {
        let stored = service.load_refusals().await?;
        let state = &mut *self.0.lock();
        for record in stored {
            let refusals: RefusalAnswer =
                serde_json::from_str(&record.content).map_err(ServiceError::internal)?;
            state.since = state.since.min(refusals.first_at);
            state.clients.groups.push_back(Group {
                id: Some(record.id),
                is_saved: true,
                refusals,
            });
        }
        state.clients.groups.truncate(OF_CLIENTS);
        Ok(())
    }

    /// Stores in the database the refused requests that changed since the last call. Leaves out those without an
    /// accepted secret, since anybody can send them. After an error, the next call stores the refusals.
    pub(crate) async fn save(&self, service: &Service) -> Result<(), ServiceError> {
        let records = self.take_unsaved()?;
        let most = u32::try_from(OF_CLIENTS).unwrap_or(u32::MAX);
        let saved = service.save_refusals(&records, most).await;
        if saved.is_err() {
            for group in &mut self.0.lock().clients.groups {
                group.is_saved &= !records.iter().any(|one| Some(&one.id) == group.id.as_ref());
            }
        }
        saved
    }

    fn take_unsaved(&self) -> Result<Vec<RefusalRecord>, ServiceError> {
        let groups = &mut self.0.lock().clients.groups;
        let mut records = Vec::new();
        for group in groups.iter_mut().filter(|group| !group.is_saved) {
            let id = match &group.id {
                Some(id) => id.clone(),
                None => random::hex::<8>().map_err(ServiceError::internal)?,
            };
            records.push(RefusalRecord {
                id: id.clone(),
                last_at: group.refusals.last_at,
                content: serde_json::to_string(&group.refusals).map_err(ServiceError::internal)?,
            });
            group.id = Some(id);
            group.is_saved = true;
        }
        Ok(records)
    }

    /// Remembers a refused HTTP request. Writes it also to the service's log output, unless this second has enough
    /// lines.
    pub(crate) fn add(&self, origin: &Origin, refusal: &Refusal, now: Timestamp) {
        let unlogged = {
            let state = &mut *self.0.lock();
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
        let state = self.0.lock();
        let both = state.clients.groups.iter().chain(&state.strangers.groups);
        let mut refusals: Vec<RefusalAnswer> = both.map(|group| group.refusals.clone()).collect();
        refusals.sort_by_key(|refusal| std::cmp::Reverse(refusal.last_at));
        RefusalsAnswer {
            since: state.since,
            refusals,
            forgotten: state.clients.forgotten + state.strangers.forgotten,
        }
    }
}

/// Returns the properties in which the refusals of one group are equal.
fn key(of: &RefusalAnswer) -> impl PartialEq {
    (
        &of.method,
        &of.route,
        of.status,
        &of.server,
        &of.field,
        &of.detail,
        of.secret,
        of.address,
        of.forwarded_for,
    )
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
        detail: refusal.detail.chars().take(MAX_DETAIL).collect(),
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

/// Shortens a client's text for the service's log output, and escapes control characters, which a terminal might take
/// for commands.
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

/// Writes one line about a refused request to the service's log output. Line breaks from the client are escaped.
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
mod tests;
