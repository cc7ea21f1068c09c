//! Merits encoded as one number.

use super::super::merits::{Case, Merits, Order};

/// Cost as bit fields, one per merit, the most important in the highest bits. Costs add up field by field, because no
/// field can overflow with the maximum number of players.
pub(super) type Cost = u64;
pub(super) const FIELD_BITS: u32 = 6;
pub(super) const UNREACHABLE: Cost = Cost::MAX;

/// Prices of violated wishes.
#[derive(Debug)]
pub(super) struct Prices {
    /// Price of letting each player wait.
    pub(super) waiting: Vec<Cost>,
    pub(super) split: Cost,
    pub(super) together: Cost,
    pub(super) missing: Cost,
    pub(super) newcomer: Cost,
    pub(super) moving: Cost,
    pub(super) top_two: Cost,
}

impl Prices {
    /// Unit of every field, by its index in [`Merits::key`] without repeats and difference.
    pub(super) fn new(case: &Case, order: Order) -> Self {
        let levels = u32::try_from(case.levels.len()).unwrap();
        let fields = levels + 6;
        assert!(fields * FIELD_BITS < Cost::BITS, "too many merits");
        let unit = |field: u32| 1 << (FIELD_BITS * (fields - 1 - field));
        let (first_turn, split) = match order {
            Order::TurnsFirst => (0, levels),
            Order::PartiesFirst => (1, 0),
        };
        let waiting = |rounds: &u32| {
            let level = (first_turn..).zip(&case.levels);
            let mut level = level.filter(|(_, level)| *level == rounds);
            level.next().map_or(0, |(field, _)| unit(field))
        };
        Self {
            waiting: case.waited.iter().map(waiting).collect(),
            split: unit(split),
            together: unit(levels + 1),
            missing: unit(levels + 2),
            newcomer: unit(levels + 3),
            moving: unit(levels + 4),
            top_two: unit(levels + 5),
        }
    }
}

impl Prices {
    /// Cost of one player's seat, independent of the others.
    pub(super) fn of_seat(&self, case: &Case, player: usize, seat: i64) -> Cost {
        let stands = case.current.as_ref().map_or(0, |current| current[player]);
        match stands * seat {
            _ if seat == 0 => self.waiting[player],
            -1 => self.moving,
            _ => 0,
        }
    }

    /// Cost of roles without any player.
    pub(super) fn of_empty_roles(&self, case: &Case) -> Cost {
        let empty = case.roles.iter().filter(|(members, _)| members.is_empty());
        empty
            .map(|(_, each)| self.missing * 2 * *each as Cost)
            .sum()
    }
}

pub(super) fn merits_of(
    case: &Case,
    order: Order,
    cost: Cost,
    difference: i64,
    size: usize,
) -> Merits {
    let levels = case.levels.len();
    let fields = levels + 6;
    let field = |place: usize| {
        let shift = FIELD_BITS * u32::try_from(fields - 1 - place).unwrap();
        usize::try_from(cost >> shift & ((1 << FIELD_BITS) - 1)).unwrap()
    };
    let (turns, split) = match order {
        Order::TurnsFirst => (0..levels, levels),
        Order::PartiesFirst => (1..levels + 1, 0),
    };
    let named = |must: &[bool]| must.iter().filter(|must| **must).count();
    let (playing, must_play) = (2 * size, named(&case.must_play));
    let available = case.players() - named(&case.must_wait);
    let hard = if case.bench {
        must_play.saturating_sub(playing) + playing.saturating_sub(available)
    } else {
        0
    };
    Merits {
        hard,
        difference,
        turns: turns.map(field).collect(),
        split_parties: field(split),
        together: field(levels + 1),
        missing: field(levels + 2),
        newcomers: field(levels + 3),
        moves: field(levels + 4),
        repeats: false,
        top_two_together: field(levels + 5) > 0,
    }
}
