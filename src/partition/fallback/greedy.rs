use std::cmp::Reverse;

use crate::partition::limits::{Alone, Pace};
use crate::partition::objective::{Order, Weights};
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
    if !(1..=problem.pool.len() / 2).contains(&size) {
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

/// Returns seats for teams of `size` players whose difference no exchange of two players can lower.
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

/// Makes the best exchange of two players' seats until none brings the teams' rating sums nearer to even.
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

/// Iterates over all pairs of players, by index, who are neither on one team nor both waiting.
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

/// Builds two teams of `size` players as a start for improving swaps, within the seats `open` to each player.
///
/// - *Sides.* The team of the best player who plays is called A.
/// - *Order.* Players who must play come first, then members of the current teams, then the others, each by descending
///   rating.
/// - *Teams.* A player stays on the current team unless it is full. Otherwise the player joins the smaller team, or the
///   team with the lower sum if both are equal, or A if the sums are equal too.
///
/// A current team with more than `size` players thus sends its lowest-rated ones to the bench. Without current teams,
/// this is a draft in which the weaker team picks next. A constant added to all ratings changes no team.
fn fill(problem: &Problem<'_>, open: &[&[Seat]], size: usize) -> Vec<Seat> {
    let nobody = vec![Seat::Waiting; problem.points.len()];
    let standing = problem.current.as_ref().unwrap_or(&nobody);
    let mut seats = vec![Seat::Waiting; standing.len()];
    // Number of players and sum of ratings of each team.
    let (mut a, mut b) = ((0, 0), (0, 0));
    let mut order: Vec<usize> = (0..seats.len())
        .filter(|&player| open[player].contains(&Seat::A))
        .collect();
    order.sort_by_key(|&player| {
        let must_play = !open[player].contains(&Seat::Waiting);
        (Reverse(must_play), standing[player] == Seat::Waiting)
    });
    let mut later = Vec::new();
    for &player in &order {
        let must_play = !open[player].contains(&Seat::Waiting);
        let has_room = match standing[player] {
            Seat::A => a.0 < size,
            Seat::B => b.0 < size,
            Seat::Waiting => false,
        };
        if has_room {
            seats[player] = standing[player];
        } else if must_play {
            seats[player] = weaker(a, b);
        } else {
            later.push(player);
        }
        join(&mut a, &mut b, seats[player], problem.points[player]);
    }
    later.sort_unstable();
    for player in later {
        if a.0 == size && b.0 == size {
            break;
        }
        seats[player] = weaker(a, b);
        join(&mut a, &mut b, seats[player], problem.points[player]);
    }
    seats
}

/// Returns the team that gets a draft's next player: the one with fewer players, then with the lower sum of ratings.
fn weaker(a: (usize, i64), b: (usize, i64)) -> Seat {
    if a <= b { Seat::A } else { Seat::B }
}

fn join(a: &mut (usize, i64), b: &mut (usize, i64), seat: Seat, points: i64) {
    let team = match seat {
        Seat::A => a,
        Seat::B => b,
        Seat::Waiting => return,
    };
    *team = (team.0 + 1, team.1 + points);
}
