use super::scale::Scale;
use super::sum_table::Table;

/// The sums that the items after each one have, by how many players they are: on the way through the
/// items they tell whether what is left to choose can still be had.
#[derive(Debug)]
pub(super) struct Tails {
    most: usize,
    /// By item, then by players.
    after: Vec<Vec<Table>>,
}

impl Tails {
    /// Those of at most `most` players.
    pub(super) fn of(scale: &Scale, with_bits: bool, most: usize) -> Self {
        let mut after = vec![Table::of_nobody(with_bits, most)];
        for item in (1..scale.items()).rev() {
            let next = after.last().map_or(&[][..], Vec::as_slice);
            let (players, above) = scale.item(item);
            let here = (0..=most).map(|count| {
                let without = &next[count];
                match count.checked_sub(players) {
                    Some(rest) => without.joined(&next[rest], above),
                    None => without.clone(),
                }
            });
            let here = here.collect();
            after.push(here);
        }
        after.reverse();
        Self { most, after }
    }

    /// The most players that there are sums of.
    pub(super) fn most(&self) -> usize {
        self.most
    }

    /// The first choices of items that are `count` players and whose sum has this place, where there
    /// is one; at most so many.
    pub(super) fn firsts(
        &self,
        scale: &Scale,
        count: usize,
        place: i64,
        most: usize,
    ) -> Vec<Vec<usize>> {
        let mut found = Vec::new();
        self.descend(scale, (0, count, place), &mut Vec::new(), most, &mut found);
        found
    }

    /// Goes on from an item where players and a place are left that it and those after it have, so
    /// that no way down is in vain.
    fn descend(
        &self,
        scale: &Scale,
        (item, count, place): (usize, usize, i64),
        chosen: &mut Vec<usize>,
        most: usize,
        found: &mut Vec<Vec<usize>>,
    ) {
        if found.len() == most {
            return;
        }
        if item == scale.items() {
            found.push(chosen.clone());
            return;
        }
        let (players, above) = scale.item(item);
        if let Some(rest) = count.checked_sub(players)
            && self.has(item, rest, place - above)
        {
            chosen.push(item);
            self.descend(scale, (item + 1, rest, place - above), chosen, most, found);
            chosen.pop();
        }
        if self.has(item, count, place) {
            self.descend(scale, (item + 1, count, place), chosen, most, found);
        }
    }

    /// Whether the items after this one have the sum of so many players that has this place.
    fn has(&self, after: usize, count: usize, place: i64) -> bool {
        let table = self.after.get(after).and_then(|tables| tables.get(count));
        table.is_some_and(|table| table.has(place))
    }
}
