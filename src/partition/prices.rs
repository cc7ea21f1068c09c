use super::brief::Brief;
use super::split::Seat;
use super::waits::Waits;

/// Sums of prices stay below this, so that the widest [`Cost`](super::cost::Cost) holds them.
const LIMIT: u64 = 1 << 29;

/// Which wish comes first where both cannot be served.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    /// Turns on the bench before parties, as among splits that are equally close.
    TurnsFirst,
    /// Parties before turns, as where a party's price is paid.
    PartiesFirst,
}

/// What prices tell apart. What they tell less of is lower, and fits narrower tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Detail {
    /// All wishes.
    Everything,
    /// All, but no more than so many moves: more of them cost as much as pairs who should be apart.
    Moves(u64),
    /// Turns and parties; nothing that is less important costs anything.
    TurnsAndParties,
}

/// What each wish that is not served adds to the cost of a split.
///
/// One price of a more important wish is more than all of the less important ones together, so
/// that the split of the least cost serves the wishes in their order.
#[derive(Clone, Debug)]
pub(super) struct Prices {
    /// By player: of waiting once more.
    wait: Vec<u64>,
    /// By player: the seat that costs a move, if there is one.
    moved: Vec<Option<Seat>>,
    /// Of one player's move; nothing where moves are not told.
    moving: u64,
    /// Of one pair on a team who should be apart; nothing where moves are not told.
    pair: u64,
    /// What all that is more important than pairs is a multiple of.
    beyond_pairs: u64,
    /// Of one split party.
    pub(super) party: u64,
    /// The number of parties, and one.
    parties: u64,
    /// The most moves of a split, which is the better way round of two, and how many are told apart.
    movers: u64,
    told: u64,
    /// How many times as much everything costs at least by prices that tell all wishes apart: what seats cost by
    /// these beyond that is not told.
    pub(super) times: u64,
    /// The pairs who should be apart, the better player first, and the price of each.
    pub(super) apart: Vec<(usize, usize, u64)>,
    /// Whether no two different waits have the same price.
    pub(super) tells_all_waits_apart: bool,
    /// The sum of all of them.
    pub(super) total: u64,
}

impl Prices {
    /// The prices where of the pairs apart only the first `pairs` count.
    pub(super) fn new(brief: &Brief<'_>, order: Order, pairs: usize) -> Self {
        Self::telling(Detail::Everything, brief, order, pairs)
    }

    /// The same, but lower, since they tell no more than that. Whether a better split hides behind it,
    /// [`Prices::hidden`] says.
    pub(super) fn telling(detail: Detail, brief: &Brief<'_>, order: Order, pairs: usize) -> Self {
        let players = brief.points.len();
        let apart = pairs_apart(brief, pairs);
        let wished = brief.apart.len().min(pairs);
        let moved: Vec<Option<Seat>> = match &brief.current {
            None => vec![None; players],
            Some(seats) => seats
                .iter()
                .map(|seat| (*seat != Seat::Waiting).then(|| seat.opposite()))
                .collect(),
        };
        // Of both ways round, one moves at most half of the players, and only that one counts.
        let movers = moved.iter().flatten().count() as u64 / 2;
        // The two best on one team: the least of all wishes.
        let least_move = if apart.len() > wished { 2 } else { 1 };
        let beyond = |moves: u64| least_move * (moves + 1);
        let (top_two, moving, told) = match detail {
            Detail::Everything => (1, least_move, movers),
            Detail::Moves(told) => (1, least_move, told.min(movers)),
            Detail::TurnsAndParties => (0, 0, 0),
        };
        let pair = if moving > 0 { beyond(told) } else { 0 };
        let all_pairs = pairs as u64 + 1;
        let times = match detail {
            Detail::Everything | Detail::Moves(_) => 1,
            Detail::TurnsAndParties => beyond(movers) * all_pairs,
        };
        // However few moves are told, all of them cost less than a wait or a party, so that neither hides behind them.
        let beyond_pairs = (pair * all_pairs + moving * (movers - told)).max(1);
        let apart = apart.iter().enumerate().map(|(number, &(one, other))| {
            let price = if number < wished { pair } else { top_two };
            (one, other, price)
        });
        let apart = apart.collect();
        let parties = brief.parties.len() as u64 + 1;
        // However little is told, the same waits are told apart: as many as where everything is.
        let steps = LIMIT.div_ceil(beyond(movers) * all_pairs * parties);
        let (party, waits, total) = match order {
            Order::TurnsFirst => {
                let beyond_parties = beyond_pairs * parties;
                let waits = Waits::new(&brief.waited, beyond_parties, steps);
                let total = waits.beyond;
                (beyond_pairs, waits, total)
            }
            Order::PartiesFirst => {
                let waits = Waits::new(&brief.waited, beyond_pairs, steps);
                let beyond = waits.beyond;
                (beyond, waits, beyond * parties)
            }
        };
        Self {
            tells_all_waits_apart: waits.are_told_apart,
            wait: waits.prices,
            moved,
            moving,
            pair,
            beyond_pairs,
            movers,
            told,
            times,
            party,
            parties,
            apart,
            total,
        }
    }

