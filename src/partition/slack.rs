use std::iter::successors;

/// How far from 0 the difference of a split may be, by team size: for each size that is looked for.
#[derive(Clone, Debug)]
pub(super) struct Slack {
    /// Ascending by size.
    sizes: Vec<OfSize>,
    /// By number: how many of the sizes are no greater.
    up_to: Vec<usize>,
}

#[derive(Clone, Copy, Debug)]
struct OfSize {
    size: usize,
    slack: i64,
    /// Where the largest of the smaller sizes stands that has more slack.
    wider: Option<usize>,
}

impl Slack {
    /// Of these sizes, ascending, in units.
    pub(super) fn new(slacks: impl IntoIterator<Item = (usize, i64)>) -> Self {
        let mut sizes: Vec<OfSize> = Vec::new();
        for (size, slack) in slacks {
            let wider = sizes.iter().rposition(|smaller| smaller.slack > slack);
            sizes.push(OfSize { size, slack, wider });
        }
        let most = sizes.last().map_or(0, |largest| largest.size);
        let up_to = (0..=most).map(|number| sizes.partition_point(|of| of.size <= number));
        Self {
            up_to: up_to.collect(),
            sizes,
        }
    }

    /// The largest size up to `most` and its slack, then of the smaller ones those that have more slack
    /// than all before.
    pub(super) fn widening(&self, most: usize) -> impl Iterator<Item = (usize, i64)> {
        let last = self.up_to.get(most).or(self.up_to.last());
        let first = last.and_then(|count| self.sizes.get(count.checked_sub(1)?));
        let all = successors(first, |of| Some(&self.sizes[of.wider?]));
        all.map(|of| (of.size, of.slack))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_more_slack_comes_after_the_largest_size() {
        let slack = Slack::new([(2, 9), (3, 4), (4, 7), (6, 1), (7, 1)]);
        let widening = |most| slack.widening(most).collect::<Vec<_>>();
        assert_eq!(widening(9), [(7, 1), (4, 7), (2, 9)]);
        assert_eq!(widening(6), [(6, 1), (4, 7), (2, 9)]);
        assert_eq!(widening(5), [(4, 7), (2, 9)]);
        assert_eq!(widening(3), [(3, 4), (2, 9)]);
        assert_eq!(widening(1), []);
    }
}
