use super::brief::Brief;
use super::fill::fill;
use super::pool::Pool;
use super::prices::{Order, Prices};
use super::room::Room;
use super::split::{Method, Seat, Split, difference};
use super::wishes::Wishes;

/// How many exchanges are looked at, for one size, that leave the difference as it is and may
/// serve the wishes better.
const LOOKS: usize = 20_000;

/// The bench-aware greedy fallback (F10) for teams of `size` players: `None` unless two such teams
/// can be formed and `size` is at least 1. Takes pools of any length.
///
/// It starts from the current teams, filled up, or from a draft where there are none. Then it takes the one
/// exchange of two players, between the teams or with those who wait, that leaves the smallest
/// |Σ_A - Σ_B|, and looks again, until none makes it smaller. Of equally good exchanges it takes
/// the one of the players who stand first in the pool. At last it takes exchanges that leave the
/// difference as it is and serve the wishes better. Nobody takes a seat that a hard wish closes.
///
/// The price of parties and the tolerance never make the difference larger here.
#[must_use]
pub fn greedy(pool: &Pool, size: usize, wishes: &Wishes) -> Option<Split> {
    if !pool.has_teams_of(size) {
        return None;
    }
    let brief = Brief::new(pool, wishes);
    let mut open = Room::of(&brief, size).seats(&brief);
    if let Some(anchor) = brief.anchor {
        // An exchange may take him to the other side, which then is called A.
        open[anchor] = &[Seat::A, Seat::B];
    }
    let mut seats = fill(&brief, &open, size);
    let prices = Prices::new(&brief, Order::TurnsFirst, brief.apart.len());
    let mut looks = LOOKS;
    improve(&mut seats, &brief, &open);
    while please(&mut seats, &brief, &open, &prices, &mut looks) {
        improve(&mut seats, &brief, &open);
    }
    Some(Split::seated(&brief, &seats, Method::Greedy))
}

/// Takes the best improving exchange until there is none. It ends, because every exchange makes
/// |Σ_A - Σ_B| smaller.
fn improve(seats: &mut [Seat], brief: &Brief<'_>, open: &[&[Seat]]) {
    let mut difference = difference(seats, &brief.points);
    while let Some((first, second, exchanged)) = best_exchange(seats, brief, open, difference) {
        seats.swap(first, second);
        difference = exchanged;
    }
}

/// The exchange of two players' seats that leaves the smallest |Σ_A - Σ_B|, if that is below the
/// present `difference`, and what it leaves.
fn best_exchange(
    seats: &[Seat],
    brief: &Brief<'_>,
    open: &[&[Seat]],
    difference: i64,
) -> Option<(usize, usize, i64)> {
    let points = &brief.points;
    let mut smallest = difference.abs();
    let mut best = None;
    for (first, second) in exchanges(seats) {
        let weights = seats[second].weight() - seats[first].weight();
        let exchanged = difference + weights * (points[first] - points[second]);
        if exchanged.abs() < smallest && is_open(seats, open, first, second) {
            smallest = exchanged.abs();
            best = Some((first, second, exchanged));
        }
    }
    best
}

/// Every two players who sit in different seats.
fn exchanges(seats: &[Seat]) -> impl Iterator<Item = (usize, usize)> {
    let pairs = (0..seats.len())
        .flat_map(|first| (first + 1..seats.len()).map(move |second| (first, second)));
    pairs.filter(|&(first, second)| seats[first] != seats[second])
}

/// Whether both players may take the other's seat.
fn is_open(seats: &[Seat], open: &[&[Seat]], first: usize, second: usize) -> bool {
    open[first].contains(&seats[second]) && open[second].contains(&seats[first])
}

