use super::split::Seat;

/// The greatest change of the difference, in units, that a single exchange is looked up for, even where
/// there are greater ones.
const REACH: i64 = 1 << 15;

/// The exchanges of two players' seats, by what they change.
pub(super) struct Exchanges {
    movable: Vec<Movable>,
    listed: Vec<Exchange>,
    /// By change of the difference plus the greatest: one more than the place of an exchange that makes
    /// it, or 0.
    by_change: Vec<u16>,
    /// The greatest change that is looked up.
    greatest: i64,
}

/// Who may change seats.
struct Movable {
    player: usize,
    /// In units.
    points: i64,
    /// A bit for each of the open seats, and that of the present one.
    open: u8,
    seat: u8,
    /// With which the present seat counts.
    weight: i64,
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

impl Exchanges {
    /// Between the `movable`, ascending, of the players with these ratings, descending, and open seats; none
    /// is listed yet.
    pub(super) fn new(points: &[i64], open: &[&[Seat]], movable: &[usize]) -> Self {
        let range = match (movable.first(), movable.last()) {
            (Some(&highest), Some(&lowest)) => points[highest] - points[lowest],
            _ => 0,
        };
        // Between the teams an exchange counts twice.
        let greatest = (2 * range).min(REACH);
        let bits = |open: &&[Seat]| open.iter().fold(0, |bits, seat| bits | bit(*seat));
        let movable = movable.iter().map(|&player| Movable {
            player,
            points: points[player],
            open: bits(&open[player]),
            seat: 0,
            weight: 0,
        });
        Self {
            movable: movable.collect(),
            listed: Vec::new(),
            by_change: Vec::new(),
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
        // Many are never asked for, since teams of two need none.
        let room = usize::try_from(2 * self.greatest + 1);
        self.by_change.resize(room.unwrap_or_default(), 0);
        for listed in self.listed.drain(..) {
            if let Some(place) = place(listed.change, self.greatest) {
                self.by_change[place] = 0;
            }
        }
        for movable in &mut self.movable {
            let seat = seats[movable.player];
            (movable.seat, movable.weight) = (bit(seat), seat.weight());
        }
        for (index, one) in self.movable.iter().enumerate() {
            for other in &self.movable[index + 1..] {
                if one.seat == other.seat
                    || one.open & other.seat == 0
                    || other.open & one.seat == 0
                {
                    continue;
                }
                let change = (other.weight - one.weight) * (one.points - other.points);
                let exchange = Exchange {
                    one: one.player,
                    other: other.player,
                    change,
                };
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
