//! Merits of a split by the wishes, an independent implementation of the documentation.

use rbs::domain::PlayerId;
use rbs::partition::{Candidate, Current, Pool, Split, Wishes};

use super::pools::points;

/// Seat of every player of the pool: 1 on a team, -1 on the other, 0 waiting.
pub type Seats = Vec<i64>;

/// A pool and its wishes, with players as indices into the pool.
#[derive(Debug)]
pub struct Case {
    pub points: Vec<i64>,
    /// Parties with at least two members present.
    pub parties: Vec<Vec<usize>>,
    /// Pairs to keep apart, without duplicates.
    pub apart: Vec<[usize; 2]>,
    /// Players of every role, and the number of them that each team should have.
    pub roles: Vec<(Vec<usize>, usize)>,
    /// For each player, `true` for a newcomer; `None` if newcomers are not distributed.
    pub newcomers: Option<Vec<bool>>,
    pub must_play: Vec<bool>,
    pub must_wait: Vec<bool>,
    /// Number of rounds that each player has waited.
    pub waited: Vec<u32>,
    /// Distinct values of `waited`, largest first.
    pub levels: Vec<u32>,
    pub current: Option<Seats>,
    pub recent: Vec<Seats>,
    pub party_price: i64,
    pub tolerance: i64,
    /// Difference in points that the wishes down to the newcomers may add to the minimum.
    pub first_tolerance: i64,
    pub spread: bool,
    pub bench: bool,
    anchor: bool,
}

/// Merits of a split; smaller is better for each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Merits {
    /// Number of violated hard wishes: players who must play but wait, or must wait but play.
    pub hard: usize,
    pub difference: i64,
    /// Number of waiting players for every level of [`Case::levels`].
    pub turns: Vec<usize>,
    pub split_parties: usize,
    pub together: usize,
    /// Number of role players that the teams lack, over all roles.
    pub missing: usize,
    /// Excess newcomers on one team.
    pub newcomers: usize,
    pub moves: usize,
    pub repeats: bool,
    pub top_two_together: bool,
}

/// Order of precedence between turns and parties.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    TurnsFirst,
    PartiesFirst,
}

impl Merits {
    /// Merits in order of precedence, for splits with the same hard wishes.
    pub fn key(&self, order: Order) -> Vec<i64> {
        let split = [self.split_parties];
        let (first, second) = match order {
            Order::TurnsFirst => (&self.turns[..], &split[..]),
            Order::PartiesFirst => (&split[..], &self.turns[..]),
        };
        let rest = [
            self.together,
            self.missing,
            self.newcomers,
            self.moves,
            usize::from(self.repeats),
            usize::from(self.top_two_together),
        ];
        let counts = first.iter().chain(second).chain(&rest);
        let counts = counts.map(|count| i64::try_from(*count).unwrap());
        counts.chain([self.difference]).collect()
    }

    /// Like [`Merits::key`], down to the newcomers.
    pub fn first_key(&self, order: Order) -> Vec<i64> {
        let key = self.key(order);
        key[..key.len() - 4].to_vec()
    }
}

impl Case {
    pub fn new(pool: &Pool, wishes: &Wishes) -> Self {
        let place = |id: &PlayerId| pool.players().iter().position(|one| one.id == *id);
        let places = |ids: &[PlayerId]| -> Vec<usize> { ids.iter().filter_map(place).collect() };
        let named = |ids: &[PlayerId]| -> Vec<bool> {
            let players = pool.players().iter();
            players.map(|one| ids.contains(&one.id)).collect()
        };
        let standing = |teams: &Current| -> Seats {
            let seats = named(&teams.a).into_iter().zip(named(&teams.b));
            seats.map(|(a, b)| i64::from(a) - i64::from(b)).collect()
        };
        let pair = |ids: &[PlayerId; 2]| -> Option<[usize; 2]> {
            let (one, other) = (place(&ids[0])?, place(&ids[1])?);
            Some([one.min(other), one.max(other)])
        };
        let parties = wishes.parties.iter().map(|party| places(party));
        let mut apart: Vec<[usize; 2]> = wishes.apart.iter().filter_map(pair).collect();
        apart.sort_unstable();
        apart.dedup();
        let roles = wishes.roles.iter();
        let waited = pool.players().iter();
        let waited = waited.map(|one| wishes.waited.get(&one.id).copied().unwrap_or(0));
        let waited: Vec<u32> = waited.collect();
        let mut levels = waited.clone();
        levels.retain(|rounds| *rounds > 0);
        levels.sort_unstable_by(|one, other| other.cmp(one));
        levels.dedup();
        let newcomers = named(&wishes.newcomers);
        let count = newcomers.iter().filter(|newcomer| **newcomer).count();
        let several = (2..=newcomers.len() - 2).contains(&count);
        let newcomers = Some(newcomers).filter(|_| several && wishes.newcomers_price > 0);
        let price = newcomers.as_ref().map_or(0, |_| wishes.newcomers_price);
        Self {
            newcomers,
            first_tolerance: price.max(wishes.tolerance).into(),
            points: points(pool),
            parties: parties.filter(|party| party.len() > 1).collect(),
            apart,
            roles: roles
                .map(|role| (places(&role.players), role.each))
                .collect(),
            must_play: named(&wishes.must_play),
            must_wait: named(&wishes.must_wait),
            waited,
            levels,
            current: wishes.current.as_ref().map(standing),
            recent: wishes.recent.iter().map(standing).collect(),
            party_price: wishes.party_price.into(),
            tolerance: wishes.tolerance.into(),
            spread: wishes.spread,
            bench: wishes.bench,
            anchor: wishes.anchor,
        }
    }

