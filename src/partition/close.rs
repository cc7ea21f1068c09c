use super::brief::is_kept;
use super::exchanges::{Exchange, Exchanges};
use super::rules::are_open;
use super::split::{Seat, difference};
use super::twos::closest_of_two;

/// How often players are dealt out for one size, and how many exchanges are made then at most. Every
/// size that remains open halves both: then others are proven with it, and those that follow seldom
/// fare better.
const DEALS: usize = 2;
const EXCHANGES: usize = 6;

/// Finds close splits without tables, and sees of most that none is closer: their difference is 0,
/// or the 1 that an odd sum of all who play leaves at least, or what a player who stands out
/// forces.
///
/// Most pools have many even splits. So the players of a size are dealt out, and one exchange or two
/// together that make up for what that leaves are looked for; where there are none, the one that
/// helps most is made, and so on.
pub(super) struct CloseSplits<'pool> {
    /// By player, descending, in units.
    points: &'pool [i64],
    /// By player: the open seats.
    open: &'pool [&'pool [Seat]],
    /// Who has one seat together.
    parties: &'pool [Vec<usize>],
    /// How many may play, and how many of them must.
    may_play: usize,
    must_play: usize,
    /// Who is in no party and must play, and who may.
    compulsory: Vec<usize>,
    optional: Vec<usize>,
    /// How often the next size is dealt out.
    deals: usize,
    /// How many exchanges are made then at most.
    most_exchanges: usize,
    /// Between all who are neither among the two best nor in a party.
    exchanges: Exchanges,
}

/// A split that was found.
#[derive(Clone, Debug)]
pub(super) struct Close {
    pub(super) seats: Vec<Seat>,
    /// How far from even it is, in units.
    pub(super) difference: i64,
    /// Whether none can be closer.
    pub(super) is_proven: bool,
}

