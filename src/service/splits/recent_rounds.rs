use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use sha2::{Digest as _, Sha256};

use crate::api::{ScrambleRequest, Whole};
use crate::domain::{PlayerEntry, PlayerId, RoundId, ServerName, Timestamp};
use crate::partition::Current;
use crate::service::{Pool, ServiceError};
use crate::store::split_tables::SplitTableRecord;
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
            let rounds: Vec<Played> = rounds.iter().map(Played::from).collect();
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

#[derive(Clone, Debug)]
struct Played {
    players: BTreeSet<PlayerId>,
    received_at: Timestamp,
}

impl From<&RecordedRound> for Played {
    fn from(round: &RecordedRound) -> Self {
        let parts = round.logged.round.parts();
        let players = parts.team_a.iter().chain(&parts.team_b);
        Self {
            players: players.map(|entry| entry.id).collect(),
            received_at: round.logged.received_at,
        }
    }
}

/// Returns the number of consecutive rounds that each eligible player has waited, without players who have not waited.
/// `rounds` are the last rounds, latest first.
///
/// A player in one of the rounds has waited since that round. For any other player, the count continues from the last
/// `table` of splits, which also lists the players on the bench. A player missing in both has just arrived.
fn waited(
    eligible: impl Iterator<Item = PlayerId>,
    rounds: &[Played],
    table: Option<&SplitTableRecord>,
) -> BTreeMap<PlayerId, u32> {
    let since_table = table.map_or(0, |last| {
        let computed_at = last.table.computed_at;
        let later = rounds
            .iter()
            .filter(|round| round.received_at > computed_at);
        later.count()
    });
    let waited = eligible.filter_map(|player| {
        let played = rounds
            .iter()
            .position(|round| round.players.contains(&player));
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
        digest
            .iter()
            .take(8)
            .fold(0, |number, byte| number << 8 | u64::from(*byte))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{PowerName, Rating};
    use crate::store::split_tables::{RatedPlayer, SplitsRecord};

    fn id(account: u64) -> PlayerId {
        format!("[U:1:{account}]").parse().unwrap()
    }

    fn at(second: i64) -> Timestamp {
        Timestamp::from_unix_seconds(second).unwrap()
    }

    fn round(players: &[u64], second: i64) -> Played {
        Played {
            players: players.iter().copied().map(id).collect(),
            received_at: at(second),
        }
    }

    /// Creates a record of the splits of `players`, computed `second` seconds after the Unix epoch. `waited` pairs
    /// players with the number of rounds in a row that they have waited.
    fn table(second: i64, players: &[u64], waited: &[(u64, u32)]) -> SplitTableRecord {
        let rated = |account: &u64| RatedPlayer {
            player: id(*account),
            rating: Rating::MAX,
            known: true,
        };
        SplitTableRecord {
            table: SplitsRecord {
                server: "s".parse().unwrap(),
                pool: "default".parse().unwrap(),
                by: PowerName::default(),
                powers: Vec::new(),
                scale: None,
                eligible: players.len(),
                computed_at: at(second),
                splits: Vec::new(),
                alternatives: Vec::new(),
                drawn: None,
                is_probe: false,
                message: None,
            },
            ratings: players.iter().map(rated).collect(),
            waited: waited
                .iter()
                .map(|(account, rounds)| (id(*account), *rounds))
                .collect(),
        }
    }

    fn waits(eligible: &[u64], rounds: &[Played], table: Option<&SplitTableRecord>) -> Vec<u32> {
        let waited = waited(eligible.iter().copied().map(id), rounds, table);
        let of = |account: &u64| waited.get(&id(*account)).copied().unwrap_or_default();
        eligible.iter().map(of).collect()
    }

    #[test]
    fn who_played_has_waited_since_and_who_is_new_has_not() {
        let rounds = [round(&[1, 2], 30), round(&[1, 3], 20), round(&[4, 2], 10)];
        assert_eq!(waits(&[1, 2, 3, 4, 5], &rounds, None), [0, 0, 1, 2, 0]);
        assert_eq!(waits(&[1], &[], None), [0]);
    }

    #[test]
    fn who_was_there_without_playing_counts_on_from_the_last_table() {
        let rounds = [round(&[1, 2], 30), round(&[1, 2], 20), round(&[1, 2], 10)];
        // The table was made between the first two rounds, when 5 had waited twice and 6 had just arrived.
        let last = table(15, &[1, 2, 5, 6], &[(5, 2)]);
        assert_eq!(waits(&[1, 5, 6, 7], &rounds, Some(&last)), [0, 4, 2, 0]);
        // A second request before the next round changes nothing.
        let again = table(35, &[1, 2, 5, 6], &[(5, 4), (6, 2)]);
        assert_eq!(waits(&[5, 6], &rounds, Some(&again)), [4, 2]);
        // A player who has played meanwhile starts again at zero.
        let later = [round(&[5, 2], 40), rounds[0].clone()];
        assert_eq!(waits(&[5, 6, 1], &later, Some(&again)), [0, 3, 1]);
    }
}
