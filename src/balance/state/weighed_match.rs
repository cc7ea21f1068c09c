use std::collections::HashMap;

use super::{Bots, Match, Player, Power, Tally, by_party};
use crate::balance::policy::{Ineligible, MissingWeight, Policy, ineligible, weigh};
use crate::domain::{Handicap, PartyName, PlayerId, Side};

/// Players of a match with their weights (strengths), sorted by id within each team.
#[derive(Debug)]
pub(in crate::balance) struct WeighedMatch<'all> {
    pub(in crate::balance) team_a: Vec<&'all Player>,
    pub(in crate::balance) team_b: Vec<&'all Player>,
    pub(in crate::balance) joining: Vec<&'all Player>,
    pub(in crate::balance) powers: HashMap<PlayerId, Power>,
    pub(in crate::balance) bots: Bots,
    /// Weight (strength) of a bot under the policy, if the policy counts bots.
    pub(in crate::balance) bot_figure: Option<Power>,
    handicap: Handicap,
    weighs_handicap: bool,
    bots_are_rated: bool,
}

impl<'all> WeighedMatch<'all> {
    pub(in crate::balance) fn of(
        state: &'all Match,
        joining: &'all [Player],
        policy: &Policy,
    ) -> Result<Self, MissingWeight> {
        let by_id = |team: &'all [Player]| -> Vec<&'all Player> {
            let mut players: Vec<&Player> = team.iter().collect();
            players.sort_unstable_by_key(|player| player.id);
            players
        };
        let (team_a, team_b) = (by_id(&state.team_a), by_id(&state.team_b));
        let joining = by_id(joining);
        let all = [team_a.clone(), team_b.clone(), joining.clone()].concat();
        Ok(Self {
            powers: weigh(&all, policy.weigh, policy.party_multipliers)?,
            team_a,
            team_b,
            joining,
            bots: state.bots,
            bot_figure: policy.bots().map(|filling| filling.bot_weight),
            handicap: state.handicap,
            weighs_handicap: policy.goes_by_ratings(),
            bots_are_rated: state.bots.are_rated && policy.fills_by_ratings(),
        })
    }

    pub(in crate::balance) fn team(&self, side: Side) -> &[&'all Player] {
        match side {
            Side::A => &self.team_a,
            Side::B => &self.team_b,
        }
    }

    pub(in crate::balance) fn power(&self, player: &Player) -> Power {
        // Every player here has been weighed.
        self.powers.get(&player.id).copied().unwrap_or_default()
    }

    /// Returns the strength of a team's bots if their number becomes `count`; zero if the policy does not count bots.
    pub(in crate::balance) fn bots_power(&self, side: Side, count: usize) -> Power {
        let figure = self.bot_figure;
        figure.map_or(Power::ZERO, |figure| self.bots.power(side, count, figure))
    }

    /// Returns the strength by which a player raises a team's lead: the player's weight less
    /// [`extra_player`](Self::extra_player).
    pub(in crate::balance) fn value(&self, player: &Player) -> Power {
        self.power(player) - self.extra_player()
    }

    /// Returns the points that are subtracted from each player's strength, as the handicap of a larger team.
    pub(in crate::balance) fn extra_player(&self) -> Power {
        Power::of_points(self.weighed_handicap().extra_player)
    }

    /// Returns the points by which the handicap (advantage beyond ratings) puts team a ahead at equal sizes; negative
    /// if team b is ahead.
    pub(in crate::balance) fn lean(&self) -> Power {
        Power::of_points(self.weighed_handicap().lean)
    }

    /// Returns the maximum number of points that the handicap (advantage beyond ratings) can add to a team's lead.
    pub(in crate::balance) fn beyond(&self) -> Power {
        self.weighed_handicap().reach(self.powers.len())
    }

    fn weighed_handicap(&self) -> Handicap {
        if self.weighs_handicap {
            self.handicap
        } else {
            Handicap::default()
        }
    }

    /// Returns the sizes, strengths and ratings of the teams, without joining players.
    pub(in crate::balance) fn tally(&self) -> Tally {
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
                self.join(&mut tally, side, player);
            }
        }
        tally
    }

    pub(in crate::balance) fn join(&self, tally: &mut Tally, side: Side, player: &Player) {
        let team = tally.team_mut(side);
        team.size += 1;
        team.power = team.power + self.power(player);
        team.rating += i64::from(player.rating.points());
    }

    pub(in crate::balance) fn cross(&self, tally: &mut Tally, from: Side, player: &Player) {
        let team = tally.team_mut(from);
        team.size -= 1;
        team.power = team.power - self.power(player);
        team.rating -= i64::from(player.rating.points());
        self.join(tally, from.other(), player);
    }

    /// Returns the movable players of a team, and all its other players with the reasons. Movable players are sorted by
    /// points, then by time in the match, both ascending.
    pub(in crate::balance) fn movable(
        &self,
        side: Side,
        policy: &Policy,
    ) -> (Vec<&'all Player>, Vec<(PlayerId, Ineligible)>) {
        let present = [self.team_a.clone(), self.team_b.clone()].concat();
        let team = self.team(side);
        let out = ineligible(team, &present, &self.powers, policy.eligible);
        let mut movable: Vec<&Player> = team
            .iter()
            .copied()
            .filter(|player| !out.contains_key(&player.id))
            .collect();
        movable.sort_unstable_by_key(|player| {
            let joined = player.joined_seconds.unwrap_or(u32::MAX);
            (player.points.unwrap_or(0), joined, player.id)
        });
        let mut out: Vec<(PlayerId, Ineligible)> = out.into_iter().collect();
        out.sort_unstable_by_key(|(id, _)| *id);
        (movable, out)
    }
}

/// Joining players who are placed on one team.
#[derive(Debug)]
pub(in crate::balance) struct Group<'all> {
    pub(in crate::balance) players: Vec<&'all Player>,
    pub(in crate::balance) power: Power,
    /// Team on which members of these players' party play, if only one team has members.
    pub(in crate::balance) fixed: Option<Side>,
}

/// Groups the joining players by party: the largest parties first, then the heaviest.
pub(in crate::balance) fn groups<'all>(weighed: &WeighedMatch<'all>) -> Vec<Group<'all>> {
    let has = |side: Side, party: &PartyName| {
        let mut team = weighed.team(side).iter();
        team.any(|player| player.party.as_ref() == Some(party))
    };
    let mut groups: Vec<Group> = by_party(&weighed.joining)
        .into_iter()
        .map(|players| {
            let party = players.first().and_then(|player| player.party.as_ref());
            let friends = party.map(|party| (has(Side::A, party), has(Side::B, party)));
            Group {
                power: players.iter().map(|player| weighed.power(player)).sum(),
                fixed: match friends {
                    Some((true, false)) => Some(Side::A),
                    Some((false, true)) => Some(Side::B),
                    _ => None,
                },
                players,
            }
        })
        .collect();
    groups.sort_by_key(|group| {
        let first = group.players.first().map(|player| player.id);
        (std::cmp::Reverse((group.players.len(), group.power)), first)
    });
    groups
}
