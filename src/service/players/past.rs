use std::collections::HashMap;

use super::history::changed_ratings;
use super::thin::evenly_spaced;
use crate::domain::{PlayerId, Rating, Timestamp};
use crate::service::Pool;
use crate::service::seasons::past::Starts;
use crate::store::{PlayerRecord, RoundPlayed, StoreError, Tx};

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
        let numbers = evenly_spaced(self.low + 1, self.high - 1, PROBES).into_iter();
        numbers.map(|number| (self.player, number)).collect()
    }
}

/// What the ratings of `players` were at `moment`: the initial one for whom the pool did not know.
///
/// # Design
/// A player's entries stand in the order of the log, so the last one before a place of it is found by
/// narrowing, for all players at once: seven queries for somebody with a hundred thousand rounds, however
/// many of them were played since.
pub(crate) async fn ratings_at(
    tx: &mut Tx,
    pool: &Pool,
    players: &[PlayerRecord],
    moment: Timestamp,
) -> Result<HashMap<PlayerId, Rating>, StoreError> {
    let place = place_at(tx, pool, moment).await?;
    let is_pruned = tx.pool(pool.id).await?.pruned > 0;
    let searches = players.iter().map(|player| Search {
        player: player.id,
        low: 0,
        high: player.entries + 1,
    });
    let mut searches: Vec<Search> = searches.collect();
    loop {
        let probes: Vec<(PlayerId, u64)> = searches.iter().flat_map(Search::probes).collect();
        if probes.is_empty() {
            break;
        }
        let entries = tx.entries(pool.id, &probes).await?.into_iter();
        let positions: HashMap<(PlayerId, u64), u64> = entries
            .map(|entry| ((entry.player, entry.number), entry.position))
            .collect();
        for search in &mut searches {
            for probe in search.probes() {
                match positions.get(&probe) {
                    Some(position) if !place.has_round(*position) => {
                        search.high = probe.1;
                        break;
                    }
                    // Where it is gone, its round is pruned: that was before, and so was some entry that is kept.
                    None if !is_pruned => {
                        return Err(StoreError::Corrupt {
                            table: "entries",
                            column: "number",
                        });
                    }
                    _ => search.low = probe.1,
                }
            }
        }
    }
    let found = searches.iter().filter(|search| search.low > 0);
    let found: Vec<_> = found.map(|search| (search.player, search.low)).collect();
    let ids: Vec<PlayerId> = players.iter().map(|player| player.id).collect();
    let initial = pool.settings.parameters.initial_rating;
    // The place in the log where each got the rating.
    let mut ratings: HashMap<PlayerId, (u64, Rating)> =
        ids.iter().map(|id| (*id, (0, initial))).collect();
    for entry in tx.entries(pool.id, &found).await? {
        ratings.insert(entry.player, (entry.position, entry.step.rating));
    }
    for change in changed_ratings(tx, pool, &ids).await? {
        let known = ratings.entry(change.player).or_insert((0, initial));
        if place.has_change(change.position, change.at) && change.position > known.0 {
            *known = (change.position, change.rating);
        }
    }
    let starts = Starts::of(tx, pool.id).await?;
    let ratings = ratings.into_iter();
    let ratings = ratings.map(|(player, known)| {
        let rating = starts.after(known, |position, at| place.has_change(position, at));
        (player, rating)
    });
    Ok(ratings.collect())
}

/// How many places of the log one step looks at: four steps find one of sixteen million.
const PLACES_PROBED: u64 = 64;

/// How far a pool's log had come at some moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PastPosition {
    moment: Timestamp,
    /// The place of the last round of then; 0 for none.
    last: u64,
    /// The place of the first round since; `None` where none has come.
    next: Option<u64>,
}

impl PastPosition {
    /// Whether a round that stands at `position` was counted by then.
    pub(crate) fn has_round(&self, position: u64) -> bool {
        position <= self.last
    }

    /// Whether an admin's change that stands at `position` had been made by then. While no round came,
    /// the time of the change itself decides.
    pub(crate) fn has_change(&self, position: u64, made_at: Timestamp) -> bool {
        let before_next = self.next.is_none_or(|next| position < next);
        position <= self.last || (before_next && made_at <= self.moment)
    }
}

/// How far the pool's log had come at `moment`.
///
/// # Design
/// What had come by then is what the service showed then, so a round that is sent or imported late
/// counts to the time since it came, whenever it was played. Where nothing had come by then, the whole
/// history was imported since, and has when each round was played: what it begins with is passed over
/// for as long as it is of rounds that had ended by then. Rounds that are pruned are older than any moment that is
/// asked for. Each is searched for by steps: exact as far as rounds came in the order played.
pub(crate) async fn place_at(
    tx: &mut Tx,
    pool: &Pool,
    moment: Timestamp,
) -> Result<PastPosition, StoreError> {
    let pruned = tx.last_prune(pool.id).await?;
    let whole = PastPosition {
        moment,
        last: pruned.as_ref().map_or(0, |prune| prune.position),
        next: None,
    };
    let end = tx.pool(pool.id).await?.log_length + 1;
    let came = narrow(tx, pool, whole, end, |round| round.received_at > moment).await?;
    if came.last > whole.last || pruned.is_some_and(|prune| prune.last_received_at <= moment) {
        return Ok(came);
    }
    narrow(tx, pool, came, end, |round| round.ended_at > moment).await
}

/// Looks between `known.last` and `end` for the first round that `is_since`.
async fn narrow(
    tx: &mut Tx,
    pool: &Pool,
    known: PastPosition,
    end: u64,
    is_since: impl Fn(&RoundPlayed) -> bool,
) -> Result<PastPosition, StoreError> {
    let mut found = PastPosition {
        next: None,
        ..known
    };
    // The first round that stands here or behind, if there is one, is since then.
    let mut high = end;
    loop {
        let probes = evenly_spaced(found.last + 1, high - 1, PLACES_PROBED);
        if probes.is_empty() {
            return Ok(found);
        }
        let rounds = tx.rounds_from(pool.id, &probes).await?;
        let rounds: HashMap<u64, RoundPlayed> = rounds.into_iter().collect();
        for probe in probes {
            match rounds.get(&probe) {
                Some(round) if !is_since(round) => found.last = round.position,
                since_or_none => {
                    found.next = since_or_none.map(|round| round.position);
                    high = probe;
                    break;
                }
            }
        }
        high = high.max(found.last + 1);
    }
}
