use super::fill::team_size;
use crate::balance::moves::{Leads, climb, closest};
use crate::balance::policy::{Filling, Policy, Trigger};
use crate::balance::state::{Group, Power, WeighedMatch};
use crate::balance::sums::{Item, SubsetSums, TableBudget};
use crate::domain::Side;

/// What a placing is judged by, the less the better: whether the policy finds the teams unbalanced,
/// players over what one team may have, how far the powers differ, how far the sizes do.
type Key = (bool, usize, u64, usize);

/// The question where the groups of those who join go.
#[derive(Debug)]
pub(super) struct Question<'all> {
    groups: &'all [Group<'all>],
    trigger: &'all Trigger,
    /// The largest lead that is not too much, sizes apart.
    most_lead: Option<i64>,
    weighed: &'all WeighedMatch<'all>,
    /// How bots fill up, where they do.
    filling: Option<Filling>,
    /// What each weighs.
    values: Vec<i64>,
    /// The team sizes without those who join.
    sizes: (usize, usize),
    /// By how much team a leads without them, and without bots.
    lead: i64,
    /// The players that one team may have.
    most: usize,
    /// How many join, and the sum of their values.
    all: usize,
    total: i64,
}

impl<'all> Question<'all> {
    pub(super) fn new(
        weighed: &'all WeighedMatch<'all>,
        policy: &'all Policy,
        groups: &'all [Group<'all>],
        theta: f64,
    ) -> Self {
        let players = |group: &Group| group.players.len();
        let (a, b) = (weighed.team(Side::A), weighed.team(Side::B));
        let joining: usize = groups.iter().map(players).sum();
        let all = a.len() + b.len() + joining;
        // Without bots a player counts what is beyond the worth of a player more; with them, that is nothing.
        let each = weighed.extra_player();
        let team = |team: &[&_]| {
            let power = team.iter().map(|player| weighed.power(player)).sum();
            beyond(power, team.len(), each)
        };
        let values: Vec<i64> = groups
            .iter()
            .map(|group| beyond(group.power, players(group), each))
            .collect();
        let everybody = weighed.powers.values().copied().sum();
        Self {
            trigger: &policy.trigger,
            most_lead: policy.trigger.most_lead(everybody, weighed.beyond(), theta),
            total: values.iter().sum(),
            values,
            groups,
            sizes: (a.len(), b.len()),
            lead: weighed.lean().steps() + team(a) - team(b),
            filling: policy.bots(),
            weighed,
            most: all
                .div_ceil(2)
                .max(all * policy.largest_team_share as usize / 10_000),
            all: joining,
        }
    }

    /// What is wrong with such seats by the rules: whether the policy finds the teams unbalanced, and how many players
    /// a team has beyond its share.
    pub(super) fn faults(&self, seats: &[Side]) -> (bool, usize) {
        let on_a = seats
            .iter()
            .enumerate()
            .filter(|(_, side)| **side == Side::A);
        let (players, value) = on_a.fold((0, 0), |(players, value), (place, _)| {
            (
                players + self.groups[place].players.len(),
                value + self.values[place],
            )
        });
        let (is_unbalanced, over, ..) = self.key(players, value);
        (is_unbalanced, over)
    }

    /// The key where so many of those who join, weighing so much, go to team a.
    fn key(&self, players: usize, value: i64) -> Key {
        let (a, b) = (self.sizes.0 + players, self.sizes.1 + self.all - players);
        let lead = self.lead_with(players, value).unsigned_abs();
        let is_too_far = self
            .most_lead
            .is_some_and(|most| lead > most.unsigned_abs());
        let sizes_fire = !self.trigger.size_reasons(a, b).is_empty();
        (
            sizes_fire || (is_too_far && !self.trigger.suffices(a, b)),
            a.max(b).saturating_sub(self.most),
            lead,
            a.abs_diff(b),
        )
    }

    /// The lead of team a where those who go there are so many and weigh so much.
    fn lead_with(&self, players: usize, value: i64) -> i64 {
        self.lead - self.total + 2 * value + self.lead_of_bots(players)
    }

    /// By how much the bots of team a weigh more where so many go there.
    fn lead_of_bots(&self, players: usize) -> i64 {
        let Some(filling) = self.filling else {
            return 0;
        };
        let (a, b) = (self.sizes.0 + players, self.sizes.1 + self.all - players);
        let size = team_size(a.max(b), filling, self.weighed.bots.map_players);
        let power = |side: Side, players: usize| self.weighed.bots_power(side, size - players);
        (power(Side::A, a) - power(Side::B, b)).steps()
    }

    /// The best seats of the groups, the best first and `most` of them; and whether there are proven
    /// to be no better ones. One where sums exceed their budget.
    ///
    /// Of seats that are equally good those come first that have more players on team a, then the
    /// lighter ones, then the lexicographically first.
    pub(super) fn solve(&self, most: usize) -> (Vec<Vec<Side>>, bool) {
        let free: Vec<usize> = (0..self.groups.len())
            .filter(|place| self.groups[*place].fixed.is_none())
            .collect();
        let item = |place: usize| Item {
            players: self.groups[place].players.len(),
            value: self.values[place],
        };
        let items: Vec<Item> = free.iter().map(|place| item(*place)).collect();
        let on_a = (0..self.groups.len())
            .filter(|place| self.groups[*place].fixed == Some(Side::A))
            .map(item);
        let fixed = on_a.fold((0, 0), |(players, value), item| {
            (players + item.players, value + item.value)
        });
        let all = items.iter().map(|item| item.players).sum();
        let (chosen, proven) = match SubsetSums::of(&items, all, TableBudget::STANDARD) {
            Some(mut sums) => (self.best_of(&mut sums, fixed, all, most), true),
            None => self.climbed(&items, fixed),
        };
        let seats = chosen.into_iter().map(|chosen| {
            let fixed = self.groups.iter().map(|group| group.fixed);
            let mut seats: Vec<Side> = fixed.map(|side| side.unwrap_or(Side::B)).collect();
            for place in chosen {
                seats[free[place]] = Side::A;
            }
            seats
        });
        (seats.collect(), proven)
    }

    /// The choices of items for team a that have the least keys, along with those who are `fixed`
    /// there. With one number of players, the closest sums have the least keys.
    fn best_of(
        &self,
        sums: &mut SubsetSums,
        fixed: (usize, i64),
        all: usize,
        most: usize,
    ) -> Vec<Vec<usize>> {
        let mut best = Vec::new();
        for count in (0..=all).rev() {
            let lead = -self.lead_with(fixed.0 + count, fixed.1);
            let near = sums.around(count, lead.div_euclid(2), most);
            for (sum, _) in closest(lead, &near, &[0], Leads::ALL, most) {
                best.push((self.key(fixed.0 + count, fixed.1 + sum), count, sum));
            }
        }
        best.sort_by_key(|(key, count, sum)| (*key, std::cmp::Reverse(*count), *sum));
        best.truncate(most);
        let players = best.iter().map(|(_, count, _)| *count);
        sums.prepare(players.max().unwrap_or(0));
        let mut choices: Vec<Vec<usize>> = Vec::new();
        for (_, count, sum) in best {
            if choices.len() == most {
                break;
            }
            choices.extend(sums.first_subsets(count, sum, most - choices.len()));
        }
        choices
    }

    /// The same where sums exceed their budget: each in turn to the better team, then by hill climbing;
    /// proven only where the teams end even.
    fn climbed(&self, items: &[Item], fixed: (usize, i64)) -> (Vec<Vec<usize>>, bool) {
        let key = |players: usize, value: i64| self.key(fixed.0 + players, fixed.1 + value);
        let mut chosen = vec![false; items.len()];
        let (mut players, mut value) = (0, 0);
        for (place, item) in items.iter().enumerate() {
            if key(players + item.players, value + item.value) < key(players, value) {
                chosen[place] = true;
                (players, value) = (players + item.players, value + item.value);
            }
        }
        let grouped: Vec<(usize, Item)> = items.iter().map(|item| (0, *item)).collect();
        let (fires, excess, lead, sizes) = climb(&grouped, &mut chosen, true, key);
        let places = (0..chosen.len()).filter(|place| chosen[*place]).collect();
        // Nothing is closer than even, in sums and in sizes.
        let is_even = !fires && excess == 0 && lead == 0 && sizes <= 1;
        (vec![places], is_even)
    }
}

/// What players weigh beyond as many who weigh so much `each`.
fn beyond(power: Power, players: usize, each: Power) -> i64 {
    (power - each * players).steps()
}
