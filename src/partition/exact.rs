use std::collections::BTreeMap;

use super::brief::{Brief, is_together};
use super::plan::{Keep, Plan, Tables};
use super::prices::{Order, Prices};
use super::room::Room;
use super::run::{Found, Goal};
use super::split::Seat;
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

/// The best splits of `sizes`, by size, as many as can be found in `work` bytes of tables, the
/// smaller sizes first.
pub(super) fn exact(brief: &Brief<'_>, sizes: &[usize], work: u64) -> BTreeMap<usize, Best> {
    let mut rooms: BTreeMap<Room, Vec<usize>> = BTreeMap::new();
    for &size in sizes {
        rooms.entry(Room::of(brief, size)).or_default().push(size);
    }
    let mut work = Work::new(work);
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

/// The same for sizes with the same room; nothing where their first tables are too much work.
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
    let more = plan.run_within(
        Tables {
            order: Order::PartiesFirst,
            keep: Keep::Nobody,
            slack: None,
        },
        &more,
        work,
    );
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
    let mut work = Work::new(work);
    let tables = Tables {
        order: Order::TurnsFirst,
        keep: Keep::Nobody,
        slack: None,
    };
    plan.with_run(tables, &[size], &mut work, |run| run.several(size, count))
}
