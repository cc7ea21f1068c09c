use std::collections::HashMap;

use super::names::Names;
use super::now::{CurrentPlayer, player_now, read_current_players};
use super::ranks::{Ranks, has_rank, ranked_at};
use super::undo::last_change;
use crate::api::{AdminPlayerAnswer, PlayerAnswer, PlayerCardAnswer, PlayersAnswer, WindowAnswer};
use crate::domain::{GameWindow, PastGame, PlayerId, ServerName};
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
        let latest = tx
            .latest_rounds(pool.id, (id, player.entries), shown)
            .await?;
        let rounds = latest.iter().filter_map(|round| last_round(round, id));
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

    /// Returns the figures (rating, rank, rounds) that a game server shows of `players`, in the given order. `pool` is
    /// the pool of `server`. Unknown players look like new ones. Writes nothing.
    pub async fn get_players(
        &self,
        pool: &Pool,
        server: ServerName,
        players: &[PlayerId],
    ) -> Result<PlayersAnswer, ServiceError> {
        let mut tx = self.store.begin_read().await?;
        Ok(PlayersAnswer {
            server,
            pool: pool.name.clone(),
            players: self.player_cards(&mut tx, pool, players).await?,
        })
    }

    /// Returns the rating, rank and rounds that a game server shows of `players`, in the given order.
    pub(crate) async fn player_cards(
        &self,
        tx: &mut Tx,
        pool: &Pool,
        players: &[PlayerId],
    ) -> Result<Vec<PlayerCardAnswer>, StoreError> {
        let parameters = &pool.settings.parameters;
        let found = read_current_players(tx, pool, players).await?.players;
        let ranked = ranked_at(self.clock.now(), parameters);
        let names = Names::of(tx, players.to_vec()).await?;
        let placing = Placing::of(tx, pool.id, players).await?;
        // Counting ranks reads all ranked players of the pool, so the count is skipped if none of these players has a
        // rank.
        let ranks = if found.iter().any(|player| has_rank(&player.record, ranked)) {
            Ranks::of(tx.ranked_ratings(pool.id, ranked).await?)
        } else {
            Ranks::default()
        };
        let card = |CurrentPlayer { record, .. }: &CurrentPlayer| {
            let better = has_rank(record, ranked).then(|| ranks.better(record.rating));
            let division =
                better.and_then(|better| pool.settings.leaderboard.division(better, ranks.count()));
            PlayerCardAnswer {
                id: record.id,
                name: names.of_player(record.id),
                rating: record.rating,
                visible: record.rounds >= parameters.shadow_rounds,
                rounds: record.rounds,
                rounds_until_visible: parameters.shadow_rounds.saturating_sub(record.rounds),
                placing_rounds: placing.rounds_left(record),
                rank: better.map(|better| better + 1),
                division: division.map(str::to_owned),
            }
        };
        Ok(found.iter().map(card).collect())
    }

    /// Returns the last games (counted rounds) of each of `players` within `window`, latest end first. Players without
    /// games are left out.
    pub async fn past_games(
        &self,
        pool: &Pool,
        players: &[PlayerId],
        window: GameWindow,
    ) -> Result<HashMap<PlayerId, Vec<PastGame>>, ServiceError> {
        let mut tx = self.store.begin_read().await?;
        Ok(tx.past_games(pool.id, players, window).await?)
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
    let numbers = [ends.start, ends.old_end, ends.new_start].map(|number| (player.id, number));
    let found = tx.entries(pool.id, &numbers).await?;
    Ok(player.window(&pool.settings.parameters, |number| {
        let entry = found.iter().find(|entry| entry.number == number);
        entry.map(|entry| entry.totals)
    })?)
}
