use std::collections::VecDeque;
use std::sync::Arc;

use crate::domain::{Rating, Score};
use crate::rating::{Step, Totals};

/// A player's totals after some of the earlier entries.
#[derive(Clone, Debug)]
pub(crate) enum PastTotals {
    /// Those that were asked for, and those since, by their numbers, ascending.
    Some(Vec<(u64, Totals)>),
    /// All that the longest window needs.
    Recent(RecentSteps),
}

impl PastTotals {
    /// The totals of those numbers, in any order.
    pub(crate) fn some(mut totals: Vec<(u64, Totals)>) -> Self {
        totals.sort_unstable_by_key(|(number, _)| *number);
        Self::Some(totals)
    }

    /// No steps yet behind the `totals` after the entry of that `number`, and the last `longest` of those
    /// that come.
    pub(crate) fn recent(longest: u32, number: u64, totals: Totals) -> Self {
        Self::Recent(RecentSteps {
            longest,
            first: (number, totals),
            shared: Arc::default(),
            skipped: 0,
            steps: VecDeque::new(),
            latest: (number, totals),
        })
    }

    /// The same, where clones share what is held so far.
    pub(crate) fn shared(self) -> Self {
        match self {
            Self::Some(totals) => Self::Some(totals),
            Self::Recent(steps) => Self::Recent(steps.shared()),
        }
    }

    /// The totals after the entry of that number, where they are held.
    pub(crate) fn at(&mut self, number: u64) -> Option<Totals> {
        match self {
            Self::Some(totals) => {
                let index = totals.binary_search_by_key(&number, |(number, _)| *number);
                totals.get(index.ok()?).map(|(_, totals)| *totals)
            }
            Self::Recent(steps) => steps.at(number),
        }
    }

    /// Takes in the entry of that number, which is the next.
    pub(crate) fn push(&mut self, number: u64, totals: Totals, step: Step) {
        match self {
            Self::Some(known) => known.push((number, totals)),
            Self::Recent(steps) => steps.push(step),
        }
    }

    /// How many bytes they take, about.
    pub(crate) fn size(&self) -> usize {
        match self {
            Self::Some(totals) => totals.capacity() * size_of::<(u64, Totals)>(),
            Self::Recent(steps) => {
                (steps.shared.len() + steps.steps.capacity()) * size_of::<PackedStep>()
            }
        }
    }
}

/// The last entries of a player.
///
/// # Design
/// Totals take 32 bytes an entry, what it adds to them 8. A window asks for the totals at its middle,
/// which moves on by one with every entry, so those are found from the ones found last, a step or two away. What a player was
/// before a round that changes is the same in what was made of the log and in what is made of it, so both
/// share it.
#[derive(Clone, Debug)]
pub(crate) struct RecentSteps {
    longest: u32,
    /// The number of the entry before the first of the steps, and the totals after it.
    first: (u64, Totals),
    /// The first of the steps, and how many of them are not held any more.
    shared: Arc<[PackedStep]>,
    skipped: usize,
    /// The steps behind those.
    steps: VecDeque<PackedStep>,
    /// What was found last.
    latest: (u64, Totals),
}

impl RecentSteps {
    fn at(&mut self, number: u64) -> Option<Totals> {
        let (first, _) = self.first;
        let index = usize::try_from(number.checked_sub(first)?).ok()?;
        if index > self.len() {
            return None;
        }
        // A window's start is asked for with its middle, from which the next middle is a step away.
        if index == 0 {
            return Some(self.first.1);
        }
        if self.latest.0 < first {
            self.latest = self.first;
        }
        // Neither the order of the steps nor the way there changes the sums.
        let (from, mut totals) = self.latest;
        let from = usize::try_from(from - first).ok()?;
        if index >= from {
            self.each(from, index, |step| totals = totals.with(step.unpack()));
        } else if from - index <= index {
            self.each(index, from, |step| totals = totals.without(step.unpack()));
        } else {
            totals = self.first.1;
            self.each(0, index, |step| totals = totals.with(step.unpack()));
        }
        self.latest = (number, totals);
        Some(totals)
    }

