//! F9, corrected: the exhaustive enumeration of the splits of one size. It is what the exact method is
//! compared with, in the tests by its answer and in the benchmark by its time.

use rbs::partition::Pool;

use super::gosper::subsets;

/// The most players that [`enumerate`] takes: everybody but the anchor has a bit of a mask.
const MAX_PLAYERS: usize = 64;

/// One entry for each count of active players from 0 to 63, and one more for the sum that is
/// prepared, and never looked at, after the last subset.
type PrefixSums = [i64; MAX_PLAYERS + 1];

/// Two teams, by the places of their players in the pool, ascending.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Teams {
    /// The team of the highest-rated player.
    pub(super) a: Vec<usize>,
    /// The other.
    pub(super) b: Vec<usize>,
    /// |Σ_A - Σ_B|, in rating points.
    pub(super) difference: u64,
}

/// The result of enumerating the splits of one size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Enumeration {
    /// The split with the smallest difference of those examined, of equals the first; `None` where
    /// none was.
    pub(super) best: Option<Teams>,
    /// Whether no split can be better: all were examined, or one met a lower bound. Where not, the
    /// budget was spent, or the size or the pool is out of range.
    pub(super) complete: bool,
    /// How many splits were examined, never more than the budget.
    pub(super) steps: u64,
}

/// Examines every pair of teams of `size` players with the anchor, the highest-rated player, on
/// team A, and keeps the one whose sums are closest.
///
/// The outer layer chooses the 2k - 1 players who play with the anchor, the inner layer k of
/// them for team B; the other k - 1 join the anchor. The search of a size ends early at a
/// difference that cannot be beaten: 0, or 1 where the whole pool plays and its sum is odd.
///
/// At most `budget` splits are examined. Takes sizes from 1 to half the pool and pools of up to 64
/// players; what is out of range is not `complete`, after no steps.
pub(super) fn enumerate(pool: &Pool, size: usize, budget: u64) -> Enumeration {
    let mut enumeration = Enumeration {
        best: None,
        complete: false,
        steps: 0,
    };
    let (Ok(players), Ok(team)) = (u32::try_from(pool.len()), u32::try_from(size)) else {
        return enumeration;
    };
    if !(1..=pool.len() / 2).contains(&size) || pool.len() > MAX_PLAYERS {
        return enumeration;
    }
    let points: Vec<i64> = pool
        .players()
        .iter()
        .map(|player| player.rating.points().into())
        .collect();
    let bound = parity_bound(&points, size);
    let mut best: Option<(u64, u64, u64)> = None;

    'search: {
        for outer in subsets(players - 1, 2 * team - 1) {
            let (prefix, playing) = prefix_sums(&points, outer);
            // The first inner mask sends the first k active players to B.
            let mut sum_b = prefix[size];
            for inner in subsets(2 * team - 1, team) {
                if enumeration.steps == budget {
                    break 'search;
                }
                enumeration.steps += 1;
                let difference = (playing - 2 * sum_b).unsigned_abs();
                if best.is_none_or(|(smallest, _, _)| difference < smallest) {
                    best = Some((difference, outer, inner));
                    if difference <= bound {
                        enumeration.complete = true;
                        break 'search;
                    }
                }
                sum_b = sum_of_successor(sum_b, inner, &prefix);
            }
        }
        enumeration.complete = true;
    }

    enumeration.best = best.map(|(difference, outer, inner)| teams(difference, outer, inner));
    enumeration
}

/// A difference that no split can be below: where the whole pool plays, Σ_A - Σ_B is odd exactly
/// when the pool's sum is.
fn parity_bound(points: &[i64], size: usize) -> u64 {
    let sum = points.iter().sum::<i64>();
    u64::from(2 * size == points.len() && sum % 2 != 0)
}

/// The sums of the first 0, 1, 2, … active players' ratings, and the sum of all who play.
fn prefix_sums(points: &[i64], outer: u64) -> (PrefixSums, i64) {
    let mut prefix = [0; MAX_PLAYERS + 1];
    let mut sum = 0;
    for (count, index) in active(outer).enumerate() {
        sum += points[index];
        prefix[count + 1] = sum;
    }
    (prefix, points[0] + sum)
}

/// The places in the pool of the players whom `outer` makes active. Bit 0 is the player after the
/// anchor.
fn active(outer: u64) -> impl Iterator<Item = usize> {
    (0..MAX_PLAYERS - 1)
        .filter(move |bit| (outer >> bit) & 1 == 1)
        .map(|bit| bit + 1)
}

/// The sum of team B under the inner mask that comes after `inner`, from its `sum` under `inner`.
///
/// Gosper's hack moves the top of the lowest run of ones up by one place and the rest of the run
/// to the bottom, so that four prefix sums give the difference, whatever the team size.
fn sum_of_successor(sum: i64, inner: u64, prefix: &PrefixSums) -> i64 {
    let start = inner.trailing_zeros();
    let length = (inner >> start).trailing_ones();
    let end = (start + length) as usize;
    let run = prefix[end] - prefix[start as usize];
    let above = prefix[end + 1] - prefix[end];
    let bottom = prefix[length as usize - 1];
    sum - run + above + bottom
}

/// Who is on which team under a pair of masks.
fn teams(difference: u64, outer: u64, inner: u64) -> Teams {
    let (mut a, mut b) = (vec![0], Vec::new());
    for (place, index) in active(outer).enumerate() {
        let team = if (inner >> place) & 1 == 1 {
            &mut b
        } else {
            &mut a
        };
        team.push(index);
    }
    Teams { a, b, difference }
}
