use std::collections::BTreeMap;
use std::iter::successors;

use super::attempt::{Attempt, are_dear};
use super::brief::{Brief, is_together};
use super::close::Close;
use super::cost::Width;
use super::least::Least;
use super::plan::{Keep, Plan, Tables};
use super::prices::{Order, Prices};
use super::room::Room;
use super::rules::are_open;
use super::run::{Choice, Found, Goal};
use super::slack::Slack;
use super::split::Seat;
use super::spread::even_out;
use super::work::Work;

/// The best split of one size.
#[derive(Clone, Debug)]
pub(super) struct Best {
    pub(super) seats: Vec<Seat>,
    /// The least difference of any split that keeps the hard wishes.
    pub(super) least: u64,
    /// Whether nothing is better in any wish down to the moves.
    pub(super) proven: bool,
}

/// The best splits of `sizes`, which ascend, by size, as many as can be found in `work` bytes of
/// tables; of sizes that need the same tables the smaller ones first.
pub(super) fn exact(brief: &Brief<'_>, sizes: &[usize], mut work: Work) -> BTreeMap<usize, Best> {
    let rooms = by_room(brief, sizes).into_iter();
    let plans = rooms.filter_map(|(room, sizes)| Some((Plan::new(brief, room)?, sizes)));
    let best = plans.flat_map(|(plan, sizes)| in_room(&plan, &sizes, &mut work));
    best.collect()
}

/// The least differences of splits that keep the hard wishes, by size, as many as can be found in
/// `work` bytes of tables. Where it is above what `at_most` says for the size, it need not be found.
pub(super) fn least_differences(
    brief: &Brief<'_>,
    sizes: &[usize],
    at_most: impl Fn(usize) -> Option<u64>,
    mut work: Work,
) -> BTreeMap<usize, u64> {
    let mut least = BTreeMap::new();
    for (room, sizes) in by_room(brief, sizes) {
        if let Some(plan) = Plan::new(brief, room) {
            let close = plan.close_splits(&[], &sizes, |_| 0);
            let at_most = |size| {
                i64::try_from(at_most(size)?)
                    .map(|most| most / plan.unit)
                    .ok()
            };
            let found = plan.least_differences(&[], false, &sizes, &close, at_most, &mut work);
            let in_points =
                |(size, least): (usize, i64)| (size, (least * plan.unit).unsigned_abs());
            least.extend(found.by_size.into_iter().map(in_points));
        }
    }
    least
}

fn by_room(brief: &Brief<'_>, sizes: &[usize]) -> BTreeMap<Room, Vec<usize>> {
    let mut rooms: BTreeMap<Room, Vec<usize>> = BTreeMap::new();
    for &size in sizes {
        rooms.entry(Room::of(brief, size)).or_default().push(size);
    }
    rooms
}

/// The best splits of sizes with the same room.
fn in_room(plan: &Plan<'_>, sizes: &[usize], work: &mut Work) -> BTreeMap<usize, Best> {
    let close = plan.close_splits(&[], sizes, |_| 0);
    let mut best = at_hand(plan, &close);
    let rest = sizes.iter().filter(|size| !best.contains_key(*size));
    let rest: Vec<usize> = rest.copied().collect();
    if !rest.is_empty() {
        best.extend(by_tables(plan, &rest, &close, work));
    }
    best
}

/// Without wishes, the splits at hand of which it is proven that none is closer, with the two best
/// players apart.
fn at_hand(plan: &Plan<'_>, close: &BTreeMap<usize, Close>) -> BTreeMap<usize, Best> {
    let brief = plan.brief;
    if !brief.wishes.are_none() {
        return BTreeMap::new();
    }
    let proven = close.iter().filter(|(_, close)| close.is_proven);
    let best = proven.map(|(&size, close)| {
        let mut seats = close.seats.clone();
        if brief.wishes.spread {
            even_out(&mut seats, &brief.points, |seats| {
                are_open(seats, &plan.seats) && !is_together((0, 1), seats)
            });
        }
        let best = Best {
            seats,
            least: (close.difference * plan.unit).unsigned_abs(),
            proven: true,
        };
        (size, best)
    });
    best.collect()
}

