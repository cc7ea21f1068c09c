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

/// Whether somebody who has played last at that time has not done so since `moment`: then all rounds count as before it,
/// also those that came later, as an import brings them.
pub(crate) fn has_rested(last_played: Option<Timestamp>, moment: Timestamp) -> bool {
    last_played.is_none_or(|last| last <= moment)
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
        low: if has_rested(player.last_played, moment) {
            player.entries
        } else {
            0
        },
        high: player.entries + 1,
    });
    let mut searches: Vec<Search> = searches.collect();
    loop {
        let probes: Vec<(PlayerId, u64)> = searches.iter().flat_map(Search::probes).collect();
        if probes.is_empty() {
            break;
        }
        let entries = tx.entries(pool.id, &probes).await?.into_iter();
        let had: HashMap<(PlayerId, u64), bool> = entries
            .map(|entry| {
                let had = place.has_round(entry.position, entry.ended_at);
                ((entry.player, entry.number), had)
            })
            .collect();
        for search in &mut searches {
            for probe in search.probes() {
                match had.get(&probe) {
                    Some(false) => {
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
    /// Whether it goes by when rounds ended, since nothing had come by then.
    by_end: bool,
}

impl PastPosition {
    /// Whether a round that stands at `position` and ended at that time was counted by then.
    pub(crate) fn has_round(&self, position: u64, ended_at: Timestamp) -> bool {
        position <= self.last && (!self.by_end || ended_at <= self.moment)
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
/// counts to the time since it came, whenever it was played. Where nothing had come by then, the
/// history was imported since, and has when each round was played: it had come as far as its last round
/// that had ended by then, whatever a first few rounds are that were played before it was imported. Rounds that are
/// pruned are older than any moment that is asked for. Each is searched for by steps: exact as far as rounds came in
/// the order played.
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
        by_end: false,
    };
    let end = tx.pool(pool.id).await?.log_length + 1;
    let came = narrow(tx, pool, whole, end, |round| round.received_at > moment).await?;
    if came.last > whole.last || pruned.is_some_and(|prune| prune.last_received_at <= moment) {
        return Ok(came);
    }
    let by_end = PastPosition {
        by_end: true,
        ..came
    };
    narrow(tx, pool, by_end, end, |round| round.ended_at > moment).await
}

/// Looks between `known.last` and `end` for the last round that is not yet `is_since`.
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
        let behind = (high, found.next);
        let mut first_since = None;
        for probe in probes {
            match rounds.get(&probe) {
                Some(round) if !is_since(round) => {
                    found.last = round.position;
                    first_since = None;
                }
                since_or_none => {
                    let next = since_or_none.map(|round| round.position);
                    first_since = first_since.or(Some((probe, next)));
                }
            }
        }
        (high, found.next) = first_since.unwrap_or(behind);
        high = high.max(found.last + 1);
    }
}
