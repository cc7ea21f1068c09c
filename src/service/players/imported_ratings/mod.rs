//! Imported ratings: ratings of many players, set under one name, and undone as one change.

mod undo;

use std::collections::{BTreeMap, HashMap};

use serde_json::json;

use crate::domain::{ChangeId, PlayerId, Rating, RatingsName};
use crate::rating::{ChangeKind, PlayerState, RatingCount, mean, number};
use crate::service::audit::{self, Author};
use crate::service::replay::lease::{begin, with_batch_timeout};
use crate::service::{Pool, Service, ServiceError};
use crate::store::{Change, Changed, PoolRecord, StoreError, Tx};

const PLAYERS: usize = 1_000;

/// Ratings to import for the players of a pool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RatingsImport {
    /// Permanent name of an import of ratings. The name prevents a second import of the same ratings, and serves to
    /// undo them.
    pub name: RatingsName,
    /// Players with the ratings to import for them, in points, each player at most once.
    pub ratings: Vec<(PlayerId, Rating)>,
    /// Reason for the import of ratings, for the audit log.
    pub reason: Option<String>,
    /// `true` if the import also overwrites the ratings of players who have rated rounds in the pool.
    pub over_rounds: bool,
}

/// Effect of an import of ratings on the players of a pool: actual, or expected by a dry run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RatingsChange {
    /// `true` if ratings were imported before under the same name, so that nothing changed now.
    pub was_made: bool,
    /// Number of players whose rating the import changes.
    pub changed: u64,
    /// Number of players of the import whose rating stays unchanged.
    pub kept: u64,
    /// Number of the pool's players per rating before the import, ratings ascending.
    pub before: Vec<RatingCount>,
    /// Number of the pool's players per rating after the import, ratings ascending.
    pub after: Vec<RatingCount>,
}

/// Choice between writing imported ratings (or the undo of an import) to the database, and only computing the effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunMode {
    /// Writes the changed ratings to the database.
    Apply,
    /// Computes how ratings would change, without writing to the database.
    DryRun,
}

struct Set {
    player: PlayerState,
    is_known: bool,
    rating: Rating,
}

struct Sets<'sets> {
    beginning: String,
    action: &'static str,
    name: &'sets RatingsName,
    reason: Option<&'sets str>,
    by: Author,
    ratings: Vec<Set>,
    kept: u64,
}

impl Service {
    /// Imports ratings for players of `pool`, all of them or none.
    ///
    /// # Errors
    /// Returns an error if a rating lies outside the range that admins can set, or if the name belongs to other
    /// ratings.
    pub async fn import_ratings(
        &self,
        pool: &Pool,
        brought: &RatingsImport,
        by: Author,
        run: RunMode,
    ) -> Result<RatingsChange, ServiceError> {
        let range = pool.settable_ratings();
        let outside = brought
            .ratings
            .iter()
            .find(|(_, rating)| !range.contains(rating));
        if let Some((id, rating)) = outside {
            let (lowest, highest) = (range.start(), range.end());
            let detail = format!("of {id} is {rating}; give a rating from {lowest} to {highest}");
            return Err(ServiceError::invalid("/rating", detail));
        }
        let (mut tx, locked) = self.begin_ratings(pool, run).await?;
        let (made, _) = made(&mut tx, pool, &brought.name).await?;
        let mut sets = Sets {
            beginning: beginning(&brought.name),
            action: "import_ratings",
            name: &brought.name,
            reason: brought.reason.as_deref(),
            by,
            ratings: Vec::new(),
            kept: 0,
        };
        if !made.is_empty() {
            let brought_ratings: HashMap<PlayerId, Rating> =
                brought.ratings.iter().copied().collect();
            let is_brought =
                |(id, rating): (PlayerId, Rating)| brought_ratings.get(&id) == Some(&rating);
            if !made.iter().all(|(_, set)| is_brought(*set)) {
                return Err(taken(&brought.name));
            }
            return self.unchanged(&mut tx, pool).await;
        }
        for some in brought.ratings.chunks(PLAYERS) {
            let known = players(&mut tx, pool, some.iter().map(|(id, _)| *id)).await?;
            for (id, rating) in some {
                match known.get(id) {
                    Some(player)
                        if player.rating == *rating
                            || (player.rounds > 0 && !brought.over_rounds) =>
                    {
                        sets.kept += 1;
                    }
                    known => {
                        let new = || PlayerState::new(*id, &pool.settings.parameters);
                        sets.ratings.push(Set {
                            player: known.cloned().unwrap_or_else(new),
                            is_known: known.is_some(),
                            rating: *rating,
                        });
                    }
                }
            }
        }
        self.set_ratings(tx, pool, locked, sets, run).await
    }

    async fn begin_ratings(
        &self,
        pool: &Pool,
        run: RunMode,
    ) -> Result<(Tx, PoolRecord), ServiceError> {
        let store = with_batch_timeout(&self.store);
        let mut tx = match run {
            RunMode::Apply => begin(&store).await?,
            RunMode::DryRun => store.begin_read().await?,
        };
        let record = match run {
            RunMode::Apply => tx.lock_pool(pool.id).await?,
            RunMode::DryRun => tx.pool(pool.id).await?,
        };
        Ok((tx, record))
    }

    async fn unchanged(&self, tx: &mut Tx, pool: &Pool) -> Result<RatingsChange, ServiceError> {
        let shadow_rounds = pool.settings.parameters.shadow_rounds;
        let counts = tx.rating_counts(pool.id, shadow_rounds).await?;
        Ok(RatingsChange {
            was_made: true,
            changed: 0,
            kept: 0,
            before: counts.clone(),
            after: counts,
        })
    }

