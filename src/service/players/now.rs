//! Present state of a pool's players, by the pool's rating model.

use std::collections::HashMap;

use crate::domain::{Handicap, PlayerId, Probability, Side};
use crate::rating::{Conditions, LineupMember, PlayerState, PoolModel};
use crate::service::Pool;
use crate::store::{StoreError, Tx};

#[derive(Debug)]
pub(crate) struct CurrentPlayers {
    /// Rating model of the pool, with its learnt state.
    pub(crate) model: Box<dyn PoolModel>,
    /// Players in the order of the request, with the ratings to show.
    pub(crate) players: Vec<CurrentPlayer>,
}

/// Limit of each part of a handicap (a team's advantage from side, map, bots or sizes), in rating points.
const MAX: i64 = 100_000;

impl CurrentPlayers {
    /// Returns the probability that team a wins, by the pool's model. Skips ids of players who were not read.
    pub(crate) fn odds(
        &self,
        teams: [impl Iterator<Item = PlayerId>; 2],
        conditions: &Conditions<'_>,
    ) -> Result<Probability, StoreError> {
        let lineup: Vec<LineupMember> = [Side::A, Side::B]
            .into_iter()
            .zip(teams)
            .flat_map(|(side, team)| team.map(move |id| (side, id)))
            .filter_map(|(side, id)| {
                let player = self.players.iter().find(|player| player.record.id == id)?;
                Some(player.record.member(side))
            })
            .collect();
        Ok(self.model.predict(&lineup, conditions)?)
    }

    /// Returns the handicap of a match of `players` players: the whole points by which side, map, bots and sizes favour
    /// a team, by the pool's model. A bot counts its rating, minus the model's points for an extra player.
    pub(crate) fn handicap(&self, players: usize, conditions: &Conditions<'_>) -> Handicap {
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
        // All other summands are whole points, too.
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

#[derive(Clone, Debug)]
pub(crate) struct CurrentPlayer {
    pub(crate) record: PlayerState,
    /// `true` if the pool's database rows include the player; `false` for a new player.
    pub(crate) is_known: bool,
}

/// Returns the present state of `players` in `pool`. Unknown players look like new ones.
pub(crate) async fn read_current_players(
    tx: &mut Tx,
    pool: &Pool,
    players: &[PlayerId],
) -> Result<CurrentPlayers, StoreError> {
    let record = tx.pool(pool.id).await?;
    let model = record.model.resume(&record.model_state)?;
    let stored = tx.players(pool.id, players).await?.into_iter();
    let found: HashMap<PlayerId, PlayerState> = stored.map(|player| (player.id, player)).collect();
    let parameters = &pool.settings.parameters;
    let players = players.iter().map(|id| {
        let known = found.get(id).cloned();
        let is_known = known.is_some();
        let mut record = known.unwrap_or_else(|| PlayerState::new(*id, parameters));
        record.rating = model.shown(record.profile(), parameters)?;
        Ok(CurrentPlayer { record, is_known })
    });
    let players = players.collect::<Result<_, StoreError>>()?;
    Ok(CurrentPlayers { model, players })
}

/// Returns the pool's model and the present state of one player, like [`read_current_players`].
pub(crate) async fn player_now(
    tx: &mut Tx,
    pool: &Pool,
    player: PlayerId,
) -> Result<(Box<dyn PoolModel>, PlayerState), StoreError> {
    let CurrentPlayers { model, mut players } = read_current_players(tx, pool, &[player]).await?;
    let now = players.pop().map(|player| player.record);
    let now = now.unwrap_or_else(|| PlayerState::new(player, &pool.settings.parameters));
    Ok((model, now))
}
