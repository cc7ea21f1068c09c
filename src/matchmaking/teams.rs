//! Division of a match's tickets (groups of players) into two teams, without splitting a ticket.

use super::policy::MatchPolicy;
use super::queue::{Compiled, Unit, Venue};
use crate::rating::win_probability;

/// Maximum number of tickets for which all divisions into teams are examined.
pub(super) const MAX_ENUMERATED: usize = 14;
const MAX_EXCHANGES: usize = 64;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Division {
    /// Set of the tickets on team a, as bits by index in the group.
    pub(super) on_a: u128,
    /// Lead of team a in rating points, Σ_A - Σ_B.
    pub(super) lead: i32,
    /// Number of players for wanted roles that the two teams lack together.
    pub(super) missing: u32,
}

/// Returns |P - ½| of the win probability P if teams differ by `lead` points. The weaker team gets the better side.
pub(super) fn uneven(lead: i32, venue: &Venue) -> f64 {
    win_probability(i64::from(venue.distance(lead)), 0, venue.theta).get() - 0.5
}

/// Returns the cost per player of uneven odds and missing roles; a player in a match is worth 1.
pub(super) fn cost(
    compiled: &Compiled,
    policy: &MatchPolicy,
    venue: &Venue,
    division: Division,
) -> f64 {
    let wanted: u32 = compiled.roles.iter().map(|each| 2 * u32::from(*each)).sum();
    let lacking = if wanted == 0 {
        0.0
    } else {
        f64::from(division.missing) / f64::from(wanted)
    };
    2.0 * policy.evenness * uneven(division.lead, venue) + policy.roles * lacking
}

/// Divides the tickets into two teams of the venue's size at the lowest [`cost`]. Optimal for up to [`MAX_ENUMERATED`]
/// tickets; beyond, a local optimum under exchanges of two tickets. Returns `None` if the tickets cannot fill two
/// teams. Adds the steps of work to `work`.
pub(super) fn divide(
    compiled: &Compiled,
    policy: &MatchPolicy,
    venue: &Venue,
    group: &[usize],
    work: &mut u64,
) -> Option<Division> {
    let units: Vec<&Unit> = group.iter().map(|unit| &compiled.units[*unit]).collect();
    let mut search = Search {
        compiled,
        policy,
        venue,
        units,
        best: None,
        best_cost: f64::INFINITY,
        looks: 0,
    };
    if group.len() <= MAX_ENUMERATED {
        search.seat(0, [venue.size; 2], 0, 0);
    } else {
        search.exchange();
    }
    *work += search.looks;
    search.best
}

struct Search<'run> {
    compiled: &'run Compiled,
    policy: &'run MatchPolicy,
    venue: &'run Venue,
    units: Vec<&'run Unit>,
    best: Option<Division>,
    best_cost: f64,
    looks: u64,
}

