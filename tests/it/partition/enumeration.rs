//! Formula F9, corrected: exhaustive enumeration of the splits of one size, the reference for the exact method. Tests
//! compare its result; the benchmark compares its time.

use rbs::partition::Pool;

use super::gosper::subsets;

/// Maximum players of [`enumerate`]. Each player except the anchor has a bit of a mask.
const MAX_PLAYERS: usize = 64;

/// One sum for each number of active players from 0 to 63, and a last one that is computed after the last subset but
/// never read.
type PrefixSums = [i64; MAX_PLAYERS + 1];

/// Two teams, as ascending indices into the pool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Teams {
    /// Team of the highest-rated player.
    pub(super) a: Vec<usize>,
    pub(super) b: Vec<usize>,
    /// |Σ_A - Σ_B|, in rating points.
    pub(super) difference: u64,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Enumeration {
    /// The first split with the smallest difference; `None` if none was examined.
    pub(super) best: Option<Teams>,
    /// `true` if no better split exists: all were examined, or one met a lower bound. `false` if the budget was spent,
    /// or the size or the pool is out of range.
    pub(super) complete: bool,
    /// Number of examined splits, at most the budget.
    pub(super) steps: u64,
}

/// Examines every pair of teams of `size` players with the anchor, the highest-rated player, on team A, and keeps the
/// pair with the closest sums.
///
/// The outer loop chooses the 2k - 1 players who play with the anchor; the inner loop chooses k of them for team B. The
/// other k - 1 join the anchor. The search ends early at a difference that cannot be beaten: 0, or 1 if the whole pool
/// plays and its sum is odd.
///
/// Examines at most `budget` splits. Takes sizes from 1 to half the pool and pools of up to 64 players; otherwise the
/// result is not `complete`, after no steps.
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

/// Lower bound of the difference: if the whole pool plays, Σ_A - Σ_B is odd exactly if the pool's sum is.
fn parity_bound(points: &[i64], size: usize) -> u64 {
    let sum = points.iter().sum::<i64>();
    u64::from(2 * size == points.len() && sum % 2 != 0)
}

/// Prefix sums of the active players' ratings, and the sum of all who play.
fn prefix_sums(points: &[i64], outer: u64) -> (PrefixSums, i64) {
    let mut prefix = [0; MAX_PLAYERS + 1];
    let mut sum = 0;
    for (count, index) in active(outer).enumerate() {
        sum += points[index];
        prefix[count + 1] = sum;
    }
    (prefix, points[0] + sum)
}

/// Pool indices of the active players of `outer`. Bit 0 is the player after the anchor.
fn active(outer: u64) -> impl Iterator<Item = usize> {
    (0..MAX_PLAYERS - 1)
        .filter(move |bit| (outer >> bit) & 1 == 1)
        .map(|bit| bit + 1)
}

/// Sum of team B under the successor of the mask `inner`, from its `sum` under `inner`.
///
/// Gosper's hack moves the top of the lowest run of ones up by one place and the rest of the run to the bottom, so four
/// prefix sums give the difference, whatever the team size.
fn sum_of_successor(sum: i64, inner: u64, prefix: &PrefixSums) -> i64 {
    let start = inner.trailing_zeros();
    let length = (inner >> start).trailing_ones();
    let end = (start + length) as usize;
    let run = prefix[end] - prefix[start as usize];
    let above = prefix[end + 1] - prefix[end];
    let bottom = prefix[length as usize - 1];
    sum - run + above + bottom
}

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
