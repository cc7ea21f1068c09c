use super::split::Seat;

/// The greatest change of the difference, in units, that a single move is looked up for.
const REACH: i64 = 2048;

/// How often players are dealt out anew.
const DEALS: usize = 24;

/// Finds splits that prove themselves: their difference is 0, or the 1 that an odd sum of all who
/// play leaves at least.
///
/// Most pools have many. So the players of a size are dealt out, and one move or two together that
/// make up for what that leaves are looked for among all. It may find nothing where there is
/// something.
pub(super) struct EvenSplits<'pool> {
    /// By player, descending, in units.
    points: &'pool [i64],
    /// By player: the open seats.
    open: &'pool [Vec<Seat>],
    moves: Vec<Move>,
    /// By change of the difference and [`REACH`]: one more than the place of a move that makes it,
    /// or 0.
    by_change: Vec<usize>,
}

/// Two players who change seats with each other.
#[derive(Clone, Copy)]
struct Move {
    one: usize,
    other: usize,
    /// What it adds to Σ_A - Σ_B.
    change: i64,
}

impl Move {
    fn make(self, seats: &mut [Seat]) {
        seats.swap(self.one, self.other);
    }

    fn meets(self, other: Self) -> bool {
        [self.one, self.other]
            .iter()
            .any(|player| [other.one, other.other].contains(player))
    }
}

impl<'pool> EvenSplits<'pool> {
    /// Of players with these ratings, descending, and these open seats.
    pub(super) fn new(points: &'pool [i64], open: &'pool [Vec<Seat>]) -> Self {
        let changes = usize::try_from(2 * REACH + 1).unwrap_or_default();
        Self {
            points,
            open,
            moves: Vec::new(),
            by_change: vec![0; changes],
        }
    }

    /// The seats of one with teams of `size`, and its difference; the two best players are not on
    /// one team.
    pub(super) fn find(&mut self, size: usize) -> Option<(Vec<Seat>, i64)> {
        (0..DEALS).find_map(|deal| self.find_from(size, deal))
    }

    fn find_from(&mut self, size: usize, deal: usize) -> Option<(Vec<Seat>, i64)> {
        let (mut seats, is_forced) = self.deal(size, deal)?;
        let everybody = self.points.iter().zip(&seats);
        let difference: i64 = everybody.map(|(points, seat)| seat.weight() * points).sum();
        let least = if is_forced { difference & 1 } else { 0 };
        if difference.abs() != least {
            self.list_moves(&seats);
            let found = [least - difference, -least - difference]
                .into_iter()
                .find_map(|change| self.look_up(change));
            for either in found? {
                either.make(&mut seats);
            }
        }
        Some((seats, least))
    }

    /// Players from all over the pool, dealt out to the teams by turns, and whether no others could
    /// play. Nobody is dealt a seat that is not open.
    fn deal(&self, size: usize, deal: usize) -> Option<(Vec<Seat>, bool)> {
        let plays = |player: &usize| self.open[*player].iter().any(|seat| *seat != Seat::Waiting);
        let must = |player: &usize| !self.open[*player].contains(&Seat::Waiting);
        let (mut playing, others): (Vec<usize>, Vec<usize>) =
            (0..self.points.len()).filter(plays).partition(must);
        let wanted = (2 * size).checked_sub(playing.len())?;
        if others.len() < wanted {
            return None;
        }
        let is_forced = wanted == 0 || wanted == others.len();
        let shift = deal * others.len() / DEALS;
        playing.extend((0..wanted).map(|turn| others[(turn * others.len() + shift) / wanted]));
        playing.sort_unstable();
        let mut seats = vec![Seat::Waiting; self.points.len()];
        // One of every two to each team; which of them goes to A changes in another order every time.
        for (turn, two) in playing.chunks(2).enumerate() {
            let first_to_b = (turn & (deal + 1)).count_ones() % 2 == 1;
            let dealt = if first_to_b {
                [Seat::B, Seat::A]
            } else {
                [Seat::A, Seat::B]
            };
            for (player, seat) in two.iter().zip(dealt) {
                seats[*player] = seat;
            }
        }
        Some((seats, is_forced))
    }

