use std::collections::HashSet;

use super::{PLAYERS, RatingsChange, RunMode, Set, Sets, beginning, made, players};
use crate::domain::{PlayerId, Rating, RatingsName};
use crate::service::audit::Author;
use crate::service::replay::Replay;
use crate::service::replay::load::Stored;
use crate::service::{Pool, Service, ServiceError};
use crate::store::{Change, Changed, StoreError, Tx};

impl Service {
    /// Undoes an import of ratings into `pool`, for all players or none. Each rating returns to its earlier value, plus
    /// all gains and losses from rounds since. Players set or reset since keep their ratings.
    ///
    /// # Errors
    /// Returns [`ServiceError::NoSuchRatings`] if no import has this name, and [`ServiceError::RatingsPruned`]
    /// if rounds after the import are pruned.
    pub async fn undo_ratings(
        &self,
        pool: &Pool,
        name: &RatingsName,
        by: Author,
        run: RunMode,
    ) -> Result<RatingsChange, ServiceError> {
        let (mut tx, locked) = self.begin_ratings(pool, run).await?;
        let (made, is_undone) = made(&mut tx, pool, name).await?;
        let Some((first, _)) = made.first().copied() else {
            return Err(ServiceError::NoSuchRatings {
                name: name.clone(),
                pool: pool.name.clone(),
            });
        };
        if is_undone {
            return self.unchanged(&mut tx, pool).await;
        }
        if first <= locked.pruned {
            return Err(ServiceError::RatingsPruned(name.clone()));
        }
        let last = made.last().map_or(first, |(position, _)| *position);
        let range = pool.settable_ratings();
        let mut sets = Sets {
            beginning: format!("{}undo/", beginning(name)),
            action: "undo_ratings",
            name,
            reason: None,
            by,
            ratings: Vec::new(),
            kept: 0,
        };
        // Share of a change that is left after the later starts of seasons.
        let starts = tx.season_starts(pool.id).await?;
        let later = starts.iter().filter(|start| start.position > last);
        let seasons = later.filter_map(Change::season);
        let kept = seasons.fold(1.0, |kept, season| kept * season.keep.get());
        for some in made.chunks(PLAYERS) {
            let ids: Vec<PlayerId> = some.iter().map(|(_, (id, _))| *id).collect();
            let stored = Stored {
                active: locked.generation,
                written: None,
            };
            let mut before = Replay::open_behind(&mut tx, &locked, first - 1, stored).await?;
            let wanted = ids.iter().copied().collect();
            before.load_players(&mut tx, pool.id, &wanted).await?;
            let later = changed_after(&mut tx, pool, &ids, last).await?;
            let now = players(&mut tx, pool, ids).await?;
            for (_, (id, set)) in some {
                let Some(player) = now.get(id).filter(|_| !later.contains(id)) else {
                    sets.kept += 1;
                    continue;
                };
                let initial = pool.settings.parameters.initial_rating;
                let before = before
                    .engine
                    .known(*id)
                    .map_or(initial, |player| player.rating);
                let brought = f64::from(set.points() - before.points());
                let points = f64::from(player.rating.points()) - kept * brought;
                let rating = Rating::from_rounded(points).clamp(*range.start(), *range.end());
                if rating == player.rating {
                    sets.kept += 1;
                } else {
                    sets.ratings.push(Set {
                        player: player.clone(),
                        is_known: true,
                        rating,
                    });
                }
            }
        }
        self.set_ratings(tx, pool, locked, sets, run).await
    }
}

/// Returns the players among `players` whom an admin changed after position `last` in the pool's log.
async fn changed_after(
    tx: &mut Tx,
    pool: &Pool,
    players: &[PlayerId],
    last: u64,
) -> Result<HashSet<PlayerId>, StoreError> {
    let changes = tx.changes_of_players(pool.id, players).await?;
    Ok(changes
        .into_iter()
        .filter(|change| change.position > last)
        .filter_map(|change| match change.changed {
            Changed::Player(player, _) => Some(player),
            Changed::Undo { player, .. } => player,
            Changed::Round { .. } | Changed::Season(_) => None,
        })
        .collect())
}
