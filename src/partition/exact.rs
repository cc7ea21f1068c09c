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

/// What it takes, in bytes of tables, to list a difference that a half can reach, and to look for
/// one of the other half beside it.
const LISTED: u64 = 16;

/// The best split of one size.
#[derive(Clone, Debug)]
pub(super) struct Best {
    pub(super) seats: Vec<Seat>,
    /// The least difference of any split that keeps the hard wishes.
    pub(super) least: u64,
    /// Whether nothing is better in any wish down to the moves.
    pub(super) proven: bool,
}

/// The best splits of `sizes`, by size, as many as can be found in `work` bytes of tables, the
/// smaller sizes first.
pub(super) fn exact(brief: &Brief<'_>, sizes: &[usize], work: u64) -> BTreeMap<usize, Best> {
    let mut rooms: BTreeMap<Room, Vec<usize>> = BTreeMap::new();
    for &size in sizes {
        rooms.entry(Room::of(brief, size)).or_default().push(size);
    }
    let mut work = Work {
        left: work,
        was_refused: false,
    };
    let mut best = BTreeMap::new();
    for (room, mut sizes) in rooms {
        let Some(plan) = Plan::new(brief, room) else {
            continue;
        };
        // Smaller teams take smaller tables.
        while !sizes.is_empty() {
            let found = in_room(&plan, &sizes, &mut work);
            if !found.is_empty() {
                best.extend(found);
                break;
            }
            sizes.truncate(sizes.len() / 2);
        }
    }
    best
}

/// The work that may still be done.
struct Work {
    left: u64,
    /// Whether more was asked for.
    was_refused: bool,
}

impl Work {
    /// Takes so many bytes, if they are left.
    fn spend(&mut self, bytes: u64) -> Option<()> {
        let left = self.left.checked_sub(bytes);
        self.was_refused |= left.is_none();
        self.left = left?;
        Some(())
    }
}

