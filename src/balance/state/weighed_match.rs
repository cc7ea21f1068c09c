use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};

use super::{Bots, Match, Player, Power, Tally, TeamTally};
use crate::balance::policy::{Ineligible, MissingWeight, Policy, ineligible, weigh};
use crate::domain::{Handicap, PartyName, PlayerId, Side};

/// Players of a match with their weights (strengths), sorted by id within each team.
#[derive(Debug)]
pub(crate) struct WeighedTeams<'all> {
    pub(crate) teams: Vec<Vec<&'all Player>>,
    pub(crate) joining: Vec<&'all Player>,
    pub(crate) powers: HashMap<PlayerId, Power>,
}

/// Joining players who are placed on one team.
#[derive(Debug)]
pub(crate) struct Group<'all> {
    pub(crate) players: Vec<&'all Player>,
    pub(crate) power: Power,
    /// Index of the team on which members of these players' party play, if only one team has members.
    pub(crate) fixed: Option<usize>,
}

impl<'all> WeighedTeams<'all> {
    pub(crate) fn of(
        teams: impl IntoIterator<Item = &'all Vec<Player>>,
        joining: &'all [Player],
        policy: &Policy,
    ) -> Result<Self, MissingWeight> {
        let by_id = |team: &'all [Player]| -> Vec<&'all Player> {
            let mut players: Vec<&Player> = team.iter().collect();
            players.sort_unstable_by_key(|player| player.id);
            players
        };
        let teams: Vec<Vec<&Player>> = teams.into_iter().map(|team| by_id(team)).collect();
        let joining = by_id(joining);
        let all: Vec<&Player> = teams.iter().flatten().chain(&joining).copied().collect();
        Ok(Self {
            powers: weigh(&all, policy.weigh, policy.party_multipliers)?,
            teams,
            joining,
        })
    }

    pub(crate) fn power(&self, player: &Player) -> Power {
        // Every player here has been weighed.
        self.powers.get(&player.id).copied().unwrap_or_default()
    }

    pub(crate) fn join(&self, team: &mut TeamTally, player: &Player) {
        team.size += 1;
        team.power = team.power + self.power(player);
        team.rating += i64::from(player.rating.points());
    }

    pub(crate) fn leave(&self, team: &mut TeamTally, player: &Player) {
        team.size -= 1;
        team.power = team.power - self.power(player);
        team.rating -= i64::from(player.rating.points());
    }

    /// Returns the movable players of a team by [`Player::move_rank`], and its other players, by id, with the reasons.
    pub(crate) fn movable(
        &self,
        team: usize,
        policy: &Policy,
    ) -> (Vec<&'all Player>, Vec<(PlayerId, Ineligible)>) {
        let present: Vec<&Player> = self.teams.iter().flatten().copied().collect();
        let team = &self.teams[team];
        let out = ineligible(team, &present, &self.powers, policy.eligible);
        let mut movable = team.clone();
        movable.retain(|player| !out.contains_key(&player.id));
        movable.sort_unstable_by_key(|player| player.move_rank());
        let mut out: Vec<(PlayerId, Ineligible)> = out.into_iter().collect();
        out.sort_unstable_by_key(|(id, _)| *id);
        (movable, out)
    }

    /// Groups the joining players: each party, and every other player alone. Groups with the largest `rank` come first.
    pub(crate) fn groups<Rank: Ord>(&self, rank: impl Fn(&Group) -> Rank) -> Vec<Group<'all>> {
        let mut parties: BTreeMap<&PartyName, Vec<&Player>> = BTreeMap::new();
        let mut groups: Vec<Group> = Vec::new();
        for player in &self.joining {
            match &player.party {
                Some(party) => parties.entry(party).or_default().push(player),
                None => groups.push(self.group(vec![player], None)),
            }
        }
        groups.extend(
            parties
                .into_iter()
                .map(|(party, players)| self.group(players, Some(party))),
        );
        groups.sort_by_key(|group| {
            let first = group.players.first().map(|player| player.id);
            (Reverse(rank(group)), first)
        });
        groups
    }

    fn group(&self, players: Vec<&'all Player>, party: Option<&PartyName>) -> Group<'all> {
        let has_friends = |team: &usize| {
            let mut team = self.teams[*team].iter();
            party.is_some() && team.any(|player| player.party.as_ref() == party)
        };
        let mut teams = (0..self.teams.len()).filter(has_friends);
        Group {
            power: players.iter().map(|player| self.power(player)).sum(),
            fixed: match (teams.next(), teams.next()) {
                (Some(team), None) => Some(team),
                _ => None,
            },
            players,
        }
    }
}

