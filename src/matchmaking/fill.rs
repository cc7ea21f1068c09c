//! A match around one ticket, of those who are nearest to it in rating.

use super::judge::Judge;
use super::queue::{MAX_PLAYERS_A_TEAM, Unit};
use super::teams::count_of;

/// Which sizes two teams can have, of some tickets: bit b of row a where one has a players and the other b.
type Sizes = [u128; MAX_PLAYERS_A_TEAM + 1];

/// Whether pings are kept within what the seed's wait allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Limited {
    Yes,
    No,
}

/// The group of the seed and those nearest to it in mean rating who are `free` and fill two teams at the place, every
/// ticket whole on one of them: of the shortest beginning of them, nearest first, that has such a group. `None` only
/// where there is no such group at all.
///
/// # Design
/// Whether tickets of some sizes fill two teams is a question of subset sums: a table has, for the tickets so far, all
/// pairs of team sizes that some of them make. Each ticket adds to it by two shifts.
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
            // A companion who has waited longer may widen this again; then that one is the seed.
            limits.is_none_or(|limits| ping.is_none_or(|ping| ping <= limits.ping))
        };
        unit != seed && free(unit) && there.accepts(unit) && in_reach()
    };
    let mut table = Table::new(there.size, &units[seed]);
    let mut added: Vec<usize> = Vec::new();
    let mut near = Nearest::new(judge, seed);
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

/// The units around one by rating, the nearest first.
struct Nearest<'run> {
    judge: &'run Judge<'run>,
    mean: f64,
    /// The next with a higher rating, and how many are left above.
    above: usize,
    below: usize,
}

impl<'run> Nearest<'run> {
    fn new(judge: &'run Judge<'run>, seed: usize) -> Self {
        let rank = judge.compiled.rank[seed];
        Self {
            judge,
            mean: judge.compiled.units[seed].mean,
            above: rank,
            below: rank + 1,
        }
    }
}

impl Iterator for Nearest<'_> {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        let compiled = self.judge.compiled;
        let far = |unit: Option<&usize>| {
            let unit = unit?;
            Some((*unit, (compiled.units[*unit].mean - self.mean).abs()))
        };
        let above = self.above.checked_sub(1);
        let above = far(above.and_then(|rank| compiled.by_rating.get(rank)));
        let below = far(compiled.by_rating.get(self.below));
        let takes_above = match (above, below) {
            (Some((_, one)), Some((_, other))) => one <= other,
            (one, _) => one.is_some(),
        };
        if takes_above {
            self.above -= 1;
            return above.map(|(unit, _)| unit);
        }
        self.below += 1;
        below.map(|(unit, _)| unit)
    }
}

struct Table {
    size: usize,
    rows: Sizes,
    /// The rows before each ticket, one after another.
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

    /// Those of the added who fill the teams; the nearest ones stay where there is a choice.
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
