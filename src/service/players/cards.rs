use super::names::Names;
use super::now::{PlayerNow, players_now};
use super::ranks::{Ranks, has_rank, ranked_at};
use crate::api::{PlayerCardAnswer, PlayersAnswer};
use crate::domain::{PlayerId, ServerName};
use crate::service::seasons::placing::Placing;
use crate::service::{Pool, Service, ServiceError};
use crate::store::{StoreError, Tx};

impl Service {
    /// Who `players` are in `pool`, the pool of `server`, in their order; somebody unknown is a new player.
    /// Writes nothing.
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

    /// What a game server shows of `players`, in their order.
    pub(crate) async fn player_cards(
        &self,
        tx: &mut Tx,
        pool: &Pool,
        players: &[PlayerId],
    ) -> Result<Vec<PlayerCardAnswer>, StoreError> {
        let parameters = &pool.settings.parameters;
        let found = players_now(tx, pool, players).await?.players;
        let ranked = ranked_at(self.clock.now(), parameters);
        let names = Names::of(tx, players.to_vec()).await?;
        let placing = Placing::of(tx, pool.id, players).await?;
        // Counting everybody's ranks takes as long as the pool is large, so nobody's are counted in vain.
        let ranks = if found.iter().any(|player| has_rank(&player.record, ranked)) {
            Ranks::of(tx.ranked_ratings(pool.id, ranked).await?)
        } else {
            Ranks::default()
        };
        let card = |PlayerNow { record, .. }: &PlayerNow| {
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
