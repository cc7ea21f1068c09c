use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use sha2::{Digest as _, Sha256};

use crate::api::{ScrambleRequest, Whole};
use crate::domain::{PlayerEntry, PlayerId, RoundId, ServerName, Timestamp};
use crate::partition::Current;
use crate::service::{Pool, ServiceError};
use crate::store::split_tables::SplitTableRecord;
use crate::store::{RecordedRound, RoundFilter, StoreError, Tx};

/// How many of a server's rounds are looked at, at most, and how long ago the first of them may have ended: those
/// of an evening.
const MAX_ROUNDS: u32 = 16;
const EVENING: Duration = Duration::from_hours(3);

/// What the service itself knows of a server's last rounds, as far as a request asks for it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct RecentRounds {
    /// For how many rounds in a row players have waited.
    pub(crate) waited: BTreeMap<PlayerId, u32>,
    /// The teams of the rounds that are not to be repeated, as they were at the start.
    pub(crate) teams: Vec<Current>,
}

impl RecentRounds {
    /// What a scramble on `server` in `pool` at `now` wants to know.
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
        let rounds = last_rounds(tx, pool, server, now).await?;
        let teams = rounds.iter().take(repeat).map(teams_at_start).collect();
        let waited = if is_auto {
            let table = tx
                .split_table(server)
                .await?
                .map(|text| SplitTableRecord::from_text(&text))
                .transpose()?;
            let evening = now.earlier(EVENING);
            let table = table
                .filter(|last| last.table.pool == pool.name && last.table.computed_at >= evening);
            let rounds: Vec<Played> = rounds.iter().map(Played::from).collect();
            waited(request.eligible(), &rounds, table.as_ref())
        } else {
            BTreeMap::new()
        };
        Ok(Self { waited, teams })
    }
}

/// The last rounds of an evening on a server, the latest first.
async fn last_rounds(
    tx: &mut Tx,
    pool: &Pool,
    server: &ServerName,
    now: Timestamp,
) -> Result<Vec<RecordedRound>, StoreError> {
    let filter = RoundFilter {
        server: Some(server.clone()),
        from: Some(now.earlier(EVENING)),
        ..RoundFilter::default()
    };
    tx.list_rounds(pool.id, &filter, None, MAX_ROUNDS).await
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

/// Who stood in a round, and when it arrived here.
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

/// For how many rounds in a row the `eligible` have waited who have, where `rounds` were the last, the latest first.
///
/// Whoever stood in one of them has waited since. Anybody else counts from the last `table` of splits on, in which
/// who was there without playing stands; who is not in it either has just come.
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

/// The order of players with equal ratings between two rounds of a server: as good as random, and the same on
/// every instance and whenever it is asked for.
#[derive(Clone, Debug)]
pub(super) struct Ties(Sha256);

impl Ties {
    /// The order after this round of the server.
    pub(super) fn after(server: &ServerName, last: &RoundId) -> Self {
        // A line break is in neither name.
        let names = format!("{server}\n{last}\n");
        Self(Sha256::new_with_prefix(names))
    }

    /// Where a player stands among equals, the lowest first.
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

    /// A table of that second with these players, of whom some had waited.
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
                say: None,
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
        // Between the first and the second round, when 5 had waited twice and 6 had just come.
        let last = table(15, &[1, 2, 5, 6], &[(5, 2)]);
        assert_eq!(waits(&[1, 5, 6, 7], &rounds, Some(&last)), [0, 4, 2, 0]);
        // Asked again before another round has come, nothing has changed.
        let again = table(35, &[1, 2, 5, 6], &[(5, 4), (6, 2)]);
        assert_eq!(waits(&[5, 6], &rounds, Some(&again)), [4, 2]);
        // Who has played meanwhile begins anew.
        let later = [round(&[5, 2], 40), rounds[0].clone()];
        assert_eq!(waits(&[5, 6, 1], &later, Some(&again)), [0, 3, 1]);
    }
}
