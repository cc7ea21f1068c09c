use std::collections::HashMap;

use super::Pool;
use super::evenly::evenly;
use super::past_place::place_at;
use super::player_history::{changed_ratings, ratings_after};
use crate::domain::{PlayerId, Rating, Timestamp};
use crate::store::{PlayerRecord, StoreError, Tx};

/// How many of a player's entries one step looks at, both ends among them: a sixth stays in question.
const PROBES: u64 = 7;

/// A player whose last entry at some place of the log is searched for.
struct Search {
    player: PlayerId,
    /// An entry that stands there or before; 0 for none.
    low: u64,
    /// One that stands behind, or would.
    high: u64,
}

impl Search {
    fn probes(&self) -> Vec<(PlayerId, u64)> {
        let numbers = evenly(self.low + 1, self.high - 1, PROBES);
        numbers
            .into_iter()
            .map(|number| (self.player, number))
            .collect()
    }
}

/// What the ratings of `players` were at `moment`: the initial one for whom the pool did not know.
///
/// # Design
/// A player's entries stand in the order of the log, so the last one before a place of it is found by
/// narrowing, for all players at once: seven queries for somebody with a hundred thousand rounds, however
/// many of them were played since.
pub(super) async fn ratings_at(
    tx: &mut Tx,
    pool: &Pool,
    players: &[PlayerRecord],
    moment: Timestamp,
) -> Result<HashMap<PlayerId, Rating>, StoreError> {
    let place = place_at(tx, pool, moment).await?;
    let mut searches: Vec<Search> = players
        .iter()
        .map(|player| Search {
            player: player.id,
            low: 0,
            high: player.entries + 1,
        })
        .collect();
    loop {
        let probes: Vec<(PlayerId, u64)> = searches.iter().flat_map(Search::probes).collect();
        if probes.is_empty() {
            break;
        }
        let positions: HashMap<(PlayerId, u64), u64> = tx
            .entries(pool.id, &probes)
            .await?
            .into_iter()
            .map(|entry| ((entry.player, entry.number), entry.position))
            .collect();
        for search in &mut searches {
            for probe in search.probes() {
                let position = positions.get(&probe).ok_or(StoreError::Corrupt {
                    table: "entries",
                    column: "number",
                })?;
                if place.has_round(*position) {
                    search.low = probe.1;
                } else {
                    search.high = probe.1;
                    break;
                }
            }
        }
    }
    let found: Vec<(PlayerId, u64)> = searches
        .iter()
        .filter(|search| search.low > 0)
        .map(|search| (search.player, search.low))
        .collect();
    let ids: Vec<PlayerId> = players.iter().map(|player| player.id).collect();
    let initial = pool.settings.parameters.initial_rating;
    // The place in the log where each got the rating.
    let mut ratings: HashMap<PlayerId, (u64, Rating)> =
        ids.iter().map(|id| (*id, (0, initial))).collect();
    for (entry, rating) in ratings_after(tx, pool, &found).await? {
        ratings.insert(entry.player, (entry.position, rating));
    }
    for change in changed_ratings(tx, pool, &ids).await? {
        let known = ratings.entry(change.player).or_insert((0, initial));
        if place.has_change(change.position, change.at) && change.position > known.0 {
            *known = (change.position, change.rating);
        }
    }
    let ratings = ratings.into_iter();
    Ok(ratings
        .map(|(player, (_, rating))| (player, rating))
        .collect())
}