    async fn set_ratings(
        &self,
        mut tx: Tx,
        pool: &Pool,
        mut locked: PoolRecord,
        sets: Sets<'_>,
        run: RunMode,
    ) -> Result<RatingsChange, ServiceError> {
        let parameters = &pool.settings.parameters;
        let before = tx.rating_counts(pool.id, parameters.shadow_rounds).await?;
        let after = counted(&before, &sets.ratings, parameters.shadow_rounds);
        let change = RatingsChange {
            was_made: false,
            changed: sets.ratings.len() as u64,
            kept: sets.kept,
            before,
            after,
        };
        if run == RunMode::DryRun || sets.ratings.is_empty() {
            return Ok(change);
        }
        let at = self.clock.now();
        let model = locked
            .model
            .resume(&locked.model_state)
            .map_err(StoreError::from)?;
        for some in sets.ratings.chunks(PLAYERS) {
            let mut changes = Vec::with_capacity(some.len());
            let mut players = Vec::with_capacity(some.len());
            for Set { player, rating, .. } in some {
                let kind = ChangeKind::Set(*rating);
                locked.log_length += 1;
                let named = format!("{}{}", sets.beginning, player.id);
                changes.push(Change {
                    position: locked.log_length,
                    change_id: named.parse().map_err(ServiceError::internal)?,
                    changed: Changed::Player(player.id, kind),
                    reason: sets.reason.map(str::to_owned),
                    made_at: at,
                    settings: pool.settings_id,
                });
                players.push(
                    player
                        .changed(&*model, kind, parameters)
                        .map_err(StoreError::from)?,
                );
            }
            let inserted = tx.insert_changes(pool.id, &changes).await;
            inserted.map_err(|error| match error {
                // The duplicate belongs to another pool.
                StoreError::Duplicate(_) => taken(sets.name),
                error => error.into(),
            })?;
            tx.save_players(pool.id, None, &players).await?;
        }
        let figures = (
            json!({"mean_rating": mean_rating(&change.before)}).to_string(),
            json!({
                "mean_rating": mean_rating(&change.after),
                "changed_ratings": change.changed,
                "name": sets.name,
            })
            .to_string(),
        );
        let id = sets.beginning.trim_end_matches('/');
        let mut audited = audit::entry((sets.action, id), sets.by, at, pool.id, figures);
        audited.reason = sets.reason.map(str::to_owned);
        tx.insert_audit(&audited).await?;
        tx.save_pool(&locked).await?;
        tx.commit().await?;
        Ok(change)
    }
}

/// Returns the prefix of the change ids of all ratings that the import `name` sets.
fn beginning(name: &RatingsName) -> String {
    format!("{name}/")
}

/// Position in the pool's log, with the player and the rating that the import set at this position.
type SetRating = (u64, (PlayerId, Rating));

/// Returns the ratings imported into the pool under `name`, in log order, and `true` if the import was undone.
async fn made(
    tx: &mut Tx,
    pool: &Pool,
    name: &RatingsName,
) -> Result<(Vec<SetRating>, bool), StoreError> {
    let beginning = beginning(name);
    let named = tx.changes_named(pool.id, &beginning).await?;
    let undo = format!("{beginning}undo/");
    let (undone, made): (Vec<Change>, Vec<Change>) = named
        .into_iter()
        .partition(|change| change.change_id.as_str().starts_with(&undo));
    let made = made.into_iter().filter_map(|change| match change.changed {
        Changed::Player(player, ChangeKind::Set(rating)) => {
            Some((change.position, (player, rating)))
        }
        _ => None,
    });
    Ok((made.collect(), !undone.is_empty()))
}

fn taken(name: &RatingsName) -> ServiceError {
    let name: Result<ChangeId, _> = name.as_str().parse();
    name.map_or_else(ServiceError::internal, ServiceError::ChangeIdTaken)
}

async fn players(
    tx: &mut Tx,
    pool: &Pool,
    ids: impl IntoIterator<Item = PlayerId>,
) -> Result<HashMap<PlayerId, PlayerState>, StoreError> {
    let ids: Vec<PlayerId> = ids.into_iter().collect();
    let players = tx.players(pool.id, &ids).await?.into_iter();
    Ok(players.map(|player| (player.id, player)).collect())
}

/// Returns the number of players per rating after the import of the ratings `sets`, ratings ascending.
fn counted(before: &[RatingCount], sets: &[Set], shadow_rounds: u32) -> Vec<RatingCount> {
    let mut counts: BTreeMap<Rating, RatingCount> =
        before.iter().map(|count| (count.rating, *count)).collect();
    for Set {
        player,
        is_known,
        rating,
    } in sets
    {
        let is_hidden = u64::from(player.rounds < shadow_rounds);
        if *is_known && let Some(count) = counts.get_mut(&player.rating) {
            count.players = count.players.saturating_sub(1);
            count.hidden = count.hidden.saturating_sub(is_hidden);
        }
        let none = RatingCount {
            rating: *rating,
            players: 0,
            hidden: 0,
        };
        let count = counts.entry(*rating).or_insert(none);
        count.players += 1;
        count.hidden += is_hidden;
    }
    counts
        .into_values()
        .filter(|count| count.players > 0)
        .collect()
}

fn mean_rating(counts: &[RatingCount]) -> Option<f64> {
    let players = counts.iter().map(|count| count.players).sum();
    let points = |count: &RatingCount| number(count.players) * f64::from(count.rating.points());
    mean(counts.iter().map(points).sum(), players)
}
