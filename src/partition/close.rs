use super::rules::are_open;
use super::split::Seat;

/// The greatest change of the difference, in units, that a single exchange is looked up for.
const REACH: i64 = 10_000;

/// How often players are dealt out for one size, and exchanges that are made then at most.
const DEALS: usize = 4;
const EXCHANGES: usize = 6;

/// Finds close splits without tables, and sees of most that none is closer: their difference is 0,
/// or the 1 that an odd sum of all who play leaves at least, or what a player who stands out
/// forces.
///
/// Most pools have many even splits. So the players of a size are dealt out, and one exchange or two
/// together that make up for what that leaves are looked for among all; where there are none, the
/// one that helps most is made, and so on.
pub(super) struct CloseSplits<'pool> {
    /// By player, descending, in units.
    points: &'pool [i64],
    /// By player: the open seats.
    open: &'pool [Vec<Seat>],
    /// Who has one seat together.
    parties: &'pool [Vec<usize>],
    /// Who may change seats alone: neither the two best nor a party's.
    movable: Vec<usize>,
    exchanges: Vec<Exchange>,
    /// By change of the difference and [`REACH`]: one more than the place of an exchange that makes
    /// it, or 0.
    by_change: Vec<u16>,
}

/// A split that was found.
#[derive(Clone, Debug)]
pub(super) struct Close {
    pub(super) seats: Vec<Seat>,
    /// How far from even it is, in units.
    pub(super) difference: i64,
    /// Whether none can be closer.
    pub(super) is_proven: bool,
}

/// Two players who change seats with each other.
#[derive(Clone, Copy)]
struct Exchange {
    one: usize,
    other: usize,
    /// What it adds to Σ_A - Σ_B.
    change: i64,
}

impl Exchange {
    fn make(self, seats: &mut [Seat]) {
        seats.swap(self.one, self.other);
    }

    fn meets(self, other: Self) -> bool {
        [self.one, self.other]
            .iter()
            .any(|player| [other.one, other.other].contains(player))
    }
}

impl<'pool> CloseSplits<'pool> {
    /// Of players with these ratings, descending, these open seats, and parties that must be kept.
    pub(super) fn new(
        points: &'pool [i64],
        open: &'pool [Vec<Seat>],
        parties: &'pool [Vec<usize>],
    ) -> Self {
        let changes = usize::try_from(2 * REACH + 1).unwrap_or_default();
        let is_alone = |player: &usize| !parties.iter().flatten().any(|member| member == player);
        Self {
            points,
            open,
            parties,
            movable: (2..points.len()).filter(is_alone).collect(),
            exchanges: Vec::new(),
            by_change: vec![0; changes],
        }
    }

    /// The closest that is found with teams of `size`, if any is. Without parties, the two best
    /// players are not on one team.
    pub(super) fn find(&mut self, size: usize) -> Option<Close> {
        let mut closest: Option<Close> = None;
        for deal in 0..DEALS {
            let Some(found) = self.find_from(size, deal) else {
                continue;
            };
            if found.is_proven {
                return Some(found);
            }
            let is_closer = |closest: &Close| found.difference < closest.difference;
            if closest.as_ref().is_none_or(is_closer) {
                closest = Some(found);
            }
        }
        closest
    }

    fn find_from(&mut self, size: usize, deal: usize) -> Option<Close> {
        let mut seats = self.deal(size, deal)?;
        let everybody = self.points.iter().zip(&seats);
        let mut difference: i64 = everybody.map(|(points, seat)| seat.weight() * points).sum();
        let least = self.bound(size, difference);
        for _ in 0..EXCHANGES {
            if difference.abs() == least {
                break;
            }
            self.list_exchanges(&seats);
            let found = [least - difference, -least - difference]
                .into_iter()
                .find_map(|change| self.look_up(change));
            if let Some(found) = found {
                for exchange in found {
                    exchange.make(&mut seats);
                    difference += exchange.change;
                }
                break;
            }
            let after = |exchange: &&Exchange| (difference + exchange.change).abs();
            let best = self.exchanges.iter().min_by_key(after);
            let Some(best) = best.filter(|best| after(best) < difference.abs()) else {
                break;
            };
            best.make(&mut seats);
            difference += best.change;
        }
        Some(Close {
            seats,
            difference: difference.abs(),
            is_proven: difference.abs() == least,
        })
    }

    fn may_play(&self, player: usize) -> bool {
        self.open[player].iter().any(|seat| *seat != Seat::Waiting)
    }

