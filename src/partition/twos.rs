use super::brief::is_kept;
use super::close::Close;
use super::rules::are_open;
use super::split::Seat;

/// No teams are better than those that are even, with the two best apart.
const BEST: (i64, bool) = (0, false);

/// The closest teams of two, by the open seats and with each of the `parties` in one seat; of equals
/// with the two best apart. Nothing where nobody must play, or where there are no such teams.
///
/// So few can be tried one after another: whoever must play with everybody else, against every two of
/// the others. Larger teams are seldom so hard to make even.
pub(super) fn closest_of_two(
    points: &[i64],
    open: &[&[Seat]],
    parties: &[Vec<usize>],
) -> Option<Close> {
    let may = |player: usize, seat| open[player].contains(&seat);
    let compulsory: Vec<usize> = (0..points.len())
        .filter(|&player| !may(player, Seat::Waiting))
        .collect();
    // Only one player has one side alone, who is the best of those who play.
    let one_sided = |player: &&usize| open[**player].len() == 1;
    let &leader = compulsory.iter().find(one_sided).or(compulsory.first())?;
    let (side, opposite) = if may(leader, Seat::A) {
        (Seat::A, Seat::B)
    } else {
        (Seat::B, Seat::A)
    };
    let is_too_large = |party: &Vec<usize>| party.len() > 2 && party.contains(&leader);
    if parties.iter().any(is_too_large) {
        return None;
    }
    let others =
        |seat| (0..points.len()).filter(move |&player| player != leader && may(player, seat));
    let opponents: Vec<usize> = others(opposite).collect();
    let mut closest = Closest {
        points,
        open,
        parties,
        sides: [side, opposite],
        seats: vec![Seat::Waiting; points.len()],
        best: None,
        rank: (i64::MAX, true),
    };
    // Whoever is in a party is with all of it, so only one of the leader's own is his mate, or one of none.
    let party = |player: usize| parties.iter().find(|party| party.contains(&player));
    let of_leader = party(leader);
    let mates = others(side).filter(|&player| party(player) == of_leader);
    // Who must play is mostly the best, so the lowest make close teams with him, and of the others less is
    // looked at.
    for mate in mates.rev() {
        if closest.rank == BEST {
            break;
        }
        let team = [leader, mate];
        // If somebody else must play, only those two matter of whom he is one.
        match compulsory.iter().find(|player| !team.contains(player)) {
            Some(&needed) if may(needed, opposite) => {
                closest.try_against(team, needed, &opponents);
            }
            Some(_) => {}
            None => {
                for (index, &one) in opponents.iter().enumerate() {
                    closest.try_against(team, one, &opponents[index + 1..]);
                }
            }
        }
    }
    closest.seat(closest.best?);
    Some(Close {
        seats: closest.seats,
        difference: closest.rank.0,
        is_proven: true,
    })
}

/// The closest teams that were tried.
struct Closest<'pool> {
    points: &'pool [i64],
    open: &'pool [&'pool [Seat]],
    parties: &'pool [Vec<usize>],
    /// Of both teams.
    sides: [Seat; 2],
    /// Nobody's, but while teams are tried, and of the best at last.
    seats: Vec<Seat>,
    best: Option<[[usize; 2]; 2]>,
    /// The difference of the best, and whether the two best are together there.
    rank: (i64, bool),
}

impl Closest<'_> {
    /// Tries the team against `one` with each of the `others`, who descend.
    fn try_against(&mut self, team: [usize; 2], one: usize, others: &[usize]) {
        let left = team.map(|player| self.points[player]).iter().sum::<i64>() - self.points[one];
        // Their ratings descend, so those that are near enough stand together.
        let (least, _) = self.rank;
        let (highest, lowest) = (left.saturating_add(least), left.saturating_sub(least));
        let first = others.partition_point(|&another| self.points[another] > highest);
        for &another in &others[first..] {
            if self.points[another] < lowest {
                break;
            }
            let difference = (left - self.points[another]).abs();
            self.try_teams(difference, [team, [one, another]]);
        }
    }

    /// Gives the teams their seats.
    fn seat(&mut self, teams: [[usize; 2]; 2]) {
        for (team, side) in teams.into_iter().zip(self.sides) {
            for player in team {
                self.seats[player] = side;
            }
        }
    }

    /// Tries these teams, which make that difference.
    fn try_teams(&mut self, difference: i64, teams: [[usize; 2]; 2]) {
        let has_both_best = |team: &[usize; 2]| team.contains(&0) && team.contains(&1);
        let rank = (difference, teams.iter().any(has_both_best));
        if rank >= self.rank {
            return;
        }
        self.seat(teams);
        let is_kept = |party: &Vec<usize>| is_kept(party, &self.seats);
        // Most often a party is split, if there are many.
        if self.parties.iter().all(is_kept)
            && are_two_each(&self.seats)
            && are_open(&self.seats, self.open)
        {
            self.best = Some(teams);
            self.rank = rank;
        }
        for player in teams.into_iter().flatten() {
            self.seats[player] = Seat::Waiting;
        }
    }
}

