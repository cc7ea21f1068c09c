use std::collections::HashMap;

use super::TeamFill;
use crate::balance::policy::{Filling, MissingWeight, Policy, weigh};
use crate::balance::state::{Bots, Pick, Player, Power, TeamTally};
use crate::domain::{ModeName, PlayerId, Probability};
use crate::rating::win_probability;

/// Current state of a match of several teams. Each player appears once; the order within a team is irrelevant.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TeamMatch {
    /// Lists of the players on each team, without bots.
    pub teams: Vec<Vec<Player>>,
    /// Game modes that describe the match, such as `ffa`; a balance policy moves nobody in some modes.
    pub modes: Vec<ModeName>,
    /// Remaining time of the round, in seconds.
    pub seconds_left: Option<u32>,
    /// Number of bots on each team, in the order of the teams; teams beyond the list have 0.
    pub bots: Vec<usize>,
    /// Average strength of a bot, in points; `None` for the policy's value.
    pub bot_weight: Option<Power>,
    /// Minimum and maximum number of players that the map is made for.
    pub map_players: Option<(usize, usize)>,
    /// Random draw among the best moves or placements; `None` takes the best one.
    pub pick: Option<Pick>,
}

/// Sizes, strengths and ratings of several teams, in the order of the match.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TeamTallies(pub Vec<TeamTally>);

impl TeamTallies {
    /// Returns the strength (sum of player weights) of the strongest team less that of the weakest.
    #[must_use]
    pub fn gap(&self) -> Power {
        let (least, most) = extremes(self.0.iter().map(|team| team.power));
        most - least
    }

    /// Returns the probability (F1) that the team with the highest sum of ratings beats the team with the lowest.
    #[must_use]
    pub fn favourite(&self, theta: f64) -> Probability {
        let (least, most) = extremes(self.0.iter().map(|team| team.rating));
        win_probability(most, least, theta)
    }

    /// Returns the sizes and strengths of teams that bots fill up to one size: enough for the largest team, and for the
    /// number of players that policy and map want.
    pub(super) fn filled(&self, state: &TeamMatch, filling: Filling) -> Self {
        let largest = self.0.iter().map(|team| team.size).max().unwrap_or(0);
        let wanted = filling.wanted(state.map_players);
        let size = wanted.div_ceil(self.0.len().max(1)).max(largest);
        let weight = state.bot_weight(filling);
        let filled = self.0.iter().map(|team| {
            let bots = size - team.size;
            TeamTally {
                power: team.power - weight * team.bots + weight * bots,
                bots,
                ..*team
            }
        });
        Self(filled.collect())
    }

    pub(super) fn fill(&self, state: &TeamMatch, filling: Filling) -> TeamFill {
        TeamFill {
            bots: self.0.iter().map(|team| team.bots).collect(),
            bot_weight: state.bot_weight(filling),
        }
    }
}

impl TeamMatch {
    pub(super) fn bot_weight(&self, filling: Filling) -> Power {
        filling.weight_of(&Bots {
            weight: self.bot_weight,
            ..Bots::default()
        })
    }
}

/// Players of a match with their weights (strengths), sorted by id within each team. The teams keep their order.
#[derive(Debug)]
pub(super) struct WeighedTeams<'all> {
    pub(super) teams: Vec<Vec<&'all Player>>,
    pub(super) joining: Vec<&'all Player>,
    powers: HashMap<PlayerId, Power>,
    /// Strength of a bot if the policy counts bots; `bots` has the number of bots on each team.
    pub(super) bot_weight: Option<Power>,
    bots: Vec<usize>,
}

impl<'all> WeighedTeams<'all> {
    pub(super) fn of(
        state: &'all TeamMatch,
        joining: &'all [Player],
        policy: &Policy,
    ) -> Result<Self, MissingWeight> {
        let by_id = |team: &'all [Player]| -> Vec<&'all Player> {
            let mut players: Vec<&Player> = team.iter().collect();
            players.sort_unstable_by_key(|player| player.id);
            players
        };
        let teams: Vec<Vec<&Player>> = state.teams.iter().map(|team| by_id(team)).collect();
        let joining = by_id(joining);
        let all: Vec<&Player> = teams.iter().flatten().chain(&joining).copied().collect();
        Ok(Self {
            powers: weigh(&all, policy.weigh, policy.party_multipliers)?,
            bots: (0..teams.len())
                .map(|team| state.bots.get(team).copied().unwrap_or(0))
                .collect(),
            bot_weight: policy.bots().map(|filling| state.bot_weight(filling)),
            teams,
            joining,
        })
    }

    pub(super) fn powers(&self) -> &HashMap<PlayerId, Power> {
        &self.powers
    }

    pub(super) fn power(&self, player: &Player) -> Power {
        // Every player here has been weighed.
        self.powers.get(&player.id).copied().unwrap_or_default()
    }

    /// Returns the sizes, strengths and ratings of the teams, without joining players.
    pub(super) fn tallies(&self) -> TeamTallies {
        let empty = self.bots.iter().map(|bots| TeamTally {
            bots: *bots,
            power: self.bot_weight.unwrap_or_default() * *bots,
            ..TeamTally::default()
        });
        let mut tallies = TeamTallies(empty.collect());
        for (team, players) in self.teams.iter().enumerate() {
            for player in players {
                self.join(&mut tallies, team, player);
            }
        }
        tallies
    }

    pub(super) fn join(&self, tallies: &mut TeamTallies, team: usize, player: &Player) {
        let tally = &mut tallies.0[team];
        tally.size += 1;
        tally.power = tally.power + self.power(player);
        tally.rating += i64::from(player.rating.points());
    }

    pub(super) fn cross(&self, tallies: &mut TeamTallies, from: usize, to: usize, player: &Player) {
        let tally = &mut tallies.0[from];
        tally.size -= 1;
        tally.power = tally.power - self.power(player);
        tally.rating -= i64::from(player.rating.points());
        self.join(tallies, to, player);
    }
}

pub(super) fn extremes<T: Copy + Ord + Default>(all: impl Iterator<Item = T>) -> (T, T) {
    all.fold(None, |found: Option<(T, T)>, one| {
        let (least, most) = found.unwrap_or((one, one));
        Some((least.min(one), most.max(one)))
    })
    .unwrap_or_default()
}
