use crate::api::{AdminPlayerAnswer, PlayerAnswer, WindowAnswer};
use crate::domain::PlayerId;
use crate::rating::{Window, convergence, k_factor};
use crate::service::replay::projection::{new_player, window, window_ends};
use crate::service::rounds::answer::last_round;
use crate::service::{Pool, Service, ServiceError};
use crate::store::{PlayerRecord, StoreError, Tx};

/// How many of a player's latest rounds an admin is shown.
const LAST_ROUNDS: u32 = 10;

impl Service {
    /// Who a player is in `pool`; somebody unknown is a new player. Writes nothing.
    pub async fn get_player(
        &self,
        pool: &Pool,
        id: PlayerId,
    ) -> Result<PlayerAnswer, ServiceError> {
        let mut tx = self.store.begin_read().await?;
        let player = find(&mut tx, pool, id).await?;
        Ok(self.player_answer(pool, &player))
    }

    /// Everything about a player in `pool`. Writes nothing.
    pub async fn get_player_details(
        &self,
        pool: &Pool,
        id: PlayerId,
    ) -> Result<AdminPlayerAnswer, ServiceError> {
        let mut tx = self.store.begin_read().await?;
        let player = find(&mut tx, pool, id).await?;
        let window = read_window(&mut tx, pool, &player).await?;
        let parameters = &pool.settings.parameters;
        let convergence = convergence(&window, parameters);
        let shown = u64::from(player.rounds.min(LAST_ROUNDS));
        let rounds = tx
            .latest_rounds(pool.id, (id, player.entries), shown)
            .await?;
        let rounds = rounds.iter().filter_map(|round| last_round(round, id));
        Ok(AdminPlayerAnswer {
            player: self.player_answer(pool, &player),
            convergence: convergence.score,
            k: k_factor(player.rating, convergence.score, parameters),
            window: WindowAnswer {
                n: window.length(),
                velocity: convergence.velocity,
                win_rate_excess: convergence.win_rate_excess,
                volatility: convergence.volatility,
            },
            last_rounds: rounds.collect(),
        })
    }

    pub(crate) fn player_answer(&self, pool: &Pool, player: &PlayerRecord) -> PlayerAnswer {
        let parameters = &pool.settings.parameters;
        let stale_before = self.clock.now().days_earlier(parameters.stale_days);
        PlayerAnswer {
            id: player.id,
            pool: pool.name.clone(),
            rating: player.rating,
            visible: player.rounds >= parameters.shadow_rounds,
            rounds: player.rounds,
            stale: player.last_played.is_some_and(|last| last < stale_before),
            last_played: player.last_played,
        }
    }
}

/// The player, or a new one where the pool does not know that id.
pub(crate) async fn find(
    tx: &mut Tx,
    pool: &Pool,
    id: PlayerId,
) -> Result<PlayerRecord, StoreError> {
    let player = tx.player(pool.id, id).await?;
    Ok(player.unwrap_or_else(|| new_player(id, &pool.settings.parameters)))
}

/// The window of `player`, from the totals at its ends.
async fn read_window(
    tx: &mut Tx,
    pool: &Pool,
    player: &PlayerRecord,
) -> Result<Window, StoreError> {
    let ends = window_ends(player, &pool.settings.parameters);
    let numbers = [ends.start, ends.old_end, ends.new_start];
    let numbers = numbers.map(|number| (player.id, number));
    let found = tx.entries(pool.id, &numbers).await?;
    window(player, &pool.settings.parameters, |number| {
        let entry = found.iter().find(|entry| entry.number == number);
        entry.map(|entry| entry.totals)
    })
}
