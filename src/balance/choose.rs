use std::cmp::Reverse;

use super::climb::climb;
use super::closest::{Leads, closest, flips, left};
use super::sums::Item;
use super::team_sums::{Counted, TeamSums};

/// Who changes teams, by the places in the lists of those who may, and the lead that the giving
/// team is left with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Choice {
    pub(super) give: Vec<usize>,
    pub(super) take: Vec<usize>,
    pub(super) lead: i64,
}

/// How many players change to the other team, and how many come from there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shape {
    pub(super) give: usize,
    pub(super) take: usize,
}

/// Choices of one shape, the best first.
///
/// Of choices that are equally good, the one is first that leaves the same team ahead, then the one
/// whose players weigh least, then those who come first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Chosen {
    pub(super) choices: Vec<Choice>,
    /// Whether there are proven to be no better ones, or none at all where none is here.
    pub(super) proven: bool,
}

/// Those who may change teams, and by how much the giving team leads.
#[derive(Debug)]
pub(super) struct Ground<'all> {
    give: TeamSums<'all>,
    take: TeamSums<'all>,
    lead: i64,
    /// How many more exact sums of pairs there is time to look at.
    left_to_see: usize,
}

/// The most exact sums that are looked at for all shapes of pairs together.
const MOST_SEEN: usize = 1 << 17;

impl<'all> Ground<'all> {
    /// What those weigh who may leave the giving team and the other one.
    pub(super) fn of(give: &'all [i64], take: &'all [i64], lead: i64) -> Self {
        Self {
            give: TeamSums::of(give),
            take: TeamSums::of(take),
            lead,
            left_to_see: MOST_SEEN,
        }
    }

    pub(super) fn lead(&self) -> i64 {
        self.lead
    }

    /// How many may leave the giving team, and how many the other.
    pub(super) fn players(&self) -> (usize, usize) {
        (self.give.values().len(), self.take.values().len())
    }

    /// The choices of this shape that leave the least of `leads`: `most` of them where exact sums
    /// can be looked at; else one.
    pub(super) fn choose(&mut self, shape: Shape, leads: Leads, most: usize) -> Chosen {
        let reach = self.reach(shape);
        if reach.least > leads.most || reach.most < leads.least {
            return Chosen {
                choices: Vec::new(),
                proven: true,
            };
        }
        let (give, take) = (self.give.exact(shape.give), self.take.exact(shape.take));
        if let (Some(mut give), Some(mut take)) = (give, take) {
            let seen = if take.is_nobody() {
                0
            } else {
                give.how_many() + take.how_many()
            };
            if let Some(left) = self.left_to_see.checked_sub(seen) {
                self.left_to_see = left;
                return Chosen {
                    choices: listed(self.lead, &mut give, &mut take, leads, most),
                    proven: true,
                };
            }
        }
        // Where even the heaviest leave the team ahead, or the lightest behind, nobody else is closer.
        if reach.least >= 0 || reach.most <= 0 {
            let (given, taken) = if reach.least >= 0 {
                (End::Heaviest, End::Lightest)
            } else {
                (End::Lightest, End::Heaviest)
            };
            let give = given.places(self.give.values(), shape.give);
            let take = taken.places(self.take.values(), shape.take);
            return Chosen {
                choices: vec![self.choice(give, take)],
                proven: true,
            };
        }
        self.climbed(shape, leads)
    }

