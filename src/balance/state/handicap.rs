use super::Power;

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
