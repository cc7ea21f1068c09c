//! One step of a half: a player takes a seat.

use super::bound::Sign;
use super::chain::{Stage, Transition};
use super::frontier::Block;
use super::layout::Step;
use crate::partition::problem::seat::Seat;

#[derive(Debug)]
pub(super) struct Turn {
    pub(super) player: usize,
    /// Transitions by the frontier after the turn.
    pub(super) transitions: Vec<Vec<Transition>>,
    /// Change of the state by seat.
    pub(super) steps: [Step; 3],
    /// The newcomers, if this is the turn of the last of them and all seated players belong to their block.
    pub(super) newcomers: Option<Block>,
}

impl Turn {
    /// Creates the turn of a player with `points`, followed by `frontiers` frontiers, for a table with this sign.
    /// [`Sign::Minus`] follows the chain from its end, so that transitions are reversed.
    pub(super) fn new(stage: &Stage, points: i64, frontiers: usize, sign: Sign) -> Self {
        let mut transitions = vec![Vec::new(); frontiers];
        for &one in &stage.transitions {
            let one = match sign {
                Sign::Plus => one,
                Sign::Minus => Transition {
                    from: one.to,
                    to: one.from,
                    ..one
                },
            };
            transitions[one.to].push(one);
        }
        Self {
            player: stage.player,
            transitions,
            steps: [Seat::A, Seat::B, Seat::Waiting].map(|seat| Step::new(seat, points, sign)),
            newcomers: None,
        }
    }

    /// Returns the cost of a transition to a state with these numbers of players on A and on B.
    #[inline]
    pub(super) fn cost(&self, transition: &Transition, (a, b): (usize, usize)) -> u64 {
        let Some(block) = self.newcomers else {
            return transition.cost;
        };
        let all = a.cast_signed() - b.cast_signed();
        transition.cost + block.cost(all as i64 - i64::from(transition.others))
    }

    pub(super) fn frontiers(&self) -> usize {
        self.transitions.len()
    }

    pub(super) fn open_steps(&self) -> Vec<Step> {
        let is_open = |seat: &Seat| {
            let mut transitions = self.transitions.iter().flatten();
            transitions.any(|one| one.seat == *seat)
        };
        let seats = [Seat::A, Seat::B, Seat::Waiting].into_iter();
        let open = seats.filter(is_open);
        open.map(|seat| self.steps[seat as usize]).collect()
    }
}
