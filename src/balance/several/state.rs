use std::collections::HashMap;

use super::TeamFill;
use crate::balance::policy::{Filling, MissingWeight, Policy, weigh};
use crate::balance::state::{Bots, Pick, Player, Power, TeamTally};
use crate::domain::{ModeName, PlayerId, Probability};
use crate::rating::win_probability;

/// A match of several teams as it stands. Everybody stands in it once; the order of the players of a
/// team means nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TeamMatch {
    /// The teams, without bots.
    pub teams: Vec<Vec<Player>>,
    /// What kind of match it is.
    pub modes: Vec<ModeName>,
    /// The seconds left in the round.
    pub seconds_left: Option<u32>,
    /// How many bots stand on each team; none where there is no number.
    pub bots: Vec<usize>,
    /// What a bot weighs on average; the policy's figure where none is sent.
    pub bot_weight: Option<Power>,
    /// The least and the most players that the map is made for.
    pub map_players: Option<(usize, usize)>,
    /// Which of the best choices is taken; the very best where nothing is drawn.
    pub pick: Option<Pick>,
}

/// How several teams stand, in the order in which they were given.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TeamTallies(pub Vec<TeamTally>);

impl TeamTallies {
    /// By how much the strongest team weighs more than the weakest.
    #[must_use]
    pub fn spread(&self) -> Power {
        let (least, most) = extremes(self.0.iter().map(|team| team.power));
        most - least
    }

    /// F1, by the ratings: the probability that the team of the highest sum beats that of the lowest.
    #[must_use]
    pub fn favourite(&self, theta: f64) -> Probability {
        let (least, most) = extremes(self.0.iter().map(|team| team.rating));
        win_probability(most, least, theta)
    }

    /// The same with the bots that there should be: teams of one size, enough for the largest, of as
    /// many as the policy and the map want together.
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

    /// The bots that stand here, where they fill up.
    pub(super) fn fill(&self, state: &TeamMatch, filling: Filling) -> TeamFill {
        TeamFill {
            bots: self.0.iter().map(|team| team.bots).collect(),
            bot_weight: state.bot_weight(filling),
        }
    }
}

impl TeamMatch {
    /// What a bot weighs by a policy that fills up like that.
    pub(super) fn bot_weight(&self, filling: Filling) -> Power {
        filling.weight_of(&Bots {
            weight: self.bot_weight,
            ..Bots::default()
        })
    }
}

/// The players of a match with what they weigh; of the order in which they were given only that of the
/// teams is left.
#[derive(Debug)]
pub(super) struct WeighedTeams<'all> {
    pub(super) teams: Vec<Vec<&'all Player>>,
    pub(super) joining: Vec<&'all Player>,
    powers: HashMap<PlayerId, Power>,
    /// What a bot weighs where the policy counts them, and how many stand on each team.
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
        // Everybody who stands here has been weighed.
        self.powers.get(&player.id).copied().unwrap_or_default()
    }

    /// The teams as they stand, without those who join.
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

    /// The tallies with a player more.
    pub(super) fn join(&self, tallies: &mut TeamTallies, team: usize, player: &Player) {
        let tally = &mut tallies.0[team];
        tally.size += 1;
        tally.power = tally.power + self.power(player);
        tally.rating += i64::from(player.rating.points());
    }

    /// The tallies with a player on another team.
    pub(super) fn cross(&self, tallies: &mut TeamTallies, from: usize, to: usize, player: &Player) {
        let tally = &mut tallies.0[from];
        tally.size -= 1;
        tally.power = tally.power - self.power(player);
        tally.rating -= i64::from(player.rating.points());
        self.join(tallies, to, player);
    }
}

/// The least and the greatest.
pub(super) fn extremes<T: Copy + Ord + Default>(all: impl Iterator<Item = T>) -> (T, T) {
    all.fold(None, |found: Option<(T, T)>, one| {
        let (least, most) = found.unwrap_or((one, one));
        Some((least.min(one), most.max(one)))
    })
    .unwrap_or_default()
}