impl<'pool> CloseSplits<'pool> {
    /// Of players with these ratings, descending, these open seats, and parties that must be kept.
    pub(super) fn new(
        points: &'pool [i64],
        open: &'pool [&'pool [Seat]],
        parties: &'pool [Vec<usize>],
    ) -> Self {
        let is_alone = |player: &usize| !parties.iter().flatten().any(|member| member == player);
        let may_play = |player: &usize| open[*player].iter().any(|seat| *seat != Seat::Waiting);
        let may_wait = |player: &usize| open[*player].contains(&Seat::Waiting);
        let players = (0..points.len()).filter(may_play);
        let must_play = players.clone().filter(|player| !may_wait(player));
        let (optional, compulsory) = players.clone().filter(is_alone).partition(may_wait);
        let movable: Vec<usize> = (2..points.len()).filter(is_alone).collect();
        Self {
            points,
            open,
            parties,
            may_play: players.clone().count(),
            must_play: must_play.count(),
            compulsory,
            optional,
            deals: DEALS,
            most_exchanges: EXCHANGES,
            exchanges: Exchanges::new(points, open, &movable),
        }
    }

    /// The closest that is found with teams of `size`, if any is, or the first whose difference is no
    /// more than `enough`. Without parties, the two best players are not on one team.
    pub(super) fn find(&mut self, size: usize, enough: i64) -> Option<Close> {
        if self.may_play < 2 * size {
            return None;
        }
        let forced = self.forced_by_best(size);
        if forced > 0
            && let Some(seats) = self.against_best(size)
        {
            return Some(Close {
                seats,
                difference: forced,
                is_proven: true,
            });
        }
        if size == 2
            && let Some(close) = closest_of_two(self.points, self.open, self.parties)
        {
            return Some(close);
        }
        // Where that split is not open, what is forced is seldom reached.
        let deals = if forced > 0 { 1 } else { self.deals };
        let mut closest: Option<Close> = None;
        for deal in 0..deals {
            let Some(found) = self.find_from(size, deal, forced.max(0), enough) else {
                continue;
            };
            let is_closer = |closest: &Close| found.difference < closest.difference;
            if closest.as_ref().is_none_or(is_closer) {
                closest = Some(found);
            }
            if closest
                .as_ref()
                .is_some_and(|closest| closest.is_proven || closest.difference <= enough)
            {
                return closest;
            }
        }
        self.deals = (self.deals / 2).max(1);
        self.most_exchanges = (self.most_exchanges / 2).max(1);
        closest
    }

    /// What exchanges make of one way to deal, where `forced` is a lower bound.
    fn find_from(&mut self, size: usize, deal: usize, forced: i64, enough: i64) -> Option<Close> {
        let mut seats = self.deal(size, deal)?;
        let mut difference = difference(&seats, self.points);
        let least = forced.max(self.parity(size, difference));
        for _ in 0..self.most_exchanges {
            if difference.abs() <= least.max(enough) {
                break;
            }
            let changes = [least - difference, -least - difference];
            let changes = &changes[..if least == 0 { 1 } else { 2 }];
            if let Some(found) = self.exchanges.find(&seats, changes) {
                for exchange in found.into_iter().flatten() {
                    exchange.make(&mut seats);
                    difference += exchange.change;
                }
                break;
            }
            let after = |exchange: &&Exchange| (difference + exchange.change).abs();
            let best = self.exchanges.listed().iter().min_by_key(after);
            match best.filter(|best| after(best) < difference.abs()) {
                Some(best) => {
                    best.make(&mut seats);
                    difference += best.change;
                }
                None => break,
            }
        }
        Some(Close {
            seats,
            difference: difference.abs(),
            is_proven: difference.abs() == least,
        })
    }

    /// 1 where all differences of teams of `size` are odd, as this `difference` of one of them is;
    /// else 0.
    fn parity(&self, size: usize, difference: i64) -> i64 {
        // Where it is settled who plays, all differences are odd or all are even.
        if [self.may_play, self.must_play].contains(&(2 * size)) {
            difference & 1
        } else {
            0
        }
    }

    /// What is left if the best player, who must play, has the lowest with him and the highest
    /// against him.
    fn forced_by_best(&self, size: usize) -> i64 {
        match self.points.split_first() {
            Some((best, others)) if !self.open[0].contains(&Seat::Waiting) => {
                let with: i64 = others.iter().rev().take(size - 1).sum();
                let against: i64 = others.iter().take(size).sum();
                best + with - against
            }
            _ => 0,
        }
    }

    /// That split, if it is open and splits no party.
    fn against_best(&self, size: usize) -> Option<Vec<Seat>> {
        let players = self.points.len();
        let mut seats = vec![Seat::Waiting; players];
        seats[1..=size].fill(Seat::B);
        seats[players + 1 - size..].fill(Seat::A);
        seats[0] = Seat::A;
        let keeps = || self.parties.iter().all(|party| is_kept(party, &seats));
        (are_open(&seats, self.open) && keeps()).then_some(seats)
    }

    /// The parties, and players from all over the pool, dealt out to the teams.
    fn deal(&self, size: usize, deal: usize) -> Option<Vec<Seat>> {
        let mut seats = vec![Seat::Waiting; self.points.len()];
        let room = self.deal_parties(size, deal, &mut seats)?;
        self.deal_others(room, deal, &mut seats)?;
        are_open(&seats, self.open).then_some(seats)
    }

    /// Gives every party a seat; answers how many more players A and B have room for.
    fn deal_parties(&self, size: usize, deal: usize, seats: &mut [Seat]) -> Option<[usize; 2]> {
        let mut room = [size; 2];
        let mut turn = deal;
        for party in self.parties {
            let is_open = |seat: &Seat| {
                let has_room = team(*seat).is_none_or(|team| room[team] >= party.len());
                has_room && party.iter().all(|member| self.open[*member].contains(seat))
            };
            let order = [Seat::Waiting, Seat::A, Seat::B].into_iter().cycle();
            let seat = order.skip(turn % 3).take(3).find(is_open)?;
            turn /= 3;
            for &member in party {
                seats[member] = seat;
            }
            if let Some(team) = team(seat) {
                room[team] -= party.len();
            }
        }
        Some(room)
    }

    /// Fills the room that the teams have with those who must play, and others from all over the
    /// pool.
    fn deal_others(&self, mut room: [usize; 2], deal: usize, seats: &mut [Seat]) -> Option<()> {
        let others = &self.optional;
        let wanted = (room[0] + room[1]).checked_sub(self.compulsory.len())?;
        if others.len() < wanted {
            return None;
        }
        let shift = deal * others.len() / DEALS;
        let chosen = (0..wanted).map(|turn| others[(turn * others.len() + shift) / wanted]);
        let mut playing: Vec<usize> = self.compulsory.iter().copied().chain(chosen).collect();
        playing.sort_unstable();
        // One of every two to each team that has room; which of them goes to A changes in another
        // order with every deal.
        for (turn, player) in playing.into_iter().enumerate() {
            let is_swapped = ((turn / 2) & (deal + 1)).count_ones() % 2 == 1;
            let to_a = (turn % 2 == 0) != is_swapped;
            let to_a = room[1] == 0 || (to_a && room[0] > 0);
            seats[player] = if to_a { Seat::A } else { Seat::B };
            room[usize::from(!to_a)] -= 1;
        }
        Some(())
    }
}

