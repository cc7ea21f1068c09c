use std::cmp::Reverse;

use super::climb::climb;
use super::closest::{Leads, closest, flips, lead_after};
use crate::balance::sums::{Item, SubsetSums, TeamSums};

/// Choice of players who change teams, as indices of movable players. `lead` is the weight by which the team that gives
/// players leads afterwards, in billionths of a point.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Choice {
    pub(super) give: Vec<usize>,
    pub(super) take: Vec<usize>,
    pub(super) lead: i64,
}

/// Number of players who leave the larger or stronger team, and number who leave the other team.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct MoveCount {
    pub(super) give: usize,
    pub(super) take: usize,
}

/// Best choices of players to move, for fixed numbers of players from each team, the best first.
///
/// Ties are broken by three rules: the favourite stays the same, then the given players weigh less, then the indices
/// come first in lexicographic order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Chosen {
    pub(super) choices: Vec<Choice>,
    /// `true` if it is proven that no better choice of players exists, or no choice at all if `choices` is empty.
    pub(super) proven: bool,
}

/// Players who may change teams, and the weight by which the team that gives players leads, in billionths of a point.
#[derive(Debug)]
pub(super) struct Candidates<'all> {
    give: TeamSums<'all>,
    take: TeamSums<'all>,
    lead: i64,
    sums_left: usize,
}

/// Maximum number of weight sums that the search for swaps in one match examines, over all numbers of players.
const MAX_SUMS: usize = 1 << 20;

impl<'all> Candidates<'all> {
    /// Creates the set of movable players from their weights on the team that gives players and on the other team.
    pub(super) fn of(give: &'all [i64], take: &'all [i64], lead: i64) -> Self {
        Self {
            give: TeamSums::of(give),
            take: TeamSums::of(take),
            lead,
            sums_left: MAX_SUMS,
        }
    }

    pub(super) fn lead(&self) -> i64 {
        self.lead
    }

    /// Returns the number of movable players on the team that gives players and on the other team.
    pub(super) fn players(&self) -> (usize, usize) {
        (self.give.values().len(), self.take.values().len())
    }

    /// Returns the best `most` choices of `count` players to move that leave a lead within `leads`. Returns one choice
    /// if there are too many sums to examine.
    pub(super) fn choose(&mut self, count: MoveCount, leads: Leads, most: usize) -> Chosen {
        let reach = self.reach(count);
        if reach.least > leads.most || reach.most < leads.least {
            return Chosen {
                choices: Vec::new(),
                proven: true,
            };
        }
        // If even the heaviest givers leave the team ahead, or the lightest leave it behind, these extremes come
        // closest.
        if reach.least >= 0 {
            return self.one_sided(count, leads, most, [End::Heaviest, End::Lightest]);
        }
        if reach.most <= 0 {
            return self.one_sided(count, leads, most, [End::Lightest, End::Heaviest]);
        }
        let give = self.give.of_players(count.give);
        let take = self.take.of_players(count.take);
        if let (Some(give), Some(take)) = (give, take) {
            let sums = if count.take == 0 {
                0
            } else {
                give.count(count.give) + take.count(count.take)
            };
            if let Some(left) = self.sums_left.checked_sub(sums) {
                self.sums_left = left;
                return Chosen {
                    choices: best_choices(self.lead, count, [give, take], leads, most),
                    proven: true,
                };
            }
        }
        let ends = [
            [End::Lightest, End::Heaviest],
            [End::Heaviest, End::Lightest],
        ];
        let climbs = ends.map(|ends| self.climbed(&self.extreme(count, ends), leads));
        let found = climbs.into_iter().filter_map(|chosen| {
            let lead = chosen.choices.first()?.lead;
            Some((lead.unsigned_abs(), chosen))
        });
        let best = found.min_by_key(|(lead, _)| *lead);
        best.map(|(_, chosen)| chosen).unwrap_or_default()
    }

    /// Returns the best choices if moving the lightest or heaviest players (`ends`) brings the teams closest together.
    ///
    /// Only players near the boundary of the ends vary. Let n be `most`. A subset that skips the n-th player before the
    /// boundary is worse than n subsets that exchange a single player. So is a subset that takes the n-th player behind
    /// the boundary.
    fn one_sided(&self, count: MoveCount, leads: Leads, most: usize, ends: [End; 2]) -> Chosen {
        let values = [self.give.values(), self.take.values()];
        let [give, take] = [(0, count.give), (1, count.take)]
            .map(|(team, players)| ends[team].boundary(values[team], players, most));
        let fixed = self.choice(give.0, take.0);
        let value_of = |team: usize| move |index: &usize| values[team][*index];
        let open: [Vec<i64>; 2] = [
            give.1.iter().map(value_of(0)).collect(),
            take.1.iter().map(value_of(1)).collect(),
        ];
        let (mut give_sums, mut take_sums) = (TeamSums::of(&open[0]), TeamSums::of(&open[1]));
        let left = MoveCount {
            give: count.give - fixed.give.len(),
            take: count.take - fixed.take.len(),
        };
        let give_sums = give_sums.of_players(left.give);
        let take_sums = take_sums.of_players(left.take);
        let (Some(give_sums), Some(take_sums)) = (give_sums, take_sums) else {
            return Chosen::default();
        };
        let choices = best_choices(fixed.lead, left, [give_sums, take_sums], leads, most);
        let with = |fixed: &[usize], open: &[usize], chosen: &[usize]| -> Vec<usize> {
            let chosen = chosen.iter().map(|index| open[*index]);
            let mut all: Vec<usize> = fixed.iter().copied().chain(chosen).collect();
            all.sort_unstable();
            all
        };
        let choices = choices.into_iter().map(|choice| Choice {
            give: with(&fixed.give, &give.1, &choice.give),
            take: with(&fixed.take, &take.1, &choice.take),
            lead: choice.lead,
        });
        Chosen {
            choices: choices.collect(),
            proven: true,
        }
    }

