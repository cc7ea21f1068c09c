use std::cell::{Cell, OnceCell};
use std::ops::ControlFlow;

use super::chain::Chain;
use super::cost::Cost;
use super::reach::reaches;
use super::rules::{Rules, Sign};
use super::seating::Seating;
use super::split::Seat;
use super::table::{Shape, Step, Table};

/// Costs that are looked at together before any of them is looked at alone.
const BLOCK: usize = 64;

/// Some of the players, their table, and the two halves that they fall into: a binary tree down
/// to single players, of which only what is asked for is built.
///
/// The halves count differences with opposite signs, so that what fits together stands in both
/// tables in the same order: `difference` of the group is that of the left less that of the right.
pub(super) struct Group<'rules, C> {
    rules: &'rules Rules,
    members: &'rules [Chain],
    /// Where the group is a half of all players: those of the other half.
    others: &'rules [Chain],
    sign: Sign,
    table: OnceCell<Table<C>>,
    /// Where the group is one set of linked players: what leads to its table.
    layers: OnceCell<Vec<Vec<Table<C>>>>,
    halves: OnceCell<Box<[Self; 2]>>,
}

/// What a search through a [`Group`] is after.
#[derive(Clone, Copy)]
pub(super) struct Wanted {
    /// Players on team A.
    pub(super) a: usize,
    /// On team B.
    pub(super) b: usize,
    /// The difference, with the group's sign.
    pub(super) difference: i64,
    /// The most that it may cost.
    pub(super) budget: u64,
}

/// Called with every cost and the seats found for it, the seats of all other groups being as they
/// were.
pub(super) type Visit<'visit> = dyn FnMut(u64, &mut [Seat]) -> ControlFlow<()> + 'visit;

impl<'rules, C: Cost> Group<'rules, C> {
    /// All players, of whom those before the `cut` are one half.
    pub(super) fn everybody(rules: &'rules Rules, members: &'rules [Chain], cut: usize) -> Self {
        let (left, right) = members.split_at(cut);
        let halves = [
            Self::new(rules, left, right, Sign::Plus),
            Self::new(rules, right, left, Sign::Minus),
        ];
        Self {
            halves: OnceCell::from(Box::new(halves)),
            ..Self::new(rules, members, &[], Sign::Plus)
        }
    }

    fn new(
        rules: &'rules Rules,
        members: &'rules [Chain],
        others: &'rules [Chain],
        sign: Sign,
    ) -> Self {
        Self {
            rules,
            members,
            others,
            sign,
            table: OnceCell::new(),
            layers: OnceCell::new(),
            halves: OnceCell::new(),
        }
    }

    /// What the group can do.
    pub(super) fn table(&self) -> &Table<C> {
        self.table.get_or_init(|| {
            let reaches = reaches(self.rules, self.members, self.others, self.sign);
            // Players who are linked stand first.
            let linked = self
                .members
                .partition_point(|linked| linked.players.len() > 1);
            let (linked, alone) = self.members.split_at(linked);
            let table = linked
                .iter()
                .zip(&reaches)
                .fold(Table::nobody(), |table, (linked, reaches)| {
                    linked.table(self.rules, self.sign, table, reaches)
                });
            let steps: Vec<Vec<Step>> = alone
                .iter()
                .map(|linked| self.rules.steps(linked.players[0], self.sign))
                .collect();
            let mut shapes: Vec<Shape> = Vec::with_capacity(alone.len());
            for (steps, reaches) in steps.iter().zip(reaches.iter().skip(linked.len())) {
                let before = shapes.last().unwrap_or(table.shape());
                let steps: Vec<(&Shape, Step)> = steps.iter().map(|step| (before, *step)).collect();
                let after = Shape::after(self.rules.most, &steps, reaches.first());
                shapes.push(after);
            }
            table.after_all(&steps, shapes)
        })
    }

    /// The two halves, each with about half of the players.
    pub(super) fn halves(&self) -> &[Self; 2] {
        self.halves.get_or_init(|| {
            let (left, right) = halves(self.members);
            let opposite = self.sign.opposite();
            Box::new([
                Self::new(self.rules, left, &[], self.sign),
                Self::new(self.rules, right, &[], opposite),
            ])
        })
    }

