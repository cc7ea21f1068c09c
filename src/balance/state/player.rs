use std::collections::BTreeMap;

use super::{Handicap, Pick, Power};
use crate::domain::{ModeName, PartyName, PlayerId, Rating, Side};

/// A player of a match, or one who joins it, as the plugin reports them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Player {
    /// Who.
    pub id: PlayerId,
    /// The rating in the pool, a new player's for somebody unknown.
    pub rating: Rating,
    /// What the player weighs, as the plugin sends it.
    pub weight: Option<Power>,
    /// The points of the player in this match so far.
    pub points: Option<i32>,
    /// The friends whom the player wants to stay with.
    pub party: Option<PartyName>,
    /// Must not be moved just now: carries the flag, or builds.
    pub immune: bool,
    /// Has been moved in this match already.
    pub moved: bool,
    /// For how many seconds the player has been in the match.
    pub joined_seconds: Option<u32>,
}

impl Player {
    /// Somebody of whom no more is known than the rating.
    #[must_use]
    pub fn rated(id: PlayerId, rating: Rating) -> Self {
        Self {
            id,
            rating,
            weight: None,
            points: None,
            party: None,
            immune: false,
            moved: false,
            joined_seconds: None,
        }
    }
}

/// Groups players who are placed together: each party, and everybody else alone.
pub(in crate::balance) fn by_party<'all>(players: &[&'all Player]) -> Vec<Vec<&'all Player>> {
    let mut parties: BTreeMap<&PartyName, Vec<&Player>> = BTreeMap::new();
    let mut groups: Vec<Vec<&Player>> = Vec::new();
    for player in players {
        match &player.party {
            Some(party) => parties.entry(party).or_default().push(player),
            None => groups.push(vec![player]),
        }
    }
    groups.extend(parties.into_values());
    groups
}

/// A match as it stands. Everybody stands in it once; the order of the players means nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Match {
    /// Team a, without bots.
    pub team_a: Vec<Player>,
    /// Team b, without bots.
    pub team_b: Vec<Player>,
    /// What kind of match it is.
    pub modes: Vec<ModeName>,
    /// The seconds left in the round.
    pub seconds_left: Option<u32>,
    /// The bots.
    pub bots: Bots,
    /// Which of the best choices is taken; the very best where nothing is drawn.
    pub pick: Option<Pick>,
    /// What counts besides the ratings.
    pub handicap: Handicap,
}

/// What is known of the bots of a match, and of how many players its map wants.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Bots {
    /// How many stand on team a.
    pub a: usize,
    /// How many stand on team b.
    pub b: usize,
    /// What those on team a weigh together, where it is known of each.
    pub sum_a: Option<Power>,
    /// What those on team b weigh together, where it is known of each.
    pub sum_b: Option<Power>,
    /// What one weighs on average, and so each that comes. Where it is not known, those count of whom
    /// it is, else the policy's figure.
    pub weight: Option<Power>,
    /// Whether these weights are ratings.
    pub are_rated: bool,
    /// The least and the most players that the map is made for.
    pub map_players: Option<(usize, usize)>,
}

impl Bots {
    /// How many stand on a team.
    #[must_use]
    pub fn on(&self, side: Side) -> usize {
        match side {
            Side::A => self.a,
            Side::B => self.b,
        }
    }

    /// What the mean bot weighs, by a policy with that figure.
    pub(in crate::balance) fn mean(&self, figure: Power) -> Power {
        let known = [(self.a, self.sum_a), (self.b, self.sum_b)]
            .into_iter()
            .filter_map(|(count, sum)| Some((count, sum?)));
        let (count, sum) = known.fold((0, Power::ZERO), |(count, sum), one| {
            (count + one.0, sum + one.1)
        });
        self.weight.unwrap_or(if count > 0 {
            sum.share(1, count)
        } else {
            figure
        })
    }

    /// What the bots of a team weigh once there are so many: one that comes weighs as much as the mean
    /// of all, and as nobody knows which one goes, one that goes as much as the mean of its team.
    pub(in crate::balance) fn power(&self, side: Side, count: usize, figure: Power) -> Power {
        let mean = self.mean(figure);
        let present = self.on(side);
        let sum = match side {
            Side::A => self.sum_a,
            Side::B => self.sum_b,
        };
        let sum = sum.unwrap_or(mean * present);
        if count < present {
            sum.share(count, present)
        } else {
            sum + mean * (count - present)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bot_that_goes_is_the_mean_of_its_team_and_one_that_comes_that_of_all() {
        let power = |points| Power::new(points).unwrap();
        let bots = Bots {
            a: 2,
            b: 1,
            sum_a: Some(power(30.0)),
            sum_b: Some(power(60.0)),
            ..Bots::default()
        };
        let after = |bots: &Bots, side, count| bots.power(side, count, power(20.0)).points();
        for (side, count, expected) in [
            (Side::A, 0, 0.0),
            (Side::A, 1, 15.0),
            (Side::A, 2, 30.0),
            (Side::A, 3, 60.0),
            (Side::B, 0, 0.0),
            (Side::B, 3, 120.0),
        ] {
            assert_eq!(after(&bots, side, count), expected, "{side} {count}");
        }
        let told = Bots {
            weight: Some(power(40.0)),
            ..bots
        };
        assert_eq!(after(&told, Side::A, 3), 70.0);
        let unknown = Bots {
            sum_a: None,
            sum_b: None,
            ..bots
        };
        assert_eq!(after(&unknown, Side::A, 3), 60.0);
    }
}
