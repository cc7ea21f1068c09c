use super::brief::Brief;
use super::pool::Pool;
use super::split::{Method, Seat, Split};
use super::wishes::{Current, Wishes};

/// The bench-aware greedy fallback (F10) for teams of `size` players: `None` unless two such teams
/// can be formed and `size` is at least 1. Takes pools of any length.
///
/// It starts from the `current` teams, or from a draft where there are none. Then it takes the one
/// exchange of two players, between the teams or with those who wait, that leaves the smallest
/// |Σ_A - Σ_B|, and looks again, until none makes it smaller. Of equally good exchanges it takes
/// the one of the players who stand first in the pool. The anchor never leaves team A.
///
/// # Design
/// - *Sides.* The anchor's team is called A: where he plays on `b` the names change over, and where
///   he waits he joins `a`.
/// - *Trimming.* A team with more than k players sends its lowest to wait; so the anchor stays.
/// - *Drafting.* While a team is short, the highest of those who wait joins the team with fewer
///   players; of equally many the one with the smaller sum, of equal sums A. Without current teams
///   this is an alternating draft in which the weaker team has the first pick of every turn, and
///   which a constant added to all ratings does not change.
#[must_use]
pub fn greedy(pool: &Pool, size: usize, current: Option<&Current>) -> Option<Split> {
    if !pool.has_teams_of(size) {
        return None;
    }
    let wishes = Wishes {
        current: current.cloned(),
        ..Wishes::default()
    };
    let brief = Brief::new(pool, &wishes);
    let points = &brief.points;
    let mut seats = current.map_or_else(
        || vec![Seat::Waiting; pool.len()],
        |current| standing(pool, current),
    );
    seats[0] = Seat::A;
    trim(&mut seats, Seat::A, size);
    trim(&mut seats, Seat::B, size);
    draft(&mut seats, points, size);
    improve(&mut seats, points);
    Some(Split::seated(&brief, &seats, Method::Greedy))
}

/// Where the players of the pool stand at present, the anchor's team being A.
fn standing(pool: &Pool, current: &Current) -> Vec<Seat> {
    let named = |id| (current.a.contains(id), current.b.contains(id));
    let anchor_in_b = pool
        .players()
        .first()
        .is_some_and(|anchor| named(&anchor.id) == (false, true));
    let (a, b) = if anchor_in_b {
        (Seat::B, Seat::A)
    } else {
        (Seat::A, Seat::B)
    };
    pool.players()
        .iter()
        .map(|player| match named(&player.id) {
            (true, false) => a,
            (false, true) => b,
            _ => Seat::Waiting,
        })
        .collect()
}

/// Sends all but the `size` highest players of a team to wait.
fn trim(seats: &mut [Seat], team: Seat, size: usize) {
    let members = seats.iter_mut().filter(|seat| **seat == team);
    for seat in members.skip(size) {
        *seat = Seat::Waiting;
    }
}

/// Fills both teams up to `size` from those who wait, highest first.
fn draft(seats: &mut [Seat], points: &[i64], size: usize) {
    let strength = |seats: &[Seat], team: Seat| -> (usize, i64) {
        let members = seats.iter().zip(points).filter(|(seat, _)| **seat == team);
        members.fold((0, 0), |(count, sum), (_, points)| {
            (count + 1, sum + points)
        })
    };
    let mut a = strength(seats, Seat::A);
    let mut b = strength(seats, Seat::B);
    for (seat, points) in seats.iter_mut().zip(points) {
        if a.0 == size && b.0 == size {
            break;
        }
        if *seat == Seat::Waiting {
            let (team, joined) = if a <= b {
                (&mut a, Seat::A)
            } else {
                (&mut b, Seat::B)
            };
            *team = (team.0 + 1, team.1 + points);
            *seat = joined;
        }
    }
}

/// Takes the best improving exchange until there is none. It ends, because every exchange makes
/// |Σ_A - Σ_B| smaller.
fn improve(seats: &mut [Seat], points: &[i64]) {
    let mut difference: i64 = seats
        .iter()
        .zip(points)
        .map(|(seat, points)| seat.weight() * points)
        .sum();
    while let Some((first, second, exchanged)) = best_exchange(seats, points, difference) {
        seats.swap(first, second);
        difference = exchanged;
    }
}

