use std::cmp::Reverse;

use crate::partition::problem::Problem;
use crate::partition::problem::seat::Seat;

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
pub(crate) fn fill(problem: &Problem<'_>, open: &[&[Seat]], size: usize) -> Vec<Seat> {
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