fn by_tables(
    plan: &Plan<'_>,
    sizes: &[usize],
    close: &BTreeMap<usize, Close>,
    work: &mut Work,
) -> BTreeMap<usize, Best> {
    let brief = plan.brief;
    let goes_back = plan.may_look_at_few();
    let least = plan.least_differences(&[], goes_back, sizes, close, |_| None, work);
    let mut parties = PartyPrice::new(plan);
    let turns_matter = brief.waited.iter().any(|rounds| *rounds > 0);
    // Keeping all parties may be worth so much that it comes before turns. Where the best splits are
    // dear, or parties are, that is usual, so it is seen to first, and no tables are computed for turns in
    // vain.
    let is_early = !turns_matter
        || are_dear(least.by_size.values().copied())
        || parties.seem_dear(plan, sizes, &least);
    let early = if is_early { sizes } else { &[] };
    parties.look_up(plan, early, &least, work);

    // No other tables are needed where keeping all parties is paid for, or costs nothing and nothing
    // is more important.
    let is_settled = |size: &usize| match parties.needed(*size, &least) {
        Some(0) => !turns_matter,
        Some(needed) => parties.is_worth(needed),
        None => false,
    };
    let settled: Vec<usize> = sizes.iter().copied().filter(is_settled).collect();
    let settled = best_of(&settled, &parties.least_kept);
    let mut best = plan.run(
        Order::PartiesFirst,
        Keep::AllParties,
        &settled,
        parties.least_kept.tables.as_ref(),
        work,
    );

    let prices = Prices::new(brief, Order::TurnsFirst, plan.pairs);
    let rest = sizes.iter().filter(|size| !best.contains_key(*size));
    let rest: Vec<usize> = rest.copied().collect();
    let found = plan.run(
        Order::TurnsFirst,
        Keep::Nobody,
        &best_of(&rest, &least),
        least.tables.as_ref(),
        work,
    );
    let split = found
        .iter()
        .map(|(size, found)| (*size, prices.parties_split(found.cost)));
    let split: Vec<(usize, u64)> = split.filter(|(_, split)| *split > 0).collect();
    let late = split.iter().map(|(size, _)| *size);
    let late: Vec<usize> = late.filter(|size| !early.contains(size)).collect();
    parties.look_up(plan, &late, &least, work);
    best.extend(found);
    let (better, open) = parties.pay(plan, &split, &least, work);
    best.extend(better);

    let ignored = &brief.apart[plan.pairs..];
    let best = best.into_iter().map(|(size, found)| {
        let together = |pair: &(usize, usize)| is_together(*pair, &found.seats);
        let best = Best {
            proven: prices.tells_all_waits_apart
                && !open.contains(&size)
                && !ignored.iter().any(together),
            least: (least.of(size).unwrap_or(found.least) * plan.unit).unsigned_abs(),
            seats: found.seats,
        };
        (size, best)
    });
    best.collect()
}

/// The goals of finding the best splits of `sizes`, where their `least` differences are known.
fn best_of(sizes: &[usize], least: &Least) -> Vec<Goal> {
    let goals = sizes.iter().filter_map(|size| {
        Some(Goal {
            size: *size,
            least: least.of(*size)?,
            choice: Choice::Best,
        })
    });
    goals.collect()
}

/// What may be paid in difference for keeping parties together.
struct PartyPrice {
    /// The most, in units; nothing where it is no more than the tolerance gives for nothing.
    price: Option<i64>,
    tolerance: i64,
    /// By size, the least difference with all parties together, where that is known; of those that
    /// are beyond the price, some are.
    least_kept: Least,
    /// Whether there was too little work left to know it everywhere.
    is_unknown: bool,
}

impl PartyPrice {
    fn new(plan: &Plan<'_>) -> Self {
        let wishes = plan.brief.wishes;
        let (price, tolerance) = (
            plan.in_units(wishes.party_price),
            plan.in_units(wishes.tolerance),
        );
        let may_pay = !plan.brief.parties.is_empty() && price > tolerance;
        Self {
            price: may_pay.then_some(price),
            tolerance,
            least_kept: Least::default(),
            is_unknown: false,
        }
    }

    /// Finds out what keeping all parties needs in teams of these sizes, if that may be paid.
    fn look_up(&mut self, plan: &Plan<'_>, sizes: &[usize], least: &Least, work: &mut Work) {
        if let Some(price) = self.price
            && !sizes.is_empty()
        {
            let at_most = |size: usize| Some(least.of(size)? + price);
            work.tell_refused();
            let parties = &plan.brief.parties;
            let close = plan.close_splits(parties, sizes, |_| 0);
            let goes_back = plan.may_look_at_few();
            let found = plan.least_differences(parties, goes_back, sizes, &close, at_most, work);
            self.least_kept.extend(found);
            self.is_unknown |= work.tell_refused();
        }
    }

    /// Whether keeping all parties probably takes a greater difference in most teams: larger ones mostly have
    /// a close split that keeps them, so one of these is asked, if tables are worth that.
    fn seem_dear(&self, plan: &Plan<'_>, sizes: &[usize], least: &Least) -> bool {
        let large = sizes.get(3 * sizes.len() / 4);
        let is_asked = self.price.is_some() && plan.has_large_tables(sizes);
        let large = large.filter(|_| is_asked);
        large.is_some_and(|&size| {
            let near = least.of(size).map_or(0, |least| least + self.tolerance);
            let close = plan.close_splits(&plan.brief.parties, &[size], |_| near);
            close.get(&size).is_none_or(|close| close.difference > near)
        })
    }