/// 0 for A and 1 for B.
fn team(seat: Seat) -> Option<usize> {
    match seat {
        Seat::A => Some(0),
        Seat::B => Some(1),
        Seat::Waiting => None,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::room::generators::{SEATS, all_seats, open_seats};
    use super::*;

    /// The least difference of teams of `size` by the open seats, each party in one seat.
    fn least(points: &[i64], open: &[&[Seat]], parties: &[Vec<usize>], size: usize) -> Option<i64> {
        let all = all_seats(points.len(), size);
        let are_allowed = |seats: &&Vec<Seat>| {
            are_open(seats, open) && parties.iter().all(|party| is_kept(party, seats))
        };
        let difference = |seats: &Vec<Seat>| difference(seats, points).abs();
        all.iter().filter(are_allowed).map(difference).min()
    }

    proptest! {
        #[test]
        fn nothing_is_closer_and_all_seats_are_open(
            mut points in prop::collection::vec(0..60_i64, 4..9),
            open in open_seats(9),
            has_party in any::<bool>(),
            size in 1..5_usize,
            enough in 0..20_i64,
        ) {
            points.sort_unstable_by(|one, other| other.cmp(one));
            let open = open[..points.len()].to_vec();
            let parties = if has_party { vec![vec![0, 3], vec![1, 2]] } else { Vec::new() };
            let found = CloseSplits::new(&points, &open, &parties).find(size, enough);
            let Some(Close { seats, difference: found, is_proven }) = found else {
                return Ok(());
            };
            for team in [Seat::A, Seat::B] {
                prop_assert_eq!(seats.iter().filter(|seat| **seat == team).count(), size);
            }
            prop_assert!(are_open(&seats, &open));
            prop_assert!(parties.iter().all(|party| is_kept(party, &seats)));
            prop_assert_eq!(difference(&seats, &points).abs(), found);
            let least = least(&points, &open, &parties, size);
            prop_assert!(least.is_some_and(|least| least == found || least < found && !is_proven));
            prop_assert!(has_party || seats[0] == Seat::Waiting || seats[0] != seats[1]);
        }
    }

    #[test]
    fn exchanges_make_up_for_what_dealing_leaves() {
        let found = |points: &[i64], size| {
            let mut open = vec![&SEATS[..]; points.len()];
            open[0] = &[Seat::A];
            let found = CloseSplits::new(points, &open, &[]).find(size, 0);
            found.map(|found| (found.difference, found.is_proven))
        };
        assert_eq!(found(&[40, 30, 20, 10], 2), Some((0, true)), "dealt");
        assert_eq!(found(&[40, 37, 33, 30, 20, 11, 6, 0], 3), Some((0, true)));
        assert_eq!(
            found(&[9, 8, 7, 6, 5, 4, 3, 1], 4),
            Some((1, true)),
            "the sum is odd"
        );
        assert_eq!(
            found(&[4000, 30, 20, 10], 2),
            Some((3960, true)),
            "by the best"
        );
        assert_eq!(found(&[100, 90, 60, 3, 3, 0], 2), Some((7, true)), "tried");
        assert_eq!(found(&[100, 90, 60, 3, 3, 0], 3), Some((44, false)));
    }
}