    fn push(&mut self, step: Step) {
        self.steps.push_back(PackedStep::of(step));
        while self.len() as u64 > u64::from(self.longest) {
            let Some(oldest) = self.pop() else {
                break;
            };
            let (number, totals) = self.first;
            self.first = (number + 1, totals.with(oldest.unpack()));
        }
    }

    fn pop(&mut self) -> Option<PackedStep> {
        let Some(oldest) = self.shared.get(self.skipped).copied() else {
            return self.steps.pop_front();
        };
        self.skipped += 1;
        if self.skipped == self.shared.len() {
            (self.shared, self.skipped) = (Arc::default(), 0);
        }
        Some(oldest)
    }

    fn len(&self) -> usize {
        self.shared.len() - self.skipped + self.steps.len()
    }

    /// Visits the steps from one index up to, not including, another.
    fn each(&self, from: usize, to: usize, mut visit: impl FnMut(PackedStep)) {
        let shared = &self.shared[self.skipped..];
        let within = |index: usize| index.min(shared.len());
        let behind = |index: usize| index.saturating_sub(shared.len());
        for step in &shared[within(from)..within(to)] {
            visit(*step);
        }
        for step in self.steps.range(behind(from)..behind(to)) {
            visit(*step);
        }
    }

    fn shared(self) -> Self {
        let mut shared = Vec::with_capacity(self.len());
        self.each(0, self.len(), |step| shared.push(step));
        Self {
            shared: shared.into(),
            skipped: 0,
            steps: VecDeque::new(),
            ..self
        }
    }
}

/// A [`Step`] in 8 bytes: a number whose digits are the expected score, the score in halves, and the rating.
/// The largest, 2^42, 2 and 1,000,000, make 1.32 · 10^19, of 1.84 · 10^19 that 64 bits hold.
#[derive(Clone, Copy, Debug)]
pub(super) struct PackedStep(u64);

/// How many ratings there are, and how many scores.
const RATINGS: u64 = Rating::MAX.points().unsigned_abs() as u64 + 1;
const SCORES: u64 = Score::WIN.halves() as u64 + 1;

impl PackedStep {
    pub(super) fn of(step: Step) -> Self {
        let score = u64::from(step.score.halves());
        let rating = u64::from(step.rating.points().unsigned_abs());
        Self((step.expected * SCORES + score) * RATINGS + rating)
    }

    pub(super) fn unpack(self) -> Step {
        let (rest, rating) = (self.0 / RATINGS, self.0 % RATINGS);
        Step {
            rating: i32::try_from(rating)
                .ok()
                .and_then(Rating::new)
                .unwrap_or(Rating::MAX),
            expected: rest / SCORES,
            score: match rest % SCORES {
                0 => Score::LOSS,
                1 => Score::DRAW,
                _ => Score::WIN,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::domain::Probability;

    proptest! {
        #[test]
        fn the_totals_of_the_longest_window_are_found_in_any_order(
            steps in prop::collection::vec((0..=1_000_000_i32, 0.0..=1.0, 0..=2_u8), 1..60),
            longest in 1..20_u32,
            asked in prop::collection::vec(any::<prop::sample::Index>(), 1..20),
            shared_at in any::<prop::sample::Index>(),
        ) {
            let shared_at = shared_at.index(steps.len());
            let mut held = PastTotals::recent(longest, 0, Totals::default());
            let mut all = vec![Totals::default()];
            for (points, expected, halves) in steps {
                let rating = Rating::new(points).unwrap();
                let expected = Probability::new(expected).unwrap();
                let step = Step::of(rating, expected, Score::of_halves(halves).unwrap());
                let totals = all[all.len() - 1].with(step);
                prop_assert_eq!(totals.without(step), all[all.len() - 1]);
                held.push(all.len() as u64, totals, step);
                if all.len() == shared_at {
                    held = held.shared();
                }
                all.push(totals);
                for asked in &asked {
                    let number = asked.index(all.len());
                    let is_held = all.len() - number <= longest as usize + 1;
                    let found = held.at(number as u64);
                    prop_assert_eq!(found, is_held.then_some(all[number]));
                }
            }
        }
    }
}