    pub fn players(&self) -> usize {
        self.points.len()
    }

    /// Sizes of the two teams of a split of `size`.
    pub fn team_sizes(&self, size: usize) -> (usize, usize) {
        if self.bench {
            (size, size)
        } else {
            (size, self.players() - size)
        }
    }

    /// `true` if the highest-rated player is required to play in teams of `size`.
    pub fn is_anchored(&self, size: usize) -> bool {
        let compulsory = self.must_play.iter().filter(|must| **must).count();
        let has_room = self.must_play[0] || compulsory < 2 * size;
        self.anchor && !self.must_wait[0] && has_room
    }

    /// Number of the role's players that the teams lack.
    pub fn missing(&self, role: usize, seats: &[i64]) -> usize {
        let (players, each) = &self.roles[role];
        let lacks = |team: i64| {
            let there = players.iter().filter(|player| seats[**player] == team);
            each.saturating_sub(there.count())
        };
        lacks(1) + lacks(-1)
    }

    /// The newcomers, or the others if they are fewer; empty if newcomers are not distributed.
    pub fn shared(&self) -> Vec<usize> {
        let flags = self.newcomers.as_deref().unwrap_or_default();
        let count = flags.iter().filter(|newcomer| **newcomer).count();
        let wanted = 2 * count <= flags.len();
        (0..flags.len())
            .filter(|one| flags[*one] == wanted)
            .collect()
    }

    /// Excess of a lead of [`Case::shared`] players, beyond the minimum that keeps all parties together.
    pub fn excess(&self, lead: i64) -> usize {
        let party = |one: &usize| self.parties.iter().position(|party| party.contains(one));
        let mut groups: Vec<(Option<usize>, i64)> = Vec::new();
        for one in &self.shared() {
            let of = party(one);
            let mut known = groups.iter_mut();
            match known.find(|group| of.is_some() && group.0 == of) {
                Some((_, members)) => *members += 1,
                None => groups.push((of, 1)),
            }
        }
        let mut leads = vec![0];
        for (_, members) in groups {
            let both = leads.iter();
            leads = both
                .flat_map(|lead| [lead + members, lead - members])
                .collect();
            leads.sort_unstable();
            leads.dedup();
        }
        let too_many = |lead: i64| usize::try_from(lead.abs() / 2).unwrap();
        let least = leads.into_iter().map(too_many).min().unwrap();
        too_many(lead).saturating_sub(least)
    }

    pub fn merits(&self, seats: &[i64]) -> Merits {
        let count = |holds: &dyn Fn(usize) -> bool| -> usize {
            (0..seats.len()).filter(|player| holds(*player)).count()
        };
        let is_benched = |player: usize| self.must_play[player] && seats[player] == 0;
        let is_drafted = |player: usize| self.must_wait[player] && seats[player] != 0;
        let turn =
            |rounds: &u32| count(&|player| self.waited[player] == *rounds && seats[player] == 0);
        let is_split =
            |party: &&Vec<usize>| party.iter().any(|member| seats[*member] != seats[party[0]]);
        let is_together = |one: usize, other: usize| seats[one] == seats[other] && seats[one] != 0;
        let changes = |from: &Seats, way: i64| {
            count(&|player| from[player] != 0 && seats[player] == -way * from[player])
        };
        let moves = |from: &Seats| changes(from, 1).min(changes(from, -1));
        let is_mirrored = |recent: &[i64]| recent.iter().zip(seats).all(|(one, two)| *one == -two);
        let pairs = self.apart.iter();
        let pairs = pairs.filter(|pair| is_together(pair[0], pair[1]));
        let mut recent = self.recent.iter();
        let weighed = self.points.iter().zip(seats);
        Merits {
            hard: count(&is_benched) + count(&is_drafted),
            difference: weighed.map(|(one, seat)| one * seat).sum::<i64>().abs(),
            turns: self.levels.iter().map(turn).collect(),
            split_parties: self.parties.iter().filter(is_split).count(),
            together: pairs.count(),
            missing: (0..self.roles.len())
                .map(|role| self.missing(role, seats))
                .sum(),
            newcomers: self.excess(self.shared().iter().map(|one| seats[*one]).sum()),
            moves: self.current.as_ref().map_or(0, moves),
            repeats: recent.any(|recent| recent == seats || is_mirrored(recent)),
            top_two_together: self.spread && is_together(0, 1),
        }
    }

    /// Population standard deviation of the ratings of a team.
    pub fn deviation(&self, seats: &[i64], team: i64) -> f64 {
        let players = self.points.iter().zip(seats);
        let on_team = players.filter(|(_, seat)| **seat == team);
        let points: Vec<f64> = on_team
            .map(|(points, _)| f64::from(i32::try_from(*points).unwrap()))
            .collect();
        let count = f64::from(u32::try_from(points.len()).unwrap());
        let mean = points.iter().sum::<f64>() / count;
        let squares = points.iter().map(|one| (one - mean).powi(2));
        (squares.sum::<f64>() / count).sqrt()
    }

    /// Difference between the rating deviations of the teams.
    pub fn unlikeness(&self, seats: &[i64]) -> f64 {
        (self.deviation(seats, 1) - self.deviation(seats, -1)).abs()
    }
}

pub fn seats_of(pool: &Pool, split: &Split) -> Seats {
    let is_in = |team: &[Candidate], one: &Candidate| i64::from(team.contains(one));
    let players = pool.players().iter();
    players
        .map(|one| is_in(&split.a, one) - is_in(&split.b, one))
        .collect()
}
