/// How far from 0 the difference of a split may be, by team size: for each size that is looked for.
#[derive(Clone, Debug)]
pub(super) struct Slack {
    /// The lists of [`Slack::widening`], one after another.
    sizes: Vec<(usize, i64)>,
    /// By number: where its list ends.
    ends: Vec<usize>,
}

impl Slack {
    /// Of these sizes, ascending, in units.
    pub(super) fn new(slacks: impl IntoIterator<Item = (usize, i64)>) -> Self {
        let all: Vec<(usize, i64)> = slacks.into_iter().collect();
        let most = all.last().map_or(0, |(size, _)| *size);
        let (mut sizes, mut ends) = (Vec::new(), Vec::with_capacity(most + 1));
        for number in 0..=most {
            let mut widest = None;
            for &(size, slack) in all.iter().rev().filter(|(size, _)| *size <= number) {
                if widest.is_none_or(|widest| slack > widest) {
                    sizes.push((size, slack));
                    widest = Some(slack);
                }
            }
            ends.push(sizes.len());
        }
        Self { sizes, ends }
    }

    /// The largest size up to `most` and its slack, then of the smaller ones those that have more slack
    /// than all before.
    pub(super) fn widening(&self, most: usize) -> &[(usize, i64)] {
        let number = most.min(self.ends.len() - 1);
        let start = number.checked_sub(1).map_or(0, |number| self.ends[number]);
        &self.sizes[start..self.ends[number]]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_more_slack_comes_after_the_largest_size() {
        let slack = Slack::new([(2, 9), (3, 4), (4, 7), (6, 1), (7, 1)]);
        let widening = |most| slack.widening(most);
        assert_eq!(widening(9), [(7, 1), (4, 7), (2, 9)]);
        assert_eq!(widening(6), [(6, 1), (4, 7), (2, 9)]);
        assert_eq!(widening(5), [(4, 7), (2, 9)]);
        assert_eq!(widening(3), [(3, 4), (2, 9)]);
        assert_eq!(widening(1), []);
    }
}
