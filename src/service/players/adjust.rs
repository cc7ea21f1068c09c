use std::ops::RangeInclusive;

use super::now::player_now;
use crate::api::{AdminPlayerAnswer, ChangeLine, ChangeName};
use crate::domain::{ChangeId, PlayerId, Rating};
use crate::random;
use crate::rating::ChangeKind;
use crate::service::audit::{self, Author, player_figures};
use crate::service::notices::notify_of_rating;
use crate::service::{Pool, Service, ServiceError};
use crate::store::{AuditEntry, Change, Changed, PoolId, StoreError, Tx};

/// Highest rating that an admin can set, in points.
const MAX_SET_RATING: i32 = 10_000;

/// Note of an admin about a change of a player, a round or a season.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChangeNote {
    /// Reason for the admin's change, for the audit log.
    pub reason: Option<String>,
    /// Id of the admin's change. Repeated requests with the same id make the change once. Generated if missing.
    pub change_id: Option<ChangeId>,
}

pub(crate) fn change_name(given: Option<ChangeId>) -> Result<ChangeId, ServiceError> {
    if let Some(given) = given {
        return Ok(given);
    }
    let made_up = random::hex::<16>().map_err(ServiceError::internal)?;
    made_up.parse().map_err(ServiceError::internal)
}

/// Returns `true` if the admin's change `change` was made in `pool` before, under the change id `name`.
///
/// # Errors
/// Returns [`ServiceError::ChangeIdTaken`] if the change id belongs to another change.
pub(crate) async fn was_made(
    tx: &mut Tx,
    pool: PoolId,
    name: &ChangeId,
    change: &Changed,
) -> Result<bool, ServiceError> {
    match tx.change(name).await? {
        None => Ok(false),
        Some((made_in, made)) if made_in == pool && made.changed == *change => Ok(true),
        Some(_) => Err(ServiceError::ChangeIdTaken(name.clone())),
    }
}

impl Pool {
    /// Returns the range of ratings that an admin can set in the pool.
    #[must_use]
    pub fn settable_ratings(&self) -> RangeInclusive<Rating> {
        self.settings.parameters.min_rating..=Rating::from_rounded(MAX_SET_RATING.into())
    }
}

impl Service {
    /// Sets the rating of a player in `pool`, changes nothing else, and returns the changed player.
    ///
    /// # Errors
    /// Returns an error if `points` is below the pool's minimum rating or above 10,000, or if the change id belongs to
    /// another change.
    pub async fn set_rating(
        &self,
        pool: &Pool,
        id: PlayerId,
        points: i64,
        note: ChangeNote,
        by: Author,
    ) -> Result<AdminPlayerAnswer, ServiceError> {
        let range = pool.settable_ratings();
        let rating = i32::try_from(points)
            .ok()
            .and_then(Rating::new)
            .filter(|rating| range.contains(rating))
            .ok_or_else(|| {
                let detail = format!(
                    "is {points}; send a number from {} to {}",
                    range.start(),
                    range.end()
                );
                ServiceError::invalid("/rating", detail)
            })?;
        self.change_now(pool, id, Some(rating), note, by).await
    }

    /// Resets a player to a new player in `pool`, and returns the changed player.
    pub async fn reset_player(
        &self,
        pool: &Pool,
        id: PlayerId,
        note: ChangeNote,
        by: Author,
    ) -> Result<AdminPlayerAnswer, ServiceError> {
        self.change_now(pool, id, None, note, by).await
    }

    async fn change_now(
        &self,
        pool: &Pool,
        id: PlayerId,
        rating: Option<Rating>,
        note: ChangeNote,
        by: Author,
    ) -> Result<AdminPlayerAnswer, ServiceError> {
        let line = ChangeLine {
            change: rating.map_or(ChangeName::Reset, |_| ChangeName::Set),
            change_id: change_name(note.change_id)?,
            pool: pool.name.clone(),
            id,
            rating,
            reason: note.reason,
            at: self.clock.now(),
        };
        self.apply_change(pool, line, by).await?;
        self.get_player_details(pool, id).await
    }

    /// Applies an admin's change of a player from a line of an exported log. Returns `false` if it was made before.
    ///
    /// # Errors
    /// Returns [`ServiceError::ChangeIdTaken`] if the change id belongs to another change.
    pub async fn apply_change(
        &self,
        pool: &Pool,
        line: ChangeLine,
        by: Author,
    ) -> Result<bool, ServiceError> {
        let ChangeLine { id, rating, at, .. } = line;
        let kind = rating.map_or(ChangeKind::Reset, ChangeKind::Set);
        let changing = Changed::Player(id, kind);
        let mut tx = self.store.begin().await?;
        let mut locked = tx.lock_pool(pool.id).await?;
        if was_made(&mut tx, pool.id, &line.change_id, &changing).await? {
            return Ok(false);
        }
        let (model, before) = player_now(&mut tx, pool, id).await?;
        let after = before
            .changed(&*model, kind, &pool.settings.parameters)
            .map_err(StoreError::from)?;
        let action = match kind {
            ChangeKind::Set(_) => "set",
            ChangeKind::Reset => "reset",
        };
        let figures = (player_figures(&before), player_figures(&after));
        let audited = AuditEntry {
            player: Some(id),
            reason: line.reason.clone(),
            ..audit::entry((action, line.change_id.as_str()), by, at, pool.id, figures)
        };
        locked.log_length += 1;
        let change = Change {
            position: locked.log_length,
            change_id: line.change_id,
            changed: changing,
            reason: line.reason,
            made_at: at,
            settings: pool.settings_id,
        };
        let inserted = tx.insert_change(pool.id, &change).await;
        inserted.map_err(|error| match error {
            // Another pool made a change with this id in the meantime.
            StoreError::Duplicate(_) => ServiceError::ChangeIdTaken(change.change_id),
            error => error.into(),
        })?;
        tx.insert_audit(&audited).await?;
        let moments = (at, self.clock.now());
        notify_of_rating(&mut tx, pool, &before, after.rating, moments).await?;
        tx.save_players(pool.id, None, &[after]).await?;
        tx.save_pool(&locked).await?;
        tx.commit().await?;
        Ok(true)
    }
}