    /// Whether a difference that is greater by so much is worth keeping all parties. What is within the
    /// tolerance is not paid for, so it does not come before the turns.
    fn is_worth(&self, needed: i64) -> bool {
        needed > self.tolerance && self.price.is_some_and(|price| needed <= price)
    }

    /// By how much the difference grows if all parties are kept.
    fn needed(&self, size: usize, least: &Least) -> Option<i64> {
        Some(self.least_kept.of(size)? - least.of(size)?)
    }

    /// The best splits that keep more parties than those found, of which so many are `split`, if
    /// their price pays for that; and the sizes for which there was too little work left to know.
    fn pay(
        &self,
        plan: &Plan<'_>,
        split: &[(usize, u64)],
        least: &Least,
        work: &mut Work,
    ) -> (BTreeMap<usize, Found>, Vec<usize>) {
        let (mut all, mut more, mut open) = (Vec::new(), Vec::new(), Vec::new());
        for &(size, split) in split {
            match (self.price, self.needed(size, least)) {
                (None, _) => {}
                (_, Some(needed)) if self.is_worth(needed) => all.push(size),
                (_, Some(needed)) if needed <= self.tolerance => {}
                (_, None) if self.is_unknown => open.push(size),
                _ if split > 1 => more.push(size),
                _ => {}
            }
        }
        let more = keep_more(
            plan,
            split,
            &more,
            |size| Some(least.of(size)? + self.price?),
            work,
        );
        let all = best_of(&all, &self.least_kept);
        let more = best_of(&more, least).into_iter().map(|goal| Goal {
            choice: Choice::KeepMore,
            ..goal
        });
        let mut better = BTreeMap::new();
        let kept = self.least_kept.tables.as_ref();
        let goals = [
            (Keep::AllParties, all, kept),
            (Keep::Nobody, more.collect(), None),
        ];
        for (keep, goals, tables) in goals {
            work.tell_refused();
            let found = plan.run(Order::PartiesFirst, keep, &goals, tables, work);
            if work.tell_refused() {
                let sizes = goals.iter().map(|goal| goal.size);
                open.extend(sizes.filter(|size| !found.contains_key(size)));
            }
            better.extend(found);
        }
        (better, open)
    }
}

/// Those of `sizes` of which some split up to the difference that `at_most` says might keep more
/// parties than those found, of which so many are `split`: each of as many must be kept by some split
/// at least.
fn keep_more(
    plan: &Plan<'_>,
    split: &[(usize, u64)],
    sizes: &[usize],
    at_most: impl Fn(usize) -> Option<i64>,
    work: &mut Work,
) -> Vec<usize> {
    if sizes.is_empty() {
        return Vec::new();
    }
    work.tell_refused();
    let mut split_after: BTreeMap<usize, u64> = sizes.iter().map(|&size| (size, 0)).collect();
    for party in &plan.brief.parties {
        let party = std::slice::from_ref(party);
        let is_near = |size, difference| at_most(size).is_some_and(|most| difference <= most);
        let close = plan.close_splits(party, sizes, |size| at_most(size).unwrap_or_default());
        let is_open = |size: &usize| {
            let close = close.get(size);
            !close.is_some_and(|close| is_near(*size, close.difference))
        };
        let open: Vec<usize> = sizes.iter().copied().filter(is_open).collect();
        let least = plan.least_differences(party, false, &open, &close, &at_most, work);
        if work.tell_refused() {
            return sizes.to_vec();
        }
        for size in open {
            let is_kept = least.of(size).is_some_and(|least| is_near(size, least));
            if let Some(split) = split_after.get_mut(&size) {
                *split += u64::from(!is_kept);
            }
        }
    }
    let is_fewer =
        |(size, split): &&(usize, u64)| split_after.get(size).is_some_and(|after| after < split);
    split
        .iter()
        .filter(is_fewer)
        .map(|(size, _)| *size)
        .collect()
}

/// Several splits of one size, those of the smallest difference first, of equals those that serve
/// the wishes best; `None` where finding them would take more than `work` bytes of tables.
pub(super) fn several(
    brief: &Brief<'_>,
    size: usize,
    count: usize,
    mut work: Work,
) -> Option<Vec<Vec<Seat>>> {
    let plan = Plan::new(brief, Room::of(brief, size))?;
    let differences = plan.differences(&[], &[size], None, false, &mut work)?;
    let next = |floor: i64| differences.next(size, floor, None);
    let all = successors(next(0), |difference| next(difference + 1));
    // Each of them is that of one split at least, so there is no need for more.
    let all: Vec<i64> = all.take(count).collect();
    let prices = Prices::new(brief, Order::TurnsFirst, plan.pairs);
    let tables = Tables {
        order: Order::TurnsFirst,
        keep: Keep::Nobody,
        slack: Slack::new([(size, *all.last()?)]),
        attempt: Attempt::with_all(Width::of(prices.total)),
        prices: &prices,
    };
    plan.with_run(&tables, &[size], &mut work, |run| {
        run.several(size, count, &all)
    })
}
