//! Memory for tables, which computations reserve from a shared budget.

use std::any::Any;
use std::cell::Cell;
use std::rc::Rc;

use rbs::partition::{Alternatives, Host, Limits, Pool, Wishes, solve, solve_sharing};

use super::dice::Dice;
use super::pools::{players, pool_of};

/// Number of reserved bytes.
#[derive(Default)]
struct Reserved {
    now: Cell<u64>,
    most: Cell<u64>,
}

/// A reservation, released on drop.
struct Part {
    of: Rc<Reserved>,
    bytes: u64,
}

impl Drop for Part {
    fn drop(&mut self) {
        self.of.now.set(self.of.now.get() - self.bytes);
    }
}

/// A host that cancels the computation after this number of checks.
struct Machine {
    memory: Rc<Reserved>,
    questions: Cell<u32>,
}

impl Machine {
    fn new(questions: u32) -> Self {
        Self {
            memory: Rc::default(),
            questions: Cell::new(questions),
        }
    }
}

impl Host for Machine {
    fn reserve(&self, bytes: u64) -> Box<dyn Any> {
        let of = Rc::clone(&self.memory);
        of.now.set(of.now.get() + bytes);
        of.most.set(of.most.get().max(of.now.get()));
        Box::new(Part { of, bytes })
    }

    fn is_wanted(&self) -> bool {
        let rest = self.questions.get().checked_sub(1);
        self.questions.set(rest.unwrap_or_default());
        rest.is_some()
    }
}

/// A pool of 24 to 31 players with two parties.
fn request(seed: u64) -> (Pool, Wishes) {
    let mut dice = Dice::new(seed);
    let count = 24 + dice.roll(8);
    let ratings: Vec<i32> = (0..count).map(|_| dice.between(700, 1300)).collect();
    let wishes = Wishes {
        parties: vec![players([1, 2, 3]), players([4, 5])],
        sizes: Some(vec![6, count / 2]),
        ..Wishes::default()
    };
    (pool_of(&ratings), wishes)
}

#[test]
fn what_is_reserved_is_within_the_limit_and_given_back() {
    for seed in 0..6 {
        let (pool, wishes) = request(seed);
        let machine = Machine::new(u32::MAX);
        let free = &machine.memory;
        let alone = solve(&pool, &wishes, &Limits::default());
        let table = solve_sharing(&pool, &wishes, &Limits::default(), &machine);
        let table = table.expect("it is wanted");
        assert_eq!(table, alone, "seed {seed}");
        let needed = free.most.get();
        assert!(needed > 0 && needed <= Limits::default().memory);
        assert_eq!(free.now.get(), 0, "seed {seed}");

        // Smaller limits are never exceeded, and leave work for the swaps.
        let limits = Limits {
            memory: needed / 4,
            ..Limits::default()
        };
        let machine = Machine::new(u32::MAX);
        let scarce = &machine.memory;
        let table = solve_sharing(&pool, &wishes, &limits, &machine).expect("it is wanted");
        assert_eq!(table.splits.len(), 2);
        assert!(scarce.most.get() <= limits.memory, "seed {seed}");
        assert_eq!(scarce.now.get(), 0, "seed {seed}");
    }
}

/// A pool of 128 players with a web of pairs apart, and parties that are hard to keep together.
fn entangled() -> (Pool, Wishes) {
    let mut dice = Dice::new(1);
    let ratings: Vec<i32> = (0..128).map(|_| dice.between(100, 10_000)).collect();
    let apart = (0..64).map(|one| players([one + 1, (7 * one + 3) % 128 + 1]));
    let wishes = Wishes {
        parties: (0..32)
            .map(|one| players(4 * one + 1..4 * one + 5))
            .collect(),
        apart: apart.map(|pair| [pair[0], pair[1]]).collect(),
        alternatives: Some(Alternatives { size: 8, count: 20 }),
        tolerance: 100,
        ..Wishes::default()
    };
    (pool_of(&ratings), wishes)
}

#[test]
fn what_is_no_longer_wanted_ends_wherever_it_is() {
    let (pool, wishes) = entangled();
    let none = Wishes {
        alternatives: wishes.alternatives,
        ..Wishes::default()
    };
    for wishes in [wishes, none] {
        for questions in [0, 1, 5, 30, 100] {
            let machine = Machine::new(questions);
            let table = solve_sharing(&pool, &wishes, &Limits::default(), &machine);
            assert_eq!(table, None, "after {questions} questions");
            assert_eq!(machine.questions.get(), 0);
            assert_eq!(machine.memory.now.get(), 0);
        }
    }
}
