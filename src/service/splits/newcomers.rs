//! Who counts as a newcomer of a lobby, and what it may cost to spread them.

use crate::api::{ScrambleRequest, Whole};
use crate::domain::PlayerId;
use crate::rating::{InvalidState, Parameters};
use crate::service::players::now::{PlayerNow, PlayersNow};
use crate::service::replay::player::new_player;

/// The share of a new player's uncertainty from which on a player counts as a newcomer.
const UNCERTAIN: f64 = 0.75;

/// The newcomers among the players of a request.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Newcomers {
    pub(crate) players: Vec<PlayerId>,
    /// The points that spreading them may cost.
    pub(crate) price: u32,
}

impl Newcomers {
    /// Those of a `lobby` whose pool has set the price `set`, which counts in points of ratings alone.
    pub(super) fn of(
        lobby: &PlayersNow,
        parameters: &Parameters,
        request: &ScrambleRequest,
        set: u32,
    ) -> Result<Self, InvalidState> {
        let price = price(request, set);
        if price == 0 {
            return Ok(Self::default());
        }
        let mut players = Vec::new();
        for player in &lobby.players {
            if is_newcomer(lobby, player, parameters)? {
                players.push(player.record.id);
            }
        }
        Ok(Self { players, price })
    }
}

/// The points asked for. Who wants few players to change teams wants nobody to change for this, unless the request
/// says so.
pub(crate) fn price(request: &ScrambleRequest, unless_sent: u32) -> u32 {
    let unless_sent = match request.current {
        None => unless_sent,
        Some(_) => 0,
    };
    request.newcomers.map_or(unless_sent, Whole::get)
}

/// Whether the rating of a player is still a guess: no round was rated, or the shadow period is not over, or the
/// pool's model is about as uncertain of the player as of a new one.
fn is_newcomer(
    lobby: &PlayersNow,
    PlayerNow { record, .. }: &PlayerNow,
    parameters: &Parameters,
) -> Result<bool, InvalidState> {
    if record.rounds < parameters.shadow_rounds.max(1) {
        return Ok(true);
    }
    let new = new_player(record.id, parameters);
    let uncertainty = |player| lobby.model.uncertainty(player, parameters);
    let of_both = uncertainty(record.profile())?.zip(uncertainty(new.profile())?);
    Ok(of_both.is_some_and(|(known, new)| known >= UNCERTAIN * new))
}