/// The exchange of two players' seats that leaves the smallest |Σ_A - Σ_B|, if that is below the
/// present `difference`, and what it leaves.
fn best_exchange(seats: &[Seat], points: &[i64], difference: i64) -> Option<(usize, usize, i64)> {
    let mut smallest = difference.abs();
    let mut best = None;
    // From 1: the anchor keeps the seat that he has.
    for first in 1..seats.len() {
        for second in first + 1..seats.len() {
            let weights = seats[second].weight() - seats[first].weight();
            let exchanged = difference + weights * (points[first] - points[second]);
            if exchanged.abs() < smallest {
                smallest = exchanged.abs();
                best = Some((first, second, exchanged));
            }
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::pool::generators::{player, pool_of, ratings};
    use super::super::reference;
    use super::super::split::assert_is_split_of;
    use super::*;
    use crate::domain::PlayerId;

    fn numbered(numbers: &[u64]) -> Vec<PlayerId> {
        numbers.iter().map(|&number| player(number)).collect()
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
        let split = greedy(&pool, 2, Some(&current)).unwrap();
        assert_eq!(
            teams(&split),
            (numbered(&[1, 4]), numbered(&[2, 3])),
            "1400 + 1200 = 1300 + 1300"
        );
        assert!(split.optimal && split.method == Method::Greedy);
    }

    #[test]
    fn the_anchors_team_becomes_a() {
        let pool = pool_of(&[1000; 6]);
        let split = greedy(&pool, 2, Some(&current(&[2, 3], &[4, 1]))).unwrap();
        assert_eq!(teams(&split), (numbered(&[1, 4]), numbered(&[2, 3])));
    }

    #[test]
    fn the_weaker_team_picks_first() {
        let mut seats = vec![Seat::Waiting; 7];
        draft(&mut seats, &[1400, 1300, 1200, 1000, 900, 800, 100], 3);
        let (a, b) = (Seat::A, Seat::B);
        assert_eq!(seats, [a, b, b, a, a, b, Seat::Waiting]);
    }

    #[test]
    fn an_anchor_who_waits_is_taken_in_and_the_lowest_makes_room() {
        let pool = pool_of(&[1400, 1300, 1300, 1200, 1100]);
        let split = greedy(&pool, 2, Some(&current(&[4, 5], &[2, 3]))).unwrap();
        assert_eq!(teams(&split), (numbered(&[1, 4]), numbered(&[2, 3])));
    }

    #[test]
    fn strangers_and_missing_players_are_made_up_for() {
        let pool = pool_of(&[1400, 1300, 1300, 1200]);
        let split = greedy(&pool, 2, Some(&current(&[1, 99], &[98, 2]))).unwrap();
        assert_eq!(split.difference, 0);
        assert_is_split_of(&pool, &split);
        let split = greedy(&pool, 2, Some(&Current::default())).unwrap();
        assert_eq!(split, greedy(&pool, 2, None).unwrap());
    }

    #[test]
    fn those_who_wait_are_exchanged_too() {
        // The draft takes the four highest, and no exchange between the teams helps.
        let pool = pool_of(&[1500, 1000, 1000, 1000, 500]);
        let split = greedy(&pool, 2, None).unwrap();
        assert_eq!(split.difference, 0);
        assert_eq!(teams(&split).0, numbered(&[1, 5]));
    }

    #[test]
    fn a_local_optimum_is_not_called_optimal() {
        let pool = pool_of(&[4000, 1000, 1000, 1000, 1000]);
        let split = greedy(&pool, 2, None).unwrap();
        assert_eq!((split.difference, split.optimal), (3000, false));
    }

    #[test]
    fn impossible_sizes_have_no_split() {
        assert_eq!(greedy(&pool_of(&[]), 0, None), None);
        assert_eq!(greedy(&pool_of(&[]), 2, None), None);
        assert_eq!(greedy(&pool_of(&[1000; 5]), 0, None), None);
        assert_eq!(greedy(&pool_of(&[1000; 5]), 3, None), None);
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
            for size in pool.sizes() {
                for current in [None, Some(&current)] {
                    let split = greedy(&pool, size, current).unwrap();
                    assert_is_split_of(&pool, &split);
                    prop_assert_eq!(split.size, size);
                    let teams = teams(&split);
                    let again = Current { a: teams.0, b: teams.1 };
                    prop_assert_eq!(greedy(&pool, size, Some(&again)), Some(split));
                }
            }
        }

        #[test]
        fn it_is_never_better_than_the_optimum((pool, current) in pool_and_teams(10)) {
            for size in pool.sizes() {
                let optimum = reference(&pool, size, u64::MAX).best.unwrap();
                for current in [None, Some(&current)] {
                    let split = greedy(&pool, size, current).unwrap();
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
                let (split, after) = (greedy(&pool, size, None), greedy(&raised, size, None));
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
                    greedy(&pool, size, Some(&current)),
                    greedy(&pool, size, Some(&reversed))
                );
            }
        }
    }
}