    fn must_play(&self, player: usize) -> bool {
        !self.open[player].contains(&Seat::Waiting)
    }

    /// No difference of teams of `size` is less, where `difference` is one of them.
    fn bound(&self, size: usize, difference: i64) -> i64 {
        let everybody = || 0..self.points.len();
        let is_settled = everybody().filter(|player| self.may_play(*player)).count() == 2 * size
            || everybody().filter(|player| self.must_play(*player)).count() == 2 * size;
        // Where it is settled who plays, all differences are odd or all are even.
        let parity = if is_settled { difference & 1 } else { 0 };
        parity.max(self.forced_by_best(size))
    }

    /// What is left if the best player, who must play, has the lowest with him and the highest
    /// against him.
    fn forced_by_best(&self, size: usize) -> i64 {
        match self.points.split_first() {
            Some((best, others)) if self.must_play(0) => {
                let with: i64 = others.iter().rev().take(size - 1).sum();
                let against: i64 = others.iter().take(size).sum();
                best + with - against
            }
            _ => 0,
        }
    }

    /// The parties, and players from all over the pool, dealt out to the teams.
    fn deal(&self, size: usize, deal: usize) -> Option<Vec<Seat>> {
        let mut seats = vec![Seat::Waiting; self.points.len()];
        let mut is_dealt = vec![false; seats.len()];
        // What A and B have room for.
        let mut room = [size; 2];
        let mut turn = deal;
        for party in self.parties {
            let is_open = |seat: &Seat| {
                let members = || party.iter();
                let has_room = match seat {
                    Seat::A => room[0] >= party.len(),
                    Seat::B => room[1] >= party.len(),
                    Seat::Waiting => true,
                };
                has_room && members().all(|member| self.open[*member].contains(seat))
            };
            let order = [Seat::Waiting, Seat::A, Seat::B].into_iter().cycle();
            let seat = order.skip(turn % 3).take(3).find(is_open)?;
            turn /= 3;
            for &member in party {
                seats[member] = seat;
                is_dealt[member] = true;
            }
            match seat {
                Seat::A => room[0] -= party.len(),
                Seat::B => room[1] -= party.len(),
                Seat::Waiting => {}
            }
        }
        let alone = (0..seats.len()).filter(|player| !is_dealt[*player] && self.may_play(*player));
        let (mut playing, others): (Vec<usize>, Vec<usize>) =
            alone.partition(|player| self.must_play(*player));
        let wanted = (room[0] + room[1]).checked_sub(playing.len())?;
        if others.len() < wanted {
            return None;
        }
        let shift = deal * others.len() / DEALS;
        playing.extend((0..wanted).map(|turn| others[(turn * others.len() + shift) / wanted]));
        playing.sort_unstable();
        // One of every two to each team that has room; which of them goes to A changes in another
        // order with every deal.
        for (turn, player) in playing.into_iter().enumerate() {
            let is_swapped = ((turn / 2) & (deal + 1)).count_ones() % 2 == 1;
            let to_a = (turn % 2 == 0) != is_swapped;
            let to_a = room[1] == 0 || (to_a && room[0] > 0);
            seats[player] = if to_a { Seat::A } else { Seat::B };
            room[usize::from(!to_a)] -= 1;
        }
        are_open(&seats, self.open).then_some(seats)
    }

    /// Lists the exchanges that leave the two best players and the parties where they are.
    fn list_exchanges(&mut self, seats: &[Seat]) {
        for listed in self.exchanges.drain(..) {
            if let Some(place) = place(listed.change) {
                self.by_change[place] = 0;
            }
        }
        for (index, &one) in self.movable.iter().enumerate() {
            for &other in &self.movable[index + 1..] {
                let is_open = |player: usize, seat| self.open[player].contains(&seat);
                if seats[one] == seats[other]
                    || !is_open(one, seats[other])
                    || !is_open(other, seats[one])
                {
                    continue;
                }
                let weight = seats[other].weight() - seats[one].weight();
                let change = weight * (self.points[one] - self.points[other]);
                self.exchanges.push(Exchange { one, other, change });
                if let Some(place) = place(change) {
                    // 128 players have fewer exchanges.
                    let number = u16::try_from(self.exchanges.len());
                    self.by_change[place] = number.unwrap_or_default();
                }
            }
        }
    }

