use super::fill::fill;
use crate::partition::limits::{Alone, Pace};
use crate::partition::objective::weights::{Order, Weights};
use crate::partition::problem::Problem;
use crate::partition::problem::pool::Pool;
use crate::partition::problem::seat::{Seat, difference};
use crate::partition::problem::split::Split;
use crate::partition::problem::wishes::{Wishes, open_seats};

/// Maximum number of exchanges of players that the greedy fallback checks to serve wishes better, for one team size.
pub(crate) const LOOKS: usize = 20_000;

/// Splits the players into two teams of `size` and a bench by greedy exchanges (F10), for any number of players.
/// Returns `None` if `size` is 0 or two such teams cannot be formed.
///
/// Starts from the current teams, filled up, or from a draft. Then repeatedly takes the exchange of two seats that
/// leaves the smallest difference of the teams' rating sums, until no exchange lowers the difference. Players earlier
/// in the pool win ties between exchanges. Finally takes exchanges that keep the difference and serve the wishes
/// better. Seats closed by hard wishes stay closed.
///
/// Ignores the party price and the tolerance of the wishes, which would allow larger differences.
#[must_use]
pub fn greedy(pool: &Pool, size: usize, wishes: &Wishes) -> Option<Split> {
    let (problem, mut looks) = (Problem::new(pool, wishes), LOOKS);
    greedy_split(&problem, size, &mut looks, &Pace::new(&Alone, 0))
}

/// Finds a split like [`greedy()`], but can be cancelled by `pace`. Exchanges checked for the sake of wishes are
/// deducted from `looks`, a budget shared by all team sizes.
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
            // An exchange may move the anchor to team B, and the teams are renamed afterwards.
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

/// Returns seats by player for teams of `size` players whose difference of rating sums no exchange of two players can
/// lower.
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

/// Exchanges the seats of two players, the best exchange first, until no exchange brings the teams' rating sums nearer
/// to even.
fn improve(seats: &mut [Seat], problem: &Problem<'_>, open: &[&[Seat]], pace: &Pace<'_>) {
    let mut difference = difference(seats, &problem.points);
    // Each step checks all pairs, at some nanoseconds per pair.
    let work = 4 * (seats.len() * seats.len()) as u64;
    while pace.goes_on(work)
        && let Some((first, second, exchanged)) = best_exchange(seats, problem, open, difference)
    {
        seats.swap(first, second);
        difference = exchanged;
    }
}

/// Returns the exchange of two players' seats that brings the teams' rating sums nearest to even, with their new
/// difference. Returns `None` if no exchange is better than `difference`.
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

/// Iterates over all pairs of players, by index, of whom one is on team A and the other on B, or one plays and the
/// other waits.
fn exchanges(seats: &[Seat]) -> impl Iterator<Item = (usize, usize)> {
    let pairs = (0..seats.len())
        .flat_map(|first| (first + 1..seats.len()).map(move |second| (first, second)));
    pairs.filter(|&(first, second)| seats[first] != seats[second])
}

fn is_open(seats: &[Seat], open: &[&[Seat]], first: usize, second: usize) -> bool {
    open[first].contains(&seats[second]) && open[second].contains(&seats[first])
}

/// Makes one exchange of two players' seats that keeps the distance of the rating sums from even and lowers the cost of
/// unserved wishes. Returns `false` if none is found before `looks`, the number of exchanges to check, is used up.
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