/// Whether both teams are of two: nobody was put into both, or into one twice.
fn are_two_each(seats: &[Seat]) -> bool {
    let players = |team| seats.iter().filter(|seat| **seat == team).count();
    players(Seat::A) == 2 && players(Seat::B) == 2
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::room::generators::{SEATS, open_seats};
    use super::*;

    /// The least difference of teams of two, and whether the two best must be together for it, by
    /// trying all four players in all three ways.
    fn least(points: &[i64], open: &[&[Seat]], parties: &[Vec<usize>]) -> Option<(i64, bool)> {
        let players = 0..points.len();
        let fours = players
            .clone()
            .flat_map(|a| (a + 1..points.len()).map(move |b| [a, b]));
        let twos: Vec<[usize; 2]> = fours.collect();
        let pairs = twos
            .iter()
            .flat_map(|team| twos.iter().map(move |other| (team, other)));
        let splits = pairs.filter(|(team, other)| {
            let seat = |player: usize| match (team.contains(&player), other.contains(&player)) {
                (true, false) => Some(Seat::A),
                (false, true) => Some(Seat::B),
                (false, false) => Some(Seat::Waiting),
                (true, true) => None,
            };
            let is_open =
                |player: usize| seat(player).is_some_and(|seat| open[player].contains(&seat));
            let is_kept =
                |party: &Vec<usize>| party.iter().all(|&member| seat(member) == seat(party[0]));
            players.clone().all(is_open) && parties.iter().all(is_kept)
        });
        let sum = |two: &[usize; 2]| points[two[0]] + points[two[1]];
        let ranks = splits.map(|(team, other)| {
            (
                (sum(team) - sum(other)).abs(),
                [team, other].contains(&&[0, 1]),
            )
        });
        ranks.min()
    }

    #[test]
    fn of_equals_the_two_best_are_apart() {
        let mut open = [&SEATS[..]; 4];
        // With him the best is even too, and tried first.
        open[1] = &[Seat::A, Seat::B];
        let found = closest_of_two(&[7; 4], &open, &[]);
        let found = found.map(|close| (close.difference, close.seats[0] == close.seats[1]));
        assert_eq!(found, Some((0, false)));
    }

    proptest! {
        #[test]
        fn no_teams_of_two_are_closer(
            mut points in prop::collection::vec(0..60_i64, 4..9),
            open in open_seats(9),
            has_leader in any::<bool>(),
            parties in prop::sample::select(vec![
                vec![], vec![vec![0, 3]], vec![vec![1, 2], vec![0, 3]], vec![vec![1, 2, 3]],
            ]),
        ) {
            points.sort_unstable_by(|one, other| other.cmp(one));
            let mut open = open[..points.len()].to_vec();
            if has_leader {
                open[0] = &[Seat::A];
            }
            let must_anybody = open.iter().any(|open| !open.contains(&Seat::Waiting));
            let found = closest_of_two(&points, &open, &parties);
            let expected = least(&points, &open, &parties).filter(|_| must_anybody);
            prop_assert_eq!(found.as_ref().map(|close| close.difference), expected.map(|(least, _)| least));
            let Some(Close { seats, .. }) = found else {
                return Ok(());
            };
            let players = seats.iter().zip(&open);
            prop_assert!(players.clone().all(|(seat, open)| open.contains(seat)));
            prop_assert_eq!(seats[0] != Seat::Waiting && seats[0] == seats[1], expected.is_some_and(|(_, together)| together));
            let team = |seat| points.iter().zip(&seats).filter(move |(_, at)| **at == seat).map(|(points, _)| points);
            prop_assert_eq!((team(Seat::A).count(), team(Seat::B).count()), (2, 2));
            let difference = team(Seat::A).sum::<i64>() - team(Seat::B).sum::<i64>();
            prop_assert_eq!(Some(difference.abs()), expected.map(|(least, _)| least));
        }
    }
}