impl Search<'_> {
    /// Tries all ways to place the tickets from `index` on in the two teams.
    fn seat(&mut self, index: usize, room: [usize; 2], on_a: u128, lead: i32) {
        self.looks += 1;
        let Some(unit) = self.units.get(index) else {
            if room == [0, 0] {
                self.take(on_a, lead);
            }
            return;
        };
        let (size, points) = (unit.size, unit.points);
        if let Some(left) = room[0].checked_sub(size) {
            self.seat(index + 1, [left, room[1]], on_a | 1 << index, lead + points);
        }
        // Exchanging the teams does not change the cost, so the first ticket stays on team a.
        if index > 0
            && let Some(left) = room[1].checked_sub(size)
        {
            self.seat(index + 1, [room[0], left], on_a, lead - points);
        }
    }

    fn take(&mut self, on_a: u128, lead: i32) {
        let division = Division {
            on_a,
            lead,
            missing: lacking(&self.compiled.roles, &self.units, on_a).sum(),
        };
        if self.compiled.roles.is_empty() {
            let distance = |lead| self.venue.distance(lead);
            if (self.best).is_none_or(|best| distance(lead) < distance(best.lead)) {
                self.best = Some(division);
            }
            return;
        }
        let cost = cost(self.compiled, self.policy, self.venue, division);
        if cost < self.best_cost {
            self.best_cost = cost;
            self.best = Some(division);
        }
    }

    fn lead(&self, on_a: u128) -> i32 {
        let sides = self
            .units
            .iter()
            .enumerate()
            .map(|(index, unit)| match on_a >> index & 1 {
                0 => -unit.points,
                _ => unit.points,
            });
        sides.sum()
    }

    /// Searches for even teams of a match by exchange: drafts the strongest ticket into the weaker team in turn, and
    /// then exchanges tickets of equal size between the teams.
    fn exchange(&mut self) {
        let Some(mut on_a) = self.start() else {
            return;
        };
        self.take(on_a, self.lead(on_a));
        for _ in 0..MAX_EXCHANGES {
            let Some(before) = self.best else {
                return;
            };
            // Sums are whole numbers, so an odd sum leaves a distance of at least 1.
            if self.venue.distance(before.lead) <= 1 && before.missing == 0 {
                return;
            }
            for one in 0..self.units.len() {
                for other in one + 1..self.units.len() {
                    self.looks += 1;
                    let (first, second) = (self.units[one], self.units[other]);
                    let apart = (on_a >> one ^ on_a >> other) & 1 == 1;
                    if !apart || first.size != second.size {
                        continue;
                    }
                    let change = 2 * (second.points - first.points);
                    let lead = match on_a >> one & 1 {
                        1 => before.lead + change,
                        _ => before.lead - change,
                    };
                    self.take(on_a ^ (1 << one | 1 << other), lead);
                }
            }
            match self.best {
                Some(best) if best != before => on_a = best.on_a,
                _ => return,
            }
        }
    }

    fn start(&mut self) -> Option<u128> {
        let mut order: Vec<usize> = (0..self.units.len()).collect();
        order.sort_by(|one, other| {
            let mean = |index: usize| self.units[index].mean;
            mean(*one).total_cmp(&mean(*other))
        });
        // For each prefix of the order, the bit set of sizes that some of its tickets add up to.
        let mut sums: Vec<u128> = vec![1];
        for index in &order {
            let last = sums[sums.len() - 1];
            sums.push(last | last << self.units[*index].size);
        }
        self.looks += count_of(order.len());
        let (mut room, mut on_a, mut points) = (self.venue.size, 0, [0_i64; 2]);
        for (before, index) in order.iter().enumerate().rev() {
            let unit = self.units[*index];
            let fits = |room: usize| room < 128 && sums[before] >> room & 1 == 1;
            let (out, into) = (fits(room), room >= unit.size && fits(room - unit.size));
            let on_first = match (into, out) {
                (false, false) => return None,
                (into, false) => into,
                (false, true) => false,
                (true, true) => points[0] <= points[1],
            };
            points[usize::from(!on_first)] += i64::from(unit.points);
            if on_first {
                on_a |= 1 << index;
                room -= unit.size;
            }
        }
        (room == 0).then_some(on_a)
    }
}

/// Returns the number of players for each role that the two teams lack together. `on_a` is the set of tickets on team a,
/// as bits by index in `units`.
pub(super) fn lacking(roles: &[u8], units: &[&Unit], on_a: u128) -> impl Iterator<Item = u32> {
    roles.iter().enumerate().map(move |(role, each)| {
        let mut there = [0_u32; 2];
        for (index, unit) in units.iter().enumerate() {
            there[usize::from(on_a >> index & 1 == 0)] += u32::from(unit.roles[role]);
        }
        let lacking = there.map(|there| u32::from(*each).saturating_sub(there));
        lacking[0] + lacking[1]
    })
}

pub(super) fn count_of(items: usize) -> u64 {
    items as u64
}
