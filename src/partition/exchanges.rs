use super::split::Seat;

/// The greatest change of the difference, in units, that a single exchange is looked up for.
const REACH: i64 = 4096;

/// Between how many players exchanges are looked for at first: they are enough for most pools.
const FEW: usize = 14;

/// The exchanges of two players' seats, by what they change.
pub(super) struct Exchanges<'pool> {
    /// By player, in units.
    points: &'pool [i64],
    /// By player: a bit for each of the open seats.
    open: Vec<u8>,
    /// Who may change seats.
    movable: Vec<usize>,
    /// Some of them, from all over the pool.
    few: Vec<usize>,
    listed: Vec<Exchange>,
    /// By change of the difference and [`REACH`]: one more than the place of an exchange that makes
    /// it, or 0.
    by_change: Vec<u16>,
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
    /// Between the `movable` of the players with these ratings and open seats; none is listed yet.
    pub(super) fn new(points: &'pool [i64], open: &[Vec<Seat>], movable: Vec<usize>) -> Self {
        let changes = usize::try_from(2 * REACH + 1).unwrap_or_default();
        let bits = |open: &Vec<Seat>| open.iter().fold(0, |bits, seat| bits | bit(*seat));
        let few = movable.len().min(FEW);
        let few = (0..few).map(|turn| movable[turn * movable.len() / few]);
        Self {
            points,
            open: open.iter().map(bits).collect(),
            few: few.collect(),
            movable,
            listed: Vec::new(),
            by_change: vec![0; changes],
        }
    }

    /// Whether there are others than those between a few.
    pub(super) fn has_more(&self) -> bool {
        self.few.len() < self.movable.len()
    }

    /// Those that are listed.
    pub(super) fn listed(&self) -> &[Exchange] {
        &self.listed
    }

    /// Lists those that are open at these `seats`, all of them or those between a few.
    pub(super) fn list(&mut self, seats: &[Seat], between_few: bool) {
        for listed in self.listed.drain(..) {
            if let Some(place) = place(listed.change) {
                self.by_change[place] = 0;
            }
        }
        let players = if between_few {
            &self.few
        } else {
            &self.movable
        };
        for (index, &one) in players.iter().enumerate() {
            let (seat, open, points) = (seats[one], self.open[one], self.points[one]);
            for &other in &players[index + 1..] {
                let to = seats[other];
                if seat == to || open & bit(to) == 0 || self.open[other] & bit(seat) == 0 {
                    continue;
                }
                let change = (to.weight() - seat.weight()) * (points - self.points[other]);
                self.listed.push(Exchange { one, other, change });
                if let Some(place) = place(change) {
                    // 128 players have fewer exchanges.
                    let number = u16::try_from(self.listed.len());
                    self.by_change[place] = number.unwrap_or_default();
                }
            }
        }
    }

    /// An exchange, or two that do not meet, that add `change`.
    pub(super) fn look_up(&self, change: i64) -> Option<[Option<Exchange>; 2]> {
        let listed = |change: i64| {
            let number = usize::from(self.by_change[place(change)?]);
            Some(self.listed[number.checked_sub(1)?])
        };
        if let Some(found) = listed(change) {
            return Some([Some(found), None]);
        }
        self.listed.iter().find_map(|one| {
            let other = listed(change - one.change)?;
            (!one.meets(other)).then_some([Some(*one), Some(other)])
        })
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

/// Where a change of the difference is looked up.
fn place(change: i64) -> Option<usize> {
    let place = usize::try_from(change + REACH).ok();
    place.filter(|_| change <= REACH)
}
