//! Newcomers of a lobby, and the price of sharing them out between the teams.

use crate::api::{ScrambleRequest, Whole};
use crate::domain::PlayerId;
use crate::rating::{InvalidState, Parameters, PlayerState};
use crate::service::Pool;
use crate::service::players::now::{CurrentPlayer, CurrentPlayers};

/// Minimum uncertainty of a newcomer's rating, as a share of the uncertainty of a new player. In teams of 12, the
/// models fall below this share after 3 (Glicko-2) to 55 rounds (`ns2`), at most about the usual shadow period.
const UNCERTAIN: f64 = 0.9;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Newcomers {
    pub(crate) players: Vec<PlayerId>,
    /// Rating points by which sharing out the newcomers may enlarge the difference between the teams.
    pub(crate) price: u32,
}

impl Newcomers {
    /// Finds the newcomers of a `lobby`. The pool's price for sharing them out is in rating points, so it does not
    /// apply if teams are made by another power. In that case only a price in the request applies.
    pub(super) fn of(
        lobby: &CurrentPlayers,
        pool: &Pool,
        request: &ScrambleRequest,
        by_power: bool,
    ) -> Result<Self, InvalidState> {
        let parameters = &pool.settings.parameters;
        let set = if by_power {
            0
        } else {
            pool.settings.splits.newcomers
        };
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

/// Returns the price for sharing out newcomers in rating points: the request's, or else the pool's (`unless_sent`). A
/// request with current teams wants few players to change teams, so the pool's price does not apply then.
pub(crate) fn price(request: &ScrambleRequest, unless_sent: u32) -> u32 {
    let unless_sent = match request.current {
        None => unless_sent,
        Some(_) => 0,
    };
    request.newcomers.map_or(unless_sent, Whole::get)
}

/// Returns `true` if a player's rating is still a guess. Such a player has no rated round, is in the shadow period, or
/// is about as uncertain to the pool's model as a new player.
fn is_newcomer(
    lobby: &CurrentPlayers,
    CurrentPlayer { record, .. }: &CurrentPlayer,
    parameters: &Parameters,
) -> Result<bool, InvalidState> {
    if record.rounds < parameters.shadow_rounds.max(1) {
        return Ok(true);
    }
    let new = PlayerState::new(record.id, parameters);
    let uncertainty = |player| lobby.model.uncertainty(player, parameters);
    let of_both = uncertainty(record.profile())?.zip(uncertainty(new.profile())?);
    Ok(of_both.is_some_and(|(known, new)| known >= UNCERTAIN * new))
}
