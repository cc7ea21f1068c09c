use std::cmp::Reverse;

use super::climb::climb;
use super::sums::{Item, Sums};

/// Who changes teams, by the places in the lists of those who may, and the lead that the giving
/// team is left with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Choice {
    pub(super) give: Vec<usize>,
    pub(super) take: Vec<usize>,
    pub(super) lead: i64,
}

/// The leads that the giving team may be left with; even is always one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Leads {
    pub(super) least: i64,
    pub(super) most: i64,
}

impl Leads {
    pub(super) const ALL: Self = Self {
        least: i64::MIN,
        most: i64::MAX,
    };

    pub(super) fn contain(&self, lead: i64) -> bool {
        (self.least..=self.most).contains(&lead)
    }
}

/// How many players change to the other team, and how many come from there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shape {
    pub(super) give: usize,
    pub(super) take: usize,
}

/// Those who may change teams, and by how much the giving team leads.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ground<'all> {
    pub(super) give: &'all [i64],
    pub(super) take: &'all [i64],
    pub(super) lead: i64,
}

impl Ground<'_> {
    /// The choice of this shape that leaves the least lead of `leads`, and whether it is proven
    /// that there is no better one.
    ///
    /// Of choices that are equally good, the one wins that leaves the same team ahead, then the one
    /// whose players weigh least, then those who come first.
    pub(super) fn choose(&self, shape: Shape, leads: Leads) -> (Option<Choice>, bool) {
        // Where even the heaviest leave the team ahead, or the lightest behind, nobody else is closer.
        let reach = self.reach(shape);
        let end = match (reach.least >= 0, reach.most <= 0) {
            (true, _) => Some((End::Heaviest, End::Lightest, reach.least)),
            (_, true) => Some((End::Lightest, End::Heaviest, reach.most)),
            _ => None,
        };
        if let Some((given, taken, lead)) = end {
            let choice = leads.contain(lead).then(|| Choice {
                give: given.places(self.give, shape.give),
                take: taken.places(self.take, shape.take),
                lead,
            });
            // The limits contain what is even, so what is farther from it breaks them too.
            return (choice, true);
        }
        let tables = (
            Sums::of(&singles(self.give), shape.give),
            Sums::of(&singles(self.take), shape.take),
        );
        match tables {
            (Some(give), Some(take)) => {
                let best = self.nearest(&give.all(shape.give), &take.all(shape.take), leads);
                let choice = best.map(|(given, taken)| Choice {
                    give: give.first(shape.give, given),
                    take: take.first(shape.take, taken),
                    lead: self.left(given - taken),
                });
                (choice, true)
            }
            _ => self.climbed(shape, leads),
        }
    }

    /// The sums given and taken, out of these ascending ones, that leave the best lead.
    fn nearest(&self, given: &[i64], taken: &[i64], leads: Leads) -> Option<(i64, i64)> {
        let mut best = None;
        let mut from = 0;
        for give in given {
            // The first sum taken with which the giving team is not behind.
            while from < taken.len() && self.left(give - taken[from]) < 0 {
                from += 1;
            }
            for take in taken[from.saturating_sub(1)..].iter().take(2) {
                let lead = self.left(give - take);
                let key = (lead.unsigned_abs(), self.flips(lead), *give);
                if leads.contain(lead) && best.is_none_or(|(least, _)| key < least) {
                    best = Some((key, (*give, *take)));
                }
            }
        }
        best.map(|(_, sums)| sums)
    }

    /// The best of some choices that were improved step by step.
    fn climbed(&self, shape: Shape, leads: Leads) -> (Option<Choice>, bool) {
        let group = |group: usize, sign: i64, values: &[i64]| -> Vec<(usize, Item)> {
            let items = values.iter().map(|value| Item {
                players: 1,
                value: sign * value,
            });
            items.map(|item| (group, item)).collect()
        };
        let items = [group(0, 1, self.give), group(1, -1, self.take)].concat();
        let mut best: Option<(_, Vec<bool>)> = None;
        for start in [Start::Lightest, Start::Spread, Start::Heaviest] {
            let mut chosen = start.chosen(self.give, shape.give);
            chosen.extend(start.chosen(self.take, shape.take));
            let key = climb(&items, &mut chosen, false, |_, sum| {
                let lead = self.left(sum);
                (!leads.contain(lead), lead.unsigned_abs(), self.flips(lead))
            });
            if best.as_ref().is_none_or(|(least, _)| key < *least) {
                best = Some((key, chosen));
            }
        }
        let good = best.filter(|((outside, ..), _)| !outside);
        let choice = good.map(|(_, chosen)| {
            let (give, take) = chosen.split_at(self.give.len());
            let places = |chosen: &[bool]| -> Vec<usize> {
                (0..chosen.len()).filter(|place| chosen[*place]).collect()
            };
            let (give, take) = (places(give), places(take));
            let sum = |values: &[i64], places: &[usize]| -> i64 {
                places.iter().map(|place| values[*place]).sum()
            };
            Choice {
                lead: self.left(sum(self.give, &give) - sum(self.take, &take)),
                give,
                take,
            }
        });
        // Nothing is closer than even.
        let is_even = choice.as_ref().is_some_and(|choice| choice.lead == 0);
        (choice, is_even)
    }

    /// The least and the most lead that a choice of this shape leaves.
    pub(super) fn reach(&self, shape: Shape) -> Leads {
        let (least_given, most_given) = extremes(self.give, shape.give);
        let (least_taken, most_taken) = extremes(self.take, shape.take);
        Leads {
            least: self.left(most_given - least_taken),
            most: self.left(least_given - most_taken),
        }
    }

    fn left(&self, moved: i64) -> i64 {
        self.lead - 2 * moved
    }

    fn flips(&self, lead: i64) -> bool {
        lead.signum() * self.lead.signum() < 0
    }
}

