use super::brief::Brief;
use super::prices::Prices;
use super::rules::are_open;
use super::split::Seat;

/// Exchanges that are made at most; each makes the teams more alike.
const EXCHANGES: usize = 8;

/// Exchanges that are weighed for each that is made, and those of them that are tried, the best
/// first. Where many ratings are alike there are millions.
const WEIGHED: usize = 4096;
const TRIED: usize = 32;

/// Teams whose standard deviations differ by less, in rating points, are alike enough.
const ALIKE: i64 = 5;

/// 2^32 over the golden ratio: multiples of it lie apart in their highest bits (D. E. Knuth, The Art of
/// Computer Programming, volume 3, 6.4).
const SCATTERING: u32 = 0x9E37_79B9;

/// Makes the teams of `seats` more alike where that costs nothing, repeats no recent teams that they do not, and
/// the seats are among those that are `open` to each player.
pub(super) fn make_alike(seats: &mut [Seat], brief: &Brief<'_>, prices: &Prices, open: &[&[Seat]]) {
    let cost = prices.of_seats(brief, seats);
    let repeats = brief.repeats(seats);
    even_out(seats, &brief.points, |seats| {
        are_open(seats, open)
            && prices.of_seats(brief, seats) <= cost
            && (repeats || !brief.repeats(seats))
    });
}

/// Makes the teams of `seats` more alike in standard deviation by exchanges that change no sum: two
/// players of one seat for two of another with the same ratings together. `points` are the
/// ratings by player, 0 to 1,000,000; `allowed` says whether new seats are as good in all other
/// ways.
///
/// It ends where the teams are alike enough or no such exchange is found, which need not be the
/// best of all splits.
pub(super) fn even_out(
    seats: &mut [Seat],
    points: &[i64],
    mut allowed: impl FnMut(&[Seat]) -> bool,
) {
    for _ in 0..EXCHANGES {
        let imbalance = Imbalance::of(seats, points);
        let small = imbalance.small();
        if imbalance.size() < small {
            return;
        }
        let mut found: Vec<(i64, Two, Two)> = Vec::new();
        let mut weighed = 0;
        let mut is_alike = false;
        let mut weigh = |ones: &[Two], others: &[Two]| {
            equal_sums(ones, others, |one, other| {
                let after = imbalance.after(seats, points, one, other);
                if after < imbalance.size() {
                    found.push((after, one, other));
                }
                weighed += 1;
                is_alike |= after < small;
                weighed < WEIGHED && !(is_alike && found.len() > TRIED)
            });
            is_alike
        };
        let [a, b] = [Seat::A, Seat::B].map(|seat| pairs(seats, points, seat));
        if !weigh(&a, &b) {
            let waiting = pairs(seats, points, Seat::Waiting);
            weigh(&a, &waiting);
            weigh(&b, &waiting);
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

/// Two players of one seat and the sum of their ratings.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Two {
    sum: u32,
    one: u16,
    other: u16,
}

impl Two {
    fn players(self) -> [usize; 2] {
        [self.one, self.other].map(usize::from)
    }

    /// So many bits of the sum, scattered so that those of different sums are seldom alike.
    fn bucket(self, bits: u32) -> usize {
        let scattered = self.sum.wrapping_mul(SCATTERING) >> (u32::BITS - bits);
        usize::try_from(scattered).unwrap_or_default()
    }
}

fn exchange(seats: &mut [Seat], one: Two, other: Two) {
    for (one, other) in one.players().into_iter().zip(other.players()) {
        seats.swap(one, other);
    }
}

/// Every two players of `seat`.
fn pairs(seats: &[Seat], points: &[i64], seat: Seat) -> Vec<Two> {
    let mut members: Vec<(u16, u32)> = Vec::with_capacity(seats.len());
    let everybody = (0..).zip(seats.iter().zip(points));
    let there = everybody.filter(|(_, (there, _))| **there == seat);
    members.extend(
        there.filter_map(|(player, (_, points))| Some((player, u32::try_from(*points).ok()?))),
    );
    let mut pairs: Vec<Two> = Vec::with_capacity(members.len() * members.len() / 2);
    for (place, &(one, points)) in members.iter().enumerate() {
        let others = members[place + 1..].iter();
        pairs.extend(others.map(|&(other, more)| Two {
            sum: points + more,
            one,
            other,
        }));
    }
    pairs
}

/// Calls `found` for every two pairs, one of each list, of the same sum, until it says no.
fn equal_sums(ones: &[Two], others: &[Two], mut found: impl FnMut(Two, Two) -> bool) {
    // By bucket: one more than the place of the last pair in it, or 0. By place: the same of the one before.
    let bits = ones.len().max(1).ilog2() + 1;
    let mut last = vec![0_u32; 1 << bits];
    let before = (1..).zip(ones);
    let before = before.map(|(number, one)| std::mem::replace(&mut last[one.bucket(bits)], number));
    let before: Vec<u32> = before.collect();
    for other in others {
        let mut number = last[other.bucket(bits)];
        while let Some(place) = number.checked_sub(1) {
            let place = usize::try_from(place).unwrap_or_default();
            let one = ones[place];
            if one.sum == other.sum && !found(one, *other) {
                return;
            }
            number = before[place];
        }
    }
}

/// By how much the variances of the teams differ, times the square of their size k: k·Σx² - (Σx)² of
/// team A less that of team B. With 64 players of 1,000,000 each that is far below 2^63.
struct Imbalance {
    size: i64,
    a: i64,
    b: i64,
}

impl Imbalance {
    fn of(seats: &[Seat], points: &[i64]) -> Self {
        let of = |team: Seat| {
            let everybody = points.iter().zip(seats);
            let members = everybody.filter(|(_, seat)| **seat == team);
            let (count, sum, squares) = members.fold((0, 0, 0), |(count, sum, squares), member| {
                (count + 1, sum + member.0, squares + member.0 * member.0)
            });
            (count, count * squares - sum * sum)
        };
        let ((size, a), (_, b)) = (of(Seat::A), of(Seat::B));
        Self { size, a, b }
    }

    fn size(&self) -> i64 {
        (self.a - self.b).abs()
    }

    /// The imbalance below which the deviations √a / k and √b / k are alike enough, as they differ by
    /// the imbalance over k (√a + √b).
    fn small(&self) -> i64 {
        ALIKE * self.size * (self.a.isqrt() + self.b.isqrt())
    }

    /// What is left of it when two pairs of the same sum change seats.
    fn after(&self, seats: &[Seat], points: &[i64], one: Two, other: Two) -> i64 {
        let squares = |two: Two| -> i64 {
            let squares = two.players().map(|player| points[player] * points[player]);
            squares.iter().sum()
        };
        let seat = |two: Two| seats[two.players()[0]].weight();
        let weights = seat(other) - seat(one);
        (self.a - self.b + self.size * weights * (squares(one) - squares(other))).abs()
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
        let points = [90, 90, 50, 50, 50, 50, 10, 10];
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
