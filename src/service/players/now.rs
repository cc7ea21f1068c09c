//! Players of a pool as they count now, by the model that the pool is rated by.

use std::collections::HashMap;

use crate::domain::PlayerId;
use crate::rating::{Conditions, PlayerState, PoolModel};
use crate::service::Pool;
use crate::store::{StoreError, Tx};

/// Some players, and their pool's model.
#[derive(Debug)]
pub(crate) struct PlayersNow {
    /// With what it has learnt of the pool.
    pub(crate) model: Box<dyn PoolModel>,
    /// In the order that was asked for; the rating is the one that is shown.
    pub(crate) players: Vec<PlayerNow>,
}

/// What counts for a match besides the ratings, in whole points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BeyondRatings {
    /// What team a is ahead by before anybody plays.
    pub(crate) lean: i64,
    /// What is to be taken from the sum of a team for each player that it has more.
    pub(crate) extra_player: i64,
}

/// The most points that anything but a rating counts.
const MOST: i64 = 100_000;

impl PlayersNow {
    /// What counts besides their ratings where they play under such conditions, by their model. A bot counts its rating
    /// and, as a player that a team has more, what its model takes such a player for.
    pub(crate) fn beyond_ratings(&self, conditions: &Conditions<'_>) -> BeyondRatings {
        self.beyond_ratings_of(self.players.len(), conditions)
    }

    /// The same of so many of them.
    pub(crate) fn beyond_ratings_of(
        &self,
        players: usize,
        conditions: &Conditions<'_>,
    ) -> BeyondRatings {
        let Conditions {
            map,
            bots,
            parameters,
            ..
        } = *conditions;
        let [bots_a, bots_b] = bots.counts().map(i64::from);
        let bots_more = bots_a - bots_b;
        let heads = i64::try_from(players).unwrap_or(MOST) + bots_a + bots_b;
        #[expect(clippy::cast_precision_loss, reason = "a lobby is small")]
        let size = heads.max(1) as f64 / 2.0;
        // Whole points, as all else that is added up.
        #[expect(
            clippy::cast_possible_truncation,
            reason = "some thousand points at most, and a cast ends at the ends of the type"
        )]
        let whole = |points: f64| (points.round_ties_even() as i64).clamp(-MOST, MOST);
        let extra_player = whole(self.model.extra_player(size, parameters));
        let of_bots = if self.model.name().counts_bots() {
            parameters.bots_ahead(bots) - extra_player * bots_more
        } else {
            0
        };
        let lean = whole(self.model.lean(map, parameters)) + of_bots;
        BeyondRatings {
            lean: lean.clamp(-MOST, MOST),
            extra_player,
        }
    }
}

/// A player as he counts now.
#[derive(Clone, Debug)]
pub(crate) struct PlayerNow {
    pub(crate) record: PlayerState,
    /// Whether the pool has ever heard of the player.
    pub(crate) is_known: bool,
}

/// Who `players` are in `pool`; somebody unknown is a new player.
pub(crate) async fn players_now(
    tx: &mut Tx,
    pool: &Pool,
    players: &[PlayerId],
) -> Result<PlayersNow, StoreError> {
    let record = tx.pool(pool.id).await?;
    let model = record.model.resume(&record.model_state)?;
    let found = tx.players(pool.id, players).await?.into_iter();
    let found: HashMap<PlayerId, PlayerState> = found.map(|player| (player.id, player)).collect();
    let parameters = &pool.settings.parameters;
    let players = players.iter().map(|id| {
        let known = found.get(id).cloned();
        let is_known = known.is_some();
        let mut record = known.unwrap_or_else(|| PlayerState::new(*id, parameters));
        record.rating = model.shown(record.profile(), parameters)?;
        Ok(PlayerNow { record, is_known })
    });
    let players = players.collect::<Result<_, StoreError>>()?;
    Ok(PlayersNow { model, players })
}

/// The same of one player.
pub(crate) async fn player_now(
    tx: &mut Tx,
    pool: &Pool,
    player: PlayerId,
) -> Result<(Box<dyn PoolModel>, PlayerState), StoreError> {
    let PlayersNow { model, mut players } = players_now(tx, pool, &[player]).await?;
    let now = players.pop().map(|player| player.record);
    let now = now.unwrap_or_else(|| PlayerState::new(player, &pool.settings.parameters));
    Ok((model, now))
}