fn in_room(plan: &Plan<'_>, sizes: &[usize], work: &mut Work) -> BTreeMap<usize, Best> {
    work.was_refused = false;
    let brief = plan.brief;
    let [price, tolerance] = [brief.wishes.party_price, brief.wishes.tolerance];
    let (price, tolerance) = (plan.in_units(price), plan.in_units(tolerance));
    let pays = !brief.parties.is_empty() && price > tolerance;
    let goals = |sizes: &[usize]| -> Vec<(usize, Goal)> {
        sizes.iter().map(|&size| (size, Goal::Best)).collect()
    };
    let mut best: BTreeMap<usize, Found> = BTreeMap::new();
    let mut kept = BTreeMap::new();

    // Where nothing is more important and all parties can be kept at no price, no other tables are
    // needed.
    let mut parties_were_refused = false;
    let turns_matter = brief.waited.iter().any(|rounds| *rounds > 0);
    if pays && !turns_matter {
        kept = plan.run(Order::PartiesFirst, Keep::AllParties, &goals(sizes), work);
        parties_were_refused = work.was_refused;
        let free = kept
            .iter()
            .filter(|(size, found)| found.least == plan.bound(**size));
        best.extend(free.map(|(size, found)| (*size, found.clone())));
    }

    let rest = sizes.iter().filter(|size| !best.contains_key(size));
    let rest: Vec<usize> = rest.copied().collect();
    let prices = Prices::new(brief, Order::TurnsFirst, plan.pairs);
    let found = plan.run(Order::TurnsFirst, Keep::Nobody, &goals(&rest), work);
    work.was_refused = parties_were_refused;
    let split = |found: &Found| prices.parties_split(found.cost);
    let torn = found.iter().filter(|(_, found)| pays && split(found) > 0);
    let torn: Vec<usize> = torn.map(|(size, _)| *size).collect();
    if turns_matter {
        kept = plan.run(Order::PartiesFirst, Keep::AllParties, &goals(&torn), work);
    }
    let mut more = Vec::new();
    for (size, mut found) in found {
        let least = found.least;
        let is_torn = torn.contains(&size);
        match kept.remove(&size) {
            // What is not paid for does not come before the turns.
            Some(kept) if is_torn && kept.least <= least + tolerance => {}
            Some(kept) if is_torn && kept.least <= least + price => {
                found = Found { least, ..kept };
            }
            _ if is_torn && split(&found) > 1 => more.push((size, Goal::KeepMore { least })),
            _ => {}
        }
        best.insert(size, found);
    }
    let more = plan.run_within(Order::PartiesFirst, Keep::Nobody, &more, None, work);
    best.extend(more.unwrap_or_default());

    let ignored = &brief.apart[plan.pairs..];
    let is_complete = !work.was_refused && prices.tells_all_waits_apart;
    let best = best.into_iter().map(|(size, found)| {
        let together = |pair: &(usize, usize)| is_together(*pair, &found.seats);
        let best = Best {
            proven: is_complete && !ignored.iter().any(together),
            least: (found.least * plan.unit).unsigned_abs(),
            seats: found.seats,
        };
        (size, best)
    });
    best.collect()
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
    let rules = plan.rules(Order::TurnsFirst, Keep::Nobody, size, None);
    let members = plan.members(&rules);
    work.checked_sub(bytes(&rules, &members, &[size]))?;
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

    /// What is found for the goals, as far as there is work left.
    ///
    /// Most pools have a difference of next to nothing. So the goals are first looked for among
    /// small differences only, which takes smaller tables, and what is not there among all.
    fn run(
        &self,
        order: Order,
        keep: Keep,
        goals: &[(usize, Goal)],
        work: &mut Work,
    ) -> BTreeMap<usize, Found> {
        let slack = self.in_units(self.brief.wishes.tolerance) + SMALL;
        let Some(mut found) = self.run_within(order, keep, goals, Some(slack), work) else {
            return BTreeMap::new();
        };
        let rest = goals.iter().filter(|(size, _)| !found.contains_key(size));
        let rest: Vec<(usize, Goal)> = rest.copied().collect();
        found.extend(
            self.run_within(order, keep, &rest, None, work)
                .unwrap_or_default(),
        );
        found
    }

    /// The same among differences within `slack`, or `None` where that takes more work than is
    /// left.
    fn run_within(
        &self,
        order: Order,
        keep: Keep,
        goals: &[(usize, Goal)],
        slack: Option<i64>,
        work: &mut Work,
    ) -> Option<BTreeMap<usize, Found>> {
        let sizes: Vec<usize> = goals.iter().map(|(size, _)| *size).collect();
        let Some(most) = sizes.iter().copied().max() else {
            return Some(BTreeMap::new());
        };
        let rules = self.rules(order, keep, most, slack);
        let members = self.members(&rules);
        work.spend(bytes(&rules, &members, &sizes))?;
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
    let (left_half, right_half) = members.split_at(middle(members));
    let halves = [
        (left_half, right_half, Sign::Plus),
        (right_half, left_half, Sign::Minus),
    ];
    let [left, right] = halves.map(|(half, others, sign)| {
        let reaches = reaches(rules, half, others, sign);
        let members = half.iter().zip(&reaches);
        members.fold(Shape::nobody(), |shape, (linked, reaches)| {
            linked.shape(rules, shape, sign, reaches, |after, sources| {
                count(after.len().saturating_mul(sources));
            })
        })
    });
    // The seats are found in the tables of the quarters, and of their parts, which are smaller.
    for half in [left_half, right_half] {
        let (upper, lower) = half.split_at(middle(half));
        for quarter in [upper, lower] {
            quarter.iter().fold(Shape::nobody(), |shape, linked| {
                linked.shape(rules, shape, Sign::Plus, &[], |after, sources| {
                    count(after.len().saturating_mul(2 * sources));
                })
            });
        }
    }
    // Who is linked is seated by tables of their own.
    for linked in members.iter().filter(|linked| linked.players.len() > 1) {
        linked.shape(rules, Shape::nobody(), Sign::Plus, &[], |after, sources| {
            count(after.len().saturating_mul(sources));
        });
    }
    for &size in sizes {
        for (a, b) in (0..=size).flat_map(|a| (0..=size).map(move |b| (a, b))) {
            if let (Some(left), Some(right)) = (left.span(a, b), right.span(size - a, size - b)) {
                count(left.length.min(right.length));
            }
        }
    }
    let tables = costs
        .get()
        .saturating_mul(Width::of(rules.prices.total).bytes());
    let searched = if rules.slack.is_none() { LISTED } else { 0 };
    tables.saturating_add(
        searched.saturating_mul((left.len() as u64).saturating_add(right.len() as u64)),
    )
}
