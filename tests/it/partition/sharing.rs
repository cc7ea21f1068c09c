//! The memory of tables, which computations reserve of what they share.

use std::any::Any;
use std::cell::Cell;
use std::rc::Rc;

use rbs::partition::{Limits, Pool, Wishes, solve, solve_sharing};

use super::dice::Dice;
use super::pools::{players, pool_of};

/// The bytes that are reserved.
#[derive(Default)]
struct Reserved {
    now: Cell<u64>,
    most: Cell<u64>,
}

/// Gives the bytes back when it is dropped.
struct Part {
    of: Rc<Reserved>,
    bytes: u64,
}

impl Drop for Part {
    fn drop(&mut self) {
        self.of.now.set(self.of.now.get() - self.bytes);
    }
}

/// Takes the bytes from `all`.
fn reserve(all: &Rc<Reserved>, bytes: u64) -> Box<dyn Any> {
    let of = Rc::clone(all);
    of.now.set(of.now.get() + bytes);
    of.most.set(of.most.get().max(of.now.get()));
    Box::new(Part { of, bytes })
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
        let free = Rc::new(Reserved::default());
        let alone = solve(&pool, &wishes, &Limits::default());
        let table = solve_sharing(&pool, &wishes, &Limits::default(), &|bytes| {
            reserve(&free, bytes)
        });
        assert_eq!(table, alone, "seed {seed}");
        let needed = free.most.get();
        assert!(needed > 0 && needed <= Limits::default().memory);
        assert_eq!(free.now.get(), 0, "seed {seed}");

        // Less than that is never exceeded, and leaves something to the swaps.
        let limits = Limits {
            memory: needed / 4,
            ..Limits::default()
        };
        let scarce = Rc::new(Reserved::default());
        let table = solve_sharing(&pool, &wishes, &limits, &|bytes| reserve(&scarce, bytes));
        assert_eq!(table.splits.len(), 2);
        assert!(scarce.most.get() <= limits.memory, "seed {seed}");
        assert_eq!(scarce.now.get(), 0, "seed {seed}");
    }
}
