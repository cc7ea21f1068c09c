use super::subset_sums::{Item, SubsetSums, TableBudget};

/// The sums of those who may leave a team, by number of players; made on demand, for more players
/// than asked for, and kept, so that growing requests make few tables.
#[derive(Debug)]
pub(in crate::balance) struct TeamSums<'all> {
    values: &'all [i64],
    /// What the lightest, and the heaviest, so many players weigh.
    lightest: Vec<i64>,
    heaviest: Vec<i64>,
    /// The sums of up to so many players.
    made: Option<(usize, SubsetSums)>,
    /// Of how many players at most sums are within the budget; computed with the first of them.
    within_budget: Option<usize>,
}

/// The sums of one number of players.
#[derive(Debug)]
pub(in crate::balance) struct CountedSums<'sums> {
    sums: &'sums mut SubsetSums,
    players: usize,
}

impl<'all> TeamSums<'all> {
    pub(in crate::balance) fn of(values: &'all [i64]) -> Self {
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

    pub(in crate::balance) fn values(&self) -> &'all [i64] {
        self.values
    }

    /// The least and the most that so many players weigh; of more than there are, all.
    pub(in crate::balance) fn extremes(&self, players: usize) -> (i64, i64) {
        let at = |sums: &[i64]| sums.get(players).or(sums.last()).copied().unwrap_or(0);
        (at(&self.lightest), at(&self.heaviest))
    }

    /// The sums of so many players; `None` where they exceed the budget.
    pub(in crate::balance) fn of_players(&mut self, players: usize) -> Option<CountedSums<'_>> {
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
        let (_, sums) = self.made.as_mut()?;
        Some(CountedSums { sums, players })
    }
}

impl CountedSums<'_> {
    /// How many sums there are.
    pub(in crate::balance) fn count(&self) -> usize {
        self.sums.count(self.players)
    }

    /// Every sum, ascending; of no players there is one, 0.
    pub(in crate::balance) fn all(&self) -> Vec<i64> {
        self.sums.all(self.players)
    }

    /// The sums nearest to `target`, ascending: `most` on either side of it, or as many as there are.
    pub(in crate::balance) fn around(&self, target: i64, most: usize) -> Vec<i64> {
        self.sums.around(self.players, target, most)
    }

    /// Whether they are the sums of no players.
    pub(in crate::balance) fn is_empty(&self) -> bool {
        self.players == 0
    }

    /// The lexicographically first choices of players that have this sum, by index.
    pub(in crate::balance) fn first_subsets(&mut self, sum: i64, most: usize) -> Vec<Vec<usize>> {
        self.sums.first_subsets(self.players, sum, most)
    }
}

/// What the first 0, 1, 2, ... players weigh.
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
        let pairs = sums.of_players(2).map(|sums| sums.count());
        assert_eq!(pairs, Some(64 * 63 / 2));
        assert_eq!(
            sums.extremes(2),
            (values[0] + values[1], values[62] + values[63])
        );
    }
}
