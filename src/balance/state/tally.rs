use super::Power;
use crate::domain::{Handicap, Probability, Side};
use crate::rating::win_probability;

/// Sizes, strengths (sums of player weights) and rating sums of two teams.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    pub(crate) a: TeamTally,
    pub(crate) b: TeamTally,
    /// Advantage of a team in the odds, beyond its players' ratings, in points.
    pub(crate) handicap: Handicap,
    /// `true` if a team's handicap (advantage beyond ratings) also counts in its weight, because weights are ratings.
    pub(crate) weighs_handicap: bool,
    /// `true` if the teams' weights are sums of ratings that include the ratings of bots.
    pub(crate) bots_are_rated: bool,
}

/// Size, strength (sum of player weights) and rating sum of one team.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TeamTally {
    /// Number of players on the team, without bots.
    pub(crate) size: usize,
    pub(crate) bots: usize,
    /// Strength of the team: sum of its players' weights under the balance policy, such as ratings; includes bots if
    /// the policy counts them.
    pub(crate) power: Power,
    /// Sum of the ratings of the team's players, in points.
    pub(crate) rating: i64,
}

impl Tally {
    pub(crate) fn team(&self, side: Side) -> &TeamTally {
        match side {
            Side::A => &self.a,
            Side::B => &self.b,
        }
    }

    pub(crate) fn team_mut(&mut self, side: Side) -> &mut TeamTally {
        match side {
            Side::A => &mut self.a,
            Side::B => &mut self.b,
        }
    }

    /// Returns the lead of team a in strength (sum of player weights, in points); negative if team b leads.
    pub(crate) fn lead(&self) -> Power {
        self.lead_of(Side::A)
    }

    /// Returns the lead of this team in strength (sum of player weights, in points); negative if the other team leads.
    pub(crate) fn lead_of(&self, side: Side) -> Power {
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

    pub(crate) fn total(&self) -> Power {
        self.a.power + self.b.power
    }

    /// Returns the advantage of team a beyond the ratings, in points.
    fn ahead(&self) -> i64 {
        self.handicap.ahead(self.a.size, self.b.size)
    }

    /// Returns the points by which team a leads for the win probability, from ratings and handicap. Negative if team b
    /// leads. Ratings of bots are included if they are known.
    pub(crate) fn odds_lead(&self) -> i64 {
        if self.bots_are_rated {
            let heads = |team: &TeamTally| team.size + team.bots;
            let ahead = self.handicap.ahead(heads(&self.a), heads(&self.b));
            (self.a.power - self.b.power).whole_points() + ahead
        } else {
            self.a.rating - self.b.rating + self.ahead()
        }
    }

    /// Returns the probability that team a wins (F1), by the ratings and the handicap.
    pub(crate) fn win_probability_a(&self, theta: f64) -> Probability {
        win_probability(self.odds_lead(), 0, theta)
    }

    pub(crate) fn larger(&self) -> Side {
        if self.b.size > self.a.size {
            Side::B
        } else {
            Side::A
        }
    }

    pub(crate) fn stronger(&self) -> Side {
        if self.lead() < Power::ZERO {
            Side::B
        } else {
            Side::A
        }
    }
}

impl Handicap {
    /// Returns the advantage of team a beyond the ratings, in points, if the teams have `a` and `b` players.
    pub(crate) fn ahead(self, a: usize, b: usize) -> i64 {
        self.lean - self.extra_player * (whole(a) - whole(b))
    }

    /// Returns the maximum advantage that this handicap gives a team in a match of this many players.
    pub(crate) fn reach(self, players: usize) -> Power {
        Power::of_points(self.lean.abs() + self.extra_player.abs() * whole(players))
    }
}

fn whole(players: usize) -> i64 {
    i64::try_from(players).unwrap_or(i64::MAX)
}
