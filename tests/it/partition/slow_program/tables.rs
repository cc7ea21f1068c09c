//! Tables of costs by counts and difference, and bounds on their useful entries.

use std::collections::BTreeMap;

use super::prices::{Cost, UNREACHABLE};

/// Costs by the number of players on both teams and the difference in units.
#[derive(Clone, Debug)]
pub(super) struct Table {
    pub(super) most: (usize, usize),
    pub(super) reach: i64,
    pub(super) costs: Vec<Cost>,
}

impl Table {
    pub(super) fn cells(most: (usize, usize), reach: i64) -> usize {
        (most.0 + 1) * (most.1 + 1) * usize::try_from(2 * reach + 1).unwrap()
    }

    pub(super) fn new(most: (usize, usize), reach: i64) -> Self {
        Self {
            most,
            reach,
            costs: vec![UNREACHABLE; Self::cells(most, reach)],
        }
    }

    pub(super) fn row(&self, (a, b): (usize, usize)) -> usize {
        (a * (self.most.1 + 1) + b) * usize::try_from(2 * self.reach + 1).unwrap()
    }

    pub(super) fn at(&self, counts: (usize, usize), difference: i64) -> usize {
        self.row(counts) + usize::try_from(difference + self.reach).unwrap()
    }
}

/// Ratings as `base + unit * x`. The base cancels out for equal teams.
#[derive(Debug)]
pub(super) struct Scaled {
    pub(super) base: i64,
    pub(super) unit: i64,
    pub(super) x: Vec<i64>,
}

impl Scaled {
    pub(super) fn new(points: &[i64]) -> Self {
        let least = points.iter().min().copied().unwrap();
        let mut unit = 0;
        for points in points {
            let (mut one, mut other) = (unit, points - least);
            while other != 0 {
                (one, other) = (other, one % other);
            }
            unit = one;
        }
        let unit = unit.max(1);
        let x = points.iter().map(|points| (points - least) / unit);
        let middle = x.clone().sum::<i64>() / i64::try_from(points.len()).unwrap();
        Self {
            base: least + middle * unit,
            unit,
            x: x.map(|x| x - middle).collect(),
        }
    }

    /// Upper bound of the difference that `players` alone can contribute to teams of these sizes.
    pub(super) fn reach(&self, players: &[usize], sizes: (usize, usize)) -> i64 {
        let mut x: Vec<i64> = players.iter().map(|player| self.x[*player].abs()).collect();
        x.sort_unstable_by(|one, other| other.cmp(one));
        x.iter().take(sizes.0 + sizes.1).sum()
    }
}

/// By counts of missing players: the range of differences, in units, from which the limit is still reachable.
pub(super) struct Bound {
    pub(super) by_count: BTreeMap<(usize, usize), (i64, i64)>,
    pub(super) widest: i64,
}

impl Bound {
    /// `target`: sizes of both teams. `left`: unseated players. `limit`: in points.
    pub(super) fn new(
        scaled: &Scaled,
        seats: &[Vec<i64>],
        left: &[usize],
        target: (usize, usize),
        limit: i64,
    ) -> Self {
        let mut x: Vec<i64> = left.iter().map(|player| scaled.x[*player]).collect();
        x.sort_unstable();
        let must_play = left.iter().filter(|one| !seats[**one].contains(&0)).count();
        let must_wait = left.iter().filter(|one| seats[**one] == [0]).count();
        let (target_a, target_b) = (
            i64::try_from(target.0).unwrap(),
            i64::try_from(target.1).unwrap(),
        );
        let offset = scaled.base * (target_a - target_b);
        // All differences d with |offset + unit * d| <= limit.
        let lowest = -(limit + offset).div_euclid(scaled.unit);
        let highest = (limit - offset).div_euclid(scaled.unit);
        let mut by_count = BTreeMap::new();
        for a in 0..=target.0.min(left.len()) {
            for b in 0..=target.1.min(left.len() - a) {
                let seated = (target.0 + target.1).abs_diff(a + b);
                if a + b < must_play
                    || a + b + must_wait > left.len()
                    || seated > scaled.x.len() - left.len()
                {
                    continue;
                }
                let low = |count: usize| x[..count].iter().sum::<i64>();
                let high = |count: usize| x[x.len() - count..].iter().sum::<i64>();
                let (least, most) = (low(a) - high(b), high(a) - low(b));
                by_count.insert((a, b), (lowest - most, highest - least));
            }
        }
        let widest = by_count
            .values()
            .map(|(low, high)| low.abs().max(high.abs()));
        Self {
            widest: widest.max().unwrap_or(0),
            by_count,
        }
    }
}

/// Seats one more player: copies the entries of `from` that can still end within the limit to `into`.
pub(super) fn extend(
    from: &Table,
    into: &mut Table,
    (seat, more, cost): (i64, i64, Cost),
    (target, bound): ((usize, usize), &Bound),
) {
    for a in 0..=from.most.0 {
        for b in 0..=from.most.1 {
            let counts = (a + usize::from(seat == 1), b + usize::from(seat == -1));
            if counts.0 > target.0 || counts.1 > target.1 {
                continue;
            }
            let left = (target.0 - counts.0, target.1 - counts.1);
            let Some(&(low, high)) = bound.by_count.get(&left) else {
                continue;
            };
            let first = (low.max(-into.reach) - more).max(-from.reach);
            let last = (high.min(into.reach) - more).min(from.reach);
            if first > last {
                continue;
            }
            let (at, to) = (from.at((a, b), first), into.at(counts, first + more));
            let width = usize::try_from(last - first + 1).unwrap();
            let entries = &from.costs[at..at + width];
            for (known, entry) in into.costs[to..to + width].iter_mut().zip(entries) {
                *known = entry.saturating_add(cost).min(*known);
            }
        }
    }
}
