use crate::domain::{PlayerId, Rating, Timestamp};
use crate::rating::{Convergence, Window, convergence, k_factor};
use crate::service::replay::projection::{new_player, window, window_ends};
use crate::service::{Pool, Service, ServiceError};
use crate::store::{PlayerRecord, RecordedRound, StoreError, Tx};

/// How many of a player's latest rounds an admin is shown.
const LAST_ROUNDS: u32 = 10;

/// What everybody may know of a player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayerView {
    /// Who.
    pub id: PlayerId,
    /// The rating now.
    pub rating: Rating,
    /// Rated rounds since the last reset.
    pub rounds: u32,
    /// Whether the shadow period is over.
    pub visible: bool,
    /// Whether the last round was too long ago.
    pub stale: bool,
    /// When the last round ended.
    pub last_played: Option<Timestamp>,
}

/// What an admin may know of a player.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayerDetails {
    /// What everybody may know.
    pub view: PlayerView,
    /// F3, for the next round.
    pub convergence: Convergence,
    /// F5, for the next round.
    pub k: f64,
    /// Rounds in the window.
    pub window_length: u32,
    /// The latest rounds, the latest first.
    pub last_rounds: Vec<RecordedRound>,
}

impl Service {
    /// Who a player is in `pool`; somebody unknown is a new player. Writes nothing.
    pub async fn get_player(&self, pool: &Pool, id: PlayerId) -> Result<PlayerView, ServiceError> {
        let mut tx = self.store.begin_read().await?;
        let player = tx.player(pool.id, id).await?;
        Ok(self.view(
            pool,
            &player.unwrap_or_else(|| new_player(id, &pool.settings.parameters)),
        ))
    }

    /// Everything about a player in `pool`. Writes nothing.
    pub async fn get_player_details(
        &self,
        pool: &Pool,
        id: PlayerId,
    ) -> Result<PlayerDetails, ServiceError> {
        let mut tx = self.store.begin_read().await?;
        let player = tx.player(pool.id, id).await?;
        let player = player.unwrap_or_else(|| new_player(id, &pool.settings.parameters));
        let window = read_window(&mut tx, pool, &player).await?;
        let parameters = &pool.settings.parameters;
        let convergence = convergence(&window, parameters);
        let shown = player.rounds.min(LAST_ROUNDS);
        Ok(PlayerDetails {
            view: self.view(pool, &player),
            convergence,
            k: k_factor(player.rating, convergence.score, parameters),
            window_length: window.length(),
            last_rounds: tx.latest_rounds(pool.id, id, shown).await?,
        })
    }

    pub(crate) fn view(&self, pool: &Pool, player: &PlayerRecord) -> PlayerView {
        let parameters = &pool.settings.parameters;
        let stale_before = self.clock.now().days_earlier(parameters.stale_days);
        PlayerView {
            id: player.id,
            rating: player.rating,
            rounds: player.rounds,
            visible: player.rounds >= parameters.shadow_rounds,
            stale: player.last_played.is_some_and(|last| last < stale_before),
            last_played: player.last_played,
        }
    }
}

/// The window of `player`, from the totals at its ends.
async fn read_window(
    tx: &mut Tx,
    pool: &Pool,
    player: &PlayerRecord,
) -> Result<Window, StoreError> {
    let ends = window_ends(player, &pool.settings.parameters);
    let numbers = [ends.start, ends.old_end, ends.new_start];
    let found = tx
        .totals(pool.id, &numbers.map(|number| (player.id, number)))
        .await?;
    window(player, &pool.settings.parameters, |number| {
        let entry = found.iter().find(|(_, found, _)| *found == number);
        entry.map(|(_, _, totals)| *totals)
    })
}
