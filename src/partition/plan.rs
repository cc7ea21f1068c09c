use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::brief::Brief;
use super::group::middle;
use super::linked::{Linked, linked};
use super::prices::{Order, Prices};
use super::room::Room;
use super::rules::{Parties, Rules};
use super::run::{Found, Goal, Run};
use super::split::Seat;
use super::work::{Work, bytes};

/// The greatest difference, in units, that is looked for first.
const SMALL: i64 = 1;

/// What all runs over the sizes with the same room have in common.
pub(super) struct Plan<'plan> {
    pub(super) brief: &'plan Brief<'plan>,
    /// By player: the open seats.
    seats: Vec<Vec<Seat>>,
    points: Vec<i64>,
    /// What all differences are multiples of.
    pub(super) unit: i64,
    /// How many of the pairs apart count.
    pub(super) pairs: usize,
}

/// Who may not be parted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Keep {
    Nobody,
    AllParties,
}

/// Which tables a run is to have.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tables {
    pub(super) order: Order,
    pub(super) keep: Keep,
    /// The greatest difference, in units, that is looked for; any where this is `None`.
    pub(super) slack: Option<i64>,
}

impl<'plan> Plan<'plan> {
    pub(super) fn new(brief: &'plan Brief<'plan>, room: Room) -> Option<Self> {
        let (points, unit) = in_units(&brief.points);
        Some(Self {
            brief,
            seats: room.seats(brief),
            points,
            unit,
            pairs: simple_pairs(brief)?,
        })
    }

    pub(super) fn in_units(&self, points: u32) -> i64 {
        i64::from(points) / self.unit
    }

    /// A difference, in units, that nothing can be below: where everybody plays, the difference is
    /// odd exactly when the sum is.
    pub(super) fn bound(&self, size: usize) -> i64 {
        if 2 * size == self.points.len() {
            self.points.iter().sum::<i64>() % 2
        } else {
            0
        }
    }

    fn rules(&self, tables: Tables, most: usize) -> Rules {
        let prices = Prices::new(self.brief, tables.order, self.pairs);
        Rules {
            points: self.points.clone(),
            seats: self.seats.clone(),
            parties: match tables.keep {
                Keep::Nobody => Parties::MaySplit(prices.party),
                Keep::AllParties => Parties::MustKeep,
            },
            prices,
            most,
            slack: tables.slack,
        }
    }

    /// What is found for the goals, as far as there is work left.
    ///
    /// Most pools have a difference of next to nothing. So the goals are first looked for among
    /// small differences only, which takes smaller tables, and what is not there among all.
    pub(super) fn run(
        &self,
        order: Order,
        keep: Keep,
        goals: &[(usize, Goal)],
        work: &mut Work,
    ) -> BTreeMap<usize, Found> {
        let slack = Some(self.in_units(self.brief.wishes.tolerance) + SMALL);
        let near = Tables { order, keep, slack };
        let Some(mut found) = self.run_within(near, goals, work) else {
            return BTreeMap::new();
        };
        let rest = goals.iter().filter(|(size, _)| !found.contains_key(size));
        let rest: Vec<(usize, Goal)> = rest.copied().collect();
        let all = Tables {
            slack: None,
            ..near
        };
        found.extend(self.run_within(all, &rest, work).unwrap_or_default());
        found
    }

    /// What is found for the goals in such tables, or `None` where these take more work than is
    /// left.
    pub(super) fn run_within(
        &self,
        tables: Tables,
        goals: &[(usize, Goal)],
        work: &mut Work,
    ) -> Option<BTreeMap<usize, Found>> {
        let sizes: Vec<usize> = goals.iter().map(|(size, _)| *size).collect();
        if sizes.is_empty() {
            return Some(BTreeMap::new());
        }
        self.with_run(tables, &sizes, work, |run| run.find(goals))
    }

    /// What `answer` makes of a run over `sizes` with such tables, or `None` where these take more
    /// work than is left.
    pub(super) fn with_run<T>(
        &self,
        tables: Tables,
        sizes: &[usize],
        work: &mut Work,
        answer: impl FnOnce(&Run<'_>) -> T,
    ) -> Option<T> {
        let most = sizes.iter().copied().max().unwrap_or_default();
        let rules = self.rules(tables, most);
        let members = in_halves(linked(self.brief, &rules.prices), &rules.points);
        work.spend(bytes(&rules, &members, sizes))?;
        Some(answer(&Run {
            brief: self.brief,
            rules: &rules,
            members: &members,
            unit: self.unit,
        }))
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
    members.sort_by_key(|linked| Reverse(strength(linked)));
    let cut = middle(&members);
    let (upper, lower) = members.split_at_mut(cut);
    for half in [upper, lower] {
        half.sort_by_key(|linked| Reverse(linked.players.len()));
    }
    members
}
