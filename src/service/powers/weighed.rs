use std::borrow::Cow;
use std::collections::HashMap;

use super::choice::{ChosenPower, PowerWish};
use crate::api::PlayerPowerAnswer;
use crate::balance::{
    Counted, PartyMultipliers, Policy, Power, PowerRule, SeatScale, Situation, Source, Standing,
    Weigh, counted,
};
use crate::domain::{GameWindow, PlayerId, PowerName, Rating, Timestamp};
use crate::service::Pool;
use crate::service::splits::stored::RatedPlayer;
use crate::store::{StoreError, Tx};

#[derive(Clone, Debug)]
pub(crate) struct Weighed {
    /// Name of the power that weighs the players: the requested one, or the rating if no player has that power.
    pub(crate) by: PowerName,
    multipliers: Option<PartyMultipliers>,
    /// Players with their powers, in the order of the request.
    players: Vec<Counted>,
}

impl Weighed {
    pub(crate) async fn read(
        tx: &mut Tx,
        pool: &Pool,
        power: ChosenPower<'_>,
        wish: PowerWish<'_>,
        players: &[RatedPlayer],
        now: Timestamp,
    ) -> Result<Self, StoreError> {
        let ids: Vec<PlayerId> = players.iter().map(|rated| rated.player).collect();
        let games = if power.rule.needs_games() {
            tx.past_games(pool.id, &ids, GameWindow::last(GameWindow::MAX))
                .await?
        } else {
            HashMap::new()
        };
        let situation = situation(pool, wish, now);
        let standings = |rule: &PowerRule| -> Vec<Standing> {
            let games = |id| games.get(&id).map_or(&[][..], Vec::as_slice);
            let players = players.iter();
            let standings = players.map(|rated| Standing {
                id: rated.player,
                valued: rule.of(rated.rating, games(rated.player), situation),
            });
            standings.collect()
        };
        if let Some(players) = counted(&standings(power.rule)) {
            return Ok(Self {
                by: power.name.clone(),
                multipliers: power.rule.party_multipliers(),
                players,
            });
        }
        // Every player has a rating, so only an empty list of players leads to no powers.
        let players = counted(&standings(&PowerRule::Rating));
        Ok(Self {
            by: PowerName::default(),
            multipliers: None,
            players: players.unwrap_or_default(),
        })
    }

    pub(crate) fn powers(&self) -> HashMap<PlayerId, Power> {
        self.players
            .iter()
            .map(|player| (player.id, player.power))
            .collect()
    }

    /// Returns the balance policy with the players' powers in place of its own weights. Policies that judge odds stay
    /// unchanged, and so do policies that weigh by rating if the powers are ratings.
    pub(crate) fn policy<'all>(&self, policy: &'all Policy) -> Cow<'all, Policy> {
        if self.is_rating() && policy.weigh == Weigh::Rating {
            return Cow::Borrowed(policy);
        }
        let by_weights = policy.by_weights(self.multipliers);
        by_weights.map_or(Cow::Borrowed(policy), Cow::Owned)
    }

    /// Returns the power of each player, scaled to whole points for the computation of splits.
    pub(crate) fn seats(&self) -> HashMap<PlayerId, Rating> {
        let scale = self.scale();
        self.players
            .iter()
            .map(|player| (player.id, scale.seat(player.power)))
            .collect()
    }

    pub(crate) fn scale(&self) -> SeatScale {
        SeatScale::of(self.players.iter().map(|player| player.power))
    }

    pub(crate) fn is_rating(&self) -> bool {
        self.by == PowerName::default()
    }

    /// Converts the players' powers into answers, in the order of the request.
    pub(crate) fn answers(&self) -> Vec<PlayerPowerAnswer> {
        let players = self.players.iter().map(|player| {
            let valued = player.valued;
            PlayerPowerAnswer {
                id: player.id,
                power: valued.power.map(Power::points),
                games: valued.games,
                games_of: games_of(valued.source).map(str::to_owned),
                from: source(valued.source).unwrap_or("median").to_owned(),
                counted: player.power.points(),
            }
        });
        players.collect()
    }
}

pub(super) fn situation<'all>(
    pool: &'all Pool,
    wish: PowerWish<'all>,
    now: Timestamp,
) -> Situation<'all> {
    Situation {
        now,
        mode: wish.mode,
        mutators: wish.mutators,
        sets: pool.settings.scoreboard.sets.as_ref(),
    }
}

pub(super) fn games_of(source: Source) -> Option<&'static str> {
    match source {
        Source::Games(games_of) => Some(games_of.as_str()),
        Source::Rating | Source::Newcomer | Source::Nothing => None,
    }
}

/// Returns the name of the source of a player's power: rating, games or newcomer. `None` without a power.
pub(super) fn source(source: Source) -> Option<&'static str> {
    match source {
        Source::Rating => Some("rating"),
        Source::Games(_) => Some("games"),
        Source::Newcomer => Some("newcomer"),
        Source::Nothing => None,
    }
}
