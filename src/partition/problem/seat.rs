//! Where players go, and what follows from their seats alone.

/// Where a player of the pool goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Seat {
    A,
    B,
    Waiting,
}

impl Seat {
    /// How often a rating in this seat counts into Σ_A - Σ_B.
    pub(crate) fn weight(self) -> i64 {
        match self {
            Self::A => 1,
            Self::B => -1,
            Self::Waiting => 0,
        }
    }

    /// The same seat when the teams change names.
    pub(crate) fn opposite(self) -> Self {
        match self {
            Self::A => Self::B,
            Self::B => Self::A,
            Self::Waiting => Self::Waiting,
        }
    }
}

/// Σ_A - Σ_B of these seats; both lists are by player.
pub(crate) fn difference(seats: &[Seat], points: &[i64]) -> i64 {
    let everybody = seats.iter().zip(points);
    everybody.map(|(seat, points)| seat.weight() * points).sum()
}

/// The same teams, that of the best player who plays being A.
pub(crate) fn leader_first(seats: &[Seat]) -> Vec<Seat> {
    let leader = seats.iter().find(|seat| **seat != Seat::Waiting);
    if leader == Some(&Seat::B) {
        seats.iter().map(|seat| seat.opposite()).collect()
    } else {
        seats.to_vec()
    }
}

/// Whether a party is on one team or waits as one.
pub(crate) fn is_kept(party: &[usize], seats: &[Seat]) -> bool {
    party.iter().all(|&member| seats[member] == seats[party[0]])
}

/// Whether two players are on one team.
pub(crate) fn is_together((one, other): (usize, usize), seats: &[Seat]) -> bool {
    seats[one] == seats[other] && seats[one] != Seat::Waiting
}

/// How many players change teams between two seatings; the sides are interchangeable, so the way
/// round that moves fewer counts.
pub(crate) fn moves(from: &[Seat], to: &[Seat]) -> usize {
    let pairs = || from.iter().zip(to);
    let changed = pairs().filter(|(from, to)| **from != Seat::Waiting && **to == from.opposite());
    let stayed = pairs().filter(|(from, to)| **from != Seat::Waiting && to == from);
    changed.count().min(stayed.count())
}

/// By how many rating points the standard deviations of the teams differ; both lists are by player.
pub(crate) fn gap(seats: &[Seat], points: &[i64]) -> f64 {
    let [a, b, _] = Team::all(seats, points);
    (a.deviation() - b.deviation()).abs()
}

/// The ratings of the players in a seat.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Team {
    pub(crate) players: i64,
    pub(crate) sum: i64,
    /// The sum of the squares.
    pub(crate) squares: i64,
}

impl Team {
    /// Those on A, those on B, and those who wait; both lists are by player.
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

    /// The population standard deviation, 0 where there is nobody.
    #[expect(
        clippy::cast_precision_loss,
        reason = "both terms are exact integers, the root is only compared and shown"
    )]
    pub(crate) fn deviation(&self) -> f64 {
        // n·Σx² - (Σx)²: with 64 players of 1,000,000 each that is far below 2^63.
        let variance = self.players * self.squares - self.sum * self.sum;
        (variance as f64).sqrt() / self.players.max(1) as f64
    }
}
