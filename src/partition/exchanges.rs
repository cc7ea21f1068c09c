use super::split::Seat;

/// The greatest change of the difference, in units, that a single exchange is looked up for, even where
/// there are greater ones.
const REACH: i64 = 1 << 15;

/// The exchanges of two players' seats, by what they change.
pub(super) struct Exchanges<'pool> {
    /// By player, in units.
    points: &'pool [i64],
    /// By player: a bit for each of the open seats.
    open: Vec<u8>,
    /// Who may change seats.
    movable: Vec<usize>,
    listed: Vec<Exchange>,
    /// By change of the difference plus the greatest: one more than the place of an exchange that makes
    /// it, or 0.
    by_change: Vec<u16>,
    /// The greatest change that is looked up.
    greatest: i64,
}

/// Two players who change seats with each other.
#[derive(Clone, Copy)]
pub(super) struct Exchange {
    one: usize,
    other: usize,
    /// What it adds to Σ_A - Σ_B.
    pub(super) change: i64,
}

impl Exchange {
    pub(super) fn make(self, seats: &mut [Seat]) {
        seats.swap(self.one, self.other);
    }

    fn meets(self, other: Self) -> bool {
        [self.one, self.other]
            .iter()
            .any(|player| [other.one, other.other].contains(player))
    }
}

impl<'pool> Exchanges<'pool> {
    /// Between the `movable`, ascending, of the players with these ratings, descending, and open seats; none
    /// is listed yet.
    pub(super) fn new(points: &'pool [i64], open: &[&[Seat]], movable: Vec<usize>) -> Self {
        let range = match (movable.first(), movable.last()) {
            (Some(&highest), Some(&lowest)) => points[highest] - points[lowest],
            _ => 0,
        };
        // Between the teams an exchange counts twice.
        let greatest = (2 * range).min(REACH);
        let changes = usize::try_from(2 * greatest + 1).unwrap_or_default();
        let bits = |open: &&[Seat]| open.iter().fold(0, |bits, seat| bits | bit(*seat));
        Self {
            points,
            open: open.iter().map(bits).collect(),
            movable,
            listed: Vec::new(),
            by_change: vec![0; changes],
            greatest,
        }
    }

    /// Those that are listed: all that are open, where none was found.
    pub(super) fn listed(&self) -> &[Exchange] {
        &self.listed
    }

    /// An exchange, or two that do not meet, that add one of these `changes` to the difference, of
    /// those that are open at these `seats`. If there are none, all that are open are listed.
    pub(super) fn find(
        &mut self,
        seats: &[Seat],
        changes: &[i64],
    ) -> Option<[Option<Exchange>; 2]> {
        for listed in self.listed.drain(..) {
            if let Some(place) = place(listed.change, self.greatest) {
                self.by_change[place] = 0;
            }
        }
        for (index, &one) in self.movable.iter().enumerate() {
            let (seat, open, points) = (seats[one], self.open[one], self.points[one]);
            for &other in &self.movable[index + 1..] {
                let to = seats[other];
                if seat == to || open & bit(to) == 0 || self.open[other] & bit(seat) == 0 {
                    continue;
                }
                let change = (to.weight() - seat.weight()) * (points - self.points[other]);
                let exchange = Exchange { one, other, change };
                for wanted in changes {
                    if change == *wanted {
                        return Some([Some(exchange), None]);
                    }
                    let second = self.listed_with(wanted - change);
                    if let Some(second) = second.filter(|second| !exchange.meets(*second)) {
                        return Some([Some(exchange), Some(second)]);
                    }
                }
                self.listed.push(exchange);
                if let Some(place) = place(change, self.greatest) {
                    // 128 players have fewer exchanges than that counts.
                    let number = u16::try_from(self.listed.len());
                    self.by_change[place] = number.unwrap_or_default();
                }
            }
        }
        None
    }

    /// A listed one that adds `change`.
    fn listed_with(&self, change: i64) -> Option<Exchange> {
        let number = usize::from(self.by_change[place(change, self.greatest)?]);
        Some(self.listed[number.checked_sub(1)?])
    }
}

/// One bit for every seat.
fn bit(seat: Seat) -> u8 {
    match seat {
        Seat::A => 1,
        Seat::B => 2,
        Seat::Waiting => 4,
    }
}

/// Where a change of the difference is looked up, if it is no more than the greatest.
fn place(change: i64, greatest: i64) -> Option<usize> {
    let place = usize::try_from(change + greatest).ok();
    place.filter(|_| change <= greatest)
}