    /// An exchange, or two that do not meet, that add `change`.
    fn look_up(&self, change: i64) -> Option<Vec<Exchange>> {
        let listed = |change: i64| {
            let number = usize::from(self.by_change[place(change)?]);
            Some(self.exchanges[number.checked_sub(1)?])
        };
        if let Some(found) = listed(change) {
            return Some(vec![found]);
        }
        self.exchanges.iter().find_map(|one| {
            let other = listed(change - one.change)?;
            (!one.meets(other)).then(|| vec![*one, other])
        })
    }
}

/// Where a change of the difference is looked up.
fn place(change: i64) -> Option<usize> {
    let place = usize::try_from(change + REACH).ok();
    place.filter(|_| change <= REACH)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::brief::is_kept;
    use super::*;

    const SEATS: [Seat; 3] = [Seat::A, Seat::B, Seat::Waiting];

    /// The least difference of teams of `size` by the open seats, each party in one seat.
    fn least(
        points: &[i64],
        open: &[Vec<Seat>],
        parties: &[Vec<usize>],
        size: usize,
    ) -> Option<i64> {
        let mut all = vec![Vec::new()];
        for open in open {
            let next = all.iter().flat_map(|seats: &Vec<Seat>| {
                open.iter()
                    .map(|seat| [seats.as_slice(), &[*seat]].concat())
            });
            all = next.collect();
        }
        let are_teams = |seats: &&Vec<Seat>| {
            [Seat::A, Seat::B]
                .iter()
                .all(|team| seats.iter().filter(|seat| *seat == team).count() == size)
                && parties.iter().all(|party| is_kept(party, seats))
        };
        let difference = |seats: &Vec<Seat>| difference(points, seats).abs();
        all.iter().filter(are_teams).map(difference).min()
    }

    fn difference(points: &[i64], seats: &[Seat]) -> i64 {
        let everybody = points.iter().zip(seats);
        everybody.map(|(points, seat)| seat.weight() * points).sum()
    }

    proptest! {
        #[test]
        fn nothing_is_closer_and_all_seats_are_open(
            mut points in prop::collection::vec(0..60_i64, 4..9),
            closed in prop::collection::vec(0..8_usize, 9),
            has_party in any::<bool>(),
            size in 1..5_usize,
        ) {
            points.sort_unstable_by(|one, other| other.cmp(one));
            let open: Vec<Vec<Seat>> = points
                .iter()
                .zip(closed)
                .map(|(_, closed)| match closed {
                    0 => SEATS[..2].to_vec(),
                    1 => SEATS[2..].to_vec(),
                    _ => SEATS.to_vec(),
                })
                .collect();
            let parties = if has_party { vec![vec![0, 3], vec![1, 2]] } else { Vec::new() };
            let found = CloseSplits::new(&points, &open, &parties).find(size);
            let Some(Close { seats, difference: found, is_proven }) = found else {
                return Ok(());
            };
            for team in [Seat::A, Seat::B] {
                prop_assert_eq!(seats.iter().filter(|seat| **seat == team).count(), size);
            }
            prop_assert!(are_open(&seats, &open));
            prop_assert!(parties.iter().all(|party| is_kept(party, &seats)));
            prop_assert_eq!(difference(&points, &seats).abs(), found);
            let least = least(&points, &open, &parties, size);
            prop_assert!(least.is_some_and(|least| least == found || least < found && !is_proven));
            prop_assert!(has_party || seats[0] == Seat::Waiting || seats[0] != seats[1]);
        }
    }

    #[test]
    fn exchanges_make_up_for_what_dealing_leaves() {
        let found = |points: &[i64], size| {
            let mut open = vec![SEATS.to_vec(); points.len()];
            open[0] = vec![Seat::A];
            let found = CloseSplits::new(points, &open, &[]).find(size);
            found.map(|found| (found.difference, found.is_proven))
        };
        assert_eq!(found(&[40, 30, 20, 10], 2), Some((0, true)), "dealt");
        assert_eq!(found(&[40, 37, 33, 30, 20, 11, 6, 0], 3), Some((0, true)));
        assert_eq!(
            found(&[9, 8, 7, 6, 5, 4, 3, 1], 4),
            Some((1, true)),
            "the sum is odd"
        );
        assert_eq!(
            found(&[4000, 30, 20, 10], 2),
            Some((3960, true)),
            "by the best"
        );
        assert_eq!(found(&[100, 90, 60, 3], 2), Some((47, false)));
    }
}