    fn climbed(&self, start: &Choice, leads: Leads) -> Chosen {
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
        for &index in &start.give {
            chosen[index] = true;
        }
        for &index in &start.take {
            chosen[give.len() + index] = true;
        }
        let (is_outside, ..) = climb(&items, &mut chosen, false, |_, moved| {
            let lead = lead_after(self.lead, moved);
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
        let indices = |chosen: &[bool]| -> Vec<usize> {
            (0..chosen.len()).filter(|index| chosen[*index]).collect()
        };
        let choice = self.choice(indices(given), indices(taken));
        Chosen {
            // No lead is smaller than zero.
            proven: choice.lead == 0,
            choices: vec![choice],
        }
    }

    fn extreme(&self, count: MoveCount, [give, take]: [End; 2]) -> Choice {
        self.choice(
            give.boundary(self.give.values(), count.give, 0).0,
            take.boundary(self.take.values(), count.take, 0).0,
        )
    }

    fn choice(&self, give: Vec<usize>, take: Vec<usize>) -> Choice {
        let sum = |values: &[i64], indices: &[usize]| -> i64 {
            indices.iter().map(|index| values[*index]).sum()
        };
        let moved = sum(self.give.values(), &give) - sum(self.take.values(), &take);
        Choice {
            lead: lead_after(self.lead, moved),
            give,
            take,
        }
    }

    /// Returns the leads, in billionths of a point, that the giving team can have after moves of `count` players.
    pub(super) fn reach(&self, count: MoveCount) -> Leads {
        let (least_given, most_given) = self.give.extremes(count.give);
        let (least_taken, most_taken) = self.take.extremes(count.take);
        Leads {
            least: lead_after(self.lead, most_given - least_taken),
            most: lead_after(self.lead, least_given - most_taken),
        }
    }
}

/// Returns at most `most` choices of `count` players to move that leave the smallest leads within `leads`, in
/// billionths of a point, the best first. `give` and `take` are the weight sums of the players of each team.
fn best_choices(
    lead: i64,
    count: MoveCount,
    [give, take]: [&mut SubsetSums; 2],
    leads: Leads,
    most: usize,
) -> Vec<Choice> {
    let mut choices = Vec::new();
    let given = if count.take == 0 {
        give.around(count.give, lead.div_euclid(2), most)
    } else {
        give.all(count.give)
    };
    for (given, taken) in closest(lead, &given, &take.all(count.take), leads, most) {
        let takes = take.first_subsets(count.take, taken, most - choices.len());
        for give in give.first_subsets(count.give, given, most - choices.len()) {
            choices.extend(takes.iter().map(|take| Choice {
                give: give.clone(),
                take: take.clone(),
                lead: lead_after(lead, given - taken),
            }));
        }
        choices.truncate(most);
        if choices.len() == most {
            break;
        }
    }
    choices
}

#[derive(Clone, Copy, Debug)]
enum End {
    Lightest,
    Heaviest,
}

impl End {
    /// Sorts the values from the lightest or the heaviest on, as `self` says, and returns two lists of indices. The
    /// first list has the first `count - margin` values in this order. The second list has the next `2 * margin`
    /// values, by ascending index. Ties go to the lower index.
    fn boundary(self, values: &[i64], count: usize, margin: usize) -> (Vec<usize>, Vec<usize>) {
        let mut indices: Vec<usize> = (0..values.len()).collect();
        match self {
            Self::Lightest => indices.sort_by_key(|index| values[*index]),
            Self::Heaviest => indices.sort_by_key(|index| Reverse(values[*index])),
        }
        indices.truncate(count + margin);
        let mut open = indices.split_off(count.saturating_sub(margin));
        open.sort_unstable();
        (indices, open)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn every_choice(give: &[i64], take: &[i64], lead: i64, count: MoveCount) -> Vec<Choice> {
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
        for given in chosen(give, count.give) {
            for taken in chosen(take, count.take) {
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
            lead in -9000_i64..9000, count in (0_usize..7, 0_usize..7),
            least in -4000_i64..=0, most in 0_i64..4000, wanted in 1_usize..5,
        ) {
            let mut candidates = Candidates::of(&give, &take, lead);
            let count = MoveCount { give: count.0.min(give.len()), take: count.1.min(take.len()) };
            let leads = Leads { least, most };
            let all = every_choice(&give, &take, lead, count);
            let reach = candidates.reach(count);
            prop_assert_eq!(Some(reach.least), all.iter().map(|choice| choice.lead).min());
            prop_assert_eq!(Some(reach.most), all.iter().map(|choice| choice.lead).max());
            let good: Vec<Choice> =
                all.iter().filter(|choice| leads.contain(choice.lead)).cloned().collect();
            let chosen = candidates.choose(count, leads, wanted);
            prop_assert!(chosen.proven);
            prop_assert_eq!(&chosen.choices[..], &good[..good.len().min(wanted)]);
            // If the sums exceed their budget, the choice is valid but may not be the best.
            let start = candidates.extreme(count, [End::Lightest, End::Heaviest]);
            let climbed = candidates.climbed(&start, leads);
            for choice in &climbed.choices {
                prop_assert!(good.contains(choice));
                prop_assert!(!climbed.proven || Some(choice.lead) == good.first().map(|best| best.lead));
            }
            prop_assert!(!climbed.choices.is_empty() || !climbed.proven || good.is_empty());
        }
    }
}
