use super::fill::team_size;
use crate::balance::moves::{Leads, climb, closest};
use crate::balance::policy::{Filling, Policy, Trigger};
use crate::balance::state::{Group, Power, WeighedMatch};
use crate::balance::sums::{Item, SubsetSums, TableBudget};
use crate::domain::Side;

/// Sort key of a placement of joining players, lower is better: `true` if the policy finds the teams unbalanced, number
/// of players above a team's maximum, lead in weight, and size difference.
type Key = (bool, usize, u64, usize);

/// Search for the best teams for groups of players who join a match.
#[derive(Debug)]
pub(super) struct Question<'all> {
    groups: &'all [Group<'all>],
    trigger: &'all Trigger,
    /// Largest tolerated lead of a team in weight, in billionths of a point, at any team sizes; `None` for no limit.
    most_lead: Option<i64>,
    weighed: &'all WeighedMatch<'all>,
    filling: Option<Filling>,
    /// Weight that each group of joining players adds to a team's lead, in billionths of a point.
    values: Vec<i64>,
    /// Numbers of players on team a and on team b, without the joining players.
    sizes: (usize, usize),
    /// Weight by which team a leads without the joining players and without bots, in billionths of a point.
    lead: i64,
    /// Maximum number of players that a placement may put on one team.
    most: usize,
    /// Number of joining players, summed over the groups of players who join together.
    all: usize,
    /// Total weight that all joining players add to a team, in billionths of a point.
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
        // Without bots, a player counts the weight beyond `extra_player`; with bots, `extra_player` is zero.
        let each = weighed.extra_player();
        let team = |team: &[&_]| {
            let power = team.iter().map(|player| weighed.teams.power(player)).sum();
            beyond(power, team.len(), each)
        };
        let values: Vec<i64> = groups
            .iter()
            .map(|group| beyond(group.power, players(group), each))
            .collect();
        let everybody = weighed.teams.powers.values().copied().sum();
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

    /// Returns the defects of a placement, given as the team of each group: `true` if the policy finds the teams
    /// unbalanced, and the number of players above a team's maximum.
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

    /// Returns the sort key of a placement that puts `players` of the joining players on team a; a lower key is better.
    /// `value` is their total weight, in billionths of a point.
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

    /// Returns team a's lead, in billionths of a point, with `players` joining players of total weight `value`.
    fn lead_with(&self, players: usize, value: i64) -> i64 {
        self.lead - self.total + 2 * value + self.lead_of_bots(players)
    }

    /// Returns the lead of team a's bots, in billionths of a point, if `players` joining players go to team a.
    fn lead_of_bots(&self, players: usize) -> i64 {
        let Some(filling) = self.filling else {
            return 0;
        };
        let (a, b) = (self.sizes.0 + players, self.sizes.1 + self.all - players);
        let size = team_size(a.max(b), filling, self.weighed.bots.map_players);
        let power = |side: Side, players: usize| self.weighed.bots_power(side, size - players);
        (power(Side::A, a) - power(Side::B, b)).steps()
    }

    /// Returns the best `most` assignments of joining groups to teams, the best first, and `true` if no better one
    /// exists. Returns one assignment if there are too many sums to examine.
    ///
    /// Ties are broken by three rules: more players on team a, then less weight there, then lexicographic order.
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
            .filter(|place| self.groups[*place].fixed == Some(Side::A as usize))
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
            let fixed = self.groups.iter().map(|group| match group.fixed {
                Some(0) => Side::A,
                _ => Side::B,
            });
            let mut seats: Vec<Side> = fixed.collect();
            for place in chosen {
                seats[free[place]] = Side::A;
            }
            seats
        });
        (seats.collect(), proven)
    }

    /// Returns the best selections of joining groups for team a, in addition to the `fixed` number and weight of
    /// players there. Among selections with the same number of players, the closest weights have the lowest sort keys.
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

    /// Finds an assignment of joining groups to teams without tables of sums: greedily, then by hill climbing. The
    /// result is proven to be the best only if the teams end even.
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
        // No assignment is closer than even sums and even sizes.
        let is_even = !fires && excess == 0 && lead == 0 && sizes <= 1;
        (vec![places], is_even)
    }
}

/// Returns the total weight of players less `each` per player, in billionths of a point.
fn beyond(power: Power, players: usize, each: Power) -> i64 {
    (power - each * players).steps()
}
