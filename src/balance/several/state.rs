use super::TeamFill;
use crate::balance::policy::{Filling, Policy};
use crate::balance::state::{Pick, Player, Power, TeamTally, WeighedTeams};
use crate::domain::{ModeName, Probability};
use crate::rating::win_probability;

/// Current state of a match of several teams. Each player appears once; the order within a team is irrelevant.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct TeamMatch {
    pub(crate) teams: Vec<Vec<Player>>,
    pub(crate) modes: Vec<ModeName>,
    pub(crate) seconds_left: Option<u32>,
    /// Number of bots on each team, in the order of the teams; teams beyond the list have 0.
    pub(crate) bots: Vec<usize>,
    /// Average strength of a bot, in points; `None` for the policy's value.
    pub(crate) bot_weight: Option<Power>,
    /// Minimum and maximum number of players that the map is made for.
    pub(crate) map_players: Option<(usize, usize)>,
    pub(crate) pick: Option<Pick>,
}

/// Sizes, strengths and ratings of several teams, in the order of the match.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct TeamTallies(pub(crate) Vec<TeamTally>);

impl TeamTallies {
    /// Returns the strength (sum of player weights) of the strongest team less that of the weakest.
    pub(crate) fn gap(&self) -> Power {
        let (least, most) = extremes(self.0.iter().map(|team| team.power));
        most - least
    }

    /// Returns the probability (F1) that the team with the highest sum of ratings beats the team with the lowest.
    pub(crate) fn favourite(&self, theta: f64) -> Probability {
        let (least, most) = extremes(self.0.iter().map(|team| team.rating));
        win_probability(most, least, theta)
    }

    /// Returns the sizes and strengths of teams that bots fill up to one size: enough for the largest team, and for the
    /// number of players that policy and map want. Returns the teams unchanged if the policy counts no bots.
    pub(super) fn filled(&self, state: &TeamMatch, policy: &Policy) -> Self {
        let Some(filling) = policy.bots() else {
            return self.clone();
        };
        let largest = self.0.iter().map(|team| team.size).max().unwrap_or(0);
        let wanted = filling.wanted(state.map_players);
        let size = wanted.div_ceil(self.0.len().max(1)).max(largest);
        let weight = state.bot_weight(policy);
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

    pub(super) fn fill(&self, state: &TeamMatch, policy: &Policy) -> Option<TeamFill> {
        policy.bots().map(|_| TeamFill {
            bots: self.0.iter().map(|team| team.bots).collect(),
            bot_weight: state.bot_weight(policy),
        })
    }
}

impl TeamMatch {
    /// Returns the strength of a bot; zero if the policy does not count bots.
    pub(super) fn bot_weight(&self, policy: &Policy) -> Power {
        let weight = |filling: Filling| self.bot_weight.unwrap_or(filling.bot_weight);
        policy.bots().map(weight).unwrap_or_default()
    }

    /// Returns the sizes, strengths and ratings of the teams, without joining players.
    pub(super) fn tallies(&self, weighed: &WeighedTeams, policy: &Policy) -> TeamTallies {
        let bot_weight = self.bot_weight(policy);
        let tally = |(team, players): (usize, &Vec<&Player>)| {
            let bots = self.bots.get(team).copied().unwrap_or(0);
            let mut tally = TeamTally {
                bots,
                power: bot_weight * bots,
                ..TeamTally::default()
            };
            for player in players {
                weighed.join(&mut tally, player);
            }
            tally
        };
        TeamTallies(weighed.teams.iter().enumerate().map(tally).collect())
    }
}

pub(super) fn extremes<T: Copy + Ord + Default>(all: impl Iterator<Item = T>) -> (T, T) {
    all.fold(None, |found: Option<(T, T)>, one| {
        let (least, most) = found.unwrap_or((one, one));
        Some((least.min(one), most.max(one)))
    })
    .unwrap_or_default()
}
