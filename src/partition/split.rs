use super::brief::Brief;
use super::outcome::Outcome;
use super::pool::Candidate;
#[cfg(test)]
use super::pool::Pool;

/// Where a player of the pool goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Seat {
    A,
    B,
    Waiting,
}

impl Seat {
    /// How often a rating in this seat counts into Σ_A - Σ_B.
    pub(super) fn weight(self) -> i64 {
        match self {
            Self::A => 1,
            Self::B => -1,
            Self::Waiting => 0,
        }
    }

    /// The same seat when the teams change names.
    pub(super) fn opposite(self) -> Self {
        match self {
            Self::A => Self::B,
            Self::B => Self::A,
            Self::Waiting => Self::Waiting,
        }
    }
}

/// How a split was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Method {
    /// By a method that proves that no other split of the size has a smaller difference.
    Exact,
    /// By a heuristic: improving swaps, or an enumeration that was cut short where that found
    /// better.
    Greedy,
}

/// Two disjoint teams of equal size and the players who wait (F7).
///
/// The pool's highest-rated player, of equals the one with the lowest id, is always in team a.
/// Within `a`, `b` and `waiting` players stand by descending rating, equals by ascending id.
#[derive(Clone, Debug, PartialEq)]
pub struct Split {
    /// k: the number of players of each team, at least 1.
    pub size: usize,
    /// Team a, the anchor first.
    pub a: Vec<Candidate>,
    /// Team b.
    pub b: Vec<Candidate>,
    /// Everybody else in the pool.
    pub waiting: Vec<Candidate>,
    /// Σ_A, in rating points.
    pub sum_a: i64,
    /// Σ_B, in rating points.
    pub sum_b: i64,
    /// |Σ_A - Σ_B|, in rating points.
    pub difference: u64,
    /// How the split was found.
    pub method: Method,
    /// Whether it is proven that no split of this size is better: closer or, where wishes trade
    /// that, better at serving them in their order. Without wishes a difference of 0 proves itself,
    /// whatever the method. The likeness of the teams is no part of it.
    pub optimal: bool,
    /// What became of the wishes.
    pub outcome: Outcome,
}

impl Split {
    /// The split that seats the players, in the pool's order, as `seats` says. What the exact
    /// method found is optimal.
    pub(super) fn seated(brief: &Brief<'_>, seats: &[Seat], method: Method) -> Self {
        let seats = leader_first(seats);
        let seated_at = |wanted: Seat| -> Vec<Candidate> {
            let players = seats.iter().filter(|seat| **seat == wanted).count();
            let mut seated = Vec::with_capacity(players);
            let everybody = brief.pool.players().iter().zip(&seats);
            let there = everybody.filter(|&(_, &seat)| seat == wanted);
            seated.extend(there.map(|(&player, _)| player));
            seated
        };
        let sum = |team: &[Candidate]| -> i64 {
            team.iter()
                .map(|player| i64::from(player.rating.points()))
                .sum()
        };
        let (a, b) = (seated_at(Seat::A), seated_at(Seat::B));
        let (sum_a, sum_b) = (sum(&a), sum(&b));
        let difference = sum_a.abs_diff(sum_b);
        Self {
            size: a.len(),
            a,
            b,
            waiting: seated_at(Seat::Waiting),
            sum_a,
            sum_b,
            difference,
            method,
            optimal: method == Method::Exact || difference == 0 && brief.wishes.are_none(),
            outcome: brief.outcome(&seats, difference),
        }
    }

    /// The same split, seen with the wishes of `brief`, of which its method knew nothing.
    pub(super) fn under(self, brief: &Brief<'_>) -> Self {
        let seat = |player: &Candidate| {
            if self.a.contains(player) {
                Seat::A
            } else if self.b.contains(player) {
                Seat::B
            } else {
                Seat::Waiting
            }
        };
        let seats: Vec<Seat> = brief.pool.players().iter().map(seat).collect();
        Self {
            optimal: self.optimal && brief.wishes.are_none(),
            outcome: brief.outcome(&seats, self.outcome.best_difference),
            ..self
        }
    }
}

/// Σ_A - Σ_B of these seats; both lists are by player.
pub(super) fn difference(seats: &[Seat], points: &[i64]) -> i64 {
    let everybody = seats.iter().zip(points);
    everybody.map(|(seat, points)| seat.weight() * points).sum()
}

/// The same teams, that of the best player who plays being A.
pub(super) fn leader_first(seats: &[Seat]) -> Vec<Seat> {
    let leader = seats.iter().find(|seat| **seat != Seat::Waiting);
    if leader == Some(&Seat::B) {
        seats.iter().map(|seat| seat.opposite()).collect()
    } else {
        seats.to_vec()
    }
}

/// What must hold of every split, for the tests of this folder.
#[cfg(test)]
pub(super) fn assert_is_split_of(pool: &Pool, split: &Split) {
    let sorted = |players: &[Candidate]| Pool::new(players.to_vec()).unwrap().players() == players;
    let everybody = [&split.a[..], &split.b, &split.waiting].concat();
    assert_eq!(
        Pool::new(everybody).as_ref(),
        Ok(pool),
        "everybody, once each"
    );
    assert_eq!(split.a.len(), split.size);
    assert_eq!(split.b.len(), split.size);
    assert_eq!(
        split.a.first(),
        pool.players().first(),
        "the anchor leads team a"
    );
    assert!(sorted(&split.a) && sorted(&split.b) && sorted(&split.waiting));
    let sum = |team: &[Candidate]| -> i64 {
        let points = team.iter().map(|player| player.rating.points());
        points.map(i64::from).sum()
    };
    assert_eq!(
        (split.sum_a, split.sum_b),
        (sum(&split.a), sum(&split.b)),
        "the sums"
    );
    assert_eq!(split.difference, split.sum_a.abs_diff(split.sum_b));
    assert!(!split.optimal || split.method == Method::Exact || split.difference == 0);
}