    /// What it costs that `player` takes `seat`, whoever else sits where.
    pub(super) fn of_seat(&self, player: usize, seat: Seat) -> u64 {
        let wait = if seat == Seat::Waiting {
            self.wait[player]
        } else {
            0
        };
        let moved = self.moved[player] == Some(seat);
        wait + if moved { self.moving } else { 0 }
    }

    /// How many parties are split where all wishes cost `cost`, by prices that tell all moves apart.
    pub(super) fn parties_split(&self, cost: u64) -> u64 {
        cost / self.party % self.parties
    }

    /// The most that seats cost which are no worse than those for `cost` in any wish above the
    /// spread.
    pub(super) fn as_good_but_for_spread(&self, cost: u64) -> u64 {
        let moving = self.moving.max(1);
        cost - cost % moving + moving - 1
    }

    /// Where none cost less than these `seats`: the most that others may cost that serve the wishes
    /// better, or as well but for the spread, if there may be better ones.
    ///
    /// Those keep more pairs apart, and have as many more moves than these as are told apart, and one. Of two ways
    /// round, one has at most as many as there are players on a team. What is more important than pairs is the
    /// same: there is no less for such a cost. Where moves are not told, nor what else is less important than
    /// turns and parties, better ones cost the same.
    pub(super) fn hidden(&self, brief: &Brief<'_>, seats: &[Seat]) -> Option<u64> {
        let cost = self.of_seats(brief, seats);
        if self.pair == 0 {
            return Some(cost);
        }
        let size = seats.iter().filter(|seat| **seat == Seat::A).count() as u64;
        let of_moves = |(seat, moved): (&Seat, &Option<Seat>)| Some(*seat) == *moved;
        let moves = seats.iter().zip(&self.moved);
        let moves = moves.filter(|both| of_moves(*both)).count() as u64;
        let most = self.movers.min(size);
        let given_up = cost - moves * self.moving;
        let (kept, given_up) = (given_up / self.beyond_pairs, given_up % self.beyond_pairs);
        let less = (given_up / self.pair).checked_sub(1)?;
        let dearest = kept * self.beyond_pairs + less * self.pair + most * self.moving;
        (moves + self.told < most).then(|| self.as_good_but_for_spread(dearest))
    }

    /// Of splits that are close enough the one of the least rank is chosen: what they cost but for the spread,
    /// whether they repeat recent teams, and what they cost at all.
    pub(super) fn rank(&self, brief: &Brief<'_>, seats: &[Seat]) -> (u64, bool, u64) {
        let cost = self.of_seats(brief, seats);
        (
            self.as_good_but_for_spread(cost),
            brief.repeats(seats),
            cost,
        )
    }

    /// What all seats cost together: the sum that the tables find without being told the seats.
    pub(super) fn of_seats(&self, brief: &Brief<'_>, seats: &[Seat]) -> u64 {
        let everybody = seats.iter().enumerate();
        let alone: u64 = everybody
            .map(|(player, seat)| self.of_seat(player, *seat))
            .sum();
        let parties = brief.parties.iter();
        let split = parties
            .filter(|party| !super::brief::is_kept(party, seats))
            .count() as u64;
        let pairs = self.apart.iter();
        let together: u64 = pairs
            .filter(|(one, other, _)| super::brief::is_together((*one, *other), seats))
            .map(|(_, _, price)| price)
            .sum();
        alone + split * self.party + together
    }
}

