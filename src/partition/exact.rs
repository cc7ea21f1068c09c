use std::cell::Cell;
use std::collections::BTreeMap;

use super::brief::{Brief, is_together};
use super::cost::Width;
use super::group::middle;
use super::linked::{Linked, linked};
use super::prices::{Order, Prices};
use super::reach::reaches;
use super::room::Room;
use super::rules::{Parties, Rules, Sign};
use super::run::{Found, Goal, Run};
use super::split::Seat;
use super::table::Shape;

/// The greatest difference, in units, that is looked for first.
const SMALL: i64 = 1;

/// The best split of one size.
#[derive(Clone, Debug)]
pub(super) struct Best {
    pub(super) seats: Vec<Seat>,
    /// The least difference of any split that keeps the hard wishes.
    pub(super) least: u64,
    /// Whether nothing is better in any wish down to the moves.
    pub(super) proven: bool,
}

/// The best split of each of `sizes`, by size, or `None` where that would take more than `work`
/// bytes of tables.
pub(super) fn exact(
    brief: &Brief<'_>,
    sizes: &[usize],
    work: u64,
) -> Option<BTreeMap<usize, Best>> {
    let mut rooms: BTreeMap<Room, Vec<usize>> = BTreeMap::new();
    for &size in sizes {
        rooms.entry(Room::of(brief, size)).or_default().push(size);
    }
    let mut work = work;
    let mut best = BTreeMap::new();
    for (room, sizes) in rooms {
        best.extend(in_room(brief, room, &sizes, &mut work)?);
    }
    Some(best)
}

fn in_room(
    brief: &Brief<'_>,
    room: Room,
    sizes: &[usize],
    work: &mut u64,
) -> Option<Vec<(usize, Best)>> {
    let wishes = brief.wishes;
    let plan = Plan::new(brief, room)?;
    let price = plan.in_units(wishes.party_price);
    let mut best: BTreeMap<usize, Found> = BTreeMap::new();

    // Parties that can be kept at no price need no other tables.
    let mut kept = BTreeMap::new();
    if !brief.parties.is_empty() && wishes.party_price > wishes.tolerance {
        let goals: Vec<(usize, Goal)> = sizes.iter().map(|&size| (size, Goal::Best)).collect();
        kept = plan.run(Order::PartiesFirst, Keep::AllParties, &goals, work)?;
        let free = kept
            .iter()
            .filter(|(size, found)| found.least == plan.bound(**size));
        best.extend(free.map(|(size, found)| (*size, found.clone())));
    }

    let rest = sizes.iter().filter(|size| !best.contains_key(size));
    let goals: Vec<(usize, Goal)> = rest.map(|&size| (size, Goal::Best)).collect();
    let prices = Prices::new(brief, Order::TurnsFirst, plan.pairs);
    let mut torn = Vec::new();
    for (size, found) in plan.run(Order::TurnsFirst, Keep::Nobody, &goals, work)? {
        let least = found.least;
        let split = prices.parties_split(found.cost);
        let found = match kept.remove(&size) {
            Some(kept) if kept.least <= least + price => Found { least, ..kept },
            _ => {
                if split > 1 && wishes.party_price > wishes.tolerance {
                    torn.push((size, Goal::KeepMore { least, split }));
                }
                found
            }
        };
        best.insert(size, found);
    }
    best.extend(plan.run_within(Order::PartiesFirst, Keep::Nobody, &torn, None, work)?);

    let ignored = &brief.apart[plan.pairs..];
    let best = best.into_iter().map(|(size, found)| {
        let together = |pair: &(usize, usize)| is_together(*pair, &found.seats);
        let best = Best {
            proven: !ignored.iter().any(together),
            least: (found.least * plan.unit).unsigned_abs(),
            seats: found.seats,
        };
        (size, best)
    });
    Some(best.collect())
}

/// Several splits of one size, those of the smallest difference first, of equals those that serve
/// the wishes best; `None` where finding them would take more than `work` bytes of tables.
pub(super) fn several(
    brief: &Brief<'_>,
    size: usize,
    count: usize,
    work: u64,
) -> Option<Vec<Vec<Seat>>> {
    let plan = Plan::new(brief, Room::of(brief, size))?;
    let mut work = work;
    let rules = plan.rules(Order::TurnsFirst, Keep::Nobody, size, None);
    let members = plan.members(&rules);
    spend(&mut work, bytes(&rules, &members, &[size]))?;
    let run = Run {
        brief,
        rules: &rules,
        members: &members,
        unit: plan.unit,
    };
    Some(run.several(size, count))
}

/// What all runs over the sizes with the same room have in common.
struct Plan<'plan> {
    brief: &'plan Brief<'plan>,
    /// By player: the open seats.
    seats: Vec<Vec<Seat>>,
    points: Vec<i64>,
    unit: i64,
    /// How many of the pairs apart count.
    pairs: usize,
}

/// Who may not be parted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Keep {
    Nobody,
    AllParties,
}

impl<'plan> Plan<'plan> {
    fn new(brief: &'plan Brief<'plan>, room: Room) -> Option<Self> {
        let (points, unit) = in_units(&brief.points);
        Some(Self {
            brief,
            seats: room.seats(brief),
            points,
            unit,
            pairs: simple_pairs(brief)?,
        })
    }

    fn in_units(&self, points: u32) -> i64 {
        i64::from(points) / self.unit
    }

