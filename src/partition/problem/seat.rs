//! Seats of players (team A, team B or waiting), and figures that follow from seats alone.

/// Assignment of a player to a team or to the bench.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Seat {
    A,
    B,
    Waiting,
}

impl Seat {
    /// Returns the factor of a player's rating in Σ_A - Σ_B: 1, -1 or 0.
    pub(crate) fn weight(self) -> i64 {
        match self {
            Self::A => 1,
            Self::B => -1,
            Self::Waiting => 0,
        }
    }

    pub(crate) fn opposite(self) -> Self {
        match self {
            Self::A => Self::B,
            Self::B => Self::A,
            Self::Waiting => Self::Waiting,
        }
    }
}

/// Returns the difference of the teams' rating sums, Σ_A - Σ_B, from each player's seat and rating.
pub(crate) fn difference(seats: &[Seat], points: &[i64]) -> i64 {
    let everybody = seats.iter().zip(points);
    everybody.map(|(seat, points)| seat.weight() * points).sum()
}

/// Renames the teams if necessary, so that the best seated player is on A.
pub(crate) fn leader_first(seats: &[Seat]) -> Vec<Seat> {
    let leader = seats.iter().find(|seat| **seat != Seat::Waiting);
    if leader == Some(&Seat::B) {
        seats.iter().map(|seat| seat.opposite()).collect()
    } else {
        seats.to_vec()
    }
}

/// Returns `true` if all members of a party are on one team, or all wait.
pub(crate) fn is_kept(party: &[usize], seats: &[Seat]) -> bool {
    party.iter().all(|&member| seats[member] == seats[party[0]])
}

pub(crate) fn is_together((one, other): (usize, usize), seats: &[Seat]) -> bool {
    seats[one] == seats[other] && seats[one] != Seat::Waiting
}

/// Returns the number of players who change teams between two splits. Team names may be exchanged, and the orientation
/// with fewer moves counts.
pub(crate) fn moves(from: &[Seat], to: &[Seat]) -> usize {
    let pairs = || from.iter().zip(to);
    let changed = pairs().filter(|(from, to)| **from != Seat::Waiting && **to == from.opposite());
    let stayed = pairs().filter(|(from, to)| **from != Seat::Waiting && to == from);
    changed.count().min(stayed.count())
}

/// Returns the absolute difference of the teams' standard deviations of ratings, in points.
pub(crate) fn gap(seats: &[Seat], points: &[i64]) -> f64 {
    let [a, b, _] = Team::all(seats, points);
    (a.deviation() - b.deviation()).abs()
}

/// Number of players, sum of ratings and sum of squared ratings on a team or on the bench.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Team {
    pub(crate) players: i64,
    pub(crate) sum: i64,
    pub(crate) squares: i64,
}

impl Team {
    /// Returns the number of players and the sums of ratings on team A, team B and the bench, in this order. `seats`
    /// and `points` hold each player's seat and rating.
    pub(crate) fn all(seats: &[Seat], points: &[i64]) -> [Self; 3] {
        let mut teams = [Self::default(); 3];
        for (seat, points) in seats.iter().zip(points) {
            let team = &mut teams[*seat as usize];
            team.players += 1;
            team.sum += points;
            team.squares += points * points;
        }
        teams
    }

    /// Returns the population standard deviation of the players' ratings, or 0 without players.
    #[expect(
        clippy::cast_precision_loss,
        reason = "both terms are exact integers, the root is only compared and shown"
    )]
    pub(crate) fn deviation(&self) -> f64 {
        // n·Σx² - (Σx)² stays far below 2^63 for 64 players of 1,000,000 points each.
        let variance = self.players * self.squares - self.sum * self.sum;
        (variance as f64).sqrt() / self.players.max(1) as f64
    }
}
