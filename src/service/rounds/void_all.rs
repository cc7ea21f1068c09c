//! Void of several rounds with a common server, secret or time range.

use std::collections::VecDeque;
use std::time::Duration;

use serde_json::{Value, json};

use super::change::{RoundOutcome, round_change};
use crate::api::{MovedRatingsAnswer, RoundChangeLine};
use crate::domain::{ChangeId, Fingerprint, RoundAction, ServerName, Timestamp};
use crate::rating::is_copy;
use crate::service::audit::Author;
use crate::service::players::adjust::{ChangeNote, change_name};
use crate::service::replay::round_change::{LogChange, RoundsVoid};
use crate::service::{Pool, Service, ServiceError};
use crate::store::{PoolRecord, RecordedRound, RoundFilter, Tx};

/// Maximum number of rounds that one change voids. Limits the duration of the transaction that new rounds wait for.
const MAX_VOIDED: u32 = 5_000;
const PAGE: u32 = 500;

/// Filter for the rounds of a pool to void. A round must match every field that is set.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VoidRounds {
    /// Fingerprint of the secret with which the rounds were sent.
    pub secret: Option<Fingerprint>,
    /// Game server of the rounds.
    pub server: Option<ServerName>,
    /// Lower bound, inclusive, on the end times of the rounds to void.
    pub since: Option<Timestamp>,
    /// Upper bound, exclusive, on the end times of the rounds to void.
    pub until: Option<Timestamp>,
    /// Earliest time at which the service received the rounds, inclusive.
    pub received_since: Option<Timestamp>,
    /// Latest time at which the service received the rounds, exclusive.
    pub received_until: Option<Timestamp>,
    /// `true` selects only rounds that repeat another round of their server under a different id.
    pub copies: bool,
}

impl VoidRounds {
    /// Returns the criteria that are set in this filter for rounds to void, as JSON for the audit.
    pub(crate) fn shown(&self) -> Value {
        let mut shown = json!({
            "secret": self.secret, "server": self.server, "since": self.since, "until": self.until,
            "received_since": self.received_since, "received_until": self.received_until,
        });
        if self.copies {
            shown["copies"] = json!(true);
        }
        if let Some(given) = shown.as_object_mut() {
            given.retain(|_, value| !value.is_null());
        }
        shown
    }
}

impl Service {
    /// Voids the rounds of `pool` that match `which`, in one rebuild: all of them or none. Leaves rounds that are void
    /// already. Returns the number of rounds to void.
    pub async fn void_rounds(
        &self,
        pool: &Pool,
        which: VoidRounds,
        note: ChangeNote,
        by: Author,
        timeout: Duration,
    ) -> Result<(u64, RoundOutcome), ServiceError> {
        let finding = self.find_rounds(pool, &which, note);
        let Some((record, void)) = Box::pin(finding).await? else {
            return Ok((0, RoundOutcome::Done));
        };
        let rounds = void.rounds.len() as u64;
        let change = LogChange::Rounds(void);
        let outcome = self.change_log(record, change, by, timeout).await?;
        Ok((rounds, outcome))
    }

    /// Returns the number of rounds that [`Service::void_rounds`] would void, and the ratings that would change. The
    /// ratings are `None` if their computation takes longer than `timeout`. Changes nothing.
    pub async fn preview_void(
        &self,
        pool: &Pool,
        which: &VoidRounds,
        timeout: Duration,
    ) -> Result<(u64, Option<MovedRatingsAnswer>), ServiceError> {
        let finding = self.find_rounds(pool, which, ChangeNote::default());
        let Some((_, void)) = Box::pin(finding).await? else {
            return Ok((0, Some(MovedRatingsAnswer::default())));
        };
        let rounds = void.rounds.len() as u64;
        let change = LogChange::Rounds(void);
        let moved = Box::pin(self.compare_ratings(pool, &change));
        match tokio::time::timeout(timeout, moved).await {
            Ok(moved) => Ok((rounds, Some(moved?))),
            Err(_) => Ok((rounds, None)),
        }
    }

