//! Powers: weights of players from the scoreboards of their last games, used in place of ratings.

pub(crate) mod choice;
pub(crate) mod weighed;

use crate::api::{NamedPowerAnswer, PastGameAnswer, PlayerPowersAnswer};
use crate::balance::Power;
use crate::domain::{GameWindow, ModeName, Mutators, PastGame, PlayerId};
use crate::service::players::names::Names;
use crate::service::players::now::player_now;
use crate::service::{Pool, Service, ServiceError};
use choice::PowerWish;
use weighed::{games_of, situation, source};

impl Service {
    /// Returns a player's powers in `pool` for a match of game mode `mode`, and the games from which they are computed.
    /// Unknown players look like new ones. Writes nothing.
    pub async fn get_player_powers(
        &self,
        pool: &Pool,
        id: PlayerId,
        mode: Option<ModeName>,
    ) -> Result<PlayerPowersAnswer, ServiceError> {
        let mut tx = self.store.begin_read().await?;
        let (_, player) = player_now(&mut tx, pool, id).await?;
        let window = GameWindow::last(GameWindow::MAX);
        let mut games = tx.past_games(pool.id, &[id], window).await?;
        let name = Names::of(&mut tx, vec![id]).await?.of_player(id);
        drop(tx);
        let games = games.remove(&id).unwrap_or_default();
        let wish = PowerWish {
            by: None,
            mode: mode.as_ref(),
            mutators: &Mutators::default(),
        };
        let situation = situation(pool, wish, self.clock.now());
        let powers = pool
            .settings
            .powers
            .rules
            .iter()
            .map(|(name, rule)| {
                let valued = rule.of(player.rating, &games, situation);
                NamedPowerAnswer {
                    name: name.clone(),
                    power: valued.power.map(Power::points),
                    games: valued.games,
                    games_of: games_of(valued.source).map(str::to_owned),
                    from: source(valued.source).map(str::to_owned),
                }
            })
            .collect();
        Ok(PlayerPowersAnswer {
            id,
            name,
            pool: pool.name.clone(),
            mode,
            powers,
            games: games.into_iter().map(described).collect(),
        })
    }
}

fn described(game: PastGame) -> PastGameAnswer {
    PastGameAnswer {
        ended_at: game.ended_at,
        seconds: game.seconds,
        mode: game.mode,
        mutators: game.mutators,
        map: game.map,
        stats: game.stats,
        result: game.result.value(),
        place: game.place.map(|place| place.place),
        of: game.place.map(|place| place.of),
    }
}
