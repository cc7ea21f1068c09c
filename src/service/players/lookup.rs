use super::names::Names;
use super::now::player_now;
use super::undo::last_change;
use crate::api::{AdminPlayerAnswer, PlayerAnswer, WindowAnswer};
use crate::domain::PlayerId;
use crate::rating::{PlayerState, PoolModel, Window, convergence};
use crate::service::rounds::answer::last_round;
use crate::service::seasons::placing::Placing;
use crate::service::{Pool, Service, ServiceError};
use crate::store::{StoreError, Tx};

const LAST_ROUNDS: u32 = 10;

impl Service {
    /// Returns a player of `pool`. Unknown players look like new ones. Writes nothing.
    pub async fn get_player(
        &self,
        pool: &Pool,
        id: PlayerId,
    ) -> Result<PlayerAnswer, ServiceError> {
        let mut tx = self.store.begin_read().await?;
        let (model, player) = player_now(&mut tx, pool, id).await?;
        let names = Names::of(&mut tx, vec![id]).await?;
        let placing = Placing::of(&mut tx, pool.id, &[id]).await?;
        self.player_answer(pool, (&*model, &player), &names, &placing)
    }

    /// Returns all data about a player in `pool`. Writes nothing.
    pub async fn get_player_details(
        &self,
        pool: &Pool,
        id: PlayerId,
    ) -> Result<AdminPlayerAnswer, ServiceError> {
        let mut tx = self.store.begin_read().await?;
        let (model, player) = player_now(&mut tx, pool, id).await?;
        let window = read_window(&mut tx, pool, &player).await?;
        let parameters = &pool.settings.parameters;
        let convergence = convergence(&window, parameters);
        let shown = u64::from(player.rounds.min(LAST_ROUNDS));
        let rounds = tx
            .latest_rounds(pool.id, (id, player.entries), shown)
            .await?;
        let rounds = rounds.iter().filter_map(|round| last_round(round, id));
        let names = Names::of(&mut tx, vec![id]).await?;
        let placing = Placing::of(&mut tx, pool.id, &[id]).await?;
        Ok(AdminPlayerAnswer {
            player: self.player_answer(pool, (&*model, &player), &names, &placing)?,
            alias: names.alias(id),
            forgotten: names.is_forgotten(id),
            id_hidden: names.hides_id(id),
            convergence: convergence.score,
            k: model
                .k_factor(player.profile(), convergence.score, parameters)
                .map_err(StoreError::from)?,
            window: WindowAnswer {
                n: window.length(),
                velocity: convergence.velocity,
                win_rate_excess: convergence.win_rate_excess,
                volatility: convergence.volatility,
            },
            last_rounds: rounds.collect(),
            last_change: last_change(&mut tx, pool.id, id).await?,
        })
    }

    pub(super) fn player_answer(
        &self,
        pool: &Pool,
        (model, player): (&dyn PoolModel, &PlayerState),
        names: &Names,
        placing: &Placing,
    ) -> Result<PlayerAnswer, ServiceError> {
        let parameters = &pool.settings.parameters;
        let uncertainty = model.uncertainty(player.profile(), parameters);
        let stale_before = self.clock.now().days_earlier(parameters.stale_days);
        Ok(PlayerAnswer {
            id: player.id,
            name: names.of_player(player.id),
            pool: pool.name.clone(),
            rating: player.rating,
            uncertainty: uncertainty.map_err(StoreError::from)?,
            visible: player.rounds >= parameters.shadow_rounds,
            rounds: player.rounds,
            placing_rounds: placing.rounds_left(player),
            stale: player.last_played.is_some_and(|last| last < stale_before),
            last_played: player.last_played,
        })
    }
}

/// Reads the window (latest rounds) of `player`, as the difference of the stored totals at its ends.
async fn read_window(tx: &mut Tx, pool: &Pool, player: &PlayerState) -> Result<Window, StoreError> {
    let ends = player.window_ends(&pool.settings.parameters);
    let numbers = [ends.start, ends.old_end, ends.new_start];
    let numbers = numbers.map(|number| (player.id, number));
    let found = tx.entries(pool.id, &numbers).await?;
    Ok(player.window(&pool.settings.parameters, |number| {
        let entry = found.iter().find(|entry| entry.number == number);
        entry.map(|entry| entry.totals)
    })?)
}