    /// The choice that is found from the one whose rounded sums look best.
    fn climbed(&mut self, shape: Shape, leads: Leads) -> Chosen {
        let given = self.give.rounded(shape.give);
        let (Some(mut give), Some(mut take)) = (given, self.take.rounded(shape.take)) else {
            return Chosen::default();
        };
        // What is given may be more than it says, and what is taken too: the lead that they leave
        // lies as far on either side of `middle`.
        let either = give.slack() + take.slack();
        let middle = self.lead - (give.slack() - take.slack());
        let wide = Leads {
            least: leads.least.saturating_sub(either),
            most: leads.most.saturating_add(either),
        };
        let Some(start) = listed(middle, &mut give, &mut take, wide, 1).pop() else {
            return Chosen {
                choices: Vec::new(),
                proven: true,
            };
        };
        let group = |group: usize, sign: i64, values: &[i64]| -> Vec<(usize, Item)> {
            let items = values.iter().map(|value| Item {
                players: 1,
                value: sign * value,
            });
            items.map(|item| (group, item)).collect()
        };
        let (give, take) = (self.give.values(), self.take.values());
        let items = [group(0, 1, give), group(1, -1, take)].concat();
        let mut chosen = vec![false; items.len()];
        for place in start.give {
            chosen[place] = true;
        }
        for place in start.take {
            chosen[give.len() + place] = true;
        }
        let (is_outside, ..) = climb(&items, &mut chosen, false, |_, moved| {
            let lead = left(self.lead, moved);
            (
                !leads.contain(lead),
                lead.unsigned_abs(),
                flips(self.lead, lead),
            )
        });
        if is_outside {
            return Chosen::default();
        }
        let (given, taken) = chosen.split_at(give.len());
        let places = |chosen: &[bool]| -> Vec<usize> {
            (0..chosen.len()).filter(|place| chosen[*place]).collect()
        };
        let choice = self.choice(places(given), places(taken));
        Chosen {
            // Nothing is closer than even.
            proven: choice.lead == 0,
            choices: vec![choice],
        }
    }

    fn choice(&self, give: Vec<usize>, take: Vec<usize>) -> Choice {
        let sum = |values: &[i64], places: &[usize]| -> i64 {
            places.iter().map(|place| values[*place]).sum()
        };
        let moved = sum(self.give.values(), &give) - sum(self.take.values(), &take);
        Choice {
            lead: left(self.lead, moved),
            give,
            take,
        }
    }

    /// The least and the most lead that a choice of this shape leaves.
    pub(super) fn reach(&self, shape: Shape) -> Leads {
        let (least_given, most_given) = self.give.extremes(shape.give);
        let (least_taken, most_taken) = self.take.extremes(shape.take);
        Leads {
            least: left(self.lead, most_given - least_taken),
            most: left(self.lead, least_given - most_taken),
        }
    }
}

