use super::fill::fill;
use crate::partition::limits::{Alone, Pace};
use crate::partition::objective::weights::{Order, Weights};
use crate::partition::problem::Problem;
use crate::partition::problem::pool::Pool;
use crate::partition::problem::seat::{Seat, difference};
use crate::partition::problem::split::Split;
use crate::partition::problem::wishes::{Wishes, open_seats};

/// How many exchanges are looked at, for one size, that leave the difference as it is and may
/// serve the wishes better.
pub(crate) const LOOKS: usize = 20_000;

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
    let (problem, mut looks) = (Problem::new(pool, wishes), LOOKS);
    greedy_split(&problem, size, &mut looks, &Pace::new(&Alone, 0))
}

/// The same, as long as it is still wanted; looks at exchanges that may serve the wishes better are taken
/// from the `looks` of all sizes.
pub(crate) fn greedy_split(
    problem: &Problem<'_>,
    size: usize,
    looks: &mut usize,
    pace: &Pace<'_>,
) -> Option<Split> {
    if !problem.pool.has_teams_of(size) {
        return None;
    }
    let mut open = open_seats(problem, size);
    for seats in &mut open {
        if *seats == [Seat::A] {
            // An exchange may take the anchor to the other side, which then is called A.
            *seats = &[Seat::A, Seat::B];
        }
    }
    let mut seats = fill(problem, &open, size);
    let weights = Weights::new(problem, Order::TurnsFirst, problem.links_with_newcomers());
    let granted = LOOKS.min(*looks);
    let mut rest = granted;
    improve(&mut seats, problem, &open, pace);
    while please(&mut seats, problem, &open, &weights, &mut rest, pace) {
        improve(&mut seats, problem, &open, pace);
    }
    *looks -= granted - rest;
    Some(Split::greedy(problem, &seats))
}

/// Seats for teams of `size` that no exchange brings closer.
pub(crate) fn swapped(
    problem: &Problem<'_>,
    open: &[&[Seat]],
    size: usize,
    pace: &Pace<'_>,
) -> Vec<Seat> {
    let mut seats = fill(problem, open, size);
    improve(&mut seats, problem, open, pace);
    seats
}

/// Takes the best improving exchange until there is none. It ends, because every exchange makes
/// |Σ_A - Σ_B| smaller.
fn improve(seats: &mut [Seat], problem: &Problem<'_>, open: &[&[Seat]], pace: &Pace<'_>) {
    let mut difference = difference(seats, &problem.points);
    // Each looks at all pairs, for some nanoseconds.
    let work = 4 * (seats.len() * seats.len()) as u64;
    while pace.goes_on(work)
        && let Some((first, second, exchanged)) = best_exchange(seats, problem, open, difference)
    {
        seats.swap(first, second);
        difference = exchanged;
    }
}

/// The exchange of two players' seats that leaves the smallest |Σ_A - Σ_B|, if that is below the
/// present `difference`, and what it leaves.
fn best_exchange(
    seats: &[Seat],
    problem: &Problem<'_>,
    open: &[&[Seat]],
    difference: i64,
) -> Option<(usize, usize, i64)> {
    let points = &problem.points;
    let mut smallest = problem.distance(difference);
    let mut best = None;
    for (first, second) in exchanges(seats) {
        let weight = seats[second].weight() - seats[first].weight();
        let exchanged = difference + weight * (points[first] - points[second]);
        if problem.distance(exchanged) < smallest && is_open(seats, open, first, second) {
            smallest = problem.distance(exchanged);
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
/// are not served, if it finds one before `looks` are used up, and returns whether it did.
fn please(
    seats: &mut [Seat],
    problem: &Problem<'_>,
    open: &[&[Seat]],
    weights: &Weights,
    looks: &mut usize,
    pace: &Pace<'_>,
) -> bool {
    let (before, cost) = (
        difference(seats, &problem.points),
        weights.of_seats(problem, seats),
    );
    let points = &problem.points;
    let found = exchanges(seats).find(|&(first, second)| {
        let weight = seats[second].weight() - seats[first].weight();
        let after = before + weight * (points[first] - points[second]);
        if problem.distance(after) != problem.distance(before)
            || *looks == 0
            || !is_open(seats, open, first, second)
        {
            return false;
        }
        *looks -= 1;
        if !pace.goes_on(64 * seats.len() as u64) {
            *looks = 0;
            return false;
        }
        let mut exchanged = seats.to_vec();
        exchanged.swap(first, second);
        weights.of_seats(problem, &exchanged) < cost
    });
    if let Some((first, second)) = found {
        seats.swap(first, second);
    }
    found.is_some()
}
