use super::prices::Prices;
use super::shape::Step;
use super::slack::Slack;
use super::split::Seat;

/// What one run of the exact method is to go by.
#[derive(Debug)]
pub(super) struct Rules {
    /// The ratings, less the lowest of them, divided by what divides all of these: the differences
    /// of equal teams are the same numbers, only smaller.
    pub(super) points: Vec<i64>,
    /// By player: the seats that are open.
    pub(super) seats: Vec<&'static [Seat]>,
    /// What the seats cost.
    pub(super) prices: Prices,
    /// Whether parties may be split.
    pub(super) parties: Parties,
    /// The most players of a team.
    pub(super) most: usize,
    /// The greatest differences that are looked for.
    pub(super) slack: Slack,
}

/// Whether parties may be split.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Parties {
    /// All of them are kept.
    MustKeep,
    /// For this price each.
    MaySplit(u64),
}

/// Whether a table counts Σ_A - Σ_B or Σ_B - Σ_A.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sign {
    Plus,
    Minus,
}

impl Sign {
    /// The difference, of Σ_A - Σ_B, as the table counts it.
    pub(super) fn of(self, difference: i64) -> i64 {
        match self {
            Self::Plus => difference,
            Self::Minus => -difference,
        }
    }
}

impl Rules {
    /// The seats that are open to `player`.
    pub(super) fn seats(&self, player: usize) -> &[Seat] {
        self.seats[player]
    }

    /// What `player` adds by taking `seat`, as if all were told.
    pub(super) fn step(&self, player: usize, seat: Seat, sign: Sign) -> Step {
        Step {
            a: usize::from(seat == Seat::A),
            b: usize::from(seat == Seat::B),
            difference: sign.of(seat.weight() * self.points[player]),
            price: self.prices.of_seat(player, seat),
            untold: 0,
        }
    }
}

/// Whether each of `seats` is among the open ones of its player.
pub(super) fn are_open(seats: &[Seat], open: &[&[Seat]]) -> bool {
    let mut players = seats.iter().zip(open);
    players.all(|(seat, open)| open.contains(seat))
}

#[cfg(test)]
pub(super) mod generators {
    use super::super::brief::Brief;
    use super::{Parties, Prices, Rules, Seat, Slack};

    /// All seats open to everybody, parties to be split for their price, and only even splits of teams of
    /// `most` looked for.
    pub(in super::super) fn rules(brief: &Brief<'_>, prices: Prices, most: usize) -> Rules {
        Rules {
            points: brief.points.clone(),
            seats: vec![&[Seat::A, Seat::B, Seat::Waiting]; brief.points.len()],
            parties: Parties::MaySplit(prices.party),
            prices,
            most,
            slack: Slack::new([(most, 0)]),
        }
    }
}
