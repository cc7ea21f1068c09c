use std::ops::Range;

use super::ranges::hull;

/// More differences than this that cannot be had, one after another, are left out: fewer are computed in
/// the time that it takes to begin anew behind them. The unit tests leave out more, because their
/// pools are small.
const GAP: i64 = if cfg!(test) { 4 } else { 2048 };

/// The most spans of one pair of counts, but for one more. Ratings that are very far apart would make
/// too many to be laid out.
const SPANS: i64 = 64;

/// Ranges of differences, of which those become one between which there is no wide gap.
#[derive(Debug, Default)]
pub(super) struct Stretches {
    /// The last one, or nothing; most often all become one.
    last: Range<i64>,
    others: Vec<Range<i64>>,
}

impl Stretches {
    /// Adds one that is not empty.
    pub(super) fn add(&mut self, range: Range<i64>) {
        let last = &mut self.last;
        if last.is_empty() {
            *last = range;
        } else if are_near(last, &range, GAP) {
            *last = hull(last, &range);
        } else {
            self.others.push(std::mem::replace(last, range));
        }
    }

    /// Calls `each` with all of them, ascending; none is left.
    pub(super) fn take(&mut self, mut each: impl FnMut(Range<i64>)) {
        let last = std::mem::take(&mut self.last);
        if last.is_empty() {
            return;
        }
        if self.others.is_empty() {
            each(last);
            return;
        }
        self.others.push(last);
        self.others.sort_by_key(|range| range.start);
        let all = self.others.iter();
        let whole = all.fold(0..0, |one, other| hull(&one, other));
        let gap = GAP.max((whole.end - whole.start) / SPANS);
        let mut all = self.others.drain(..);
        let Some(mut range) = all.next() else {
            return;
        };
        for next in all {
            if are_near(&range, &next, gap) {
                range = hull(&range, &next);
            } else {
                each(std::mem::replace(&mut range, next));
            }
        }
        each(range);
    }
}

fn are_near(one: &Range<i64>, other: &Range<i64>, gap: i64) -> bool {
    one.start <= other.end + gap && other.start <= one.end + gap
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn stretches_have_all_that_was_added_and_leave_out_wide_gaps(
            added in prop::collection::vec((-3000..3000_i64, 1..20_i64), 0..200),
        ) {
            let added: Vec<Range<i64>> = added.into_iter().map(|(first, length)| first..first + length).collect();
            let mut stretches = Stretches::default();
            for range in &added {
                stretches.add(range.clone());
            }
            let mut all = Vec::new();
            stretches.take(|stretch| all.push(stretch));
            for range in &added {
                let is_in = |stretch: &&Range<i64>| stretch.start <= range.start && range.end <= stretch.end;
                prop_assert_eq!(all.iter().filter(is_in).count(), 1);
            }
            prop_assert!(all.windows(2).all(|pair| pair[0].end + GAP < pair[1].start));
            prop_assert!(i64::try_from(all.len()).is_ok_and(|spans| spans <= SPANS + 1));
            stretches.take(|stretch| panic!("{stretch:?} is left"));
        }
    }
}
