use std::collections::{HashMap, HashSet};

use crate::api::{PlayerHistoryAnswer, PlayerPointAnswer};
use crate::domain::{PlayerId, Rating, Timestamp};
use crate::rating::{ChangeKind, Parameters};
use crate::service::seasons::past::Starts;
use crate::service::seasons::standings::find_season;
use crate::service::{Pool, Service, ServiceError};
use crate::store::{Change, Changed, PoolId, RoundPlayed, SettingsId, StoreError, Tx, corrupt};

/// Minimum number of rounds in a player's rating history, even if admins' changes use up the requested samples.
const MIN_ROUNDS: u64 = 2;

impl Service {
    /// Returns the course of a player's rating in `pool`, in log order, for one season or for all. To stay within
    /// `points` samples, rounds are thinned evenly; every set, reset and start of a season is kept. Pruned rounds have
    /// no ids.
    pub async fn get_player_history(
        &self,
        pool: &Pool,
        id: PlayerId,
        season: Option<u32>,
        points: u32,
    ) -> Result<PlayerHistoryAnswer, ServiceError> {
        let mut tx = self.store.begin_read().await?;
        let entries = tx
            .player(pool.id, id)
            .await?
            .map_or(0, |player| player.entries);
        let pruned = tx.pool(pool.id).await?.pruned;
        let first = match pruned {
            0 => 1,
            _ => tx.first_entry(pool.id, id).await?.unwrap_or(1),
        };
        let span = match season {
            Some(number) => Span::of(&mut tx, pool, id, number).await?,
            None => Span::WHOLE,
        };
        let first = first.max(span.entries.0 + 1);
        let entries = entries.min(span.entries.1);
        let mut changes = changed_ratings(&mut tx, pool.id, &[id]).await?;
        changes.retain(|change| span.has(change.position));
        let starts = Starts::of(&mut tx, pool.id).await?;
        let certain = u64::try_from(changes.len()).unwrap_or(u64::MAX);
        let room = u64::from(points).saturating_sub(certain).max(MIN_ROUNDS);
        let numbers: Vec<_> = evenly_spaced(first, entries, room)
            .into_iter()
            .map(|number| (id, number))
            .collect();
        let rated = tx.entries(pool.id, &numbers).await?;
        let positions: Vec<u64> = rated.iter().map(|entry| entry.position).collect();
        let names = tx.round_names(pool.id, &positions).await?.into_iter();
        let mut names: HashMap<u64, RoundPlayed> =
            names.map(|played| (played.position, played)).collect();
        let mut points = Vec::with_capacity(rated.len() + changes.len());
        for entry in rated {
            let played = names.remove(&entry.position);
            if played.is_none() && entry.position > pruned {
                return Err(corrupt("entries", "position").into());
            }
            let (round_id, server) = played
                .map(|played| (played.round_id, played.server))
                .unzip();
            let point = PlayerPointAnswer {
                at: entry.ended_at,
                rating: entry.step.rating,
                change: "round",
                round_number: Some(entry.number),
                round_id,
                server,
            };
            points.push((entry.position, point));
        }
        for change in changes {
            let kind = if change.is_reset { "reset" } else { "set" };
            let point = point_of_change(change.at, change.rating, kind);
            points.push((change.position, point));
        }
        points.sort_by_key(|(position, _)| *position);
        let is_thinned = entries.saturating_sub(first) >= room;
        let points = with_starts((points, is_thinned), &starts, span.positions.1);
        Ok(PlayerHistoryAnswer {
            id,
            pool: pool.name.clone(),
            points,
        })
    }
}

/// Range of positions in a pool's log, and of the numbers of a player's rated rounds: one season, or everything.
#[derive(Clone, Copy, Debug)]
struct Span {
    /// Positions in the pool's log: the last one before the season (or before all rounds), and the first one after the
    /// season.
    positions: (u64, u64),
    /// Numbers of the player's rated rounds: the last one before the season (or before all rounds), and the last one in
    /// the season.
    entries: (u64, u64),
}

impl Span {
    const WHOLE: Self = Self {
        positions: (0, u64::MAX),
        entries: (0, u64::MAX),
    };

    async fn of(
        tx: &mut Tx,
        pool: &Pool,
        player: PlayerId,
        number: u32,
    ) -> Result<Self, ServiceError> {
        let season = find_season(tx, pool, number).await?;
        let standings = tx.season_standings_of(pool.id, &[player]).await?;
        let entries = |end: &Option<Change>, otherwise: u64| {
            let Some(end) = end else { return otherwise };
            let its = standings.iter().find(|(at, _)| *at == end.position);
            its.map_or(0, |(_, standing)| standing.entries)
        };
        let position = |end: &Option<Change>| end.as_ref().map(|end| end.position);
        Ok(Self {
            entries: (entries(&season.start, 0), entries(&season.end, u64::MAX)),
            positions: (
                position(&season.start).unwrap_or(0),
                position(&season.end).unwrap_or(u64::MAX),
            ),
        })
    }

