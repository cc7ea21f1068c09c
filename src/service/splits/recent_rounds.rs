use std::collections::BTreeMap;
use std::time::Duration;

use sha2::{Digest as _, Sha256};

use super::stored::SplitTableRecord;
use crate::api::{ScrambleRequest, Whole};
use crate::domain::{PlayerEntry, PlayerId, RoundId, ServerName, Timestamp};
use crate::partition::Current;
use crate::service::{Pool, ServiceError};
use crate::store::{RecordedRound, RoundFilter, StoreError, Tx};

/// Maximum number of recent rounds that are read for a game server. Only rounds of the last [`EVENING`] are read.
const MAX_ROUNDS: u32 = 16;
/// Time after which a round or a scramble says nothing about the match that is played now.
pub(crate) const EVENING: Duration = Duration::from_hours(3);

/// Facts about the recent rounds of a game server, as far as a request for splits needs them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct RecentRounds {
    /// Number of consecutive rounds that each player has waited.
    pub(crate) waited: BTreeMap<PlayerId, u32>,
    /// Teams at the start of the rounds that a split should not repeat.
    pub(crate) teams: Vec<Current>,
}

impl RecentRounds {
    pub(super) async fn read(
        tx: &mut Tx,
        pool: &Pool,
        server: &ServerName,
        request: &ScrambleRequest,
        now: Timestamp,
    ) -> Result<Self, ServiceError> {
        let repeat = request.repeat.map_or(0, Whole::count);
        let is_auto = request.waited.is_auto();
        if repeat == 0 && !is_auto {
            return Ok(Self::default());
        }
        let rounds = last_rounds(tx, pool, server, now, MAX_ROUNDS).await?;
        let teams = rounds.iter().take(repeat).map(teams_at_start).collect();
        let waited = if is_auto {
            let table = last_table(tx, pool, server, now).await?;
            waited(request.eligible(), &rounds, table.as_ref())
        } else {
            BTreeMap::new()
        };
        Ok(Self { waited, teams })
    }
}

/// Returns the last table of splits of a game server, if the ratings of `pool` made it in the last three hours.
pub(crate) async fn last_table(
    tx: &mut Tx,
    pool: &Pool,
    server: &ServerName,
    now: Timestamp,
) -> Result<Option<SplitTableRecord>, StoreError> {
    let text = tx.split_table(server).await?;
    let table = text
        .as_deref()
        .map(SplitTableRecord::from_text)
        .transpose()?;
    let evening = now.earlier(EVENING);
    Ok(table.filter(|last| last.table.pool == pool.name && last.table.computed_at >= evening))
}

/// Returns at most `limit` rounds of the last three hours on a game server, latest first.
pub(crate) async fn last_rounds(
    tx: &mut Tx,
    pool: &Pool,
    server: &ServerName,
    now: Timestamp,
    limit: u32,
) -> Result<Vec<RecordedRound>, StoreError> {
    let filter = RoundFilter {
        server: Some(server.clone()),
        from: Some(now.earlier(EVENING)),
        ..RoundFilter::default()
    };
    tx.list_rounds(pool.id, &filter, None, limit).await
}

fn teams_at_start(round: &RecordedRound) -> Current {
    let parts = round.logged.round.parts();
    let at_start = |team: &[PlayerEntry]| {
        let there = team.iter().filter(|entry| entry.at_start);
        there.map(|entry| entry.id).collect()
    };
    Current {
        a: at_start(&parts.team_a),
        b: at_start(&parts.team_b),
    }
}

/// Returns the number of consecutive rounds that each eligible player has waited, without players who have not waited.
/// `rounds` are the last rounds, latest first.
///
/// A player in one of the rounds has waited since that round. For any other player, the count continues from the last
/// `table` of splits, which also lists the players on the bench. A player missing in both has just arrived.
fn waited(
    eligible: impl Iterator<Item = PlayerId>,
    rounds: &[RecordedRound],
    table: Option<&SplitTableRecord>,
) -> BTreeMap<PlayerId, u32> {
    let since_table = table.map_or(0, |last| {
        let computed_at = last.table.computed_at;
        let later = rounds
            .iter()
            .filter(|round| round.logged.received_at > computed_at);
        later.count()
    });
    let waited = eligible.filter_map(|player| {
        let played = rounds.iter().position(|round| {
            let mut entries = round.logged.round.entries();
            entries.any(|(_, entry)| entry.id == player)
        });
        let waited = played.or_else(|| {
            let last = table?;
            let mut there = last.ratings.iter();
            there.find(|rated| rated.player == player)?;
            let before = last.waited.get(&player).copied().unwrap_or_default();
            Some(before as usize + since_table)
        })?;
        let waited = u32::try_from(waited).ok().filter(|waited| *waited > 0)?;
        Some((player, waited))
    });
    waited.collect()
}

/// Order of players with equal ratings, until the next round of a server. The order is pseudo-random, and equal on
/// every instance and in every request.
#[derive(Clone, Debug)]
pub(super) struct Ties(Sha256);

impl Ties {
    pub(super) fn after(server: &ServerName, last: &RoundId) -> Self {
        // Neither name contains a line break.
        let names = format!("{server}\n{last}\n");
        Self(Sha256::new_with_prefix(names))
    }

    /// Returns the sort key of a player among players with equal ratings, lowest first.
    pub(super) fn of(&self, player: PlayerId) -> u64 {
        let id = player.steam_id64().to_be_bytes();
        let digest: [u8; 32] = self.0.clone().chain_update(id).finalize().into();
        let first = digest.first_chunk();
        first.map_or(0, |bytes| u64::from_be_bytes(*bytes))
    }
}
