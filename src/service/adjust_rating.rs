use super::{Pool, Service, ServiceError};
use crate::domain::{FieldProblem, PlayerId, Rating, Timestamp};
use crate::random;
use crate::store::{Change, ChangeKind, PlayerRecord};

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

impl Service {
    /// Gives `player` the rating of `points` in `pool` and leaves everything else as it is.
    ///
    /// # Errors
    /// Points outside the pool's floor to 10,000; the database's.
    pub async fn set_rating(
        &self,
        pool: &Pool,
        player: PlayerId,
        points: i64,
        reason: Option<String>,
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
                reason,
            },
        )
        .await
    }

    /// Makes `player` new again in `pool`.
    ///
    /// # Errors
    /// The database's.
    pub async fn reset_player(
        &self,
        pool: &Pool,
        player: PlayerId,
        reason: Option<String>,
    ) -> Result<(), ServiceError> {
        self.adjust_now(
            pool,
            Adjustment {
                player,
                kind: ChangeKind::Reset,
                reason,
            },
        )
        .await
    }

    async fn adjust_now(&self, pool: &Pool, adjustment: Adjustment) -> Result<(), ServiceError> {
        let change_id = random::hex::<16>().map_err(ServiceError::internal)?;
        self.adjust(pool, adjustment, &change_id, self.clock.now())
            .await?;
        Ok(())
    }

    /// Makes a change of the name `change_id`, made `at`; `false` where it had been made before,
    /// and nothing is done.
    ///
    /// # Errors
    /// A name that was used for another change; the database's.
    pub async fn adjust(
        &self,
        pool: &Pool,
        adjustment: Adjustment,
        change_id: &str,
        at: Timestamp,
    ) -> Result<bool, ServiceError> {
        let mut tx = self.store.begin().await?;
        let mut locked = tx.lock_pool(pool.id).await?;
        let Adjustment {
            player: id,
            kind,
            reason,
        } = adjustment;
        if let Some((made_in, made)) = tx.change(change_id).await? {
            let same = made_in == pool.id && (made.player, made.kind) == (id, kind);
            return if same {
                Ok(false)
            } else {
                Err(ServiceError::ChangeIdTaken(change_id.to_owned()))
            };
        }
        let before = tx.player(pool.id, id).await?;
        let before = before.unwrap_or_else(|| pool.new_player(id));
        let after = match kind {
            ChangeKind::Set(rating) => PlayerRecord {
                rating,
                ..before.clone()
            },
            // The entries stay, as history; none of them counts into the window any more.
            ChangeKind::Reset => PlayerRecord {
                entries: before.entries,
                totals: before.totals,
                ..pool.new_player(id)
            },
        };
        locked.log_length += 1;
        let change = Change {
            position: locked.log_length,
            change_id: change_id.to_owned(),
            player: id,
            kind,
            reason,
            made_at: at,
            rating_before: before.rating,
            rounds_before: before.rounds,
        };
        tx.insert_change(pool.id, &change).await?;
        tx.save_players(pool.id, &[after]).await?;
        tx.save_pool(&locked).await?;
        tx.commit().await?;
        Ok(true)
    }
}