    fn has(&self, position: u64) -> bool {
        self.positions.0 < position && position < self.positions.1
    }
}

/// Adds to a player's rating history the rating after each season start before log position `until`. Skips season
/// starts after rounds that the history leaves out, because the rating before such a start is unknown.
fn with_starts(
    (points, is_thinned): (Vec<(u64, PlayerPointAnswer)>, bool),
    starts: &Starts,
    until: u64,
) -> Vec<PlayerPointAnswer> {
    let mut all = Vec::with_capacity(points.len());
    let mut points = points.into_iter().peekable();
    while let Some((position, point)) = points.next() {
        let next = points.peek();
        let end = next.map_or(until, |(next, _)| *next);
        let are_neighbours = next.is_none_or(|(_, next)| {
            let numbers = next.round_number.zip(point.round_number);
            !is_thinned || numbers.is_some_and(|(next, number)| next == number + 1)
        });
        let rating = point.rating;
        all.push(point);
        if are_neighbours {
            let made = starts.between((position, rating), end).into_iter();
            all.extend(made.map(|(_, at, rating)| point_of_change(at, rating, "season")));
        }
    }
    all
}

fn point_of_change(at: Timestamp, rating: Rating, change: &'static str) -> PlayerPointAnswer {
    PlayerPointAnswer {
        at,
        rating,
        change,
        round_number: None,
        round_id: None,
        server: None,
    }
}

/// Rating given to a player by an admin's set or reset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ChangedRating {
    pub(crate) player: PlayerId,
    pub(crate) position: u64,
    pub(crate) rating: Rating,
    pub(crate) is_reset: bool,
    pub(crate) at: Timestamp,
}

/// Returns the ratings that admins gave to `players` by sets and resets that are not undone, in log order.
pub(crate) async fn changed_ratings(
    tx: &mut Tx,
    pool: PoolId,
    players: &[PlayerId],
) -> Result<Vec<ChangedRating>, StoreError> {
    let changes = tx.changes_of_players(pool, players).await?;
    let settings: HashMap<SettingsId, Parameters> = if changes.is_empty() {
        HashMap::new()
    } else {
        tx.settings().await?.into_iter().collect()
    };
    let undone: HashSet<u64> = changes
        .iter()
        .filter_map(|change| match change.changed {
            Changed::Undo { position, .. } => Some(position),
            Changed::Player(..) | Changed::Round { .. } | Changed::Season(_) => None,
        })
        .collect();
    let rating = |change: Change| {
        if undone.contains(&change.position) {
            return None;
        }
        let Changed::Player(player, kind) = change.changed else {
            return None;
        };
        let rating = match kind {
            ChangeKind::Set(rating) => rating,
            ChangeKind::Reset => settings.get(&change.settings)?.initial_rating,
        };
        Some(ChangedRating {
            player,
            position: change.position,
            rating,
            is_reset: kind == ChangeKind::Reset,
            at: change.made_at,
        })
    };
    Ok(changes.into_iter().filter_map(rating).collect())
}

/// Returns up to `count` evenly spaced integers from `first` to `last`, ascending, including both ends. Returns `last`
/// if `count` is 1, and nothing if `count` is 0.
pub(crate) fn evenly_spaced(first: u64, last: u64, count: u64) -> Vec<u64> {
    if first > last || count == 0 {
        return Vec::new();
    }
    let steps = (last - first).min(count - 1);
    if steps == 0 {
        return vec![last];
    }
    // The product of two 64-bit numbers fits into 128 bits.
    let at = |step: u64| {
        let way = u128::from(step) * u128::from(last - first) / u128::from(steps);
        first + u64::try_from(way).unwrap_or(last - first)
    };
    (0..=steps).map(at).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn few_are_all_taken_and_many_thinned() {
        assert_eq!(evenly_spaced(1, 4, 10), [1, 2, 3, 4]);
        assert_eq!(evenly_spaced(1, 10, 4), [1, 4, 7, 10]);
        assert_eq!(evenly_spaced(1, 10, 1), [10]);
        assert_eq!(evenly_spaced(7, 7, 5), [7]);
        assert_eq!(evenly_spaced(1, 0, 5), [0; 0]);
        assert_eq!(evenly_spaced(1, 5, 0), [0; 0]);
    }

    proptest! {
        #[test]
        fn both_ends_are_there_and_none_twice(
            first in any::<u32>(), length in any::<u32>(), count in 2..2000_u64,
        ) {
            let (first, last) = (u64::from(first), u64::from(first) + u64::from(length));
            let taken = evenly_spaced(first, last, count);
            prop_assert_eq!((taken[0], taken[taken.len() - 1]), (first, last));
            prop_assert_eq!(taken.len() as u64, count.min(last - first + 1));
            prop_assert!(taken.windows(2).all(|pair| pair[0] < pair[1]));
        }
    }
}