/// The choices by these sums that leave the least of `leads`.
fn listed(
    lead: i64,
    give: &mut Counted,
    take: &mut Counted,
    leads: Leads,
    most: usize,
) -> Vec<Choice> {
    let mut choices = Vec::new();
    let given = if take.is_nobody() {
        give.around(lead.div_euclid(2), most)
    } else {
        give.all()
    };
    for (given, taken) in closest(lead, &given, &take.all(), leads, most) {
        let takes = take.firsts(taken, most - choices.len());
        for give in give.firsts(given, most - choices.len()) {
            choices.extend(takes.iter().map(|take| Choice {
                give: give.clone(),
                take: take.clone(),
                lead: left(lead, given - taken),
            }));
        }
        choices.truncate(most);
        if choices.len() == most {
            break;
        }
    }
    choices
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Every choice of a shape, the best first.
    fn every_choice(give: &[i64], take: &[i64], lead: i64, shape: Shape) -> Vec<Choice> {
        let chosen = |values: &[i64], count: usize| -> Vec<Vec<usize>> {
            let masks =
                (0..1_u32 << values.len()).filter(|mask| mask.count_ones() as usize == count);
            let places = |mask: u32| (0..values.len()).filter(move |place| mask >> place & 1 == 1);
            masks.map(|mask| places(mask).collect()).collect()
        };
        let sum = |values: &[i64], places: &[usize]| -> i64 {
            places.iter().map(|place| values[*place]).sum()
        };
        let absent = |places: &[usize]| -> Vec<bool> {
            (0..32).map(|place| !places.contains(&place)).collect()
        };
        let mut all = Vec::new();
        for given in chosen(give, shape.give) {
            for taken in chosen(take, shape.take) {
                all.push(Choice {
                    lead: lead - 2 * (sum(give, &given) - sum(take, &taken)),
                    give: given.clone(),
                    take: taken,
                });
            }
        }
        all.sort_by_cached_key(|choice| {
            (
                choice.lead.abs(),
                choice.lead.signum() * lead.signum() < 0,
                sum(give, &choice.give),
                absent(&choice.give),
                absent(&choice.take),
            )
        });
        all
    }

    proptest! {
        #[test]
        fn the_choices_are_the_best_of_all_within_the_limits(
            give in proptest::collection::vec(prop_oneof![0_i64..4000, 0_i64..4], 0..7),
            take in proptest::collection::vec(prop_oneof![0_i64..4000, 0_i64..4], 0..7),
            lead in -9000_i64..9000, shape in (0_usize..7, 0_usize..7),
            least in -4000_i64..=0, most in 0_i64..4000,
        ) {
            let mut ground = Ground::of(&give, &take, lead);
            let shape = Shape { give: shape.0.min(give.len()), take: shape.1.min(take.len()) };
            let leads = Leads { least, most };
            let all = every_choice(&give, &take, lead, shape);
            let reach = ground.reach(shape);
            prop_assert_eq!(Some(reach.least), all.iter().map(|choice| choice.lead).min());
            prop_assert_eq!(Some(reach.most), all.iter().map(|choice| choice.lead).max());
            let good: Vec<Choice> =
                all.iter().filter(|choice| leads.contain(choice.lead)).cloned().collect();
            let chosen = ground.choose(shape, leads, 4);
            prop_assert!(chosen.proven);
            prop_assert_eq!(&chosen.choices[..], &good[..good.len().min(4)]);
            // Where sums are too many, what is found is sound, if not the best.
            let climbed = ground.climbed(shape, leads);
            for choice in &climbed.choices {
                prop_assert!(good.contains(choice));
                prop_assert!(!climbed.proven || Some(choice.lead) == good.first().map(|best| best.lead));
            }
            prop_assert!(!climbed.choices.is_empty() || !climbed.proven || good.is_empty());
        }

        /// With a hundred million times as many ways as can be looked at, the heavy one decides which
        /// shapes can do anything: those without him and with few are too light.
        #[test]
        fn rounded_sums_prove_that_a_shape_is_too_light_or_too_heavy(
            light in proptest::collection::vec(900_000_i64..1_000_000, 40..60), limit in 0_i64..2_000_000,
        ) {
            let total: i64 = light.iter().sum();
            let give = [&[5 * total][..], &light].concat();
            // Twenty of the light ones make it even.
            let lead = 2 * light[..20].iter().sum::<i64>();
            let mut ground = Ground::of(&give, &[], lead);
            let leads = Leads { least: -limit, most: limit };
            for count in 1..18 {
                let chosen = ground.choose(Shape { give: count, take: 0 }, leads, 4);
                prop_assert!(chosen.choices.is_empty() && chosen.proven, "{}: {:?}", count, chosen);
            }
            let chosen = ground.choose(Shape { give: 20, take: 0 }, Leads { least: -2_000_000, most: 2_000_000 }, 4);
            prop_assert!(chosen.choices[0].lead.abs() < 200_000, "{:?}", chosen);
        }
    }

    #[test]
    fn the_team_that_leads_goes_on_leading_where_it_is_as_close() {
        // Giving 10 leaves 10, giving 20 leaves -10.
        let mut ground = Ground::of(&[20, 10], &[], 30);
        let chosen = ground.choose(Shape { give: 1, take: 0 }, Leads::ALL, 1);
        let choices = chosen.choices.into_iter();
        let choices: Vec<_> = choices.map(|choice| (choice.give, choice.lead)).collect();
        assert_eq!(choices, [(vec![1], 10)]);
    }
}