    async fn find_rounds(
        &self,
        pool: &Pool,
        which: &VoidRounds,
        note: ChangeNote,
    ) -> Result<Option<(PoolRecord, RoundsVoid)>, ServiceError> {
        // Change ids are unique across pools, but log positions are not. So the id contains the pool.
        let given = change_name(note.change_id)?;
        let too_long = |_| {
            let detail = "is too long for a void of many rounds; send up to 40 characters";
            ServiceError::invalid("/change_id", detail)
        };
        let id: ChangeId = format!("{given}/{}", pool.id).parse().map_err(too_long)?;
        let at = self.clock.now();
        let mut tx = self.store.begin_read().await?;
        let record = tx.pool(pool.id).await?;
        let made = tx.changes_named(pool.id, &format!("{given}/")).await?;
        if !made.is_empty() {
            return Ok(None);
        }
        let mut rounds = Vec::new();
        for round in rounds_of(&mut tx, &record, which).await? {
            let (server, round_id) = round.logged.round.name();
            let named = format!("{id}/{}", round.logged.position).parse();
            let line = RoundChangeLine {
                action: RoundAction::Void,
                change_id: named.map_err(too_long)?,
                server,
                round_id,
                reason: note.reason.clone(),
                at,
            };
            rounds.push(round_change(line, &round));
        }
        rounds.sort_unstable_by_key(|round| round.position);
        let void = RoundsVoid {
            rounds,
            id,
            which: which.shown(),
            reason: note.reason,
            at,
        };
        Ok((!void.rounds.is_empty()).then_some((record, void)))
    }
}

/// Number of a server's rounds that are searched for the original of a round sent twice.
const ORIGINALS: usize = 50;

/// Adds `round` to the `latest` rounds, which come in descending order of their ends. If one of `latest` is a copy of
/// `round`, keeps the one logged first and returns the other.
fn take_copy(latest: &mut VecDeque<RecordedRound>, round: RecordedRound) -> Option<RecordedRound> {
    let is_other = |other: &RecordedRound| is_copy(&round.logged.round, &other.logged.round);
    if let Some(other) = latest.iter_mut().find(|other| is_other(other)) {
        if other.logged.position < round.logged.position {
            return Some(round);
        }
        return Some(std::mem::replace(other, round));
    }
    latest.push_back(round);
    if latest.len() > ORIGINALS {
        latest.pop_front();
    }
    None
}

/// Returns the rounds that match `which` and are neither void nor pruned.
async fn rounds_of(
    tx: &mut Tx,
    pool: &PoolRecord,
    which: &VoidRounds,
) -> Result<Vec<RecordedRound>, ServiceError> {
    let filter = RoundFilter {
        server: which.server.clone(),
        map: None,
        from: which.since,
        to: which.until,
        secret: which.secret,
        received_from: which.received_since,
        received_to: which.received_until,
    };
    let mut found = Vec::new();
    let mut latest = VecDeque::new();
    let mut before = None;
    loop {
        let page = tx.list_rounds(pool.id, &filter, before, PAGE).await?;
        let Some(last) = page.last() else {
            return Ok(found);
        };
        before = Some((last.logged.round.ended_at(), last.logged.position));
        let counted = page.into_iter().filter(|round| {
            round.logged.voided_at.is_none() && round.logged.position > pool.pruned
        });
        if which.copies {
            found.extend(counted.filter_map(|round| take_copy(&mut latest, round)));
        } else {
            found.extend(counted);
        }
        if found.len() > MAX_VOIDED as usize {
            let (field, end) = match which.since {
                Some(_) => ("/since", "until"),
                None => ("/received_since", "received_until"),
            };
            let detail = format!(
                "selects more than {MAX_VOIDED} rounds of the pool {}, the maximum of one \
                 request; send a later time, or send \"{end}\" too",
                pool.name
            );
            return Err(ServiceError::invalid(field, detail));
        }
    }
}
