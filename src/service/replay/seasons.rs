//! Seasons in a replay. A season start changes every rating and keeps the standings of the season that ends.

use std::collections::BTreeMap;

use super::Replay;
use crate::domain::{PlayerId, Share};
use crate::rating::{Parameters, PlayerState};
use crate::service::seasons::placing::Placing;
use crate::store::{Change, PoolId, SeasonStanding, StoreError, Tx};

/// Season that ended in a replay, because the next season started.
#[derive(Clone, Debug)]
pub(crate) struct EndedSeason {
    /// Log position of the season start that ended this season.
    pub(crate) position: u64,
    /// Share, 0 to 1, of its distance to the initial rating that each rating keeps at the start of the next season.
    pub(crate) keep: Share,
    /// Number of rounds that a player needs since the last reset for the rating to be shown.
    pub(crate) shadow_rounds: u32,
    /// Final standings of the players whom the replay computed, still without ranks and numbers of rounds in the
    /// season.
    pub(crate) players: Vec<SeasonStanding>,
}

/// Returns the standing of a player at the end of a season, still without rank and number of rounds in the season.
pub(crate) fn standing_of(player: &PlayerState) -> SeasonStanding {
    SeasonStanding {
        player: player.id,
        rank: None,
        rating: player.rating,
        rounds: player.rounds,
        season_rounds: 0,
        entries: player.entries,
    }
}

impl Replay {
    /// Starts a season at log position `position`, for all players in memory. `keep` is the share of the distance to
    /// the initial rating that ratings keep.
    pub(crate) fn begin_season(
        &mut self,
        position: u64,
        keep: Share,
        parameters: &Parameters,
    ) -> Result<(), StoreError> {
        let mut players = Vec::with_capacity(self.engine.player_count());
        self.engine.change_all(|model, player| {
            players.push(standing_of(player));
            player.in_new_season(model, keep, parameters)
        })?;
        self.ended_seasons.push(EndedSeason {
            position,
            keep,
            shadow_rounds: parameters.shadow_rounds,
            players,
        });
        Ok(())
    }
}

/// Returns the players' standings that the log gives at the end of each ended season, in log order. Computed players
/// replace the stored ones. All other players have only pruned rounds, so at most their ranks change.
pub(crate) async fn standings_given(
    tx: &mut Tx,
    pool: PoolId,
    (ended, is_whole_log): (Vec<EndedSeason>, bool),
) -> Result<Vec<(u64, Vec<SeasonStanding>)>, StoreError> {
    let starts = tx.season_starts(pool).await?;
    let mut given: Vec<(u64, Vec<SeasonStanding>)> = Vec::with_capacity(ended.len());
    for season in ended {
        let mut standings = BTreeMap::new();
        if !is_whole_log {
            let stored = tx.season_standings(pool, season.position).await?;
            standings.extend(stored.into_iter().map(|one| (one.player, one)));
        }
        standings.extend(season.players.into_iter().map(|one| (one.player, one)));
        let before = match given.last() {
            None => Placing::at(tx, pool, season.position).await?,
            Some((position, before)) => {
                let start = starts.iter().find(|start| start.position == *position);
                let started = start.and_then(Change::season);
                let placing = started.map(|start| Placing::since(start, before.iter()));
                placing.unwrap_or_default()
            }
        };
        let standings = standings.into_values().collect();
        given.push((
            season.position,
            before.ranked(standings, season.shadow_rounds),
        ));
    }
    Ok(given)
}

/// Returns the season standing of `player` among `standings`, which must be ordered by player.
pub(crate) fn standing_in(
    standings: &[SeasonStanding],
    player: PlayerId,
) -> Option<&SeasonStanding> {
    let found = standings.binary_search_by_key(&player, |one| one.player);
    standings.get(found.ok()?)
}

/// Returns the players whose `stored` season standings are wrong, and the new standings, both ordered by player.
fn changed(
    stored: &[SeasonStanding],
    given: &[SeasonStanding],
) -> (Vec<PlayerId>, Vec<SeasonStanding>) {
    let missing = |of: &[SeasonStanding], within: &[SeasonStanding]| -> Vec<SeasonStanding> {
        let of = of.iter();
        let missing = of.filter(|one| standing_in(within, one.player) != Some(*one));
        missing.copied().collect()
    };
    let stale = missing(stored, given)
        .iter()
        .map(|one| one.player)
        .collect();
    (stale, missing(given, stored))
}

/// Writes the computed standings of seasons where they differ from the stored ones, each with the log position of the
/// season's end. A change to one round leaves most standings unchanged.
pub(crate) async fn write_standings(
    tx: &mut Tx,
    pool: PoolId,
    given: &[(u64, Vec<SeasonStanding>)],
) -> Result<(), StoreError> {
    const ROWS: usize = 5_000;
    for (position, standings) in given {
        let stored = tx.season_standings(pool, *position).await?;
        let (stale, fresh) = changed(&stored, standings);
        for some in stale.chunks(ROWS) {
            tx.delete_season_standings_of(pool, *position, some).await?;
        }
        for some in fresh.chunks(ROWS) {
            tx.save_season_standings(pool, *position, some).await?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::Rating;

    #[test]
    fn nothing_is_written_of_those_who_stayed_as_they_were() {
        let standing = |number: u64, points: i32| SeasonStanding {
            player: PlayerId::from_steam_id64(76_561_197_960_265_728 + number).unwrap(),
            rank: Some(number),
            rating: Rating::new(points).unwrap(),
            rounds: 7,
            season_rounds: 7,
            entries: 7,
        };
        let stored: Vec<SeasonStanding> = (1..=100).map(|number| standing(number, 900)).collect();
        assert_eq!(changed(&stored, &stored), (Vec::new(), Vec::new()));
        let mut given = stored.clone();
        given[40] = standing(41, 901);
        given.remove(7);
        given.push(standing(101, 900));
        let (stale, fresh) = changed(&stored, &given);
        assert_eq!(stale, [stored[7].player, stored[40].player]);
        assert_eq!(fresh, [standing(41, 901), standing(101, 900)]);
        assert_eq!(changed(&[], &given).1.len(), given.len());
    }
}