/// The first `pairs` of the pairs apart, and the two best players where they should be apart; of each
/// the better player first.
pub(super) fn pairs_apart(brief: &Brief<'_>, pairs: usize) -> Vec<(usize, usize)> {
    let wished = brief.apart.iter().copied().take(pairs);
    let top_two = (brief.wishes.spread && brief.points.len() > 1).then_some((0, 1));
    wished.chain(top_two).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::pool::generators::{player, pool_of};
    use super::super::room::generators::all_seats;
    use super::super::wishes::{Current, Wishes};
    use super::*;

    fn wishes() -> Wishes {
        let numbered = |numbers: &[u64]| numbers.iter().map(|&number| player(number)).collect();
        Wishes {
            current: Some(Current {
                a: numbered(&[1, 2, 3]),
                b: numbered(&[4, 5, 6]),
            }),
            parties: vec![numbered(&[1, 2]), numbered(&[3, 4])],
            apart: vec![[player(5), player(6)], [player(1), player(6)]],
            waited: [(player(3), 1), (player(4), 1), (player(5), 7)].into(),
            ..Wishes::default()
        }
    }

    #[test]
    fn one_price_is_more_than_all_that_matter_less_together() {
        let pool = pool_of(&[1000; 8]);
        let wishes = wishes();
        let brief = Brief::new(&pool, &wishes);
        let prices = Prices::new(&brief, Order::TurnsFirst, 2);
        let pair = prices.apart[0].2;
        let (short, long) = (prices.wait[2], prices.wait[4]);
        assert_eq!(prices.apart.last(), Some(&(0, 1, 1)), "the two best");
        assert!(prices.moving > 1);
        assert!(pair > 1 + 3 * prices.moving, "half of the six move at most");
        assert!(prices.party > 1 + 3 * prices.moving + 2 * pair);
        assert!(short > 1 + 3 * prices.moving + 2 * pair + 2 * prices.party);
        assert!(long > 1 + 3 * prices.moving + 2 * pair + 2 * prices.party + 2 * short);
        assert_eq!(prices.wait[0], 0, "nobody minds a first wait");

        // However few moves are told, all of them cost less than a party or a wait.
        let few = Prices::telling(Detail::Moves(0), &brief, Order::TurnsFirst, 2);
        assert!(few.party > 1 + 3 * few.moving + 2 * few.apart[0].2);
        assert!(few.wait[2] > 1 + 3 * few.moving + 2 * few.apart[0].2 + 2 * few.party);
        let few = Prices::telling(Detail::Moves(0), &brief, Order::PartiesFirst, 2);
        assert!(few.wait[2] > 1 + 3 * few.moving + 2 * few.apart[0].2);

        let prices = Prices::new(&brief, Order::PartiesFirst, 2);
        let (short, long) = (prices.wait[2], prices.wait[4]);
        assert!(prices.party > 1 + 3 * prices.moving + 2 * pair + 2 * short + long);
        assert_eq!(prices.parties_split(2 * prices.party + long), 2);
    }

    /// Few moves, or turns and parties alone.
    fn less_than_everything() -> impl Strategy<Value = Detail> {
        prop_oneof![
            (0..4_u64).prop_map(Detail::Moves),
            Just(Detail::TurnsAndParties)
        ]
    }

    proptest! {
        #[test]
        fn where_less_is_told_the_best_costs_no_more_than_what_is_hidden(
            detail in less_than_everything(), size in 2..5_usize, spread in any::<bool>(),
            order in prop::sample::select(vec![Order::TurnsFirst, Order::PartiesFirst]),
            teams in prop::option::of((0..6_usize, 0..6_usize)),
            close in prop::collection::vec(any::<prop::sample::Index>(), 1..6),
        ) {
            let numbered = |from: usize, to: usize| (from as u64 + 1..=to as u64).map(player).collect();
            let current = teams.map(|(a, b)| Current { a: numbered(0, a), b: numbered(a, (a + b).min(8)) });
            let wishes = Wishes { current, spread, ..wishes() };
            let pool = pool_of(&[1000; 8]);
            let brief = Brief::new(&pool, &wishes);
            let [exact, less] = [Detail::Everything, detail].map(|detail| Prices::telling(detail, &brief, order, 2));
            prop_assert!(less.total <= exact.total);
            // A few splits are as close as can be, either way round.
            let all = all_seats(8, size);
            let close = close.iter().map(|index| index.get(&all).clone());
            let close = close.flat_map(|seats| {
                let opposite = seats.iter().map(|seat| seat.opposite()).collect();
                [seats, opposite]
            });
            let close: Vec<Vec<Seat>> = close.collect();
            let least = |prices: &Prices| close.iter().map(|seats| prices.of_seats(&brief, seats)).min().unwrap();
            let cheapest = close.iter().filter(|seats| less.of_seats(&brief, seats) == least(&less));
            for seats in cheapest {
                prop_assert_eq!(exact.hidden(&brief, seats), None);
                let hidden = less.hidden(&brief, seats);
                if hidden.is_none() {
                    prop_assert_eq!(exact.of_seats(&brief, seats), least(&exact));
                }
                let budget = hidden.unwrap_or(less.as_good_but_for_spread(least(&less)));
                let is_as_good = |seats: &&Vec<Seat>| {
                    exact.of_seats(&brief, seats) <= exact.as_good_but_for_spread(least(&exact))
                };
                for seats in close.iter().filter(is_as_good) {
                    prop_assert!(less.of_seats(&brief, seats) <= budget);
                }
            }
        }
    }

    #[test]
    fn a_better_split_may_hide_behind_its_moves() {
        let pool = pool_of(&[1000; 6]);
        let wishes = Wishes {
            apart: vec![[player(5), player(6)]],
            parties: Vec::new(),
            waited: [].into(),
            spread: false,
            ..wishes()
        };
        let brief = Brief::new(&pool, &wishes);
        let (a, b) = (Seat::A, Seat::B);
        let [unmoved, exchanged] = [[a, a, a, b, b, b], [a, a, b, a, b, b]];
        let hidden = [0, 2, 3].map(|told| {
            let prices = Prices::telling(Detail::Moves(told), &brief, Order::TurnsFirst, 1);
            [unmoved, exchanged].map(|seats| prices.hidden(&brief, &seats))
        });
        // Both have the pair on one team. Others have not, for as many moves as there are players on one.
        assert_eq!(hidden, [[Some(3), Some(3)], [Some(3), None], [None, None]]);
    }
}
