use super::sums::{Item, Room, Sums};

/// The sums of those who may leave a team, by how many they are; made when they are asked for, and
/// kept for the next question.
///
/// # Design
/// Exact sums are made for more players than asked for, so that asking for ever more of them makes
/// few tables. Where they would be too much work, there are rounded ones: they miss no sum, and are
/// wrong by no more than they say, which is enough to prove that none is near and to find one that
/// is.
#[derive(Debug)]
pub(super) struct TeamSums<'all> {
    values: &'all [i64],
    /// What the lightest, and the heaviest, so many players weigh.
    lightest: Vec<i64>,
    heaviest: Vec<i64>,
    /// The exact sums of up to so many players.
    exact: Option<(usize, Sums)>,
    /// For how many players at most there is room for exact sums, once that has been looked at.
    room: Option<usize>,
    /// How many steps of a power the rounded sums' step is, and they.
    rounded: Option<(i64, Sums)>,
}

/// The sums of one number of players.
#[derive(Debug)]
pub(super) struct Counted<'sums> {
    sums: &'sums mut Sums,
    count: usize,
    scale: i64,
}

impl<'all> TeamSums<'all> {
    pub(super) fn of(values: &'all [i64]) -> Self {
        let mut sorted = values.to_vec();
        sorted.sort_unstable();
        let lightest = running(sorted.iter());
        let heaviest = running(sorted.iter().rev());
        Self {
            values,
            lightest,
            heaviest,
            exact: None,
            room: None,
            rounded: None,
        }
    }

    pub(super) fn values(&self) -> &'all [i64] {
        self.values
    }

    /// The least and the most that so many players weigh; nobody can be more than there are.
    pub(super) fn extremes(&self, count: usize) -> (i64, i64) {
        let at = |sums: &[i64]| sums.get(count).or(sums.last()).copied().unwrap_or(0);
        (at(&self.lightest), at(&self.heaviest))
    }

    /// The sums of so many players; `None` where they would be too much work.
    pub(super) fn exact(&mut self, count: usize) -> Option<Counted<'_>> {
        let reached = self.exact.as_ref().map(|(most, _)| *most);
        if reached.is_none_or(|most| count > most) {
            let items = self.items(1);
            let room = *self
                .room
                .get_or_insert_with(|| Sums::room_for(&items, Room::EXACT));
            if count > room {
                return None;
            }
            let ample = (2 * count).max(4).min(room);
            self.exact = Some((ample, Sums::of(&items, ample, Room::EXACT)?));
        }
        let (_, sums) = self.exact.as_mut()?;
        Some(Counted {
            sums,
            count,
            scale: 1,
        })
    }

    /// The sums of so many players, rounded down player by player.
    pub(super) fn rounded(&mut self, count: usize) -> Option<Counted<'_>> {
        if self.rounded.is_none() {
            let all = self.values.len();
            let mut scales = (1..i64::BITS - 1).map(|doublings| 1_i64 << doublings);
            self.rounded = scales
                .find_map(|scale| Some((scale, Sums::of(&self.items(scale), all, Room::ROUNDED)?)));
        }
        let (scale, sums) = self.rounded.as_mut()?;
        Some(Counted {
            sums,
            count,
            scale: *scale,
        })
    }

    fn items(&self, scale: i64) -> Vec<Item> {
        let items = self.values.iter().map(|value| Item {
            players: 1,
            value: value.div_euclid(scale),
        });
        items.collect()
    }
}

impl Counted<'_> {
    /// How many sums there are.
    pub(super) fn how_many(&self) -> usize {
        self.sums.how_many(self.count)
    }

    /// Every sum, ascending; of nobody's there is one.
    pub(super) fn all(&self) -> Vec<i64> {
        let sums = self.sums.all(self.count).into_iter();
        sums.map(|sum| sum * self.scale).collect()
    }

    /// The sums nearest to `target`, ascending: `most` on either side of it, or as many as there are.
    pub(super) fn around(&self, target: i64, most: usize) -> Vec<i64> {
        let target = target.div_euclid(self.scale);
        let sums = self.sums.around(self.count, target, most).into_iter();
        sums.map(|sum| sum * self.scale).collect()
    }

    pub(super) fn is_nobody(&self) -> bool {
        self.count == 0
    }

    /// By how much more than it says a sum may be.
    pub(super) fn slack(&self) -> i64 {
        i64::try_from(self.count).unwrap_or(i64::MAX) * (self.scale - 1)
    }

    /// The first choices of players, by their places, that have one of the sums.
    pub(super) fn firsts(&mut self, sum: i64, most: usize) -> Vec<Vec<usize>> {
        self.sums.firsts(self.count, sum / self.scale, most)
    }
}

/// What nobody, the first, the first two and so on weigh.
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
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_is_too_much_for_exact_sums_is_rounded() {
        let values: Vec<i64> = (1..=64).map(|n: i64| n * n * n * n * 7919 + n).collect();
        let mut sums = TeamSums::of(&values);
        assert!(sums.exact(2).is_some() && sums.exact(16).is_none());
        // What was asked for in vain costs nothing of what there was.
        assert!(sums.exact(1).is_some());
        assert_eq!(sums.exact(2).unwrap().slack(), 0);
        let rounded = sums.rounded(16).unwrap();
        assert!(rounded.slack() > 0);
        let total: i64 = values.iter().sum();
        assert!(
            rounded.slack() < total / 20,
            "{} of {total}",
            rounded.slack()
        );
    }

    proptest! {
        #[test]
        fn a_rounded_sum_stands_for_every_one_that_there_is(
            values in proptest::collection::vec(0_i64..1_000_000_000, 24..64), count in 3_usize..24,
            chosen in any::<proptest::sample::Index>(),
        ) {
            let mut sums = TeamSums::of(&values);
            let start = chosen.index(values.len() - count);
            let sum: i64 = values[start..start + count].iter().sum();
            let (least, most) = sums.extremes(count);
            prop_assert!((least..=most).contains(&sum));
            let mut rounded = sums.rounded(count).unwrap();
            let near = |told: &i64| (*told..=told + rounded.slack()).contains(&sum);
            let told = rounded.all().into_iter().find(near);
            prop_assert!(told.is_some());
            // And whoever is named for it weighs what it says.
            let players = rounded.firsts(told.unwrap(), 1).remove(0);
            prop_assert_eq!(players.len(), count);
            let sum: i64 = players.iter().map(|place| values[*place]).sum();
            let told = told.unwrap();
            prop_assert!((told..=told + rounded.slack()).contains(&sum));
        }
    }
}
