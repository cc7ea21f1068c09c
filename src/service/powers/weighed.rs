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
use crate::store::split_tables::RatedPlayer;
use crate::store::{StoreError, Tx};

/// What the players of a match or of splits count by a power.
#[derive(Clone, Debug)]
pub(crate) struct Weighed {
    /// The power: the one that was asked for, or the rating where it knows nothing of anybody.
    pub(crate) by: PowerName,
    multipliers: Option<PartyMultipliers>,
    /// In the order asked for.
    players: Vec<Counted>,
}

impl Weighed {
    /// What `players` of `pool` count by a power in a match of that kind.
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
        // Of ratings everybody has one; of nobody there is nothing to count.
        let players = counted(&standings(&PowerRule::Rating));
        Ok(Self {
            by: PowerName::default(),
            multipliers: None,
            players: players.unwrap_or_default(),
        })
    }

    /// What everybody counts.
    pub(crate) fn powers(&self) -> HashMap<PlayerId, Power> {
        self.players
            .iter()
            .map(|player| (player.id, player.power))
            .collect()
    }

    /// The policy where these powers take the place of what it goes by; one that judges odds, or that goes by the
    /// rating as they do, as it is.
    pub(crate) fn policy<'all>(&self, policy: &'all Policy) -> Cow<'all, Policy> {
        if self.is_rating() && policy.weigh == Weigh::Rating {
            return Cow::Borrowed(policy);
        }
        let by_weights = policy.by_weights(self.multipliers);
        by_weights.map_or(Cow::Borrowed(policy), Cow::Owned)
    }

    /// What everybody counts in splits, in whole points.
    pub(crate) fn seats(&self) -> HashMap<PlayerId, Rating> {
        let scale = self.scale();
        self.players
            .iter()
            .map(|player| (player.id, scale.seat(player.power)))
            .collect()
    }

    /// How the powers become whole points.
    pub(crate) fn scale(&self) -> SeatScale {
        SeatScale::of(self.players.iter().map(|player| player.power))
    }

    /// Whether it is the rating that counts.
    pub(crate) fn is_rating(&self) -> bool {
        self.by == PowerName::default()
    }

    /// As it is answered, in the order asked for.
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

/// The match that powers are for, by what is set for the pool.
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

/// Which games a power comes from; `None` where it comes from none.
pub(super) fn games_of(source: Source) -> Option<&'static str> {
    match source {
        Source::Games(games_of) => Some(games_of.as_str()),
        Source::Rating | Source::Newcomer | Source::Nothing => None,
    }
}

/// Where a power comes from; `None` where there is none.
pub(super) fn source(source: Source) -> Option<&'static str> {
    match source {
        Source::Rating => Some("rating"),
        Source::Games(_) => Some("games"),
        Source::Newcomer => Some("newcomer"),
        Source::Nothing => None,
    }
}
