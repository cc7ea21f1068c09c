use super::Power;
use crate::domain::{Probability, Side};
use crate::rating::win_probability;

/// How two teams stand: sizes, powers and ratings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Team a.
    pub a: TeamTally,
    /// Team b.
    pub b: TeamTally,
    /// What counts for the odds besides the ratings.
    pub handicap: Handicap,
    /// Whether that counts for what the teams weigh too, which it does where that is the ratings.
    pub weighs_handicap: bool,
    /// Whether the powers are ratings, and those of bots are among them.
    pub bots_are_rated: bool,
}

/// How one team stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TeamTally {
    /// Players, without bots.
    pub size: usize,
    /// Bots.
    pub bots: usize,
    /// What the players weigh, with the bots where the policy counts them.
    pub power: Power,
    /// The sum of the players' ratings.
    pub rating: i64,
}

impl Tally {
    /// One of the teams.
    #[must_use]
    pub fn team(&self, side: Side) -> &TeamTally {
        match side {
            Side::A => &self.a,
            Side::B => &self.b,
        }
    }

    pub(in crate::balance) fn team_mut(&mut self, side: Side) -> &mut TeamTally {
        match side {
            Side::A => &mut self.a,
            Side::B => &mut self.b,
        }
    }

    /// By how much team a weighs more; below zero where it weighs less.
    #[must_use]
    pub fn lead(&self) -> Power {
        self.lead_of(Side::A)
    }

    /// By how much this team weighs more than the other; below zero where it weighs less.
    pub(in crate::balance) fn lead_of(&self, side: Side) -> Power {
        let lead = self.team(side).power - self.team(side.other()).power;
        let ahead = if self.weighs_handicap {
            Power::of_points(self.ahead())
        } else {
            Power::ZERO
        };
        match side {
            Side::A => lead + ahead,
            Side::B => lead - ahead,
        }
    }

    /// What both weigh.
    #[must_use]
    pub fn total(&self) -> Power {
        self.a.power + self.b.power
    }

    /// By how many players the sizes differ.
    #[must_use]
    pub fn size_difference(&self) -> usize {
        self.a.size.abs_diff(self.b.size)
    }

    /// What team a is ahead by besides the ratings, in points.
    fn ahead(&self) -> i64 {
        self.handicap.ahead(self.a.size, self.b.size)
    }

    /// By how many points team a is ahead in what the odds come from: the ratings, and the handicap; below zero where
    /// it is behind. Ratings of bots are among them where they are known.
    #[must_use]
    pub fn odds_lead(&self) -> i64 {
        if self.bots_are_rated {
            let heads = |team: &TeamTally| team.size + team.bots;
            let ahead = self.handicap.ahead(heads(&self.a), heads(&self.b));
            (self.a.power - self.b.power).whole_points() + ahead
        } else {
            self.a.rating - self.b.rating + self.ahead()
        }
    }

    /// F1, by the ratings and the handicap: the probability that team a wins.
    #[must_use]
    pub fn win_probability_a(&self, theta: f64) -> Probability {
        win_probability(self.odds_lead(), 0, theta)
    }

    pub(in crate::balance) fn larger(&self) -> Side {
        if self.b.size > self.a.size {
            Side::B
        } else {
            Side::A
        }
    }

    pub(in crate::balance) fn stronger(&self) -> Side {
        if self.lead() < Power::ZERO {
            Side::B
        } else {
            Side::A
        }
    }
}

/// What a team is ahead by besides its players' ratings, as the model knows that they come from, in points. Where
/// nothing is known it is nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Handicap {
    /// What team a is ahead by before anybody plays: for its side, and for the map.
    pub lean: i64,
    /// What is to be taken from the sum of a team for each player that it has more.
    pub extra_player: i64,
}

impl Handicap {
    /// What team a is ahead by, where teams have so many players.
    pub(in crate::balance) fn ahead(self, a: usize, b: usize) -> i64 {
        self.lean - self.extra_player * (whole(a) - whole(b))
    }

    /// The farthest that it takes teams of so many players in all apart.
    pub(in crate::balance) fn reach(self, players: usize) -> Power {
        Power::of_points(self.lean.abs() + self.extra_player.abs() * whole(players))
    }
}

fn whole(players: usize) -> i64 {
    i64::try_from(players).unwrap_or(i64::MAX)
}