/// Match of two teams with the weights (strengths) of its players.
#[derive(Debug)]
pub(crate) struct WeighedMatch<'all> {
    pub(crate) teams: WeighedTeams<'all>,
    pub(crate) bots: Bots,
    /// Weight (strength) of a bot under the policy, if the policy counts bots.
    bot_figure: Option<Power>,
    handicap: Handicap,
    weighs_handicap: bool,
    bots_are_rated: bool,
}

impl<'all> WeighedMatch<'all> {
    pub(crate) fn of(
        state: &'all Match,
        joining: &'all [Player],
        policy: &Policy,
    ) -> Result<Self, MissingWeight> {
        Ok(Self {
            teams: WeighedTeams::of([&state.team_a, &state.team_b], joining, policy)?,
            bots: state.bots,
            bot_figure: policy.bots().map(|filling| filling.bot_weight),
            handicap: state.handicap,
            weighs_handicap: policy.goes_by_ratings(),
            bots_are_rated: state.bots.are_rated && policy.fills_by_ratings(),
        })
    }

    pub(crate) fn team(&self, side: Side) -> &[&'all Player] {
        &self.teams.teams[side as usize]
    }

    /// Returns the strength of a team's bots if their number becomes `count`; zero if the policy does not count bots.
    pub(crate) fn bots_power(&self, side: Side, count: usize) -> Power {
        let figure = self.bot_figure;
        figure.map_or(Power::ZERO, |figure| self.bots.power(side, count, figure))
    }

    /// Returns the strength by which a player raises a team's lead: the player's weight less
    /// [`extra_player`](Self::extra_player).
    pub(crate) fn value(&self, player: &Player) -> Power {
        self.teams.power(player) - self.extra_player()
    }

    /// Returns the points that are subtracted from each player's strength, as the handicap of a larger team.
    pub(crate) fn extra_player(&self) -> Power {
        Power::of_points(self.weighed_handicap().extra_player)
    }

    /// Returns the points by which the handicap puts team a ahead at equal sizes; negative if team b is ahead.
    pub(crate) fn lean(&self) -> Power {
        Power::of_points(self.weighed_handicap().lean)
    }

    /// Returns the maximum number of points that the handicap (advantage beyond ratings) can add to a team's lead.
    pub(crate) fn beyond(&self) -> Power {
        self.weighed_handicap().reach(self.teams.powers.len())
    }

    fn weighed_handicap(&self) -> Handicap {
        if self.weighs_handicap {
            self.handicap
        } else {
            Handicap::default()
        }
    }

    /// Returns the sizes, strengths and ratings of the teams, without joining players.
    pub(crate) fn tally(&self) -> Tally {
        let mut tally = Tally {
            handicap: self.handicap,
            weighs_handicap: self.weighs_handicap,
            bots_are_rated: self.bots_are_rated,
            ..Tally::default()
        };
        for (side, bots) in [(Side::A, self.bots.a), (Side::B, self.bots.b)] {
            let team = tally.team_mut(side);
            team.bots = bots;
            team.power = self.bots_power(side, bots);
            for player in self.team(side) {
                self.teams.join(team, player);
            }
        }
        tally
    }

    pub(crate) fn cross(&self, tally: &mut Tally, from: Side, player: &Player) {
        self.teams.leave(tally.team_mut(from), player);
        self.teams.join(tally.team_mut(from.other()), player);
    }
}