/// Takes an exchange that leaves the difference as it is and lowers the price of the wishes that
/// are not served, if it finds one before `looks` are used up, and says whether it did.
fn please(
    seats: &mut [Seat],
    brief: &Brief<'_>,
    open: &[&[Seat]],
    prices: &Prices,
    looks: &mut usize,
) -> bool {
    let (before, cost) = (
        difference(seats, &brief.points),
        prices.of_seats(brief, seats),
    );
    let points = &brief.points;
    let found = exchanges(seats).find(|&(first, second)| {
        let weights = seats[second].weight() - seats[first].weight();
        let after = before + weights * (points[first] - points[second]);
        if after.abs() != before.abs() || *looks == 0 || !is_open(seats, open, first, second) {
            return false;
        }
        *looks -= 1;
        let mut exchanged = seats.to_vec();
        exchanged.swap(first, second);
        prices.of_seats(brief, &exchanged) < cost
    });
    if let Some((first, second)) = found {
        seats.swap(first, second);
    }
    found.is_some()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::pool::generators::{player, pool_of, ratings};
    use super::super::reference;
    use super::super::split::assert_is_split_of;
    use super::super::{Candidate, Current};
    use super::*;
    use crate::domain::PlayerId;

    fn numbered(numbers: &[u64]) -> Vec<PlayerId> {
        numbers.iter().map(|&number| player(number)).collect()
    }

    fn from(current: Option<&Current>) -> Wishes {
        Wishes {
            current: current.cloned(),
            ..Wishes::default()
        }
    }

    fn current(a: &[u64], b: &[u64]) -> Current {
        Current {
            a: numbered(a),
            b: numbered(b),
        }
    }

    /// The ids of team a and team b.
    fn teams(split: &Split) -> (Vec<PlayerId>, Vec<PlayerId>) {
        let ids = |team: &[super::super::Candidate]| team.iter().map(|player| player.id).collect();
        (ids(&split.a), ids(&split.b))
    }

    #[test]
    fn teams_that_are_even_already_stay() {
        let pool = pool_of(&[1400, 1300, 1300, 1200, 1200, 1000]);
        let current = current(&[1, 5, 4], &[3, 2, 5]);
        // Player 5 is named twice, so stands on neither team, and waits.
        let split = greedy(&pool, 2, &from(Some(&current))).unwrap();
        assert_eq!(
            teams(&split),
            (numbered(&[1, 4]), numbered(&[2, 3])),
            "1400 + 1200 = 1300 + 1300"
        );
        assert_eq!((split.method, split.difference), (Method::Greedy, 0));
    }

    #[test]
    fn the_anchors_team_becomes_a() {
        let pool = pool_of(&[1000; 6]);
        let split = greedy(&pool, 2, &from(Some(&current(&[2, 3], &[4, 1])))).unwrap();
        assert_eq!(teams(&split), (numbered(&[1, 4]), numbered(&[2, 3])));
    }

    #[test]
    fn hard_wishes_are_kept() {
        let pool = pool_of(&[1500, 1400, 1300, 1200, 1100, 1000, 1000, 1000]);
        let wishes = Wishes {
            must_play: numbered(&[8]),
            must_wait: numbered(&[1]),
            ..Wishes::default()
        };
        for size in pool.sizes() {
            let split = greedy(&pool, size, &wishes).unwrap();
            let waits = |number| split.waiting.iter().any(|one| one.id == player(number));
            assert!(!waits(8));
            assert_eq!(waits(1), size < 4, "with four a side everybody plays");
        }
    }

    #[test]
    fn other_wishes_are_served_where_an_exchange_costs_nothing() {
        let wishes = Wishes {
            parties: vec![numbered(&[5, 6])],
            apart: vec![[player(1), player(4)]],
            ..Wishes::default()
        };
        let split = greedy(&pool_of(&[1000; 6]), 3, &wishes).unwrap();
        assert_eq!(split.outcome.split_parties.len(), 0);
        assert_eq!(split.outcome.together.len(), 0);
    }

    #[test]
    fn strangers_and_missing_players_are_made_up_for() {
        let pool = pool_of(&[1400, 1300, 1300, 1200]);
        let split = greedy(&pool, 2, &from(Some(&current(&[1, 99], &[98, 2])))).unwrap();
        assert_eq!(split.difference, 0);
        assert_is_split_of(&pool, &split);
        let split = greedy(&pool, 2, &from(Some(&Current::default()))).unwrap();
        assert_eq!(
            teams(&split),
            teams(&greedy(&pool, 2, &from(None)).unwrap())
        );
    }

    #[test]
    fn those_who_wait_are_exchanged_too() {
        // The draft takes the four highest, and no exchange between the teams helps.
        let pool = pool_of(&[1500, 1000, 1000, 1000, 500]);
        let split = greedy(&pool, 2, &from(None)).unwrap();
        assert_eq!(split.difference, 0);
        assert_eq!(teams(&split).0, numbered(&[1, 5]));
    }

    #[test]
    fn a_local_optimum_is_not_called_optimal() {
        let pool = pool_of(&[4000, 1000, 1000, 1000, 1000]);
        let split = greedy(&pool, 2, &from(None)).unwrap();
        assert_eq!((split.difference, split.optimal), (3000, false));
    }

    #[test]
    fn impossible_sizes_have_no_split() {
        assert_eq!(greedy(&pool_of(&[]), 0, &from(None)), None);
        assert_eq!(greedy(&pool_of(&[]), 2, &from(None)), None);
        assert_eq!(greedy(&pool_of(&[1000; 5]), 0, &from(None)), None);
        assert_eq!(greedy(&pool_of(&[1000; 5]), 3, &from(None)), None);
    }

    prop_compose! {
        /// A pool, and teams of some of its players and a stranger.
        fn pool_and_teams(longest: usize)(ratings in ratings(4..=longest))(
            seats in prop::collection::vec(0..3, ratings.len() + 1),
            ratings in Just(ratings),
        ) -> (Pool, Current) {
            let on = |team| {
                let numbers = (1..).zip(&seats).filter(move |&(_, &seat)| seat == team);
                numbers.map(|(number, _)| player(number)).collect()
            };
            (pool_of(&ratings), Current { a: on(0), b: on(1) })
        }
    }

    proptest! {
        #[test]
        fn every_answer_is_a_split_that_no_exchange_improves(
            (pool, current) in pool_and_teams(40),
        ) {
            let none = Wishes::default();
            for size in pool.sizes() {
                for current in [None, Some(&current)] {
                    let split = greedy(&pool, size, &from(current)).unwrap();
                    assert_is_split_of(&pool, &split);
                    prop_assert_eq!(split.size, size);
                    let brief = Brief::new(&pool, &none);
                    let seat = |player: &Candidate| match player {
                        _ if split.a.contains(player) => Seat::A,
                        _ if split.b.contains(player) => Seat::B,
                        _ => Seat::Waiting,
                    };
                    let seats: Vec<Seat> = pool.players().iter().map(seat).collect();
                    let mut open = vec![&[Seat::A, Seat::B, Seat::Waiting][..]; seats.len()];
                    open[0] = &[Seat::A, Seat::B];
                    let difference = difference(&seats, &brief.points);
                    prop_assert_eq!(best_exchange(&seats, &brief, &open, difference), None);
                }
            }
        }

        #[test]
        fn it_is_never_better_than_the_optimum((pool, current) in pool_and_teams(10)) {
            for size in pool.sizes() {
                let optimum = reference(&pool, size, u64::MAX).best.unwrap();
                for current in [None, Some(&current)] {
                    let split = greedy(&pool, size, &from(current)).unwrap();
                    prop_assert!(optimum.difference <= split.difference);
                }
            }
        }

        #[test]
        fn more_points_for_everybody_change_nothing(
            ratings in ratings(4..=30), more in 0..100_000,
        ) {
            let raised: Vec<i32> = ratings.iter().map(|points| points + more).collect();
            let (pool, raised) = (pool_of(&ratings), pool_of(&raised));
            for size in pool.sizes() {
                let (split, after) = (greedy(&pool, size, &from(None)), greedy(&raised, size, &from(None)));
                let teams = |split: Option<Split>| split.map(|split| teams(&split));
                prop_assert_eq!(teams(split), teams(after));
            }
        }

        #[test]
        fn the_order_of_the_current_teams_does_not_matter((pool, current) in pool_and_teams(20)) {
            let reversed = Current {
                a: current.a.iter().rev().copied().collect(),
                b: current.b.iter().rev().copied().collect(),
            };
            for size in pool.sizes() {
                prop_assert_eq!(
                    greedy(&pool, size, &from(Some(&current))).map(|split| teams(&split)),
                    greedy(&pool, size, &from(Some(&reversed))).map(|split| teams(&split))
                );
            }
        }
    }
}
