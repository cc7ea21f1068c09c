use std::collections::BTreeMap;

use super::cost::Cost;
use super::linked::{Linked, Memory};
use super::reach::Reach;
use super::rules::{Rules, Sign};
use super::split::Seat;
use super::table::{Shape, Step, Table};

/// Linked players with every way to seat them, one after another.
///
/// What is to be remembered between them is found out once and numbered here, since it depends on the
/// rules alone: tables are made of one another by numbers.
#[derive(Clone, Debug)]
pub(super) struct Chain {
    /// Who, in the order in which they are seated.
    pub(super) players: Vec<usize>,
    /// By player, by the number of what is remembered after the player has a seat: what leads to
    /// it, in ascending order.
    pub(super) ways: Vec<Vec<Vec<Way>>>,
}

/// A seat for the next player, after what is remembered of those before.
#[derive(Clone, Copy, Debug)]
pub(super) struct Way {
    /// The number of what is remembered.
    pub(super) from: usize,
    pub(super) seat: Seat,
    /// What the seat adds, with the sign of [`Sign::Plus`].
    step: Step,
}

impl Way {
    /// What the seat adds to a table of that sign.
    pub(super) fn step(&self, sign: Sign) -> Step {
        Step {
            difference: sign.of(self.step.difference),
            ..self.step
        }
    }
}

impl Chain {
    /// The ways that the rules leave open.
    pub(super) fn new(linked: &Linked, rules: &Rules) -> Self {
        let mut before = vec![linked.start()];
        let mut ways = Vec::with_capacity(linked.players.len());
        for (position, &player) in linked.players.iter().enumerate() {
            let mut after: BTreeMap<Memory, Vec<Way>> = BTreeMap::new();
            for (from, memory) in before.iter().enumerate() {
                for &seat in rules.seats(player) {
                    let seated = linked.seat(memory, position, seat, rules.parties);
                    let Some((memory, price)) = seated else {
                        continue;
                    };
                    let mut step = rules.step(player, seat, Sign::Plus);
                    step.price += price;
                    let way = Way { from, seat, step };
                    after.entry(memory).or_default().push(way);
                }
            }
            let (memories, leading) = after.into_iter().unzip();
            before = memories;
            ways.push(leading);
        }
        Self {
            players: linked.players.clone(),
            ways,
        }
    }

    /// The table of the players added to `start`. Where they cannot all be seated nothing can be
    /// had of it. By player, `reaches` says what may be left out; nothing where it is empty.
    pub(super) fn table<C: Cost>(
        &self,
        rules: &Rules,
        sign: Sign,
        start: Table<C>,
        reaches: &[Reach],
    ) -> Table<C> {
        self.fold(sign, start, |position, steps| {
            Table::after(rules.most, steps, reaches.get(position))
        })
    }

    /// The shape of the table that [`Chain::table`] adds to one of shape `start`; `built` is told
    /// every shape on the way and how many others it is made of.
    pub(super) fn shape(
        &self,
        rules: &Rules,
        start: Shape,
        sign: Sign,
        reaches: &[Reach],
        built: impl Fn(&Shape, usize),
    ) -> Shape {
        self.fold(sign, start, |position, steps| {
            let shape = Shape::after(rules.most, steps, reaches.get(position));
            built(&shape, steps.len());
            shape
        })
    }

    /// The tables of the first none, one, two, … of the players, by the number of what is
    /// remembered.
    pub(super) fn layers<C: Cost>(&self, rules: &Rules, sign: Sign) -> Vec<Vec<Table<C>>> {
        let mut layers = vec![vec![Table::nobody()]];
        for ways in &self.ways {
            let before = layers.last().map_or(&[][..], Vec::as_slice);
            let next = seat_next(ways, sign, before, |steps| {
                Table::after(rules.most, steps, None)
            });
            layers.push(next);
        }
        layers
    }

    /// Seats all players, one after another; `after` makes the table (or its shape) out of those
    /// that lead to it and the steps, and is told the position too.
    fn fold<T>(&self, sign: Sign, start: T, after: impl Fn(usize, &[(&T, Step)]) -> T) -> T {
        let mut built = vec![start];
        for (position, ways) in self.ways.iter().enumerate() {
            built = seat_next(ways, sign, &built, |steps| after(position, steps));
        }
        // Nothing is left to be remembered at the end.
        let all = built.into_iter().next();
        all.unwrap_or_else(|| after(self.players.len(), &[]))
    }
}

/// What `after` makes of each of the `ways` of one player out of what was built `before`.
fn seat_next<T>(
    ways: &[Vec<Way>],
    sign: Sign,
    before: &[T],
    after: impl Fn(&[(&T, Step)]) -> T,
) -> Vec<T> {
    let mut steps = Vec::new();
    let next = ways.iter().map(|ways| {
        steps.clear();
        steps.extend(ways.iter().map(|way| (&before[way.from], way.step(sign))));
        after(&steps)
    });
    next.collect()
}