fn singles(values: &[i64]) -> Vec<Item> {
    values
        .iter()
        .map(|&value| Item { players: 1, value })
        .collect()
}

/// The least and the most that so many of the values sum up to.
fn extremes(values: &[i64], count: usize) -> (i64, i64) {
    let mut sorted = values.to_vec();
    sorted.sort_unstable();
    let least = sorted.iter().take(count).sum();
    (least, sorted.iter().rev().take(count).sum())
}

/// The players at one end of a list by what they weigh.
#[derive(Clone, Copy, Debug)]
enum End {
    Lightest,
    Heaviest,
}

impl End {
    /// The places of so many of them, ascending; of equals the first.
    fn places(self, values: &[i64], count: usize) -> Vec<usize> {
        let mut places: Vec<usize> = (0..values.len()).collect();
        match self {
            Self::Lightest => places.sort_by_key(|place| values[*place]),
            Self::Heaviest => places.sort_by_key(|place| Reverse(values[*place])),
        }
        places.truncate(count);
        places.sort_unstable();
        places
    }
}

/// Where a climb sets out.
#[derive(Clone, Copy, Debug)]
enum Start {
    Lightest,
    Spread,
    Heaviest,
}

impl Start {
    fn chosen(self, values: &[i64], count: usize) -> Vec<bool> {
        let mut places: Vec<usize> = (0..values.len()).collect();
        places.sort_by_key(|place| values[*place]);
        let all = places.len();
        let mut chosen = vec![false; all];
        for number in 0..count.min(all) {
            let place = match self {
                Self::Lightest => number,
                Self::Spread => number * all / count.max(1),
                Self::Heaviest => all - 1 - number,
            };
            chosen[places[place]] = true;
        }
        chosen
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn every_choice(ground: &Ground, shape: Shape) -> Vec<i64> {
        let sums = |values: &[i64], count: usize| -> Vec<i64> {
            let masks =
                (0..1_u32 << values.len()).filter(|mask| mask.count_ones() as usize == count);
            let places = |mask: u32| (0..values.len()).filter(move |place| mask >> place & 1 == 1);
            masks
                .map(|mask| places(mask).map(|place| values[place]).sum())
                .collect()
        };
        let taken = sums(ground.take, shape.take);
        let given = sums(ground.give, shape.give).into_iter();
        given
            .flat_map(|give| {
                taken
                    .iter()
                    .map(move |take| ground.lead - 2 * (give - take))
            })
            .collect()
    }

    proptest! {
        #[test]
        fn no_choice_within_the_limits_is_closer(
            give in proptest::collection::vec(0_i64..4000, 0..7),
            take in proptest::collection::vec(0_i64..4000, 0..7),
            lead in -9000_i64..9000, shape in (0_usize..7, 0_usize..7),
            least in -4000_i64..=0, most in 0_i64..4000,
        ) {
            let ground = Ground { give: &give, take: &take, lead };
            let shape = Shape { give: shape.0.min(give.len()), take: shape.1.min(take.len()) };
            let leads = Leads { least, most };
            let (choice, proven) = ground.choose(shape, leads);
            let all = every_choice(&ground, shape);
            let best = all.iter().filter(|lead| leads.contain(**lead)).map(|lead| lead.abs()).min();
            prop_assert_eq!(choice.as_ref().map(|choice| choice.lead.abs()), best);
            prop_assert!(proven);
            let reach = ground.reach(shape);
            prop_assert_eq!(Some(&reach.least), all.iter().min());
            prop_assert_eq!(Some(&reach.most), all.iter().max());
            // Where tables are too large, what is found is sound, if not the best.
            let (climbed, proven) = ground.climbed(shape, leads);
            if let Some(climbed) = climbed {
                prop_assert!(all.contains(&climbed.lead) && leads.contain(climbed.lead));
                prop_assert!(!proven || Some(climbed.lead.abs()) == best);
            }
        }
    }

    #[test]
    fn the_team_that_leads_goes_on_leading_where_it_is_as_close() {
        // Giving 10 leaves 10, giving 20 leaves -10.
        let ground = Ground {
            give: &[20, 10],
            take: &[],
            lead: 30,
        };
        let (choice, _) = ground.choose(Shape { give: 1, take: 0 }, Leads::ALL);
        assert_eq!(
            choice.map(|choice| (choice.give, choice.lead)),
            Some((vec![1], 10))
        );
    }
}
