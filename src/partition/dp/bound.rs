//! Which states can still lead to a split that is wanted.

use std::ops::Range;

/// Which way round a table counts the difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sign {
    /// Σ_A - Σ_B.
    Plus,
    /// Σ_B - Σ_A.
    Minus,
}

impl Sign {
    /// The difference, of Σ_A - Σ_B, as the table counts it.
    pub(crate) fn of(self, difference: i64) -> i64 {
        match self {
            Self::Plus => difference,
            Self::Minus => -difference,
        }
    }
}

/// The teams that are looked for, and how far from even a split into them may be.
#[derive(Clone, Debug, Default)]
pub(crate) struct Targets {
    /// In lists of teams that differ in size by the same, the largest first.
    lists: Vec<Vec<Target>>,
}

#[derive(Clone, Copy, Debug)]
struct Target {
    counts: (usize, usize),
    slack: i64,
    /// The most slack of all smaller teams of the list.
    of_smaller: i64,
}

impl Targets {
    /// Adds teams, smaller ones first: the players on A and on B, and the slack.
    pub(crate) fn add(&mut self, counts: (usize, usize), slack: i64) {
        let lead = |(a, b): (usize, usize)| a.wrapping_sub(b);
        let alike = |list: &&mut Vec<Target>| lead(list[0].counts) == lead(counts);
        let mut target = Target {
            counts,
            slack,
            of_smaller: -1,
        };
        if let Some(list) = self.lists.iter_mut().find(alike) {
            target.of_smaller = list[0].slack.max(list[0].of_smaller);
            list.insert(0, target);
        } else {
            self.lists.push(vec![target]);
        }
    }

    /// The most players of a team.
    pub(crate) fn side(&self) -> usize {
        let largest = self.lists.iter().map(|list| list[0].counts);
        largest.map(|(a, b)| a.max(b)).max().unwrap_or_default()
    }
}

/// What the players who have no seat yet can still do to a difference: a lower bound of how far from
/// even every completion of a state is.
#[derive(Debug)]
pub(crate) struct CompletionBound<'targets> {
    /// By count: the sums of the lowest and of the highest ratings of so many of them.
    sums: Vec<(i64, i64)>,
    targets: &'targets Targets,
    sign: Sign,
}

impl<'targets> CompletionBound<'targets> {
    /// Of players with these ratings, ascending; `sign` is that of the table that they are not in.
    pub(crate) fn new(rest: &[i64], targets: &'targets Targets, sign: Sign) -> Self {
        let (mut low, mut high) = (0, 0);
        let sums = rest.iter().zip(rest.iter().rev()).map(|(lowest, highest)| {
            low += lowest;
            high += highest;
            (low, high)
        });
        Self {
            sums: std::iter::once((0, 0)).chain(sums).collect(),
            targets,
            sign,
        }
    }

    /// The differences, of a table with `a` and `b` players on the teams, from which a split into any
    /// of the teams within its slack may be reached; empty where there is none.
    ///
    /// One more player on each team never takes away from what can be reached, so smaller teams
    /// matter only if they have more slack.
    pub(crate) fn differences(&self, a: usize, b: usize) -> Range<i64> {
        let (a, b) = match self.sign {
            Sign::Plus => (a, b),
            Sign::Minus => (b, a),
        };
        let all = self.targets.lists.iter();
        all.fold(0..0, |all, list| hull(&all, &self.of_list(list, (a, b))))
    }

    fn of_list(&self, list: &[Target], (a, b): (usize, usize)) -> Range<i64> {
        let (mut reached, mut widest) = (0..0, -1);
        for &Target {
            counts,
            slack,
            of_smaller,
        } in list
        {
            let (Some(to_a), Some(to_b)) = (counts.0.checked_sub(a), counts.1.checked_sub(b))
            else {
                break;
            };
            if to_a + to_b >= self.sums.len() || slack <= widest {
                continue;
            }
            let (to_a, to_b) = (self.sums[to_a], self.sums[to_b]);
            let (up, down) = (to_a.1 - to_b.0, to_b.1 - to_a.0);
            reached = hull(&reached, &(-slack - up..slack + down + 1));
            widest = slack;
            if of_smaller <= widest {
                break;
            }
        }
        reached
    }
}

/// The differences from the least of both ranges to the greatest, where they are not empty.
pub(crate) fn hull(one: &Range<i64>, other: &Range<i64>) -> Range<i64> {
    match (one.is_empty(), other.is_empty()) {
        (true, _) => other.clone(),
        (_, true) => one.clone(),
        _ => one.start.min(other.start)..one.end.max(other.end),
    }
}

/// The differences that stand in both ranges.
pub(crate) fn common(one: &Range<i64>, other: &Range<i64>) -> Range<i64> {
    let start = one.start.max(other.start);
    start..one.end.min(other.end).max(start)
}

/// How many differences there are.
pub(crate) fn length(differences: &Range<i64>) -> usize {
    usize::try_from(differences.end - differences.start).unwrap_or_default()
}
