use super::{Pick, Power};
use crate::domain::{Handicap, ModeName, PartyName, PlayerId, Rating, Side};

/// A player of a match, or one who joins, as reported by the plugin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Player {
    /// Id of the player.
    pub id: PlayerId,
    /// Rating in the pool; the initial rating for an unknown player.
    pub rating: Rating,
    /// Weight (strength) that the plugin sent for the player, in points.
    pub weight: Option<Power>,
    /// Points of the player in this match so far.
    pub points: Option<i32>,
    /// Name of the party whose members want to stay together.
    pub party: Option<PartyName>,
    /// `true` if the player must not be moved now, for example with the flag or while building.
    pub immune: bool,
    /// `true` if the player was moved in this match already.
    pub moved: bool,
    /// Time that the player has been in the match, in seconds.
    pub joined_seconds: Option<u32>,
}

impl Player {
    /// Returns a player with a rating and no other data.
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

    /// Returns the sort key of players who may be moved: by points, then by time in the match, both ascending.
    pub(crate) fn move_rank(&self) -> (i32, u32, PlayerId) {
        let joined = self.joined_seconds.unwrap_or(u32::MAX);
        (self.points.unwrap_or(0), joined, self.id)
    }
}

/// Current state of a match of two teams. Each player appears once; the order of players is irrelevant.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Match {
    /// Players of team a, without bots.
    pub team_a: Vec<Player>,
    /// Players of team b, without bots.
    pub team_b: Vec<Player>,
    /// Game modes of the match.
    pub modes: Vec<ModeName>,
    /// Remaining time of the round, in seconds.
    pub seconds_left: Option<u32>,
    /// Numbers and weights of the match's bots.
    pub bots: Bots,
    /// Random draw among the best moves or placements; `None` takes the best one.
    pub pick: Option<Pick>,
    /// Advantage of a team beyond its players' ratings, in points.
    pub handicap: Handicap,
}

/// Numbers and weights of a match's bots, and the number of players that the map is made for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Bots {
    /// Number of bots on team a.
    pub a: usize,
    /// Number of bots on team b.
    pub b: usize,
    /// Sum of the strengths of the bots on team a, if the strength of each is known.
    pub sum_a: Option<Power>,
    /// Sum of the strengths of the bots on team b, if the strength of each is known.
    pub sum_b: Option<Power>,
    /// Average weight (strength) of a bot, and the weight of each added bot. `None` for the average of the known
    /// weights, else the policy's value.
    pub weight: Option<Power>,
    /// `true` if the weights of bots are ratings.
    pub are_rated: bool,
    /// Minimum and maximum number of players that the map is made for.
    pub map_players: Option<(usize, usize)>,
}

impl Bots {
    /// Returns the number of bots on a team.
    #[must_use]
    pub fn on(&self, side: Side) -> usize {
        match side {
            Side::A => self.a,
            Side::B => self.b,
        }
    }

    /// Returns the average strength of a bot. `figure` is the policy's strength of a bot, for bots of unknown strength.
    pub(crate) fn mean(&self, figure: Power) -> Power {
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

    /// Returns the strength of a team's bots if their number becomes `count`.
    ///
    /// Each added bot weighs the average of all bots. Each removed bot weighs the average of its team, because any of
    /// them may leave.
    pub(crate) fn power(&self, side: Side, count: usize, figure: Power) -> Power {
        let mean = self.mean(figure);
        let present = self.on(side);
        let known = match side {
            Side::A => self.sum_a,
            Side::B => self.sum_b,
        };
        let sum = known.unwrap_or(mean * present);
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