    /// A difference, in units, that nothing can be below: where everybody plays, the difference is
    /// odd exactly when the sum is.
    fn bound(&self, size: usize) -> i64 {
        if 2 * size == self.points.len() {
            self.points.iter().sum::<i64>() % 2
        } else {
            0
        }
    }

    fn rules(&self, order: Order, keep: Keep, most: usize, slack: Option<i64>) -> Rules {
        let prices = Prices::new(self.brief, order, self.pairs);
        Rules {
            points: self.points.clone(),
            seats: self.seats.clone(),
            parties: match keep {
                Keep::Nobody => Parties::MaySplit(prices.party),
                Keep::AllParties => Parties::MustKeep,
            },
            prices,
            most,
            slack,
        }
    }

    fn members(&self, rules: &Rules) -> Vec<Linked> {
        in_halves(linked(self.brief, &rules.prices), &rules.points)
    }

    /// What is found for each of the goals, or `None` where that takes more work than is left.
    ///
    /// Most pools have a difference of next to nothing. So the goals are first looked for among
    /// small differences only, which takes smaller tables, and what is not there among all.
    fn run(
        &self,
        order: Order,
        keep: Keep,
        goals: &[(usize, Goal)],
        work: &mut u64,
    ) -> Option<BTreeMap<usize, Found>> {
        let slack = self.in_units(self.brief.wishes.tolerance) + SMALL;
        let mut found = self.run_within(order, keep, goals, Some(slack), work)?;
        let rest = goals.iter().filter(|(size, _)| !found.contains_key(size));
        let rest: Vec<(usize, Goal)> = rest.copied().collect();
        found.extend(self.run_within(order, keep, &rest, None, work)?);
        Some(found)
    }

    fn run_within(
        &self,
        order: Order,
        keep: Keep,
        goals: &[(usize, Goal)],
        slack: Option<i64>,
        work: &mut u64,
    ) -> Option<BTreeMap<usize, Found>> {
        let sizes: Vec<usize> = goals.iter().map(|(size, _)| *size).collect();
        let Some(most) = sizes.iter().copied().max() else {
            return Some(BTreeMap::new());
        };
        let rules = self.rules(order, keep, most, slack);
        let members = self.members(&rules);
        spend(work, bytes(&rules, &members, &sizes))?;
        let run = Run {
            brief: self.brief,
            rules: &rules,
            members: &members,
            unit: self.unit,
        };
        Some(run.find(goals))
    }
}

/// How many of the pairs apart count: all, unless they are such a web that it would take too many
/// tables; `None` where parties alone do that.
fn simple_pairs(brief: &Brief<'_>) -> Option<usize> {
    (0..=brief.apart.len()).rev().find(|&pairs| {
        let prices = Prices::new(brief, Order::TurnsFirst, pairs);
        linked(brief, &prices).iter().all(Linked::is_simple)
    })
}

fn spend(work: &mut u64, bytes: u64) -> Option<()> {
    *work = work.checked_sub(bytes)?;
    Some(())
}

/// The ratings less the lowest, in units of what divides all of these, and the unit.
fn in_units(points: &[i64]) -> (Vec<i64>, i64) {
    let lowest = points.iter().copied().min().unwrap_or_default();
    let above = points.iter().map(|points| points - lowest);
    let unit = above.clone().fold(0, greatest_common_divisor).max(1);
    (above.map(|points| points / unit).collect(), unit)
}

fn greatest_common_divisor(one: i64, other: i64) -> i64 {
    if other == 0 {
        one
    } else {
        greatest_common_divisor(other, one % other)
    }
}

/// The upper half of the players, then the lower: ratings that are near each other make few
/// different sums. Within a half whoever is linked comes first, while the table is small.
fn in_halves(mut members: Vec<Linked>, points: &[i64]) -> Vec<Linked> {
    let strength = |linked: &Linked| {
        let sum: i64 = linked.players.iter().map(|&player| points[player]).sum();
        // Exact enough to sort by, and whole.
        1000 * sum / i64::try_from(linked.players.len()).unwrap_or(i64::MAX)
    };
    members.sort_by_key(|linked| std::cmp::Reverse(strength(linked)));
    let cut = middle(&members);
    let (upper, lower) = members.split_at_mut(cut);
    for half in [upper, lower] {
        half.sort_by_key(|linked| std::cmp::Reverse(linked.players.len()));
    }
    members
}

/// How many bytes of costs the run will compute or compare.
fn bytes(rules: &Rules, members: &[Linked], sizes: &[usize]) -> u64 {
    let costs = Cell::new(0_u64);
    let count = |more: usize| costs.set(costs.get().saturating_add(more as u64));
    let (left, right) = members.split_at(middle(members));
    let halves = [(left, right, Sign::Plus), (right, left, Sign::Minus)];
    let [left, right] = halves.map(|(half, others, sign)| {
        let reaches = reaches(rules, half, others, sign);
        let members = half.iter().zip(&reaches);
        members.fold(Shape::nobody(), |shape, (linked, reaches)| {
            linked.shape(rules, shape, sign, reaches, |after, sources| {
                count(after.len().saturating_mul(sources));
            })
        })
    });
    for &size in sizes {
        for (a, b) in (0..=size).flat_map(|a| (0..=size).map(move |b| (a, b))) {
            if let (Some(left), Some(right)) = (left.span(a, b), right.span(size - a, size - b)) {
                count(left.length.min(right.length));
            }
        }
    }
    costs
        .get()
        .saturating_mul(Width::of(rules.prices.total).bytes())
}
