use super::names::Names;
use super::now::{CurrentPlayer, read_current_players};
use super::ranks::{Ranks, has_rank, ranked_at};
use crate::api::{PlayerCardAnswer, PlayersAnswer};
use crate::domain::{PlayerId, ServerName};
use crate::service::seasons::placing::Placing;
use crate::service::{Pool, Service, ServiceError};
use crate::store::{StoreError, Tx};

impl Service {
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
}
