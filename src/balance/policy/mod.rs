//! Policies: rules by which the balance of a running match is judged. Each community's rules are a table in TOML.

mod eligible;
mod policy_table;
mod trigger;
mod weigh;

pub(in crate::balance) use eligible::ineligible;
pub use eligible::{Eligibility, Ineligible};
pub use policy_table::{Policies, PolicyTable};
pub use trigger::{Reason, Suppression, Trigger};
pub(in crate::balance) use weigh::weigh;
pub use weigh::{MissingWeight, PartyMultipliers, Weigh};

use super::state::{Bots, Power};
use crate::domain::PowerName;

/// Rules for unbalanced teams: weights, limits, movable players, kind of action, and timing.
#[derive(Clone, Debug, PartialEq)]
pub struct Policy {
    /// Figure that counts as a player's weight (strength) when teams are compared, such as the rating.
    pub weigh: Weigh,
    /// Name of the power (player value from scoreboards) that replaces each player's rating or sent weight, if any.
    pub by: Option<PowerName>,
    /// Percentage of the own rating or power that each member of a party counts, by party size.
    pub party_multipliers: PartyMultipliers,
    /// Limits on team sizes, team weights and odds beyond which teams are unbalanced.
    pub trigger: Trigger,
    /// Rules that say which players may be moved to the other team.
    pub eligible: Eligibility,
    /// Kind of action against unbalanced teams: moves, swaps or bots.
    pub act: Act,
    /// Maximum share of all players that placement may put on one team, in ten-thousandths. Half of the players,
    /// rounded up, are always allowed.
    pub largest_team_share: u32,
    /// Time within which the game server should make recommended moves, in seconds.
    pub apply_within_seconds: u32,
    /// `true` if the game server should move players at their next death.
    pub apply_on_death: bool,
    /// Time that teams must have been unbalanced before anybody is moved, in seconds.
    pub wait_seconds: u32,
}

/// Kind of action against unbalanced teams.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Act {
    /// Players change from the larger or stronger team to the other.
    Transfer,
    /// Players change teams until the sizes are within limits; then pairs of players change places.
    Swap,
    /// Bots fill up the teams, and nobody moves.
    Fill(Filling),
}

/// Rules for bots that fill up teams.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Filling {
    /// Wanted number of players and bots in a match, clamped to the range that the map is made for.
    pub least_players: usize,
    /// Weight (strength) of a bot in points, if the game server sends none.
    pub bot_weight: Power,
}

impl Policy {
    /// Returns the policy's rules for bots that fill up teams; `None` if the policy moves players.
    #[must_use]
    pub fn bots(&self) -> Option<Filling> {
        match self.act {
            Act::Fill(filling) => Some(filling),
            Act::Transfer | Act::Swap => None,
        }
    }

    /// Returns a copy of the policy that takes each player's weight from `Player::weight`, in place of ratings.
    /// `multipliers` replace the party multipliers, if given. `None` if the policy limits odds, which need ratings.
    #[must_use]
    pub fn by_weights(&self, multipliers: Option<PartyMultipliers>) -> Option<Self> {
        if self.trigger.win_probability.is_some() {
            return None;
        }
        let weigh = match self.weigh {
            Weigh::Rating | Weigh::Weight { .. } => Weigh::Weight { default: None },
            Weigh::RankPower | Weigh::RankWeight => Weigh::RankWeight,
        };
        Some(Self {
            weigh,
            party_multipliers: multipliers.unwrap_or(self.party_multipliers),
            ..self.clone()
        })
    }

    /// Returns `true` if the policy compares teams by plain ratings and without bots.
    #[must_use]
    pub fn goes_by_ratings(&self) -> bool {
        self.weighs_ratings() && self.bots().is_none()
    }

    /// Returns `true` if the policy compares teams by plain ratings and fills them up with bots.
    #[must_use]
    pub fn fills_by_ratings(&self) -> bool {
        self.weighs_ratings() && self.bots().is_some()
    }

    fn weighs_ratings(&self) -> bool {
        self.weigh == Weigh::Rating && self.party_multipliers == PartyMultipliers::NONE
    }
}

impl Default for Policy {
    /// Returns a policy without limits, under which no teams are unbalanced. Tables of built-in policies start from
    /// this policy.
    fn default() -> Self {
        Self {
            weigh: Weigh::Rating,
            by: None,
            party_multipliers: PartyMultipliers::NONE,
            trigger: Trigger::default(),
            eligible: Eligibility {
                move_parties: false,
                move_again: false,
                movable_share: 10_000,
                least_seconds: 0,
            },
            act: Act::Transfer,
            largest_team_share: 5000,
            apply_within_seconds: 10,
            apply_on_death: false,
            wait_seconds: 0,
        }
    }
}

impl Filling {
    /// Returns the wanted number of players and bots on a map that is made for `map` players, minimum and maximum.
    pub(super) fn wanted(self, map: Option<(usize, usize)>) -> usize {
        map.map_or(self.least_players, |(least, most)| {
            self.least_players.min(most).max(least)
        })
    }

    /// Returns the average strength of a bot in the match, in points of the players' weights.
    pub(super) fn weight_of(self, bots: &Bots) -> Power {
        bots.mean(self.bot_weight)
    }
}
