use std::collections::BTreeMap;

use super::linked::{Linked, Memory};
use super::rules::{Rules, Sign};
use super::shape::Step;
use super::split::Seat;

/// Linked players with every way to seat them, one after another.
///
/// What is to be remembered between them is found out once and numbered here, since it depends on the
/// rules alone: tables are made of one another by numbers.
#[derive(Debug)]
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
        if let [player] = linked.players[..] {
            return Self::alone(player, rules);
        }
        let apart = &rules.prices.apart;
        let mut before = vec![linked.start()];
        let mut ways = Vec::with_capacity(linked.players.len());
        for (position, &player) in linked.players.iter().enumerate() {
            let mut after: BTreeMap<Memory, Vec<Way>> = BTreeMap::new();
            for (from, memory) in before.iter().enumerate() {
                for &seat in rules.seats(player) {
                    let seated = linked.seat(memory, position, seat, rules.parties, apart);
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

    /// Of one player, who leaves nothing to be remembered.
    fn alone(player: usize, rules: &Rules) -> Self {
        let seats = rules.seats(player).iter();
        let ways = seats.map(|&seat| Way {
            from: 0,
            seat,
            step: rules.step(player, seat, Sign::Plus),
        });
        Self {
            players: vec![player],
            ways: vec![vec![ways.collect()]],
        }
    }

    /// Makes known what is not told of the cost, which the `exact` chain of the same players tells: it is that
    /// beyond so many times what is told.
    pub(super) fn know_untold(&mut self, exact: &Self, times: u64) {
        let exact = exact.ways.iter().flatten().flatten();
        let own = self.ways.iter_mut().flatten().flatten();
        for (way, exact) in own.zip(exact) {
            debug_assert_eq!((way.from, way.seat), (exact.from, exact.seat));
            way.step.untold = exact.step.price - times * way.step.price;
        }
    }

    /// Whether it is one player alone.
    pub(super) fn is_alone(&self) -> bool {
        self.players.len() == 1
    }
}
