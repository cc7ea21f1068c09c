use crate::domain::{ChangeId, FieldProblem, PlayerId, Rating, Timestamp};
use crate::random;
use crate::service::audit;
use crate::service::audit::{Author, player_figures};
use crate::service::replay::projection::{changed, new_player};
use crate::service::{Pool, Service, ServiceError};
use crate::store::{AuditEntry, Change, ChangeKind, Changed, StoreError};

/// The highest rating that an admin may give.
const MAX_SET_RATING: i64 = 10_000;

/// What an admin wants done to a player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Adjustment {
    /// Who.
    pub player: PlayerId,
    /// What.
    pub kind: ChangeKind,
    /// Why.
    pub reason: Option<String>,
}

/// What an admin says of a change.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChangeNote {
    /// Why it is made.
    pub reason: Option<String>,
    /// Its name, so that it is made once however often it is sent; one is made up where there is none.
    pub change_id: Option<ChangeId>,
}

/// The name that a change was given, or a new one.
pub(crate) fn change_name(given: Option<ChangeId>) -> Result<ChangeId, ServiceError> {
    match given {
        Some(given) => Ok(given),
        None => random::hex::<16>()
            .map_err(ServiceError::internal)?
            .parse()
            .map_err(ServiceError::internal),
    }
}

impl Service {
    /// Gives `player` the rating of `points` in `pool` and leaves everything else as it is.
    ///
    /// # Errors
    /// Points outside the pool's floor to 10,000; a name that was used for another change.
    pub async fn set_rating(
        &self,
        pool: &Pool,
        player: PlayerId,
        points: i64,
        note: ChangeNote,
        by: Author,
    ) -> Result<(), ServiceError> {
        let lowest = pool.settings.parameters.min_rating;
        let rating = i32::try_from(points)
            .ok()
            .and_then(Rating::new)
            .filter(|rating| *rating >= lowest && points <= MAX_SET_RATING)
            .ok_or_else(|| {
                ServiceError::Invalid(vec![FieldProblem::new(
                    "/rating",
                    format!("is {points}; send {lowest} to {MAX_SET_RATING}"),
                )])
            })?;
        self.adjust_now(
            pool,
            Adjustment {
                player,
                kind: ChangeKind::Set(rating),
                reason: note.reason,
            },
            note.change_id,
            by,
        )
        .await
    }

    /// Makes `player` new again in `pool`.
    ///
    /// # Errors
    /// A name that was used for another change.
    pub async fn reset_player(
        &self,
        pool: &Pool,
        player: PlayerId,
        note: ChangeNote,
        by: Author,
    ) -> Result<(), ServiceError> {
        self.adjust_now(
            pool,
            Adjustment {
                player,
                kind: ChangeKind::Reset,
                reason: note.reason,
            },
            note.change_id,
            by,
        )
        .await
    }

    async fn adjust_now(
        &self,
        pool: &Pool,
        adjustment: Adjustment,
        change_id: Option<ChangeId>,
        by: Author,
    ) -> Result<(), ServiceError> {
        let change_id = change_name(change_id)?;
        self.adjust(pool, adjustment, &change_id, self.clock.now(), by)
            .await?;
        Ok(())
    }

    /// Makes a change of the name `change_id`, made `at`; `false` where it had been made before,
    /// and nothing is done.
    ///
    /// # Errors
    /// A name that was used for another change.
    pub async fn adjust(
        &self,
        pool: &Pool,
        adjustment: Adjustment,
        change_id: &ChangeId,
        at: Timestamp,
        by: Author,
    ) -> Result<bool, ServiceError> {
        let mut tx = self.store.begin().await?;
        let mut locked = tx.lock_pool(pool.id).await?;
        let Adjustment {
            player: id,
            kind,
            reason,
        } = adjustment;
        if let Some((made_in, made)) = tx.change(change_id).await? {
            let same = made_in == pool.id && made.changed == Changed::Player(id, kind);
            return if same {
                Ok(false)
            } else {
                Err(ServiceError::ChangeIdTaken(change_id.clone()))
            };
        }
        let parameters = &pool.settings.parameters;
        let before = tx.player(pool.id, id).await?;
        let before = before.unwrap_or_else(|| new_player(id, parameters));
        let after = changed(&before, kind, parameters);
        locked.log_length += 1;
        let change = Change {
            position: locked.log_length,
            change_id: change_id.clone(),
            changed: Changed::Player(id, kind),
            reason: reason.clone(),
            made_at: at,
            settings: pool.settings_id,
        };
        let action = match kind {
            ChangeKind::Set(_) => "set",
            ChangeKind::Reset => "reset",
        };
        let figures = (player_figures(&before), player_figures(&after));
        let audited = AuditEntry {
            player: Some(id),
            reason,
            ..audit::entry((action, change_id.as_str()), by, at, pool.id, figures)
        };
        tx.insert_change(pool.id, &change)
            .await
            .map_err(|error| match error {
                // Made in another pool meanwhile.
                StoreError::Duplicate(_) => ServiceError::ChangeIdTaken(change_id.clone()),
                error => error.into(),
            })?;
        tx.insert_audit(&audited).await?;
        tx.save_players(locked.projection, &[after]).await?;
        tx.save_pool(&locked).await?;
        tx.commit().await?;
        Ok(true)
    }
}
