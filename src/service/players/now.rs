//! Players of a pool as they count now, by the model that the pool is rated by.

use std::collections::HashMap;

use crate::domain::{PlayerId, Probability, Side};
use crate::partition::Handicap;
use crate::rating::{Conditions, Participant, PlayerState, PoolModel};
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

/// The most points that anything but a rating counts.
const MAX: i64 = 100_000;

impl PlayersNow {
    /// Returns the probability that team a wins, by the pool's model. Ids that are not among these players are passed over.
    pub(crate) fn odds(
        &self,
        teams: [impl Iterator<Item = PlayerId>; 2],
        conditions: &Conditions<'_>,
    ) -> Result<Probability, StoreError> {
        let participants: Vec<Participant> = [Side::A, Side::B]
            .into_iter()
            .zip(teams)
            .flat_map(|(side, team)| team.map(move |id| (side, id)))
            .filter_map(|(side, id)| {
                let player = self.players.iter().find(|player| player.record.id == id)?;
                Some(player.record.participant(side))
            })
            .collect();
        Ok(self.model.predict(&participants, conditions)?)
    }

    /// Returns the handicap of a match of these players under `conditions`, by the pool's model, in whole points. A bot counts
    /// its rating and, as an extra player, what the model takes off for one.
    pub(crate) fn handicap(&self, conditions: &Conditions<'_>) -> Handicap {
        self.handicap_of(self.players.len(), conditions)
    }

    /// The same of so many of them.
    pub(crate) fn handicap_of(&self, players: usize, conditions: &Conditions<'_>) -> Handicap {
        let Conditions {
            map,
            bots,
            parameters,
            ..
        } = *conditions;
        let [bots_a, bots_b] = bots.counts().map(i64::from);
        let bots_more = bots_a - bots_b;
        let heads = i64::try_from(players).unwrap_or(MAX) + bots_a + bots_b;
        #[expect(clippy::cast_precision_loss, reason = "a lobby is small")]
        let size = heads.max(1) as f64 / 2.0;
        // Whole points, as all else that is added up.
        #[expect(
            clippy::cast_possible_truncation,
            reason = "some thousand points at most, and a cast ends at the ends of the type"
        )]
        let whole = |points: f64| (points.round_ties_even() as i64).clamp(-MAX, MAX);
        let extra_player = whole(self.model.extra_player(size, parameters));
        let of_bots = if self.model.name().counts_bots() {
            parameters.bots_ahead(bots) - extra_player * bots_more
        } else {
            0
        };
        let lean = whole(self.model.lean(map, parameters)) + of_bots;
        Handicap {
            lean: lean.clamp(-MAX, MAX),
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