    /// Visits every way to seat the group as wanted, each once, in an order that depends on the
    /// rules alone, until a visit breaks. `missed` is lowered to the least budget above the present
    /// one with which more would be found.
    pub(super) fn each(
        &self,
        wanted: Wanted,
        seats: &mut [Seat],
        missed: &Cell<u64>,
        visit: &mut Visit<'_>,
    ) -> ControlFlow<()> {
        if self.members.is_empty() {
            return match (wanted.a, wanted.b, wanted.difference) {
                (0, 0, 0) => visit(0, seats),
                _ => ControlFlow::Continue(()),
            };
        }
        if let [linked] = self.members {
            if let [player] = linked.players[..] {
                return self.each_seat(player, wanted, seats, missed, visit);
            }
            let layers = self
                .layers
                .get_or_init(|| linked.layers(self.rules, self.sign));
            let seating = Seating {
                sign: self.sign,
                chain: linked,
                layers,
                missed,
            };
            return seating.each(wanted, seats, visit);
        }
        let [left, right] = self.halves();
        for a in from_the_middle(wanted.a) {
            for b in from_the_middle(wanted.b) {
                let other = Wanted {
                    a: wanted.a - a,
                    b: wanted.b - b,
                    ..wanted
                };
                Self::each_of_counts([left, right], (a, b), other, seats, missed, visit)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// [`Group::each`] of one player alone.
    fn each_seat(
        &self,
        player: usize,
        wanted: Wanted,
        seats: &mut [Seat],
        missed: &Cell<u64>,
        visit: &mut Visit<'_>,
    ) -> ControlFlow<()> {
        for &seat in self.rules.seats(player) {
            let step = self.rules.step(player, seat, self.sign);
            if (step.a, step.b, step.difference) != (wanted.a, wanted.b, wanted.difference) {
                continue;
            }
            if step.price > wanted.budget {
                miss(missed, step.price, wanted.budget);
                continue;
            }
            seats[player] = seat;
            visit(step.price, seats)?;
        }
        ControlFlow::Continue(())
    }

    /// Those of [`Group::each`] with `a` and `b` players of the left half; `wanted` has the counts
    /// that are left for the right one.
    fn each_of_counts(
        [left, right]: [&Self; 2],
        (a, b): (usize, usize),
        wanted: Wanted,
        seats: &mut [Seat],
        missed: &Cell<u64>,
        visit: &mut Visit<'_>,
    ) -> ControlFlow<()> {
        let Some((first, lefts, rights)) = overlap(left, right, (a, b), wanted) else {
            return ControlFlow::Continue(());
        };
        let mut place = 0;
        for (lefts, rights) in lefts.chunks(BLOCK).zip(rights.chunks(BLOCK)) {
            let least = least_sum(lefts, rights);
            if least.get() > wanted.budget {
                if least.is_had() {
                    miss(missed, least.get(), wanted.budget);
                }
                place += BLOCK;
                continue;
            }
            for (cost, other) in lefts.iter().zip(rights) {
                let can_be_had = cost.is_had() && other.is_had();
                let (cost, other) = (cost.get(), other.get());
                let difference = first + i64::try_from(place).unwrap_or_default();
                place += 1;
                if !can_be_had {
                    continue;
                }
                if cost + other > wanted.budget {
                    miss(missed, cost + other, wanted.budget);
                    continue;
                }
                let of_left = Wanted {
                    a,
                    b,
                    difference,
                    budget: wanted.budget - other,
                };
                left.each(of_left, seats, missed, &mut |cost, seats| {
                    let of_right = Wanted {
                        difference: difference - wanted.difference,
                        budget: wanted.budget - cost,
                        ..wanted
                    };
                    right.each(of_right, seats, missed, &mut |other, seats| {
                        visit(cost + other, seats)
                    })
                })?;
            }
        }
        ControlFlow::Continue(())
    }
}

/// The differences of the left half, from the one returned on, that the right half can bring to
/// the one wanted, and what both halves ask for each.
fn overlap<'group, C: Cost>(
    left: &'group Group<'_, C>,
    right: &'group Group<'_, C>,
    (a, b): (usize, usize),
    wanted: Wanted,
) -> Option<(i64, &'group [C], &'group [C])> {
    let (left, lefts) = left.table().cell(a, b)?;
    let (right, rights) = right.table().cell(wanted.a, wanted.b)?;
    let (left, right) = (left.differences(), right.differences());
    let first = left.start.max(right.start + wanted.difference);
    let end = left.end.min(right.end + wanted.difference);
    let length = usize::try_from(end - first)
        .ok()
        .filter(|length| *length > 0)?;
    let place = |start: i64| usize::try_from(first - start).unwrap_or_default();
    let (at_left, at_right) = (place(left.start), place(right.start + wanted.difference));
    Some((
        first,
        &lefts[at_left..at_left + length],
        &rights[at_right..at_right + length],
    ))
}

/// The least sum of two costs that stand at the same place.
#[multiversion::multiversion(targets("x86_64+avx2"))]
pub(super) fn least_sum<C: Cost>(lefts: &[C], rights: &[C]) -> C {
    let sums = lefts
        .iter()
        .zip(rights)
        .map(|(left, right)| left.plus(*right));
    sums.fold(C::NEVER, C::min)
}

/// All numbers up to `last`, those in the middle first: most ways to seat a group put about half of
/// each team into each half of the group.
fn from_the_middle(last: usize) -> impl Iterator<Item = usize> {
    (0..=last).map(move |place| match place % 2 {
        0 => last / 2 - place / 2,
        _ => last / 2 + place.div_ceil(2),
    })
}

pub(super) fn miss(missed: &Cell<u64>, cost: u64, budget: u64) {
    // What lies above this group adds to both alike.
    missed.set(missed.get().min(cost - budget));
}

/// The two halves of some players, each with about half of them.
pub(super) fn halves(members: &[Chain]) -> (&[Chain], &[Chain]) {
    let players: Vec<usize> = members.iter().map(|chain| chain.players.len()).collect();
    members.split_at(middle(&players))
}

/// Where to cut so that both sides have about as many players, and at least one each, of whom there
/// are so many together.
pub(super) fn middle(players: &[usize]) -> usize {
    let all: usize = players.iter().sum();
    let cuts = 1..players.len();
    cuts.min_by_key(|&cut| (2 * players[..cut].iter().sum::<usize>()).abs_diff(all))
        .unwrap_or(players.len())
}
