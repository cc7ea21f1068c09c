//! The rules by which a match is judged, as data: a community's are a table in TOML.

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

/// What is done about unbalanced teams, in four parts and how soon.
#[derive(Clone, Debug, PartialEq)]
pub struct Policy {
    /// What a player weighs.
    pub weigh: Weigh,
    /// The power that takes the place of the rating or the weight in that, where it names one.
    pub by: Option<PowerName>,
    /// By how much more those in a party weigh.
    pub party_multipliers: PartyMultipliers,
    /// When teams are unbalanced.
    pub trigger: Trigger,
    /// Who may be moved.
    pub eligible: Eligibility,
    /// What kind of move there is.
    pub act: Act,
    /// The share of all players that one team may get by placing, in ten-thousandths, though never
    /// less than half of them, rounded up.
    pub largest_team_share: u32,
    /// Within how many seconds the moves should be made.
    pub apply_within_seconds: u32,
    /// Whether a player is moved at the next death.
    pub apply_on_death: bool,
    /// For how many seconds teams must have been unbalanced before anybody is moved.
    pub wait_seconds: u32,
}

/// What kind of moves there is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Act {
    /// Players change from the larger or stronger team to the other.
    Transfer,
    /// As many as the sizes ask for change to the smaller team; then pairs of players change places.
    Swap,
    /// Nobody moves; bots fill up.
    Fill(Filling),
}

/// How bots fill up teams.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Filling {
    /// The players and bots that there should be, kept within what the map is made for.
    pub least_players: usize,
    /// What a bot weighs where the match does not say so.
    pub bot_weight: Power,
}

impl Policy {
    /// How bots fill up; `None` where the policy moves players.
    #[must_use]
    pub fn bots(&self) -> Option<Filling> {
        match self.act {
            Act::Fill(filling) => Some(filling),
            Act::Transfer | Act::Swap => None,
        }
    }

    /// The policy where every player comes with a weight that takes the place of the rating or the
    /// weight sent, and parties weigh by `multipliers` where there are any. `None` where the policy
    /// judges odds, which come from ratings.
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

    /// Whether players weigh their ratings and nothing else does.
    #[must_use]
    pub fn goes_by_ratings(&self) -> bool {
        self.weighs_ratings() && self.bots().is_none()
    }

    /// Whether players weigh their ratings, and bots fill up.
    #[must_use]
    pub fn fills_by_ratings(&self) -> bool {
        self.weighs_ratings() && self.bots().is_some()
    }

    fn weighs_ratings(&self) -> bool {
        self.weigh == Weigh::Rating && self.party_multipliers == PartyMultipliers::NONE
    }
}

impl Default for Policy {
    /// Without any limit, so that no teams are unbalanced; what a built-in policy's table changes.
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
    /// The players and bots that there should be on a map that is made for so many, the least and the
    /// most.
    pub(super) fn wanted(self, map: Option<(usize, usize)>) -> usize {
        map.map_or(self.least_players, |(least, most)| {
            self.least_players.min(most).max(least)
        })
    }

    /// What a bot of the match weighs on average.
    pub(super) fn weight_of(self, bots: &Bots) -> Power {
        bots.mean(self.bot_weight)
    }
}