    /// Lists the moves that leave the two best players where they are.
    fn list_moves(&mut self, seats: &[Seat]) {
        for listed in self.moves.drain(..) {
            if let Some(place) = place(listed.change) {
                self.by_change[place] = 0;
            }
        }
        for other in 3..seats.len() {
            for one in 2..other {
                let is_open = |player: usize, seat| self.open[player].contains(&seat);
                if seats[one] == seats[other]
                    || !is_open(one, seats[other])
                    || !is_open(other, seats[one])
                {
                    continue;
                }
                let weight = seats[other].weight() - seats[one].weight();
                let change = weight * (self.points[one] - self.points[other]);
                self.moves.push(Move { one, other, change });
                if let Some(place) = place(change) {
                    self.by_change[place] = self.moves.len();
                }
            }
        }
    }

    /// A move, or two that do not meet, that add `change`.
    fn look_up(&self, change: i64) -> Option<Vec<Move>> {
        let listed = |change: i64| {
            let listed = self.by_change[place(change)?].checked_sub(1)?;
            Some(self.moves[listed])
        };
        if let Some(found) = listed(change) {
            return Some(vec![found]);
        }
        self.moves.iter().find_map(|one| {
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

    use super::*;

    const SEATS: [Seat; 3] = [Seat::A, Seat::B, Seat::Waiting];

    /// Every difference of teams of `size` by the open seats.
    fn differences(points: &[i64], open: &[Vec<Seat>], size: usize) -> Vec<i64> {
        let mut reached = vec![(0, 0, 0)];
        for (points, open) in points.iter().zip(open) {
            let next = reached.iter().flat_map(|&(a, b, difference)| {
                open.iter().map(move |seat| {
                    let (on_a, on_b) = (*seat == Seat::A, *seat == Seat::B);
                    let difference = difference + seat.weight() * points;
                    (a + usize::from(on_a), b + usize::from(on_b), difference)
                })
            });
            reached = next.collect();
            reached.sort_unstable();
            reached.dedup();
        }
        let teams = reached.iter().filter(|(a, b, _)| (*a, *b) == (size, size));
        teams.map(|(_, _, difference)| difference.abs()).collect()
    }

    proptest! {
        #[test]
        fn nothing_is_closer_and_all_seats_are_open(
            points in prop::collection::vec(0..60_i64, 4..10),
            closed in prop::collection::vec(0..8_usize, 10),
            size in 1..5_usize,
        ) {
            let mut points = points;
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
            let Some((seats, difference)) = EvenSplits::new(&points, &open).find(size) else {
                return Ok(());
            };
            for team in [Seat::A, Seat::B] {
                prop_assert_eq!(seats.iter().filter(|seat| **seat == team).count(), size);
            }
            prop_assert!(seats.iter().zip(&open).all(|(seat, open)| open.contains(seat)));
            let everybody = points.iter().zip(&seats);
            let sum: i64 = everybody.map(|(points, seat)| seat.weight() * points).sum();
            prop_assert_eq!(sum.abs(), difference);
            prop_assert_eq!(differences(&points, &open, size).into_iter().min(), Some(difference));
            prop_assert!(seats[0] == Seat::Waiting || seats[0] != seats[1]);
        }
    }

    #[test]
    fn one_move_or_two_make_up_for_what_dealing_leaves() {
        let open = |players: usize| vec![SEATS.to_vec(); players];
        let mut found = |points: &[i64], size| {
            let found = EvenSplits::new(points, &open(points.len())).find(size);
            found.map(|(_, difference)| difference)
        };
        assert_eq!(found(&[40, 30, 20, 10], 2), Some(0), "dealt");
        assert_eq!(found(&[40, 37, 33, 30, 20, 11, 6, 0], 3), Some(0));
        assert_eq!(
            found(&[9, 8, 7, 6, 5, 4, 3, 1], 4),
            Some(1),
            "the sum is odd"
        );
        assert_eq!(found(&[4000, 3, 2, 1], 2), None);
    }
}
