//! Lower bound that excludes states (partial splits) which cannot lead to a wanted split.

use std::ops::Range;

/// Sign with which a table counts the difference of the teams' rating sums.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sign {
    /// Sign of dynamic programming tables that count team A's rating sum minus team B's, Σ_A - Σ_B.
    Plus,
    /// Sign of tables that hold team B's rating sum minus team A's, Σ_B - Σ_A.
    Minus,
}

impl Sign {
    /// Negates the difference of the teams' rating sums, A's minus B's, if tables count B's minus A's.
    pub(crate) fn of(self, difference: i64) -> i64 {
        match self {
            Self::Plus => difference,
            Self::Minus => -difference,
        }
    }
}

/// Wanted team sizes, each with a maximum absolute difference of the rating sums.
#[derive(Clone, Debug, Default)]
pub(crate) struct Targets {
    /// Wanted team sizes, in lists with the same size difference between the teams, largest teams first.
    lists: Vec<Vec<Target>>,
}

#[derive(Clone, Copy, Debug)]
struct Target {
    counts: (usize, usize),
    slack: i64,
    /// Maximum allowed difference of the teams' rating sums among the smaller wanted team sizes with an equal size
    /// difference; -1 if there are none.
    of_smaller: i64,
}

impl Targets {
    /// Adds team sizes, on A and on B, for which the search wants splits. Smaller teams must be added first.
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

    pub(crate) fn side(&self) -> usize {
        let largest = self.lists.iter().map(|list| list[0].counts);
        largest.map(|(a, b)| a.max(b)).max().unwrap_or_default()
    }
}

/// Lower bound of the difference of rating sums that a partial split can reach when all players are seated.
#[derive(Debug)]
pub(crate) struct CompletionBound<'targets> {
    /// Sums of the n lowest and of the n highest ratings of players not yet on a team or the bench, by n.
    sums: Vec<(i64, i64)>,
    targets: &'targets Targets,
    sign: Sign,
}

impl<'targets> CompletionBound<'targets> {
    /// Creates the lower bound of the final difference of the teams' rating sums, counted as A's minus B's or the
    /// reverse by `sign`. `rest` has the ratings of the players not yet on a team or the bench, ascending.
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

    /// Returns the differences of the teams' rating sums from which a partial split, with `a` and `b` players on the
    /// teams, may still reach a wanted split. The range is empty if there is none.
    ///
    /// Adding one more player to each team never narrows this range, so smaller teams matter only with more slack.
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

/// Returns the smallest range that contains both ranges; empty ranges are ignored.
pub(crate) fn hull(one: &Range<i64>, other: &Range<i64>) -> Range<i64> {
    match (one.is_empty(), other.is_empty()) {
        (true, _) => other.clone(),
        (_, true) => one.clone(),
        _ => one.start.min(other.start)..one.end.max(other.end),
    }
}

/// Returns the intersection of two ranges.
pub(crate) fn common(one: &Range<i64>, other: &Range<i64>) -> Range<i64> {
    let start = one.start.max(other.start);
    start..one.end.min(other.end).max(start)
}

pub(crate) fn length(differences: &Range<i64>) -> usize {
    usize::try_from(differences.end - differences.start).unwrap_or_default()
}
