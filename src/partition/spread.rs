use super::split::Seat;

/// Exchanges that are made at most; each makes the teams more alike.
const EXCHANGES: usize = 8;

/// Exchanges that are weighed for each that is made, and those of them that are tried, the best
/// first. Where many ratings are alike there are millions.
const WEIGHED: usize = 4096;
const TRIED: usize = 32;

/// Makes the teams of `seats` more alike in standard deviation by exchanges that change no sum: two
/// players of one seat for two of another with the same ratings together. `points` are the
/// ratings by player; `allowed` says whether new seats are as good in all other ways.
///
/// It ends where no such exchange is found, which need not be the best of all splits.
pub(super) fn even_out(
    seats: &mut [Seat],
    points: &[i64],
    mut allowed: impl FnMut(&[Seat]) -> bool,
) {
    for _ in 0..EXCHANGES {
        let mut found = Vec::new();
        let mut weighed = 0;
        let imbalance = Imbalance::of(seats, points);
        let lists = [Seat::A, Seat::B, Seat::Waiting].map(|seat| pairs(seats, points, seat));
        for (one, other) in [(0, 1), (0, 2), (1, 2)] {
            equal_sums(&lists[one], &lists[other], |one, other| {
                let after = imbalance.after(seats, points, one, other);
                if after < imbalance.size() {
                    found.push((after, one, other));
                }
                weighed += 1;
                weighed < WEIGHED
            });
        }
        found.sort_unstable();
        let exchanged = found.into_iter().take(TRIED).any(|(_, one, other)| {
            exchange(seats, one, other);
            let allowed = allowed(seats);
            if !allowed {
                exchange(seats, one, other);
            }
            allowed
        });
        if !exchanged {
            return;
        }
    }
}

/// Two players of one seat.
type Two = (usize, usize);

fn exchange(seats: &mut [Seat], one: Two, other: Two) {
    seats.swap(one.0, other.0);
    seats.swap(one.1, other.1);
}

/// Every two players of `seat`, with the sum of their ratings, ascending by it.
fn pairs(seats: &[Seat], points: &[i64], seat: Seat) -> Vec<(i64, Two)> {
    let members: Vec<usize> = (0..seats.len())
        .filter(|&player| seats[player] == seat)
        .collect();
    let mut pairs: Vec<(i64, Two)> = Vec::with_capacity(members.len() * members.len() / 2);
    for (place, &one) in members.iter().enumerate() {
        let others = members[place + 1..].iter();
        pairs.extend(others.map(|&other| (points[one] + points[other], (one, other))));
    }
    pairs.sort_unstable();
    pairs
}

/// Calls `found` for every two pairs, one of each list, of the same sum, until it says no.
fn equal_sums(ones: &[(i64, Two)], others: &[(i64, Two)], mut found: impl FnMut(Two, Two) -> bool) {
    let mut others = others.chunk_by(|one, other| one.0 == other.0).peekable();
    for ones in ones.chunk_by(|one, other| one.0 == other.0) {
        let sum = ones[0].0;
        while others.next_if(|others| others[0].0 < sum).is_some() {}
        let Some(others) = others.peek().filter(|others| others[0].0 == sum) else {
            continue;
        };
        for (_, one) in ones {
            for (_, other) in *others {
                if !found(*one, *other) {
                    return;
                }
            }
        }
    }
}

/// By how much the variances of the teams differ, times the square of their size: k·Σx² - (Σx)² of
/// team A less that of team B.
struct Imbalance {
    size: i128,
    difference: i128,
}

impl Imbalance {
    fn of(seats: &[Seat], points: &[i64]) -> Self {
        let of = |team: Seat| {
            let everybody = points.iter().zip(seats);
            let members = everybody.filter(|(_, seat)| **seat == team);
            members.fold((0, 0, 0), |(count, sum, squares), (points, _)| {
                let points = i128::from(*points);
                (count + 1, sum + points, squares + points * points)
            })
        };
        let (a, b) = (of(Seat::A), of(Seat::B));
        Self {
            size: a.0,
            difference: (a.0 * a.2 - a.1 * a.1) - (b.0 * b.2 - b.1 * b.1),
        }
    }

    fn size(&self) -> i128 {
        self.difference.abs()
    }

    /// What is left of it when two pairs of the same sum change seats.
    fn after(&self, seats: &[Seat], points: &[i64], one: Two, other: Two) -> i128 {
        let squares = |two: Two| {
            let square = |player: usize| i128::from(points[player]) * i128::from(points[player]);
            square(two.0) + square(two.1)
        };
        let weights = i128::from(seats[other.0].weight() - seats[one.0].weight());
        (self.difference + self.size * weights * (squares(one) - squares(other))).abs()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn two_are_exchanged_for_two_of_the_same_sum() {
        // 9 + 1 and 5 + 5 are alike, but not in shape.
        let (a, b) = (Seat::A, Seat::B);
        let points = [9, 9, 5, 5, 5, 5, 1, 1];
        let mut seats = [a, a, b, b, b, b, a, a];
        even_out(&mut seats, &points, |_| true);
        assert_eq!(Imbalance::of(&seats, &points).size(), 0);
        let mut seats = [a, a, b, b, b, b, a, a];
        even_out(&mut seats, &points, |_| false);
        assert_eq!(
            seats,
            [a, a, b, b, b, b, a, a],
            "not where that is worse otherwise"
        );
    }

    proptest! {
        #[test]
        fn sums_stay_and_the_teams_become_more_alike(
            points in prop::collection::vec(0..30_i64, 8..16), size in 2..4_usize,
        ) {
            let seat = |player: usize| match player {
                _ if player < size => Seat::A,
                _ if player < 2 * size => Seat::B,
                _ => Seat::Waiting,
            };
            let before: Vec<Seat> = (0..points.len()).map(seat).collect();
            let mut seats = before.clone();
            even_out(&mut seats, &points, |_| true);
            let sum = |seats: &[Seat], seat: Seat| -> i64 {
                let everybody = seats.iter().zip(&points);
                everybody.filter(|(one, _)| **one == seat).map(|(_, points)| points).sum()
            };
            for seat in [Seat::A, Seat::B, Seat::Waiting] {
                prop_assert_eq!(sum(&before, seat), sum(&seats, seat));
            }
            let imbalance = |seats: &[Seat]| Imbalance::of(seats, &points).size();
            prop_assert!(imbalance(&seats) <= imbalance(&before));
        }
    }
}
