use std::cmp::Reverse;

use crate::partition::problem::Problem;
use crate::partition::problem::seat::Seat;

/// Two teams of `size` to start from, by the seats that are `open` to each player.
///
/// - *Sides.* The team of the best player who plays is called A, whichever it was sent as.
/// - *Filling.* First come those who must play, then those who stand on a team, then the others, the
///   highest first. Everybody goes to the present team if that has room, or else to the team with
///   fewer players; of equally many to the one with the smaller sum, of equal sums to A. So a team
///   with more than k players sends its lowest to wait, and without current teams this is an
///   alternating draft in which the weaker team has the first pick of every turn, and which a
///   constant added to all ratings does not change.
pub(crate) fn fill(problem: &Problem<'_>, open: &[&[Seat]], size: usize) -> Vec<Seat> {
    let nobody = vec![Seat::Waiting; problem.points.len()];
    let standing = problem.current.as_ref().unwrap_or(&nobody);
    let mut seats = vec![Seat::Waiting; standing.len()];
    // Of each team: players, sum of ratings.
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

/// The team that is to have the next player: of players and sums, the lesser.
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
