//! One step in the computation of a half of the players: a player takes a seat (team or bench).

use super::bound::Sign;
use super::chain::{Stage, Transition};
use super::frontier::Block;
use super::layout::Step;
use crate::partition::problem::seat::Seat;

#[derive(Debug)]
pub(super) struct Turn {
    pub(super) player: usize,
    /// Possible seats of the player, by the number of the frontier (remembered seats) after the player is seated.
    pub(super) transitions: Vec<Vec<Transition>>,
    /// Changes of the numbers of players on A and B, and of the difference of their rating sums, if the player of this
    /// turn takes a seat on A, on B or on the bench, in this order.
    pub(super) steps: [Step; 3],
    /// First players in seating order up to the last newcomer, if this turn seats the last of these players. The turn
    /// then costs more if the teams share the newcomers unevenly.
    pub(super) newcomers: Option<Block>,
}

impl Turn {
    /// Creates the turn of a player with the rating `points`. `frontiers` is the number of frontiers (combinations of
    /// remembered seats) after the turn. For [`Sign::Minus`], whose tables start from the last player, reverses the
    /// transitions.
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

    /// Returns the cost of a seat (transition) that leads to these numbers of players on A and on B.
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
