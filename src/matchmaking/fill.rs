//! Builds a group of tickets for a match around one ticket, from those nearest in rating.

use super::judge::Judge;
use super::queue::{Compiled, MAX_PLAYERS_A_TEAM, Unit};
use super::teams::count_of;

/// Possible sizes of two teams made of some tickets: bit b of row a is set if a and b players are possible.
type Sizes = [u128; MAX_PLAYERS_A_TEAM + 1];

/// Choice between respecting and ignoring the ping limit that follows from the wait of a group's first ticket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Limited {
    Yes,
    No,
}

/// Builds a group of tickets that fills two teams at a venue (server, team size and mode). Takes the ticket `seed` and
/// the `free` tickets nearest in mean rating. Uses the shortest sequence of nearest tickets that contains such a group.
/// Returns `None` only if no such group exists.
///
/// # Design
/// Filling two teams with whole tickets is a subset-sum problem. A table holds all pairs of team sizes that some of
/// the tickets so far can make. Each ticket adds to the table by two shifts.
pub(super) fn fill(
    judge: &Judge<'_>,
    venue: usize,
    seed: usize,
    free: impl Fn(usize) -> bool,
    limited: Limited,
) -> Option<Vec<usize>> {
    let (compiled, there) = (judge.compiled, judge.venue(venue));
    if !there.accepts(seed) {
        return None;
    }
    let units = &compiled.units;
    let limits = judge
        .policy
        .limits(units[seed].waited)
        .filter(|_| limited == Limited::Yes);
    let fits = |unit: usize| {
        let in_reach = || {
            let ping = there.ping(unit).map(f64::from);
            // A ticket that has waited longer allows a higher ping, but is then the seed itself.
            limits.is_none_or(|limits| ping.is_none_or(|ping| ping <= limits.ping))
        };
        unit != seed && free(unit) && there.accepts(unit) && in_reach()
    };
    let mut table = Table::new(there.size, &units[seed]);
    let mut added: Vec<usize> = Vec::new();
    let mut near = nearest(compiled, seed);
    while !table.is_full() {
        judge.spend(1);
        let next = near.next()?;
        if fits(next) {
            judge.spend(count_of(there.size));
            table.add(units[next].size);
            added.push(next);
        }
    }
    let mut group = vec![seed];
    group.extend(table.chosen(units, &added));
    Some(group)
}

/// Iterates over the other tickets by distance in mean rating from the ticket `seed`, nearest first.
fn nearest(compiled: &Compiled, seed: usize) -> impl Iterator<Item = usize> {
    let far = move |unit: usize| (compiled.units[unit].mean - compiled.units[seed].mean).abs();
    let (before, from_seed) = compiled.by_rating.split_at(compiled.rank[seed]);
    let mut above = before.iter().rev().copied().peekable();
    let mut below = from_seed.iter().skip(1).copied().peekable();
    std::iter::from_fn(move || match (above.peek(), below.peek()) {
        (Some(one), Some(other)) if far(*one) > far(*other) => below.next(),
        (None, _) => below.next(),
        _ => above.next(),
    })
}

struct Table {
    size: usize,
    rows: Sizes,
    /// Copies of `rows[0..=size]` from before each added ticket, concatenated in the order of the tickets. They show
    /// which tickets fill the two teams.
    before: Vec<u128>,
}

impl Table {
    fn new(size: usize, seed: &Unit) -> Self {
        let mut rows = [0; MAX_PLAYERS_A_TEAM + 1];
        rows[seed.size] = 1;
        Self {
            size,
            rows,
            before: Vec::with_capacity(3 * size * (size + 1)),
        }
    }

    fn is_full(&self) -> bool {
        self.rows[self.size] >> self.size & 1 == 1
    }

    fn add(&mut self, size: usize) {
        self.before.extend_from_slice(&self.rows[..=self.size]);
        for a in (0..=self.size).rev() {
            let row = self.rows[a];
            self.rows[a] |= row << size;
            if a + size <= self.size {
                self.rows[a + size] |= row;
            }
        }
    }

    /// Returns those of the added tickets that fill the two teams together with the first ticket. Prefers tickets added
    /// early, which are nearest to the first ticket in mean rating.
    fn chosen(&self, units: &[Unit], added: &[usize]) -> Vec<usize> {
        let (mut a, mut b) = (self.size, self.size);
        let mut chosen = Vec::new();
        for (unit, rows) in added.iter().zip(self.before.chunks(self.size + 1)).rev() {
            let size = units[*unit].size;
            let has = |a: usize, b: usize| rows[a] >> b & 1 == 1;
            if has(a, b) {
                continue;
            }
            chosen.push(*unit);
            if a >= size && has(a - size, b) {
                a -= size;
            } else {
                b -= size;
            }
        }
        chosen
    }
}
