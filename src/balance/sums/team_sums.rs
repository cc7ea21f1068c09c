use super::subset_sums::{Item, SubsetSums, TableBudget};

/// Weight sums, in billionths of a point, of all subsets of the players who may leave a team, grouped by the number of
/// players in a subset. Tables are made on demand and cached, up to larger subsets than requested, so that growing
/// requests rebuild few tables.
#[derive(Debug)]
pub(crate) struct TeamSums<'all> {
    values: &'all [i64],
    /// Total weight of the n lightest players of the team by n, in billionths of a point.
    lightest: Vec<i64>,
    /// Total weight of the n heaviest players of the team by n, in billionths of a point.
    heaviest: Vec<i64>,
    /// Cached tables of the weight sums of subsets of the players, with the maximum number of players in a subset.
    made: Option<(usize, SubsetSums)>,
    /// Maximum number of players in a subset with which the tables fit the memory budget; computed on first use.
    within_budget: Option<usize>,
}

impl<'all> TeamSums<'all> {
    pub(crate) fn of(values: &'all [i64]) -> Self {
        let mut sorted = values.to_vec();
        sorted.sort_unstable();
        Self {
            values,
            lightest: running(sorted.iter()),
            heaviest: running(sorted.iter().rev()),
            made: None,
            within_budget: None,
        }
    }

    pub(crate) fn values(&self) -> &'all [i64] {
        self.values
    }

    /// Returns the smallest and the largest total weight of `players` players, or of all if there are fewer.
    pub(crate) fn extremes(&self, players: usize) -> (i64, i64) {
        let at = |sums: &[i64]| sums.get(players).or(sums.last()).copied().unwrap_or(0);
        (at(&self.lightest), at(&self.heaviest))
    }

    /// Returns tables with the weight sums of all subsets of `players` players; `None` if they exceed the budget.
    pub(crate) fn of_players(&mut self, players: usize) -> Option<&mut SubsetSums> {
        let reached = self.made.as_ref().map(|(most, _)| *most);
        if reached.is_none_or(|most| players > most) {
            let items: Vec<Item> = self
                .values
                .iter()
                .map(|&value| Item { players: 1, value })
                .collect();
            let budget = TableBudget::STANDARD;
            let most = *self
                .within_budget
                .get_or_insert_with(|| SubsetSums::most_within(&items, budget));
            if players > most {
                return None;
            }
            let ample = (2 * players).max(4).min(most);
            self.made = Some((ample, SubsetSums::of(&items, ample, budget)?));
        }
        self.made.as_mut().map(|(_, sums)| sums)
    }
}

/// Returns the prefix sums of the values, starting with 0.
fn running<'all>(values: impl Iterator<Item = &'all i64>) -> Vec<i64> {
    let mut sums = vec![0];
    sums.extend(values.scan(0, |sum, value| {
        *sum += value;
        Some(*sum)
    }));
    sums
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_beyond_the_budget_leaves_smaller_ones_answered() {
        let values: Vec<i64> = (1..=64).map(|n: i64| n * n * n * n * 7919 + n).collect();
        let mut sums = TeamSums::of(&values);
        assert!(sums.of_players(2).is_some() && sums.of_players(16).is_none());
        let pairs = sums.of_players(2).map(|sums| sums.count(2));
        assert_eq!(pairs, Some(64 * 63 / 2));
        assert_eq!(
            sums.extremes(2),
            (values[0] + values[1], values[62] + values[63])
        );
    }
}
