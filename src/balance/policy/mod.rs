//! Policies: rules by which the balance of a running match is judged. Each community's rules are a table in TOML.

mod eligible;
mod policy_table;
mod trigger;
mod weigh;

pub(crate) use eligible::ineligible;
pub(crate) use eligible::{Eligibility, Ineligible};
pub use policy_table::{Policies, PolicyTable};
pub(crate) use trigger::{Reason, Suppression, Trigger};
pub use weigh::MissingWeight;
pub(crate) use weigh::weigh;
pub(crate) use weigh::{PartyMultipliers, Weigh};

use super::state::Power;
use crate::domain::PowerName;

/// Rules for unbalanced teams: weights, limits, movable players, kind of action, and timing.
#[derive(Clone, Debug, PartialEq)]
pub struct Policy {
    pub(crate) weigh: Weigh,
    /// Name of the power (player value from scoreboards) that replaces each player's rating or sent weight, if any.
    pub(crate) by: Option<PowerName>,
    pub(crate) party_multipliers: PartyMultipliers,
    pub(crate) trigger: Trigger,
    pub(crate) eligible: Eligibility,
    pub(crate) act: Act,
    /// Maximum share of all players that placement may put on one team, in ten-thousandths. Half of the players,
    /// rounded up, are always allowed.
    pub(crate) largest_team_share: u32,
    /// Time within which the game server should make recommended moves, in seconds.
    pub(crate) apply_within_seconds: u32,
    /// `true` if the game server should move players at their next death.
    pub(crate) apply_on_death: bool,
    /// Time that teams must have been unbalanced before anybody is moved, in seconds.
    pub(crate) wait_seconds: u32,
}

/// Kind of action against unbalanced teams.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Act {
    /// Players change from the larger or stronger team to the other.
    Transfer,
    /// Players change teams until the sizes are within limits; then pairs of players change places.
    Swap,
    /// Bots fill up the teams, and nobody moves.
    Fill(Filling),
}

/// Rules for bots that fill up teams.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Filling {
    /// Wanted number of players and bots in a match, clamped to the range that the map is made for.
    pub(crate) least_players: usize,
    /// Weight (strength) of a bot in points, if the game server sends none.
    pub(crate) bot_weight: Power,
}

impl Policy {
    /// Returns the policy's rules for bots that fill up teams; `None` if the policy moves players.
    pub(crate) fn bots(&self) -> Option<Filling> {
        match self.act {
            Act::Fill(filling) => Some(filling),
            Act::Transfer | Act::Swap => None,
        }
    }

    /// Returns a copy of the policy that takes each player's weight from `Player::weight`, in place of ratings.
    /// `multipliers` replace the party multipliers, if given. `None` if the policy limits odds, which need ratings.
    pub(crate) fn by_weights(&self, multipliers: Option<PartyMultipliers>) -> Option<Self> {
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
    pub(crate) fn goes_by_ratings(&self) -> bool {
        self.weighs_ratings() && self.bots().is_none()
    }

    /// Returns `true` if the policy compares teams by plain ratings and fills them up with bots.
    pub(crate) fn fills_by_ratings(&self) -> bool {
        self.weighs_ratings() && self.bots().is_some()
    }

    fn weighs_ratings(&self) -> bool {
        self.weigh == Weigh::Rating && self.party_multipliers == PartyMultipliers::NONE
    }
}

impl Default for Policy {
    /// Returns a policy without limits, from which the tables of built-in policies start.
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
}
