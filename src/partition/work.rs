use std::cell::Cell;

use super::cost::Width;
use super::group::halves;
use super::reach::reaches;
use super::rules::Sign;
use super::run::Case;
use super::table::Shape;

/// The work that may still be done, in bytes of tables.
#[derive(Clone, Copy, Debug)]
pub(super) struct Work {
    left: u64,
    /// Whether more was asked for since that was last told.
    was_refused: bool,
}

impl Work {
    /// So many bytes of tables.
    pub(super) fn new(bytes: u64) -> Self {
        Self {
            left: bytes,
            was_refused: false,
        }
    }

    /// Whether more was asked for than was left, since this was last told.
    pub(super) fn tell_refused(&mut self) -> bool {
        std::mem::take(&mut self.was_refused)
    }

    /// Takes so many bytes, if they are left.
    pub(super) fn spend(&mut self, bytes: u64) -> Option<()> {
        let left = self.left.checked_sub(bytes);
        self.was_refused |= left.is_none();
        self.left = left?;
        Some(())
    }
}

/// How many bytes of costs of that width the run will compute or compare.
pub(super) fn bytes(case: &Case, sizes: &[usize], width: Width) -> u64 {
    let Case {
        rules,
        members,
        cut,
    } = case;
    let costs = Cell::new(0_u64);
    let count = |more: usize| costs.set(costs.get().saturating_add(more as u64));
    let (left_half, right_half) = members.split_at(*cut);
    let both = [
        (left_half, right_half, Sign::Plus),
        (right_half, left_half, Sign::Minus),
    ];
    let [left, right] = both.map(|(half, others, sign)| {
        let reaches = reaches(rules, half, others, sign);
        let members = half.iter().zip(&reaches);
        members.fold(Shape::nobody(), |shape, (linked, reaches)| {
            linked.shape(rules, shape, sign, reaches, |after, sources| {
                count(after.len().saturating_mul(sources));
            })
        })
    });
    // The seats are found in the tables of the quarters, and of their parts, which are smaller.
    for half in [left_half, right_half] {
        let (upper, lower) = halves(half);
        for quarter in [upper, lower] {
            quarter.iter().fold(Shape::nobody(), |shape, linked| {
                linked.shape(rules, shape, Sign::Plus, &[], |after, sources| {
                    count(after.len().saturating_mul(2 * sources));
                })
            });
        }
    }
    // Who is linked is seated by tables of their own.
    for linked in members.iter().filter(|linked| linked.players.len() > 1) {
        linked.shape(rules, Shape::nobody(), Sign::Plus, &[], |after, sources| {
            count(after.len().saturating_mul(sources));
        });
    }
    for &size in sizes {
        for (a, b) in (0..=size).flat_map(|a| (0..=size).map(move |b| (a, b))) {
            if let (Some(left), Some(right)) = (left.span(a, b), right.span(size - a, size - b)) {
                count(left.length.min(right.length));
            }
        }
    }
    costs.get().saturating_mul(width.bytes())
}
