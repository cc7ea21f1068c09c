use std::cmp::Reverse;

use super::brief::Brief;
use super::split::Seat;

/// Where the players of the pool stand at present, the anchor's team being A.
fn standing(brief: &Brief<'_>) -> Vec<Seat> {
    let seats = match &brief.current {
        Some(seats) => seats.clone(),
        None => vec![Seat::Waiting; brief.points.len()],
    };
    if brief.anchor.is_some_and(|anchor| seats[anchor] == Seat::B) {
        seats.into_iter().map(Seat::opposite).collect()
    } else {
        seats
    }
}

/// Two teams of `size` to start from, by the seats that are `open` to each player.
///
/// - *Sides.* The anchor's team is called A, whichever it was sent as; where he waits, that of the
///   best player who plays, whom he joins.
/// - *Filling.* First come those who must play, then those who stand on a team, then the others, the
///   highest first. Everybody goes to the present team if that has room, or else to the team with
///   fewer players; of equally many to the one with the smaller sum, of equal sums to A. So a team
///   with more than k players sends its lowest to wait, and without current teams this is an
///   alternating draft in which the weaker team has the first pick of every turn, and which a
///   constant added to all ratings does not change.
pub(super) fn fill(brief: &Brief<'_>, open: &[&[Seat]], size: usize) -> Vec<Seat> {
    let standing = standing(brief);
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
        join(&mut a, &mut b, seats[player], brief.points[player]);
    }
    later.sort_unstable();
    for player in later {
        if a.0 == size && b.0 == size {
            break;
        }
        seats[player] = weaker(a, b);
        join(&mut a, &mut b, seats[player], brief.points[player]);
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

#[cfg(test)]
mod tests {
    use super::super::pool::generators::{player, pool_of};
    use super::super::room::Room;
    use super::super::wishes::{Current, Wishes};
    use super::*;

    fn filled(ratings: &[i32], current: Option<Current>, size: usize) -> Vec<Seat> {
        let pool = pool_of(ratings);
        let wishes = Wishes {
            current,
            ..Wishes::default()
        };
        let brief = Brief::new(&pool, &wishes);
        fill(&brief, &Room::of(&brief, size).seats(&brief), size)
    }

    #[test]
    fn the_weaker_team_picks_first() {
        let (a, b) = (Seat::A, Seat::B);
        let seats = filled(&[1400, 1300, 1200, 1000, 900, 800, 100], None, 3);
        assert_eq!(seats, [a, b, b, a, a, b, Seat::Waiting]);
    }

    #[test]
    fn an_anchor_who_waits_is_taken_in_and_the_lowest_makes_room() {
        let (high, low) = (vec![player(2), player(3)], vec![player(4), player(5)]);
        let either = Current {
            a: high.clone(),
            b: low.clone(),
        };
        for current in [either, Current { a: low, b: high }] {
            let seats = filled(&[1400, 1300, 1300, 1200, 1100], Some(current), 2);
            let (a, b) = (Seat::A, Seat::B);
            assert_eq!(seats, [a, a, Seat::Waiting, b, b]);
        }
    }
}
