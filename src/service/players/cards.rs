use std::collections::BTreeMap;

use crate::api::{PlayerCardAnswer, PlayersAnswer};
use crate::domain::{PlayerId, Rating, ServerName};
use crate::service::players::now::{PlayerNow, players_now};
use crate::service::{Pool, Service, ServiceError};
use crate::store::{PlayerRecord, Ranked, StoreError, Tx};

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
        let ranked = Ranked {
            shadow_rounds: parameters.shadow_rounds,
            stale_before: self.clock.now().days_earlier(parameters.stale_days),
        };
        // Counting everybody's ranks takes as long as the pool is large, so nobody's are counted in vain.
        let ranks = if found.iter().any(|player| has_rank(&player.record, ranked)) {
            Ranks::of(tx.ranked_ratings(pool.id, ranked).await?)
        } else {
            Ranks::default()
        };
        let card = |PlayerNow { record, .. }: &PlayerNow| {
            let better = ranks.better.get(&record.rating).copied();
            let better = better.filter(|_| has_rank(record, ranked));
            let division =
                better.and_then(|better| pool.settings.leaderboard.division(better, ranks.count));
            PlayerCardAnswer {
                id: record.id,
                rating: record.rating,
                visible: record.rounds >= parameters.shadow_rounds,
                rounds: record.rounds,
                rounds_until_visible: parameters.shadow_rounds.saturating_sub(record.rounds),
                rank: better.map(|better| better + 1),
                division: division.map(str::to_owned),
            }
        };
        Ok(found.iter().map(card).collect())
    }
}

/// Whether the player has a rank: the rating is shown, and the last round was not too long ago.
fn has_rank(player: &PlayerRecord, ranked: Ranked) -> bool {
    let is_visible = player.rounds >= ranked.shadow_rounds;
    is_visible
        && player
            .last_played
            .is_some_and(|last| last >= ranked.stale_before)
}

/// The players of a pool who have a rank.
#[derive(Debug, Default)]
struct Ranks {
    count: u64,
    /// How many are rated higher than each rating that somebody has.
    better: BTreeMap<Rating, u64>,
}

impl Ranks {
    /// The ranks where so many players have each rating, ratings descending.
    fn of(ratings: Vec<(Rating, u64)>) -> Self {
        let mut ranks = Self::default();
        for (rating, players) in ratings {
            ranks.better.insert(rating, ranks.count);
            ranks.count += players;
        }
        ranks
    }
}
